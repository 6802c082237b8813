// BullMQ's connections to Postgres. Owns that an error of one ends no process.

import type { BackendFactory } from 'bullmq';

interface PostgresPool {
  on(event: 'acquire', listener: (client: { on(event: 'error', listener: () => void): unknown }) => void): unknown;
}

/**
 * Has the errors of Postgres' connections heard also while a part is opened over one: `pg` leaves them to whoever has taken it
 * out of its pool, BullMQ listens only later, and an error that nobody hears ends the process. What was asked over it is told.
 */
export function withErrorsHeard(create: BackendFactory): BackendFactory {
  return (...given) => {
    const backend = create(...given) as { readonly connection: { readonly pool: PostgresPool } };
    const heard = new WeakSet<object>();
    backend.connection.pool.on('acquire', (client) => {
      if (heard.has(client)) return;
      heard.add(client);
      client.on('error', () => undefined);
    });
    return backend;
  };
}
