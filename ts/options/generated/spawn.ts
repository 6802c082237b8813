// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { Metadata } from '../../base/metadata.js';
import type { OnParentEnd } from '../../generated/names.js';
import type { Origin } from '../../snapshots/notices.js';
import type { MustHave } from '../must-have.js';
import type { Prices, StagedPrice } from '../prices.js';
import type { EndedBadly, RetryOptions, StagedRetry } from '../retry.js';
import type { ResultSchema } from '../schema/schema.js';
import type { Budget, Sometimes } from '../values.js';

/** The parameters of the `SubAgent` tool, as a model gives them and as `spawnSubAgent` gets them. */
export interface SubAgentParamsType {
  /** The whole task. What a program spawns without a text is there and idle until it gets a message. */
  instructions: string;
  /** Names of the tools it may use. `*` in one stands for any characters: `mcp__slack__*`. Default: the parent's. */
  tools?: string[];
  /** A system prompt of its own. Default: that of its definition, else the one that its profile makes. */
  systemPrompt?: string;
  /** Turns that each of its runs may take. Default: the manager's `maxTurns`, which is 20 unless it was set. */
  maxTurns?: number;
  /** What it may cost in its life, in US dollars; the same as `budget.costUsd`. Default: only the caps above it. */
  maxCost?: number;
  /** Runs it in the background: the call returns at once, and the end comes as a notice. @default false */
  background?: boolean;
}

/** What to spawn. */
export interface SpawnOptions<Fields = Metadata> {
  /** The whole task. What a program spawns without a text is there and idle until it gets a message. */
  instructions?: string | undefined;
  /**
   * A name for display; it may repeat. Default: the first 30 characters of the text; without a text, its nickname.
   */
  label?: string | undefined;
  /**
   * A name that works as an id in calls of the one that spawns it, 1 to 64 characters.
   *
   * It works from above too if no nearer sub-agent has it. It doesn't begin with `sub_`. Refused with
   * `nickname_taken` while another sub-agent of the same parent that is pending, running or idle bears it; an ended
   * one gives it up.
   */
  nickname?: string | undefined;
  /** Context that goes beside the text. @default '' */
  contextHint?: string | undefined;
  /** Names of the tools it may use. `*` in one stands for any characters: `mcp__slack__*`. Default: the parent's. */
  tools?: readonly string[] | undefined;
  /** A system prompt of its own. Default: that of its definition, else the one that its profile makes. */
  systemPrompt?: string | undefined;
  /** The profile that makes its system prompt where none is given. @default 'minimal' */
  profile?: string | null | undefined;
  /**
   * The model's id. Default: that of its definition, of the sub-agent or session that spawns it, or the manager's.
   */
  modelId?: string | undefined;
  /** The definition that it is made from, by its name in the manager's `agents`; null for none. */
  agent?: string | null | undefined;
  /** Turns that each of its runs may take. Default: the manager's `maxTurns`, which is 20 unless it was set. */
  maxTurns?: number | undefined;
  /**
   * Milliseconds until a run of it must wrap up. `run.signal` fires `graceMs` later. Default: the manager's
   * `timeoutMs`.
   */
  timeoutMs?: number | undefined;
  /** Milliseconds that a run of it may be silent. Default: the manager's `idleTimeoutMs`. */
  idleTimeoutMs?: number | undefined;
  /** Tokens reserved for one of its turns. Default: the manager's `turnEstimate`. */
  turnEstimate?: number | undefined;
  /** Which of the queued start first: the higher number. Each level counts as `ageingMs` of waiting. @default 0 */
  priority?: number | undefined;
  /** Sub-agents with the same key wait together after `run.reportRateLimit`. Those without a key share one limit. */
  rateLimitKey?: string | undefined;
  /**
   * What becomes of a background sub-agent when its parent's run ends well. Default: the manager's `onParentEnd`.
   *
   * `adopt`: it continues. `wait`: the run ends after it, without slot or deadline. `cancel`: it is cancelled.
   */
  onParentEnd?: OnParentEnd | undefined;
  /**
   * Fields of your program, such as a request's id: a plain object of JSON values. Default: null.
   *
   * At most 16,384 characters of JSON and 32 levels deep, else `invalid_argument`. It comes back in snapshots, in the
   * event of the spawn and in notices. The manager never reads it, no model sees it, and for an `idempotencyKey` it
   * doesn't count.
   */
  metadata?: Fields | undefined;
  /**
   * How a run that ended badly is tried again; `false` turns it off. Default: the manager's `retry`.
   *
   * Every attempt has the same message and its own `timeoutMs`. Waits continue until the last attempt ends.
   */
  retry?: RetryOptions | false | undefined;
  /**
   * US dollars reserved for one of its turns. Default: the manager's `turnEstimateUsd`, else its dearest turn so far.
   */
  turnEstimateUsd?: number | undefined;
  /**
   * What its models cost, by their ids: see the manager's `prices`, which hold for all models that these don't name.
   */
  prices?: Prices | undefined;
  /**
   * Your own id: 1 to 128 printable characters without spaces, not beginning with `sub_`. Default: the manager makes
   * one.
   *
   * It is shown, and works, wherever an id that the manager makes would. Refused with `id_taken` while a retained
   * sub-agent has it; once that one is forgotten, the id is free again.
   */
  taskId?: string | undefined;
  /** How hard its model thinks: `low`, `medium`, `high`, or a word of your host's. The host reads `run.effort`. */
  effort?: string | undefined;
  /**
   * Commands that the agent must have run after its last change of a file. Default: none.
   *
   * The `receipts` of its result say what it ran. A run that completed without one is `failed`, `invalid_result`,
   * with the reason in its error; `retry` may try it again, and `run.previousError` says why. An agent that doesn't
   * say exit codes can't fulfil it.
   */
  mustHave?: readonly MustHave[] | undefined;
  /**
   * How many sub-agents may be spawned below it in its life, at all depths (`spawns_limit`). Default: only the
   * manager's `maxSpawns`.
   */
  maxSpawns?: number | undefined;
  /** What it may cost in its life, in US dollars; the same as `budget.costUsd`. Default: only the caps above it. */
  maxCost?: number | undefined;
  /** Runs it in the background: the call returns at once, and the end comes as a notice. @default false */
  background?: boolean | undefined;
  /** What it may spend in its life; it gets no more than is left above it. Default: the manager's `taskBudget`. */
  budget?: Budget | undefined;
  /**
   * Makes the spawn once: the same key gives the first sub-agent, for `idempotencyTtlMs`. 1 to 1,024 bytes.
   *
   * It counts for this session or sub-agent. Other options with it are `idempotency_conflict`, also one that is given
   * as its default and was left out before. `label`, `signal` and `metadata` do not count: those of the first spawn
   * stay.
   */
  idempotencyKey?: string | undefined;
  /**
   * A further attempt if the sub-agent of this `idempotencyKey` has ended badly. Default: no further attempt.
   *
   * The attempt has the same message and the same `run.idempotencyKey`. `true`: after every bad end but `cancelled`,
   * `ancestor_cancelled` and `interrupted`; or a list of the stop reasons after which. A sub-agent that completed is
   * returned as it is. A budget larger than the first one raises its cap; the budget is then none of the options that
   * have to be the same.
   */
  retryEnded?: true | readonly EndedBadly[] | undefined;
  /**
   * Who carries out its runs: `'program'`, by the handle that `spawn` gives. Default: the host function.
   *
   * No host function is called then; see `DrivenHandle`. Its runs have only the deadlines that this spawn gives.
   */
  drive?: 'program' | undefined;
  /** How its result's `text` is made: for a model to read, or as the JSON report. @default 'text' */
  format?: 'text' | 'json' | undefined;
  /**
   * Cancels the sub-agent when it fires.
   *
   * The signal is followed until the first run has ended; without a text, until the sub-agent is closed or forgotten.
   */
  signal?: AbortSignal | undefined;
  /**
   * The channel and chat that asked for the work, for its notices. Default: the parent's, else `cli` and `direct`.
   */
  origin?: Partial<Sometimes<Origin>> | undefined;
  /**
   * Checks the `value` of its results: a Standard Schema (zod, valibot, arktype …), or a JSON Schema.
   *
   * Of JSON Schema, `JSON_SCHEMA_KEYWORDS` of `subagents/policies` lists the keywords; others are refused. The host
   * gets it as `run.schema`. A run that completed with a value that is missing, wrong, no JSON or over
   * `maxResultBytes` is `failed`, `invalid_result`. If a schema transforms a value, `result.value` is the transformed
   * one; snapshots and notices have what JSON makes of it.
   */
  schema?: ResultSchema | undefined;
}

/** Those that the definition of an agent may give. */
export interface DefinedOptions {
  /** Context that goes beside the text. @default '' */
  contextHint?: string | undefined;
  /** Names of the tools it may use. `*` in one stands for any characters: `mcp__slack__*`. Default: the parent's. */
  tools?: readonly string[] | undefined;
  /** The profile that makes its system prompt where none is given. @default 'minimal' */
  profile?: string | null | undefined;
  /** Turns that each of its runs may take. Default: the manager's `maxTurns`, which is 20 unless it was set. */
  maxTurns?: number | undefined;
  /**
   * Milliseconds until a run of it must wrap up. `run.signal` fires `graceMs` later. Default: the manager's
   * `timeoutMs`.
   */
  timeoutMs?: number | undefined;
  /** Milliseconds that a run of it may be silent. Default: the manager's `idleTimeoutMs`. */
  idleTimeoutMs?: number | undefined;
  /** Tokens reserved for one of its turns. Default: the manager's `turnEstimate`. */
  turnEstimate?: number | undefined;
  /** Which of the queued start first: the higher number. Each level counts as `ageingMs` of waiting. @default 0 */
  priority?: number | undefined;
  /** Sub-agents with the same key wait together after `run.reportRateLimit`. Those without a key share one limit. */
  rateLimitKey?: string | undefined;
  /**
   * What becomes of a background sub-agent when its parent's run ends well. Default: the manager's `onParentEnd`.
   *
   * `adopt`: it continues. `wait`: the run ends after it, without slot or deadline. `cancel`: it is cancelled.
   */
  onParentEnd?: OnParentEnd | undefined;
  /**
   * How a run that ended badly is tried again; `false` turns it off. Default: the manager's `retry`.
   *
   * Every attempt has the same message and its own `timeoutMs`. Waits continue until the last attempt ends.
   */
  retry?: RetryOptions | false | undefined;
  /**
   * US dollars reserved for one of its turns. Default: the manager's `turnEstimateUsd`, else its dearest turn so far.
   */
  turnEstimateUsd?: number | undefined;
  /**
   * What its models cost, by their ids: see the manager's `prices`, which hold for all models that these don't name.
   */
  prices?: Prices | undefined;
  /** How hard its model thinks: `low`, `medium`, `high`, or a word of your host's. The host reads `run.effort`. */
  effort?: string | undefined;
  /**
   * Commands that the agent must have run after its last change of a file. Default: none.
   *
   * The `receipts` of its result say what it ran. A run that completed without one is `failed`, `invalid_result`,
   * with the reason in its error; `retry` may try it again, and `run.previousError` says why. An agent that doesn't
   * say exit codes can't fulfil it.
   */
  mustHave?: readonly MustHave[] | undefined;
  /**
   * How many sub-agents may be spawned below it in its life, at all depths (`spawns_limit`). Default: only the
   * manager's `maxSpawns`.
   */
  maxSpawns?: number | undefined;
  /** What it may cost in its life, in US dollars; the same as `budget.costUsd`. Default: only the caps above it. */
  maxCost?: number | undefined;
  /** Runs it in the background: the call returns at once, and the end comes as a notice. @default false */
  background?: boolean | undefined;
  /** What it may spend in its life; it gets no more than is left above it. Default: the manager's `taskBudget`. */
  budget?: Budget | undefined;
  /**
   * Checks the `value` of its results: a Standard Schema (zod, valibot, arktype …), or a JSON Schema.
   *
   * Of JSON Schema, `JSON_SCHEMA_KEYWORDS` of `subagents/policies` lists the keywords; others are refused. The host
   * gets it as `run.schema`. A run that completed with a value that is missing, wrong, no JSON or over
   * `maxResultBytes` is `failed`, `invalid_result`. If a schema transforms a value, `result.value` is the transformed
   * one; snapshots and notices have what JSON makes of it.
   */
  schema?: ResultSchema | undefined;
}

/** What the core keeps of the options, as it is handed over; metadata as JSON. */
export interface StagedSpec {
  label?: string | undefined;
  nickname?: string | undefined;
  contextHint?: string | undefined;
  tools?: string[] | undefined;
  systemPrompt?: string | undefined;
  profile?: string | undefined;
  modelId?: string | undefined;
  agent?: string | undefined;
  maxTurns?: number | undefined;
  timeoutMs?: number | undefined;
  idleTimeoutMs?: number | undefined;
  turnEstimate?: number | undefined;
  priority?: number | undefined;
  rateLimitKey?: string | undefined;
  disallowedTools?: string[] | undefined;
  originChannel?: string | undefined;
  originChatId?: string | undefined;
  json?: boolean | undefined;
  onParentEnd?: string | undefined;
  metadata?: string | undefined;
  retry?: StagedRetry | undefined;
  turnEstimateUsd?: number | undefined;
  prices?: StagedPrice[] | undefined;
  taskId?: string | undefined;
  driven?: boolean | undefined;
  effort?: string | undefined;
  mustHave?: string | undefined;
  maxSpawns?: number | undefined;
}

/** An option of a spawn. */
export interface SpawnOption {
  readonly name: string;
  readonly kind: 'budget' | 'count' | 'dollars' | 'drive' | 'duration' | 'flag' | 'format' | 'instructions' | 'integer' | 'label' | 'metadata' | 'mustHave' | 'name' | 'onParentEnd' | 'once' | 'origin' | 'prices' | 'reference' | 'retry' | 'retryEnded' | 'schema' | 'signal' | 'text' | 'texts';
  /** The field of the record that it is, if it is one. */
  readonly staged?: keyof StagedSpec;
  /** Whether the definition of an agent may give it. */
  readonly isDefined?: true;
}

/** The profile of every sub-agent that names no other. */
export const DEFAULT_PROFILE = 'minimal';

/** Every one of them. */
export const SPAWN_OPTIONS: readonly SpawnOption[] = [
  { name: 'instructions', kind: 'instructions' },
  { name: 'label', kind: 'label', staged: 'label' },
  { name: 'nickname', kind: 'name', staged: 'nickname' },
  { name: 'contextHint', kind: 'text', staged: 'contextHint', isDefined: true },
  { name: 'tools', kind: 'texts', staged: 'tools', isDefined: true },
  { name: 'systemPrompt', kind: 'text', staged: 'systemPrompt' },
  { name: 'profile', kind: 'reference', staged: 'profile', isDefined: true },
  { name: 'modelId', kind: 'text', staged: 'modelId' },
  { name: 'agent', kind: 'reference', staged: 'agent' },
  { name: 'maxTurns', kind: 'count', staged: 'maxTurns', isDefined: true },
  { name: 'timeoutMs', kind: 'duration', staged: 'timeoutMs', isDefined: true },
  { name: 'idleTimeoutMs', kind: 'duration', staged: 'idleTimeoutMs', isDefined: true },
  { name: 'turnEstimate', kind: 'count', staged: 'turnEstimate', isDefined: true },
  { name: 'priority', kind: 'integer', staged: 'priority', isDefined: true },
  { name: 'rateLimitKey', kind: 'name', staged: 'rateLimitKey', isDefined: true },
  { name: 'onParentEnd', kind: 'onParentEnd', staged: 'onParentEnd', isDefined: true },
  { name: 'metadata', kind: 'metadata', staged: 'metadata' },
  { name: 'retry', kind: 'retry', staged: 'retry', isDefined: true },
  { name: 'turnEstimateUsd', kind: 'dollars', staged: 'turnEstimateUsd', isDefined: true },
  { name: 'prices', kind: 'prices', staged: 'prices', isDefined: true },
  { name: 'taskId', kind: 'name', staged: 'taskId' },
  { name: 'effort', kind: 'name', staged: 'effort', isDefined: true },
  { name: 'mustHave', kind: 'mustHave', staged: 'mustHave', isDefined: true },
  { name: 'maxSpawns', kind: 'count', staged: 'maxSpawns', isDefined: true },
  { name: 'maxCost', kind: 'dollars', isDefined: true },
  { name: 'background', kind: 'flag', isDefined: true },
  { name: 'budget', kind: 'budget', isDefined: true },
  { name: 'idempotencyKey', kind: 'once' },
  { name: 'retryEnded', kind: 'retryEnded' },
  { name: 'drive', kind: 'drive' },
  { name: 'format', kind: 'format' },
  { name: 'signal', kind: 'signal' },
  { name: 'origin', kind: 'origin' },
  { name: 'schema', kind: 'schema', isDefined: true },
];
