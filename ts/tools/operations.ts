// The model's tools except spawning. They use the public operations of their scope, so a model can do no more than the
// program. Owns the text that a model reads of each; refusals come back as text.

import { now } from '../base/clock.js';
import { modelTextOf, SubAgentError } from '../base/errors.js';
import { listed, quoted } from '../base/quoting.js';
import { counted, headOf } from '../base/text.js';
import { type Actor, type Key, PROGRAM } from '../boundary/key.js';
import { limitOf } from '../boundary/limits.js';
import { many, readKey } from '../boundary/view-bytes.js';
import type { StopOptions } from '../commands/lifecycle.js';
import type { Parts } from '../commands/parts.js';
import { lastRunOf } from '../commands/spawning.js';
import { howToAnswer } from '../commands/talk.js';
import { DEFAULT_WAIT_MS } from '../generated/limits.js';
import { TASK_STATUSES, type TaskStatus } from '../generated/names.js';
import type { TaskRef } from '../options/arguments.js';
import { NOTIFIES, startedText } from '../reading/end-text.js';
import type { MessageMode, MessageReceipt, SendOptions } from '../reading/exchange.js';
import type { CancelledSnapshot, ClosedSnapshot, HandleSnapshot } from '../reading/handle-snapshot.js';
import { reportOfNone, reportText } from '../reading/json-report.js';
import type { PageOptions, ResultPage } from '../reading/pages.js';
import { type EndedRun, type RunResult, resultText } from '../reading/run-result.js';
import { callOf } from '../runs/active-run.js';
import { follow } from '../runs/signals.js';
import type { ListOptions, TaskList, TaskSnapshot, WaitOptions, WaitResult } from '../snapshots/types.js';
import { detailsOf, isRefusal, withModel } from './answers.js';
import { attempted, hintAt, type OperationDetails, type ToolNames } from './attempt.js';
import { answered, CallTime, moveOn } from './bounded.js';
import type { Acting, Operation } from './generated/tools.js';
import type { ToolCallContext } from './object.js';
import { MAX_PAGE } from './parameters.js';
import type { SubAgentDetails } from './tool-options.js';
import { ended, isOpen, leftBy, pageOf, shownName, standing } from './words.js';

/** How many ended sub-agents are listed if there is none to wait for. */
const ENDED_LISTED = 20;

/** The status of a sub-agent after a call about it; it may be forgotten by then. */
function statusOf(runtime: Parts, taskId: string): SubAgentDetails['status'] {
  try {
    return runtime.lookup.seen(taskId).status;
  } catch (error) {
    if (isGone(error)) return 'forgotten';
    throw error;
  }
}

/** Whether something failed because a sub-agent no longer exists. */
function isGone(error: unknown): boolean {
  return error instanceof SubAgentError && (error.code === 'forgotten' || error.code === 'unknown_task');
}

/** Errors of the caller or the manager, not of an id. */
const CALLERS_OWN: readonly string[] = ['actor_ended', 'disposed', 'internal'];

/** What a call that continues a sub-agent gives: its text, and what it knows of the details. */
type Continued = Partial<SubAgentDetails> & Pick<SubAgentDetails, 'taskId' | 'background'> & { text: string };

/** The operations within one scope. */
export class Operations {
  private readonly runtime: Parts;
  private readonly scope: Operated;
  private readonly actor: Actor;
  private readonly names: ToolNames;
  private readonly foregroundMs: number;

  constructor(runtime: Parts, scope: Operated, actor: Actor, names: ToolNames, foregroundMs = Number.POSITIVE_INFINITY) {
    this.foregroundMs = foregroundMs;
    this.runtime = runtime;
    this.scope = scope;
    this.actor = actor;
    this.names = names;
  }

  /** Does one operation. A mistake of the model becomes text; a mistake of the program throws. */
  async call(
    operation: Acting,
    params: Record<string, unknown>,
    context: ToolCallContext,
  ): Promise<{ text: string; details: OperationDetails }> {
    return attempted(this.runtime, operation, this.names, (taskIds) => this[operation](params, context, taskIds));
  }

  /** Runs a call that spawns, but with `body` in place of the spawn. `json`: a refusal is a report. */
  async instead(body: () => Promise<Continued>, background: boolean, json: boolean): Promise<{ text: string; details: SubAgentDetails }> {
    const details: SubAgentDetails = { taskId: '', background, status: 'refused', durationMs: null, turns: null, cost: null };
    try {
      const { text, ...known } = await body();
      const given = { ...details, status: statusOf(this.runtime, known.taskId), ...known };
      return { text, details: withModel(this.runtime, given, known.modelId) };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const text = `Not done: ${modelTextOf(error)}.`;
      return { text: json ? reportText(reportOfNone(null, 'refused', text)) : text, details: withModel(this.runtime, details) };
    }
  }

  private async wait(params: Record<string, unknown>, context: ToolCallContext, taskIds: string[]): Promise<string> {
    const named = (params.targets as string[] | undefined) ?? (params.target === undefined ? [] : [params.target as string]);
    // Models often send an empty list for a parameter that they leave out.
    const given = named.length === 0 ? undefined : named;
    const unknown: string[] = [];
    const targets = new Set<string>();
    for (const id of given ?? this.awaited()) {
      try {
        targets.add(this.scope.get(id).taskId);
      } catch (error) {
        if (!(error instanceof SubAgentError) || CALLERS_OWN.includes(error.code)) throw error;
        unknown.push(id);
      }
    }
    taskIds.push(...targets);
    const missing = unknown.length === 0 ? [] : [`Not there: ${listed(unknown)}.${this.hint('list', ' shows those that are')}`];
    if (targets.size === 0) return [...missing, ...(given === undefined ? [this.nothingToWaitFor()] : [])].join('\n');
    const asked = params.block === false ? 0 : ((params.timeoutMs as number | undefined) ?? DEFAULT_WAIT_MS);
    const timeoutMs = Math.min(asked, this.foregroundMs);
    const result = await this.ends([...targets], params.mode === 'any' ? 'any' : 'all', timeoutMs, context);
    const lines: string[] = result.completed.map((view) => this.shown(view, this.inlineBytes() / result.completed.length));
    const views = result.pending.map((id) => this.runtime.lookup.seen(id));
    const asking = new Set(result.needsInput.map(({ taskId }) => taskId));
    lines.push(...views.filter(({ taskId }) => asking.has(taskId)).map((view) => this.asks(view)));
    const pending = views.filter(({ taskId }) => !asking.has(taskId));
    if (pending.length > 0) {
      const why = result.timedOut && timeoutMs > 0 ? 'Not ended in that time; they continue' : 'Still at work';
      // This wait doesn't report an end that came since then.
      const atWork = pending.map((view): TaskSnapshot => (isOpen(view) ? view : { ...view, status: 'running', stopReason: null }));
      lines.push(`${why}: ${atWork.map((view) => standing(this.runtime, view)).join('; ')}.`);
    }
    if (result.unknown.length > 0) lines.push(`No longer there: ${result.unknown.join(', ')}.`);
    return [...lines, ...missing].join('\n\n');
  }

  /** Waits, and continues to wait while the program answers questions. */
  private async ends(targets: string[], mode: 'all' | 'any', timeoutMs: number, context: ToolCallContext): Promise<WaitResult> {
    const { signal } = context;
    const undelivered = context.onQuestion && new Set(this.awaited());
    const time = new CallTime(timeoutMs);
    const by = now() + timeoutMs;
    try {
      for (;;) {
        const left = Math.max(0, by - now());
        const result = await this.scope.wait(targets, { mode, timeoutMs: left, ...(signal && { signal }) });
        if (undelivered === undefined || timeoutMs === 0) return result;
        // An end that was not delivered before is returned at once, without questions: the next call asks the program.
        if (result.completed.some(({ taskId }) => undelivered.has(taskId))) return { ...result, needsInput: [] };
        let isAnswered = false;
        for (const { taskId } of result.needsInput) {
          isAnswered =
            (await answered(this.runtime, this.actor, this.runtime.lookup.resolve(PROGRAM, taskId), context, time)) || isAnswered;
        }
        if (!isAnswered) return result;
      }
    } finally {
      time.end();
    }
  }

  /** The text if no end is left to deliver: the last ends, and how to read them (W5). */
  private nothingToWaitFor(): string {
    const status = TASK_STATUSES.filter((status) => status !== 'idle' && !isOpen({ status }));
    const { total } = this.scope.list({ filter: { status }, page: { offset: 0, limit: 1 } });
    const none = 'None of your sub-agents is running.';
    if (total === 0) return none;
    const page = { offset: Math.max(0, total - ENDED_LISTED), limit: ENDED_LISTED };
    const lines = this.scope.list({ filter: { status }, page }).items.map((view) => `- ${standing(this.runtime, view)}`);
    const which = total > ENDED_LISTED ? `The last ${ENDED_LISTED} of ${total} that have ended:` : 'These have ended:';
    return [`${none} ${which}`, ...lines, ...(this.names.read === undefined ? [] : [`${this.names.read.name} shows what one left.`])].join(
      '\n',
    );
  }

  private async send(params: Record<string, unknown>, _: ToolCallContext, taskIds: string[]): Promise<string> {
    const mode = (params.mode as MessageMode | undefined) ?? 'queue';
    const { receipt, taskId } = this.scope.send(params.target as string | undefined, params.message as string, { mode });
    taskIds.push(taskId);
    const name = shownName(this.runtime, this.runtime.lookup.seen(taskId));
    switch (receipt) {
      case 'delivered':
        return `${name} has your answer and continues.`;
      case 'started':
        return `${name} works on it.${this.hint('wait', ' collects its answer')}`;
      case 'queued':
        if (mode === 'steer') return `${name} reads it at its next turn.`;
        if (mode === 'interrupt') return `${name} is being stopped, and works on this next.`;
        return this.waits(name);
    }
  }

  private async interrupt(params: Record<string, unknown>, _: ToolCallContext, taskIds: string[]): Promise<string> {
    const before = this.scope.get(params.target as string);
    taskIds.push(before.taskId);
    if (!isOpen(before)) return `There was nothing to interrupt: ${standing(this.runtime, before)}.`;
    await this.scope.interrupt(before.taskId);
    return `Stopped: ${standing(this.runtime, this.runtime.lookup.seen(before.taskId))}.${this.hint('send', ' gives it its next task')}`;
  }

  /**
   * Continues an earlier sub-agent like a call that spawns: with a message instead of a new sub-agent. `json`: its end is a
   * report, and any other text is the output in a report of a running one.
   */
  async continueWith(target: string, message: string, background: boolean, context: ToolCallContext, json: boolean): Promise<Continued> {
    const { signal, notifies } = context;
    if (signal?.aborted === true) {
      const error = new SubAgentError('aborted', 'the call was aborted before it began');
      this.runtime.refusals.report('send', this.actor, target, error);
      throw error;
    }
    const { taskId, receipt } = this.scope.send(target, message);
    const task = this.runtime.lookup.resolve(PROGRAM, taskId);
    const view = this.runtime.lookup.seen(taskId);
    const name = shownName(this.runtime, view);
    const known = view.modelId !== null && { modelId: view.modelId };
    // The notice of another's child goes to that one.
    const isOwn = this.own().some(({ index }) => index === task.index);
    const inBackground = (what: string, comes = isOwn): Continued => {
      const said = `${what}${comes && notifies ? ` ${NOTIFIES}` : ''}${this.hint('wait', ' collects its answer')}`;
      const text = json ? reportText({ ...reportOfNone(taskId, 'running', null), output: said }) : said;
      return { ...known, taskId, background: true, text };
    };
    // The open run belongs to another call. Its end is no answer to this call, which must not collect or cancel it.
    if (receipt === 'queued')
      return inBackground(this.waits(name), isOwn && (background || notifies) && moveOn(this.runtime, this.actor, task));
    // If there is no room for its notice, the call waits.
    if (background && moveOn(this.runtime, this.actor, task)) return inBackground(`${name} works on it.`);
    const active = lastRunOf(this.runtime, task);
    const call = callOf(this.actor, notifies);
    const cancel = (): void => void this.runtime.waits.abortCall(call, active).catch(() => undefined);
    const unfollow = signal === undefined ? undefined : follow(signal, cancel);
    // The run may have begun within `send`, and so may the abort of the call.
    if (signal?.aborted) cancel();
    const time = new CallTime(this.foregroundMs, () => void moveOn(this.runtime, this.actor, active));
    // Moving answers only waits of its parent, for one that is not yet in the background.
    const by = view.background || !isOwn ? now() + this.foregroundMs : Number.POSITIVE_INFINITY;
    try {
      for (;;) {
        try {
          const result = await this.runtime.waits.waitForCall(call, active, Math.max(0, by - now()));
          if (result === undefined || result.backgrounded) return inBackground(startedText(this.runtime.lookup.seen(taskId), false));
          const text = this.resultText(result, active.latest, json ? 'json' : 'text');
          return { ...known, ...detailsOf(this.runtime, active, result, false), text };
        } catch (error) {
          if (!(isRefusal(error) && error.code === 'needs_input')) throw error;
          if (await answered(this.runtime, this.actor, active, context, time)) continue;
          const asks = this.asks(this.runtime.lookup.seen(taskId));
          // It may have ended before this call got the question.
          if (moveOn(this.runtime, this.actor, active)) return inBackground(`${asks} It continues in the background.`);
        }
      }
    } finally {
      time.end();
      unfollow?.();
    }
  }

  /** The text of an end for the call that waited for it. */
  private resultText(result: RunResult, active: EndedRun, format: 'text' | 'json'): string {
    const text = resultText(result, active, format);
    const read = this.names.read?.name;
    const isCut = format === 'text' && this.runtime.write(result.output) > this.inlineBytes();
    return isCut && read !== undefined ? `${text}\n${read} shows what was left out.` : text;
  }

  private waits(name: string): string {
    return `The message waits: ${name} takes it when its current run is over.`;
  }

  private async cancel(params: Record<string, unknown>, _: ToolCallContext, taskIds: string[]): Promise<string> {
    const before = this.scope.get(params.target as string);
    taskIds.push(before.taskId);
    if (!isOpen(before) && before.queueSize === 0) return `There was nothing to cancel: ${standing(this.runtime, before)}.`;
    await this.scope.cancel(before.taskId);
    return `Cancelled: ${standing(this.runtime, this.runtime.lookup.seen(before.taskId))}. Nothing below it runs now.`;
  }

  private async close(params: Record<string, unknown>, _: ToolCallContext, taskIds: string[]): Promise<string> {
    const { taskId } = this.scope.get(params.target as string);
    taskIds.push(taskId);
    const { previousStatus } = await this.scope.close(taskId);
    const name = shownName(this.runtime, this.runtime.lookup.seen(taskId));
    if (previousStatus === 'closed') return `${name} was closed before.`;
    return `${name} is closed; before that it was ${previousStatus}.${this.hint('resume', ' opens it again')}`;
  }

  private async resume(params: Record<string, unknown>, _: ToolCallContext, taskIds: string[]): Promise<string> {
    const before = this.scope.get(params.target as string);
    taskIds.push(before.taskId);
    if (before.status !== 'closed') return `There was nothing to open again: ${standing(this.runtime, before)}.`;
    await this.scope.resume(before.taskId);
    return `${shownName(this.runtime, before)} is open again and idle.${this.hint('send', ' gives it its next task')}`;
  }

  private async list(params: Record<string, unknown>): Promise<string> {
    const { status, offset = 0, limit = MAX_PAGE.agents } = params as { status?: TaskStatus[]; offset?: number; limit?: number };
    const options: ListOptions = { page: { offset, limit } };
    if (status !== undefined && status.length > 0) {
      const unknownName = status.find((name) => !TASK_STATUSES.includes(name));
      if (unknownName !== undefined) return `There is no status '${quoted(unknownName)}'; there are ${TASK_STATUSES.join(', ')}.`;
      options.filter = { status };
    }
    const { items, total } = this.scope.list(options);
    if (items.length === 0) return total === 0 ? 'There are no sub-agents.' : `There are ${total}; from ${offset} on there are none.`;
    const lines = items.map((view) => `- ${standing(this.runtime, view)}${view.depth > 1 ? `, below ${view.parentId}` : ''}`);
    const end = offset + items.length;
    const more = end < total ? [`${end} of ${total} shown; the next begin at ${end}.`] : [];
    return [...lines, ...more].join('\n');
  }

  private async read(params: Record<string, unknown>, _: ToolCallContext, taskIds: string[]): Promise<string> {
    const { target, offset = 0, limit = MAX_PAGE.characters } = params as { target: string; offset?: number; limit?: number };
    const view = this.scope.get(target);
    taskIds.push(view.taskId);
    if (isOpen(view)) return `There is no result yet: ${standing(this.runtime, view)}.${this.hint('wait', ' waits for it')}`;
    if (view.released) return `The result of ${shownName(this.runtime, view)} has been released: it can no longer be read.`;
    const page = view.output === '' ? pageOf(leftBy(view), offset, limit) : this.scope.readResult(view.taskId, { offset, limit });
    // The core would cut a longer text inline: the page ends before that.
    const text = headOf(page.text, this.inlineBytes());
    if (text === '')
      return page.total === 0
        ? `${shownName(this.runtime, view)} left no output.`
        : `The result has ${counted(page.total, 'character')}; from ${offset} on there are none.`;
    const end = offset + [...text].length;
    const more = end < page.total ? ` The next page begins at ${end}.` : '';
    return `${ended(this.runtime, view, text)}\nCharacters ${offset} to ${end} of ${page.total}.${more}`;
  }

  /** The ids of the caller's own children that still work, or whose ends are not delivered: at most one answer's list. */
  private awaited(): string[] {
    return this.own()
      .slice(0, MAX_PAGE.agents)
      .map((task) => this.runtime.lookup.taskId(task.index, task.generation));
  }

  /** All of these, and those whose notices come to the caller because their own parents no longer get any. */
  private own(): Key[] {
    const { index, generation, run } = this.actor;
    return this.runtime.view((core) => core.ownToWaitFor(index, generation, run), many(readKey));
  }

  /** An end, with the part of its text that fits, and how to get the rest. */
  private shown(view: TaskSnapshot, room: number): string {
    if (view.run === 0) return `${standing(this.runtime, view)}: it has had nothing to do.`;
    if (view.released) return `${standing(this.runtime, view)}: its result has been released.`;
    const left = leftBy(view);
    const text = headOf(left, room);
    const said = ended(this.runtime, view, text);
    if (text === left) return said;
    const end = [...text].length;
    return `${said}\nThese are ${end} of ${[...left].length} characters.${this.hint('read', ` gives the rest (offset ${end})`)}`;
  }

  /** One that asks, with its question fenced. */
  private asks(view: TaskSnapshot): string {
    const { index, generation } = this.runtime.lookup.resolve(PROGRAM, view.taskId);
    const question = this.runtime.call((core) => core.questionText(index, generation));
    if (question === undefined) return `${shownName(this.runtime, view)} asked, and already has its answer.`;
    const { send } = this.names;
    return `${question}\n${send === undefined ? 'You have no tool to answer: your program can.' : howToAnswer(send.name)}`;
  }

  /** How much of a result one answer shows. */
  private inlineBytes(): number {
    return limitOf(this.runtime, 'inlineBytes');
  }

  /** A sentence about another tool, if the model has it. */
  private hint(operation: Operation, what: string): string {
    return hintAt(this.names, operation, what);
  }
}

export interface Operated {
  get(target: TaskRef): TaskSnapshot;
  list(options?: ListOptions): TaskList;
  send(target: TaskRef | undefined, message: string, options?: SendOptions): MessageReceipt;
  wait(targets?: readonly TaskRef[], options?: WaitOptions): Promise<WaitResult>;
  interrupt(target?: TaskRef): Promise<void>;
  cancel(target?: TaskRef, options?: StopOptions): Promise<CancelledSnapshot>;
  close(target: TaskRef, options?: StopOptions): Promise<ClosedSnapshot>;
  resume(target: TaskRef): Promise<HandleSnapshot>;
  readResult(target: TaskRef, options?: PageOptions): ResultPage;
}
