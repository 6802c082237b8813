// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { ViewBytes } from '../view-bytes.js';
import type { Missing, RunKey, LastRun, ReportedRun, OwnId, Release, DeniedInVain } from './lookups.js';

/** Reads one. */
export function readMissing(from: ViewBytes): Missing {
  const low = from.bits(1);
  return {
    sessions: (low & 0x1) !== 0 ? from.texts() : [],
    agents: (low & 0x2) !== 0 ? from.texts() : [],
    profiles: (low & 0x4) !== 0 ? from.texts() : [],
  };
}

/** Reads one. */
export function readRunKey(from: ViewBytes): RunKey {
  return {
    task: from.key(),
    run: from.number(),
  };
}

/** Reads one. */
export function readLastRun(from: ViewBytes): LastRun {
  const low = from.bits(1);
  return {
    run: from.number(),
    isOpen: (low & 0x1) !== 0,
  };
}

/** Reads one. */
export function readReportedRun(from: ViewBytes): ReportedRun {
  const low = from.bits(1);
  return {
    task: from.key(),
    run: from.number(),
    isBegunAnew: (low & 0x1) !== 0,
  };
}

/** Reads one. */
export function readOwnId(from: ViewBytes): OwnId {
  return {
    task: from.key(),
    id: from.text(),
  };
}

/** Reads one. */
export function readRelease(from: ViewBytes): Release {
  const low = from.bits(1);
  return {
    serial: from.number(),
    owner: from.text(),
    data: (low & 0x1) !== 0 ? from.text() : null,
  };
}

/** Reads one. */
export function readDeniedInVain(from: ViewBytes): DeniedInVain {
  const low = from.bits(1);
  return {
    denied: (low & 0x1) !== 0 ? from.texts() : [],
    known: (low & 0x2) !== 0 ? from.texts() : [],
  };
}
