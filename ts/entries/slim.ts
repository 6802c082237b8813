// The entry `subagents/slim`, for small bundles: without the module, which `init` takes. Owns that the module is there before
// the first manager.

import { type JournalReplay, readJournalWith } from '../api/read-journal.js';
import type { StandaloneSubAgentTool } from '../api/standalone-tool.js';
import { compileLater } from '../base/compile.js';
import { SubAgentError } from '../base/errors.js';
import {
  createSubAgentTool as createTool,
  SubAgentManager as Manager,
  type Store,
  type StoreContents,
  type SubAgentToolConfig,
} from '../index.js';

export type { JournalEntry, JournalReplay, JournalSession, JournalView } from '../api/read-journal.js';
export * from '../index.js';

/**
 * The source of the module: the URL of `subagents/subagents.wasm`, a `Response` of it, its bytes, or the
 * `WebAssembly.Module` that they make.
 */
export type WasmSource = string | URL | { arrayBuffer(): Promise<ArrayBuffer> } | ArrayBuffer | ArrayBufferView<ArrayBuffer> | object;

let compiled: object | undefined;

/**
 * Makes the package ready; await it before the first manager. Once it has resolved, later calls change nothing. Rejects with
 * `invalid_argument` if the source is none or can't be fetched. Rejects with `not_ready` if it can't be compiled, because of a
 * Content-Security-Policy or wrong bytes.
 */
export async function init(source: WasmSource | Promise<WasmSource>): Promise<void> {
  if (compiled !== undefined) return;
  const module = await moduleOf(await source);
  compiled ??= module;
}

async function moduleOf(source: WasmSource): Promise<object> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string' || source instanceof URL) return moduleOf(await fetch(source));
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source))
    return compileLater(async () => WebAssembly.compile(source as ArrayBuffer));
  const { arrayBuffer, ok, status, url } = Object(source) as Partial<Response>;
  // An error page is no module, and would only be reported as a broken one.
  if (ok === false) throw new SubAgentError('invalid_argument', `${url || 'the response'} answered ${status}`, { status });
  if (typeof arrayBuffer === 'function') {
    const bytes = await (source as Response).arrayBuffer();
    return compileLater(async () => WebAssembly.compile(bytes));
  }
  throw new SubAgentError('invalid_argument', '`init` needs the URL of subagents.wasm, a response of it, its bytes, or its module');
}

/** The manager of the main entry; throws `not_ready` before `init` has resolved. */
export class SubAgentManager extends Manager {
  /** The module from `init`. */
  static override module(): object {
    if (compiled === undefined) throw new SubAgentError('not_ready', 'await `init(…)` of subagents/slim before the first manager');
    return compiled;
  }
}

/** Makes the standalone tool, like the main entry; throws `not_ready` before `init` has resolved. */
export function createSubAgentTool(config: SubAgentToolConfig): StandaloneSubAgentTool {
  return createTool(config, SubAgentManager);
}

/** Reads a journal, like `readJournal` of `subagents/journal`; rejects with `not_ready` before `init` has resolved. */
export function readJournal(source: Store | StoreContents): Promise<JournalReplay> {
  return readJournalWith(source, SubAgentManager);
}
