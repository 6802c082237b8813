/**
 * Paths on which a call could cost more as the manager fills: one process for each path, at every count, so that the
 * ratio of two counts comes from one run.
 */

import { runChild } from './children.mjs';

const COUNTS = [1000, 16_000, 64_000];

/** What the counts are of, where they are others. */
const PATHS = {
  'behind a cooled key': COUNTS,
  'behind a rate': COUNTS,
  'keys with a rate': COUNTS,
  'distinct priorities': COUNTS,
  'tools of a parent': [0, 100, 1000],
  'statistics with ended ones': COUNTS,
  'concurrency with ended ones': COUNTS,
  'empty list with ended ones': COUNTS,
  'ends in sessions': COUNTS,
  'lease behind leased ones': COUNTS,
  'wake in vain': COUNTS,
  'added budget with queued ones': COUNTS,
  'cancel queued ones': COUNTS,
  'levels of a chain': [100, 1000, 10_000],
  'one snapshot': COUNTS,
  'list of 100': COUNTS,
  'wait for any': [100, 1000, 4000],
  'race of waits': [100, 1000, 4000],
};

/**
 * @param {object} options
 * @param {(id: string) => boolean} options.only
 * @param {(text: string) => void} options.progress
 */
export async function measurePaths({ only, progress }) {
  const rows = [];
  for (const [path, counts] of Object.entries(PATHS)) {
    const id = `paths/${path}`;
    if (!only(id)) continue;
    progress(id);
    try {
      rows.push({ id, path, counts, ...(await runChild('paths-child.mjs', { path, counts })) });
    } catch (error) {
      rows.push({ id, path, counts, failed: error.message });
    }
  }
  return rows;
}
