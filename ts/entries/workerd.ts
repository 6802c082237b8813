// The entry `subagents` on Cloudflare Workers, which take wasm only as a file of the deployment. The imported module is already
// compiled.

import module from '../../pkg/subagents.wasm';
import { createSubAgentTool as createTool, SubAgentManager as Manager } from '../index.js';

export * from '../index.js';

export class SubAgentManager extends Manager {
  static override module(): object {
    return module;
  }
}

export const createSubAgentTool: typeof createTool = (config) => createTool(config, SubAgentManager);
