// Ends a call's wait before the end of its sub-agent: by the call's timeout, or by the program's answer to a question.
// Owns both; `answers.ts` and `operations.ts` have the texts.

import { LONGEST_TIMER } from '../base/clock.js';
import type { Actor, Key } from '../boundary/key.js';
import type { Parts } from '../commands/parts.js';
import { send } from '../commands/talk.js';
import { isRefusal } from './answers.js';
import type { ToolCallContext } from './object.js';

/** The time of one call. */
export class CallTime {
  private readonly timer: ReturnType<typeof setTimeout> | undefined;
  private over: AbortController | undefined;
  private isOver = false;

  constructor(ms = Number.POSITIVE_INFINITY, whenOver?: () => void) {
    if (ms > LONGEST_TIMER) return;
    this.timer = setTimeout(() => {
      whenOver?.();
      this.end();
    }, ms);
  }

  /** Fires when the time or the call is over. Made when first read: only a question needs it. */
  get signal(): AbortSignal {
    this.over ??= new AbortController();
    if (this.isOver) this.over.abort();
    return this.over.signal;
  }

  end(): void {
    clearTimeout(this.timer);
    this.isOver = true;
    this.over?.abort();
  }
}

/** Lets a sub-agent continue in the background, if it can. Its waiting callers then get an answer. */
export function moveOn(runtime: Parts, actor: Actor, task: Key): boolean {
  try {
    return !runtime.isClosed && runtime.performIf(actor, { type: 'move_to_background', task }) !== undefined;
  } catch (error) {
    // Called by a timer, which reports it to no caller.
    runtime.report(error);
    return false;
  }
}

/**
 * Has the program answer the open question of a sub-agent, and sends it the answer. Resolves to whether it was answered: false
 * if the program leaves it to the model, or the call's time is over.
 */
export async function answered(
  runtime: Parts,
  actor: Actor,
  { index, generation }: Key,
  { onQuestion, signal }: Pick<ToolCallContext, 'onQuestion' | 'signal'>,
  { signal: over }: CallTime,
): Promise<boolean> {
  const question = runtime.call((core) => core.question(index, generation));
  if (onQuestion === undefined || question === undefined || over.aborted || signal?.aborted) return false;
  const stop = new AbortController();
  const ended = new Promise<undefined>((resolve) => {
    const end = (): void => {
      stop.abort();
      resolve(undefined);
    };
    for (const by of [over, signal]) by?.addEventListener('abort', end, { once: true, signal: stop.signal });
  });
  const { taskId, label } = runtime.lookup.snapshot(index, generation);
  // If the program fails to answer, the question is left to the model.
  const asking = (async () => onQuestion({ taskId, label, question, signal: stop.signal }))().catch(() => undefined);
  const answer = await Promise.race([asking, ended]);
  stop.abort();
  if (typeof answer !== 'string' || !/\S/u.test(answer) || runtime.isClosed) return false;
  try {
    // It may already have been answered, or have ended.
    if (runtime.call((core) => core.question(index, generation)) === question) send(runtime, actor, { index, generation }, answer);
    return true;
  } catch (error) {
    if (isRefusal(error)) return true;
    throw error;
  }
}
