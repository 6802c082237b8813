// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { Metadata } from '../base/metadata.js';
import type { ViewBytes } from '../boundary/view-bytes.js';
import type { RunUsage, RunHold, LingeringRun, BudgetDimension, BudgetAccount, TaskSnapshot } from '../snapshots/generated/task.js';
import type { Origin, SpentInAll, Notice } from '../snapshots/generated/notice.js';
import type { ManagerStats } from '../snapshots/generated/totals.js';
import type { PolicyCount, Policing } from '../reading/generated/policing.js';
import type { RunLimits, Remaining, RunRemaining, PreviousError } from '../reading/generated/run.js';
import type { ResultPage } from '../reading/generated/page.js';
import type { Missing } from '../boundary/generated/missing.js';
import { ON_PARENT_END, PARK_REASONS, STOP_REASONS, TASK_STATUSES, WAITING_FOR } from './names.js';

export function readRunUsage(from: ViewBytes): RunUsage {
  return {
    tokens: from.float(),
    costUsd: from.float(),
    turns: from.float(),
    unknown: from.dimensions(),
    invalid: from.dimensions(),
  };
}

export function readRunHold(from: ViewBytes): RunHold {
  return {
    tokens: from.float(),
    costUsd: from.float(),
    turns: from.float(),
  };
}

export function readLingeringRun(from: ViewBytes): LingeringRun {
  const low = from.bits(1);
  return {
    run: from.number(),
    abandoned: (low & 0x1) !== 0,
    holdsSlot: (low & 0x2) !== 0,
    usage: readRunUsage(from),
    held: readRunHold(from),
  };
}

export function readBudgetDimension(from: ViewBytes): BudgetDimension {
  return {
    cap: from.float(),
    spent: from.float(),
    held: from.float(),
    available: from.float(),
    overspent: from.float(),
  };
}

export function readBudgetAccount(from: ViewBytes): BudgetAccount {
  return {
    tokens: readBudgetDimension(from),
    costUsd: readBudgetDimension(from),
    turns: readBudgetDimension(from),
  };
}

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
  const manual = (low & 0x200) !== 0;
  const depth = from.number();
  const run = from.number();
  const turns = from.float();
  const instructions = from.text();
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
    manual,
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
    hostTaskId: (low & 0x4000) !== 0 ? from.text() : null,
    hostStillRunning: (low & 0x8000) !== 0,
    lingering: (low & 0x10000) !== 0 ? from.list(() => readLingeringRun(from)) : [],
    lateResult: (low & 0x20000) !== 0 ? from.text() : null,
    progress: (low & 0x40000) !== 0 ? from.text() : null,
    contextTokens: (low & 0x80000) !== 0 ? from.float() : null,
    artifacts: (low & 0x100000) !== 0 ? from.json<Record<string, unknown>[]>() : [],
    value: (low & 0x200000) !== 0 ? from.json<unknown>() : null,
    tools: (low & 0x400000) !== 0 ? from.texts() : null,
    systemPrompt: (low & 0x800000) !== 0 ? from.text() : null,
    profile: from.text(),
    modelId: (middle & 0x1) !== 0 ? from.text() : null,
    sourceAgentId: (middle & 0x2) !== 0 ? from.text() : null,
    metadata: (middle & 0x4) !== 0 ? from.json<Metadata>() : null,
    rateLimitKey: (middle & 0x8) !== 0 ? from.text() : null,
    disallowedTools: (middle & 0x10) !== 0 ? from.texts() : null,
    released: (middle & 0x20) !== 0,
    format: from.text() as 'text' | 'json',
    report: (middle & 0x40) !== 0 ? from.text() : null,
    maxTurns: from.float(),
    queueSize: from.number(),
    question: (middle & 0x80) !== 0 ? from.text() : null,
    undelivered: (middle & 0x100) !== 0 ? from.texts() : [],
    queuedPreview: (middle & 0x200) !== 0 ? from.texts() : [],
    lastInput: (middle & 0x400) !== 0 ? from.textUnless(instructions) : null,
    lastOutput: (middle & 0x800) !== 0 ? from.textUnless(output) : null,
    onParentEnd: from.name(ON_PARENT_END),
    createdAt: (middle & 0x1000) !== 0 ? from.float() : null,
    startedAt: (middle & 0x2000) !== 0 ? from.float() : null,
    endedAt: (middle & 0x4000) !== 0 ? from.float() : null,
    updatedAt: (middle & 0x8000) !== 0 ? from.float() : null,
    durationMs: (middle & 0x10000) !== 0 ? from.float() : null,
    usage: readRunUsage(from),
    budget: readBudgetAccount(from),
  };
}

export function readOrigin(from: ViewBytes): Origin {
  return {
    channel: from.text(),
    chatId: from.text(),
  };
}

export function readSpentInAll(from: ViewBytes): SpentInAll {
  const low = from.bits(1);
  return {
    tokens: (low & 0x1) !== 0 ? from.float() : null,
    costUsd: (low & 0x2) !== 0 ? from.float() : null,
  };
}

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
    usage: readRunUsage(from),
    spentInAll: (low & 0x100) !== 0 ? readSpentInAll(from) : null,
    durationMs: from.float(),
    endedAt: from.float(),
    origin: readOrigin(from),
    sessionKey: (low & 0x200) !== 0 ? from.text() : null,
    reroutedFrom: (low & 0x400) !== 0 ? from.id() : null,
    delivery: from.text() as 'pending' | 'awaited' | 'leased' | 'set_aside',
    attempt: from.number(),
    leasedUntil: (low & 0x800) !== 0 ? from.float() : null,
    text: from.text(),
  };
}

export function readManagerStats(from: ViewBytes): ManagerStats {
  const low = from.bits(1);
  return {
    total: from.number(),
    pending: from.number(),
    running: from.number(),
    idle: from.number(),
    completed: from.number(),
    failed: from.number(),
    timedOut: from.number(),
    cancelled: from.number(),
    interrupted: from.number(),
    closed: from.number(),
    runsEnded: from.float(),
    tokensSpent: from.float(),
    tokensHeld: from.float(),
    tokensRemaining: from.float(),
    costSpentUsd: from.float(),
    turnsSpent: from.float(),
    maxConcurrent: from.float(),
    waitingFor: from.waiting(),
    canSpawn: (low & 0x1) !== 0,
  };
}

export function readPolicyCount(from: ViewBytes): PolicyCount {
  return {
    name: from.text(),
    count: from.float(),
  };
}

export function readPolicing(from: ViewBytes): Policing {
  const low = from.bits(1);
  return {
    turns: from.float(),
    contextTokens: (low & 0x1) !== 0 ? from.float() : null,
    openTodos: from.float(),
    todos: from.text(),
    counts: (low & 0x2) !== 0 ? from.list(() => readPolicyCount(from)) : [],
  };
}

export function readRunLimits(from: ViewBytes): RunLimits {
  return {
    maxTurns: from.float(),
    tokens: from.float(),
    costUsd: from.float(),
    turns: from.float(),
    timeoutMs: from.float(),
    idleTimeoutMs: from.float(),
    maxDepth: from.float(),
  };
}

export function readRemaining(from: ViewBytes): Remaining {
  return {
    tokens: from.float(),
    costUsd: from.float(),
    turns: from.float(),
  };
}

export function readRunRemaining(from: ViewBytes): RunRemaining {
  return {
    tokens: from.float(),
    costUsd: from.float(),
    turns: from.float(),
    shared: readRemaining(from),
  };
}

export function readPreviousError(from: ViewBytes): PreviousError {
  const low = from.bits(1);
  return {
    reason: from.name(STOP_REASONS),
    error: (low & 0x1) !== 0 ? from.text() : null,
  };
}

export function readResultPage(from: ViewBytes): ResultPage {
  const low = from.bits(1);
  return {
    text: from.text(),
    offset: from.number(),
    nextOffset: (low & 0x1) !== 0 ? from.number() : null,
    total: from.number(),
    cut: (low & 0x2) !== 0,
  };
}

export function readMissing(from: ViewBytes): Missing {
  const low = from.bits(1);
  return {
    sessions: (low & 0x1) !== 0 ? from.texts() : [],
    agents: (low & 0x2) !== 0 ? from.texts() : [],
    profiles: (low & 0x4) !== 0 ? from.texts() : [],
  };
}
