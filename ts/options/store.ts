// Options of a manager with a journal: its store and its durability. Owns their reading.

import { invalid } from '../base/errors.js';
import type { Durability, JournalOptions } from '../boundary/journal.js';
import { HOSTS_OUTLIVE, ON_HOST_LOST_FAIL, ON_HOST_LOST_REQUEUE, ON_HOST_LOST_RESUME } from '../generated/codes.js';
import type { Store } from '../stores/store.js';
import { optionsOf } from './arguments.js';
import { outlivesProcess } from './lead-marks.js';
import { count, duration } from './values.js';

/** What becomes of a run that was in flight when its process ended. */
export type OnHostLost = 'fail' | 'requeue' | 'resume';

/** The core's number of each. */
const ON_HOST_LOST: Readonly<Record<OnHostLost, number>> = {
  fail: ON_HOST_LOST_FAIL,
  requeue: ON_HOST_LOST_REQUEUE,
  resume: ON_HOST_LOST_RESUME,
};

const DURABILITIES: readonly Durability[] = ['sync', 'batched'];

/** How long facts wait for others in `batched`, by default. */
const FLUSH_MS = 10;
/** How much is written at least before a store is compacted, by default. */
const COMPACT_BYTES = 8 << 20;

/** Options of `SubAgentManager.open`, beside those of every manager. */
export interface StoreOptions {
  /** The store of the journal. One manager has it at a time. */
  store: Store;
  /**
   * When the store has a decision: before anything follows from it (`sync`), or `flushMs` later (`batched`).
   *
   * `sync`: the store keeps it before host functions are called, promises resolve and listeners get events. `batched`: these
   * happen at once, and a crash may lose the last `flushMs`. @default 'sync'
   */
  durability?: Durability | undefined;
  /**
   * Milliseconds that facts wait for others in `batched`.
   *
   * With the time of an append, it is what a crash may lose. @default 10
   */
  flushMs?: number | undefined;
  /**
   * A snapshot replaces the records in the store once they have this many bytes; at least 1.
   *
   * If the last snapshot is larger, they need as many as that. `Infinity`: never, but for `manager.compact()`.
   * @default 8388608
   */
  compactBytes?: number | undefined;
  /**
   * What becomes of a run that was in flight when the last process with this store ended.
   *
   * - `fail`: it ends `host_lost`.
   * - `requeue`: its message is queued again, and its sub-agents are cancelled.
   * - `resume`: it continues from its last `run.checkpoint(data)`, and so do its sub-agents.
   *
   * A queued one starts before all work that only waited. This option comes before `retry`, and uses none of the attempts
   * that `retry` allows. @default 'fail'
   */
  onHostLost?: OnHostLost | undefined;
}

/** The options of a store, as they were read. */
export interface StoreSettings {
  readonly store: Store;
  readonly journal: JournalOptions;
  /** The core's number of `onHostLost`, and whether hosts outlive the process. */
  readonly lost: number;
  /** The options of the manager. */
  readonly rest: Record<string, unknown>;
}

/** The options that only a manager with a store has. */
export const STORE_OPTIONS: readonly string[] = [
  'store',
  'durability',
  'flushMs',
  'compactBytes',
  'onHostLost',
] satisfies (keyof StoreOptions)[];

/** Reads the options of `open`, and sets those of the manager apart; throws `invalid_argument`. */
export function readStoreOptions(options: object): StoreSettings {
  const given = optionsOf('the options of open', options, 'an object such as { store, spawnSubAgent }') as Record<string, unknown>;
  const { store, durability = 'sync', flushMs, compactBytes, onHostLost = 'fail', ...rest } = given;
  const isStore = ['open', 'append', 'compact', 'close'].every((name) => typeof (store as Record<string, unknown>)?.[name] === 'function');
  if (!isStore) throw invalid('`store`', 'a store, such as `fileStore(path)` of subagents/store/file', store);
  if (!DURABILITIES.includes(durability as Durability)) throw invalid('`durability`', `one of ${DURABILITIES.join(', ')}`, durability);
  if (typeof onHostLost !== 'string' || !Object.hasOwn(ON_HOST_LOST, onHostLost))
    throw invalid('`onHostLost`', `one of ${Object.keys(ON_HOST_LOST).join(', ')}`, onHostLost);
  return {
    store: store as Store,
    lost: ON_HOST_LOST[onHostLost as OnHostLost] + (outlivesProcess(rest.spawnSubAgent) ? HOSTS_OUTLIVE : 0),
    journal: {
      durability: durability as Durability,
      flushMs: duration('`flushMs`', flushMs) ?? FLUSH_MS,
      compactBytes: count('`compactBytes`', compactBytes) ?? COMPACT_BYTES,
    },
    rest,
  };
}
