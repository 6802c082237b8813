// Presets and the hook matrix of source 5: which agents run under what (S5.01-S5.03, S5.11-S5.16, S5.18), and
// the numbers of source 4 (S4.07, S4.08, S4.11).

import '../../support/virtual-time.js';

import { describe, expect, it } from 'vitest';
import {
  type AgentReport,
  BLOCKED_SUB_AGENT_TOOLS,
  type HostResult,
  type Run,
  SUB_AGENT_MAX_ITERATIONS,
  SUB_AGENT_MAX_TOKENS,
  type SubAgentManagerOptions,
} from '../../../dist/index.js';
import { deferred, done, refusal } from '../../support/hosts.js';
import { manager, openRun } from '../../support/policies.js';
import { flush, pass as passTime } from '../../support/virtual-time.js';

const oxide = (options: SubAgentManagerOptions = {}): SubAgentManagerOptions => ({ preset: 'oxide', ...options });

/** What each hook of source 5 does to an agent, tried on it. */
const HOOKS = {
  CompletionCheckHook: async (agent: Run | ReturnType<typeof manager>) => {
    agent.report({ todos: [{ content: 'open' }] });
    return !(await agent.beforeEnd('done')).end;
  },
  WorkloadDistributorHook: async (agent) => !(await agent.beforeTool('sh', { command: 'git clone a' })).allowed,
  DelegationGuardHook: async (agent) => {
    try {
      agent.spawn({ instructions: 'Analyze it' });
      return false;
    } catch (error) {
      return /asks for analysis/.test((error as Error).message);
    }
  },
  SubAgentSafetyHook: async (agent) => {
    // Below the limit of the main agent, at that of a sub-agent.
    agent.report({ contextTokens: 64_000 });
    return !(await agent.beforeTurn()).go;
  },
  SearchBudgetHook: async (agent) => {
    for (let call = 0; call < 10; call += 1) await agent.beforeTool('web_search');
    return !(await agent.beforeTool('web_search')).allowed;
  },
} satisfies Record<string, (agent: Run | ReturnType<typeof manager>) => Promise<boolean>>;

describe('S5.01 the hook matrix', () => {
  it.each<[keyof typeof HOOKS, boolean, boolean]>([
    ['CompletionCheckHook', true, true],
    ['WorkloadDistributorHook', true, false],
    ['DelegationGuardHook', true, false],
    ['SubAgentSafetyHook', false, true],
    ['SearchBudgetHook', true, true],
  ])('%s: main agent %s, sub-agent %s', async (hook, onMain, onSub) => {
    expect(await HOOKS[hook](manager(oxide()))).toBe(onMain);
    // Deep enough that a sub-agent may spawn: what refuses is the hook, or it isn't there.
    const { run } = await openRun(oxide({ maxDepth: 2 }), { instructions: 'Find it' });
    expect(await HOOKS[hook](run)).toBe(onSub);
  });

  it('S5.01 TimeoutReportHook: main agent and sub-agent', async () => {
    const made = manager(oxide());
    await made.beforeTurn({ prompt: 'x' });
    await passTime(600_000);
    const permit = await made.beforeTurn();
    expect(permit).toMatchObject({ go: true, wrapUp: true, reason: 'timeout' });
    expect(JSON.parse((permit as { report: string }).report)).toMatchObject({ taskId: null, status: 'timed_out', reason: 'timeout' });

    const { handle, end } = await openRun(oxide(), { instructions: 'Find it', timeoutMs: 1_000 });
    await passTime(1_000);
    end.resolve(done(''));
    expect(JSON.parse((await handle.wait()).output)).toMatchObject({ taskId: handle.taskId, status: 'timed_out', reason: 'timeout' });
  });

  it('S5.12 the main agent may delegate, a sub-agent may not', async () => {
    const made = manager(oxide());
    expect(made.spawn({ instructions: 'Find it' }).status).toBe('running');
    const { run } = await openRun(oxide(), { instructions: 'Find it' });
    expect(() => run.spawn({ instructions: 'Find it' })).toThrow(/may not nest deeper/);
    expect(await run.beforeTool('delegate_to_sub_agent')).toMatchObject({ allowed: false });
  });
});

describe('P3 what the hooks of oxide stop or note, its words do too', () => {
  it.each(['crawl', 'deep_crawl', 'web_crawl', 'web_markdown', 'web_pdf'])('P3 %s is no tool of the main agent', async (tool) => {
    const made = manager(oxide());
    await made.beforeTurn({ prompt: 'p' });
    expect(await made.beforeTool(tool, { url: 'u' })).toMatchObject({ allowed: false, reason: expect.stringContaining('delegate') });
  });

  it.each([
    'Compare Rust and Go',
    'Write a report on X',
    'Give me an overview',
    'Benchmark it',
    'Scan the folder',
    'An analysis of prices',
    'Research it',
    'Investigate this',
    'Look through the codebase',
    'What is in this repository?',
    'Сделай отчет',
    'Сделай отчёт',
    'Подбор отелей',
    'Сравни цены',
    'Исследуй вопрос',
    'Изучи репозиторий',
    'Просканируй папку',
  ])('P3 the prompt "%s" has a notice', async (prompt) => {
    const permit = await manager(oxide()).beforeTurn({ prompt });
    expect(permit).toMatchObject({ go: true, inject: [expect.stringMatching(/delegat/i)] });
  });

  it('P3 another prompt has none', async () => {
    for (const prompt of ['Say hello', 'Привет', 'What time is it?'])
      expect(await manager(oxide()).beforeTurn({ prompt }), prompt).toEqual({ go: true, turn: 1 });
  });

  it.each([
    'Сделай обзор статьи',
    'Выясни причину сбоя',
    'Эффективность алгоритма',
    'Объясни, почему так',
    'Проанализируй отчёт',
    'Дай рекомендацию',
    'Explain why it fails',
    'Evaluate the options',
    'Recommend one',
  ])('P3 the task "%s" is the main agent’s', (task) => {
    expect(refusal(() => manager(oxide()).spawn({ task }))).toMatchObject({
      code: 'policy_blocked',
      message: expect.stringContaining('asks for analysis'),
    });
  });
});

describe('S5.02 S5.03 S5.18 the numbers of oxide', () => {
  it('S5.18 constants', () => {
    expect([SUB_AGENT_MAX_ITERATIONS, SUB_AGENT_MAX_TOKENS]).toEqual([60, 64_000]);
    expect(BLOCKED_SUB_AGENT_TOOLS).toEqual(['delegate_to_sub_agent', 'send_file_to_user']);
  });

  it('S5.03 a sub-agent takes 60 turns; its timeout is configurable', async () => {
    const { run } = await openRun(
      oxide({ budget: { tokens: Number.POSITIVE_INFINITY }, taskBudget: { tokens: Number.POSITIVE_INFINITY } }),
      {
        instructions: 'Find it',
        timeoutMs: 5_000,
      },
    );
    expect(run.limits).toMatchObject({ maxTurns: 60, timeoutMs: 5_000 });
    for (let turn = 1; turn <= 60; turn += 1) expect(await run.beforeTurn()).toMatchObject({ go: true, turn });
    expect(await run.beforeTurn()).toMatchObject({ go: false, reason: 'max_turns' });
  });

  it('S5.02 the main agent takes 1000 turns, a context below 200,000 tokens, 600 s', async () => {
    const made = manager(oxide());
    for (let turn = 1; turn <= 1_000; turn += 1) await made.beforeTurn();
    expect(await made.beforeTurn()).toEqual({ go: false, reason: 'max_turns' });
    await made.beforeEnd('');
    made.report({ contextTokens: 199_999 });
    expect(await made.beforeTurn()).toMatchObject({ go: true });
    made.report({ contextTokens: 200_000 });
    expect(await made.beforeTurn()).toMatchObject({ go: false, reason: 'policy' });
    made.report({ contextTokens: 1 });
    await passTime(600_000);
    expect(await made.beforeTurn()).toMatchObject({ wrapUp: true, reason: 'timeout' });
  });

  it('S5.19 blocked tools and the search limit are parameters of the preset; its policies stay', async () => {
    const preset = { name: 'oxide', blockedTools: ['shell'], searchLimit: 1 } as const;
    const { run } = await openRun(oxide({ preset, tools: ['shell', 'read', 'web_search'] }), { instructions: 'Find it' });
    expect(run.tools).toEqual(['read', 'web_search']);
    expect(await run.beforeTool('web_search', {})).toEqual({ allowed: true });
    expect(await run.beforeTool('web_search', {})).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('the only search is used'),
    });
    run.report({ todos: [{ content: 'open' }] });
    expect((await run.beforeEnd('')).end).toBe(false);
    run.report({ contextTokens: 64_000 });
    expect(await run.beforeTurn()).toMatchObject({ go: false, reason: 'policy' });
    const made = manager(oxide({ preset }));
    expect(await made.beforeTool('web_search', {})).toEqual({ allowed: true });
    expect((await made.beforeTool('web_search', {})).allowed).toBe(false);
    const small = await openRun({ preset: { name: 'nanobot', blockedTools: ['shell'] }, tools: ['shell', 'message', 'read'] });
    expect(small.run.tools).toEqual(['read']);
    expect(small.run.limits.maxTurns).toBe(15);
    for (const wrong of [
      { name: 'other' },
      { name: 'oxide', blockedTools: 'shell' },
      { name: 'oxide', searchLimit: -1 },
      { name: 'oxide', x: 1 },
      {},
    ])
      expect(() => manager({ preset: wrong as never })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    expect(() => manager({ preset: { name: 'nanobot', searchLimit: 1 } })).toThrow('the preset nanobot has no `searchLimit`');
  });

  it('what is given wins, part by part', async () => {
    const { run } = await openRun(oxide({ maxTurns: 3 }), { instructions: 'Analyze it after a find' }).catch(() =>
      openRun(oxide({ maxTurns: 3 }), { instructions: 'Find it' }),
    );
    expect(run.limits.maxTurns).toBe(3);
    const { run: aliased } = await openRun(oxide({ maxSubAgentSteps: 4 }), { instructions: 'Find it' });
    expect(aliased.limits.maxTurns).toBe(4);
    const made = manager(oxide({ policies: { main: [] }, mainLimits: { maxTurns: 1 } }));
    expect(made.spawn({ instructions: 'Analyze it' }).status).toBe('running');
    await made.beforeTurn();
    expect(await made.beforeTurn()).toMatchObject({ go: false, reason: 'max_turns' });
    await made.beforeEnd('');
    made.report({ contextTokens: 200_000 });
    expect(await made.beforeTurn()).toMatchObject({ go: false, reason: 'policy' });
    const { run: bare } = await openRun(oxide({ policies: { subAgents: [] } }), { instructions: 'Find it' });
    bare.report({ contextTokens: 64_000, todos: [{ content: 'open' }] });
    expect(await bare.beforeTurn()).toMatchObject({ go: true });
    expect((await bare.beforeEnd('')).end).toBe(true);
  });

  it('a raised maxTurns is not held back by the preset’s own policy', async () => {
    const { run } = await openRun(
      oxide({ maxTurns: 70, taskBudget: { tokens: Number.POSITIVE_INFINITY }, budget: { tokens: Number.POSITIVE_INFINITY } }),
      {
        instructions: 'Find it',
      },
    );
    for (let turn = 1; turn <= 70; turn += 1) expect((await run.beforeTurn()).go).toBe(true);
    expect(await run.beforeTurn()).toMatchObject({ go: false, reason: 'max_turns' });
  });
});

describe('S4.07 S4.08 S4.11 nanobot', () => {
  it('S4.08 15 turns, the main agent 20', async () => {
    const made = await openRun({
      preset: 'nanobot',
      taskBudget: { tokens: Number.POSITIVE_INFINITY },
      budget: { tokens: Number.POSITIVE_INFINITY },
    });
    expect(made.run.limits.maxTurns).toBe(15);
    for (let turn = 1; turn <= 15; turn += 1) expect((await made.run.beforeTurn()).go).toBe(true);
    expect(await made.run.beforeTurn()).toMatchObject({ go: false, reason: 'max_turns' });
    for (let turn = 1; turn <= 20; turn += 1) expect((await made.manager.beforeTurn()).go).toBe(true);
    expect(await made.manager.beforeTurn()).toEqual({ go: false, reason: 'max_turns' });
  });

  it('S4.07 message and spawn are filtered away and refused', async () => {
    const { run } = await openRun({ preset: 'nanobot', tools: ['read', 'message', 'spawn'] });
    expect(run.tools).toEqual(['read']);
    for (const tool of ['message', 'spawn']) expect(await run.beforeTool(tool)).toMatchObject({ allowed: false });
  });

  it('S4.11 the system prompt keeps to the task: no messages, no sub-agents, a concise summary', async () => {
    const { run } = await openRun({ preset: 'nanobot' });
    expect(run.systemPrompt).toMatch(/task/i);
    expect(run.systemPrompt).toMatch(/user/i);
    expect(run.systemPrompt).toMatch(/sub-agents?/i);
    expect(run.systemPrompt).toMatch(/summary/i);
  });

  it('its policies are not those of oxide', async () => {
    const made = manager({ preset: 'nanobot' });
    expect(made.spawn({ instructions: 'Analyze it' }).status).toBe('running');
    expect((await made.beforeTool('sh', 'git clone a')).allowed).toBe(true);
  });
});

describe("S5.16 source 5's flow, end to end", () => {
  it('S5.14 S5.16 guard → session → filter → runner with hooks → run with timeout → JSON report', async () => {
    const runs: { run: Run; end: ReturnType<typeof deferred<HostResult>> }[] = [];
    const made = manager(
      oxide({
        tools: ['read_file', 'web_search', 'delegate_to_sub_agent', 'send_file_to_user', 'write_file'],
        timeoutMs: 60_000,
        graceMs: 5_000,
        spawnSubAgent: (_, run) => {
          const end = deferred<HostResult>();
          runs.push({ run, end });
          return end.promise;
        },
      }),
    );
    const tool = made.createSubAgentTool({ format: 'json' });
    const parent = new AbortController();

    // The guard checks the task.
    const refused = JSON.parse(await tool.execute({ instructions: 'Evaluate the drafts' })) as AgentReport;
    expect(refused).toMatchObject({ taskId: null, status: 'refused', error: expect.stringContaining('“evaluate”') });
    expect(runs).toHaveLength(0);

    const answer = tool.execute(
      { instructions: 'Find the drafts', tools: ['read_file', 'web_search', 'send_file_to_user'] },
      { abortSignal: parent.signal },
    );
    await flush();
    const { run, end } = runs[0] as (typeof runs)[0];
    // S5.14 a session with a memory of its own; S5.13 the tools of the whitelist that aren't blocked.
    expect(run.session.size).toBe(0);
    expect(run.tools).toEqual(['read_file', 'web_search']);
    // Under its hooks.
    expect(await run.beforeTurn()).toMatchObject({ go: true });
    for (let call = 0; call < 10; call += 1) {
      expect(await run.beforeTool('web_search', { query: 'drafts' })).toEqual({ allowed: true });
      await run.afterTool('web_search', 'nothing');
    }
    expect((await run.beforeTool('web_search')).allowed).toBe(false);
    expect((await run.beforeTool('send_file_to_user')).allowed).toBe(false);
    run.report({
      tokens: 1_200,
      contextTokens: 9_000,
      message: 'found two of three drafts',
      todos: [{ content: 'draft 3' }, { content: 'draft 1', status: 'completed' }],
    });
    expect((await run.beforeEnd('two of three')).end).toBe(false);
    // Its time runs out.
    await passTime(60_000);
    expect(await run.beforeTurn()).toMatchObject({ go: true, wrapUp: true, reason: 'timeout' });
    await passTime(5_000);
    expect(run.signal.aborted).toBe(true);
    end.reject(new Error('aborted'));

    const report = JSON.parse(await answer) as AgentReport;
    expect(report).toMatchObject({
      taskId: run.taskId,
      status: 'timed_out',
      reason: 'timeout',
      partial: true,
      todos: [
        { content: 'draft 3', status: 'pending' },
        { content: 'draft 1', status: 'completed' },
      ],
      recentMessages: ['found two of three drafts'],
      stats: { tokens: 1_200, turns: 2, contextTokens: 9_000, openTodos: 1, counts: { search_budget: 10, completion_check: 1 } },
    });
    expect(report.output).toBe('found two of three drafts');
  });

  it('S5.15 the parent’s cancellation reaches the sub-agent', async () => {
    let signal: AbortSignal | undefined;
    const made = manager(
      oxide({
        graceMs: 10,
        spawnSubAgent: (_, run) => {
          signal = run.signal;
          return new Promise(() => undefined);
        },
      }),
    );
    const parent = new AbortController();
    const answer = made.createSubAgentTool({ format: 'json' }).execute({ instructions: 'Find it' }, { abortSignal: parent.signal });
    await flush();
    parent.abort();
    expect(signal?.aborted).toBe(true);
    await passTime(10);
    expect(JSON.parse(await answer)).toMatchObject({ status: 'cancelled', reason: 'signal_aborted', partial: true });
  });
});
