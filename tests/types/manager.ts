// What the types of the manager allow, and what they must not; checked by `tsc -p tests`, never run.

import {
  type AskAnswer,
  type Block,
  type CancelledSnapshot,
  type ClosedSnapshot,
  type ConcurrencyInfo,
  type DrainResult,
  type Handle,
  type HandleSnapshot,
  type HostResult,
  type Limits,
  type ManagerStats,
  type MessageMode,
  type MessageReceipt,
  type Run,
  type RunResult,
  type SpawnOptions,
  type StandardSchema,
  type StopReason,
  SubAgentError,
  type SubAgentErrorCode,
  type SubAgentEvent,
  SubAgentManager,
  type TaskSnapshot,
  type TaskStatus,
  type TurnPermit,
  type WaitResult,
} from '../../dist/index.js';
import { parseAgentDefinition, parseAgentDefinitions } from '../../dist/options/agent-file.js';
import { completionCheck, delegationGuard, safetyLimits, searchBudget, workloadDistributor } from '../../dist/policies/index.js';

/** Compiles only where both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_: Same<A, B>): void {}

// R7: the value's type is the schema's.
async function _valuesOf(manager: SubAgentManager, zodLike: StandardSchema<string, Date>): Promise<void> {
  const made = await manager.spawn({ instructions: 'x', schema: zodLike }).wait();
  same<typeof made.value, Date | undefined>(true);
  const json = await manager.spawn({ instructions: 'x', schema: { type: 'object', required: ['a'] } }).wait();
  same<typeof json.value, unknown>(true);
  const plain = await manager.spawn({ instructions: 'x' }).wait();
  same<typeof plain.value, unknown>(true);
  const options: SpawnOptions = { instructions: 'x' };
  const handle: Handle = manager.spawn(options);
  handle.wait();
  new SubAgentManager({ spawnSubAgent: async (_, run) => ({ output: '', value: { schema: run.schema } }) });
  // @ts-expect-error a schema is an object
  manager.spawn({ instructions: 'x', schema: 'object' });
}
_valuesOf;

const block: Block = { action: 'block', reason: 'no', stopReason: undefined };

// ─── options ──────────────────────────────────────────────────────────────────────────────────────

new SubAgentManager();
new SubAgentManager({ maxConcurrent: 4, budget: { tokens: 200_000, costUsd: 5 }, onLimit: 'reject', tools: ['read'] as const });
new SubAgentManager({ spawnSubAgent: async (params, run) => ({ output: `${params.instructions} ${run.prompt}` }) });
new SubAgentManager({ spawnSubAgent: () => ({ output: 'at once', status: 'anything', usage: { tokens: 5 }, artifacts: [{ file: 'x' }] }) });
new SubAgentManager({ maxConcurrent: Number.POSITIVE_INFINITY });
new SubAgentManager({ checkConsumerSpawn: () => ({ allowed: true, reason: undefined }) });
new SubAgentManager({ retry: false });
new SubAgentManager({ retry: undefined });
// @ts-expect-error how often is not said
new SubAgentManager({ retry: true });
new SubAgentManager({ policies: { main: [{ name: undefined, blockedTools: undefined, beforeTool: () => block }] } });
new SubAgentManager({
  policies: {
    subAgents: [
      safetyLimits({ maxTurns: undefined, maxContextTokens: undefined, blockedTools: undefined }),
      searchBudget({ limit: undefined, tools: undefined }),
      completionCheck({ maxForcedTurns: undefined }),
      delegationGuard({ words: undefined, retrievalVerbs: undefined }),
      workloadDistributor({ minWords: undefined, keywords: undefined, commands: undefined, notice: undefined }),
    ],
  },
});
// @ts-expect-error there is no such option
new SubAgentManager({ maxConcurent: 4 });
// @ts-expect-error a number is asked for
new SubAgentManager({ maxConcurrent: '4' });
// @ts-expect-error one of two words
new SubAgentManager({ onLimit: 'wait' });
// @ts-expect-error there is no such dimension
new SubAgentManager({ budget: { euros: 5 } });
// @ts-expect-error a result has an output
new SubAgentManager({ spawnSubAgent: async () => ({ status: 'completed' }) });
// @ts-expect-error an output is a text
new SubAgentManager({ spawnSubAgent: async () => ({ output: 5 }) });
// @ts-expect-error the gate answers at once
new SubAgentManager({ checkConsumerSpawn: async () => ({ allowed: true }) });
// @ts-expect-error the gate answers with an object
new SubAgentManager({ checkConsumerSpawn: () => true });
// @ts-expect-error a background host resolves to an id
new SubAgentManager({ spawnBackgroundSubAgent: async () => ({ output: 'x' }) });

const limits: Limits = { maxDepth: 2, graceMs: 0 };
new SubAgentManager(limits);

// ─── operations ───────────────────────────────────────────────────────────────────────────────────

declare const manager: SubAgentManager;
const handle = manager.spawn({
  instructions: 'x',
  contextHint: 'y',
  label: 'z',
  budget: { turns: 3 },
  priority: 1,
  signal: new AbortController().signal,
});
same<typeof handle, Handle>(true);
same<Handle['taskId'], string>(true);
same<Handle['status'], TaskStatus>(true);
manager.spawn({});
manager.spawn('do it');
// @ts-expect-error instructions are a text
manager.spawn(5);
// @ts-expect-error JSON has no dates: the message says what to give
manager.spawn({ metadata: { when: new Date() } });
// @ts-expect-error nor has it maps
manager.spawn({ metadata: { seen: new Map<string, number>() } });
// @ts-expect-error there is no such option
manager.spawn({ instructions: 'x', agnt: 'y' });
// @ts-expect-error tools are names
manager.spawn({ instructions: 'x', tools: [1] });
// @ts-expect-error an id is not to be set
handle.taskId = 'sub_x';
// @ts-expect-error a handle is no promise
handle.then();

const waited: Promise<RunResult> = handle.wait({ timeoutMs: 5 });
const several: Promise<WaitResult> = manager.wait([handle, 'sub_x', { taskId: 'sub_y' }], { mode: 'any' });
const cancelled: Promise<CancelledSnapshot> = manager.cancel(handle, { graceMs: 0 });
const byDefault: Promise<HandleSnapshot> = manager.cancel();
const closed: Promise<ClosedSnapshot> = manager.close('sub_x', { graceMs: 5, signal: new AbortController().signal });
const reopened: Promise<HandleSnapshot> = handle.resume();
const ended: Promise<void> = manager.session('chat', { signal: new AbortController().signal }).close();
const one: Promise<ClosedSnapshot> = manager.session('chat').close(handle);
const gone: Promise<boolean> = manager.closeSession('chat');
void [byDefault, closed, reopened, ended, one, gone];
// @ts-expect-error closing names its target
manager.close();
// @ts-expect-error one of three words
manager.spawn({ instructions: 'x', background: true, onParentEnd: 'forget' });
const instant: string | null = handle.snapshot().createdAt;
void instant;
const view: TaskSnapshot = manager.get('sub_x');
const stats: ManagerStats = manager.stats();
const info: ConcurrencyInfo = manager.getConcurrencyInfo();
const drained: Promise<DrainResult> = manager.drain({ timeoutMs: 5 });
const can: boolean = manager.canSpawn();
const stop: () => void = manager.subscribe((event) => event.seq);
manager.subscribe((event) => {
  // @ts-expect-error other listeners get the same object
  event.at = 0;
  if (event.type === 'run_ended') same<typeof event.output, string>(true);
});
void [waited, several, cancelled, view, stats, info, drained, can, stop];
manager.wait(handle);
// @ts-expect-error options are the second argument
manager.wait({ timeoutMs: 5 });
// @ts-expect-error one of two words
manager.wait([handle], { mode: 'first' });
manager.spawn({ instructions: 'x', retry: false, origin: { channel: undefined, chatId: undefined } });
manager.list({ filter: undefined, page: undefined });
manager.list({
  filter: { status: undefined, parent: undefined, label: undefined, background: undefined },
  page: { offset: undefined, limit: undefined },
});
manager.report({ todos: [{ content: 'x', status: undefined }] });
// @ts-expect-error there is no such status
manager.list({ filter: { status: ['done'] } });
// @ts-expect-error a message is a text
manager.send(handle, 5);
// @ts-expect-error what is inside is not for users
manager.runtime;

same<ReturnType<Handle['send']>, MessageReceipt>(true);
same<MessageReceipt['receipt'], 'started' | 'queued' | 'delivered'>(true);
same<MessageMode, 'queue' | 'steer' | 'interrupt'>(true);
same<ReturnType<Run['ask']>, Promise<AskAnswer>>(true);
same<ReturnType<Handle['interrupt']>, Promise<void>>(true);
const sent: MessageReceipt[] = [manager.send(undefined, 'x'), manager.send(handle, 'x', { mode: 'steer' }), handle.send('x')];
const interrupted: Promise<void>[] = [manager.interrupt(), manager.interrupt(handle, { graceMs: 0 }), handle.interrupt({ graceMs: 5 })];
void [sent, interrupted];
// @ts-expect-error there is no such mode
manager.send(handle, 'x', { mode: 'shout' });
// @ts-expect-error what to say has to be said
manager.send(handle);
// @ts-expect-error a question is a text
(run: Run) => run.ask({});
function answer(ended: AskAnswer): string {
  // @ts-expect-error without an answer there is none
  if (!ended.answered) return ended.answer;
  return ended.answer;
}
void answer;
same<TaskSnapshot['status'], TaskStatus>(true);
same<TaskSnapshot['stopReason'], StopReason | null>(true);
same<TaskSnapshot['error'], string | null>(true);
same<ManagerStats['timedOut'], number>(true);

async function results(): Promise<void> {
  const result = await handle.wait();
  same<typeof result.status, TaskStatus>(true);
  same<typeof result.stopReason, StopReason>(true);
  same<typeof result.output, string>(true);
  same<typeof result.error, string | undefined>(true);
  same<typeof result.cause, unknown>(true);
  same<typeof result.usage.unknown, ('tokens' | 'costUsd' | 'turns')[]>(true);
  // @ts-expect-error a result is not to be changed
  result.output = 'x';
  const { completed, needsInput } = await several;
  same<typeof completed, TaskSnapshot[]>(true);
  same<typeof needsInput, { taskId: string; question: string }[]>(true);
}
void results;

// ─── events ───────────────────────────────────────────────────────────────────────────────────────

manager.subscribe((event: SubAgentEvent) => {
  if (event.type === 'task_admitted') {
    same<typeof event.text, string>(true);
    // @ts-expect-error an admission has no status
    event.status;
  }
  if (event.type === 'run_ended') same<typeof event.status, TaskStatus>(true);
  // @ts-expect-error there is no such event
  if (event.type === 'nothing') return;
  // @ts-expect-error the seed of the ids is no event for users
  if (event.type === 'seeded') return;
});

// ─── errors ───────────────────────────────────────────────────────────────────────────────────────

const error = new SubAgentError('budget_exhausted', 'no more');
same<typeof error.code, 'budget_exhausted'>(true);
const code: SubAgentErrorCode = 'disposed';
// @ts-expect-error the list of codes is closed
const wrong: SubAgentErrorCode = 'oops';
void [code, wrong];

// ─── runs ─────────────────────────────────────────────────────────────────────────────────────────

declare const run: Run;
same<Run['tools'], string[] | undefined>(true);
same<Run['signal'], AbortSignal>(true);
same<Run['session'], Map<string, unknown>>(true);
run.report({ tokens: 1, costUsd: 0.1, contextTokens: 5, message: 'x' });
run.spawn({ instructions: 'below' });
run.createSubAgentTool();
// @ts-expect-error there is no such reading
run.report({ money: 1 });
// @ts-expect-error only the program drains
run.drain();
// @ts-expect-error only the program disposes
run.dispose();

async function turns(): Promise<void> {
  const permit: TurnPermit = await run.beforeTurn({ tokens: 100 });
  if (permit.go) {
    same<typeof permit.turn, number>(true);
    same<typeof permit.wrapUp, true | undefined>(true);
  } else {
    same<typeof permit.reason, StopReason | 'actor_ended'>(true);
    // There is none, and it can be looked for.
    same<typeof permit.turn, undefined>(true);
  }
}
void turns;

// ─── results of hosts ─────────────────────────────────────────────────────────────────────────────

const full: HostResult = {
  taskId: 'h',
  output: 'x',
  status: 'done',
  usage: { turns: 1, cost: 0, tokens: 1, durationMs: 1 },
  artifacts: [],
};
// @ts-expect-error there is no such figure
const odd: HostResult = { output: 'x', usage: { euros: 1 } };
const options: SpawnOptions = { instructions: 'x' };
void [full, odd, options];

{
  using scoped = new SubAgentManager();
  scoped.stats();
}

// ─── keys, rates, definitions, results, budgets ───────────────────────────────────────────────────

new SubAgentManager({
  agents: {
    reviewer: { description: 'd', prompt: 'p', tools: ['a'] as const, disallowedTools: ['b'], model: 'inherit', background: true },
  },
  profiles: { terse: (task) => `${task.label} ${task.profile.length}` },
  countTokens: (text) => text.length,
  staggerMs: 0,
});
// @ts-expect-error a definition says what it is for
new SubAgentManager({ agents: { reviewer: { prompt: 'p' } } });
// @ts-expect-error there is no such field
new SubAgentManager({ agents: { reviewer: { description: 'd', colour: 'red' } } });
// @ts-expect-error a profile makes a text
new SubAgentManager({ profiles: { terse: () => 5 } });
manager.spawn({ instructions: 'x', agent: null, profile: 'terse', idempotencyKey: 'k', rateLimitKey: 'r', modelId: 'm' });
// @ts-expect-error a key is a text
manager.spawn({ instructions: 'x', idempotencyKey: 5 });
declare const someRun: Run;
someRun.reportRateLimit({ retryAfterMs: 5 });
// @ts-expect-error how long is not left out
someRun.reportRateLimit({});
someRun.reportRateLimit({ remainingTokens: 5 });
same<Run['systemPrompt'], string>(true);
const page = manager.readResult(handle, { offset: 0, limit: 10 });
same<typeof page.nextOffset, number | null>(true);
same<typeof page, ReturnType<typeof handle.readResult>>(true);
manager.forget(handle, { resultOnly: true });
const session = manager.session('s', { budget: { tokens: 5 } });
manager.addBudget({ tokens: 5 }, session);
same<ReturnType<typeof manager.budget>['tokens'], TaskSnapshot['budget']['tokens']>(true);
const parsed = parseAgentDefinition('', { unknown: undefined });
same<typeof parsed.name, string | undefined>(true);
new SubAgentManager({ agents: { one: parsed.definition, ...parseAgentDefinitions({ 'a.md': '' }) } });
manager.createSubAgentTool({ idempotencyKey: (toolCallId, params) => (params.background ? undefined : toolCallId) });
same<
    | 'idempotency_conflict'
    | 'idempotency_forgotten'
    | 'rate_limited'
    | 'released'
    | 'unknown_agent'
    | 'unknown_profile' extends SubAgentErrorCode
    ? true
    : false,
  true
>(true);

// A host says what went wrong beside its status.
const failedRun: HostResult = { output: 'half', status: 'failed', error: 'the model refused' };
void failedRun;

// What a program has only sometimes is handed on as it is, also under `exactOptionalPropertyTypes`.
declare const maybe: { signal?: AbortSignal; tokens?: number; model?: string };
const { signal: maybeSignal, tokens: maybeTokens, model: maybeModel } = maybe;
const sometimes = manager.spawn({
  instructions: 'x',
  signal: maybeSignal,
  modelId: maybeModel,
  maxTurns: maybeTokens,
  budget: { tokens: maybeTokens },
});
void sometimes.wait({ timeoutMs: maybeTokens, signal: maybeSignal });
void sometimes.cancel({ graceMs: maybeTokens });
new SubAgentManager({
  maxConcurrent: maybeTokens,
  spawnSubAgent: async (_, run) => {
    await run.beforeTurn({ tokens: maybeTokens });
    run.report({ tokens: maybeTokens, message: maybeModel });
    return { output: 'x', error: maybeModel, usage: { tokens: maybeTokens } };
  },
});

// The fields of an error have types.
declare const refusal: SubAgentError;
const short: number = (refusal.details.needed ?? 0) - (refusal.details.remaining ?? 0);
// @ts-expect-error an argument is named by a text
const argument: number = refusal.details.argument;
void [short, argument, refusal.details.retryAfterMs];
