// The face of Oxide: what its documentation says of delegation, its hooks and its numbers, row by row.

import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  AGENT_MAX_ITERATIONS,
  AGENT_MAX_TOKENS,
  AGENT_TIMEOUT_SECS,
  BLOCKED_SUB_AGENT_TOOLS,
  CompletionCheckHook,
  DelegationGuardHook,
  type DelegationOptions,
  DelegationProvider,
  SearchBudgetHook,
  SUB_AGENT_MAX_ITERATIONS,
  SUB_AGENT_MAX_JOBS,
  SUB_AGENT_MAX_TOKENS,
  type SubAgentReport,
  SubAgentSafetyHook,
  TimeoutReportHook,
  WorkloadDistributorHook,
} from '../../dist/from/oxide.js';
import { type Policy, type Run, SubAgentManager } from '../../dist/index.js';

const made: { dispose(): void }[] = [];
afterEach(() => {
  for (const manager of made.splice(0)) manager.dispose();
});

function open(given: Partial<DelegationOptions> = {}): DelegationProvider {
  const provider = new DelegationProvider({ spawnSubAgent: async (_, run) => ({ output: `did ${run.prompt}` }), ...given });
  made.push(provider.manager);
  return provider;
}

async function delegate(provider: DelegationProvider, task: string, tools: string[] = ['cat'], context?: string): Promise<SubAgentReport> {
  return JSON.parse(await provider.delegateToSubAgent(task, context, tools)) as SubAgentReport;
}

/** A run that goes on until the manager is over. */
function openRun(given: Partial<DelegationOptions> = {}): { provider: DelegationProvider; run: Promise<Run> } {
  let begun!: (run: Run) => void;
  const run = new Promise<Run>((resolve) => {
    begun = resolve;
  });
  const spawnSubAgent = (_: unknown, run: Run): Promise<never> => {
    begun(run);
    return new Promise(() => undefined);
  };
  const provider = open({ spawnSubAgent, ...given });
  // It is never reported: the manager is disposed before.
  delegate(provider, 'find it').catch(() => undefined);
  return { provider, run };
}

describe('the delegation of Oxide', () => {
  test('S5.17 S5.16 a task, its context and its tools; the report is JSON with Oxide’s names', async () => {
    const spawnSubAgent = vi.fn(async (_: unknown, run: Run) => {
      await run.beforeTurn();
      run.report({ tokens: 1_200, contextTokens: 900, message: 'Looking.', todos: [{ description: 'look', status: 'completed' }] });
      return { output: 'Found 15 files.', usage: { turns: 1, tokens: 1_200 } };
    });
    const text = await open({ spawnSubAgent }).delegateToSubAgent('Find all .rs files', 'They are in src/', ['cat', 'execute_command']);
    expect(text).toContain('\n  "status": "success",\n');
    expect(JSON.parse(text)).toEqual({
      status: 'success',
      task_id: expect.stringMatching(/^sub-[0-9a-f-]{36}$/),
      result: 'Found 15 files.',
      error: null,
      termination_reason: 'finished',
      timeout_secs: 600,
      tokens: 1_200,
      stats: { iterations: 1, continuation_count: 0, tokens_used: 900, max_tokens: 64_000 },
      todos: { items: [{ description: 'look', status: 'completed' }] },
      recent_messages: [{ role: 'assistant', content: 'Looking.' }],
    });
    const run = spawnSubAgent.mock.calls[0]?.[1] as Run;
    expect([run.prompt, run.contextHint, run.tools]).toEqual(['Find all .rs files', 'They are in src/', ['cat', 'execute_command']]);
  });

  test('S5.16 an error, and what was refused, is a report too', async () => {
    const provider = open({
      spawnSubAgent: () => {
        throw new Error('no key');
      },
    });
    expect(await delegate(provider, 'find it')).toMatchObject({
      status: 'error',
      error: 'no key',
      note: 'Sub-agent did not finish the task. Use partial results below.',
      termination_reason: 'host_threw',
    });
    expect(await delegate(provider, ' ')).toMatchObject({ status: 'error', task_id: null, error: 'Sub-agent task cannot be empty' });
    expect(await delegate(provider, 'find it', [])).toMatchObject({ error: 'Sub-agent tools whitelist cannot be empty' });
  });

  test('S5.17 the tool of the model', async () => {
    const { tool } = open();
    expect(tool).toMatchObject({ name: 'delegate_to_sub_agent', parameters: { required: ['task', 'tools'] } });
    expect(Object.keys(tool.parameters.properties)).toEqual(['task', 'tools', 'context']);
    expect(JSON.parse(await tool.execute({ task: 'list files', tools: ['ls'] }))).toMatchObject({ result: 'did list files' });
    expect(JSON.parse(await tool.execute('{"task": "list files", "tools": ["ls"]}'))).toMatchObject({ status: 'success' });
  });

  test('S5.11 S5.12 S5.13 S5.19 the whitelist, less what is blocked', async () => {
    const run = vi.fn(async (_: unknown, { tools }: Run) => ({ output: `${tools}` }));
    const provider = open({
      spawnSubAgent: run,
      tools: ['cat', 'shell', 'send_file_to_user', 'delegate_to_sub_agent'],
      blockedTools: ['shell'],
    });
    expect(BLOCKED_SUB_AGENT_TOOLS).toEqual(['delegate_to_sub_agent', 'send_file_to_user']);
    expect((await delegate(provider, 'find it', ['cat', 'shell', 'unknown', ...BLOCKED_SUB_AGENT_TOOLS])).result).toBe('cat');
    const refused = await delegate(provider, 'find it', ['shell', 'delegate_to_sub_agent']);
    expect(refused).toMatchObject({ status: 'error', task_id: null, error: expect.stringContaining('shell') });
  });

  test('five jobs at once', async () => {
    let running = 0;
    let most = 0;
    const provider = open({
      async spawnSubAgent() {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running -= 1;
        return { output: 'ok' };
      },
    });
    const reports = await Promise.all(Array.from({ length: 12 }, (_, at) => delegate(provider, `find ${at}`)));
    expect([most, SUB_AGENT_MAX_JOBS, reports.every(({ status }) => status === 'success')]).toEqual([5, 5, true]);
  });

  test('S5.14 S5.15 a session of its own, and the parent’s signal reaches it', async () => {
    const sessions: Map<string, unknown>[] = [];
    const provider = open({
      spawnSubAgent: (_, run) => {
        sessions.push(run.session);
        return new Promise((resolve) => run.signal.addEventListener('abort', () => resolve({ output: 'part' })));
      },
    });
    const parent = new AbortController();
    const reports = ['find a', 'find b'].map((task) => provider.delegateToSubAgent(task, null, ['cat'], parent.signal));
    expect(sessions.map(({ size }) => size)).toEqual([0, 0]);
    expect(sessions[0]).not.toBe(sessions[1]);
    parent.abort();
    for (const report of await Promise.all(reports)) expect(JSON.parse(report)).toMatchObject({ status: 'error', result: 'part' });
  });

  test('S5.03 S5.18 60 iterations, 64,000 tokens of context, a timeout that can be set', async () => {
    expect([SUB_AGENT_MAX_ITERATIONS, SUB_AGENT_MAX_TOKENS]).toEqual([60, 64_000]);
    const { run, provider } = openRun({ timeoutSecs: 120 });
    const begun = await run;
    let turns = 0;
    while ((await begun.beforeTurn()).go) turns += 1;
    expect(turns).toBe(60);
    expect(provider.manager.limits).toMatchObject({ maxTurns: 60, timeoutMs: 120_000, graceMs: 30_000 });
  });

  test('S5.02 the main agent: 1000 iterations, 200,000 tokens, 600 seconds', async () => {
    expect([AGENT_MAX_ITERATIONS, AGENT_MAX_TOKENS, AGENT_TIMEOUT_SECS]).toEqual([1_000, 200_000, 600]);
    const { manager } = open();
    for (let turn = 0; turn < 1_000; turn += 1) expect((await manager.beforeTurn()).go).toBe(true);
    expect((await manager.beforeTurn()).go).toBe(false);
    const other = open().manager;
    other.report({ contextTokens: 200_000 });
    expect((await other.beforeTurn()).go).toBe(false);
  });

  test('S5.08 on a timeout the report says timeout, with what it had', async () => {
    const spawnSubAgent = async (_: unknown, run: Run) => {
      for (;;) {
        const permit = await run.beforeTurn();
        if (!permit.go || permit.wrapUp !== undefined) return { output: 'half of it' };
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const report = await delegate(open({ spawnSubAgent, timeoutSecs: 0.02 }), 'find it');
    expect(report).toMatchObject({ status: 'timeout', termination_reason: 'timeout', timeout_secs: 0.02, result: 'half of it' });
    expect(report.note).toContain('did not finish');
  });
});

describe('the hooks of Oxide', () => {
  const subAgents = async (policy: Policy): Promise<Run> => {
    const manager = new SubAgentManager({ policies: { subAgents: [policy] }, spawnSubAgent: async () => ({ output: '' }) });
    made.push(manager);
    return (await manager.spawn({ instructions: 'x', drive: 'program' }).start()) as Run;
  };

  test('S5.01 each is a policy, and the provider registers them as the matrix says', async () => {
    const { provider, run } = openRun();
    const begun = await run;
    const { manager } = provider;
    // A main agent and a sub-agent: to-dos, heavy commands, analysis, context, searches.
    for (const agent of [manager, begun]) agent.report({ todos: [{ content: 'open' }] });
    expect([(await manager.beforeEnd('x')).end, (await begun.beforeEnd('x')).end]).toEqual([false, false]);
    const command = { command: 'git clone a' };
    expect([(await manager.beforeTool('execute_command', command)).allowed, (await begun.beforeTool('cat', command)).allowed]).toEqual([
      false,
      true,
    ]);
    expect((await delegate(provider, 'Analyze why it fails')).error).toContain('Analyze');
    for (const agent of [manager, begun]) agent.report({ contextTokens: SUB_AGENT_MAX_TOKENS });
    expect([(await manager.beforeTurn()).go, (await begun.beforeTurn()).go]).toEqual([true, false]);
  });

  test('S5.05 S5.20 open to-dos force another turn; one that waits for the user does not', async () => {
    const run = await subAgents(new CompletionCheckHook());
    run.report({ todos: [{ description: 'ask', status: 'blocked_on_user' }] });
    expect((await run.beforeEnd('x')).end).toBe(true);
    run.report({ todos: [{ description: 'read', status: 'in_progress' }] });
    expect((await run.beforeEnd('x')).end).toBe(false);
  });

  test('S5.04 S5.06 iterations, the size of the context, tools', async () => {
    const run = await subAgents(new SubAgentSafetyHook({ maxIterations: 2, maxTokens: 100, blockedTools: new Set(['shell']) }));
    expect((await run.beforeTool('shell')).allowed).toBe(false);
    expect([(await run.beforeTurn()).go, (await run.beforeTurn()).go]).toEqual([true, true]);
    const other = await subAgents(new SubAgentSafetyHook({ maxIterations: 9, maxTokens: 100, blockedTools: [] }));
    other.report({ contextTokens: 100 });
    expect([(await run.beforeTurn()).go, (await other.beforeTurn()).go]).toEqual([false, false]);
  });

  test('S5.07 searches past the limit are refused, whichever tool makes them', async () => {
    const run = await subAgents(new SearchBudgetHook(4));
    const tools = ['web_search', 'searxng_search', 'web_markdown', 'deep_crawl', 'web_pdf', 'read'];
    const allowed = [];
    for (const tool of tools) allowed.push((await run.beforeTool(tool)).allowed);
    expect(allowed).toEqual([true, true, true, true, false, true]);
  });

  test('S5.08 a hook of its own reports on a timeout', () => {
    expect(new TimeoutReportHook()).toMatchObject({ name: 'timeout_report', onTimeout: expect.any(Function) });
    expect(new WorkloadDistributorHook()).toMatchObject({ name: 'workload_distributor' });
    expect(new DelegationGuardHook()).toMatchObject({ name: 'delegation_guard' });
  });

  test.each([
    ...['Analyze why the project is failing', 'Explain how it works', 'Compare A and B', 'Give your opinion on Z', 'Reason about it'],
    ...['Do a code review', 'Evaluate the options', 'Сделай обзор статьи', 'Выясни причину сбоя', 'Эффективность алгоритма'],
    ...['Объясни, почему так', 'Оцени варианты', 'Сравни цены', 'Анализируй логи', 'Мнение о коде'],
  ])('S5.09 S5.21 the guard refuses to delegate “%s”', async (task) => {
    expect(await delegate(open(), task)).toMatchObject({ status: 'error', task_id: null, error: expect.stringContaining('analysis') });
  });

  test.each([
    'Find files about architecture',
    'Search for uses',
    'list files',
    'Please clone the repository',
    'Найди все .rs файлы',
    'Покажи файл',
    'Find files and explain them',
    'kindly list files for review',
    ...['Evaluating the options', 'Assess it', 'Analyse it', 'Wherefore?'],
  ])('S5.09 the guard lets “%s” pass', async (task) => {
    expect((await delegate(open(), task)).status).toBe('success');
  });

  test('S5.09 S5.10 the hooks refuse with Oxide’s words', async () => {
    const provider = open();
    expect((await delegate(provider, 'Please review it')).error).toBe(
      "⛔ Delegation Blocked: The task contains an analytical keyword ('review'). Sub-agents are restricted to raw data retrieval (cloning, grep, list files). Please split the task: delegate the retrieval, but perform the analysis yourself.",
    );
    const reasonOf = async (tool: string, args: unknown) => {
      const permit = await provider.manager.beforeTool(tool, args);
      return permit.allowed ? null : permit.reason;
    };
    const heavy = (operation: string) =>
      `⛔ MANUAL LABOR DETECTED: You are trying to run a heavy operation ('${operation}') yourself. This wastes your context window. ACTION REQUIRED: Use \`delegate_to_sub_agent\` to run this command and summarize the results.`;
    expect(await reasonOf('execute_command', { command: ' git clone a' })).toBe(heavy('git clone'));
    expect(await reasonOf('execute_command', '{"command": "cat a | grep -R b"}')).toBe(heavy('recursive grep'));
    expect(await reasonOf('execute_command', { command: 'find . -name a' })).toBe(heavy('find search'));
    expect(await reasonOf('deep_crawl', { url: 'u' })).toBe(
      "⛔ DIRECT SEARCH BLOCKED: You are trying to use 'deep_crawl' directly. For efficiency and context saving, you MUST delegate web crawling/extraction to a sub-agent. ACTION REQUIRED: Use `delegate_to_sub_agent` with tool 'deep_crawl' in the whitelist.",
    );
    for (const command of ['cd a && git clone b', 'find .', 'grep x a', 'ls'])
      expect(await reasonOf('execute_command', { command })).toBeNull();
    expect(await reasonOf('execute_command', 'not JSON')).toBeNull();
  });

  test.each(['web_search', 'web_extract', 'web_markdown', 'web_pdf', 'deep_crawl', 'searxng', 'searxng_search'])(
    'S5.10 S5.21 the main agent does not call %s itself',
    async (tool) => {
      expect(await open().manager.beforeTool(tool, { url: 'u' })).toMatchObject({ allowed: false, reason: expect.stringContaining(tool) });
    },
  );

  test.each(['git clone https://a/b', 'git fetch origin', 'grep -r x .', 'grep -R x .', 'find . -name a', 'find . -exec cat {} +'])(
    'S5.10 S5.21 the main agent does not run “%s” itself',
    async (command) => {
      expect((await open().manager.beforeTool('execute_command', JSON.stringify({ command }))).allowed).toBe(false);
    },
  );

  test.each([
    ...['Compare Rust and Go', 'Write a report on X', 'Scan the folder', 'Investigate this', 'Give me an overview', 'Benchmark it'],
    ...['Исследуй и сравни', 'Сделай отчет', 'Изучи код', 'Открой. Прочти. Скажи.', Array.from({ length: 60 }, () => 'word').join(' ')],
  ])('S5.10 the prompt “%s” has Oxide’s notice', async (prompt) => {
    const permit = await open().manager.beforeTurn({ prompt });
    expect(permit).toMatchObject({
      go: true,
      inject: [
        expect.stringMatching(/^\[SYSTEM NOTICE: High Complexity Detected\]\nYou must SPLIT your workflow(?:.|\n)*`delegate_to_sub_agent`/),
      ],
    });
  });

  test('S5.10 a short prompt has none', async () => {
    for (const prompt of ['Say hello', 'Привет!', 'What time is it?'])
      expect(await open().manager.beforeTurn({ prompt })).toEqual({ go: true, turn: 1 });
  });
});
