/**
 * Whether a manager did the work it was timed at: a bench that measures refusals measures nothing.
 *
 * @param {{ tokensSpent: number, running: number, pending: number, turnsSpent?: number }} stats
 * @param {{ events: number }} seen
 * @param {{ calls: number, listener: boolean, turns?: number }} expected
 */
export function managerCheck(stats, seen, { calls, listener, turns }) {
  if (stats.running !== 0 || stats.pending !== 0) {
    throw new Error(`Expected no run left, got ${stats.running} running and ${stats.pending} pending`);
  }
  if (stats.tokensSpent !== calls * 10) {
    throw new Error(`Expected ${calls * 10} tokens booked, got ${stats.tokensSpent}`);
  }
  if (turns !== undefined && stats.turnsSpent !== turns) {
    throw new Error(`Expected ${turns} turns booked, got ${stats.turnsSpent}`);
  }
  if (listener && seen.events < calls * 3) {
    throw new Error(`Expected the listener to see at least three events a call, got ${seen.events} for ${calls} calls`);
  }
}
