// Options of a manager with a journal: its store and its durability. Owns their reading.

import { invalid } from '../base/errors.js';
import type { Durability, JournalOptions } from '../boundary/journal.js';
import { HOSTS_OUTLIVE, ON_HOST_LOST_FAIL, ON_HOST_LOST_REQUEUE, ON_HOST_LOST_RESUME } from '../generated/codes.js';
import type { Store } from '../stores/store.js';
import { optionsOf } from './arguments.js';
import { outlivesProcess } from './lead-marks.js';
import { count, duration } from './values.js';

/** What happens to a run that was in flight when its process ended. */
export type OnHostLost = 'fail' | 'requeue' | 'resume';

/** The core's number of each option. */
const ON_HOST_LOST: Readonly<Record<OnHostLost, number>> = {
  fail: ON_HOST_LOST_FAIL,
  requeue: ON_HOST_LOST_REQUEUE,
  resume: ON_HOST_LOST_RESUME,
};

const DURABILITIES: readonly Durability[] = ['sync', 'batched'];

/** The default of `flushMs`. */
const FLUSH_MS = 10;
/** The default of `compactBytes`. */
const COMPACT_BYTES = 8 << 20;

/** Options of `SubAgentManager.open`, besides those of every manager. */
export interface StoreOptions {
  /** The store of the journal. One manager has it at a time. */
  store: Store;
  /**
   * When the store has a decision: before its effects run (`sync`), or `flushMs` later (`batched`).
   *
   * `sync`: the store persists it before host functions are called, promises resolve and listeners get events. `batched`: these
   * happen at once, and a crash may lose the last `flushMs`. @default 'sync'
   */
  durability?: Durability | undefined;
  /**
   * Milliseconds that facts wait for others in `batched`.
   *
   * Together with the time of an append, this is what a crash may lose. @default 10
   */
  flushMs?: number | undefined;
  /**
   * A snapshot replaces the records in the store once they have this many bytes; at least 1.
   *
   * If the last snapshot is larger, its size counts instead. `Infinity`: never, except by `manager.compact()`.
   * @default 8388608
   */
  compactBytes?: number | undefined;
  /**
   * What happens to a run that was in flight when the last process with this store ended.
   *
   * - `fail`: it ends `host_lost`.
   * - `requeue`: its message is queued again, and its sub-agents are cancelled.
   * - `resume`: it continues from its last `run.checkpoint(data)`, and so do its sub-agents.
   *
   * A queued one starts before all work that only waited. This option comes before `retry`, and uses none of its attempts.
   * @default 'fail'
   */
  onHostLost?: OnHostLost | undefined;
}

/** The options of a store, after they were read. */
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

/** Reads the options of `open`, and separates those of the manager; throws `invalid_argument`. */
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
