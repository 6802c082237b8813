/**
 * Loop `flood`: submits all the texts at once, far more than the limit, and awaits them one by one in that order.
 *
 * It is `burst` with one batch and a limit below it: at limit 100, 19,900 of 20,000 calls wait in the variant's queue.
 * This is what shows a queue that is not O(1).
 */

import { burst } from './burst.mjs';

/**
 * @param {(text: string) => Promise<{ output: string }>} call
 * @param {string[]} texts
 * @returns {Promise<number>} Characters of output received.
 */
export function flood(call, texts) {
  return burst(call, texts, texts.length);
}
