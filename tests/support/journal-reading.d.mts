import type { Store } from '../../dist/index.js';

export function work(store: Store, texts: string): Promise<void>;
export function writeJournal(store: Store): Promise<void>;
export function readThrough(
  store: Store,
): Promise<{ said?: string; code?: string; message?: string; details?: Readonly<Record<string, unknown>> }>;
