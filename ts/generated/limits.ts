// Made by `cargo xtask generate` from the tables in src/; do not edit.

/** Limits. Each has a default; `Infinity` lifts it. */
export interface Limits {
  /** The number of slots: how many sub-agents run at once. At least 1. @default 3 */
  maxConcurrent?: number;
  /** How many may wait for a slot. At least 0. @default 100_000 */
  maxQueued?: number;
  /** How deep sub-agents may nest; at 1 a sub-agent has no sub-agents. At least 1. @default 1 */
  maxDepth?: number;
  /** How many running or queued children a parent may have; the program's own don't count. At least 1. @default 32 */
  maxChildren?: number;
  /** How many sub-agents a session may ever spawn, at all depths; forgotten ones count. At least 1. @default Infinity */
  maxSpawns?: number;
  /** How many sessions may be open. At least 1. @default 10_000 */
  maxSessions?: number;
  /** How many abandoned host functions may still be running before new starts stop. At least 1. @default 16 */
  maxAbandoned?: number;
  /** How many messages one task may have waiting. At least 1. @default 20 */
  maxMessages?: number;
  /** How many turns one run may take. At least 1. @default 20 */
  maxTurns?: number;
  /** Tokens reserved per turn; if unset, from the third on, 1.5 times the recent mean. At least 1. @default 2_000 */
  turnEstimate?: number;
  /** Reserved per turn; if unset, the dearest of the run or the nearest sub-agents. US dollars, above 0. @default 0.25 */
  turnEstimateUsd?: number;
  /** How much a token read from a provider's cache counts against token caps, in thousandths. At least 0. @default 1_000 */
  countCacheReads?: number;
  /** Tokens that a cap reserves for each wrap-up turn, at most a tenth of it. At least 0. @default 1_000 */
  wrapUpTokens?: number;
  /** How long a run may take, without queue time, until it must wrap up. Milliseconds, at least 1. @default 1_800_000 */
  timeoutMs?: number;
  /** How long a stopping run may take to return. Milliseconds, at least 0. @default 10_000 */
  graceMs?: number;
  /** How long a run may be silent after its first report or turn. Milliseconds, at least 1. @default 300_000 */
  idleTimeoutMs?: number;
  /** How long a host function keeps its slot and reservation after its run ended. Milliseconds, at least 1. @default 60_000 */
  abandonMs?: number;
  /** How long a sub-agent's question waits for its answer, with its run parked. Milliseconds, at least 1. @default 600_000 */
  askTimeoutMs?: number;
  /** How long a policy may take to answer; a gate without an answer refuses. Milliseconds, at least 1. @default 600_000 */
  approvalTimeoutMs?: number;
  /** How long runs with queued sub-agents may fill all slots before `onError` gets `stalled`. Milliseconds, at least 1. @default 5_000 */
  stallMs?: number;
  /** The maximum output retained uncut. Bytes of UTF-8, at least 1. @default 1_048_576 */
  maxResultBytes?: number;
  /** The maximum output that a tool's answer shows in full. Bytes of UTF-8, at least 1. @default 16_384 */
  inlineBytes?: number;
  /** How long work waits until its priority rises by one. Milliseconds, at least 1. @default 10_000 */
  ageingMs?: number;
  /** Shortest time between starts or re-entries; 50 after a cooldown, unless you set 0. Milliseconds, at least 0. @default 0 */
  staggerMs?: number;
  /** The longest cooldown after a rate limit; longer ones are shortened. Milliseconds, at least 1. @default 3_600_000 */
  maxCooldownMs?: number;
  /** How many rate limits cool down at once; beyond it, the first to end goes. At least 1. @default 1_000 */
  maxCooldowns?: number;
  /** How many tasks are retained, ended ones included; the oldest evictable one is forgotten first. At least 1. @default 100_000 */
  maxTasks?: number;
  /** How many ended tasks stay readable after a wait or an `ack` for their end. At least 0. @default 1_000 */
  retain?: number;
  /** How often `onHostLost` repeats a run without a new checkpoint, before it ends `host_lost`. At least 0. @default 5 */
  maxLost?: number;
  /** How long a used idempotency key answers, and at least until its work ends. Milliseconds, at least 1. @default 86_400_000 */
  idempotencyTtlMs?: number;
  /** How many idempotency keys are remembered; beyond that, the oldest is dropped. At least 1. @default 100_000 */
  maxIdempotencyKeys?: number;
  /** How long a leased notice may stay without `ack` before it is delivered again. Milliseconds, at least 1. @default 60_000 */
  leaseMs?: number;
  /** How often a notice is delivered before it stays undelivered. At least 1. @default 5 */
  maxDeliveries?: number;
  /** How many unacknowledged notices may wait before new background work is refused. At least 1. @default 100_000 */
  maxNotices?: number;
  /** How many notices one turn gets; the others come with the next turn. At least 1. @default 32 */
  maxInjected?: number;
}

/** The default of every limit. */
export const DEFAULT_LIMITS = {
  maxConcurrent: 3,
  maxQueued: 100_000,
  maxDepth: 1,
  maxChildren: 32,
  /** No bound. */
  maxSpawns: Infinity,
  maxSessions: 10_000,
  maxAbandoned: 16,
  maxMessages: 20,
  maxTurns: 20,
  turnEstimate: 2_000,
  turnEstimateUsd: 0.25,
  countCacheReads: 1_000,
  wrapUpTokens: 1_000,
  timeoutMs: 1_800_000,
  graceMs: 10_000,
  idleTimeoutMs: 300_000,
  abandonMs: 60_000,
  askTimeoutMs: 600_000,
  approvalTimeoutMs: 600_000,
  stallMs: 5_000,
  maxResultBytes: 1_048_576,
  inlineBytes: 16_384,
  ageingMs: 10_000,
  staggerMs: 0,
  maxCooldownMs: 3_600_000,
  maxCooldowns: 1_000,
  maxTasks: 100_000,
  retain: 1_000,
  maxLost: 5,
  idempotencyTtlMs: 86_400_000,
  maxIdempotencyKeys: 100_000,
  leaseMs: 60_000,
  maxDeliveries: 5,
  maxNotices: 100_000,
  maxInjected: 32,
} as const satisfies Required<Limits>;

/** How long a wait for several lasts where the user gives no time, in milliseconds. */
export const DEFAULT_WAIT_MS = 30_000;
/** How often a process with an armed deadline checks that it didn't stand still, in milliseconds. */
export const BEAT_MS = 1_000;
/** How long an unread notice waits before `onError` gets `unread_notice`, in milliseconds. */
export const UNREAD_NOTICE_MS = 10_000;
