// The clock: epoch milliseconds that never run backwards. Owns it, and the call-backs at a time.

/** The start of the runtime's clock, read at the first use: on Workers the clock stands still at 0 while modules are loaded. */
let origin = Number.NaN;
/** The runtime's clock, and its timers at the last look-up. */
let clock: Pick<Performance, 'now'>;
let timers: typeof setTimeout | undefined;
/** The runtime's timers, unless a test had replaced them before this file was loaded. */
const own = setTimeout;
/** The last time that was read. */
let last = Number.NEGATIVE_INFINITY;

/** Now, in epoch milliseconds; monotonic, whatever happens to the system's clock. */
export function now(): number {
  // Some runtimes compute the global `performance` at each access, which takes as long as reading the clock. Tests that replace
  // the clock also replace the timers, and reading those costs nothing.
  if (timers !== setTimeout) lookUp();
  const at = origin + clock.now();
  last = at;
  if (at >= limit) past(at);
  return at;
}

/** From this time on, reading the clock calls `reached`. */
let limit = Number.POSITIVE_INFINITY;
let reached: ((at: number) => void) | undefined;

/** Calls `body` when the clock is first read at this time or later. */
export function whenPast(at: number, body: (at: number) => void): void {
  limit = at;
  reached = body;
}

function past(at: number): void {
  limit = Number.POSITIVE_INFINITY;
  reached?.(at);
}

let replaced: (() => void) | undefined;

/** Calls `body` when the clock is first read after the timers were replaced, as tests do. */
export function whenReplaced(body: () => void): void {
  replaced = body;
}

function lookUp(): void {
  const isSame = clock === performance;
  timers = setTimeout;
  clock = performance;
  // Each install of fake timers brings a new clock, and time continues from the old one. It ignores a faked date, which would
  // end running work. Back on the runtime's own timers, the date is right again.
  const isFirst = last === Number.NEGATIVE_INFINITY;
  const at = isFirst || timers === own ? Math.max(Date.now(), last) : last;
  if (!isSame || origin + clock.now() < last) origin = at - clock.now();
  replaced?.();
}

/** The longest delay that timers take, in milliseconds; a longer one fires at once. */
export const LONGEST_TIMER = 2_147_483_647;

/** Resolves with `promise`, which must not reject, or after this many milliseconds. */
export function within(promise: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = ms <= LONGEST_TIMER ? setTimeout(resolve, ms) : undefined;
    const over = (): void => {
      clearTimeout(timer);
      resolve();
    };
    promise.then(over, over);
  });
}
