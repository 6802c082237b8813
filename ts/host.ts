// The calls that the core makes: plain functions of numbers, imported by the wasm glue, which find their
// manager by its number. Owns the table of managers. It holds them weakly, so that one that nobody uses
// any more can be collected; whoever calls into the core announces it first, which makes the table a
// fallback.

import type { Runtime } from './runtime.js';

export { open } from './open.js';

const hosts: (WeakRef<Runtime> | undefined)[] = [];
const free: number[] = [];
const collected = new FinalizationRegistry<number>(detach);
let current: Runtime | undefined;

/** Lists a manager and gives it its number. */
export function attach(runtime: Runtime): number {
  const host = free.pop() ?? hosts.length;
  hosts[host] = new WeakRef(runtime);
  collected.register(runtime, host, runtime);
  return host;
}

/** Takes a disposed manager off the list. */
export function release(runtime: Runtime): void {
  collected.unregister(runtime);
  detach(runtime.host);
}

function detach(host: number): void {
  if (hosts[host] === undefined) return;
  hosts[host] = undefined;
  free.push(host);
}

/** Announces a call into the core of `runtime`; returns who was announced before, for `leave`. */
export function enter(runtime: Runtime): Runtime | undefined {
  const outer = current;
  current = runtime;
  return outer;
}

export function leave(outer: Runtime | undefined): void {
  current = outer;
}

function find(host: number): Runtime | undefined {
  return current !== undefined && current.host === host ? current : hosts[host]?.deref();
}

export function startRun(host: number, slot: number, generation: number, run: number, fresh: boolean): void {
  find(host)?.startRun(slot, generation, run, fresh);
}

export function abortRun(host: number, slot: number, _generation: number, run: number, reason: number): void {
  find(host)?.abortRun(slot, run, reason);
}

export function turnReady(host: number, slot: number, _generation: number, run: number): void {
  find(host)?.turnReady(slot, run);
}

export function taskForgotten(host: number, slot: number, generation: number): void {
  find(host)?.taskForgotten(slot, generation);
}

export function wakeAt(host: number, at: number): void {
  find(host)?.wakeAt(at);
}

export function waitDone(host: number, wait: number, timedOut: boolean): void {
  find(host)?.waitDone(wait, timedOut);
}

export function runEnded(
  host: number,
  slot: number,
  run: number,
  status: number,
  reason: number,
  flags: number,
  tokens: number,
  nanos: number,
  turns: number,
  durationMs: number,
  text: number,
  textLength: number,
): void {
  find(host)?.runEnded(slot, run, status, reason, flags, tokens, nanos, turns, durationMs, text, textLength);
}

export function facts(host: number, bytes: number, length: number): void {
  find(host)?.facts(bytes, length);
}

export function consumerGate(host: number, params: unknown): boolean | string {
  return find(host)?.consumerGate(params) ?? true;
}

export function makeTool(host: number, description: unknown): unknown {
  return find(host)?.makeTool(description);
}
