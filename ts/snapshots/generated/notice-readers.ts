// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { Metadata } from '../../base/metadata.js';
import type { Receipt } from '../../base/receipt.js';
import type { ViewBytes } from '../../boundary/view-bytes.js';
import { STOP_REASONS, TASK_STATUSES } from '../../generated/names.js';
import { readRunUsage } from './task-readers.js';
import type { Origin, SpentInAll, Notice } from './notice.js';

/** Reads one. */
export function readOrigin(from: ViewBytes): Origin {
  return {
    channel: from.text(),
    chatId: from.text(),
  };
}

/** Reads one. */
export function readSpentInAll(from: ViewBytes): SpentInAll {
  const low = from.bits(1);
  return {
    tokens: (low & 0x1) !== 0 ? from.float() : null,
    costUsd: (low & 0x2) !== 0 ? from.float() : null,
    estimated: (low & 0x4) !== 0,
  };
}

/** Reads one. */
export function readNotice(from: ViewBytes): Notice {
  const low = from.bits(2);
  return {
    deliveryId: from.text(),
    taskId: from.id(),
    run: from.number(),
    label: from.text(),
    nickname: (low & 0x1) !== 0 ? from.text() : null,
    instructions: from.text(),
    metadata: (low & 0x2) !== 0 ? from.json<Metadata>() : null,
    status: from.name(TASK_STATUSES),
    stopReason: from.name(STOP_REASONS),
    output: from.text(),
    partial: (low & 0x4) !== 0,
    truncated: (low & 0x8) !== 0,
    error: (low & 0x10) !== 0 ? from.text() : null,
    hostStatus: (low & 0x20) !== 0 ? from.text() : null,
    artifacts: (low & 0x40) !== 0 ? from.json<Record<string, unknown>[]>() : [],
    value: (low & 0x80) !== 0 ? from.json<unknown>() : null,
    receipts: (low & 0x100) !== 0 ? from.json<Receipt[]>() : [],
    usage: readRunUsage(from),
    spentInAll: (low & 0x200) !== 0 ? readSpentInAll(from) : null,
    durationMs: from.float(),
    endedAt: from.float(),
    origin: readOrigin(from),
    sessionKey: (low & 0x400) !== 0 ? from.text() : null,
    reroutedFrom: (low & 0x800) !== 0 ? from.id() : null,
    delivery: from.text() as 'pending' | 'awaited' | 'leased' | 'undelivered',
    attempt: from.number(),
    leasedUntil: (low & 0x1000) !== 0 ? from.float() : null,
    text: from.text(),
  };
}
