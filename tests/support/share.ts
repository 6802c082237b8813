// Which part of the long tests runs: `npm test` sets SUBAGENTS_SHARE and runs a share of them, `npm run test:all`
// and a test run by hand all. What follows `npm test` sets SUBAGENTS_REST, and leaves out the files that ran in full.

/** Whether only a share runs. */
export const isShare = process.env.SUBAGENTS_SHARE !== undefined;

/** Whether `npm test` has run before. */
export const isRest = process.env.SUBAGENTS_REST !== undefined;

/** All rows of a table, or of a share every `step`-th, the first included. */
export function rowsOf<T>(rows: readonly T[], step: number): T[] {
  return isShare ? rows.filter((_, at) => at % step === 0) : [...rows];
}

/** How many there are in all, or how many in a share. */
export function amount(all: number, share: number): number {
  return isShare ? share : all;
}
