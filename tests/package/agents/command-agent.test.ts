// `commandAgent` of the built package with a real child process that speaks the lines of `codex exec --json`.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type CommandState, commandAgent, profiles } from '../../../dist/adapters/agents/index.js';
import { SubAgentManager, type SubAgentManagerOptions } from '../../../dist/index.js';
import { Bench, does } from '../../support/agents/agents.js';

const command = [process.execPath, fileURLToPath(new URL('../../support/agents/fake-command.mjs', import.meta.url))];
let bench: Bench;
let manager: SubAgentManager;
beforeEach(() => {
  bench = new Bench();
});
afterEach(async () => {
  await manager?.[Symbol.asyncDispose]();
  bench.remove();
});

function managed(env: Record<string, string> = {}, more: SubAgentManagerOptions = {}): SubAgentManager {
  const options = { ...bench.options, env: { ...bench.options.env, ...env } };
  manager = new SubAgentManager({ ...more, spawnSubAgent: commandAgent({ ...options, profile: 'codex', command }) });
  return manager;
}

describe('an agent as a command', () => {
  test('its last message is the output; a later message resumes its conversation, whose tokens are booked once', async () => {
    const task = managed().spawn(does({ say: 'I look.' }, { tool: 'ls' }, { say: 'first' }, { tokens: 100 }));
    const first = await task.wait();
    expect(first).toMatchObject({ status: 'completed', output: 'first' });
    expect(first.usage).toMatchObject({ tokens: 100, turns: 1 });
    manager.send(task, does({ say: 'second' }, { tokens: 130 }));
    const second = await task.wait();
    expect(second).toMatchObject({ status: 'completed', output: 'second' });
    expect(second.usage).toMatchObject({ tokens: 30, turns: 1 });
    const json = ['--json', '--skip-git-repo-check', '-'];
    expect(bench.logged('started')).toEqual([
      ['exec', '--sandbox', 'read-only', ...json],
      ['exec', '--sandbox', 'read-only', 'resume', 'thread-1', ...json],
    ]);
    expect(bench.running).toEqual([]);
    expect(bench.recorded).toEqual([]);
  });

  test('B11 the kinds of its tokens are booked once, and have their prices', async () => {
    const prices = { '*': { input: 10, output: 100, cacheRead: 1 } };
    const used = (...[input_tokens, cached_input_tokens, output_tokens, reasoning_output_tokens]: number[]) => ({
      usage: { input_tokens, cached_input_tokens, output_tokens, reasoning_output_tokens },
    });
    const task = managed({}, { prices }).spawn(does({ say: 'first' }, used(100_000, 95_000, 500, 100)));
    const first = { inputTokens: 100_000, cacheReadTokens: 95_000, outputTokens: 500, reasoningTokens: 100 };
    // 5,000 at 10, 95,000 at 1 and 500 at 100 dollars a million.
    expect((await task.wait()).usage).toMatchObject({ tokens: 100_500, ...first, costUsd: 0.195, unknown: [] });
    // What all calls of its model have read is no size of a context.
    expect(manager.get(task.taskId).contextTokens).toBeNull();
    manager.send(task, does({ say: 'second' }, used(220_000, 205_000, 800, 100)));
    const second = { inputTokens: 120_000, cacheReadTokens: 110_000, outputTokens: 300, reasoningTokens: 0 };
    expect((await task.wait()).usage).toMatchObject({ tokens: 120_300, ...second, costUsd: 0.24 });
    // It began to count anew.
    manager.send(task, does({ say: 'third' }, used(2_000, 1_000, 10, 5)));
    const third = { inputTokens: 2_000, cacheReadTokens: 1_000, outputTokens: 10, reasoningTokens: 5 };
    expect((await task.wait()).usage).toMatchObject({ tokens: 2_010, ...third, costUsd: 0.012 });
  });

  test('D11: it gets how hard its model is to think', async () => {
    await managed()
      .spawn({ instructions: does({ say: 'done' }), effort: 'low' })
      .wait();
    expect(bench.logged('started')[0]).toEqual(expect.arrayContaining(['-c', 'model_reasoning_effort="low"']));
  });

  test.each([
    ['is off where its configuration has it', '[mcp_servers.subagents]\ncommand = "npx"', {}, true],
    ['is not mentioned where it has none, which Codex would refuse', '[mcp_servers.others]\ncommand = "npx"', {}, false],
    ['is off where its name is quoted', "[mcp_servers.'subagents']\ncommand = 'npx'", {}, true],
    ['is off where it is a line of a table', '[mcp_servers]\n"subagents" = { command = "npx", args = ["a = b"] }', {}, true],
    ['is off where it has dotted keys', 'model = "x" # mcp_servers\nmcp_servers.subagents.command = "npx"', {}, true],
    ['stays where it is to have sub-agents', '[mcp_servers.subagents]\ncommand = "npx"', { nested: true }, false],
  ])('the server of this package %s', async (_, config, more, isOff) => {
    mkdirSync(`${bench.folder}/home`);
    writeFileSync(`${bench.folder}/home/config.toml`, config);
    const options = { ...bench.options, env: { ...bench.options.env, CODEX_HOME: `${bench.folder}/home` }, ...more };
    manager = new SubAgentManager({ spawnSubAgent: commandAgent({ ...options, profile: 'codex', command }) });
    await manager.spawn(does({ say: 'done' })).wait();
    expect(bench.logged('started')[0]?.includes('mcp_servers.subagents.enabled=false')).toBe(isOff);
  });

  test('the server of this package is added to what already switches others off', () => {
    const { withoutServer } = profiles.opencode;
    expect(withoutServer?.('subagents', { OPENCODE_CONFIG_CONTENT: '{"mcp":{"other":{"enabled":false}}}' })).toEqual({
      env: { OPENCODE_CONFIG_CONTENT: '{"mcp":{"other":{"enabled":false},"subagents":{"enabled":false}}}' },
    });
    expect(withoutServer?.('subagents', { OPENCODE_CONFIG_CONTENT: '{' })).toEqual({});
  });

  test('Gemini CLI has the server of this package excluded beside what its defaults exclude', () => {
    vi.stubEnv('XDG_STATE_HOME', join(bench.folder, 'state'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const defaults = join(bench.folder, 'system-defaults.json');
    const settings = () => {
      const { env } = profiles.gemini.withoutServer?.('subagents', { GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(bench.folder, 's.json') }) ?? {};
      return env && JSON.parse(readFileSync(env.GEMINI_CLI_SYSTEM_DEFAULTS_PATH ?? '', 'utf8'));
    };
    expect(settings()).toEqual({ mcp: { excluded: ['subagents'] } });
    writeFileSync(defaults, '{"ui":{"theme":"x"},"mcp":{"allowed":["a"],"excluded":["b"]}}');
    expect(settings()).toEqual({ ui: { theme: 'x' }, mcp: { allowed: ['a'], excluded: ['b', 'subagents'] } });
    writeFileSync(defaults, '{');
    expect(settings()).toBeUndefined();
  });

  test('it is asked to stop if its run is cancelled', async () => {
    const task = managed().spawn(does({ say: 'so far' }, { waits: true }));
    await bench.until('prompt');
    while (manager.get(task.taskId).status !== 'running') await new Promise((resolve) => setTimeout(resolve, 10));
    await manager.cancel(task);
    const { status, usage } = await task.wait();
    // B15: it says nothing of its tokens.
    expect([status, usage?.estimated, (usage?.tokens ?? 0) > 20]).toEqual(['cancelled', true, true]);
    expect(bench.running).toEqual([]);
  });

  test('interrupted in its first turn, it goes on in the same conversation', async () => {
    const task = managed().spawn(does({ say: 'so far' }, { waits: true }));
    await new Promise<void>((resolve) => {
      manager.subscribe(({ type }) => type === 'data_saved' && resolve());
    });
    manager.send(task, does({ say: 'second' }, { tokens: 130 }), { mode: 'interrupt' });
    await manager.wait([task], { until: 'idle' });
    expect(bench.logged('cancel')).toEqual([true]);
    expect(bench.logged('started').map((args) => args.includes('thread-1'))).toEqual([false, true]);
  });

  test('that can not go on with its conversation begins one that gets what was done, in the same turn', async () => {
    const task = managed({ FAKE_START: 'forgets' }).spawn(does({ tool: 'touch a.txt' }, { say: 'first' }, { tokens: 100 }));
    await task.wait();
    manager.send(task, does({ say: 'second' }, { tokens: 130 }));
    const second = await task.wait();
    expect(second).toMatchObject({ status: 'completed', output: 'second', usage: { tokens: 130, turns: 1 } });
    expect(bench.logged('started').map((args) => args.includes('resume'))).toEqual([false, true, false]);
    expect(bench.logged('prompt')[1]).toMatch(/You began this work in an earlier conversation[\s\S]*- touch a\.txt[\s\S]*first[\s\S]*DO:/);
  });

  test('that does not start for a while goes on with its conversation later', async () => {
    const task = managed().spawn(does({ say: 'first' }));
    await task.wait();
    bench.fails(true);
    manager.send(task, does({ say: 'second' }));
    expect((await task.wait()).error).toContain('no key for this model');
    bench.fails(false);
    manager.send(task, does({ say: 'third' }));
    expect(await task.wait()).toMatchObject({ status: 'completed', output: 'third' });
    expect(bench.logged('started').at(-1)).toContain('thread-1');
  });

  test('T2: a tool call that takes its time is no silence', async () => {
    const task = managed({}, { idleTimeoutMs: 2_000 }).spawn(does({ tool: 'make', takesMs: 5_000 }, { say: 'done' }));
    expect(await task.wait()).toMatchObject({ status: 'completed', output: 'done' });
  });

  test.each([
    ['dies', "codex ended with code 1: no key for this model; if it isn't logged in: run `codex login`"],
    ['words', 'codex printed no line of JSON (I am another program.); install a version that has this form: npm install -g'],
  ])('that %s fails with words that name the way out', async (start, words) => {
    const { status, error } = await managed({ FAKE_START: start }).spawn('x').wait();
    expect(status).toBe('failed');
    expect(error).toContain(words);
  });

  test('a profile that throws ends the agent, and the error is that of its run', async () => {
    const form = profiles.codex.command as NonNullable<typeof profiles.codex.command>;
    const read = () => {
      throw new Error('this form is wrong');
    };
    const profile = { name: 'own', install: '', login: '', command: { ...form, read } };
    manager = new SubAgentManager({ spawnSubAgent: commandAgent({ ...bench.options, profile, command }) });
    expect((await manager.spawn(does({ waits: true })).wait()).error).toBe('this form is wrong');
    expect(bench.running).toEqual([]);
  });

  test('B14: it is stopped where its budget is spent in mid-turn', async () => {
    const form = profiles.codex.command as NonNullable<typeof profiles.codex.command>;
    // This one says what it has used while it works.
    const read: typeof form.read = (event, state) => {
      form.read(event, state);
      state.isOver = false;
    };
    const spawnSubAgent = commandAgent({
      ...bench.options,
      profile: { name: 'own', install: '', login: '', command: { ...form, read } },
      command,
    });
    manager = new SubAgentManager({ spawnSubAgent });
    const instructions = does({ say: 'part' }, { tokens: 900 }, { tokens: 1_100 }, { waits: true });
    const result = await manager.spawn({ instructions, budget: { tokens: 1_000 } }).wait();
    expect(result).toMatchObject({ status: 'failed', stopReason: 'budget_exhausted', partial: true, output: 'part' });
    expect(result.usage).toMatchObject({ tokens: 1_100, turns: 1 });
    expect(bench.logged('cancel')).toEqual([true]);
  });

  test('B11: it is stopped only by tokens that count, and its dollars are booked though it reports no tokens', async () => {
    const form = profiles.codex.command as NonNullable<typeof profiles.codex.command>;
    const says = (figures: object): typeof form.read => {
      return (event, state) => {
        form.read(event, state);
        Object.assign(state, figures);
      };
    };
    const agentOf = (read: typeof form.read) =>
      commandAgent({ ...bench.options, profile: { name: 'own', install: '', login: '', command: { ...form, read } }, command });
    const cacheReads = { tokens: 21_000, kinds: { inputTokens: 20_900, cacheReadTokens: 20_000, outputTokens: 100 }, isOver: false };
    manager = new SubAgentManager({ spawnSubAgent: agentOf(says(cacheReads)), countCacheReads: 0 });
    const cached = await manager
      .spawn({ instructions: does({ say: 'done' }, { takesMs: 300, tool: 'ls' }), budget: { tokens: 10_000 } })
      .wait();
    expect(cached).toMatchObject({ status: 'completed', output: 'done' });
    expect(bench.logged('cancel')).toEqual([]);
    manager.dispose();
    manager = new SubAgentManager({ spawnSubAgent: agentOf(says({ costUsd: 0.5 })), budget: { costUsd: 1 } });
    await manager.spawn(does({ say: 'done' })).wait();
    expect(manager.budget().costUsd.spent).toBe(0.5);
  });

  test('B6: one that has finished is no failure, though its last turn took more than was left', async () => {
    const task = managed().spawn({ instructions: does({ say: 'done' }, { tokens: 1_100 }), budget: { tokens: 1_000 } });
    expect(await task.wait()).toMatchObject({ status: 'completed', output: 'done' });
  });

  test('R9: its receipts say what its tool calls did', async () => {
    const steps = does(
      { item: { type: 'file_change', status: 'completed', changes: [{ path: `${bench.folder}/a.txt`, kind: 'add' }] } },
      { item: { type: 'file_change', status: 'failed', changes: [{ path: 'b.txt', kind: 'add' }] } },
      { item: { type: 'command_execution', command: '/bin/bash -lc "echo \\"hi\\""', exit_code: 3 } },
      { say: 'done' },
    );
    const { receipts } = await managed().spawn(steps).wait();
    expect(receipts).toEqual([
      { path: 'a.txt', kind: 'add' },
      { command: 'echo "hi"', exitCode: 3 },
    ]);
  });

  test('a turn that fails says why', async () => {
    const result = await managed()
      .spawn(does({ say: 'part' }, { fails: 'over quota' }))
      .wait();
    expect(result).toMatchObject({ status: 'failed', output: 'part', partial: true, error: 'codex: over quota' });
  });
});

describe('the forms of commands', () => {
  const turn = { conversation: 'c1', mode: 'plan', effort: 'high', remainingUsd: 1.5 };

  test.each([
    [
      'claude',
      [
        '-p',
        '--output-format',
        'stream-json',
        '--verbose',
        '--permission-mode',
        'plan',
        '--effort',
        'high',
        '--resume',
        'c1',
        '--max-budget-usd',
        '1.5',
      ],
      [
        { type: 'system', session_id: 'c2' },
        {
          type: 'assistant',
          message: {
            id: 'm1',
            usage: { input_tokens: 1, output_tokens: 1 },
            model: 'claude-opus-4',
            content: [
              { type: 'text', text: 'hm' },
              { type: 'tool_use', name: 'Bash' },
            ],
          },
        },
        {
          type: 'assistant',
          parent_tool_use_id: 'a',
          message: { model: 'claude-haiku-4', content: [{ type: 'text', text: 'done' }] },
        },
        { type: 'assistant', message: { model: '<synthetic>', content: [] } },
        {
          type: 'result',
          result: 'done',
          total_cost_usd: 0.5,
          usage: {
            input_tokens: 3,
            output_tokens: 4,
            cache_read_input_tokens: 5,
            cache_creation_input_tokens: 7,
            cache_creation: { ephemeral_5m_input_tokens: 5, ephemeral_1h_input_tokens: 2 },
          },
        },
      ],
      {
        conversation: 'c2',
        text: 'done',
        costUsd: 0.5,
        tokens: 19,
        kinds: { inputTokens: 15, outputTokens: 4, cacheReadTokens: 5, cacheWriteTokens: 7, cacheWrite1hTokens: 2 },
        modelId: 'claude-opus-4',
      },
    ],
    [
      'opencode',
      ['run', '--format', 'json', '--agent', 'plan', '--variant', 'high', '--session', 'c1'],
      [
        { type: 'text', sessionID: 'c2', part: { text: 'done' } },
        {
          type: 'step_finish',
          part: { tokens: { total: 15, input: 3, output: 4, reasoning: 1, cache: { read: 5, write: 2 } }, cost: 0.1 },
        },
        // An older version, whose output has the thoughts in it.
        { type: 'step_finish', part: { tokens: { total: 9, input: 2, output: 4, reasoning: 1, cache: { read: 3, write: 0 } }, cost: 0.2 } },
      ],
      {
        conversation: 'c2',
        text: 'done',
        tokens: 24,
        kinds: { inputTokens: 15, outputTokens: 9, cacheReadTokens: 8, cacheWriteTokens: 2, reasoningTokens: 2 },
      },
    ],
    [
      'gemini',
      ['--output-format', 'stream-json', '--approval-mode', 'plan', '--resume', 'c1'],
      [
        { type: 'init', session_id: 'c2' },
        { type: 'message', role: 'assistant', content: 'do', delta: true },
        { type: 'message', role: 'assistant', content: 'ne', delta: true },
        {
          type: 'result',
          status: 'success',
          stats: { total_tokens: 120, input_tokens: 100, output_tokens: 15, cached: 60, input: 40, models: { 'gemini-3-pro': {} } },
        },
      ],
      {
        conversation: 'c2',
        text: 'done',
        tokens: 120,
        kinds: { inputTokens: 100, outputTokens: 20, cacheReadTokens: 60, reasoningTokens: 5 },
        modelId: 'gemini-3-pro',
      },
    ],
  ] as const)('%s', (name, args, events, state) => {
    const form = profiles[name].command;
    const read = { text: '' };
    for (const event of events) form?.read(event, read);
    expect(form?.arguments(turn)).toEqual(args);
    expect(read).toMatchObject(state);
  });

  test('claude says in mid-turn what each message used, once', () => {
    const state: CommandState = { text: '' };
    const reported = (id: string, output_tokens: number) => ({
      type: 'assistant',
      message: { id, usage: { input_tokens: 10, output_tokens } },
    });
    const said = [reported('m1', 1), reported('m1', 1), reported('m2', 2), { type: 'result', usage: { input_tokens: 12 } }].map((event) => {
      profiles.claude.command?.read(event, state);
      return state.tokens;
    });
    expect(said).toEqual([11, 11, 23, 23]);
  });

  test.each([
    [
      'claude',
      [
        call({ type: 'tool_use', id: 'a', name: 'Write', input: { file_path: 'a.txt' } }),
        answer({ tool_use_id: 'a' }, { type: 'create' }),
        call({ type: 'tool_use', id: 'b', name: 'Bash', input: { command: 'npm test' } }),
        answer({ tool_use_id: 'b', is_error: true, content: 'Exit code 2\nno' }),
        call({ type: 'tool_use', id: 'c', name: 'Bash', input: { command: 'npm start' } }),
        answer({ tool_use_id: 'c', content: 'started' }, { backgroundTaskId: '1' }),
        call({ type: 'tool_use', id: 'd', name: 'Bash', input: { command: 'ls' } }),
        answer({ tool_use_id: 'd', content: 'a.txt' }, {}),
        call({ type: 'tool_use', id: 'f', name: 'Bash', input: { command: 'test -e b.txt' } }),
        answer({ tool_use_id: 'f', content: '' }, { returnCodeInterpretation: 'Condition is false' }),
        call({ type: 'tool_use', id: 'e', name: 'Edit', input: { file_path: 'b.txt' } }),
        answer({ tool_use_id: 'e', is_error: true, content: 'not found' }),
      ],
      [
        { path: 'a.txt', kind: 'add' },
        { command: 'npm test', exitCode: 2 },
        { command: 'npm start', exitCode: null },
        { command: 'ls', exitCode: 0 },
        { command: 'test -e b.txt', exitCode: 1 },
      ],
    ],
    [
      'opencode',
      [
        part('write', { input: { filePath: 'a.txt' }, metadata: { exists: false } }),
        part('edit', { input: { filePath: 'b.txt' } }),
        part('edit', { input: { filePath: 'c.txt' }, status: 'error' }),
        part('bash', { input: { command: 'npm test' }, metadata: { exit: 1 } }),
        part('read', { input: { filePath: 'b.txt' } }),
      ],
      [
        { path: 'a.txt', kind: 'add' },
        { path: 'b.txt', kind: 'update' },
        { command: 'npm test', exitCode: 1 },
      ],
    ],
    [
      'gemini',
      [
        { type: 'tool_use', tool_id: 'a', tool_name: 'write_file', parameters: { file_path: 'a.txt' } },
        { type: 'tool_result', tool_id: 'a', status: 'success' },
        { type: 'tool_use', tool_id: 'b', tool_name: 'run_shell_command', parameters: { command: 'npm test' } },
        { type: 'tool_result', tool_id: 'b', status: 'success' },
      ],
      [
        { path: 'a.txt', kind: 'update' },
        { command: 'npm test', exitCode: null },
      ],
    ],
  ] as const)('R9: receipts of %s', (name, events, receipts) => {
    const state: CommandState = { text: '' };
    const did = events.flatMap((event) => {
      state.did = undefined;
      profiles[name].command?.read(event, state);
      return state.did ?? [];
    });
    expect(did).toEqual(receipts);
  });
});

function call(part: object) {
  return { type: 'assistant', message: { content: [part] } };
}

function answer(result: object, beside?: object) {
  return { type: 'user', message: { content: [{ type: 'tool_result', ...result }] }, tool_use_result: beside };
}

function part(tool: string, state: object) {
  return { type: 'tool_use', part: { tool, state: { status: 'completed', ...state } } };
}
