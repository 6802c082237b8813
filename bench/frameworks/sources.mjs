// A framework's files in the bench, and what they need beside them. `npm run bench:frameworks` bundles them; `npm run
// test:frameworks` checks their types, so that they keep compiling.

import { fileURLToPath } from 'node:url';
import { SHARED, sourcesOf } from '../../tests/frameworks/prepare.mjs';
import { SOURCES } from './ways.mjs';

const source = (path) => fileURLToPath(new URL(`src/${path}`, import.meta.url));

/** All that the bench of a framework is made of; undefined where it has no agents that could be measured. */
export function benchSourcesOf(framework) {
  const ways = SOURCES[framework.name];
  if (ways === undefined) return undefined;
  return [...SHARED, ...sourcesOf(framework), source('delegation.ts'), source('main.ts'), ...ways.map(source)];
}
