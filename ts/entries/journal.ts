// The entry `subagents/journal`: reads a journal without continuing it. Owns which managers read it: those of the
// entry `subagents`, in every runtime.

import { SubAgentManager } from 'subagents';
import { type JournalReplay, readJournalWith } from '../api/read-journal.js';
import type { Store, StoreContents } from '../stores/store.js';

export type { JournalEntry, JournalReplay, JournalSession, JournalView } from '../api/read-journal.js';

/**
 * Reads the journal in a store, event by event, without continuing it: nothing runs and nothing is written. Rejects with
 * `store_locked` if the store is in use, unless it was opened read-only: `fileStore(path, { readOnly: true })`.
 *
 * @param source the store, or the contents of a store that is already open
 */
export function readJournal(source: Store | StoreContents): Promise<JournalReplay> {
  return readJournalWith(source, SubAgentManager as never);
}
