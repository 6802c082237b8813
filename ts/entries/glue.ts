// What the wasm glue imports. Owns that list: the calls that the core makes, and the opening of a manager for those who
// use the bare class of `pkg/`.

import type { Instance } from '../../pkg/subagents.js';
import { BareRun } from '../api/bare-run.js';
import { openRuntime } from '../api/open-runtime.js';
import type { Runtime } from '../api/runtime.js';

export * from '../boundary/imports.js';

/** Opens a manager in a fresh instance, with the options of a `SubAgentManager`. */
export function open(instance: Instance, options: Readonly<Record<string, unknown>>): Runtime {
  return openRuntime(instance, options, (runtime, active) => new BareRun(runtime, active));
}
