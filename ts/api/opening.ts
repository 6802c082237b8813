// Opening a manager from a store. Owns the order: the store is read, a core takes what it kept, the options follow, and
// nothing is carried out before the program has its manager.

import { messageOf, SubAgentError } from '../base/errors.js';
import { Journal, type JournalParts } from '../boundary/journal.js';
import { readArgument } from '../options/arguments.js';
import { readStoreOptions } from '../options/store.js';
import { openRecord } from '../stores/record.js';
import type { JournalWay, PlainModule, Store, StoreContents } from '../stores/store.js';

/** A manager that is being opened, as its constructor takes it. */
export interface Opening {
  /** The module with the journal. */
  readonly module: object;
  /** Restores what the store kept, and keeps what follows. */
  begin(runtime: JournalParts): void;
}

/** A class of managers: each entry has its own. */
export interface ManagerClass<M> {
  new (options: never): M;
  journalModule(way: JournalWay): Promise<object>;
}

let opening: Opening | undefined;

/** The opening that the constructor is called for, if it is called for one. */
export function takeOpening(): Opening | undefined {
  const taken = opening;
  opening = undefined;
  return taken;
}

/** Opens a manager that goes on where the last one with this store ended. */
export async function openManager<M>(Manager: ManagerClass<M>, options: object): Promise<M> {
  const { store, durability, flushMs, lost, rest } = readArgument('the options of open', () => readStoreOptions(options));
  const module = await Manager.journalModule(store);
  const contents = await opened(store);
  try {
    if (contents.snapshot !== undefined)
      throw new SubAgentError('store_version', 'the store has a snapshot, which this version does not read');
    const records: Uint8Array[] = [];
    for await (const record of contents.records) records.push(openRecord(record, contents.through + records.length + 1));
    const journal = new Journal(store, contents.through + records.length, durability, flushMs);
    const begin = (runtime: JournalParts): void => {
      for (const [at, record] of records.entries()) restore(runtime, record, contents.through + at + 1);
      journal.keep(runtime, lost);
    };
    const manager = openedManager(Manager, rest, { module, begin });
    // A task of its own: what waits for this promise has its turn before.
    setTimeout(() => journal.start());
    return manager;
  } catch (error) {
    await store.close().catch(() => undefined);
    throw error;
  }
}

/** Makes a manager of this class with an opening. */
export function openedManager<M>(Manager: ManagerClass<M>, options: object, given: Opening): M {
  opening = given;
  try {
    return new Manager(options as never);
  } finally {
    opening = undefined;
  }
}

/**
 * The module with the journal, by the way that a store knows.
 *
 * @param plain the plain module, where the entry has its bytes
 */
export async function journalModuleOf({ journal }: JournalWay, plain: PlainModule | undefined): Promise<object> {
  if (typeof journal === 'function') return journal(plain);
  const message =
    "the bundle is without the module with the journal: give the store the field `journal`, of `import { journal } from 'subagents/journal'`";
  throw new SubAgentError('not_ready', message);
}

/** What a store holds, taken for this process. */
export async function opened(store: Store): Promise<StoreContents> {
  try {
    return await store.open();
  } catch (cause) {
    if (cause instanceof SubAgentError) throw cause;
    throw new SubAgentError('store_failed', `the store could not be opened: ${messageOf(cause)}`, {}, { cause });
  }
}

/** Has the core take facts that were kept. */
export function restore(runtime: JournalParts, facts: Uint8Array, record: number): void {
  const length = runtime.scratch.writeBytes(facts);
  if (runtime.call((core) => core.restore(length))) return;
  const { message } = runtime.refusal();
  throw new SubAgentError('store_damaged', `record ${record} of the store can't be read: ${message}`, { record });
}
