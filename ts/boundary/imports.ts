// The functions that the wasm module calls. Each finds its manager by number. Owns the table of managers, which holds
// them weakly: an unused manager can be collected.

import type { Alarm } from '../base/alarm.js';
import { withinCore } from '../base/errors.js';
import { Collected, type Weak, weakly } from '../base/weak.js';

/** The type of a core's call without its first argument, the manager's number. */
type ManagerCall<Call> = Call extends (host: number, ...rest: infer Rest) => infer Returned ? (...rest: Rest) => Returned : never;

/** One manager, as its core calls it. */
export interface Called {
  readonly host: number;
  /** The instance with its core. */
  readonly instance: object;
  readonly door: ManagerRef;
  readonly runs: {
    startRun: ManagerCall<typeof startRun>;
    abortRun: ManagerCall<typeof abortRun>;
    turnReady: ManagerCall<typeof turnReady>;
    runEnded: ManagerCall<typeof runEnded>;
    batchDelivered: ManagerCall<typeof batchDelivered>;
  };
  readonly waits: { done: ManagerCall<typeof waitDone> };
  readonly listeners: { facts: ManagerCall<typeof facts> };
  readonly sessionData: { taskForgotten(index: number, generation: number): void };
  readonly resources: { taskGone(): void };
  readonly contexts: { taskGone(index: number, generation: number): void };
  readonly signals: { taskGone(index: number, generation: number): void };
  /** Carries out the effect at this address. */
  effect(at: number): void;
  /** Reports the last refusal to `onError`. */
  reportRefusal(): void;
  wakeAt(at: number): void;
  /** Asks the host's gate. Returns `true`, or the reason for a refusal. */
  consumerGate(params: unknown): boolean | string;
  makeTool(described: unknown, make: ((described: unknown) => unknown) | undefined): unknown;
  /** Ends the manager after a trap in its instance. */
  poison(trap: unknown): unknown;
}

/**
 * The table's weak references point to this object, not to the manager. Reading a weak reference retains its target until the
 * current job ends. A loop that makes and disposes managers may be one job. Once shut, this object retains no manager.
 */
export class ManagerRef {
  private manager: Called | undefined;

  constructor(runtime: Called) {
    this.manager = runtime;
  }

  get runtime(): Called | undefined {
    return this.manager;
  }

  shut(): void {
    this.manager = undefined;
  }
}

const hosts: (Weak<ManagerRef> | undefined)[] = [];
const free: number[] = [];
/** Watches managers that were not disposed: after their collection, their numbers are free again and their timers stop. */
let collected: Collected<{ host: number; alarm: Alarm }> | undefined;
let current: Called | undefined;

/** Registers a manager and returns its number. */
export function attach(runtime: Called, door: ManagerRef, alarm: Alarm): number {
  const host = free.pop() ?? hosts.length;
  hosts[host] = weakly(door);
  collected ??= new Collected(({ host, alarm }) => {
    alarm.stop();
    detach(host);
  });
  collected.watch(runtime, { host, alarm });
  return host;
}

/** Removes a disposed manager from the table. */
export function release(runtime: Called): void {
  collected?.unwatch(runtime);
  runtime.door.shut();
  detach(runtime.host);
}

function detach(host: number): void {
  if (hosts[host] === undefined) return;
  hosts[host] = undefined;
  free.push(host);
}

/** The managers whose cores live in this instance. */
export function livingIn(instance: object): Called[] {
  return hosts.flatMap((door) => door?.deref()?.runtime ?? []).filter((runtime) => runtime.instance === instance);
}

/** Notes a call into the core of `runtime`, by any part of it. Returns the manager noted before, for `leave`. */
export function enter(runtime: object): Called | undefined {
  const outer = current;
  current = runtime as Called;
  withinCore(true);
  return outer;
}

export function leave(outer: Called | undefined): void {
  current = outer;
  if (outer === undefined) withinCore(false);
}

/** Whether a call of some core is running. */
export function isInside(): boolean {
  return current !== undefined;
}

function find(host: number): Called | undefined {
  return current !== undefined && current.host === host ? current : hosts[host]?.deref()?.runtime;
}

export function startRun(host: number, index: number, generation: number, run: number, knowsTools: boolean): void {
  find(host)?.runs.startRun(index, generation, run, knowsTools);
}

export function abortRun(host: number, index: number, generation: number, run: number, reason: number): void {
  find(host)?.runs.abortRun(index, generation, run, reason);
}

/** Returns whether a callback is put off until the whole batch is delivered: `batchDelivered` calls it. */
export function turnReady(host: number, index: number, generation: number, run: number): boolean {
  return find(host)?.runs.turnReady(index, generation, run) === true;
}

/** Drops the data of a task that was closed or forgotten. */
export function taskGone(host: number, index: number, generation: number, forgotten: boolean): void {
  const runtime = find(host);
  if (forgotten) runtime?.sessionData.taskForgotten(index, generation);
  runtime?.resources.taskGone();
  runtime?.contexts.taskGone(index, generation);
  runtime?.signals.taskGone(index, generation);
}

export function effect(host: number, at: number): void {
  find(host)?.effect(at);
}

export function reportRefusal(host: number): void {
  find(host)?.reportRefusal();
}

export function wakeAt(host: number, at: number): void {
  find(host)?.wakeAt(at);
}

export function waitDone(host: number, wait: number, timedOut: boolean): void {
  find(host)?.waits.done(wait, timedOut);
}

/** Returns the same as `turnReady`. */
export function runEnded(host: number, row: number): boolean {
  return find(host)?.runs.runEnded(row) === true;
}

export function batchDelivered(host: number): void {
  find(host)?.runs.batchDelivered();
}

export function facts(host: number, at: number, length: number, texts: number): void {
  find(host)?.listeners.facts(at, length, texts);
}

export function consumerGate(host: number, params: unknown): boolean | string {
  const runtime = find(host);
  return runtime === undefined || runtime.consumerGate(params);
}

export function makeTool(host: number, described: unknown, make: ((described: unknown) => unknown) | undefined): unknown {
  return find(host)?.makeTool(described, make);
}
