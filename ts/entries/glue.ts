// The imports of the wasm glue. Owns that list: the core's calls, and the opening of a manager for users of the bare class of
// `pkg/`.

import type { Instance } from '../../pkg/subagents.js';
import { BareRun } from '../api/bare-run.js';
import { openRuntime } from '../api/open-runtime.js';
import type { Runtime } from '../api/runtime.js';

export * from '../boundary/imports.js';

/** Opens a manager in a fresh instance, with the options of a `SubAgentManager`. */
export function open(instance: Instance, options: Readonly<Record<string, unknown>>): Runtime {
  return openRuntime(instance, options, (runtime, active) => new BareRun(runtime, active));
}
