// Runs that the host carries out elsewhere (X4): `spawnBackgroundSubAgent` starts them, `reportSettled` ends them. Owns
// the results that come before the host has given its id. The core knows which run has which id.

import { describe, invalid, messageOf, SubAgentError } from '../base/errors.js';
import { readReportedRun } from '../boundary/generated/lookups-readers.js';
import { type Key, PROGRAM } from '../boundary/key.js';
import type { Returned } from '../boundary/scratch.js';
import type { BackgroundStart } from '../options/host-result.js';
import type { ValueCheck } from '../options/schema/schema.js';
import { invalidResult, threw } from '../reading/returned.js';
import type { UnknownNames } from '../reading/unknown-names.js';
import type { ActiveRun, RunParts } from './active-run.js';

/** The parts of their manager that runs elsewhere need. */
export interface RemoteParts extends RunParts {
  /** The names in results that were reported. */
  readonly unknownNames: UnknownNames;
  readonly hosts: {
    read(result: unknown): Returned;
    end(active: ActiveRun, returned: Returned): void;
    endOnceChecked(active: ActiveRun, returned: Returned, check: ValueCheck): Promise<void> | undefined;
  };
  readonly runs: {
    reported(index: number, generation: number, run: number): ActiveRun;
    activeOf(index: number, generation: number): ActiveRun | undefined;
  };
}

/** A result that came before the host's id was known, and its refusal if no run turns out to have the id. */
interface Early {
  readonly result: unknown;
  readonly refusal: SubAgentError;
}

export class RemoteRuns {
  /** The run that the host is asked to start at this moment. */
  private asked: ActiveRun | undefined = undefined;
  /** Runs whose start the host has neither answered nor reported, by the indexes of their tasks. */
  private readonly starting = new Map<number, ActiveRun>();
  private readonly early = new Map<string, Early>();
  private readonly runtime: RemoteParts;

  constructor(runtime: RemoteParts) {
    this.runtime = runtime;
  }

  /** Has the host start a run. Throws what the host throws at once. */
  start(active: ActiveRun, spawnBackgroundSubAgent: (params: never, run: never) => Promise<BackgroundStart>): void {
    // Listed first: the host may report the result by its own id before it has given us that id.
    this.starting.set(active.index, active);
    active.expectName();
    const outer = this.asked;
    this.asked = active;
    let starting: unknown;
    try {
      starting = spawnBackgroundSubAgent(active.params() as never, active.handedRun() as never);
    } catch (error) {
      this.answered(active);
      throw error;
    } finally {
      this.asked = outer;
    }
    const promise = new Promise((resolve) => resolve(starting));
    this.runtime.alone(
      promise.then(
        (started) => this.started(active, started),
        (error: unknown) => {
          if (this.answered(active)) this.end(active, threw(messageOf(error), error));
        },
      ),
    );
    this.isElsewhere(active);
  }

  private isElsewhere(active: ActiveRun): void {
    if (!this.runtime.isClosed) this.runtime.performIf(PROGRAM, { type: 'started_elsewhere', task: active, run: active.run });
  }

  /** The host has started it, and gives its own id. */
  private started(active: ActiveRun, started: unknown): void {
    const isUnreported = this.answered(active);
    const id = hostId(started);
    if (typeof id !== 'string' || id === '') {
      const invalid = invalidResult(`spawnBackgroundSubAgent must resolve to { taskId }, it resolved to ${describe(started)}`);
      if (isUnreported) this.end(active, invalid);
      return;
    }
    active.hostTaskId = id;
    active.named?.resolve();
    if (this.runtime.isClosed) return;
    this.runtime.performIf(PROGRAM, { type: 'name_elsewhere', task: active, run: active.run, hostTaskId: id });
    const early = this.early.get(id) ?? (active.reported?.hostTaskId === id ? active.reported : undefined);
    this.early.delete(id);
    // Another run may have this id as well. A run that was already reported by our id gets a late result.
    if (early !== undefined && active.hostIsOver) this.report(id, early.result);
    else if (early !== undefined) this.end(active, this.runtime.hosts.read(early.result));
    this.refuseEarly();
  }

  /** Removes a run from `starting`; returns whether it was there. */
  private answered(active: ActiveRun): boolean {
    return this.starting.get(active.index) === active && this.starting.delete(active.index);
  }

  /** Whether the host may still give an id. A start that it never answers counts until its task is forgotten. */
  private lacksIds(): boolean {
    for (const { index, generation } of this.starting.values()) {
      if (this.runtime.call((core) => core.status(index, generation)) < 0) this.starting.delete(index);
    }
    return this.starting.size > 0;
  }

  /** Once every run has its id, refuses the early results: they named none of them. */
  private refuseEarly(): void {
    if (this.early.size === 0 || this.lacksIds()) return;
    const refused = [...this.early.values()];
    this.early.clear();
    for (const { refusal } of refused) this.runtime.report(refusal);
  }

  /** Takes the result of a run, by our id or the host's own. */
  report(id: unknown, result: unknown): void {
    if (typeof id !== 'string' || id === '') throw invalid('the id', "a task id or the host's own id", id);
    // A value that is no object is a mistake in the call, and doesn't tell how the work ended.
    if (typeof result !== 'object' || result === null) throw invalid('the result', '{ output, status, usage }', result);
    if (this.asked?.taskId === id) this.isElsewhere(this.asked);
    const length = this.runtime.write(id);
    const found = this.runtime.viewIf((core) => core.findReported(length), readReportedRun);
    if (found === undefined) {
      const refusal = this.refusal(id);
      if (refusal.code === 'invalid_argument' || !this.lacksIds()) throw refusal;
      // The report may overtake the promise that brings the id.
      this.early.set(id, { result, refusal });
      return;
    }
    const { task, run, isBegunAnew } = found;
    const { index, generation } = task;
    if (isBegunAnew) this.keep(task, id, result);
    const starting = this.starting.get(index);
    const isStarting = starting?.generation === generation && starting.run === run;
    const active = isStarting ? starting : this.runtime.runs.reported(index, generation, run);
    // The first report counts, even while its value is being checked.
    if (active.checking === undefined) this.end(active, this.runtime.hosts.read(result));
    else this.runtime.alone(active.checking.then(() => this.report(id, result)));
  }

  /**
   * Work of an earlier process is started again. If it continues under its old id, the host reports it only once, perhaps
   * before it gives that id.
   */
  private keep({ index, generation }: Key, id: string, result: unknown): void {
    const active = this.runtime.runs.activeOf(index, generation);
    if (active === undefined) return;
    const { taskId, hostTaskId } = this.runtime.lookup.snapshot(index, generation);
    active.reported = { hostTaskId: id === taskId ? hostTaskId : id, result };
  }

  /** Why the core finds no run by this id. */
  private refusal(id: string): SubAgentError {
    const refusal = this.runtime.refusal();
    if (refusal.code === 'forgotten') return refusal;
    if (refusal.code !== 'ambiguous_nickname')
      return new SubAgentError('unknown_task', `no background sub-agent goes by ${describe(id)}`, { id });
    return new SubAgentError('invalid_argument', `several sub-agents go by the host id ${describe(id)}: report by task id`, { id });
  }

  /** Drops everything. */
  clear(): void {
    this.starting.clear();
    this.early.clear();
  }

  private end(active: ActiveRun, returned: Returned): void {
    this.answered(active);
    this.refuseEarly();
    const check = this.runtime.isClosed ? undefined : active.check;
    const named = { ...returned, hostTaskId: returned.hostTaskId ?? active.hostTaskId };
    if (check === undefined) this.runtime.hosts.end(active, named);
    else active.checking = this.runtime.hosts.endOnceChecked(active, named, check);
  }
}

/** The id that a host gave; undefined if reading it throws. */
function hostId(started: unknown): unknown {
  try {
    return (started as Partial<BackgroundStart> | undefined)?.taskId;
  } catch {
    return undefined;
  }
}
