// What the package says in words of its own, made comparable: one text on both sides.

/** A call of a host function. @param previous how the attempt before ended, if there was one */
export function callAs(call, checkpointed, previous) {
  const from = checkpointed === undefined ? '' : ` from ${JSON.stringify(checkpointed)}`;
  return `${call}${from}${previous === undefined ? '' : ` after ${previous.reason}: ${errorAs(previous.error)}`}`;
}

/** What stands in an error for a usage that can't be read. */
export const NO_USAGE = 'no usage';

/** An error of a run; in which words it says what couldn't be read is the package's own. */
export function errorAs(error) {
  return error?.replace(/the result's usage must be .*$/, NO_USAGE) ?? null;
}
