/**
 * The host function every variant calls: it stands for the program's "run a model".
 *
 * It looks at its instructions, waits one microtask turn, and returns a result object with an output text that was not
 * seen before, as long as the instructions. In the `signal` rows it also reads `run.signal`, as a host that passes the
 * signal on to its model client does. The `tree` loop has a host of its own, beside it.
 */

/** What the host has to give back, and what it has been given: set anew before each timed round. */
export class Supply {
  constructor() {
    /** @type {string[]} */
    this.outputs = [];
    this.next = 0;
    this.charsIn = 0;
    this.aborted = 0;
    // For `tree`, whose sub-agents give out work themselves.
    /** @type {string[]} */
    this.inputs = [];
    this.nextInput = 0;
    this.charsOut = 0;
    this.leaves = 0;
    this.mostLeaves = 0;
  }

  /** @param {string[]} outputs @param {string[]} inputs */
  fill(outputs, inputs) {
    this.outputs = outputs;
    this.next = 0;
    this.charsIn = 0;
    this.aborted = 0;
    this.inputs = inputs;
    this.nextInput = 0;
    this.charsOut = 0;
  }

  takeInput() {
    return this.inputs[this.nextInput++];
  }

  enterLeaf() {
    if (++this.leaves > this.mostLeaves) this.mostLeaves = this.leaves;
  }

  leaveLeaf() {
    this.leaves--;
  }

  /** @param {number} turns */
  result(turns) {
    return {
      output: this.outputs[this.next++],
      status: 'completed',
      usage: { tokens: 10, turns, cost: 0.0001 },
    };
  }
}

/**
 * @param {Supply} supply
 * @param {{ readSignal: boolean }} options
 * @returns {(params: { instructions: string }, run: { signal?: AbortSignal }) => Promise<object>}
 */
export function createHost(supply, { readSignal }) {
  // Two functions rather than a branch in one: each process runs one of them, with nothing to decide.
  if (readSignal) {
    return async (params, run) => {
      if (run.signal.aborted) supply.aborted++;
      supply.charsIn += params.instructions.length;
      await null;
      return supply.result(1);
    };
  }
  return async (params, _run) => {
    supply.charsIn += params.instructions.length;
    await null;
    return supply.result(1);
  };
}
