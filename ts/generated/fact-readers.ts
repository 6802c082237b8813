// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { FactBytes } from '../base/fact-bytes.js';
import type { Metadata } from '../base/metadata.js';
import type { EventBirth, EventFirst, EventKeyUse, EventLoan, EventLoans, EventRetry, EventSpec, SubAgentEvent } from './facts.js';
import { DELIVERIES, MESSAGE_PLACES, ON_PARENT_END, PARK_REASONS, POLICY_ANSWERS, POLICY_POINTS, STOP_REASONS, TASK_STATUSES, WAITING_FOR } from './names.js';

const birth = (from: FactBytes): EventBirth => ({ to: from.task(), reroutedFrom: from.flag() ? from.task() : null, acked: from.flag(), awaited: from.flag() });

const first = (from: FactBytes): EventFirst => ({ rank: from.signed(), round: from.number(), waitingFor: from.flag() ? from.name(WAITING_FOR) : null });

const keyUse = (from: FactBytes): EventKeyUse => ({ key: from.text(), digest: from.number(), until: from.number() });

const loan = (from: FactBytes): EventLoan => ({ lender: from.task(), run: from.number(), amount: from.amounts() });

const loans = (from: FactBytes): EventLoans => ({ lent: from.list(() => loan(from)), returned: from.list(() => loan(from)) });

const retry = (from: FactBytes): EventRetry => ({ max: from.number(), backoffMs: from.number(), on: from.list(() => from.name(STOP_REASONS)) });

const spec = (from: FactBytes): EventSpec => ({ label: from.flag() ? from.text() : null, nickname: from.flag() ? from.text() : null, contextHint: from.flag() ? from.text() : null, tools: from.flag() ? from.list(() => from.text()) : null, systemPrompt: from.flag() ? from.text() : null, profile: from.flag() ? from.text() : null, modelId: from.flag() ? from.text() : null, sourceAgentId: from.flag() ? from.text() : null, maxTurns: from.flag() ? from.number() : null, timeoutMs: from.flag() ? from.number() : null, idleTimeoutMs: from.flag() ? from.number() : null, turnEstimate: from.flag() ? from.number() : null, priority: from.flag() ? from.signed() : null, rateLimitKey: from.flag() ? from.text() : null, disallowedTools: from.flag() ? from.list(() => from.text()) : null, originChannel: from.flag() ? from.text() : null, originChatId: from.flag() ? from.text() : null, json: from.flag(), onParentEnd: from.flag() ? from.name(ON_PARENT_END) : null, metadata: from.flag() ? from.json<Metadata>() : null, retry: from.flag() ? retry(from) : null });

/** Reads a fact that was stored, by its number: its fields lie in this order. */
export const FACT_READERS: Readonly<Record<number, (from: FactBytes, seq: number, at: number) => SubAgentEvent>> = {
  0: (from, seq, at) => ({ type: 'seeded', seq, at, high: from.number(), low: from.number() }),
  1: (from, seq, at) => ({ type: 'limit_set', seq, at, limit: from.text(), value: from.number() }),
  2: (from, seq, at) => ({ type: 'cap_set', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, cap: from.amounts() }),
  3: (from, seq, at) => ({ type: 'admission_set', seq, at, reject: from.flag() }),
  4: (from, seq, at) => ({ type: 'task_cap_set', seq, at, cap: from.amounts() }),
  132: (from, seq, at) => ({ type: 'retry_set', seq, at, retry: from.flag() ? retry(from) : null }),
  5: (from, seq, at) => ({ type: 'session_opened', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, name: from.text() }),
  6: (from, seq, at) => ({ type: 'main_agent_set', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, tools: from.flag() ? from.list(() => from.text()) : null, modelId: from.flag() ? from.text() : null }),
  10: (from, seq, at) => ({ type: 'task_admitted', seq, at, taskId: from.newTask(), label: null, metadata: null, parentId: from.task(), parentRun: from.number(), background: from.flag(), manual: from.flag(), byModel: from.flag(), cap: from.amounts(), text: from.text(), spec: from.flag() ? spec(from) : null, barred: from.flag(), first: from.flag() ? first(from) : null, once: from.flag() ? keyUse(from) : null }),
  11: (from, seq, at) => ({ type: 'reserve_changed', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, tokens: from.number() }),
  12: (from, seq, at) => ({ type: 'message_queued', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), place: from.name(MESSAGE_PLACES), text: from.text() }),
  13: (from, seq, at) => ({ type: 'messages_dropped', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, count: from.number() }),
  20: (from, seq, at) => ({ type: 'run_queued', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), rank: from.signed(), round: from.number(), message: from.flag() ? from.text() : null, waitingFor: from.flag() ? from.name(WAITING_FOR) : null }),
  63: (from, seq, at) => ({ type: 'run_raised', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), rank: from.signed() }),
  21: (from, seq, at) => ({ type: 'run_started', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), maxTurns: from.number(), timeoutMs: from.number(), idleTimeoutMs: from.number(), hold: from.amounts(), loans: from.flag() ? loans(from) : null }),
  37: (from, seq, at) => ({ type: 'turn_delayed', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), estimate: from.flag() ? from.number() : null }),
  24: (from, seq, at) => ({ type: 'turn_started', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), turn: from.number(), wrapUp: from.flag(), told: from.flag() ? from.name(STOP_REASONS) : null, spendsWrapUp: from.flag(), hold: from.amounts(), loans: from.flag() ? loans(from) : null, steers: from.number(), questions: from.list(() => from.task()) }),
  27: (from, seq, at) => ({ type: 'run_reported', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), usage: from.amounts(), reported: from.dimensions(), invalid: from.dimensions(), hold: from.amounts(), loans: from.flag() ? loans(from) : null, contextTokens: from.flag() ? from.number() : null, message: from.flag() ? from.text() : null }),
  28: (from, seq, at) => ({ type: 'wrap_up_told', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), reason: from.name(STOP_REASONS), until: from.flag() ? from.number() : null }),
  29: (from, seq, at) => ({ type: 'run_parked', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), why: from.name(PARK_REASONS), waitsFor: from.list(() => from.task()) }),
  30: (from, seq, at) => ({ type: 'run_unparked', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), why: from.name(PARK_REASONS) }),
  31: (from, seq, at) => ({ type: 'run_reentered', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), overLimit: from.flag(), setsAside: from.flag(), hold: from.amounts(), loans: from.flag() ? loans(from) : null }),
  32: (from, seq, at) => ({ type: 'stop_requested', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), reason: from.name(STOP_REASONS), status: from.name(TASK_STATUSES), until: from.number() }),
  33: (from, seq, at) => ({ type: 'run_ended', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), status: from.name(TASK_STATUSES), reason: from.name(STOP_REASONS), partial: from.flag(), hostOpen: from.flag(), cut: from.flag(), collected: from.flag(), usage: from.amounts(), unknown: from.dimensions(), invalid: from.dimensions(), loans: from.flag() ? loans(from) : null, output: from.text(), error: from.flag() ? from.text() : null, hostStatus: from.flag() ? from.text() : null, hostTaskId: from.flag() ? from.text() : null, artifacts: from.flag() ? from.text() : null, value: from.flag() ? from.text() : null, durationMs: from.flag() ? from.number() : null, abandonAt: from.number(), unheard: from.flag() ? from.flag() : null, notice: from.flag() ? birth(from) : null }),
  130: (from, seq, at) => ({ type: 'run_retried', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), attempt: from.number(), reason: from.name(STOP_REASONS), error: from.flag() ? from.text() : null, hostStatus: from.flag() ? from.text() : null, usage: from.amounts(), unknown: from.dimensions(), invalid: from.dimensions(), loans: from.flag() ? loans(from) : null, until: from.number() }),
  133: (from, seq, at) => ({ type: 'checkpoint_saved', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), data: from.text() }),
  131: (from, seq, at) => ({ type: 'retry_due', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), rank: from.signed(), round: from.number() }),
  34: (from, seq, at) => ({ type: 'host_returned', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), usage: from.flag() ? from.amounts() : null, unknown: from.dimensions(), invalid: from.dimensions(), loans: from.flag() ? loans(from) : null, lateResult: from.flag() ? from.text() : null }),
  35: (from, seq, at) => ({ type: 'host_abandoned', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), usage: from.amounts() }),
  46: (from, seq, at) => ({ type: 'run_elsewhere', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), hostTaskId: from.flag() ? from.text() : null }),
  40: (from, seq, at) => ({ type: 'cancel_requested', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, by: from.task(), close: from.flag(), interrupt: from.flag(), claimed: from.list(() => from.task()) }),
  41: (from, seq, at) => ({ type: 'cancel_settled', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata }),
  42: (from, seq, at) => ({ type: 'task_ended', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, status: from.name(TASK_STATUSES), reason: from.name(STOP_REASONS) }),
  43: (from, seq, at) => ({ type: 'task_resumed', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata }),
  44: (from, seq, at) => ({ type: 'ends_collected', seq, at, tasks: from.list(() => from.task()) }),
  45: (from, seq, at) => ({ type: 'task_forgotten', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata }),
  111: (from, seq, at) => ({ type: 'key_dropped', seq, at, scope: from.task(), key: from.text() }),
  112: (from, seq, at) => ({ type: 'cooldown_set', seq, at, key: from.text(), until: from.number() }),
  113: (from, seq, at) => ({ type: 'cooldown_over', seq, at, key: from.text() }),
  114: (from, seq, at) => ({ type: 'result_released', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata }),
  70: (from, seq, at) => ({ type: 'task_backgrounded', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata }),
  74: (from, seq, at) => ({ type: 'queue_held', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, held: from.flag() }),
  75: (from, seq, at) => ({ type: 'question_asked', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), question: from.text(), until: from.flag() ? from.number() : null, told: from.flag() }),
  76: (from, seq, at) => ({ type: 'question_closed', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), answer: from.flag() ? from.text() : null, timedOut: from.flag() }),
  78: (from, seq, at) => ({ type: 'question_told', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number() }),
  91: (from, seq, at) => ({ type: 'notice_moved', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), delivery: from.name(DELIVERIES), to: from.task(), attempt: from.number(), until: from.flag() ? from.number() : null, told: from.list(() => from.task()) }),
  60: (from, seq, at) => ({ type: 'drain_started', seq, at, until: from.number(), leavesQueued: from.flag() }),
  62: (from, seq, at) => ({ type: 'drain_overran', seq, at }),
  61: (from, seq, at) => ({ type: 'drain_ended', seq, at, timedOut: from.flag() }),
  100: (from, seq, at) => ({ type: 'policy_answered', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), point: from.name(POLICY_POINTS), answer: from.name(POLICY_ANSWERS), reason: from.name(STOP_REASONS), policy: from.text(), text: from.text(), until: from.flag() ? from.number() : null }),
  101: (from, seq, at) => ({ type: 'call_counted', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), policy: from.text() }),
  102: (from, seq, at) => ({ type: 'todos_reported', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), open: from.number(), todos: from.text() }),
  103: (from, seq, at) => ({ type: 'tool_began', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), tool: from.text() }),
  104: (from, seq, at) => ({ type: 'tool_ended', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), steers: from.number(), questions: from.list(() => from.task()) }),
  105: (from, seq, at) => ({ type: 'tools_blocked', seq, at, tools: from.list(() => from.text()) }),
  107: (from, seq, at) => ({ type: 'main_ended', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata }),
  82: (from, seq, at) => ({ type: 'run_returned', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata, run: from.number(), usage: from.amounts(), unknown: from.dimensions(), invalid: from.dimensions(), loans: from.flag() ? loans(from) : null, output: from.text(), hostStatus: from.flag() ? from.text() : null, hostTaskId: from.flag() ? from.text() : null, artifacts: from.flag() ? from.text() : null, value: from.flag() ? from.text() : null, durationMs: from.flag() ? from.number() : null }),
  83: (from, seq, at) => ({ type: 'session_closed', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata }),
  84: (from, seq, at) => ({ type: 'session_freed', seq, at, taskId: from.task(), label: from.about.label, parentId: from.about.parentId, metadata: from.about.metadata }),
  141: (from, seq, at) => ({ type: 'pool_set', seq, at, tokens: from.number(), taskTokens: from.number() }),
  120: (from, seq, at) => ({ type: 'reopened', seq, at }),
};
