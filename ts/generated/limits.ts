// Made by `cargo xtask generate` from the tables in src/; do not edit.

/** Limits. Each has a default; `Infinity` lifts it. */
export interface Limits {
  /** How many sub-agents run at once: the number of slots. In a count, at least 1. @default 3 */
  maxConcurrent?: number;
  /** How many may wait for a slot. In a count, at least 0. @default 1_000 */
  maxQueued?: number;
  /** How deep sub-agents may nest; at 1 a sub-agent has no sub-agents. In a count, at least 1. @default 1 */
  maxDepth?: number;
  /** How many children with an open or queued run one parent may have. In a count, at least 1. @default 32 */
  maxChildren?: number;
  /** How many tasks are kept, ended ones included; the oldest that may go makes room. In a count, at least 1. @default 100_000 */
  maxTasks?: number;
  /** How many ended tasks stay readable. In a count, at least 0. @default 1_000 */
  retain?: number;
  /** How many sessions may be open. In a count, at least 1. @default 10_000 */
  maxSessions?: number;
  /** How many abandoned host functions may still be running before new starts stop. In a count, at least 1. @default 16 */
  maxAbandoned?: number;
  /** How many turns one run may take. In a count, at least 1. @default 10 */
  maxTurns?: number;
  /** Tokens held for one turn before it is made; unless given, at most a fifth of the task's cap. In a count, at least 1. @default 2_000 */
  turnEstimate?: number;
  /** Tokens of a task's cap kept for its wrap-up turn; at most a tenth of the cap. In a count, at least 0. @default 1_000 */
  wrapUpTokens?: number;
  /** How long a run may take before it is told to wrap up; queue time does not count. In milliseconds, at least 1. @default 1_800_000 */
  timeoutMs?: number;
  /** How long a run that was told to stop has to return. In milliseconds, at least 0. @default 10_000 */
  graceMs?: number;
  /** How long a run may be silent after its first report or turn. In milliseconds, at least 1. @default 300_000 */
  idleTimeoutMs?: number;
  /** How long a host function that did not return keeps its slot and hold after its run ended. In milliseconds, at least 1. @default 60_000 */
  abandonMs?: number;
  /** How many messages one task may have waiting. In a count, at least 1. @default 20 */
  maxMessages?: number;
  /** The longest output that is kept whole. In bytes of UTF-8, at least 1. @default 1_048_576 */
  maxResultBytes?: number;
  /** The longest output that a tool's answer shows whole. In bytes of UTF-8, at least 1. @default 16_384 */
  inlineBytes?: number;
  /** How long a summary may be, in tokens. In a count, at least 1. @default 2_000 */
  maxSummaryTokens?: number;
  /** How long work waits until its priority counts one higher. In milliseconds, at least 1. @default 10_000 */
  ageingMs?: number;
}

/** The default of every limit. */
export const DEFAULT_LIMITS = {
  maxConcurrent: 3,
  maxQueued: 1_000,
  maxDepth: 1,
  maxChildren: 32,
  maxTasks: 100_000,
  retain: 1_000,
  maxSessions: 10_000,
  maxAbandoned: 16,
  maxTurns: 10,
  turnEstimate: 2_000,
  wrapUpTokens: 1_000,
  timeoutMs: 1_800_000,
  graceMs: 10_000,
  idleTimeoutMs: 300_000,
  abandonMs: 60_000,
  maxMessages: 20,
  maxResultBytes: 1_048_576,
  inlineBytes: 16_384,
  maxSummaryTokens: 2_000,
  ageingMs: 10_000,
} as const satisfies Required<Limits>;

/** The budget of a manager where the user gives none, in tokens. */
export const DEFAULT_BUDGET_TOKENS = 50_000;
/** The cap of a sub-agent where the user gives none, in tokens. */
export const DEFAULT_TASK_TOKENS = 10_000;
/** How long a wait for several lasts where the user gives no time, in milliseconds. */
export const DEFAULT_WAIT_MS = 30_000;
