// The facts of a manager in their stored form: out, batch by batch, as the core hands them out, and in, where a
// manager goes on after another one (J3). Owns the order of opening. Nothing here is public: there is no store
// yet, and the published module can't open facts; a test build can (`cargo xtask build-journal`).

import { now } from '../base/clock.js';
import type { Core } from './core.js';

/** What the journal needs of its manager. */
export interface JournalParts extends Core {
  journal: Journal | undefined;
  readonly hosts: { keepAwake(): void };
  readonly runs: { batchOver(): void };
}

/** Who keeps the facts of a manager. */
export interface Journal {
  /** What was kept of the manager before, whole batches in their order; empty for a new one. */
  readonly facts: Uint8Array;
  /** Takes the facts of a batch, once what it asked for is carried out. Must not throw. */
  append(facts: Uint8Array): void;
}

/** What the core of the test build has besides. */
interface OpeningCore {
  reopen(now: number, facts: Uint8Array): boolean;
  sessionNamed(length: number): number;
}

const openingCore = (core: unknown): OpeningCore => core as OpeningCore;

/** Keeps what the core decides from now on; first of all it goes on where the journal ends. */
export function keepJournal(runtime: JournalParts, journal: Journal): void {
  runtime.journal = journal;
  if (journal.facts.length === 0) {
    runtime.call((core) => core.listen(true));
    return;
  }
  runtime.ask((core) => openingCore(core).reopen(now(), journal.facts));
  // Host functions and listeners are called once the program has the manager that they are to speak with.
  queueMicrotask(() => {
    runtime.unasked((core) => core.goOn());
    if (!runtime.isClosed) runtime.hosts.keepAwake();
    runtime.runs.batchOver();
  });
}

/** Slot and generation of the session that the manager before had opened by the name in the scratch; else -1. */
export function sessionOfBefore(runtime: JournalParts, length: number): number {
  const goesOn = (runtime.journal?.facts.length ?? 0) > 0;
  return goesOn ? runtime.call((core) => openingCore(core).sessionNamed(length)) : -1;
}
