// The options of a tool that spawns, and the details that its calls report to the program. Owns the options and their
// checks.

import { invalid } from '../base/errors.js';
import { type Metadata, metadataOf, readMetadata } from '../base/metadata.js';
import type { Receipt } from '../base/receipt.js';
import type { OnParentEnd } from '../generated/names.js';
import { optionsOf } from '../options/arguments.js';
import type { SubAgentParamsType } from '../options/generated/spawn.js';
import type { TokenKinds } from '../options/host-result.js';
import { formatOf, onParentEndOf, readSpawn } from '../options/spawn-options.js';
import type { Sometimes } from '../options/values.js';
import { duration, string } from '../options/values.js';
import type { Origin } from '../snapshots/notices.js';
import { type SubAgentTexts, textsOf } from './texts.js';

/**
 * The details of a sub-agent that the tool ran. Kinds of tokens, with its sub-agents', are left out if they were not reported.
 */
export interface SubAgentDetails extends TokenKinds {
  /** The sub-agent's id; empty if none was started. */
  taskId: string;
  /** The host's own id, if it gave one. For work that the host started, the model reads this id. */
  hostTaskId?: string;
  /** It runs in the background: its end comes later. */
  background: boolean;
  /** The sub-agent's status; `refused` if none was started. */
  status: string;
  /** How long it took, in milliseconds; null if that is not known yet. */
  durationMs: number | null;
  /** Turns that it took; null if the host did not report them. */
  turns: number | null;
  /** Its cost in US dollars, with its sub-agents; null if no host reported it. */
  cost: number | null;
  /** Tokens that it took, with its sub-agents; null if no host reported them. Left out before its end. */
  tokens?: number | null;
  /** Some of that is an estimate, as the host reported. */
  estimated?: boolean;
  /** Its own usage, if its sub-agents used something too. */
  own?: {
    /** Its tokens; null if they are not known. */
    tokens: number | null;
    /** Its dollars; null if they are not known. */
    cost: number | null;
  };
  /** The host's own word for the status, if it has one. */
  hostStatus?: string;
  /** The model's id: the spawn's, else the parent's, else the manager's. */
  modelId?: string;
  /** Its products besides the output, if there are any. */
  artifacts?: readonly Record<string, unknown>[];
  /** The actions of its tool calls, in order, if its host function returned them. */
  receipts?: readonly Receipt[];
}

/** Options of the `SubAgent` tool. */
export interface SubAgentToolOptions {
  /**
   * Gets the details of each sub-agent when its call ends.
   *
   * A tool that stands alone calls it again when a background sub-agent has ended, with `toolCallId` undefined.
   */
  onDetails?: ((details: SubAgentDetails, toolCallId: string | undefined) => void) | undefined;
  /** The default agent, of the manager's `agents`, for calls without one. Default: none */
  agent?: string | undefined;
  /**
   * The form of results: text for a model, or the JSON report.
   *
   * The report has the work until a failure. @default 'text'
   */
  format?: 'text' | 'json' | undefined;
  /** The time limit of a background sub-agent, in milliseconds. Default: as for any other. */
  backgroundTimeoutMs?: number | undefined;
  /**
   * The longest wait of one call, in milliseconds. Default: no limit.
   *
   * A sub-agent that still runs then continues in the background, and a call that waits for several ends. Use it for callers
   * that give up longer calls.
   */
  foregroundMs?: number | undefined;
  /**
   * The idempotency key of a call, made from its id; undefined for none.
   *
   * Use it for hosts that may run a call twice. @default none
   */
  idempotencyKey?: ((toolCallId: string | undefined, params: SubAgentParamsType) => string | undefined) | undefined;
  /**
   * Whether the model that has this tool can answer its sub-agents' questions; if not, `run.ask` reports it at once.
   *
   * Default: true, unless its tools are known and none of them sends (`send_message`, `SendMessage`, `send_input`,
   * `sendMessage`).
   */
  canAnswer?: boolean | undefined;
  /**
   * Your own texts for the model: of a start, an end, a limit, a refusal. Default: the usual ones.
   *
   * Not used if `format` is 'json'.
   */
  texts?: SubAgentTexts | undefined;
  /** `metadata` of every sub-agent that it spawns; a function is called at each call. Default: none. */
  metadata?: (Metadata | ((toolCallId: string | undefined, params: SubAgentParamsType) => Metadata | undefined)) | undefined;
  /**
   * `onParentEnd` of the background sub-agents of its calls. Default: that of the definition, else the manager's.
   *
   * It decides their fate when the run that called the tool ends well: see `onParentEnd` of a spawn. It takes precedence over
   * that of a definition.
   */
  onParentEnd?: OnParentEnd | undefined;
  /** The origin of the agent's work, for every sub-agent; a function is called at each call. */
  origin?: (Partial<Sometimes<Origin>> | (() => Partial<Sometimes<Origin>>)) | undefined;
}

type Readers = { readonly [K in keyof SubAgentToolOptions]-?: (value: unknown) => SubAgentToolOptions[K] };

/** The reader of each option. Only values that change something stay. */
const READERS: Readers = {
  onDetails: (value) => ofType('`onDetails`', 'function', value),
  agent: (value) => string('`agent`', value),
  format: (value) => (formatOf(value) === 'json' ? 'json' : undefined),
  backgroundTimeoutMs: (value) => duration('`backgroundTimeoutMs`', value),
  foregroundMs: (value) => duration('`foregroundMs`', value),
  idempotencyKey: (value) => ofType('`idempotencyKey`', 'function', value),
  canAnswer: (value) => ofType('`canAnswer`', 'boolean', value),
  // The tool's own copy: later changes by the program have no effect on it.
  metadata: (value) => (typeof value === 'function' ? value : metadataOf(readMetadata('metadata', value) as string)) as Metadata,
  onParentEnd: (value) => onParentEndOf('onParentEnd', value),
  origin(value) {
    // A wrong origin is the program's mistake, so it throws now, not when a model calls.
    if (typeof value !== 'function') readSpawn({ origin: value as Partial<Origin> });
    return value as Partial<Origin>;
  },
  texts: (value) => textsOf(value as SubAgentTexts),
};

/** Every option of a tool that spawns. */
export const TOOL_OPTIONS = /* @__PURE__ */ Object.keys(READERS) as readonly (keyof SubAgentToolOptions)[];

/** Checks a value by its type alone. */
function ofType<T>(what: string, type: 'boolean' | 'function', value: unknown): T {
  if (typeof value === type) return value as T;
  throw invalid(what, `a ${type}`, value);
}

/** The checked options of a tool that spawns, and other given values. Only options that change something are there. */
export function toolOptionsOf<T extends SubAgentToolOptions>(
  what: string,
  given: T,
  expected?: string,
): { kept: SubAgentToolOptions; others: Omit<T, keyof SubAgentToolOptions> } {
  const kept: Record<string, unknown> = {};
  // Without a prototype, so that only given options are read.
  const others = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(optionsOf(what, given, expected))) {
    if (!Object.hasOwn(READERS, name)) others[name] = value;
    else if (value !== undefined) {
      const read: unknown = READERS[name as keyof SubAgentToolOptions](value);
      if (read !== undefined) kept[name] = read;
    }
  }
  return { kept, others: others as Omit<T, keyof SubAgentToolOptions> };
}
