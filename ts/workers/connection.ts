// How a lead and its workers come together. Owns the options that both have.

/** What leads and workers have in common. */
export interface WorkersConnection {
  /** The queue's name. A queue has one lead at a time. @default 'subagents' */
  readonly queue?: string | undefined;
  /**
   * How BullMQ reaches its database: options of `ioredis`, such as `{ host, port }`, or a client; with `backend: 'postgres'`
   * a connection string, options of `pg`, or a pool.
   */
  readonly connection: unknown;
  /** The database behind BullMQ: Redis 6.2 or later with the package `ioredis`, or Postgres with the package `pg`. @default 'redis' */
  readonly backend?: 'redis' | 'postgres' | undefined;
  /** What the keys in Redis begin with. @default 'bull' */
  readonly prefix?: string | undefined;
  /**
   * Gets the errors that go by themselves, such as a lost connection: the work goes on once it is back.
   * @default nothing is told
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}
