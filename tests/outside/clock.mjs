// Virtual time in place of the process's own. Owns the timers and both clocks; must be installed before the package is loaded.
// Time passes only in `advance`, timer by timer, and what each of them caused has settled before the next one fires.

const realImmediate = globalThis.setImmediate;

const EPOCH = Date.UTC(2030, 0, 1);

let now = 0;
let nextId = 1;
const timers = new Map();

class Timer {
  constructor(id) {
    this.id = id;
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }
  hasRef() {
    return timers.has(this.id);
  }
  refresh() {
    return this;
  }
  [Symbol.toPrimitive]() {
    return this.id;
  }
}

function set(call, delay, args, every) {
  const timer = new Timer(nextId++);
  const wait = Number(delay) >= 1 ? Number(delay) : 1;
  timers.set(timer.id, { at: now + wait, id: timer.id, call, args, every: every ? wait : undefined });
  return timer;
}

function clear(timer) {
  if (timer !== undefined && timer !== null) timers.delete(typeof timer === 'object' ? timer.id : Number(timer));
}

/** Replaces the timers and clocks of this process. */
export function install() {
  globalThis.setTimeout = (call, delay, ...args) => set(call, delay, args, false);
  // The mark of a test's timers: where this process stands still for a second, no time has passed (T4).
  globalThis.setTimeout.clock = globalThis;
  globalThis.setInterval = (call, delay, ...args) => set(call, delay, args, true);
  globalThis.clearTimeout = clear;
  globalThis.clearInterval = clear;
  Object.defineProperty(globalThis.performance, 'now', { value: () => now, configurable: true });
  Date.now = () => EPOCH + now;
}

/** Milliseconds since the life began. */
export function time() {
  return now;
}

/** A new life begins: time is 0, and timers that an earlier one left are gone. */
export function restart() {
  now = 0;
  isAtRest = () => true;
  timers.clear();
}

/** A process is gone, and its timers with it; so much time passes until the next one begins. */
export function sleep(ms) {
  timers.clear();
  now += ms;
}

let isAtRest = () => true;

/** What has to be at rest as well before anything has settled: work that takes real time. */
export function waitFor(test) {
  isAtRest = test;
}

/** Lets all promises and what follows from them settle; no virtual time passes. */
export async function settle() {
  do {
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => realImmediate(resolve));
  } while (!isAtRest());
}

function earliest(until) {
  let found;
  for (const timer of timers.values()) {
    if (timer.at <= until && (!found || timer.at < found.at || (timer.at === found.at && timer.id < found.id))) found = timer;
  }
  return found;
}

/** Lets `ms` pass. */
export async function advance(ms) {
  const until = now + ms;
  for (let timer = earliest(until); timer; timer = earliest(until)) {
    now = Math.max(now, timer.at);
    if (timer.every === undefined) timers.delete(timer.id);
    else timer.at += timer.every;
    timer.call(...timer.args);
    await settle();
  }
  now = until;
}
