// The beat: a timer of one second while a deadline is armed, which fires late if the process was stopped or asleep.
// Owns how that is noticed, and how long it was (T4); the alarms react.

import { BEAT_MS } from '../generated/limits.js';
import { now, whenPast, whenReplaced } from './clock.js';

/** What has a deadline armed. */
export interface Beating {
  /** A second has passed. */
  beat(): void;
  /** The process stood still for this many milliseconds until `at`. */
  stoodStill(at: number, ms: number): void;
  /** The timers are others from now on. */
  timersReplaced(): void;
}

interface Usage {
  readonly user: number;
  readonly system: number;
}

/** What Node, Deno and Bun say of the process. */
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
/** The last time at which the process ran: by the clock, by its own time, and its processor time until then. */
let last = 0;
let lastUptime = 0;
let lastUsage: Usage | undefined;

/** Whether this is a process that may be stopped. The clock of Workers stands still by itself, and that of a page is its own. */
function isProcess(): boolean {
  const { process: own, navigator } = runtime;
  return typeof own?.uptime === 'function' && own.versions?.node !== undefined && navigator?.userAgent !== 'Cloudflare-Workers';
}

/** Whether timers are the runtime's own. Those of a test would wait for the beat for ever, and a jump of its clock is no standstill. */
function isReal(): boolean {
  return setTimeout === timers && !('clock' in timers) && !('_isMockFunction' in timers);
}

/** Something has a deadline armed from now on. */
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

/** Arms the next beat. It keeps no process alive: a runtime where it would has no beat. */
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

/** The process runs at this time. */
function see(at: number): void {
  last = at;
  lastUptime = uptimeMs();
  lastUsage = runtime.process?.cpuUsage?.();
  // A call may come before the beat that is late. One that is late by less than a beat says nothing: the process was busy.
  whenPast(at + 2 * BEAT_MS, look);
}

/** Whether a beat was missed, and then how much of that time the processor doesn't explain. */
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
