// What the package says in words of its own, made comparable: one text on both sides.

/** A call of a host function. @param previous how the attempt before ended, if there was one */
export function callAs(call, checkpointed, previous, saved) {
  const from = [checkpointed, saved]
    .map((data, at) => (data === undefined ? '' : ` ${['from', 'with'][at]} ${JSON.stringify(data)}`))
    .join('');
  return `${call}${from}${previous === undefined ? '' : ` after ${previous.reason}: ${errorAs(previous.error)}`}`;
}

/** What stands in an error for a value that its schema refuses, and for what is no result. */
export const [NO_VALUE, NO_RESULT] = ['no value', 'no result'];

/** An error of a run; in which words it says what couldn't be read is the package's own. */
export function errorAs(error) {
  if (error === null || error === undefined) return null;
  return error.replace(/^(the result has no `value`|value)[^;]*/, NO_VALUE).replace(/^spawnSubAgent must resolve to .*$/, NO_RESULT);
}
