// The options of a tool that spawns, and what its calls tell the program. Owns which options there are and their checks.

import { invalid } from '../base/errors.js';
import { type Metadata, metadataOf, readMetadata } from '../base/metadata.js';
import { optionsOf } from '../options/arguments.js';
import type { SubAgentParamsType } from '../options/generated/spawn.js';
import { formatOf, readSpawn } from '../options/spawn-options.js';
import type { Sometimes } from '../options/values.js';
import { duration } from '../options/values.js';
import type { Origin } from '../snapshots/notices.js';
import { type SubAgentTexts, textsOf } from './texts.js';

/** What is known of a sub-agent that the tool ran. */
export interface SubAgentDetails {
  /** The sub-agent's id; empty where none was started. */
  taskId: string;
  /** The host's own id, where it gave one: of work that it started, the one that the model is told. */
  hostTaskId?: string;
  /** It runs in the background: its end comes later. */
  background: boolean;
  /** The sub-agent's status; `refused` where none was started. */
  status: string;
  /** How long it took, in milliseconds; null where that is not known yet. */
  durationMs: number | null;
  /** Turns that it took; null where the host did not report them. */
  turns: number | null;
  /** What it cost in US dollars; null where the host did not report it. */
  cost: number | null;
  /** The host's own word for the status, where it has one of its own. */
  hostStatus?: string;
  /** The model's id, inherited from the parent. */
  modelId?: string;
  /** What it made beside its output, where it made something. */
  artifacts?: readonly Record<string, unknown>[];
}

/** Options of the `SubAgent` tool. */
export interface SubAgentToolOptions {
  /** Gets what is known of each sub-agent when its call ends. */
  onDetails?: ((details: SubAgentDetails, toolCallId: string | undefined) => void) | undefined;
  /** How results are told: for a model to read, or as the JSON report, with what was done until a failure. @default 'text' */
  format?: 'text' | 'json' | undefined;
  /** Milliseconds after which a background sub-agent is given up. Default: as for any other. */
  backgroundTimeoutMs?: number | undefined;
  /**
   * The idempotency key of a call, made from its id, for hosts that may run a call twice; undefined for none.
   * @default none
   */
  idempotencyKey?: ((toolCallId: string | undefined, params: SubAgentParamsType) => string | undefined) | undefined;
  /**
   * Whether the model that has this tool can answer its sub-agents' questions; if not, `run.ask` says so at once.
   * Default: unless its tools are known and none of them sends (`send_message`, `SendMessage`, `send_input`,
   * `sendMessage`).
   */
  canAnswer?: boolean | undefined;
  /**
   * Texts of the program's own: what the model is told of a start, an end, a limit, a refusal. Default: the usual ones.
   * Not where `format` is 'json'.
   */
  texts?: SubAgentTexts | undefined;
  /** `metadata` of every sub-agent that it spawns; a function is asked at each call. Default: none. */
  metadata?: (Metadata | ((toolCallId: string | undefined, params: SubAgentParamsType) => Metadata | undefined)) | undefined;
  /** Where the agent's work comes from, told to every sub-agent; a function is asked at each call. */
  origin?: (Partial<Sometimes<Origin>> | (() => Partial<Sometimes<Origin>>)) | undefined;
}

/** Every option of a tool that spawns. */
export const TOOL_OPTIONS = [
  'onDetails',
  'format',
  'backgroundTimeoutMs',
  'idempotencyKey',
  'canAnswer',
  'metadata',
  'origin',
  'texts',
] as const satisfies (keyof SubAgentToolOptions)[];

/** The options of a tool that spawns, checked, and what else was given. Only those are there that change something. */
export function toolOptionsOf<T extends SubAgentToolOptions>(
  what: string,
  given: T,
): { kept: SubAgentToolOptions; others: Omit<T, keyof SubAgentToolOptions> } {
  const { onDetails, format, backgroundTimeoutMs, idempotencyKey, canAnswer, metadata, origin, texts, ...rest } = optionsOf(what, given);
  if (idempotencyKey !== undefined && typeof idempotencyKey !== 'function') throw invalid('`idempotencyKey`', 'a function', idempotencyKey);
  if (canAnswer !== undefined && typeof canAnswer !== 'boolean') throw invalid('`canAnswer`', 'a boolean', canAnswer);
  if (onDetails !== undefined && typeof onDetails !== 'function') throw invalid('`onDetails`', 'a function', onDetails);
  // A wrong one is the program's mistake, not that of the model that calls later.
  if (typeof origin !== 'function') readSpawn({ ...(origin !== undefined && { origin }) });
  // What the program changes in it later is none of the tool's.
  const fixed = typeof metadata === 'function' ? undefined : readMetadata('metadata', metadata);
  const timeoutMs = duration('`backgroundTimeoutMs`', backgroundTimeoutMs);
  const kept: SubAgentToolOptions = {
    ...(onDetails !== undefined && { onDetails }),
    ...(timeoutMs !== undefined && { backgroundTimeoutMs: timeoutMs }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(canAnswer !== undefined && { canAnswer }),
    ...(typeof metadata === 'function' && { metadata }),
    ...(fixed !== undefined && { metadata: metadataOf(fixed) as Metadata }),
    ...(origin !== undefined && { origin }),
    ...(texts !== undefined && { texts: textsOf(texts) }),
    ...(formatOf(format) === 'json' && { format: 'json' }),
  };
  // Without a prototype, so that only what was given is read of it.
  return { kept, others: Object.assign(Object.create(null), rest) };
}
