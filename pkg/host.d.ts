// The types of host.js for those who use this folder alone; see the package for everything else.

import type { Instance, SubAgentCore } from './subagents.js';

/** One manager's side of the boundary. `core` is the wasm object; `dispose` lets go of it. */
export interface Runtime {
  readonly core: SubAgentCore;
  dispose(): void;
}

/** Opens a manager in a fresh instance, with the options of a `SubAgentManager`. */
export function open(instance: Instance, options: Readonly<Record<string, unknown>>): Runtime;
