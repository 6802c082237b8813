// The model, in this process: conversations that really generate tokens, each in a sequence of its own, whose
// meter counts them. Knows nothing of sub-agents.

import { getLlama, LlamaChatSession, LlamaLogLevel } from 'node-llama-cpp';

/** Tokens that one conversation can hold. */
const CONTEXT = 2_048;
/** More wait for each other in a busy loop: on cores that others use too, that is slower by far. */
const THREADS = 1;

/**
 * What one turn gave.
 * @typedef {object} Turn
 * @property {string} text
 * @property {'ended' | 'cut' | 'aborted'} end The model was done, its tokens were used up, or the signal fired.
 * @property {number} tokens What the sequence's meter went up by: those that it read and those that it wrote.
 */

/**
 * @param {string} path Of a GGUF file.
 * @param {number} conversations How many may be open at once; one more throws.
 */
export async function openModel(path, conversations) {
  // The binary comes with the package: nothing is compiled or fetched here.
  const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true, progressLogs: false, logLevel: LlamaLogLevel.error });
  const model = await llama.loadModel({ modelPath: path });
  const context = await model.createContext({ sequences: conversations, contextSize: CONTEXT, threads: THREADS });
  const free = Array.from({ length: conversations }, () => context.getSequence());
  return {
    open(/** @type {string} */ systemPrompt) {
      const sequence = free.pop();
      if (sequence === undefined) throw new Error(`more than ${conversations} conversations at once`);
      return new Conversation(sequence, systemPrompt, () => free.push(sequence));
    },
    /** What lets the model write JSON of this shape alone. @param {object} schema */
    json: (schema) => llama.createGrammarForJsonSchema(schema),
    count: (/** @type {string} */ text) => model.tokenize(text).length,
    close: () => llama.dispose(),
  };
}

class Conversation {
  #sequence;
  #session;
  #release;
  #start;

  constructor(sequence, systemPrompt, release) {
    this.#sequence = sequence;
    this.#release = release;
    this.#start = sequence.tokenMeter.getState();
    this.#session = new LlamaChatSession({ contextSequence: sequence, systemPrompt });
  }

  /** All tokens that the sequence has read and written for this conversation. */
  get metered() {
    const { usedInputTokens, usedOutputTokens } = this.#sequence.tokenMeter.diff(this.#start);
    return usedInputTokens + usedOutputTokens;
  }

  /** The tokens of the conversation as it stands. */
  get length() {
    return this.#sequence.nextTokenIndex;
  }

  /**
   * @param {string} prompt
   * @param {{ maxTokens: number, signal: AbortSignal, grammar?: object, onToken?: () => void }} options
   * @returns {Promise<Turn>}
   */
  async turn(prompt, { maxTokens, signal, grammar, onToken }) {
    const before = this.metered;
    let text = '';
    /** @type {Turn['end']} */
    let end = 'aborted';
    try {
      const options = { maxTokens, signal, stopOnAbortSignal: true, onToken: () => onToken?.() };
      const { responseText, stopReason } = await this.#session.promptWithMeta(prompt, grammar ? { ...options, grammar } : options);
      text = responseText;
      end = stopReason === 'abort' ? 'aborted' : stopReason === 'maxTokens' ? 'cut' : 'ended';
    } catch (error) {
      // Aborted before its first token.
      if (!signal.aborted) throw error;
    }
    return { text, end, tokens: this.metered - before };
  }

  /** Gives the sequence to the next conversation, empty. */
  async close() {
    this.#session.dispose({ disposeSequence: false });
    await this.#sequence.clearHistory();
    this.#release();
  }
}
