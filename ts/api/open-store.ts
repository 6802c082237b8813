// Opens a manager from a store. Owns the order: reads the store, restores it into a core, then applies the options. No effect
// runs before the program has its manager.

import { detached, ownError } from '../base/error-class.js';
import { describe, messageOf, SubAgentError } from '../base/errors.js';
import { type Configure, Journal, type JournalParts } from '../boundary/journal.js';
import { readArgument } from '../options/arguments.js';
import { notifyOpened } from '../options/lead-marks.js';
import { readStoreOptions } from '../options/store.js';
import { openRecord, openSnapshot, otherForm, type Payload } from '../stores/record.js';
import type { Store, StoreContents } from '../stores/store.js';
import { untilClosed } from '../stores/writer.js';

/** The opening of a manager, as its constructor takes it. */
export interface Opening {
  /** Restores the store, sets the options of this process, and records all later facts. */
  begin(runtime: JournalParts, configure: Configure): void;
}

/** A class of managers: each entry has its own. */
export interface ManagerClass<M> {
  new (options: never): M;
}

let opening: Opening | undefined;

/** Takes the opening that the constructor is called for, if any. */
export function takeOpening(): Opening | undefined {
  const taken = opening;
  opening = undefined;
  return taken;
}

/** Opens a manager that continues where the last one with this store ended. */
export async function openManager<M>(Manager: ManagerClass<M>, given: object): Promise<M> {
  if (typeof Manager !== 'function') throw detached('SubAgentManager.open');
  const { store, journal: options, lost, rest } = readArgument('the options of open', () => readStoreOptions(given));
  const contents = await opened(store);
  try {
    if (contents.later !== undefined) {
      const message = 'the store was opened to be read (`readOnly`): a manager needs one that it may write, `readJournal` takes this one';
      throw new SubAgentError('invalid_argument', message, { argument: 'store' });
    }
    const records: Payload[] = [];
    let tailBytes = 0;
    for await (const record of readRecords(contents.records)) {
      tailBytes += record.length;
      records.push(openRecord(record, contents.through + records.length + 1));
    }
    const snapshotBytes = contents.snapshot?.length ?? 0;
    const kept = { records: contents.through + records.length, tailBytes, snapshotBytes, lease: contents.lease };
    const journal = new Journal(store, kept, options);
    const begin = (runtime: JournalParts, configure: Configure): void => {
      restoreSnapshot(runtime, contents);
      for (const [at, record] of records.entries()) restore(runtime, record, contents.through + at + 1);
      journal.keep(runtime, lost, configure);
    };
    const manager = openedManager(Manager, rest, { begin });
    const lose = (cause: unknown): void => journal.lost(cause);
    void contents.lost?.then(lose, lose);
    notifyOpened(rest.spawnSubAgent, () => journal.confirm());
    // Starts in a later task, so that the code that awaits this promise runs first.
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

/** Opens a store for this process and returns its contents. */
export async function opened(store: Store): Promise<StoreContents> {
  try {
    await untilClosed(store);
    const contents: unknown = await store.open();
    if (typeof contents === 'object' && contents !== null) return contents as StoreContents;
    throw new Error(`its \`open\` must resolve to { snapshot, through, records }, it resolved to ${describe(contents)}`);
  } catch (cause) {
    throw ownError(cause) ?? new SubAgentError('store_failed', `the store could not be opened: ${messageOf(cause)}`, {}, { cause });
  }
}

/** Yields the records of an open store. */
export async function* readRecords(records: StoreContents['records']): AsyncGenerator<Uint8Array> {
  try {
    yield* records;
  } catch (cause) {
    throw ownError(cause) ?? new SubAgentError('store_failed', `the store could not be read: ${messageOf(cause)}`, {}, { cause });
  }
}

/** Restores the snapshot of a store into the core, if it has one. */
export function restoreSnapshot(runtime: JournalParts, { snapshot, through }: StoreContents): void {
  if (snapshot === undefined) return;
  const length = runtime.scratch.writeBytes(openSnapshot(snapshot, through).bytes);
  const taken = runtime.call((core) => core.restoreSnapshot(length));
  runtime.scratch.renew();
  if (taken < 0) throw new SubAgentError('store_damaged', "the snapshot of the store can't be read", { record: through });
  if (taken > 0) throw otherForm('the snapshot', taken, through);
}

/** Restores stored facts into the core. */
export function restore(runtime: JournalParts, { form, bytes }: Payload, record: number): void {
  const length = runtime.scratch.writeBytes(bytes);
  if (runtime.call((core) => core.restore(length, form))) return;
  const { message } = runtime.refusal();
  throw new SubAgentError('store_damaged', `record ${record} of the store can't be read: ${message}`, { record });
}
