// Compiles the core, and makes instances of it. Owns the error if the runtime refuses.

import { SubAgentError } from './error-class.js';

/** Compiles these bytes into a module. Throws `not_ready` if the runtime refuses to compile them. */
export function compile(bytes: () => Uint8Array<ArrayBuffer>): object {
  try {
    return new WebAssembly.Module(bytes());
  } catch (error) {
    throw refused(error);
  }
}

/**
 * Like `compile`, for a module that is still being compiled. The caller compiles: edge runtimes refuse a file that names the
 * function for it, and this file is part of every entry.
 */
export async function compileLater(compiling: () => Promise<object>): Promise<object> {
  try {
    return await compiling();
  } catch (error) {
    throw refused(error);
  }
}

function refused(cause: unknown): SubAgentError {
  if (cause instanceof SubAgentError) return cause;
  const message =
    "the module can't be compiled here. A Content-Security-Policy has to allow 'wasm-unsafe-eval' in its `script-src`, and " +
    `the bytes must be those of this version of the package (${String(cause)})`;
  return new SubAgentError('not_ready', message, {}, { cause });
}

/**
 * Makes an instance by `make`. Throws `instance_limit` if the runtime allows no further one, and `not_ready` if the module is of
 * another build than this code: its imports have another name.
 */
export function instanceOf<Instance>(make: () => Instance): Instance {
  try {
    return make();
  } catch (error) {
    const { name, message } = error as Error;
    // By name: a sandbox may throw the error of another realm.
    if (name === 'LinkError' || (name === 'TypeError' && /import/i.test(message)))
      throw new SubAgentError('not_ready', `subagents.wasm is of another version than this code: ${message}`, {}, { cause: error });
    if (name !== 'RangeError') throw error;
    throw new SubAgentError(
      'instance_limit',
      `this runtime allows no further manager (${message}): dispose some, or let many agents share one by \`manager.session(key)\``,
      {},
      { cause: error },
    );
  }
}
