// The entry `subagents` on Vercel's edge runtime, which imports wasm as `?module`.

import module from '../../pkg/subagents.wasm?module';
import { createSubAgentTool as createTool, SubAgentManager as Manager } from '../index.js';

export * from '../index.js';

/** Adopts a module of another realm: the sandbox of development passes one of the process around it. */
function known(module: object): object {
  if (!(module instanceof WebAssembly.Module)) Object.setPrototypeOf(module, WebAssembly.Module.prototype);
  return module;
}

export class SubAgentManager extends Manager {
  static override module(): object {
    return known(module);
  }
}

export const createSubAgentTool: typeof createTool = (config) => createTool(config, SubAgentManager);
