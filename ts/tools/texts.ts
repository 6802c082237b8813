// The texts of a spawning tool that a program may replace. Owns their names and arguments. If a function for one fails,
// the error is reported and the default is used.

import { invalid } from '../base/errors.js';
import type { Core } from '../boundary/core.js';
import type { StopReason, TaskStatus } from '../generated/names.js';
import { noOtherFields, optionsOf } from '../options/arguments.js';

/** The argument of each function for a text. */
interface TextInput {
  /** The usual text, which is used without the function. */
  text: string;
}

/** The argument of `started`: a sub-agent that now runs in the background. */
export interface StartedFacts extends TextInput {
  /** The id for the model: the host's own, if it gave a unique one, else `taskId`. */
  id: string;
  /** The sub-agent's id. */
  taskId: string;
  /** The host's own id; undefined if it gave none. */
  hostTaskId: string | undefined;
  /** The sub-agent's name for display; empty if it was forgotten before this. */
  label: string;
}

/** The argument of `completed` and `failed`: a sub-agent that has ended. */
export interface EndedFacts extends StartedFacts {
  /** How it ended. */
  status: TaskStatus;
  /** Why it ended. */
  stopReason: StopReason;
  /** Turns that it took; null if they were not reported. */
  turns: number | null;
  /** Tokens that it took, with its sub-agents; null if they were not reported. */
  tokens: number | null;
  /** Its cost in US dollars, with its sub-agents; null if it was not reported. */
  cost: number | null;
  /** How long it took, in milliseconds; null if it was never started. */
  durationMs: number | null;
  /** Its output, whole and unmarked: a model takes its content for yours. */
  output: string;
  /** The usual text after its first line: output, error and receipts, cut and fenced, then hints; may be empty. */
  fenced: string;
}

/** The argument of `limitReached`: a call that started nothing because others run. */
export interface LimitFacts extends TextInput {
  /** How many run; undefined if the host doesn't report it. */
  active: number | undefined;
  /** The limit; undefined if the host doesn't report it. */
  limit: number | undefined;
}

/** The argument of `refused`: a call that started nothing for another reason. */
export interface RefusedFacts extends TextInput {
  /** Why, in a sentence. */
  reason: string;
}

/** Functions that make texts for the model, each in place of the usual text; each must return a text that is not empty. */
export interface SubAgentTexts {
  /** The sub-agent runs in the background. The text may state the cost of more of them, by the manager's `estimate`. */
  started?: ((given: StartedFacts) => string) | undefined;
  /** The sub-agent has completed. */
  completed?: ((given: EndedFacts) => string) | undefined;
  /** The sub-agent has ended in any other way: see `status`. */
  failed?: ((given: EndedFacts) => string) | undefined;
  /** Nothing was started: the maximum is running. */
  limitReached?: ((given: LimitFacts) => string) | undefined;
  /** Nothing was started: the arguments are wrong, the host or a policy refused, no budget is left. */
  refused?: ((given: RefusedFacts) => string) | undefined;
}

/** Checks the functions. */
export function textsOf(given: unknown): SubAgentTexts {
  const { started, completed, failed, limitReached, refused, ...unknown } = optionsOf(
    '`texts`',
    given as SubAgentTexts,
    'an object such as { refused }',
  );
  noOtherFields('texts', unknown, ['started', 'completed', 'failed', 'limitReached', 'refused']);
  const texts = { started, completed, failed, limitReached, refused };
  for (const [name, text] of Object.entries(texts))
    if (text !== undefined && typeof text !== 'function') throw invalid(`\`texts.${name}\``, 'a function', text);
  return texts;
}

/** The program's text, if it has one that works, else the usual one. */
export function said<Facts extends TextInput>(
  runtime: Core,
  name: keyof SubAgentTexts,
  own: ((given: Facts) => string) | undefined,
  facts: Facts,
): string {
  if (own === undefined) return facts.text;
  try {
    const text: unknown = own(facts);
    if (typeof text === 'string' && text !== '') return text;
    runtime.report(invalid(`what \`texts.${name}\` returns`, 'a text that is not empty', text));
  } catch (error) {
    runtime.report(error);
  }
  return facts.text;
}
