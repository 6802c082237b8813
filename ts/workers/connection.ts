// The connection of a lead and its workers. Owns the options that both have, and the reading of `connection`.

import { wrong } from '../stores/failures.js';

/** The options that leads and workers share. */
export interface WorkersConnection {
  /** The queue's name. A queue has one lead at a time. @default 'subagents' */
  readonly queue?: string | undefined;
  /**
   * How BullMQ reaches its database: an address, options of `ioredis`, or a client.
   *
   * An address is `redis://127.0.0.1:6379`, for example, and options `{ host, port }`. A client needs
   * `maxRetriesPerRequest: null`, and you close it yourself. With `backend: 'postgres'` it is a connection string, options of
   * `pg`, or a pool.
   */
  readonly connection: unknown;
  /** The database behind BullMQ: Redis 6.2 or later with the package `ioredis`, or Postgres with `pg`. @default 'redis' */
  readonly backend?: 'redis' | 'postgres' | undefined;
  /** The prefix of the keys in Redis. @default 'bull' */
  readonly prefix?: string | undefined;
  /**
   * Called with background errors, such as a lost connection. Default: logs each one, at most once a minute.
   *
   * The work continues once the connection is back.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The names of these options. */
export const CONNECTION_OPTIONS = ['queue', 'connection', 'backend', 'prefix', 'onError'] as const satisfies (keyof WorkersConnection)[];

const BACKENDS = ['redis', 'postgres'];
const LONGEST_RETRY_MS = 2_000;
/** How long a closing connection waits for the other side to close. */
const DISCONNECT_MS = 500;
const NAMES_REDIS = /^(redis|rediss|unix):\/\//;
/**
 * Codes of the system and of Postgres for passing failures: a connection that may soon open, or a transaction that another one
 * blocked.
 */
const PASSING_CODES = /^(ECONN\w+|E(HOST|NET)UNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|ENOENT|08\w{3}|40\w{3}|53\w{3}|57P0\d)$/;
/** Answers of a Redis that is starting, is full or has lost its master, and messages of clients about a broken connection. */
const PASSING_ANSWERS =
  /^(LOADING|BUSY|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|READONLY|OOM|MISCONF|Connection (is closed|terminated)|Command timed out|timeout exceeded|Client (has encountered a connection error|was closed))/;

interface Client {
  readonly options?: { readonly maxRetriesPerRequest?: unknown };
}

/** Whether this is a client of `ioredis`, `redis` or Bun, tested as BullMQ does. */
function isClient(connection: object): connection is Client {
  return ['connect', 'disconnect', 'duplicate'].every((name) => typeof (connection as Record<string, unknown>)[name] === 'function');
}

export function checkConnection({ connection, backend = 'redis' }: WorkersConnection): void {
  if (!BACKENDS.includes(backend)) throw wrong('backend', `one of ${BACKENDS.join(', ')}`);
  const isText = typeof connection === 'string' && connection !== '';
  const isObject = typeof connection === 'object' && connection !== null && !Array.isArray(connection);
  if (!isText && !isObject) throw wrong('connection', 'an address, options, or a client of the database');
  if (backend === 'postgres') return;
  if (isText && !NAMES_REDIS.test(connection)) throw wrong('connection', 'an address such as redis://127.0.0.1:6379');
  // BullMQ waits for a lost connection; such a client would reject each call during that time.
  if (isObject && isClient(connection) && connection.options?.maxRetriesPerRequest)
    throw wrong('connection', 'options, or a client that was made with `maxRetriesPerRequest: null`');
}

/** The connection for BullMQ, which retries it until it opens, or nothing waits for it. */
export function withRetries(connection: unknown, isGivenUp: () => boolean): object {
  const given = (typeof connection === 'string' ? { url: connection } : connection) as object;
  if (isClient(given)) return given;
  const { retryStrategy = longer } = given as { retryStrategy?: (times: number) => unknown };
  return { disconnectTimeout: DISCONNECT_MS, ...given, retryStrategy: (times: number) => (isGivenUp() ? null : retryStrategy(times)) };
}

function longer(times: number): number {
  return Math.min(100 * times, LONGEST_RETRY_MS);
}

/** Whether a database refuses this connection for good. */
export function isRefusal(error: unknown): boolean {
  return /^(NOAUTH|WRONGPASS|NOPERM)\b/.test(errorText(error));
}

/** Whether the cause of a failed connection may soon be over. */
export function healsByItself(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return (typeof code === 'string' && PASSING_CODES.test(code)) || PASSING_ANSWERS.test(errorText(error));
}

/** An error in one line. Some errors about several addresses have no message. */
export function errorText(error: unknown): string {
  const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown };
  return String(message || code || error);
}
