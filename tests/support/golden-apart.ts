// The golden transcripts that TypeScript doesn't play as they are. Owns the two lists; both are empty at best.

/** Transcripts that can't be played in TypeScript at all, each with the reason. */
export const NOT_PLAYED: Readonly<Record<string, string>> = {
  'child-holds.txt': 'a turn that has to wait is asked for again by the package itself; budgets.test.ts tells this story',
  'cooldown-order.txt': 'a turn that has to wait is asked for again by the package itself; rates.test.ts tells these stories',
  'cooldown-turns.txt': 'a turn that has to wait is asked for again by the package itself; rates.test.ts tells these stories',
  'rates.txt': 'a turn that has to wait is asked for again by the package itself; rates.test.ts tells these stories',
  'rates-returned.txt': 'there is no command for rates; rates.test.ts tells this story',
  'rates-spent.txt': 'there is no command for rates; rates.test.ts tells this story',
  'rates-unbounded.txt': 'there is no command for rates; rates.test.ts tells this story',
  'rates-untold.txt': 'there is no command for rates; rates.test.ts tells this story',
  'rates-stopped.txt': 'there is no command for rates; rates.test.ts tells this story',
  'dollars-given.txt': 'a turn that has to wait is asked for again by the package itself; dollars.test.ts tells this story',
  'dollars-shared.txt': 'a turn that has to wait is asked for again by the package itself; dollars.test.ts tells this story',
  'driven-reopen.txt': 'the published module opens no facts; driven.test.ts tells this story',
  'late-turn.txt': 'a turn that has to wait is asked for again by the package itself; limits.test.ts tells this story',
  'reported-twice.txt': 'only a run that goes on elsewhere can be reported twice; tool.test.ts tells this story',
  'recent-turns-lost.txt': 'the published module opens no facts',
  'retry-lost.txt': 'the published module opens no facts',
  'reopen.txt': 'the published module opens no facts; reopening.test.ts tells such a story with a build that does',
  'stand-still.txt': 'virtual time never stands still; standstill.test.ts stops real processes',
  'stagger-turns.txt': 'a turn that has to wait is asked for again by the package itself; rates.test.ts tells these stories',
  'whole-turn-lost.txt': 'the published module opens no facts',
  'whole-run-late.txt': 'there is no command for rates; rates.test.ts tells this story',
  'whole-turns-wait.txt': 'a turn that has to wait is asked for again by the package itself; whole-turns.test.ts tells this story',
  'turns-before-starts.txt': 'a turn that has to wait is asked for again by the package itself; budgets.test.ts tells this story',
};
/** Transcripts where the package does something else than the core: the rule, and what is wrong. */
export const DIFFERENT: Readonly<Record<string, string>> = {};
