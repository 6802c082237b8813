// The entry `subagents` for `require` in versions of Node that can't load ECMAScript modules. Reads the wasm file of
// the package: a third copy of it would weigh more than everything else.

import { compile } from '../base/compile.js';
import { createSubAgentTool as createTool, SubAgentManager as Manager } from '../index.js';
import { fillRandom, type NodeRequire, readModule } from './files.js';

export * from '../index.js';

declare const require: NodeRequire;
declare const __dirname: string;

let compiled: object | undefined;

export class SubAgentManager extends Manager {
  static override random(): (bytes: Uint8Array) => void {
    return (bytes) => fillRandom(require('node:fs'), bytes);
  }

  static override module(): object {
    compiled ??= compile(() => readModule(require, 'subagents.wasm', () => `${__dirname}/../pkg/subagents.wasm`));
    return compiled;
  }
}

export const createSubAgentTool: typeof createTool = (config) => createTool(config, SubAgentManager);
