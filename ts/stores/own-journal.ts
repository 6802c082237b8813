// The way to the module with the journal that the stores of this package have. Owns its import: the module is loaded
// when a manager is opened, and only a bundle with a store has it. To CommonJS, it is the entry `subagents/journal`.

import type { JournalSource } from './store.js';

export const journal: JournalSource = async (plain) => (await import('./journal.js')).journal(plain);
