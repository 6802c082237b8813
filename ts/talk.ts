// Messages, interrupts and questions on TypeScript's side: what callers hand in is checked, the core is asked,
// its numbers become receipts and answers. Owns the names of modes and receipts; decides nothing.

import { graceOf, noOtherOptions, optionsOf, readArgument, saidTwice, textOf } from './arguments.js';
import { now } from './clock.js';
import { invalid, SubAgentError } from './errors.js';
import type { AskAnswer, InputOptions, InputSnapshot, MessageMode, MessageReceipt, SendOptions } from './exchange.js';
import { TASK_CHARS } from './generated/quoting.js';
import { handleSnapshot } from './handle-snapshot.js';
import { type Actor, type Key, keyOf } from './key.js';
import { quiet } from './lifecycle.js';
import type { Live } from './live.js';
import { quoted } from './quoting.js';
import { wellFormed } from './result.js';
import type { Runtime } from './runtime.js';
import { duration } from './spawn-options.js';

/** By the core's number. */
const MODES: readonly MessageMode[] = ['queue', 'steer', 'interrupt'];
const RECEIPTS = ['queued', 'started', 'delivered'] as const;
const UNANSWERED = ['timeout', 'stopped'] as const;

/** The task that a caller means: the one with this id, else its open child that changed last. */
export function targetOf(runtime: Runtime, actor: Actor, id: unknown, purpose = 'speak to'): Key {
  if (id !== undefined && id !== null) return runtime.lookup.resolve(actor, id);
  runtime.ask((core) => core.speaks(actor.slot, actor.generation, actor.run));
  const packed = runtime.call((core) => core.openChild(actor.slot, actor.generation, actor.run));
  if (packed < 0) throw new SubAgentError('unknown_task', `there is no open sub-agent to ${purpose}: spawn one, or name one`);
  return keyOf(packed);
}

/** Sends a message; throws where it is refused. */
export function send(runtime: Runtime, actor: Actor, target: Key, message: unknown, options?: SendOptions): MessageReceipt {
  runtime.check();
  const text = textOf('`message`', message);
  const mode = options === undefined ? 0 : readArgument('the options of send', () => modeOf(options));
  const { slot, generation } = target;
  const length = runtime.write(wellFormed(text));
  const code = runtime.call((core) => core.send(now(), actor.slot, actor.generation, actor.run, slot, generation, mode, length));
  const receipt = RECEIPTS[code];
  if (receipt === undefined) throw runtime.refusal();
  runtime.hosts.keepAwake();
  return { receipt, taskId: runtime.lookup.taskId(slot, generation) };
}

function modeOf(options: SendOptions): number {
  const { mode = 'queue', ...unknown } = optionsOf('the options of send', options);
  noOtherOptions('send', unknown);
  const number = MODES.indexOf(mode);
  if (number === -1) throw invalid('`mode`', `one of ${MODES.join(', ')}`, mode);
  return number;
}

/** `send` under the name and with the options of the handle style: gives the snapshot, with the receipt. */
export function sendInput(runtime: Runtime, actor: Actor, target: Key, message: unknown, options: InputOptions = {}): InputSnapshot {
  const { text, mode } = readArgument('the options of sendInput', () => inputOf(message, options));
  const { receipt } = send(runtime, actor, target, text, { mode });
  return { ...handleSnapshot(runtime, actor, target), receipt };
}

function inputOf(message: unknown, options: InputOptions): { text: unknown; mode: MessageMode } {
  const { taskDescription, task_description, interrupt = false, ...unknown } = optionsOf('the options of sendInput', options);
  noOtherOptions('sendInput', unknown);
  if (typeof interrupt !== 'boolean') throw invalid('`interrupt`', 'a boolean', interrupt);
  const [text, other] = [message, taskDescription, task_description].filter((given) => given !== undefined);
  if (other !== undefined) throw saidTwice('`message`, `taskDescription` and `task_description`', 'message');
  return { text, mode: interrupt ? 'interrupt' : 'queue' };
}

/** Stops the run of a task; resolves when it and its foreground sub-agents have ended. */
export function interrupt(runtime: Runtime, actor: Actor, target: Key, options?: { graceMs?: number | undefined }): Promise<void> {
  const graceMs = graceOf(options, 'interrupt');
  const { slot, generation } = target;
  return quiet(
    runtime.waits
      .settled((core) => core.interrupt(now(), actor.slot, actor.generation, actor.run, slot, generation, graceMs))
      .then(() => undefined),
  );
}

/** Asks in the name of a run; the promise settles once, by the answer, by its time, or with the run. */
export async function ask(live: Live, question: unknown, options?: { timeoutMs?: number | undefined }): Promise<AskAnswer> {
  const { runtime, slot, generation, run } = live;
  runtime.check();
  const text = textOf('`question`', question);
  const timeoutMs = options === undefined ? Number.NaN : readArgument('the options of ask', () => askTimeoutOf(options));
  const length = runtime.write(wellFormed(text));
  const before = live.asking;
  return new Promise<AskAnswer>((resolve, reject) => {
    // Whoever listens may answer before the call has returned.
    live.asking ??= { resolve, reject };
    const code = runtime.call((core) => core.ask(now(), slot, generation, run, timeoutMs, length));
    if (code === 0) return;
    live.asking = before;
    if (code < 0) reject(runtime.refusal());
    else resolve({ answered: false, reason: code === 1 ? 'cannot_answer' : 'stopped' });
  });
}

function askTimeoutOf(options: { timeoutMs?: number | undefined }): number {
  const { timeoutMs, ...unknown } = optionsOf('the options of ask', options);
  noOtherOptions('ask', unknown);
  return duration('`timeoutMs`', timeoutMs) ?? Number.NaN;
}

/** The core says how a question ended. */
export function askDone(live: Live, end: number, answer: string): void {
  const { asking } = live;
  live.asking = undefined;
  if (asking === undefined) return;
  asking.resolve(end === 0 ? { answered: true, answer } : { answered: false, reason: UNANSWERED[end - 1] ?? 'stopped' });
}

/** What a model is told to do about a question, after its text. */
export function howToAnswer(tool: string | undefined): string {
  return tool === undefined ? 'Send it a message to answer.' : `${tool} answers it.`;
}

/** A wait for one ended without a result: it asks. */
export function needsInput(runtime: Runtime, slot: number, generation: number): SubAgentError {
  const question = runtime.call((core) => core.question(slot, generation));
  const taskId = runtime.lookup.taskId(slot, generation);
  const said = `the sub-agent ${taskId} asks and waits for a message`;
  return new SubAgentError('needs_input', question === undefined ? said : `${said}: '${quoted(question, TASK_CHARS)}'`, {
    taskId,
    question: question ?? null,
  });
}
