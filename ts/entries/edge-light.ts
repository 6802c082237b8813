// The entry `subagents` on Vercel's edge runtime, which takes wasm as `?module`. Owns the import of it.

import module from '../../pkg/subagents.wasm?module';
import type { StandaloneSubAgentTool } from '../api/sub-agent-tool.js';
import { createSubAgentTool as createTool, SubAgentManager as Manager, type SubAgentToolConfig } from '../index.js';

export * from '../index.js';

export class SubAgentManager extends Manager {
  static override module(): object {
    // The sandbox of development hands over a module of the process around it, whose class is another one.
    if (!(module instanceof WebAssembly.Module)) Object.setPrototypeOf(module, WebAssembly.Module.prototype);
    return module;
  }
}

export function createSubAgentTool(config: SubAgentToolConfig): StandaloneSubAgentTool {
  return createTool(config, SubAgentManager);
}
