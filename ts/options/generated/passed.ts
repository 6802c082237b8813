// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { Metadata } from '../../base/metadata.js';
import type { OnParentEnd } from '../../generated/names.js';
import type { RetryOptions, StagedRetry } from '../retry.js';

/** Options of a spawn that are passed on; those that a model may give as well are in `SubAgentParamsType`. */
export interface PassedOptions<Fields = Metadata> {
  /**
   * A name for display; it may repeat. Default: the first 30 characters of the text; without a text, its nickname.
   */
  label?: string | undefined;
  /**
   * A name that works as an id in calls of the one that spawns it, and from above where no nearer sub-agent has it: 1
   * to 64 characters, not beginning with `sub_`. Refused with `nickname_taken` while another sub-agent of the same
   * parent that is pending, running or idle bears it; an ended one gives it up.
   */
  nickname?: string | undefined;
  /** Context that goes beside the text. @default '' */
  contextHint?: string | undefined;
  /** The profile that makes its system prompt where none is given. @default 'minimal' */
  profile?: string | null | undefined;
  /** The same as `profile`. */
  promptProfile?: string | null | undefined;
  /**
   * The model's id. Default: that of its definition, else that of the sub-agent or session which spawns it, else the
   * manager's.
   */
  modelId?: string | undefined;
  /** The definition that it is made from, by its name in the manager's `agents`; null for none. */
  agent?: string | null | undefined;
  /** The same as `agent`. */
  agentId?: string | null | undefined;
  /** The same as `maxTurns`. */
  maxSteps?: number | undefined;
  /** Milliseconds until a run of it is told to wrap up. Default: the manager's `timeoutMs`. */
  timeoutMs?: number | undefined;
  /** Milliseconds that a run of it may be silent. Default: the manager's `idleTimeoutMs`. */
  idleTimeoutMs?: number | undefined;
  /** Tokens held for one of its turns. Default: the manager's `turnEstimate`. */
  turnEstimate?: number | undefined;
  /** Which of the queued start first: the higher number. Each level counts as `ageingMs` of waiting. @default 0 */
  priority?: number | undefined;
  /**
   * The rate limit that it shares with all others of the same key: after `run.reportRateLimit` they wait together.
   * Those without a key share one.
   */
  rateLimitKey?: string | undefined;
  /**
   * What becomes of a background sub-agent when the run that spawned it ends well: it lives on (`adopt`), that run
   * ends only when it has nothing left to do (`wait`: its host function has returned, it holds no slot and has no
   * deadline), or it is cancelled. After a bad end it is cancelled in any case. @default 'adopt'
   */
  onParentEnd?: OnParentEnd | undefined;
  /**
   * Fields of the program's own, such as the id of a request or of a row: a plain object of JSON values, at most
   * 16,384 characters of JSON and 32 levels deep, else `invalid_argument`. It comes back in snapshots, in the event
   * of the spawn and in notices; the manager never reads it, no model sees it, and for an `idempotencyKey` it doesn't
   * count. Default: null.
   */
  metadata?: Fields | undefined;
  /**
   * How a run that ended badly is tried again: with the same message and the next number, after a time that doubles;
   * `false` for not at all. Until the last attempt the run has not ended for those who wait for it. `timeoutMs` is
   * for each attempt, `run.session` starts empty, and `run.previousError` says why. Default: the manager's `retry`.
   */
  retry?: RetryOptions | false | undefined;
  /**
   * US dollars held for one of its turns. Default: the manager's `turnEstimateUsd`; where that isn't set either, what
   * its dearest turn has cost so far, before that what one of those nearest to it has.
   */
  turnEstimateUsd?: number | undefined;
}

/** Those that the definition of an agent may give. */
export interface DefinedOptions {
  /** Context that goes beside the text. @default '' */
  contextHint?: string | undefined;
  /** Names of the tools it may use. Default: the parent's. */
  tools?: readonly string[] | undefined;
  /** The profile that makes its system prompt where none is given. @default 'minimal' */
  profile?: string | null | undefined;
  /** Turns that each of its runs may take. Default: the manager's `maxTurns`, which is 20 unless it was set. */
  maxTurns?: number | undefined;
  /** Milliseconds until a run of it is told to wrap up. Default: the manager's `timeoutMs`. */
  timeoutMs?: number | undefined;
  /** Milliseconds that a run of it may be silent. Default: the manager's `idleTimeoutMs`. */
  idleTimeoutMs?: number | undefined;
  /** Tokens held for one of its turns. Default: the manager's `turnEstimate`. */
  turnEstimate?: number | undefined;
  /** Which of the queued start first: the higher number. Each level counts as `ageingMs` of waiting. @default 0 */
  priority?: number | undefined;
  /**
   * The rate limit that it shares with all others of the same key: after `run.reportRateLimit` they wait together.
   * Those without a key share one.
   */
  rateLimitKey?: string | undefined;
  /**
   * How a run that ended badly is tried again: with the same message and the next number, after a time that doubles;
   * `false` for not at all. Until the last attempt the run has not ended for those who wait for it. `timeoutMs` is
   * for each attempt, `run.session` starts empty, and `run.previousError` says why. Default: the manager's `retry`.
   */
  retry?: RetryOptions | false | undefined;
  /**
   * US dollars held for one of its turns. Default: the manager's `turnEstimateUsd`; where that isn't set either, what
   * its dearest turn has cost so far, before that what one of those nearest to it has.
   */
  turnEstimateUsd?: number | undefined;
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
  sourceAgentId?: string | undefined;
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
}

/** An option that is passed on. */
export interface PassedOption {
  readonly name: string;
  /** Another name for the same. */
  readonly alias: string | undefined;
  readonly staged: keyof StagedSpec;
  readonly kind: 'count' | 'dollars' | 'duration' | 'integer' | 'label' | 'metadata' | 'name' | 'onParentEnd' | 'reference' | 'retry' | 'text' | 'texts';
  /** Whether the definition of an agent may give it. */
  readonly isDefined: boolean;
}

/** Every one of them. */
export const PASSED: readonly PassedOption[] = [
  { name: 'label', alias: undefined, staged: 'label', kind: 'label', isDefined: false },
  { name: 'nickname', alias: undefined, staged: 'nickname', kind: 'name', isDefined: false },
  { name: 'contextHint', alias: undefined, staged: 'contextHint', kind: 'text', isDefined: true },
  { name: 'tools', alias: undefined, staged: 'tools', kind: 'texts', isDefined: true },
  { name: 'systemPrompt', alias: undefined, staged: 'systemPrompt', kind: 'text', isDefined: false },
  { name: 'profile', alias: 'promptProfile', staged: 'profile', kind: 'reference', isDefined: true },
  { name: 'modelId', alias: undefined, staged: 'modelId', kind: 'text', isDefined: false },
  { name: 'agent', alias: 'agentId', staged: 'sourceAgentId', kind: 'reference', isDefined: false },
  { name: 'maxTurns', alias: 'maxSteps', staged: 'maxTurns', kind: 'count', isDefined: true },
  { name: 'timeoutMs', alias: undefined, staged: 'timeoutMs', kind: 'duration', isDefined: true },
  { name: 'idleTimeoutMs', alias: undefined, staged: 'idleTimeoutMs', kind: 'duration', isDefined: true },
  { name: 'turnEstimate', alias: undefined, staged: 'turnEstimate', kind: 'count', isDefined: true },
  { name: 'priority', alias: undefined, staged: 'priority', kind: 'integer', isDefined: true },
  { name: 'rateLimitKey', alias: undefined, staged: 'rateLimitKey', kind: 'name', isDefined: true },
  { name: 'onParentEnd', alias: undefined, staged: 'onParentEnd', kind: 'onParentEnd', isDefined: false },
  { name: 'metadata', alias: undefined, staged: 'metadata', kind: 'metadata', isDefined: false },
  { name: 'retry', alias: undefined, staged: 'retry', kind: 'retry', isDefined: true },
  { name: 'turnEstimateUsd', alias: undefined, staged: 'turnEstimateUsd', kind: 'dollars', isDefined: true },
];
