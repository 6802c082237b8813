// The end of a client, and of the work that it started. Owns the time that background work has left.

import { expectKnown } from './any-tool.js';
import type { LowServer, McpV1Server, McpV2Server } from './mcp-types.js';
import { expectPart, mistake } from './mistake.js';

/** Options of `endWithClient`. */
export interface EndOptions {
  /** How long background work continues once the client is gone, in milliseconds; `Infinity` until it has ended. @default 0 */
  lingerMs?: number | undefined;
}

/** A manager or a session. */
export type Ending = {
  /** Lists sub-agents. */
  list(options: { filter: { status: ('pending' | 'running')[] }; page: { offset: number; limit: number } }): { total: number };
} & ({ [Symbol.asyncDispose](): Promise<unknown> } | { close(): Promise<unknown> });

/** Ends of work, among the events of a manager. */
const ENDS: readonly unknown[] = ['run_ended', 'task_ended'];
/** How often it looks at a session, which has no events of its own, in milliseconds. */
const POLL_MS = 50;
/** How often it looks at a manager, which doesn't report its disposal. */
const LOOK_MS = 1_000;

/**
 * Ends a manager, or a session, with the connection of its client. Open calls end at once, because their client has gone.
 * Background work continues for `lingerMs`. A manager with a store leaves the rest to the next process. Call it
 * before the server connects. Resolves once everything has ended.
 *
 * @param server the server that `registerTools` was given
 * @param scope a manager or a session
 * @param options how long background work continues
 */
export function endWithClient(server: McpV2Server | McpV1Server, scope: Ending, options: EndOptions = {}): Promise<void> {
  expectKnown('endWithClient', options, ['lingerMs']);
  const { lingerMs = 0 } = options;
  if (typeof lingerMs !== 'number' || !(lingerMs >= 0))
    throw mistake('endWithClient: `lingerMs` must be milliseconds from 0, or Infinity', { argument: 'lingerMs' });
  const low = ((server as Partial<McpV2Server> | undefined)?.server ?? server) as LowServer;
  expectPart('endWithClient', 'server', 'a server of the SDK of MCP', low, 'setRequestHandler');
  const before = low.onclose;
  return new Promise((resolve, reject) => {
    low.onclose = () => {
      before?.();
      lingered(scope, lingerMs).then(resolve, reject);
    };
  });
}

/** Lets running work continue for this time, then ends everything. */
export async function lingered(scope: Ending, lingerMs: number): Promise<void> {
  const until = Date.now() + lingerMs;
  const works = (): boolean => scope.list({ filter: { status: ['pending', 'running'] }, page: { offset: 0, limit: 1 } }).total > 0;
  // Work that the calls were waiting for ends by their signals first.
  await new Promise<void>((next) => setTimeout(next, 0));
  while (Date.now() < until && works()) await ended(scope, until - Date.now());
  await (Symbol.asyncDispose in scope ? scope[Symbol.asyncDispose]() : scope.close());
}

/** Resolves once some work has ended, or after this time at the latest. */
function ended(scope: Ending, withinMs: number): Promise<void> {
  const { subscribe } = scope as { subscribe?: (listener: (event: { type: string }) => void) => () => void };
  return new Promise((resolve) => {
    const timer = setTimeout(over, Math.min(withinMs, subscribe === undefined ? POLL_MS : LOOK_MS));
    const stop = subscribe?.call(scope, ({ type }) => {
      if (ENDS.includes(type)) over();
    });
    function over(): void {
      clearTimeout(timer);
      stop?.();
      resolve();
    }
  });
}
