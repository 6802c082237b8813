// What a spawn is given. Owns types only; `ts/options/spawn-options.ts` reads them.

import type { Metadata } from '../base/metadata.js';
import type { Origin } from '../snapshots/notices.js';
import type { PassedOptions } from './generated/passed.js';
import type { ResultSchema } from './schema/schema.js';
import type { Budget } from './values.js';

/** Each field may be given as undefined, which is the same as not at all: also under `exactOptionalPropertyTypes`. */
export type Sometimes<T> = { [K in keyof T]: T[K] | undefined };

/** The parameters of the `SubAgent` tool, as a model gives them and as `spawnSubAgent` gets them. */
export interface SubAgentParamsType {
  /** The whole task. */
  instructions: string;
  /** Names of the tools it may use. Default: the parent's. */
  tools?: string[];
  /** A system prompt of its own. Default: that of its definition, else the one that its profile makes. */
  systemPrompt?: string;
  /**
   * Turns that each of its runs may take. Default: those of its definition, else the manager's `maxTurns`, which is
   * 20 unless it was set.
   */
  maxTurns?: number;
  /** What it may cost in its life, in US dollars; the same as `budget.costUsd`. Default: no cap but those above it. */
  maxCost?: number;
  /** Runs it in the background: the call returns at once, and the end comes as a notice. @default false */
  background?: boolean;
}

/** What to spawn. The text goes by any one of `instructions`, `goal`, `message`, `task`, `taskDescription`, `task_description`. */
export interface SpawnOptions<Fields = Metadata> extends Sometimes<Omit<SubAgentParamsType, 'instructions'>>, PassedOptions<Fields> {
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
  /**
   * What it may spend in its life; it gets no more than is left above it. Default: the manager's `taskBudget`.
   */
  budget?: Budget | undefined;
  /**
   * Makes the spawn once, however often it is asked for in this session or sub-agent: the same key gives the
   * first sub-agent, for `idempotencyTtlMs`. Other options with it are `idempotency_conflict`, also one that is
   * given as its default and was left out before; `label`, `signal` and `metadata` do not count: those of the first spawn
   * stay. 1 to 1,024 bytes.
   */
  idempotencyKey?: string | undefined;
  /** How its result's `text` is made: for a model to read, or as the JSON report. @default 'text' */
  format?: 'text' | 'json' | undefined;
  /**
   * Cancels the sub-agent when it fires. The signal is followed until the first run has ended; without a text, until
   * the sub-agent is closed or forgotten.
   */
  signal?: AbortSignal | undefined;
  /** Where the work comes from; its notices have it. Default: that of the sub-agent above, else `cli` and `direct`. */
  origin?: Partial<Sometimes<Origin>> | undefined;
  /**
   * The schema that checks the `value` of its results: a Standard Schema (zod, valibot, arktype …) or a JSON Schema of the
   * keywords in `JSON_SCHEMA_KEYWORDS`; others are refused. The host gets it as `run.schema`. A run that completed with a
   * value that is missing, wrong, no JSON or over `maxResultBytes` is `failed`, `invalid_result`. Where a schema transforms
   * a value, `result.value` is the transformed one; snapshots and notices have what JSON makes of it.
   */
  schema?: ResultSchema | undefined;
}
