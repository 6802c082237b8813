// Runs that the host carries out elsewhere (X4): `spawnBackgroundSubAgent` starts them, `reportSettled` ends them.
// Owns the match between the host's ids and ours.

import { describe, invalid, messageOf, SubAgentError } from '../base/errors.js';
import { type Key, keyOf, PROGRAM, packed } from '../boundary/key.js';
import type { Returned } from '../boundary/scratch.js';
import { REFUSED } from '../generated/codes.js';
import type { BackgroundStart } from '../options/host-result.js';
import type { ValueCheck } from '../options/schema/schema.js';
import { invalidResult, threw } from '../reading/returned.js';
import type { UnknownNames } from '../reading/unknown-names.js';
import type { RunParts } from './active-run.js';
import { ActiveRun } from './active-run.js';

/** What runs elsewhere need of their manager. */
export interface RemoteParts extends RunParts {
  /** The names in results that were reported. */
  readonly unknownNames: UnknownNames;
  readonly hosts: {
    read(result: unknown): Returned;
    end(active: ActiveRun, returned: Returned): void;
    endOnceChecked(active: ActiveRun, returned: Returned, check: ValueCheck): void;
  };
}

/** How many runs may be elsewhere before the forgotten ones are looked for. */
const SWEEP_AT = 64;

/** A run that has ended, as far as another report of it needs. */
interface Ended extends Key {
  run: number;
}

/** A run that an earlier process began. */
interface LostRun extends Ended {
  /** The last id that the host gave for its task. */
  readonly hostTaskId: string | null;
  /** What was reported of it here. */
  result: unknown;
}

export class RemoteRuns {
  /** Runs that are elsewhere, by the places of their tasks. */
  private readonly open = new Map<number, ActiveRun>();
  /** Runs whose id the host has said, by that id. */
  private readonly named = new Map<string, Set<ActiveRun>>();
  /** Results that came before the host's id was known. */
  private readonly early = new Map<string, unknown>();
  /** Ended runs, by the host's id and by the place of their task: a further report of one comes late. */
  private readonly ended = new Map<string | number, Ended>();
  /** Those that an earlier process began, and which this one knows, by the place of their task (J3). */
  private readonly lost = new Map<number, LostRun>();
  private sweepAt = SWEEP_AT;
  private readonly runtime: RemoteParts;

  constructor(runtime: RemoteParts) {
    this.runtime = runtime;
  }

  /** Has the host start a run; what it throws at once is the caller's to take. */
  start(active: ActiveRun, spawnBackgroundSubAgent: (params: never, run: never) => Promise<BackgroundStart>): void {
    // Listed first: the host may report the result by its own id before it has given us that.
    this.sweep();
    this.list(active);
    let starting: unknown;
    try {
      starting = spawnBackgroundSubAgent(active.params() as never, active.handedRun() as never);
    } catch (error) {
      this.unlist(active);
      throw error;
    }
    const promise = new Promise((resolve) => resolve(starting));
    if (!this.isListed(active)) {
      // The host has disposed the manager, or reported the end at once: no caller is left to learn how its start came out.
      promise.catch(() => undefined);
      return;
    }
    this.runtime.performIf(PROGRAM, { type: 'started_elsewhere', task: active, run: active.run });
    active.expectName();
    this.runtime.alone(
      promise.then(
        (started) => this.started(active, started),
        (error: unknown) => this.end(active, threw(messageOf(error), error)),
      ),
    );
  }

  /** The host has started it, and says by which id it knows it. */
  private started(active: ActiveRun, started: unknown): void {
    const id = hostId(started);
    if (typeof id !== 'string' || id === '') {
      this.end(active, invalidResult(`spawnBackgroundSubAgent must resolve to { taskId }, it resolved to ${describe(started)}`));
      return;
    }
    active.hostTaskId = id;
    if (this.isListed(active)) this.named.set(id, (this.named.get(id) ?? new Set()).add(active));
    active.named?.resolve();
    if (this.runtime.isClosed) return;
    this.runtime.performIf(PROGRAM, { type: 'name_elsewhere', task: active, run: active.run, hostTaskId: id });
    const early = this.early.get(id) ?? this.resultBefore(active, id);
    this.early.delete(id);
    if (early !== undefined) this.end(active, this.runtime.hosts.read(early));
    else this.refuseEarly();
  }

  /**
   * The result that was reported here before the host was asked to start the work again, where that work goes on under the id
   * that it had in an earlier process: the host reports it only once.
   */
  private resultBefore(active: ActiveRun, id: string): unknown {
    const lost = this.lost.get(packed(active));
    return lost?.hostTaskId === id && lost.run < active.run ? lost.result : undefined;
  }

  /** Once every run has its id, a result that came before must have named none of them. */
  private refuseEarly(): void {
    if (this.early.size === 0 || this.isUnnamed()) return;
    const ids = [...this.early.keys()];
    this.early.clear();
    for (const id of ids) this.runtime.report(this.unknown(id));
  }

  private isUnnamed(): boolean {
    return [...this.open.values()].some(({ hostTaskId }) => hostTaskId === undefined);
  }

  /** Takes the result of a run, by our id or the host's own. */
  report(id: unknown, result: unknown): void {
    if (typeof id !== 'string' || id === '') throw invalid('the id', "a task id or the host's own id", id);
    // What is no object is a mistake in the call, and says nothing of how the work has ended.
    if (typeof result !== 'object' || result === null) throw invalid('the result', '{ output, status, usage }', result);
    const found = this.openBy(id);
    if (found.length > 1) throw severalBy(id);
    const [active] = found;
    if (active !== undefined) {
      this.end(active, this.runtime.hosts.read(result));
      return;
    }
    const again = this.endedBy(id) ?? this.lostBy(id, result);
    if (again !== undefined) {
      const { index, generation, run } = again;
      const late = Object.assign(new ActiveRun(this.runtime, undefined), { index, generation, run });
      this.runtime.hosts.end(late, this.runtime.hosts.read(result));
      return;
    }
    // The report may overtake the promise that brings the id.
    if (!this.isUnnamed()) throw this.unknown(id);
    this.early.set(id, result);
  }

  /** The runs that go by this id, the host's or ours. */
  private openBy(id: string): readonly ActiveRun[] {
    const named = [...(this.named.get(id) ?? [])];
    const own = this.open.get(this.placeOf(id));
    return own === undefined || named.includes(own) ? named : [...named, own];
  }

  /** The last run that went by this id and has ended. */
  private endedBy(id: string): Ended | undefined {
    const found = this.ended.get(id) ?? this.ended.get(this.placeOf(id));
    return found !== undefined && this.isKept(found) ? found : undefined;
  }

  /** The last run that an earlier process began at the work with this id, as the journal knows it; `result` is kept for it. */
  private lostBy(id: string, result: unknown): LostRun | undefined {
    if (this.runtime.journal?.goesOn !== true) return undefined;
    const { lookup } = this.runtime;
    const place = this.find(id);
    if (place < 0) {
      const refusal = this.runtime.refusal();
      if (refusal.code === 'ambiguous_nickname') throw severalBy(id);
      return undefined;
    }
    const task = keyOf(place);
    const { taskId, hostTaskId, nickname, background } = lookup.snapshot(task.index, task.generation);
    if (id === taskId ? !background : id === nickname && id !== hostTaskId) return undefined;
    // One that is queued or at work is this process's, and not listed: it is not, or not yet, elsewhere.
    const last = this.runtime.call((core) => core.lastRun(task.index, task.generation));
    const isOpen = this.runtime.call((core) => core.hasRun(task.index, task.generation, last));
    const run = isOpen ? last - 1 : last;
    if (run === 0) return undefined;
    const lost = { ...task, run, hostTaskId, result };
    this.lost.set(place, lost);
    return lost;
  }

  /** Where the task is that the program means by this id or name; below 0 where the core said why there is none. */
  private find(id: string): number {
    const length = this.runtime.write(id.slice(0, 160));
    return this.runtime.call((core) => core.find(0, 0, 0, length));
  }

  /**
   * Where the task with this id of ours is; below 0 where there is none: `REFUSED` where the core said why. The host's ids are
   * matched here, run by run: one that an earlier run went by is not the present run's.
   */
  private placeOf(id: string): number {
    const place = this.find(id);
    if (place < 0) return place;
    const { index, generation } = keyOf(place);
    return this.runtime.lookup.taskId(index, generation) === id ? place : -2;
  }

  private isKept({ index, generation }: Ended): boolean {
    return this.runtime.call((core) => core.lastRun(index, generation)) > 0;
  }

  private unknown(id: string): SubAgentError {
    if (this.placeOf(id) === REFUSED) {
      const refusal = this.runtime.refusal();
      if (refusal.code === 'forgotten') return refusal;
    }
    return new SubAgentError('unknown_task', `no background sub-agent goes by ${describe(id)}`, { id });
  }

  /** Lists a run; an earlier one of its task has ended unreported. */
  private list(active: ActiveRun): void {
    const place = packed(active);
    const before = this.open.get(place);
    if (before !== undefined && this.unlist(before)) this.keepEnded(before);
    this.open.set(place, active);
  }

  private isListed(active: ActiveRun): boolean {
    return this.open.get(packed(active)) === active;
  }

  /** `false` where it is not listed. */
  private unlist(active: ActiveRun): boolean {
    if (!this.isListed(active)) return false;
    this.open.delete(packed(active));
    const { hostTaskId } = active;
    if (hostTaskId !== undefined) {
      const bearers = this.named.get(hostTaskId);
      bearers?.delete(active);
      if (bearers?.size === 0) this.named.delete(hostTaskId);
    }
    return true;
  }

  private keepEnded({ index, generation, run, hostTaskId }: ActiveRun): void {
    const ended = { index, generation, run };
    this.ended.set(packed(ended), ended);
    if (hostTaskId !== undefined) this.ended.set(hostTaskId, ended);
  }

  /** Lets go of everything. */
  clear(): void {
    this.open.clear();
    this.named.clear();
    this.early.clear();
    this.ended.clear();
    this.lost.clear();
  }

  /** Lets go of runs that ended unreported, and of tasks that are forgotten: now and then, all at once. */
  private sweep(): void {
    if (this.open.size + this.ended.size < this.sweepAt) return;
    for (const active of this.open.values()) {
      if (this.runtime.call((core) => core.hasRun(active.index, active.generation, active.run))) continue;
      this.unlist(active);
      this.keepEnded(active);
    }
    for (const [id, ended] of this.ended) {
      if (!this.isKept(ended)) this.ended.delete(id);
    }
    for (const [place, lost] of this.lost) {
      if (!this.isKept(lost)) this.lost.delete(place);
    }
    this.sweepAt = Math.max(SWEEP_AT, (this.open.size + this.ended.size) * 2);
  }

  private end(active: ActiveRun, returned: Returned): void {
    if (!this.unlist(active)) return;
    this.keepEnded(active);
    this.refuseEarly();
    const check = this.runtime.isClosed ? undefined : active.check;
    const named = { ...returned, hostTaskId: returned.hostTaskId ?? active.hostTaskId };
    if (check === undefined) this.runtime.hosts.end(active, named);
    else this.runtime.hosts.endOnceChecked(active, named, check);
  }
}

function severalBy(id: string): SubAgentError {
  return new SubAgentError('invalid_argument', `several sub-agents go by the host id ${describe(id)}: report by task id`, { id });
}

/** The id that a host gave; reading it may throw, and then there is none. */
function hostId(started: unknown): unknown {
  try {
    return (started as Partial<BackgroundStart> | undefined)?.taskId;
  } catch {
    return undefined;
  }
}
