// The beat: a timer of one second while a deadline is armed, which fires late if the process was stopped or asleep. Owns how a
// standstill is noticed and measured (T4); the alarms react.

import { BEAT_MS } from '../generated/limits.js';
import { now, whenPast, whenReplaced } from './clock.js';

/** Something with an armed deadline. */
export interface Beating {
  /** A second has passed. */
  beat(): void;
  /** The process stood still for this many milliseconds until `at`. */
  stoodStill(at: number, ms: number): void;
  /** The global timers were replaced. */
  timersReplaced(): void;
}

interface Usage {
  readonly user: number;
  readonly system: number;
}

/** The members of `process` that this reads in Node, Deno and Bun. */
interface Process {
  readonly versions?: { readonly node?: string };
  uptime?(): number;
  cpuUsage?(since?: Usage): Usage;
}

interface Runtime {
  readonly process?: Process;
  readonly Deno?: { unrefTimer?(timer: unknown): void };
  readonly navigator?: { readonly userAgent?: string };
}

const runtime = globalThis as Runtime;
const timers = setTimeout;
const beating = new Set<Beating>();
let timer: ReturnType<typeof setTimeout> | undefined;
/** The last time at which the process ran: by the clock, by its uptime, and its processor time until then. */
let last = 0;
let lastUptime = 0;
let lastUsage: Usage | undefined;

/**
 * Whether this is a process that may be stopped. The clock of Workers stands still by itself; a page has a clock of its own.
 */
function isProcess(): boolean {
  const { process: own, navigator } = runtime;
  return typeof own?.uptime === 'function' && own.versions?.node !== undefined && navigator?.userAgent !== 'Cloudflare-Workers';
}

/**
 * Whether timers are the runtime's own. A test's timers would wait for the beat for ever, and a jump of its clock is no
 * standstill.
 */
function isReal(): boolean {
  return setTimeout === timers && !('clock' in timers) && !('_isMockFunction' in timers);
}

/** Registers something with an armed deadline. */
export function joinBeat(one: Beating): void {
  beating.add(one);
  whenReplaced(onReplaced);
  if (timer === undefined && isReal() && isProcess()) begin();
}

export function leaveBeat(one: Beating): void {
  beating.delete(one);
}

function onReplaced(): void {
  for (const one of [...beating]) one.timersReplaced();
}

function begin(): void {
  see(now());
  next();
}

/** Arms the next beat. It must not keep the process alive: a runtime in which it would has no beat. */
function next(): void {
  timer = setTimeout(onBeat, BEAT_MS);
  const { unref } = timer as { unref?(): unknown };
  if (unref !== undefined) unref.call(timer);
  else if (runtime.Deno?.unrefTimer !== undefined) runtime.Deno.unrefTimer(timer);
  else end();
}

function end(): void {
  clearTimeout(timer);
  timer = undefined;
  whenPast(Number.POSITIVE_INFINITY, look);
}

function onBeat(): void {
  timer = undefined;
  if (beating.size === 0 || !isReal()) {
    end();
    return;
  }
  look(now());
  for (const one of [...beating]) if (beating.has(one)) one.beat();
  if (timer === undefined) next();
}

/** Notes that the process runs at this time. */
function see(at: number): void {
  last = at;
  lastUptime = uptimeMs();
  lastUsage = runtime.process?.cpuUsage?.();
  // A call may come before a late beat. A delay of less than one beat means nothing: the process was busy.
  whenPast(at + 2 * BEAT_MS, look);
}

/** Checks whether a beat was missed, and how much of that time the processor doesn't explain. */
function look(at: number): void {
  const gap = Math.min(at - last, uptimeMs() - lastUptime);
  const used = lastUsage === undefined ? undefined : runtime.process?.cpuUsage?.(lastUsage);
  const stood = gap - (used === undefined ? 0 : (used.user + used.system) / 1_000);
  see(at);
  if (gap < 2 * BEAT_MS || stood < BEAT_MS || !isReal()) return;
  for (const one of [...beating]) one.stoodStill(at, Math.round(stood));
}

function uptimeMs(): number {
  return (runtime.process?.uptime?.() ?? 0) * 1_000;
}
