// Reads a journal without continuing it: its events one by one, and the manager after each. Must never have effects: calls no
// host function, ends no run, writes nothing.

import { invalid, SubAgentError } from '../base/errors.js';
import { FactBytes } from '../base/fact-bytes.js';
import { EventReader, type SubAgentEvent } from '../boundary/events.js';
import type { JournalParts } from '../boundary/journal.js';
import type { Actor } from '../boundary/key.js';
import { FACT_READERS } from '../generated/fact-readers.js';
import type { TaskRef } from '../options/arguments.js';
import { readBudgetAccount } from '../snapshots/generated/task-readers.js';
import type { BudgetAccount } from '../snapshots/types.js';
import { openRecord } from '../stores/record.js';
import type { Store, StoreContents } from '../stores/store.js';
import { Inbox, type InboxParts } from './inbox.js';
import type { SubAgentManager } from './manager.js';
import { type ManagerClass, opened, openedManager, readRecords, restore, restoreSnapshot } from './open-store.js';
import { openSessions } from './sessions.js';

/** A session of a read-only journal. */
export interface JournalSession {
  /** The key that it was opened with. */
  readonly key: string;
  /** The unacknowledged notices for its main agent. */
  readonly inbox: Pick<Inbox, 'peek'>;
}

/** The reading operations of a manager, for a read-only journal. */
export type JournalView = Pick<
  SubAgentManager,
  'get' | 'list' | 'stats' | 'costs' | 'limits' | 'getConcurrencyInfo' | 'readResult' | 'sessionKeys'
> & {
  /** The unacknowledged notices for the manager's main agent. */
  readonly inbox: Pick<Inbox, 'peek'>;
  /** The session with this key, for its budget and notices. Opens none; throws `invalid_argument` if none is open. */
  session(key: string): JournalSession;
  /** The cap, spending and reservations of the manager, a session or a sub-agent, including all below it. */
  budget(target?: TaskRef | JournalSession): BudgetAccount;
};

/** One event of a journal. */
export interface JournalEntry {
  /** The number of the event over the life of the journal, from 1: the `seq` that listeners got. */
  readonly seq: number;
  /** When it happened, in epoch milliseconds. */
  readonly at: number;
  /** The number of its record in the store, from 1. */
  readonly record: number;
  /** The event. Its own `seq` and `at` are the ones above. */
  readonly event: SubAgentEvent;
}

/**
 * A journal that is read: iterate it for its events, oldest first. Damage is thrown at its place, as `store_damaged` or
 * `store_version` with `details.record`; entries before it can be trusted. A further iteration begins where the last one
 * stopped. If the store was opened read-only, it also reads newer records.
 */
export interface JournalReplay extends AsyncIterable<JournalEntry> {
  /** The manager after the last event that was read; before the first, as in the store's snapshot. */
  readonly view: JournalView;
  /** Number of events that the store's snapshot includes; 0 without one. The first entry has the next number. */
  readonly snapshotSeq: number;
  /** Bytes of a torn tail that was left out, known once all is read; 0 if there is none. */
  readonly cut: number;
  /** Frees the memory, and closes the store if this opened it. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Reads a journal with a manager of this class, for the entries. */
export async function readJournalWith(source: Store | StoreContents, Manager: ManagerClass<SubAgentManager>): Promise<JournalReplay> {
  if (!isStore(source) && !isContents(source)) throw invalid('the journal', 'a store, or what one holds', source);
  const store = isStore(source) ? source : undefined;
  const contents = store === undefined ? (source as StoreContents) : await opened(store);
  try {
    const runtimes: JournalParts[] = [];
    const manager = openedManager(Manager, {}, { begin: (runtime) => void runtimes.push(runtime) });
    return replay(manager, runtimes[0] as JournalParts, contents, store);
  } catch (error) {
    await store?.close().catch(() => undefined);
    throw error;
  }
}

function isStore(source: unknown): source is Store {
  return typeof (source as Partial<Store> | null)?.open === 'function';
}

function isContents(source: unknown): boolean {
  const { through, records } = (source ?? {}) as Partial<StoreContents>;
  return typeof through === 'number' && typeof records === 'object' && records !== null;
}

/** A function, not a class: bundlers keep a class with a computed name, and all that it uses, in every program. */
function replay(manager: SubAgentManager, runtime: JournalParts, contents: StoreContents, store: Store | undefined): JournalReplay {
  restoreSnapshot(runtime, contents);
  const view = withSessions(manager, runtime as JournalParts & InboxParts);
  const snapshotSeq = runtime.call((core) => core.factCount());
  return {
    view,
    snapshotSeq,
    get cut() {
      return contents.cut ?? 0;
    },
    [Symbol.asyncIterator]: readingOn(runtime, contents, snapshotSeq),
    async [Symbol.asyncDispose]() {
      manager.dispose();
      await store?.close();
    },
  };
}

/** Has a manager name the journal's sessions, none of which this process has opened. */
function withSessions(manager: SubAgentManager, runtime: InboxParts): JournalView {
  const places = (): ReadonlyMap<string, Actor> => {
    const known = new Map<string, Actor>();
    for (const { index, generation } of openSessions(runtime)) {
      known.set(runtime.lookup.sessionKey(index, generation) as string, { index, generation, run: 0 });
    }
    return known;
  };
  const placeOf = (key: string): Actor => {
    const place = places().get(key);
    if (place === undefined) throw invalid('the key', 'that of a session that is open in the journal at this moment', key);
    return place;
  };
  const sessions = new WeakSet<object>();
  const session = (key: string): JournalSession => {
    const made = { key, inbox: new Inbox(runtime, placeOf(key)) };
    sessions.add(made);
    return made;
  };
  const whole = manager.budget.bind(manager);
  const budget = (target?: TaskRef | JournalSession): BudgetAccount => {
    if (typeof target !== 'object' || !sessions.has(target)) return whole(target as TaskRef);
    const { index } = placeOf((target as JournalSession).key);
    return runtime.view((core) => core.budget(index), readBudgetAccount);
  };
  Object.defineProperties(manager, {
    sessionKeys: { get: () => [...places().keys()] },
    session: { value: session },
    budget: { value: budget },
  });
  return manager as JournalView;
}

/** Makes iterators that continue where the last iteration stopped. */
function readingOn(runtime: JournalParts, contents: StoreContents, before: number): () => AsyncIterator<JournalEntry> {
  const reader = new EventReader(runtime as never, runtime.scratch, before);
  let record = contents.through;
  let records: StoreContents['records'] | undefined = contents.records;
  let going: AsyncGenerator<JournalEntry> | undefined;
  let failure: { readonly error: unknown } | undefined;
  async function* entries(): AsyncGenerator<JournalEntry> {
    for await (const sealed of readRecords(records ?? [])) {
      record += 1;
      const { form, bytes } = openRecord(sealed, record);
      for (const fact of eachFact(new Uint8Array(bytes), form, record)) {
        restore(runtime, { form, bytes: fact }, record);
        const [event] = reader.readStored(fact, form);
        if (event !== undefined) yield { seq: event.seq, at: event.at, record, event };
      }
    }
  }
  // Without `return`, so that an iteration that stops in the middle can be continued.
  return () => ({
    async next() {
      if (failure !== undefined) throw failure.error;
      going ??= entries();
      try {
        const next = await going.next();
        if (next.done === true) {
          going = undefined;
          records = contents.later?.(record);
        }
        return next;
      } catch (error) {
        failure = { error };
        throw error;
      }
    },
  });
}

/** Yields the bytes of each fact of a record: readers get the state after every fact. */
function* eachFact(facts: Uint8Array<ArrayBuffer>, form: number, record: number): Generator<Uint8Array<ArrayBuffer>> {
  const bytes = new FactBytes(facts, undefined, form);
  while (!bytes.isOver) {
    const from = bytes.position;
    try {
      bytes.number();
      const read = FACT_READERS[bytes.byte()];
      if (read === undefined) throw new Error('it is of no known kind');
      read(bytes, 0, 0);
    } catch (cause) {
      const message = `record ${record} of the store can't be read: the fact at byte ${from} is malformed`;
      throw new SubAgentError('store_damaged', message, { record }, { cause });
    }
    yield facts.slice(from, bytes.position);
  }
}
