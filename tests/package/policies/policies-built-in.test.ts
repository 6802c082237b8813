// P3: the policies that come with the package, each on its own (S5.04-S5.10), and in other languages.

import '../../support/virtual-time.js';

import { describe, expect, it } from 'vitest';
import type { AgentReport, Policy } from '../../../dist/index.js';
import {
  ANALYTICAL_WORDS,
  completionCheck,
  delegationGuard,
  HEAVY_COMMANDS,
  HEAVY_WORDS,
  RETRIEVAL_VERBS,
  SEARCH_TOOLS,
  safetyLimits,
  searchBudget,
  timeoutReport,
  workloadDistributor,
} from '../../../dist/policies/index.js';
import { done, refusal } from '../../support/hosts.js';
import { manager, openRun } from '../../support/policies.js';
import { pass as passTime } from '../../support/virtual-time.js';

const under = (...subAgents: Policy[]) => openRun({ maxTurns: 100, policies: { subAgents } });

describe('S5.06 safetyLimits', () => {
  it('S5.06 refuses the turn past maxTurns, as max_turns', async () => {
    const { run, handle, end } = await under(safetyLimits({ maxTurns: 2 }));
    expect(await run.beforeTurn()).toMatchObject({ go: true, turn: 1 });
    expect(await run.beforeTurn()).toMatchObject({ go: true, turn: 2 });
    expect(await run.beforeTurn()).toMatchObject({ go: false, reason: 'max_turns' });
    end.resolve(done('half'));
    expect(await handle.wait()).toMatchObject({ status: 'failed', stopReason: 'max_turns', partial: true, output: 'half' });
  });

  it('S5.04 refuses a turn with a context of maxContextTokens: its size as reported, not what was spent', async () => {
    const { run, handle, end } = await under(safetyLimits({ maxContextTokens: 1_000 }));
    run.report({ tokens: 5_000, contextTokens: 999 });
    expect(await run.beforeTurn()).toMatchObject({ go: true });
    run.report({ contextTokens: 1_000 });
    expect(await run.beforeTurn()).toMatchObject({
      go: false,
      reason: 'policy',
      message: expect.stringContaining('1000 tokens, the limit is 1000'),
    });
    end.resolve(done('half'));
    expect(await handle.wait()).toMatchObject({ status: 'failed', stopReason: 'policy', partial: true });
  });

  it('blocks tools, which are not handed on either', async () => {
    const { run } = await openRun({ tools: ['read', 'rm'], policies: { subAgents: [safetyLimits({ blockedTools: ['rm'] })] } });
    expect(run.tools).toEqual(['read']);
    expect(await run.beforeTool('rm')).toMatchObject({ allowed: false });
    const main = manager({ policies: { main: [safetyLimits({ blockedTools: ['rm'] })] } });
    expect(await main.beforeTool('rm')).toEqual({ allowed: false, reason: '`rm` may not be used here' });
    expect(await main.beforeTool('read')).toEqual({ allowed: true });
  });

  it('without options it limits nothing', async () => {
    const { run } = await under(safetyLimits());
    run.report({ contextTokens: 10_000_000 });
    expect(await run.beforeTurn()).toMatchObject({ go: true });
  });
});

describe('S5.07 searchBudget', () => {
  it('S5.07 allows ten calls of the five search tools together', async () => {
    const { run } = await under(searchBudget());
    expect(SEARCH_TOOLS).toEqual(['web_search', 'web_extract', 'deep_crawl', 'web_markdown', 'web_pdf']);
    for (let call = 0; call < 10; call += 1) expect(await run.beforeTool(SEARCH_TOOLS[call % 5] as string)).toEqual({ allowed: true });
    for (const tool of SEARCH_TOOLS) {
      expect(await run.beforeTool(tool)).toMatchObject({ allowed: false, reason: expect.stringContaining('all 10 searches are used') });
    }
    expect(await run.beforeTool('read_file')).toEqual({ allowed: true });
    expect(await run.beforeTurn()).toMatchObject({ go: true });
  });

  it('takes another limit, 0 too, and other tools', async () => {
    const { run } = await under(searchBudget({ limit: 1, tools: ['grep'] }), searchBudget({ limit: 0, tools: ['crawl'] }));
    expect((await run.beforeTool('grep')).allowed).toBe(true);
    expect((await run.beforeTool('grep')).allowed).toBe(false);
    expect((await run.beforeTool('crawl')).allowed).toBe(false);
    expect((await run.beforeTool('web_search')).allowed).toBe(true);
  });

  it('every run has its own', async () => {
    const allowed: boolean[] = [];
    const made = manager({
      policies: { subAgents: [searchBudget({ limit: 1 })] },
      spawnSubAgent: async (_, run) => {
        for (let call = 0; call < 2; call += 1) allowed.push((await run.beforeTool('web_search')).allowed);
        return done();
      },
    });
    const handle = made.spawn({ instructions: 'one' });
    await handle.wait();
    handle.send('two');
    await handle.wait();
    await made.spawn({ instructions: 'three' }).wait();
    expect(allowed).toEqual([true, false, true, false, true, false]);
  });
});

describe('S5.20 to-dos', () => {
  it('S5.20 one that waits for the user is not open', async () => {
    const { run } = await openRun({ policies: { subAgents: [completionCheck()] } });
    run.report({
      todos: [
        { content: 'a', status: 'completed' },
        { content: 'ask which branch', status: 'blocked_on_user' },
      ],
    });
    expect(await run.beforeEnd('done')).toMatchObject({ end: true });
    run.report({ todos: [{ content: 'ask', status: 'blocked_on_user' }, { content: 'write it' }] });
    const permit = await run.beforeEnd('done');
    expect(permit).toMatchObject({ end: false, inject: [expect.stringContaining('To-dos still open: 1')] });
    expect(JSON.stringify(permit)).not.toContain('ask');
  });

  it('one by `description` is read like one by `content`', async () => {
    const { run, manager: made } = await openRun({ policies: { subAgents: [completionCheck()] } });
    run.report({ todos: [{ description: 'read the logs', status: 'in_progress' }] });
    expect(await run.beforeEnd('done')).toMatchObject({ end: false, inject: [expect.stringContaining('- read the logs')] });
    made.report({ todos: [{ description: 'for the main agent too' }] });
    expect(() => run.report({ todos: [{ status: 'pending' } as never] })).toThrow('`content` or `description`');
  });
});

describe('S5.05 completionCheck', () => {
  const todos = [{ content: 'read a', status: 'completed' }, { content: 'read b', status: 'in_progress' }, { content: 'read c' }];

  it('S5.05 open to-dos force another turn, and are named', async () => {
    const { run, handle, end } = await under(completionCheck());
    run.report({ todos });
    const permit = await run.beforeEnd('done');
    expect(permit).toMatchObject({ end: false, inject: [expect.stringMatching(/To-dos still open: 2[\s\S]*- read b\n- read c$/)] });
    run.report({ todos: todos.map((todo) => ({ ...todo, status: 'completed' })) });
    expect(await run.beforeEnd('done')).toEqual({ end: true, output: 'done' });
    end.resolve(done('done'));
    expect(await handle.wait()).toMatchObject({ status: 'completed', output: 'done' });
  });

  it('at most ten times; cancelled ones are not open', async () => {
    const { run } = await under(completionCheck());
    run.report({ todos: [{ content: 'x', status: 'cancelled' }] });
    expect((await run.beforeEnd('')).end).toBe(true);
    run.report({ todos });
    for (let turn = 0; turn < 10; turn += 1) expect((await run.beforeEnd('')).end).toBe(false);
    expect((await run.beforeEnd('')).end).toBe(true);
  });

  it('as often as it is configured, and never where no turn is left', async () => {
    const { run } = await openRun({ maxTurns: 1, policies: { subAgents: [completionCheck({ maxForcedTurns: 2 })] } });
    run.report({ todos });
    expect((await run.beforeEnd('')).end).toBe(false);
    await run.beforeTurn();
    expect((await run.beforeEnd('')).end).toBe(true);
    const { run: none } = await under(completionCheck({ maxForcedTurns: 0 }));
    none.report({ todos });
    expect((await none.beforeEnd('')).end).toBe(true);
  });
});

describe('S5.08 timeoutReport', () => {
  it('reports status, reason, statistics, to-dos and recent messages', async () => {
    const {
      run,
      handle,
      end,
      manager: made,
    } = await openRun({
      timeoutMs: 1_000,
      policies: { subAgents: [searchBudget(), timeoutReport()] },
    });
    await run.beforeTurn();
    await run.beforeTool('web_search');
    run.report({ tokens: 40, costUsd: 0.002, contextTokens: 800, message: 'reading a', todos: [{ content: 'read a' }] });
    await passTime(1_000);
    end.resolve(done(''));
    const { output } = await handle.wait();
    const report = JSON.parse(output) as AgentReport;
    expect(report).toMatchObject({
      taskId: handle.taskId,
      status: 'timed_out',
      reason: 'timeout',
      partial: true,
      todos: [{ content: 'read a', status: 'pending' }],
      recentMessages: ['reading a'],
      stats: { turns: 1, tokens: 40, costUsd: 0.002, contextTokens: 800, openTodos: 1, counts: { search_budget: 1 } },
    });
    expect(report.stats.durationMs).toBeGreaterThanOrEqual(1_000);
    expect(made.get(handle).report).toBe(output);
  });
});

describe('S5.09 delegationGuard', () => {
  const guard = (options = {}): ((instructions: string) => string | undefined) => {
    const made = manager({ policies: { main: [delegationGuard(options)] } });
    return (instructions) => {
      try {
        made.spawn({ instructions, background: true });
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    };
  };

  it.each([
    ['Analyze the sales figures', 'analyze'],
    ['Analysing logs of May', 'analysing'],
    ['Tell me WHY the build is slow', 'why'],
    ['Please evaluate both drafts', 'evaluate'],
    ['Give your opinion on the design', 'opinion'],
    ['Read-outs: compare them', 'compare'],
    ['Проанализируй логи за май', 'проанализируй'],
    ['Объясните разницу', 'объясните'],
    ['Нужен анализ рынка', 'анализ'],
    ['Почему тест падает?', 'почему'],
    ['СРАВНИ два файла', 'сравни'],
    ['Review the pull request for security issues', 'review'],
    ['Do a code review of src/', 'review'],
    ['Start by reviewing the change', 'reviewing'],
    ['Explaining the error', 'explaining'],
    ['Write an explanation of the error', 'explanation'],
    ['Reason through the failure', 'reason through'],
    ['Diagnosing the crash', 'diagnosing'],
    ['Comparing both drafts', 'comparing'],
    ['Объяснение ошибки', 'объяснение'],
    ['Объясняя разницу', 'объясняя'],
    ['Ревью изменений', 'ревью'],
    ['Сравнивая два файла', 'сравнивая'],
  ])('refuses, naming the word: %s', (task, word) => {
    expect(guard()(task)).toContain(`“${word}” asks for analysis`);
  });

  it.each([
    'Find all files that compare versions',
    'list the functions that evaluate input',
    '  "Read" the analysis in docs/analysis.md and return its text',
    'Please fetch the page that explains why',
    'Look up the conclusion of the paper',
    'Найди все места, где объясняется почему',
    'Пожалуйста, прочитай анализ и верни текст',
    'Покажи список оценок',
    'Translate the text into French',
    'Переведи текст',
    'A note about whyever and comparators',
    'Find what the code review said, and read the explanation',
    'Run the diagnostics and return what they print',
    'Rewrite the interpreter with the highest priority',
  ])('passes: %s', (task) => {
    expect(guard()(task)).toBeUndefined();
  });

  it('S5.09 the verb must stand at the beginning', () => {
    expect(guard()('Analyze what you find')).toContain('“analyze”');
  });

  it('both lists can be replaced', () => {
    const own = guard({ words: ['deploy*', 'go live'], retrievalVerbs: ['check'] });
    expect(own('Analyze this')).toBeUndefined();
    expect(own('Redo the deployment')).toContain('“deployment”');
    expect(own('Let it go   live')).toContain('“go live”');
    expect(own('Check the deployment')).toBeUndefined();
    expect(own('Find the deployment')).toContain('“deployment”');
  });

  it('guards the tool, names nothing of an idle sub-agent, and leaves sub-agents alone', async () => {
    const made = manager({ policies: { main: [delegationGuard()] } });
    expect(await made.createSubAgentTool().execute({ instructions: 'Evaluate it' })).toMatch(
      /^No sub-agent was started: “evaluate” asks for analysis/,
    );
    expect(made.spawn({}).status).toBe('idle');
    const { run } = await openRun({ maxDepth: 2, policies: { main: [delegationGuard()] } });
    expect(run.spawn({ instructions: 'Evaluate it' }).status).toBe('running');
  });

  it('its lists are there to build on', () => {
    for (const list of [ANALYTICAL_WORDS, RETRIEVAL_VERBS, HEAVY_WORDS]) {
      expect(Object.isFrozen(list)).toBe(true);
      expect(list.some((word) => /^[a-z *]+$/.test(word)) && list.some((word) => /[а-я]/.test(word))).toBe(true);
      expect(new Set(list).size).toBe(list.length);
    }
  });
});

describe('S5.10 workloadDistributor', () => {
  const noticeFor = async (prompt: string, options = {}): Promise<string | undefined> => {
    const made = manager({ policies: { main: [workloadDistributor(options)] } });
    const permit = await made.beforeTurn({ prompt });
    return permit.go ? permit.inject?.join('|') : 'refused';
  };
  const words = (count: number): string => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');

  it('prompts of 60 words get the notice, shorter ones do not', async () => {
    expect(await noticeFor(words(60))).toContain('delegate');
    expect(await noticeFor(words(59))).toBeUndefined();
    expect(await noticeFor('')).toBeUndefined();
  });

  it.each(['Summarise the whole repository', 'Deep research on tides', 'Исследуй рынок', 'Покажи весь проект'])(
    'a keyword gets it: %s',
    async (prompt) => {
      expect(await noticeFor(prompt)).toContain('delegate');
    },
  );

  it('number, words and notice can be replaced', async () => {
    expect(await noticeFor('one two three', { minWords: 3, notice: 'share it' })).toBe('share it');
    expect(await noticeFor('the repository', { keywords: ['tides'] })).toBeUndefined();
    expect(await noticeFor('of tides', { keywords: ['tides'] })).toContain('delegate');
  });

  it('it is notified once a prompt', async () => {
    const made = manager({ policies: { main: [workloadDistributor()] } });
    expect(await made.beforeTurn({ prompt: 'the repository' })).toHaveProperty('inject');
    expect(await made.beforeTurn()).not.toHaveProperty('inject');
    expect(await made.beforeTurn({ prompt: 'a word' })).not.toHaveProperty('inject');
  });

  it.each([
    ['git clone', { command: 'git clone https://example.com/a.git' }],
    ['git clone', { command: 'cd /w && git -C /w clone a' }],
    ['git clone', 'git clone a'],
    ['git clone', '{"cmd":"git clone a"}'],
    ['git clone', { command: 'git', args: ['clone', 'a'] }],
    ['grep -r', { cmd: 'grep -r needle .' }],
    ['grep -r', { cmd: 'grep -inR needle src' }],
    ['grep -r', { script: 'ls; grep --color --recursive needle' }],
    ['find -name', { command: "find . -type f -name '*.ts'" }],
    ['find -name', { command: 'find / -iname a' }],
    ['git fetch', { command: 'git fetch --all' }],
    ['git fetch', { command: 'git -C /w fetch origin' }],
    ['find -exec', { command: "find . -type f -exec grep -l needle '{}' +" }],
    ['find -exec', { command: 'find src -execdir wc -l {} \\;' }],
    ['git clone', { command: '/usr/bin/git -c a=b --no-pager clone a' }],
    ['git clone', { command: 'bash -c "git -C git clone a"' }],
    ['grep -r', { command: 'ls | (egrep -nr needle)' }],
    ['git clone', { command: `${'git -a -a '.repeat(6_000)} clone` }],
    ['find -name', { command: `${'find '.repeat(13_000)}-name a` }],
  ])('S5.10 refuses %s: %j', async (name, args) => {
    const made = manager({ policies: { main: [workloadDistributor()] } });
    expect(await made.beforeTool('execute_command', args)).toEqual({
      allowed: false,
      reason: expect.stringContaining(`\`${name}\` is heavy work`),
    });
  });

  it.each([
    { command: 'git status' },
    { command: 'grep needle file.txt' },
    { command: 'grep -i needle a-r.txt' },
    { command: 'find . -maxdepth 1' },
    { command: 'git log clone' },
    { command: 'find . -maxdepth 1; ls -name' },
    // With a pattern that goes back, each of these takes minutes.
    { command: `git ${'-a '.repeat(20_000)}` },
    { command: 'find '.repeat(13_000) },
    { command: `grep ${'-r'.repeat(32_000)}!` },
    { content: 'run git clone first' },
    { command: 5 },
    null,
    undefined,
    '{"broken',
    ['git clone'],
  ])('allows %j', async (args) => {
    const made = manager({ policies: { main: [workloadDistributor()] } });
    expect(await made.beforeTool('execute_command', args)).toEqual({ allowed: true });
  });

  it('S5.21 refuses direct crawls; which tools that are can be replaced', async () => {
    const made = manager({ policies: { main: [workloadDistributor()] } });
    expect(await made.beforeTool('deep_crawl', { url: 'https://example.com' })).toEqual({
      allowed: false,
      reason: expect.stringContaining('`deep_crawl` is heavy work'),
    });
    expect(await made.beforeTool('web_search', { query: 'deep_crawl' })).toEqual({ allowed: true });
    const own = manager({ policies: { main: [workloadDistributor({ tools: ['spider'] })] } });
    expect((await own.beforeTool('spider', {})).allowed).toBe(false);
    expect((await own.beforeTool('deep_crawl', {})).allowed).toBe(true);
  });

  it('commands can be replaced, also by patterns that keep a place', async () => {
    const made = manager({ policies: { main: [workloadDistributor({ commands: { ...HEAVY_COMMANDS, 'npm ci': /\bnpm ci\b/g } })] } });
    for (let call = 0; call < 3; call += 1) expect((await made.beforeTool('sh', 'npm ci')).allowed).toBe(false);
    expect((await made.beforeTool('sh', 'git clone a')).allowed).toBe(false);
  });

  it('a command of the program is a function of the words of each simple command', async () => {
    const seen: (readonly string[])[] = [];
    const isInstall = (words: readonly string[]) => seen.push(words) > 0 && words[0] === 'npm' && words[1] === 'ci';
    const made = manager({ policies: { main: [workloadDistributor({ commands: { 'npm ci': isInstall } })] } });
    expect((await made.beforeTool('sh', 'cd "a" && (npm ci)')).allowed).toBe(false);
    expect(seen).toEqual([
      ['cd', 'a'],
      ['npm', 'ci'],
    ]);
    expect((await made.beforeTool('sh', 'echo npm ci')).allowed).toBe(true);
  });
});

describe('P3 what is off unless it is asked for', () => {
  it('none of them bounds a main agent or a sub-agent', async () => {
    const { run, manager: made } = await openRun();
    expect(made.spawn({ instructions: 'Analyze the logs, why they grow' }).status).toBe('running');
    expect(await made.beforeTurn({ prompt: 'Deep research on the whole repository' })).not.toHaveProperty('inject');
    for (const agent of [made, run]) {
      expect(await agent.beforeTool('sh', 'git clone a')).toEqual({ allowed: true });
      for (let call = 0; call <= 10; call += 1) expect(await agent.beforeTool('web_search')).toEqual({ allowed: true });
      agent.report({ contextTokens: 10_000_000, todos: [{ content: 'open' }] });
      expect(await agent.beforeTurn()).toMatchObject({ go: true });
      expect(await agent.beforeEnd('done')).toMatchObject({ end: true });
    }
  });
});

describe('wrong options of built-in policies', () => {
  it.each<[string, () => Policy]>([
    ['safetyLimits', () => safetyLimits({ maxTurns: 0 })],
    ['safetyLimits', () => safetyLimits({ maxContextTokens: -1 })],
    ['safetyLimits', () => safetyLimits({ blockedTools: [5] as never })],
    ['safetyLimits', () => safetyLimits({ maxToken: 1 } as never)],
    ['safetyLimits', () => safetyLimits(5 as never)],
    ['searchBudget', () => searchBudget({ limit: -1 })],
    ['searchBudget', () => searchBudget({ limit: 1.5 })],
    ['searchBudget', () => searchBudget({ tools: 'web_search' as never })],
    ['completionCheck', () => completionCheck({ maxForcedTurns: Number.NaN })],
    ['delegationGuard', () => delegationGuard({ words: [null] as never })],
    ['delegationGuard', () => delegationGuard({ verbs: [] } as never)],
    ['workloadDistributor', () => workloadDistributor({ minWords: 'many' as never })],
    ['workloadDistributor', () => workloadDistributor({ notice: 5 as never })],
    ['workloadDistributor', () => workloadDistributor({ commands: { a: 'git' as never } })],
    ['workloadDistributor', () => workloadDistributor({ commands: 5 as never })],
    ['workloadDistributor', () => workloadDistributor({ commands: null as never })],
    ['workloadDistributor', () => workloadDistributor({ tools: 'deep_crawl' as never })],
    ['workloadDistributor', () => workloadDistributor({ commands: /rm -rf/ as never })],
  ])('%s', (_, make) => {
    expect(refusal(make).code).toBe('invalid_argument');
  });
});
