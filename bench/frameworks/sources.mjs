// Which files are a framework's part of the bench, and what they lie beside. `npm run bench:frameworks` bundles them;
// `npm run test:frameworks` checks their types, so that they keep compiling while no figure is taken.

import { fileURLToPath } from 'node:url';
import { SHARED, sourcesOf } from '../../tests/frameworks/prepare.mjs';

/** Where the ways of a framework are, in `src/`. */
export const SOURCES = {
  'ai-6': ['ai'],
  'ai-7': ['ai'],
  mastra: ['mastra'],
  openai: ['openai'],
  langchain: ['langchain'],
  strands: ['strands'],
  adk: ['adk'],
  'pi-0.73': ['pi', 'pi-0.73'],
  'pi-0.87': ['pi', 'pi-0.87'],
};

const source = (path) => fileURLToPath(new URL(`src/${path}`, import.meta.url));

/** All that the bench of a framework is made of; undefined where it has no agents that could be measured. */
export function benchSourcesOf(framework) {
  const ways = SOURCES[framework.name];
  if (ways === undefined) return undefined;
  return [SHARED, ...sourcesOf(framework), source('delegation.ts'), source('main.ts'), ...ways.map(source)];
}
