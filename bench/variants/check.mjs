/**
 * Whether a manager did the work it was timed at: a bench that measures refusals measures nothing.
 *
 * @param {{ tokensSpent: number, running: number, pending: number }} stats
 * @param {{ events: number }} seen
 * @param {{ calls: number, listener: boolean }} expected
 */
export function managerCheck(stats, seen, { calls, listener }) {
  if (stats.running !== 0 || stats.pending !== 0) {
    throw new Error(`Expected no run left, got ${stats.running} running and ${stats.pending} pending`);
  }
  if (stats.tokensSpent !== calls * 10) {
    throw new Error(`Expected ${calls * 10} tokens booked, got ${stats.tokensSpent}`);
  }
  if (listener && seen.events < calls * 3) {
    throw new Error(`Expected the listener to see at least three events a call, got ${seen.events} for ${calls} calls`);
  }
}
