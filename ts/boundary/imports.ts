// The functions that the wasm module calls. Each finds its manager by number. Owns the table of managers, which holds
// them weakly: an unused manager can be collected.

import type { Alarm } from '../base/alarm.js';
import { withinCore } from '../base/errors.js';
import { Collected, type Weak, weakly } from '../base/weak.js';

/** What a call of the core's is to the manager that was found by its number, which comes first. */
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
  /** Does what the effect at this address says. */
  effect(at: number): void;
  /** Reports the last refusal to `onError`. */
  reportRefusal(): void;
  wakeAt(at: number): void;
  /** Asks the host's gate: `true`, or why not. */
  consumerGate(params: unknown): boolean | string;
  makeTool(described: unknown, make: ((described: unknown) => unknown) | undefined): unknown;
  /** A call in its instance has trapped. */
  poison(trap: unknown): unknown;
}

/**
 * What the table of managers refers to, weakly, in place of a manager. Reading a weak reference retains its target until the
 * current job ends. A loop that makes and disposes managers may be one job. A door that was shut keeps no manager from that
 * moment on.
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
/** A manager that was not disposed: its number is free again, and its timer need not ring. */
let collected: Collected<{ host: number; alarm: Alarm }> | undefined;
let current: Called | undefined;

/** Lists a manager and gives it its number. */
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

/** Takes a disposed manager off the list. */
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

/** Announces a call into the core of `runtime`, by any part of it; returns who was announced before, for `leave`. */
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

/** Whether a call of some core is on the way. */
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

/** Whether something is put off until the whole batch is delivered: `batchDelivered` calls it. */
export function turnReady(host: number, index: number, generation: number, run: number): boolean {
  return find(host)?.runs.turnReady(index, generation, run) === true;
}

/** A task was closed or forgotten: its data is dropped. */
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

/** The same as of `turnReady`. */
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
