// Made by `cargo xtask generate` from the tables in src/; do not edit.

/** The answer of `checkConsumerSpawn`, the gate before each spawn. */
export interface SpawnGate {
  /** Whether the sub-agent may be spawned. */
  allowed: boolean;
  /** The reason for a refusal, for the model. */
  reason?: string | undefined;
}

/** How full a manager is. */
export interface ConcurrencyInfo {
  /** Slots taken, cancelled runs that are still returning included. */
  active: number;
  /** The limit `maxConcurrent`. */
  limit: number;
  /** Runs that wait to begin; `waitingFor` has the reasons. */
  queued: number;
  /** The limit `maxQueued`. */
  queueLimit: number;
  /** Runs that released their slot while they wait. */
  parked: number;
  /** Abandoned host functions that have not returned. */
  abandoned: number;
  /** Work that has not begun, counted by its reason to wait whenever this is read. */
  waitingFor: Record<'abandoned' | 'host' | 'held' | 'retry' | 'cooldown' | 'stagger' | 'budget' | 'slot' | 'session' | 'definition' | 'rate' | 'program', number>;
}

/** The results of a drain. */
export interface DrainResult {
  /** Runs that ended by themselves during it. */
  ended: number;
  /** Runs that the drain cancelled, queued ones included. */
  cancelled: number;
  /** Host functions that had not returned. */
  stillRunning: number;
  /** Whether the time ran out. */
  timedOut: boolean;
}
