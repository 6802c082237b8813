/** Import to first call: a fresh process each time, ES module and CommonJS taking turns, medians. */

import { runChild } from './children.mjs';
import { summary } from './stats.mjs';

const CHILDREN = { esm: 'startup-esm.mjs', cjs: 'startup-cjs.cjs' };

/** @param {{ rounds: number, progress: (text: string) => void }} options */
export async function measureStartup({ rounds, progress }) {
  const seen = { esm: [], cjs: [] };
  const failed = {};
  // The first round only warms the file cache: a program's second start is the one worth knowing.
  for (let round = -1; round < rounds; round++) {
    for (const [kind, file] of Object.entries(CHILDREN)) {
      if (failed[kind] !== undefined) continue;
      progress(`startup ${kind} ${round + 1}/${rounds}`);
      try {
        const figures = await runChild(file, {});
        if (round >= 0) seen[kind].push(figures);
      } catch (error) {
        failed[kind] = error.message;
      }
    }
  }
  const startup = {};
  for (const kind of Object.keys(CHILDREN)) {
    if (failed[kind] !== undefined) continue;
    const of = (key) => summary(seen[kind].map((figures) => figures[key]));
    startup[kind] = { ms: of('ms'), importMs: of('importMs'), firstCallMs: of('firstCallMs') };
  }
  return { ...startup, failed };
}
