// The entry `subagents/journal` on Cloudflare Workers. Owns the import of the module's file in the deployment, which is
// there only where a store is.

import module from '../../pkg/journal.wasm';
import type { JournalSource } from '../stores/store.js';

export const journal: JournalSource = async () => module;
