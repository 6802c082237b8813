// The entry `subagents/journal`: reading what a manager has kept, without continuing it. Owns the managers that it is read by: those
// of the entry `subagents`, in every runtime.

import { SubAgentManager } from 'subagents';
import { type JournalReplay, readJournalWith } from '../api/read-journal.js';
import type { Store, StoreContents } from '../stores/store.js';

export type { JournalEntry, JournalReplay, JournalSession, JournalView } from '../api/read-journal.js';

/**
 * Reads the journal in a store, event by event, without continuing it: nothing runs and nothing is written. Rejects with
 * `store_locked` if the store is in use, unless it was opened to be read: `fileStore(path, { readOnly: true })`.
 *
 * @param source the store, or the contents of one that is open already
 */
export function readJournal(source: Store | StoreContents): Promise<JournalReplay> {
  return readJournalWith(source, SubAgentManager as never);
}
