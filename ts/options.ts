// What users give: the options of a manager and of a spawn, the host functions and what they return. Owns types
// only.

import type { AgentDefinition } from './agents.js';
import type { MessageBus } from './bus.js';
import type { Limits } from './generated/limits.js';
import type { OnParentEnd } from './generated/names.js';
import type { SubAgentManager } from './manager.js';
import type { Metadata } from './metadata.js';
import type { Origin } from './notices.js';
import type { MainLimits, PolicySets } from './policies/policy.js';
import type { Preset, PresetParameters } from './presets.js';
import type { Profile } from './profiles.js';
import type { RetryOptions } from './retry.js';
import type { Run } from './run.js';
import type { ResultSchema } from './schema/schema.js';
import type { Session } from './session.js';
import type { Wake } from './wakes.js';

/** Options may be given as undefined, which is the same as not at all: also under `exactOptionalPropertyTypes`. */
/** Each may be given as undefined. */
export type Sometimes<T> = { [K in keyof T]: T[K] | undefined };

/** A budget. What is left out stays as it is, which by default is no cap; `Infinity` lifts one. */
export interface Budget {
  /** Tokens. */
  tokens?: number | undefined;
  /** US dollars. */
  costUsd?: number | undefined;
  /** Turns: calls of a model. */
  turns?: number | undefined;
}

/** The parameters of the `SubAgent` tool, as a model gives them and as `spawnSubAgent` gets them. */
export interface SubAgentParamsType {
  /** The whole task. */
  instructions: string;
  /** Names of the tools it may use. Default: the parent's. */
  tools?: string[];
  /** A system prompt of its own. */
  systemPrompt?: string;
  /** Turns that it may take. @default 20 */
  maxTurns?: number;
  /** What it may cost, in US dollars. Default: no limit but the shared budget. */
  maxCost?: number;
  /** Start it and go on. @default false */
  background?: boolean;
}

/** What to spawn. The text goes by any one of `instructions`, `goal`, `message`, `task`, `taskDescription`, `task_description`. */
export interface SpawnOptions extends Sometimes<Omit<SubAgentParamsType, 'instructions'>> {
  /** The whole task. Without a text the sub-agent is there and idle until it gets a message. */
  instructions?: string | undefined;
  /** The same as `instructions`. */
  goal?: string | undefined;
  /** The same as `instructions`. */
  message?: string | undefined;
  /** The same as `instructions`. */
  task?: string | undefined;
  /** The same as `instructions`. */
  taskDescription?: string | undefined;
  /** The same as `instructions`. */
  task_description?: string | undefined;
  /** Context that goes beside the text. @default '' */
  contextHint?: string | undefined;
  /** For display; may repeat. Default: the first 30 characters of the text; without a text, its nickname. */
  label?: string | undefined;
  /**
   * What it may spend in its life; it gets no more than is left above it. Default: the manager's `taskBudget`.
   */
  budget?: Budget | undefined;
  /** The same as `maxTurns`. */
  maxSteps?: number | undefined;
  /** Milliseconds until it is told to wrap up. Default: the manager's. */
  timeoutMs?: number | undefined;
  /** Milliseconds that it may be silent. Default: the manager's. */
  idleTimeoutMs?: number | undefined;
  /** Tokens held for one of its turns. Default: the manager's. */
  turnEstimate?: number | undefined;
  /** The definition that it is made from, by its name in the manager's `agents`; null for none. */
  agent?: string | null | undefined;
  /** The same as `agent`. */
  agentId?: string | null | undefined;
  /** The model's id. Default: that of its definition, else that of the sub-agent or session which spawns it, else the manager's. */
  modelId?: string | undefined;
  /** The profile that makes its system prompt where none is given. @default 'minimal' */
  profile?: string | null | undefined;
  /** The same as `profile`. */
  promptProfile?: string | null | undefined;
  /**
   * The rate limit that it shares with all others of the same key: after `run.reportRateLimit` they wait
   * together. Those without a key share one.
   */
  rateLimitKey?: string | undefined;
  /**
   * Makes the spawn once, however often it is asked for in this session or sub-agent: the same key gives the
   * first sub-agent, for `idempotencyTtlMs`. Other options with it are `idempotency_conflict`; `signal` does
   * not count, and only the first one's is followed. 1 to 1,024 bytes.
   */
  idempotencyKey?: string | undefined;
  /** Higher goes first; each level counts as `ageingMs` of waiting. @default 0 */
  priority?: number | undefined;
  /** How its result's `text` is made: for a model to read, or as the JSON report. @default 'text' */
  format?: 'text' | 'json' | undefined;
  /** Cancels it when it fires. It is let go of after the first run; without a text, when it is closed or forgotten. */
  signal?: AbortSignal | undefined;
  /** Where the work comes from; comes back on its notices. Default: that of the sub-agent above, else `cli`, `direct`. */
  origin?: Partial<Origin> | undefined;
  /**
   * Fields of the program's own, such as the id of a request or of a row: a plain object of JSON values, at most
   * 16,384 characters of JSON and 32 levels deep, else `invalid_argument`. It comes back in snapshots, in the event of
   * the spawn and in notices; the manager never reads it, no model sees it, and for an `idempotencyKey` it doesn't
   * count. Default: null.
   */
  metadata?: Metadata | undefined;
  /**
   * A name that works as an id in calls of the one that spawns it, and from above where no nearer sub-agent has it:
   * 1 to 64 characters, not beginning with `sub_`. Refused with `nickname_taken` while another sub-agent of the same
   * parent that is pending, running or idle bears it; an ended one gives it up.
   */
  nickname?: string | undefined;
  /**
   * What becomes of a background sub-agent when the run that spawned it ends well: it lives on (`adopt`), that run
   * ends only when it has nothing left to do (`wait`: its host function has returned, it holds no slot and has no
   * deadline), or it is cancelled. After a bad end it is cancelled in any case. @default 'adopt'
   */
  onParentEnd?: OnParentEnd | undefined;
  /**
   * What the `value` of its results is checked by: a Standard Schema (zod, valibot, arktype …) or a JSON Schema of the
   * keywords in `JSON_SCHEMA_KEYWORDS`; others are refused. The host gets it as `run.schema`. A run that completed with
   * a value that is missing, wrong, no JSON or over `maxResultBytes` is `failed`, `invalid_result`. A schema that makes
   * something else of a value has that in `result.value`; snapshots and notices have what JSON makes of it.
   */
  schema?: ResultSchema | undefined;
  /**
   * How a run that ended badly is tried again: with the same message and the next number, after a time that doubles;
   * `false` for not at all. Until the last attempt the run has not ended for those who wait for it. `timeoutMs` is for
   * each attempt, `run.session` starts empty, and `run.previousError` says why. Default: the manager's `retry`.
   */
  retry?: RetryOptions | false | undefined;
}

/** What a run used. What is left out is not known; it counts as nothing and is marked. */
export interface HostUsage {
  /** Turns that it took. */
  turns?: number | undefined;
  /** US dollars. */
  cost?: number | undefined;
  /** Tokens, input and output together. */
  tokens?: number | undefined;
  /** Milliseconds. Default: as measured. */
  durationMs?: number | undefined;
}

/** What `spawnSubAgent` resolves to. */
export interface HostResult {
  /** The host's own id, kept as `hostTaskId`. */
  taskId?: string | undefined;
  /** What the sub-agent produced. Where it is empty and a `schema` asked for a `value`, it is that value as JSON. */
  output: string;
  /** What the spawn's `schema` asked for; read only where there is one. */
  value?: unknown;
  /**
   * How it ended: `failed` or `error`, `cancelled` or `aborted`, `timed_out` or `timeout` mean that; any
   * other word means that it completed, and is kept as `hostStatus`. @default 'completed'
   */
  status?: string | undefined;
  /** What went wrong, where the status says that it failed. */
  error?: string | undefined;
  /** The run's own total, without that of its sub-agents. */
  usage?: HostUsage | undefined;
  /** What it made beside its output; JSON values. */
  artifacts?: readonly Record<string, unknown>[] | undefined;
}

/**
 * Runs a model. Contract: resolves when the run is over, honours `run.signal`, asks `run.beforeTurn()`
 * before each call of the model. Whatever it does instead has a defined end, and never harms the manager.
 */
export type SpawnSubAgent = (params: SubAgentParamsType & SpawnOptions, run: Run) => Promise<HostResult> | HostResult;

/** What `spawnBackgroundSubAgent` resolves to. */
export interface BackgroundStart {
  /** The host's own id, kept as `hostTaskId`, under which `reportSettled` finds it. */
  taskId: string;
}

/**
 * Starts a sub-agent somewhere else and resolves to the id that it has there. `run` is its run: `run.signal` fires
 * where it has to be stopped there, until its end is reported.
 */
export type SpawnBackgroundSubAgent = (params: SubAgentParamsType & SpawnOptions, run: Run) => Promise<BackgroundStart>;

/** The answer of a gate. */
export interface SpawnGate {
  allowed: boolean;
  /** Shown to the model. */
  reason?: string | undefined;
}

/** Options of a manager. */
export interface SubAgentManagerOptions extends Sometimes<Limits> {
  /** Runs a model. Not needed in the manual style. */
  spawnSubAgent?: SpawnSubAgent | undefined;
  /**
   * Starts a sub-agent somewhere else and resolves to its id; serves `background: true`. The run ends by
   * `reportSettled`, by cancel or by its deadline.
   */
  spawnBackgroundSubAgent?: SpawnBackgroundSubAgent | undefined;
  /** The host's own limit, asked first by the tool; `false` refuses at once. */
  canSpawn?: (() => boolean) | undefined;
  /** For the text of that refusal. */
  getConcurrencyInfo?: (() => { active: number; limit: number }) | undefined;
  /** Asked before each spawn, synchronously. Throwing, returning a promise or lacking a boolean refuses. */
  checkConsumerSpawn?: ((params: SubAgentParamsType & SpawnOptions) => SpawnGate) | undefined;
  /** The model's id that sub-agents inherit where neither they nor anything above them names one. */
  modelId?: string | undefined;
  /** The same, asked each time that it is needed. */
  getModelId?: (() => string) | undefined;
  /** What all sub-agents together may spend. Default: no cap; the manual style has a pool of 50,000 tokens. */
  budget?: Budget | undefined;
  /** What one sub-agent may spend in its life unless its spawn says otherwise. Default: no cap; 10,000 tokens for a manual task. */
  taskBudget?: Budget | undefined;
  /** How runs that ended badly are tried again unless their spawn says otherwise. Default: not at all */
  retry?: RetryOptions | undefined;
  /** What happens to work at the slot limit. @default 'queue' */
  onLimit?: 'queue' | 'reject' | undefined;
  /** Kinds of sub-agents, by name: `spawn({ agent })` and the tool's `agent` take one. */
  agents?: Readonly<Record<string, AgentDefinition>> | undefined;
  /** Functions that make a system prompt, by name, beside `minimal`: `spawn({ profile })` takes one. */
  profiles?: Readonly<Record<string, Profile>> | undefined;
  /** Counts the tokens of a text. Default: UTF-8 bytes divided by 4. */
  countTokens?: ((text: string) => number) | undefined;
  /** Names of the tools that the main agent has. Default: unknown, and nothing is filtered but what is always blocked. */
  tools?: readonly string[] | undefined;
  /** The same as `maxTurns`. */
  maxSubAgentSteps?: number | undefined;
  /** The same as `budget.tokens`. */
  totalTokenBudget?: number | undefined;
  /** Policies, asked in their order: for sub-agents, and for main agents. Default: none */
  policies?: PolicySets | undefined;
  /** What bounds main agents until they have answered. Default: nothing */
  mainLimits?: MainLimits | undefined;
  /**
   * The settings of a source: `nanobot` gives 15 turns (the main agent 20); `oxide` 60 turns with 64,000 context
   * tokens (the main agent 1000, 200,000, 600 s) and its policies. What is given beside it wins. `{ name, blockedTools, searchLimit }` gives
   * a preset its parameters.
   */
  preset?: Preset | PresetParameters | undefined;
  /**
   * Gets what listeners and observing policies throw. Default: `reportError` in a page or a worker, else the console;
   * it ends nothing. Also told, with code `abandoned_limit`, when `maxAbandoned` is reached and nothing starts any more.
   */
  onError?: ((error: unknown) => void) | undefined;
  /**
   * Gets the end of every background sub-agent as a message, by itself: in the place of `onWake`, for the manager's
   * own sub-agents and those of each session without an `onWake` of its own.
   */
  bus?: MessageBus | undefined;
  /**
   * Told, once a batch and never inside of another call, that notices wait for a main agent: for the
   * manager's own (`session` is the manager), and for each session without an `onWake` of its own.
   */
  onWake?: ((session: SubAgentManager | Session, wake: Wake) => unknown) | undefined;
}
