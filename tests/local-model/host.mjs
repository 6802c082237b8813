// The host function: a run is a conversation with the local model. It asks before each turn, reports what the
// sequence's meter says after it, and hands the run's signal to the model.

const LEAD = 'You lead helpers who read notes for you.';
const HELPER = 'You are a helper. Answer in one or two sentences.';
const GO_ON = 'Go on.';
const LAST_TURN = 'Finish now.';
/** Tokens around a prompt in the model's chat format. */
const ENVELOPE = 12;
const LEAD_TOKENS = 120;
const HELPER_TURNS = 3;

/** The part of the tool's schema that the lead's model fills in. */
const INSTRUCTIONS = {
  type: 'object',
  properties: { instructions: { type: 'string', minLength: 10, maxLength: 100 } },
  required: ['instructions'],
};

/**
 * @typedef {object} Watch
 * @property {(run: import('subagents').Run) => number} turnTokens How many tokens a turn may write at most.
 * @property {(run: import('subagents').Run) => void} onToken The model has written one.
 * @property {(run: import('subagents').Run, turn: import('./model.mjs').Turn) => void} onTurn
 * @property {(run: import('subagents').Run, metered: number) => void} onClose What the sequence's meter said in the end.
 */

/**
 * @param {Awaited<ReturnType<typeof import('./model.mjs').openModel>>} model
 * @param {{ question: string, notes: string[] }} work What the lead has to find out, and from what.
 * @param {Watch} watch
 * @returns {Promise<import('subagents').SpawnSubAgent>}
 */
export async function createHost(model, work, watch) {
  const json = await model.json(INSTRUCTIONS);

  return async (_params, run) => {
    const isLead = run.label === 'lead';
    const talk = model.open(isLead ? LEAD : HELPER);
    /** What it has said, for its output. */
    const said = [];

    /** One turn, asked for and reported; undefined where no turn is given. */
    const turn = async (prompt, options) => {
      const reads = model.count(prompt) + ENVELOPE + (talk.metered === 0 ? model.count(HELPER) + ENVELOPE : 0);
      const permit = await run.beforeTurn({ tokens: reads + options.maxTokens });
      if (!permit.go) return undefined;
      const text = permit.wrapUp ? LAST_TURN : prompt;
      // The last turn gets what is left.
      const left = permit.tokens === undefined ? options.maxTokens : permit.tokens - model.count(text) - ENVELOPE;
      const maxTokens = Math.max(1, Math.min(options.maxTokens, left));
      const done = await talk.turn(text, { ...options, maxTokens, signal: run.signal, onToken: () => watch.onToken(run) });
      said.push(done.text);
      // Also where the turn was aborted: the tokens were used.
      run.report({ tokens: done.tokens, contextTokens: talk.length, message: done.text });
      watch.onTurn(run, done);
      return permit.wrapUp ? undefined : done;
    };

    try {
      if (isLead) await lead(run, turn);
      else await helper(run, turn);
    } finally {
      watch.onClose(run, talk.metered);
      await talk.close();
    }
    const output = isLead ? (said.at(-1) ?? '') : said.join('');
    return run.signal.aborted ? { output, status: 'cancelled' } : { output, status: 'completed' };
  };

  /** Writes a delegation for each note, delegates them together, and answers from what came back. */
  async function lead(run, turn) {
    const { spawn_agent } = run.createTools();
    const calls = [];
    for (const [index, note] of work.notes.entries()) {
      const ask = `As JSON, instructions for helper ${index + 1}, who has one note. The question is: ${work.question}`;
      const done = await turn(ask, { maxTokens: LEAD_TOKENS, grammar: json });
      if (done === undefined) return;
      const own = done.end === 'ended' ? JSON.parse(done.text).instructions : '';
      // The model can't be trusted with the note itself: it is small.
      const instructions = `${own}\nNote: ${note}\nQuestion: ${work.question}`;
      calls.push({ instructions, max_turns: HELPER_TURNS });
    }
    const answers = await Promise.all(calls.map((call) => spawn_agent.execute(call, { signal: run.signal })));
    await turn(`Your helpers said:\n${answers.join('\n')}\nAnswer in one sentence, without JSON: ${work.question}`, {
      maxTokens: LEAD_TOKENS,
    });
  }

  /** Talks until the model is done, has had its turns, or may not go on. */
  async function helper(run, turn) {
    const maxTokens = watch.turnTokens(run);
    let done = await turn(run.prompt, { maxTokens });
    for (let left = run.limits.maxTurns - 1; left > 0 && done?.end === 'cut'; left -= 1) done = await turn(GO_ON, { maxTokens });
  }
}
