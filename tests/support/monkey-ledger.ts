// The ledger: what a listener makes of a manager's events alone. Where each task stands, how each run ended, which
// notices there are. What the manager says of itself is held against it.

import type { Notice, RunResult, SubAgentEvent, TaskSnapshot, TaskStatus } from '../../dist/index.js';

type Used = Ended['usage'];
type Ended = Extract<SubAgentEvent, { type: 'run_ended' }>;

export const keyOfRun = (taskId: string, run: number): string => `${taskId}/${run}`;

interface NoticeEntry {
  made: number;
  acks: number;
  acked: boolean;
}

export class Ledger {
  readonly kinds = new Map<string, number>();
  readonly status = new Map<string, TaskStatus>();
  readonly ends = new Map<string, Ended>();
  /** Runs whose host function returned after their end, or was given up, or that were reported again: what they used may change. */
  readonly late = new Set<string>();
  readonly notices = new Map<string, NoticeEntry>();
  /** Tasks that stand as their last run left them: not closed, reopened or ended since. */
  /** What was spent, by what each run has used. */
  readonly spent = { tokens: 0, costUsd: 0, turns: 0 };
  readonly #asLeft = new Set<string>();
  readonly #used = new Map<string, Used>();
  readonly #released = new Set<string>();
  readonly #background = new Set<string>();
  readonly #endedInBackground: string[] = [];
  readonly #fault: (text: string) => void;
  #seq: number | undefined;

  constructor(fault: (text: string) => void) {
    this.#fault = fault;
  }

  take(event: SubAgentEvent): void {
    this.kinds.set(event.type, (this.kinds.get(event.type) ?? 0) + 1);
    if (this.#seq !== undefined && event.seq !== this.#seq + 1) this.#fault(`event ${event.type} has seq ${event.seq} after ${this.#seq}`);
    this.#seq = event.seq;
    const taskId = 'taskId' in event ? (event.taskId as string) : '';
    if (['task_ended', 'task_resumed'].includes(event.type)) this.#asLeft.delete(taskId);
    switch (event.type) {
      case 'task_admitted':
        this.status.set(taskId, event.first !== null ? 'pending' : 'idle');
        if (event.background) this.#background.add(taskId);
        break;
      case 'task_backgrounded':
        this.#background.add(taskId);
        break;
      case 'run_queued':
        this.status.set(taskId, 'pending');
        break;
      case 'run_started':
        this.status.set(taskId, 'running');
        break;
      case 'run_ended':
        this.#ended(taskId, event);
        break;
      case 'task_ended':
        this.status.set(taskId, event.status);
        break;
      case 'task_resumed':
        this.status.set(taskId, 'idle');
        break;
      case 'task_forgotten':
        this.status.delete(taskId);
        break;
      case 'turn_started':
        if (event.run > 0) this.#use(keyOfRun(taskId, event.run), undefined);
        break;
      case 'run_reported':
        if (event.run > 0) this.#use(keyOfRun(taskId, event.run), event.usage);
        break;
      case 'run_returned':
      case 'run_retried':
        this.#use(keyOfRun(taskId, event.run), event.usage);
        break;
      case 'host_returned':
      case 'host_abandoned':
        this.late.add(keyOfRun(taskId, event.run));
        if (event.usage !== null) this.#use(keyOfRun(taskId, event.run), event.usage);
        break;
      case 'result_released':
        this.#released.add(taskId);
        break;
      case 'notice_moved': {
        if (event.delivery !== 'acked') break;
        const entry = this.notices.get(keyOfRun(taskId, event.run));
        if (entry === undefined) this.#fault(`a notice that was not made is acknowledged`);
        else if (entry.acked) this.#fault('a notice is acknowledged twice');
        else {
          entry.acks += 1;
          entry.acked = true;
        }
        break;
      }
      default:
    }
  }

  /** Takes what a run has used in all; where nothing is said, a turn more. */
  #use(key: string, usage: Used | undefined): void {
    const before = this.#used.get(key) ?? { tokens: 0, costUsd: 0, turns: 0 };
    const now = usage ?? { ...before, turns: before.turns + 1 };
    for (const unit of ['tokens', 'costUsd', 'turns'] as const) {
      if (now[unit] < before[unit]) this.#fault(`a run has used ${now[unit]} ${unit}, after ${before[unit]}`);
      this.spent[unit] += now[unit] - before[unit];
    }
    this.#used.set(key, now);
    if (this.ends.has(key)) this.late.add(key);
  }

  #ended(taskId: string, event: Ended): void {
    const key = keyOfRun(taskId, event.run);
    this.#use(key, event.usage);
    if (this.ends.has(key)) this.#fault('a run ended twice');
    this.ends.set(key, event);
    if (this.#background.has(taskId)) this.#endedInBackground.push(key);
    this.status.set(taskId, event.status);
    this.#asLeft.add(taskId);
    if (event.notice !== null) this.#made(key, event.notice.acked);
  }

  #made(key: string, acked: boolean): void {
    if (this.notices.has(key)) this.#fault('a second notice of one end');
    if (!this.ends.has(key)) this.#fault('a notice of a run that has not ended');
    this.notices.set(key, { made: 1, acks: 0, acked });
  }

  /** Ends of background runs without a notice. */
  withoutNotice(): string[] {
    return this.#endedInBackground.filter((key) => !this.notices.has(key));
  }

  /** Where the manager's word on a task differs. */
  checkTask(view: TaskSnapshot): void {
    const known = this.status.get(view.taskId);
    if (known !== view.status) this.#fault(`by its events a task is ${known}, by its snapshot ${view.status}`);
    if (view.run > 0 && view.status !== 'running' && view.status !== 'pending')
      this.#check('snapshot', view.taskId, view.run, view, view.released);
  }

  checkResult(result: RunResult): void {
    if (result.backgrounded || result.run === 0) return;
    this.#check('result', result.taskId, result.run, result, false);
  }

  checkNotice(notice: Notice): void {
    this.#check('notice', notice.taskId, notice.run, notice, false);
    if (!this.notices.has(keyOfRun(notice.taskId, notice.run))) this.#fault('a notice without the event that it was made');
  }

  #check(
    what: string,
    taskId: string,
    run: number,
    reported: Pick<TaskSnapshot, 'status' | 'output' | 'partial' | 'truncated'> & {
      stopReason: string | null;
      error?: string | null | undefined;
    },
    released: boolean,
  ): void {
    const end = this.ends.get(keyOfRun(taskId, run));
    if (end === undefined) {
      this.#fault(`a ${what} of a run that has not ended`);
      return;
    }
    const expect = (name: string, got: unknown, wanted: unknown): void => {
      if (got !== wanted)
        this.#fault(
          `the ${name} of a ${what} is ${JSON.stringify(got)}, by its event ${JSON.stringify(wanted)} (${end.status}, ${end.stopReason})`,
        );
    };
    if (this.#asLeft.has(taskId)) {
      expect('status', reported.status, end.status);
      expect('stop reason', reported.stopReason, end.stopReason);
    }
    expect('partial', reported.partial, end.partial);
    expect('truncated', reported.truncated, end.cut);
    if (!released && !(reported.output === '' && this.#released.has(taskId))) expect('output', reported.output, end.output);
    // Where nothing is retained, a policy's reason is reported as the policy gave it, whatever is retained of it.
    if (end.stopReason !== 'policy' || end.error === null || reported.error?.startsWith(end.error) !== true)
      expect('error', reported.error ?? null, end.error);
  }
}
