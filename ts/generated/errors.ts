// Made by `cargo xtask generate` from the tables in src/; do not edit.

/** What an error is about. */
export type SubAgentErrorCode =
  /** Too many host functions did not return after their runs had ended, so nothing starts. `onError` is called too. */
  | 'abandoned_limit'
  /** A signal has fired, a wait reached its time limit, or a stopping run asked for foreground work. */
  | 'aborted'
  /** The calling run has ended, or its sub-agent or session is being cancelled or closed. */
  | 'actor_ended'
  /** Several sub-agents have this nickname, and none is nearer than the others. */
  | 'ambiguous_nickname'
  /** The rest of a budget is less than one turn's estimate. */
  | 'budget_exhausted'
  /** A parent has too many children queued or running. */
  | 'children_limit'
  /** The clock of a worker differs from that of its Postgres by more than an eighth of `lostAfterMs`. */
  | 'clock_skew'
  /** No slot is free, and nothing may wait for one: `onLimit` is `'reject'`. */
  | 'concurrency_limit'
  /** A run under a dollar cap reported no cost: it counts as zero. `onError` gets it once. */
  | 'cost_unknown'
  /** A sub-agent would be nested too deep. */
  | 'depth_limit'
  /** The manager has been disposed. */
  | 'disposed'
  /** A drain has begun. */
  | 'draining'
  /** The sub-agent existed and has been forgotten. */
  | 'forgotten'
  /** A retained sub-agent has this id. */
  | 'id_taken'
  /** The idempotency key was used for a spawn with other parameters. */
  | 'idempotency_conflict'
  /** The idempotency key names a sub-agent that has been forgotten. */
  | 'idempotency_forgotten'
  /** The runtime allows no further instance of the module. */
  | 'instance_limit'
  /** The manager's core failed; no call of it works again. Other managers continue. */
  | 'internal'
  /** A value of an argument, option or field is invalid, or the name of an option is unknown. */
  | 'invalid_argument'
  /** Data of a worker or its queue can't be read. The run ends with this stop reason. */
  | 'invalid_result'
  /** Another process has taken the lead of the queue that carries the runs out. */
  | 'lead_replaced'
  /** Too many messages wait for the sub-agent. */
  | 'messages_limit'
  /** A wait ended because the sub-agent asks and waits for a message. */
  | 'needs_input'
  /** An open sub-agent of the same parent has this nickname. */
  | 'nickname_taken'
  /** A used model is missing in `prices`, so its cost is unknown. `onError` gets it once for each model. */
  | 'no_price'
  /** None of the requested tools may be passed on. */
  | 'no_tools'
  /** The sub-agent is not below the calling run or session. */
  | 'not_reachable'
  /** The WebAssembly module is missing, of another version, or can't be compiled. Or the queue of `subagents/bullmq` can't be opened. */
  | 'not_ready'
  /** Too many notices are unacknowledged, so background work is refused. */
  | 'notices_limit'
  /** A policy refused a spawn. */
  | 'policy_blocked'
  /** No slot is free, and the queue is full. */
  | 'queue_full'
  /** A rate limit cools down or the last start was just now, and work may not wait. */
  | 'rate_limited'
  /** The result was released. */
  | 'released'
  /** Too many sessions are open. */
  | 'sessions_limit'
  /** `checkConsumerSpawn` refused a spawn, threw, or answered with no boolean. */
  | 'spawn_denied'
  /** One tree has spawned its maximum of sub-agents. */
  | 'spawns_limit'
  /** Nothing moves: sub-agents with queued work below them hold every slot. `onError` is called. */
  | 'stalled'
  /** What is in the store can't be trusted. */
  | 'store_damaged'
  /** The store could not keep what happened, so the manager is over. `cause` has the error of the store. */
  | 'store_failed'
  /** Another process, or another manager, has the store, or has taken it over. */
  | 'store_locked'
  /** What is in the store was written by a newer version of this package. */
  | 'store_version'
  /** Too many sub-agents are retained, and none may be forgotten. */
  | 'tasks_limit'
  /** The run was not given this tool. */
  | 'tool_blocked'
  /** No agent is defined under this name. */
  | 'unknown_agent'
  /** There is no profile of this name. */
  | 'unknown_profile'
  /** No sub-agent has this id, and none within reach has this nickname. */
  | 'unknown_task'
  /** A background sub-agent ended 10 s ago, and nothing reads its notice. `onError` gets it once; nothing is thrown. */
  | 'unread_notice'
  /** A run on workers has lost more of them than `maxLosses` allows, or its job could not run. */
  | 'worker_lost'
  /** The sub-agent can't do this in its status. */
  | 'wrong_status'
  /** This call needs a sub-agent that the program drives; a host runs this one. */
  | 'wrong_style';

/** The details of an error. Its code decides which fields there are. */
export interface SubAgentErrorDetails {
  /** The argument, the option or the field that is wrong. */
  readonly argument?: string;
  /** The limit that is reached. */
  readonly limit?: number;
  /** The number of slots in use. */
  readonly active?: number;
  /** The rest of a budget, in `unit`. */
  readonly remaining?: number;
  /** The needed amount, in `unit`. */
  readonly needed?: number;
  /** The unit of `remaining` and `needed`: `tokens`, `US dollars` or `turns`. */
  readonly unit?: string;
  /** The option that raises the limit. */
  readonly option?: string;
  /** The model. */
  readonly modelId?: string;
  /** The status of the sub-agent. */
  readonly status?: string;
  /** The call that the sub-agent refused. */
  readonly action?: string;
  /** The nickname. */
  readonly nickname?: string;
  /** The ids of all sub-agents with the nickname, or of those that hold every slot. */
  readonly taskIds?: readonly string[];
  /** The requested tools. */
  readonly requested?: readonly string[];
  /** The available tools. */
  readonly available?: readonly string[];
  /** The status that the sub-agent had when it was forgotten. */
  readonly lastStatus?: string;
  /** The milliseconds until this becomes possible. */
  readonly retryAfterMs?: number;
  /** The sub-agent that the error is about. */
  readonly taskId?: string;
  /** What the argument must be. */
  readonly expected?: string;
  /** The name that was probably meant, if a name is unknown. */
  readonly suggestion?: string;
  /** Why: the stop reason of a run whose signal fired, or what the host's gate said. */
  readonly reason?: string | null;
  /** How long a wait lasted that reached its limit, in milliseconds. */
  readonly timeoutMs?: number;
  /** The policy that refused. */
  readonly policy?: string;
  /** The report that the policy made instead. */
  readonly report?: string;
  /** What the sub-agent asks. */
  readonly question?: string | null;
  /** The name of the agent that was asked for. */
  readonly agent?: string;
  /** The name of the profile that was asked for. */
  readonly profile?: string;
  /** The names that there are. */
  readonly known?: readonly string[];
  /** The number of the record in the store. */
  readonly record?: number;
  /** The place in the store's file, in bytes from its beginning. */
  readonly byte?: number;
  /** The form of what is stored that the record or the snapshot has. */
  readonly version?: number;
  /** How many workers the run has lost. */
  readonly losses?: number;
  /** Where in what was sent; empty for all of it. */
  readonly place?: string;
  /** By how many milliseconds the worker's clock is ahead; below 0, behind. */
  readonly aheadMs?: number;
  /** By how many milliseconds it may differ. */
  readonly allowedMs?: number;
  /** The name of the queue. */
  readonly queue?: string;
  /** The id of the host's own, or ours, that a report named. */
  readonly id?: string;
  /** The store, by its name or its place. */
  readonly store?: string;
  /** The lock of a store's file. */
  readonly path?: string;
  /** The number of the process that has the store. */
  readonly pid?: number;
  /** The machine on which that process runs. */
  readonly host?: string;
  /** When that process took the store, in ISO 8601. */
  readonly since?: string;
  /** The last record in the store's snapshot. Earlier records are gone. */
  readonly through?: number;
  /** What became of the records. */
  readonly how?: string;
  /** The line of an agent's file that is wrong. */
  readonly line?: number;
  /** The agent's file that is wrong. */
  readonly file?: string;
  /** The latest form that this package reads. */
  readonly supported?: number;
  /** Whatever else the code has. */
  readonly [field: string]: unknown;
}

/** What an error of these codes has for certain. */
export interface CertainErrorDetails {
  abandoned_limit: { readonly option: string; readonly limit: number };
  ambiguous_nickname: { readonly nickname: string; readonly taskIds: readonly string[] };
  budget_exhausted: { readonly option: string; readonly unit: string; readonly remaining: number; readonly needed: number };
  children_limit: { readonly option: string; readonly limit: number };
  clock_skew: { readonly aheadMs: number; readonly allowedMs: number };
  concurrency_limit: { readonly option: string; readonly active: number; readonly limit: number };
  cost_unknown: { readonly taskId: string };
  depth_limit: { readonly option: string; readonly limit: number };
  id_taken: { readonly taskId: string };
  idempotency_conflict: { readonly taskId: string };
  idempotency_forgotten: { readonly taskId: string; readonly status: string; readonly lastStatus: string };
  invalid_result: { readonly place: string };
  lead_replaced: { readonly queue: string };
  messages_limit: { readonly option: string; readonly limit: number };
  needs_input: { readonly taskId: string; readonly question: string | null };
  nickname_taken: { readonly nickname: string };
  no_tools: { readonly requested: readonly string[]; readonly available: readonly string[] };
  notices_limit: { readonly option: string; readonly limit: number };
  policy_blocked: { readonly policy: string };
  queue_full: { readonly option: string; readonly limit: number };
  rate_limited: { readonly retryAfterMs: number };
  sessions_limit: { readonly option: string; readonly limit: number };
  spawn_denied: { readonly reason: string | null };
  spawns_limit: { readonly option: string; readonly limit: number };
  stalled: { readonly option: string; readonly taskIds: readonly string[]; readonly limit: number };
  tasks_limit: { readonly option: string; readonly limit: number };
  tool_blocked: { readonly requested: readonly string[] };
  unknown_agent: { readonly agent: string; readonly known: readonly string[] };
  unknown_profile: { readonly profile: string; readonly known: readonly string[] };
  worker_lost: { readonly losses: number };
  wrong_status: { readonly status: string; readonly action: string };
  wrong_style: { readonly action: string };
}
