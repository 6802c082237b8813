// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { Metadata } from '../../base/metadata.js';
import type { Receipt, StoredMustHave } from '../../base/receipt.js';
import type { ViewBytes } from '../../boundary/view-bytes.js';
import { ON_PARENT_END, PARK_REASONS, STOP_REASONS, TASK_STATUSES, WAITING_FOR } from '../../generated/names.js';
import type { RunUsage, RunReservation, LingeringRun, BudgetDimension, BudgetAccount, TaskSnapshot } from './task.js';

/** Reads one. */
export function readRunUsage(from: ViewBytes): RunUsage {
  const low = from.bits(2);
  return {
    tokens: (low & 0x1) !== 0 ? from.float() : 0,
    costUsd: (low & 0x2) !== 0 ? from.float() : 0,
    turns: (low & 0x4) !== 0 ? from.float() : 0,
    inputTokens: (low & 0x8) !== 0 ? from.float() : null,
    outputTokens: (low & 0x10) !== 0 ? from.float() : null,
    cacheReadTokens: (low & 0x20) !== 0 ? from.float() : null,
    cacheWriteTokens: (low & 0x40) !== 0 ? from.float() : null,
    cacheWrite1hTokens: (low & 0x80) !== 0 ? from.float() : null,
    reasoningTokens: (low & 0x100) !== 0 ? from.float() : null,
    estimated: (low & 0x200) !== 0,
    unknown: from.dimensions(),
    invalid: from.dimensions(),
  };
}

/** Reads one. */
export function readRunReservation(from: ViewBytes): RunReservation {
  return {
    tokens: from.float(),
    costUsd: from.float(),
    turns: from.float(),
  };
}

/** Reads one. */
export function readLingeringRun(from: ViewBytes): LingeringRun {
  const low = from.bits(1);
  return {
    run: from.number(),
    abandoned: (low & 0x1) !== 0,
    holdsSlot: (low & 0x2) !== 0,
    usage: readRunUsage(from),
    reserved: readRunReservation(from),
  };
}

/** Reads one. */
export function readBudgetDimension(from: ViewBytes): BudgetDimension {
  const low = from.bits(1);
  return {
    cap: (low & 0x1) !== 0 ? from.float() : Infinity,
    spent: (low & 0x2) !== 0 ? from.float() : 0,
    reserved: (low & 0x4) !== 0 ? from.float() : 0,
    available: (low & 0x8) !== 0 ? from.float() : Infinity,
    overspent: (low & 0x10) !== 0 ? from.float() : 0,
  };
}

/** Reads one. */
export function readBudgetAccount(from: ViewBytes): BudgetAccount {
  return {
    tokens: readBudgetDimension(from),
    costUsd: readBudgetDimension(from),
    turns: readBudgetDimension(from),
  };
}

/** Reads one. */
export function readTaskSnapshot(from: ViewBytes): TaskSnapshot {
  const low = from.bits(3);
  const middle = from.bits(3);
  const taskId = from.id();
  const parentId = (low & 0x1) !== 0 ? from.id() : null;
  const sessionKey = (low & 0x2) !== 0 ? from.text() : null;
  const label = from.text();
  const nickname = (low & 0x4) !== 0 ? from.text() : null;
  const status = from.name(TASK_STATUSES);
  const parked = (low & 0x8) !== 0 ? from.name(PARK_REASONS) : null;
  const waitingFor = (low & 0x10) !== 0 ? from.name(WAITING_FOR) : null;
  const cancelRequested = (low & 0x20) !== 0;
  const stopReason = (low & 0x40) !== 0 ? from.name(STOP_REASONS) : null;
  const raisedBy = (low & 0x80) !== 0 ? from.text() : null;
  const background = (low & 0x100) !== 0;
  const depth = from.number();
  const run = from.number();
  const turns = (low & 0x200) !== 0 ? from.float() : 0;
  const instructions = from.textUnless(label);
  const contextHint = from.text();
  const output = from.text();
  return {
    taskId,
    parentId,
    sessionKey,
    label,
    nickname,
    status,
    parked,
    waitingFor,
    cancelRequested,
    stopReason,
    raisedBy,
    background,
    depth,
    run,
    turns,
    instructions,
    contextHint,
    output,
    partial: (low & 0x400) !== 0,
    truncated: (low & 0x800) !== 0,
    error: (low & 0x1000) !== 0 ? from.text() : null,
    hostStatus: (low & 0x2000) !== 0 ? from.text() : null,
    artifacts: (low & 0x4000) !== 0 ? from.json<Record<string, unknown>[]>() : [],
    value: (low & 0x8000) !== 0 ? from.json<unknown>() : null,
    receipts: (low & 0x10000) !== 0 ? from.json<Receipt[]>() : [],
    hostTaskId: (low & 0x20000) !== 0 ? from.text() : null,
    hostStillRunning: (low & 0x40000) !== 0,
    lingering: (low & 0x80000) !== 0 ? from.list(() => readLingeringRun(from)) : [],
    lateResult: (low & 0x100000) !== 0 ? from.text() : null,
    progress: (low & 0x200000) !== 0 ? from.text() : null,
    contextTokens: (low & 0x400000) !== 0 ? from.float() : null,
    tools: (low & 0x800000) !== 0 ? from.texts() : null,
    systemPrompt: (middle & 0x1) !== 0 ? from.text() : null,
    profile: from.textUnless('minimal'),
    modelId: (middle & 0x2) !== 0 ? from.text() : null,
    effort: (middle & 0x4) !== 0 ? from.text() : null,
    agent: (middle & 0x8) !== 0 ? from.text() : null,
    metadata: (middle & 0x10) !== 0 ? from.json<Metadata>() : null,
    mustHave: (middle & 0x20) !== 0 ? from.json<StoredMustHave[]>() : null,
    rateLimitKey: (middle & 0x40) !== 0 ? from.text() : null,
    disallowedTools: (middle & 0x80) !== 0 ? from.texts() : null,
    released: (middle & 0x100) !== 0,
    format: from.textUnless('text') as 'text' | 'json',
    report: (middle & 0x200) !== 0 ? from.text() : null,
    maxTurns: (middle & 0x400) !== 0 ? from.float() : Infinity,
    queueSize: from.number(),
    question: (middle & 0x800) !== 0 ? from.text() : null,
    undelivered: (middle & 0x1000) !== 0 ? from.texts() : [],
    queuedPreview: (middle & 0x2000) !== 0 ? from.texts() : [],
    lastInput: (middle & 0x4000) !== 0 ? from.textUnless(instructions) : null,
    lastOutput: (middle & 0x8000) !== 0 ? from.textUnless(output) : null,
    onParentEnd: from.name(ON_PARENT_END),
    createdAt: (middle & 0x10000) !== 0 ? from.time() : null,
    startedAt: (middle & 0x20000) !== 0 ? from.time() : null,
    endedAt: (middle & 0x40000) !== 0 ? from.time() : null,
    updatedAt: (middle & 0x80000) !== 0 ? from.time() : null,
    durationMs: (middle & 0x100000) !== 0 ? from.float() : null,
    usage: readRunUsage(from),
    budget: readBudgetAccount(from),
  };
}
