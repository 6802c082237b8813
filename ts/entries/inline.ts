// The default entry `subagents`: the module's bytes are text in the file, so that no runtime has to fetch or configure
// anything. Owns that they are read and compiled once, at the first use.

import wasm from '../../pkg/subagents.wasm?text';
import { compile } from '../base/compile.js';
import { createSubAgentTool as createTool, SubAgentManager as Manager } from '../index.js';
import { readWasmText } from './wasm-text.js';

export * from '../index.js';

let compiled: object | undefined;

export class SubAgentManager extends Manager {
  static override module(): object {
    compiled ??= compile(() => readWasmText(wasm.text, wasm.frequent));
    return compiled;
  }
}

export const createSubAgentTool: typeof createTool = (config) => createTool(config, SubAgentManager);
