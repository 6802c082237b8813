// Copies of the ends that a wait for several gets. An awaited end counts as collected, and retention may remove it
// before the last one comes (L8). Owns these copies, no longer than their wait.

import { now } from '../base/clock.js';
import { instantOf } from '../boundary/core.js';
import type { WaitedFor } from '../boundary/generated/commands.js';
import type { LastRun } from '../boundary/generated/lookups.js';
import { readLastRun } from '../boundary/generated/lookups-readers.js';
import type { Key } from '../boundary/key.js';
import { limitOf } from '../boundary/limits.js';
import { many, optional } from '../boundary/view-bytes.js';
import type { Reading } from '../reading/lookup.js';
import type { RunResult } from '../reading/run-result.js';
import { readTaskSnapshot } from '../snapshots/generated/task-readers.js';
import type { TaskSnapshot, WaitResult } from '../snapshots/types.js';

/** One target of a wait: its awaited run, and a snapshot of the sub-agent at the end of that run. */
export interface WaitSnapshot {
  readonly index: number;
  readonly generation: number;
  /** If it is retried, the number of the next attempt. */
  run: number;
  /** The sub-agent at the beginning of the wait, if its end may be forgotten before it can be read. */
  begun?: TaskSnapshot | undefined;
  ended?: TaskSnapshot | undefined;
}

/** The parts of its manager that these copies need. */
interface WaitSnapshotsParts extends Reading {
  readonly journal: { readonly isSync: boolean } | undefined;
}

export class WaitSnapshots {
  private readonly runtime: WaitSnapshotsParts;
  private readonly open = new Map<number, WaitSnapshot[]>();
  private readonly places = new WeakMap<TaskSnapshot, WaitSnapshot>();

  constructor(runtime: WaitSnapshotsParts) {
    this.runtime = runtime;
  }

  /** Tracks the last runs of these tasks. Reads one that is over at once: waiting for it collects it. */
  takeAll(targets: readonly Key[]): WaitSnapshot[] {
    // If more ends than `retain` are collected together, the step of the last end forgets some. In `sync`, any end may be
    // forgotten before it is delivered.
    const hasty = this.runtime.journal?.isSync === true || limitOf(this.runtime, 'retain') < targets.length;
    const pairs = pairsOf(targets);
    const over: WaitSnapshot[] = [];
    const runs = this.runtime.view((core) => core.lastRuns(pairs), many(readLastRun));
    const waitSnapshots = targets.map(({ index, generation }, at): WaitSnapshot => {
      const { run, isOpen } = runs[at] as LastRun;
      const waited: WaitSnapshot = { index, generation, run, begun: undefined, ended: undefined };
      if (isOpen) this.keep(waited);
      else over.push(waited);
      return waited;
    });
    for (const waited of over) waited.ended = this.read(waited);
    if (hasty) for (const waited of waitSnapshots) waited.begun ??= waited.ended ?? this.read(waited);
    return waitSnapshots;
  }

  private keep(waited: WaitSnapshot): WaitSnapshot {
    const { index } = waited;
    const known = this.open.get(index);
    if (known === undefined) this.open.set(index, [waited]);
    else known.push(waited);
    return waited;
  }

  /** Whether a run of the task at this index is tracked. */
  has(index: number): boolean {
    return this.open.has(index);
  }

  /** A run has ended. */
  ended(index: number, generation: number, run: number, result: RunResult): void {
    if (this.open.size === 0) return;
    const waitSnapshots = this.open.get(index);
    if (waitSnapshots === undefined) return;
    // Another task may have its index now.
    for (const waited of waitSnapshots)
      if (waited.run === run && waited.generation === generation) waited.ended = this.asEnded(waited, result);
  }

  /** A run is retried under the next number. */
  retried(index: number, generation: number, run: number): void {
    for (const waited of this.open.get(index) ?? []) if (waited.run === run && waited.generation === generation) waited.run += 1;
  }

  /** The end of an awaited run, even if its task is already forgotten or at its next run. */
  private asEnded(waited: WaitSnapshot, result: RunResult): TaskSnapshot | undefined {
    const view = this.read(waited);
    if (view?.run === waited.run) return view;
    const before = waited.begun ?? view;
    return before && this.kept(waited, { ...before, ...endOf(waited, result, instantOf(this.runtime)) });
  }

  /** The wait is over. */
  release(waitSnapshots: readonly WaitSnapshot[]): void {
    for (const waited of waitSnapshots) {
      const others = this.open.get(waited.index)?.filter((other) => other !== waited);
      if (others === undefined) continue;
      if (others.length === 0) this.open.delete(waited.index);
      else this.open.set(waited.index, others);
    }
  }

  /**
   * Makes a wait's result from the core's state of each target. An ended target gives the end of its awaited run or, if the
   * wait was until it is `idle`, of its last run. A forgotten one gives its id alone.
   */
  resultOf(
    waitSnapshots: readonly WaitSnapshot[],
    targets: readonly WaitedFor[],
    { idle, ids, timedOut }: { idle: boolean; ids: readonly string[] | undefined; timedOut: boolean },
  ): WaitResult {
    const over = waitSnapshots.filter((_, at) => targets[at]?.state === 'ended');
    const pairs = pairsOf(over);
    const found = this.runtime.view((core) => core.getMany(pairs, now()), many(optional(readTaskSnapshot)));
    const views = new Map(over.map((waited, at) => [waited, found[at]]));
    const result: WaitResult = { completed: [], pending: [], unknown: [], timedOut, needsInput: [] };
    waitSnapshots.forEach((waited, at) => {
      const { state, question } = targets[at] ?? PENDING;
      const given = ids?.[at];
      // A given target may be a nickname.
      const id = given?.startsWith('sub_') ? given : this.runtime.lookup.taskId(waited.index, waited.generation);
      const view = state === 'ended' ? this.endOf(waited, idle, views.get(waited)) : undefined;
      if (view !== undefined) result.completed.push(view);
      else (state === 'ended' ? result.unknown : result.pending).push(id);
      if (question !== undefined) result.needsInput.push({ taskId: id, question });
      if (state === 'moved') result.movedToBackground = [...(result.movedToBackground ?? []), id];
    });
    return result;
  }

  private endOf(waited: WaitSnapshot, idle: boolean, view: TaskSnapshot | undefined): TaskSnapshot | undefined {
    const end = idle || view?.run === waited.run ? (view ?? waited.ended) : (waited.ended ?? view);
    return end && this.kept(waited, end);
  }

  private read(waited: WaitSnapshot): TaskSnapshot | undefined {
    const { index, generation } = waited;
    const view = this.runtime.lookup.snapshotIf(index, generation);
    return view && this.kept(waited, view);
  }

  private kept(waited: WaitSnapshot, snapshot: TaskSnapshot): TaskSnapshot {
    this.places.set(snapshot, waited);
    return snapshot;
  }

  /** The place of a snapshot's sub-agent, if the snapshot was read here: the id of a forgotten one finds nothing. */
  placeOf(snapshot: TaskSnapshot): WaitSnapshot | undefined {
    return this.places.get(snapshot);
  }
}

/** The index and generation of each, in turn. */
export function pairsOf(places: readonly Key[]): Uint32Array {
  const pairs = new Uint32Array(2 * places.length);
  let at = 0;
  for (const { index, generation } of places) {
    pairs[at++] = index;
    pairs[at++] = generation;
  }
  return pairs;
}

const PENDING: WaitedFor = { state: 'pending', question: undefined };

/** The fields of a snapshot that a run's result gives. */
function endOf({ run, begun }: WaitSnapshot, result: RunResult, endedAt: number): Partial<TaskSnapshot> {
  const { success: _success, backgrounded: _backgrounded, started, artifacts, ...fields } = result;
  const { durationMs, usage } = fields;
  const startedAt = started ? (begun?.startedAt ?? endedAt - durationMs) : null;
  return {
    ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? null])),
    run,
    startedAt,
    endedAt,
    updatedAt: endedAt,
    parked: null,
    question: null,
    turns: usage.turns,
    artifacts: [...artifacts],
  };
}
