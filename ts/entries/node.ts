// The entry `subagents` for `import` in Node, and for `require` if Node can load ECMAScript modules. Bundlers take the
// condition `module` first. Reads the wasm file of the package at the first manager, faster than the text form of
// other runtimes.

import { createRequire } from 'node:module';
import { compile } from '../base/compile.js';
import { createSubAgentTool as createTool, SubAgentManager as Manager } from '../index.js';
import { fillRandom, readModule } from './files.js';

export * from '../index.js';

let compiled: object | undefined;

// If `node:fs` is imported, Node loads all its exports, including streams, before the program's first line runs.
const require = createRequire(import.meta.url);

export class SubAgentManager extends Manager {
  static override random(): (bytes: Uint8Array) => void {
    return (bytes) => fillRandom(require('node:fs'), bytes);
  }

  static override module(): object {
    compiled ??= compile(() => readModule(require, 'subagents.wasm', () => new URL('../pkg/subagents.wasm', import.meta.url)));
    return compiled;
  }
}

export const createSubAgentTool: typeof createTool = (config) => createTool(config, SubAgentManager);
