// Virtual time for the golden transcripts on every runtime, in place of the test runner's, which is Node's
// alone: `run.mjs` swaps the two. Owns the timers and the clock while a transcript plays.

interface Timer {
  readonly id: number;
  readonly at: number;
  readonly fire: () => void;
}

interface Clock {
  now: number;
  timers: Timer[];
}

let clock: Clock | undefined;
let lastId = 0;
/** Whole milliseconds, and the same for every transcript: the package reads it once. */
let origin: number | undefined;
let last = 0;

/** Plays `body` in virtual time; real time is back afterwards. */
export async function inVirtualTime<T>(body: () => Promise<T>): Promise<T> {
  const real = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    dateNow: Date.now,
    performanceNow: Object.getOwnPropertyDescriptor(performance, 'now'),
  };
  // Where a runtime counts both from 1970, as workerd does for old compatibility dates, the second one may be read a
  // millisecond later than the first; no time is before 0.
  origin ??= last = Math.max(0, Math.round(Date.now() - performance.now()));
  const start = origin;
  const own: Clock = { now: last, timers: [] };
  clock = own;
  globalThis.setTimeout = ((fire: () => void, ms = 0) => {
    lastId += 1;
    own.timers.push({ id: lastId, at: own.now + Math.max(1, ms), fire });
    return lastId;
  }) as typeof setTimeout;
  globalThis.clearTimeout = ((id: number | undefined) => {
    own.timers = own.timers.filter((timer) => timer.id !== id);
  }) as typeof clearTimeout;
  Date.now = () => own.now;
  // On the object: the global itself can't be replaced everywhere.
  Object.defineProperty(performance, 'now', { configurable: true, value: () => own.now - start });
  try {
    return await body();
  } finally {
    last = own.now;
    clock = undefined;
    globalThis.setTimeout = real.setTimeout;
    globalThis.clearTimeout = real.clearTimeout;
    Date.now = real.dateNow;
    if (real.performanceNow === undefined) delete (performance as { now?: unknown }).now;
    else Object.defineProperty(performance, 'now', real.performanceNow);
  }
}

/** Lets virtual time pass, with everything that falls due in it. */
export async function pass(ms: number): Promise<void> {
  if (clock === undefined) throw new Error('no transcript is playing');
  const { now } = clock;
  await settle();
  for (;;) {
    const [next] = clock.timers.filter(({ at }) => at <= now + ms).sort((one, other) => one.at - other.at || one.id - other.id);
    if (next === undefined) break;
    clock.timers = clock.timers.filter((timer) => timer !== next);
    clock.now = Math.max(clock.now, next.at);
    next.fire();
    await settle();
  }
  clock.now = now + ms;
}

/** Lets pending promises go on, without time passing. */
export async function flush(): Promise<void> {
  await settle();
  await pass(0);
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}
