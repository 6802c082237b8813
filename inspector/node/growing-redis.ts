// The journal of a store in Redis, by address: read alongside the process that has it, which keeps its lease. Owns the
// source of the client, which this package doesn't have, and that no message has a password.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type RedisClient, redisStore } from 'subagents/store/redis';
import { type Growing, replayed } from './growing-store.js';
import { messageOf, Unreadable } from './unreadable.js';

const CONNECT_MS = 10_000;
const PAUSE_MS = 500;

/** Whether this is the address of a Redis. */
export function isRedis(path: string): boolean {
  return /^(rediss?|unix):\/\//u.test(path);
}

/** The address as it is shown: without its secrets. */
export function redisName(path: string): string {
  return isRedis(path) ? (path.replace(/^([a-z]+:\/\/)[^/@]*@/u, '$1').split(/[?#]/u, 1)[0] as string) : path;
}

export async function openRedis(path: string, key: string | undefined): Promise<Growing> {
  const { client, end } = await connect(addressOf(path));
  try {
    const store = redisStore(client, { readOnly: true, ...(key !== undefined && { key }) });
    return await replayed(store, async () => end());
  } catch (error) {
    end();
    throw error;
  }
}

interface Address {
  /** Undefined if the address names a socket of this machine. */
  readonly url?: string;
  readonly socket?: string;
  readonly database?: number;
  readonly password?: string;
}

function addressOf(path: string): Address {
  const given = URL.canParse(path) ? new URL(path) : undefined;
  if (given === undefined) throw new Unreadable(`${redisName(path)} is no address: redis://HOST:PORT/DATABASE, or unix:///PATH`);
  // From the environment, as in redis-cli: no list of processes shows it there.
  const password = given.password === '' ? process.env.REDISCLI_AUTH : undefined;
  const secret = password !== undefined && { password };
  if (given.protocol === 'unix:') {
    const database = given.searchParams.get('db');
    return { socket: decodeURIComponent(given.pathname), ...(database !== null && { database: Number(database) }), ...secret };
  }
  const behind = given.pathname.slice(1);
  if (!/^\d*$/u.test(behind))
    throw new Unreadable(`what stands behind ${given.host} is the number of a database; a store's name goes with --key ${behind}`);
  return { url: path, ...secret };
}

interface Connection {
  readonly client: RedisClient;
  end(): void;
}

/** The methods of the clients that are used here. */
interface Connecting {
  on(name: 'error', listener: (error: Error) => void): unknown;
  connect(): Promise<unknown>;
  disconnect(): void;
  readonly isOpen?: boolean;
  destroy(): void;
}

/** A connection by the project's own client. Reconnects only after the first connection. */
async function connect(address: Address): Promise<Connection> {
  const { name, module } = clientModule();
  let isThere = false;
  let said: unknown;
  const make = name === 'ioredis' ? ioredis : nodeRedis;
  const client = make(module, address, () => isThere);
  client.on('error', (error) => {
    said = error;
  });
  const end = (): void => {
    if (name === 'ioredis') client.disconnect();
    else if (client.isOpen) client.destroy();
  };
  try {
    await client.connect();
  } catch (error) {
    end();
    // The connection's own error says more than "closed"; some errors hold one for each address of a host.
    const [first = said ?? error] = (said as { errors?: unknown[] } | undefined)?.errors ?? [];
    throw first;
  }
  isThere = true;
  return { client: client as never, end };
}

type Module = Record<string, unknown>;

function ioredis(module: Module, { url, socket, database, password }: Address, isThere: () => boolean): Connecting {
  const Client = module.Redis as new (...args: unknown[]) => Connecting;
  const options = {
    lazyConnect: true,
    enableReadyCheck: false,
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: null,
    retryStrategy: () => (isThere() ? PAUSE_MS : null),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { db: database }),
  };
  return url === undefined ? new Client({ ...options, path: socket }) : new Client(url, options);
}

function nodeRedis(module: Module, { url, socket, database, password }: Address, isThere: () => boolean): Connecting {
  const createClient = module.createClient as (options: object) => Connecting;
  const reconnectStrategy = (): number | false => isThere() && PAUSE_MS;
  return createClient({
    ...(url !== undefined && { url }),
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy, ...(socket !== undefined && { path: socket }) },
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
  });
}

/** The client of the current project, or of the one that contains this package. */
function clientModule(): { name: string; module: Module } {
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url]) {
    const load = createRequire(from);
    for (const name of ['ioredis', 'redis']) {
      try {
        return { name, module: load(name) as Module };
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== 'MODULE_NOT_FOUND') throw new Unreadable(`${name} can't be loaded: ${messageOf(error)}`);
      }
    }
  }
  throw new Unreadable(
    'a store in Redis is read with the package `ioredis` or `redis`, and neither is here. Call this in the folder of the program that has the store, or install one (`npm install ioredis`)',
  );
}
