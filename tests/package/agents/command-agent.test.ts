// `commandAgent` of the built package with a real child process that speaks the lines of `codex exec --json`.

import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandAgent, profiles } from '../../../dist/adapters/agents/index.js';
import { SubAgentManager } from '../../../dist/index.js';
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

function managed(env: Record<string, string> = {}): SubAgentManager {
  const options = { ...bench.options, env: { ...bench.options.env, ...env } };
  manager = new SubAgentManager({ spawnSubAgent: commandAgent({ ...options, profile: 'codex', command }) });
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

  test('it is told to stop where its run is cancelled', async () => {
    const task = managed().spawn(does({ say: 'so far' }, { waits: true }));
    await bench.until('prompt');
    while (manager.get(task.taskId).status !== 'running') await new Promise((resolve) => setTimeout(resolve, 10));
    await manager.cancel(task);
    expect(await task.wait()).toMatchObject({ status: 'cancelled' });
    expect(bench.running).toEqual([]);
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

  test('B6: one that has finished is no failure, though its last turn took more than was left', async () => {
    const task = managed().spawn({ instructions: does({ say: 'done' }, { tokens: 1_100 }), budget: { tokens: 1_000 } });
    expect(await task.wait()).toMatchObject({ status: 'completed', output: 'done' });
  });

  test('a turn that fails says why', async () => {
    const result = await managed()
      .spawn(does({ say: 'part' }, { fails: 'over quota' }))
      .wait();
    expect(result).toMatchObject({ status: 'failed', output: 'part', partial: true, error: 'codex: over quota' });
  });
});

describe('the forms of commands', () => {
  const turn = { conversation: 'c1', mode: 'plan', remainingUsd: 1.5, maxTurns: Number.POSITIVE_INFINITY };

  test.each([
    [
      'claude',
      ['-p', '--output-format', 'stream-json', '--verbose', '--permission-mode', 'plan', '--resume', 'c1', '--max-budget-usd', '1.5'],
      [
        { type: 'system', session_id: 'c2' },
        {
          type: 'assistant',
          message: {
            content: [
              { type: 'text', text: 'hm' },
              { type: 'tool_use', name: 'Bash' },
            ],
          },
        },
        { type: 'result', result: 'done', total_cost_usd: 0.5, usage: { input_tokens: 3, output_tokens: 4, cache_read_input_tokens: 5 } },
      ],
      { conversation: 'c2', text: 'done', costUsd: 0.5, tokens: 12 },
    ],
    [
      'opencode',
      ['run', '--format', 'json', '--agent', 'plan', '--session', 'c1'],
      [
        { type: 'text', sessionID: 'c2', part: { text: 'done' } },
        { type: 'step_finish', part: { tokens: { total: 5 }, cost: 0.1 } },
        { type: 'step_finish', part: { tokens: { total: 7 }, cost: 0.2 } },
      ],
      { conversation: 'c2', text: 'done', tokens: 12 },
    ],
    [
      'gemini',
      ['--output-format', 'stream-json', '--approval-mode', 'plan', '--resume', 'c1'],
      [
        { type: 'init', session_id: 'c2' },
        { type: 'message', role: 'assistant', content: 'do', delta: true },
        { type: 'message', role: 'assistant', content: 'ne', delta: true },
        { type: 'result', status: 'success', stats: { total_tokens: 12 } },
      ],
      { conversation: 'c2', text: 'done', tokens: 12 },
    ],
  ] as const)('%s', (name, args, events, state) => {
    const form = profiles[name].command;
    const read = { text: '' };
    for (const event of events) form?.read(event, read);
    expect(form?.arguments(turn)).toEqual(args);
    expect(read).toMatchObject(state);
  });
});
