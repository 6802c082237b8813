/**
 * Loop `fan-out`: submits all the texts at once, far more than the limit, and awaits them with one `Promise.all`: what a
 * program writes that maps a list to sub-agents.
 */

/**
 * @param {(text: string) => Promise<{ output: string }>} call
 * @param {string[]} texts
 * @returns {Promise<number>} Characters of output received.
 */
export async function fanOut(call, texts) {
  const results = await Promise.all(texts.map((text) => call(text)));
  let chars = 0;
  for (const { output } of results) chars += output.length;
  return chars;
}
