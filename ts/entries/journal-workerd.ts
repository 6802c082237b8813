// The entry `subagents/journal` on Cloudflare Workers: the file of the deployment, which is there only where a store is.

import module from '../../pkg/journal.wasm';
import type { JournalSource } from '../stores/store.js';

export const journal: JournalSource = async () => module;
