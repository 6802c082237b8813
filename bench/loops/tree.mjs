/**
 * Loop `tree`: a lead gives work to 10 sub-agents, each of those to 10, each of those to 10: 1,110 sub-agents, three
 * levels deep, and then the next tree. The lead is the program.
 *
 * A sub-agent with sub-agents takes a turn, reports its tokens, spawns its 10 and waits for them all, takes another
 * turn, reports and returns. One at the bottom is the host of the other loops. Every parent has a cap on tokens for
 * itself and all below it. The limit is far below the number of parents, so a tree only finishes if waiting parents
 * give up their slots.
 */

/** @typedef {{ instructions: string, budget?: { tokens: number } }} TreeParams */

const WIDTH = 10;
/** Caps of the first and the second level; at the bottom it is each task's own. */
const FIRST = Object.freeze({ tokens: 10_000_000 });
const SECOND = Object.freeze({ tokens: 1_000_000 });

export const DEPTH = 3;
export const TREE_SIZE = WIDTH + WIDTH ** 2 + WIDTH ** 3;
/** One at the bottom, two for who has sub-agents. */
export const TURNS_IN_TREE = WIDTH ** 3 + 2 * (WIDTH + WIDTH ** 2);

/** The level of a sub-agent, from 0, read from what it may spend: the same for all variants, and free. */
export function levelOf(/** @type {TreeParams} */ { budget }) {
  if (budget === undefined) return 2;
  return budget.tokens === FIRST.tokens ? 0 : 1;
}

/**
 * The host function, and what it saw.
 * @param {import('../host.mjs').Supply} supply
 * @param {(run: object, params: TreeParams) => Promise<{ output: string }>} child Runs a sub-agent's sub-agent.
 * @returns {(params: TreeParams, run: object) => Promise<object>}
 */
export function createTreeHost(supply, child) {
  return async (params, run) => {
    supply.charsIn += params.instructions.length;
    if (params.budget === undefined) {
      supply.enterLeaf();
      await null;
      supply.leaveLeaf();
      return supply.result(1);
    }
    const below = levelOf(params) === 0 ? SECOND : undefined;
    await takeTurn(run, 4);
    await gather(supply, (task) => child(run, task), below);
    await takeTurn(run, 6);
    return supply.result(2);
  };
}

async function takeTurn(run, tokens) {
  const permit = await run.beforeTurn();
  if (!permit.go) throw new Error(`Expected a turn, got ${permit.reason}`);
  run.report({ tokens });
}

/** Starts ten, then waits for them in order. */
async function gather(supply, call, budget) {
  const pending = new Array(WIDTH);
  for (let i = 0; i < WIDTH; i++) {
    const instructions = supply.takeInput();
    pending[i] = call(budget === undefined ? { instructions } : { instructions, budget });
  }
  for (let i = 0; i < WIDTH; i++) {
    const { output } = await pending[i];
    supply.charsOut += output.length;
  }
}

/**
 * @param {(params: TreeParams) => Promise<{ output: string }>} call Runs a sub-agent of the lead.
 * @param {string[]} texts A multiple of `TREE_SIZE`.
 * @param {number} _inFlight
 * @param {import('../host.mjs').Supply} supply
 * @returns {Promise<number>} Characters of output received, on all levels.
 */
export async function tree(call, texts, _inFlight, supply) {
  for (let done = 0; done < texts.length; done += TREE_SIZE) await gather(supply, call, FIRST);
  return supply.charsOut;
}
