/** Stopping many: 1k to 100k sub-agents at once, one process for each way and count. */

import { runChild } from './children.mjs';

const COUNTS = [1000, 10_000, 100_000];
const WAYS = ['together', 'session'];

/**
 * @param {object} options
 * @param {(id: string) => boolean} options.only
 * @param {(text: string) => void} options.progress
 */
export async function measureStopping({ only, progress }) {
  const rows = [];
  for (const how of WAYS) {
    for (const count of COUNTS) {
      const id = `stopping/${how}/${count}`;
      if (!only(id)) continue;
      progress(id);
      try {
        rows.push({ id, how, count, ...(await runChild('stopping-child.mjs', { how, count })) });
      } catch (error) {
        rows.push({ id, how, count, failed: error.message });
      }
    }
  }
  return rows;
}
