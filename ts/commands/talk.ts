// Messages, interrupts and questions: checks arguments, asks the core, and turns its numbers into receipts and
// answers. Owns the names of modes and receipts; decides nothing.

import { invalid, SubAgentError } from '../base/errors.js';
import { wellFormed } from '../base/text.js';
import type { SentReply } from '../boundary/generated/commands.js';
import { type Actor, type Key, keyOf } from '../boundary/key.js';
import { MESSAGE_MODES } from '../generated/names.js';
import { graceOf, knownOptions, readArgument, textOf } from '../options/arguments.js';
import { duration } from '../options/values.js';
import type { AskAnswer, MessageMode, MessageReceipt, SendOptions } from '../reading/exchange.js';
import type { ActiveRun } from '../runs/active-run.js';
import { unanswered } from '../runs/questions.js';
import type { Parts } from './parts.js';

/** The task that a caller means: the one with this id, else the caller's open child that changed last. */
export function targetOf(runtime: Parts, actor: Actor, target: unknown, purpose = 'speak to'): Key {
  if (target !== undefined) return runtime.lookup.resolve(actor, target);
  runtime.ask((core) => core.speaks(actor.index, actor.generation, actor.run));
  const packed = runtime.call((core) => core.openChild(actor.index, actor.generation, actor.run));
  if (packed < 0) throw new SubAgentError('unknown_task', `there is no open sub-agent to ${purpose}: spawn one, or name one`);
  return keyOf(packed);
}

/** Sends a message; throws if it is refused. */
export function send(runtime: Parts, actor: Actor, target: Key, message: unknown, options?: SendOptions): MessageReceipt {
  return reportingRefusals(runtime, actor, target, () => sent(runtime, actor, target, message, options));
}

/** Reports a message if it is refused. */
function reportingRefusals<T>(runtime: Parts, actor: Actor, target: Key, body: () => T): T {
  try {
    return body();
  } catch (error) {
    runtime.refusals.report('send', actor, () => runtime.lookup.taskId(target.index, target.generation), error);
    throw error;
  }
}

/** The error of a call without a message; `call` is the beginning of a right call. */
export function noMessage(call: string, got: unknown): SubAgentError {
  return invalid('`message`', `a text, as in \`${call}'go on')\``, got);
}

function sent(runtime: Parts, actor: Actor, target: Key, message: unknown, options?: SendOptions): MessageReceipt {
  runtime.check();
  if (typeof message !== 'string') throw noMessage('handle.send(', message);
  const text = textOf('`message`', message);
  const mode = options === undefined ? 'queue' : readArgument('the options of send', () => modeOf(options));
  const { index, generation } = target;
  const { receipt } = runtime.command(actor, { type: 'send', task: target, mode, text: wellFormed(text) }) as SentReply;
  // An answer to a question is no message of its own.
  if (receipt !== 'delivered' && runtime.contexts.matter)
    runtime.contexts.sent(
      index,
      generation,
      runtime.call((core) => core.lastMessage()),
    );
  runtime.dispatch();
  if (mode === 'steer') runtime.runs.steered(target);
  runtime.expectSound();
  return { receipt, taskId: runtime.lookup.taskId(index, generation) };
}

function modeOf(options: SendOptions): MessageMode {
  const { mode = 'queue' } = knownOptions('send', options, ['mode']);
  if (!MESSAGE_MODES.includes(mode)) throw invalid('`mode`', `one of ${MESSAGE_MODES.join(', ')}`, mode);
  return mode;
}

/** Stops the run of a task; resolves when it and its foreground sub-agents have ended. */
export function interrupt(runtime: Parts, actor: Actor, target: Key, options?: { graceMs?: number | undefined }): Promise<void> {
  const graceMs = graceOf(options, 'interrupt');
  return runtime.waits.stop(actor, { type: 'interrupt', task: target, graceMs }).then(() => undefined);
}

/** Asks a question for a run. The promise settles once: by the answer, by its timeout, or with the run. */
export async function ask(active: ActiveRun, question: unknown, options?: { timeoutMs?: number | undefined }): Promise<AskAnswer> {
  const { runtime } = active;
  runtime.check();
  if (typeof question !== 'string') throw invalid('`question`', "a text, as in `ask('Which file?')`", question);
  const text = textOf('`question`', question);
  const timeoutMs = options === undefined ? undefined : readArgument('the options of ask', () => askTimeoutOf(options));
  const reply = runtime.command(active, { type: 'ask', question: wellFormed(text), timeoutMs });
  const answered = new Promise<AskAnswer>((resolve, reject) => {
    if (reply.type !== 'unanswered') active.asking = { resolve, reject };
    else resolve(reply.stopped ? unanswered(active) : { answered: false, reason: 'cannot_answer' });
  });
  runtime.dispatch();
  return answered;
}

function askTimeoutOf(options: { timeoutMs?: number | undefined }): number | undefined {
  const { timeoutMs } = knownOptions('ask', options, ['timeoutMs']);
  return duration('`timeoutMs`', timeoutMs);
}

/** The text after a question for a model: how to answer it. */
export function howToAnswer(tool: string | undefined): string {
  return tool === undefined ? 'Send it a message to answer.' : `${tool} answers it.`;
}
