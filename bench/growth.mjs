/** Growth: the managers at 1k to 1M tasks, one process for each manager, kind of task and count. */

import { runChild } from './children.mjs';

const COUNTS = [1000, 10_000, 100_000, 1_000_000];
const VARIANTS = ['js-manager', 'subagents'];
const KINDS = ['ended', 'idle'];

/** A million task objects in a `Map` do not fit into Node's default heap on small machines. */
const FLAGS = ['--max-old-space-size=4096'];

/**
 * @param {object} options
 * @param {boolean} options.quick
 * @param {(id: string) => boolean} options.only
 * @param {(text: string) => void} options.progress
 * @param {() => boolean} options.outOfTime
 */
export async function measureGrowth({ quick, only, progress, outOfTime }) {
  const rows = [];
  // `--quick` leaves the plain manager out.
  for (const variant of quick ? ['subagents'] : VARIANTS) {
    for (const kind of quick ? ['ended'] : KINDS) {
      for (const count of COUNTS) {
        const id = `growth/${kind}/${count}/${variant}`;
        if (!only(id) || outOfTime()) continue;
        progress(id);
        try {
          const figures = await runChild('growth-child.mjs', { variant, kind, count }, { flags: FLAGS });
          rows.push({ id, variant, kind, count, ...figures });
        } catch (error) {
          rows.push({ id, variant, kind, count, failed: error.message });
        }
      }
    }
  }
  return rows;
}
