/**
 * Loop `burst`: submits `batch` calls in one synchronous loop, awaits them one by one in that order, and repeats until
 * the texts are used up.
 *
 * In the `burst` rows the variant's limit equals the batch, so all of it is in flight and nothing queues. The loop
 * awaits the promises in turn, not through `Promise.all`, which would add the same cost of its own to every variant
 * and so pull all ratios towards 1.
 *
 * A full GC is run before the warm-up and none between the rounds: the young generation has its full size and its pages
 * are warm, as in a program that has been busy for a while.
 */

/**
 * @param {(text: string) => Promise<{ output: string }>} call
 * @param {string[]} texts
 * @param {number} batch
 * @returns {Promise<number>} Characters of output received.
 */
export async function burst(call, texts, batch) {
  let chars = 0;
  for (let from = 0; from < texts.length; from += batch) {
    const size = Math.min(batch, texts.length - from);
    const pending = new Array(size);
    for (let i = 0; i < size; i++) pending[i] = call(texts[from + i]);
    for (let i = 0; i < size; i++) {
      const result = await pending[i];
      chars += result.output.length;
    }
  }
  return chars;
}
