/**
 * Texts for the measurements: flat, all different, made before the clock starts.
 *
 * Flat, because `a + b` makes a rope whose copying is put off until it is read, and a slice keeps its parent
 * alive; either would charge one variant for what another gets free. All different, because anything keyed by a string
 * would look better on the same text twice.
 */

const FILLER = 'Read the files named in the task, say which of them mention the limit, and quote the lines. ';

/** Distinguishes the texts of a process: no two calls of `freshTexts` repeat one. */
let serial = 0;

/**
 * @param {number} count
 * @param {number} size Characters, which are bytes too: all ASCII. At least 10.
 * @returns {string[]}
 */
export function freshTexts(count, size) {
  const bytes = Buffer.alloc(size, FILLER, 'latin1');
  const texts = new Array(count);
  for (let i = 0; i < count; i++) {
    bytes.latin1Write((serial++).toString(16).padStart(8, '0'), 0, 8);
    texts[i] = bytes.latin1Slice(0, size); // Copies into a new sequential string.
  }
  return texts;
}
