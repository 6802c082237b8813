// BullMQ's connections to Postgres, and the database's time. Owns that a connection's error ends no process and reaches the
// part that uses it.

import type { BackendFactory } from 'bullmq';

interface Client {
  on(event: 'error', listener: (error: unknown) => void): unknown;
  emit(event: 'error', error: unknown): unknown;
  listenerCount(event: 'error'): number;
  removeAllListeners(...events: string[]): unknown;
}

interface Connection {
  readonly pool: {
    on(event: 'acquire', listener: (client: Client) => void): unknown;
    query(statement: string): Promise<{ readonly rows: readonly { readonly now: unknown }[] }>;
  };
  /** The package `pg`, if the pool is made from options. */
  pgModule?: { readonly Client: new (...given: never[]) => Client };
}

/** The milliseconds that this process's clock is certainly ahead of the database's; negative if it is behind. */
export async function aheadOf(backend: object): Promise<number> {
  const { pool } = (backend as { readonly connection: Connection }).connection;
  const before = Date.now();
  const { rows } = await pool.query('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now');
  const after = Date.now();
  // It was read between the two.
  const now = Number(rows[0]?.now);
  if (now < before) return before - now;
  return now > after ? after - now : 0;
}

/**
 * Adds error listeners to connections. `pg` leaves errors to the code that took a connection out of its pool, or made it.
 * BullMQ listens only once it is connected, or not at all, and an error without a listener ends the process.
 */
export function withErrorListeners(create: BackendFactory): BackendFactory {
  return (...given) => {
    const backend = create(...given) as { readonly connection: Connection };
    const { connection } = backend;
    const known = new WeakSet<Client>();
    connection.pool.on('acquire', (client) => {
      if (known.has(client)) return;
      known.add(client);
      listen(client);
    });
    const { pgModule } = connection;
    if (pgModule !== undefined) {
      class ListenedClient extends pgModule.Client {
        constructor(...options: never[]) {
          super(...options);
          listen(this);
        }
      }
      connection.pgModule = Object.create(pgModule, { Client: { value: ListenedClient } }) as { readonly Client: typeof ListenedClient };
    }
    return backend;
  };
}

/**
 * Listens from the beginning. An error may arrive with the same bytes as the answer that the connection is open, before BullMQ
 * could listen. So it is emitted once more, a little later. BullMQ removes all listeners before it ends a connection, which may
 * break until it has ended: then this listens again.
 */
function listen(client: Client): void {
  let isRepeated = false;
  const onError = (error: unknown): void => {
    if (isRepeated || client.listenerCount('error') > 1) return;
    isRepeated = true;
    setTimeout(() => client.emit('error', error), 0);
  };
  client.on('error', onError);
  const removeAll = client.removeAllListeners.bind(client);
  client.removeAllListeners = (...events) => {
    removeAll(...events);
    if (client.listenerCount('error') === 0) client.on('error', onError);
    return client;
  };
}
