// The entry `subagents` where nothing says otherwise: the module's bytes stand in the file as text, so that
// no runtime has to fetch or configure anything. Owns that they are read and compiled once, at the first use.

import wasm from '../../pkg/subagents.wasm?text';
import type { StandaloneSubAgentTool } from '../api/standalone-tool.js';
import {
  createSubAgentTool as createTool,
  type JournalReplay,
  SubAgentManager as Manager,
  type PlainModule,
  readJournal as readJournalWith,
  type Store,
  type StoreContents,
  type SubAgentToolConfig,
} from '../index.js';
import { readWasmText } from './wasm-text.js';

export * from '../index.js';

let compiled: object | undefined;

export class SubAgentManager extends Manager {
  static override module(): object {
    compiled ??= new WebAssembly.Module(readWasmText(wasm.text, wasm.frequent));
    return compiled;
  }

  static override plain(): PlainModule {
    return { bytes: () => readWasmText(wasm.text, wasm.frequent), readText: readWasmText };
  }
}

export function createSubAgentTool(config: SubAgentToolConfig): StandaloneSubAgentTool {
  return createTool(config, SubAgentManager);
}

export function readJournal(source: Store | StoreContents): Promise<JournalReplay> {
  return readJournalWith(source, SubAgentManager);
}
