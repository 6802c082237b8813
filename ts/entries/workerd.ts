// The entry `subagents` on Cloudflare Workers, which take no wasm but as a file of the deployment. Owns the
// import of it; what comes is compiled already.

import module from '../../pkg/subagents.wasm';
import type { StandaloneSubAgentTool } from '../api/standalone-tool.js';
import {
  createSubAgentTool as createTool,
  type JournalReplay,
  SubAgentManager as Manager,
  readJournal as readJournalWith,
  type Store,
  type StoreContents,
  type SubAgentToolConfig,
} from '../index.js';

export * from '../index.js';

export class SubAgentManager extends Manager {
  static override module(): object {
    return module;
  }
}

export function createSubAgentTool(config: SubAgentToolConfig): StandaloneSubAgentTool {
  return createTool(config, SubAgentManager);
}

export function readJournal(source: Store | StoreContents): Promise<JournalReplay> {
  return readJournalWith(source, SubAgentManager);
}
