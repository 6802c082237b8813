// `acpAgent` of the built package with a real child process: an agent on the official SDK that does what it is told to.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acpAgent } from '../../../dist/adapters/agents/index.js';
import { SubAgentManager, type SubAgentManagerOptions } from '../../../dist/index.js';
import { memoryStore } from '../../../dist/stores/memory.js';
import { Bench, does } from '../../support/agents/agents.js';
import { type WatchedStore, watchedStore } from '../../support/stores.js';

let bench: Bench;
let managers: SubAgentManager[];
beforeEach(() => {
  bench = new Bench();
  managers = [];
});
afterEach(async () => {
  for (const manager of managers) await manager[Symbol.asyncDispose]();
  bench.remove();
});

function managed(options: Parameters<Bench['host']>[0] = {}, more: SubAgentManagerOptions = {}): SubAgentManager {
  const manager = new SubAgentManager({ ...more, spawnSubAgent: bench.host({ idleProcessMs: 0, ...options }) });
  managers.push(manager);
  return manager;
}

describe('a run of an agent over ACP', () => {
  test('its last message is the output, its usage and plan are reported, and nothing runs afterwards', async () => {
    const manager = managed({ mode: 'read-only' });
    const planned: string[] = [];
    manager.subscribe((event) => {
      if (event.type === 'todos_reported') planned.push(event.todos);
    });
    const todos = [{ content: 'look', priority: 'high', status: 'completed' }];
    const usage = { totalTokens: 130, inputTokens: 20, outputTokens: 10, cachedReadTokens: 100 };
    const task = manager.spawn(
      does(
        { say: 'I look.' },
        { tool: 'cat a.txt' },
        { plan: todos },
        { used: 900, cost: 0.25 },
        { unknown: true },
        { say: 'Done ' },
        { say: 'at last.' },
        { usage },
      ),
    );
    const result = await task.wait();
    expect(result).toMatchObject({ status: 'completed', output: 'Done at last.' });
    const kinds = { inputTokens: 120, cacheReadTokens: 100, outputTokens: 10 };
    expect(result.usage).toMatchObject({ turns: 1, tokens: 130, ...kinds, costUsd: 0.25 });
    expect(task.snapshot()?.contextTokens).toBe(900);
    expect(planned).toEqual([JSON.stringify([{ content: 'look', status: 'completed' }])]);
    expect(bench.logged('mode')).toEqual(['read-only']);
    expect(bench.logged('cwd')).toEqual([bench.folder]);
    expect(bench.running).toEqual([]);
    expect(bench.recorded).toEqual([]);
  });

  test.each([
    ['high', [['effort', 'high']]],
    ['boundless', []],
  ])('D11: effort %s is set where the agent offers it', async (effort, configured) => {
    await managed()
      .spawn({ instructions: does({ say: 'done' }), effort })
      .wait();
    expect(bench.logged('configured')).toEqual(configured);
  });

  test('it gets the servers of MCP that it is to use, and logs in as configured', async () => {
    const mcpServers = [{ name: 'files', command: 'files', args: [], env: [] }];
    await managed({ mcpServers, authenticate: 'key' })
      .spawn(does({ say: 'done' }))
      .wait();
    expect([bench.logged('servers'), bench.logged('authenticated')]).toEqual([[1], ['key']]);
  });

  test('a banner and a second answer are passed over', async () => {
    const task = managed({ env: { FAKE_START: 'banner' } }).spawn(does({ say: 'once' }, { twice: true }, { say: ' more' }));
    expect(await task.wait()).toMatchObject({ status: 'completed', output: 'once' });
  });

  test('a turn may end by a state of the draft of version 2', async () => {
    const task = managed().spawn(does({ say: 'by state' }, { byState: true }));
    expect(await task.wait()).toMatchObject({ status: 'completed', output: 'by state' });
  });

  test('a flood of updates is reported seldom', async () => {
    const manager = managed();
    let reports = 0;
    manager.subscribe((event) => {
      if (event.type.includes('progress') || event.type.includes('report')) reports += 1;
    });
    const result = await manager.spawn(does({ flood: 5_000 }, { say: 'still here' })).wait();
    expect(result).toMatchObject({ status: 'completed', output: 'still here' });
    expect(reports).toBeLessThan(200);
  });

  test('figures of the whole conversation are booked once', async () => {
    const profile = { name: 'fake', install: '', login: '', acp: { commands: [], tokens: 'conversation' as const } };
    const manager = managed({ profile });
    const usage = (totalTokens: number, inputTokens: number) => ({
      usage: { totalTokens, inputTokens, cachedReadTokens: inputTokens / 2, outputTokens: totalTokens - inputTokens },
    });
    const task = manager.spawn(does({ say: 'a' }, { used: 5, cost: 1 }, usage(100, 80)));
    await task.wait();
    manager.send(task, does({ say: 'b' }, { used: 5, cost: 1.5 }, usage(150, 120)));
    const kinds = { inputTokens: 40, cacheReadTokens: 20, outputTokens: 10 };
    expect((await task.wait()).usage).toMatchObject({ tokens: 50, ...kinds, costUsd: 0.5 });
    expect(bench.logged('resumed')).toHaveLength(1);
  });

  test('figures of the whole conversation that are reported on a stop are booked once', async () => {
    const manager = managed();
    const task = manager.spawn(does({ used: 5, cost: 0.5 }, { untilCancelled: true, goesOn: true }, { used: 6, cost: 2 }));
    await new Promise<void>((resolve) => {
      manager.subscribe(() => manager.budget().costUsd.spent === 0.5 && resolve());
    });
    manager.send(task, does({ used: 7, cost: 2 }, { say: 'done' }), { mode: 'interrupt' });
    await manager.wait([task], { until: 'idle' });
    expect(bench.logged('made')).toHaveLength(1);
    expect(manager.budget().costUsd.spent).toBe(2);
  });

  test.each([
    ['a tool call takes its time', { tool: 'make', takesMs: 5_000 }, 'completed'],
    ['it thinks', { thinks: 50 }, 'completed'],
    ['it says nothing at all', { untilCancelled: true }, 'timed_out'],
  ])('T2: where %s (%j), the run is %s', async (_, step, status) => {
    const result = await managed({}, { idleTimeoutMs: 2_000 })
      .spawn(does({ tool: 'looks' }, step, { say: 'done' }))
      .wait();
    expect(result.status).toBe(status);
  });

  test('B15: of a turn whose last call alone is reported, the calls before it count as much, by estimate', async () => {
    const profile = { name: 'fake', install: '', login: '', acp: { commands: [], tokens: 'last_call' as const } };
    const usage = { usage: { totalTokens: 100, inputTokens: 90, outputTokens: 10 } };
    const manager = managed({ profile });
    const ended = async (...steps: object[]) => (await manager.spawn(does(...steps, { say: 'done' }, usage)).wait()).usage;
    expect(await ended()).toMatchObject({ tokens: 100, estimated: false });
    const kinds = { inputTokens: 270, outputTokens: 30 };
    expect(await ended({ tool: 'ls' }, { tool: 'make' })).toMatchObject({ tokens: 300, ...kinds, estimated: true });
  });

  test.each([
    ['caches and thoughts', { totalTokens: 1_245, inputTokens: 100, outputTokens: 30 }, [1_200, 45]],
    ['caches', { totalTokens: 1_230, inputTokens: 100, outputTokens: 30 }, [1_200, 30]],
    ['thoughts', { totalTokens: 1_245, inputTokens: 1_200, outputTokens: 30 }, [1_200, 45]],
    ['nothing', { totalTokens: 1_230, inputTokens: 1_200, outputTokens: 30 }, [1_200, 30]],
  ])('B11 tokens have kinds and prices, if its total counts %s beside the input and the output', async (_, sides, [input, output]) => {
    const manager = managed({}, { prices: { '*': { input: 10, output: 100, cacheRead: 1, cacheWrite: 20 } } });
    const usage = { ...sides, thoughtTokens: 15, cachedReadTokens: 1_000, cachedWriteTokens: 100 };
    const result = await manager.spawn(does({ say: 'x' }, { usage })).wait();
    expect(result.usage).toMatchObject({
      ...{ tokens: sides.totalTokens, inputTokens: input, outputTokens: output },
      ...{ cacheReadTokens: 1_000, cacheWriteTokens: 100, reasoningTokens: 15 },
      costUsd: (100 * 10 + 1_000 * 1 + 100 * 20 + Number(output) * 100) / 1e6,
    });
  });

  test('figures that stand beside the answer are read', async () => {
    const result = await managed()
      .spawn(does({ say: 'done' }, { quota: { input_tokens: 7, output_tokens: 5 } }))
      .wait();
    expect(result.usage).toMatchObject({ tokens: 12, estimated: false });
  });

  test('an agent that says no usage is marked as such', async () => {
    const result = await managed()
      .spawn(does({ say: 'x' }))
      .wait();
    expect(result.usage?.unknown).toContain('tokens');
  });
});

describe('R9: receipts', () => {
  test('say what its tool calls did, in order, and not what it says', async () => {
    const path = `${bench.folder}/src/a.txt`;
    const { receipts } = await managed()
      .spawn(
        does(
          {
            tool: 'Edit',
            kind: 'edit',
            diff: [
              { path, oldText: 'old' },
              { path: 'b.txt', oldText: null },
              // As Gemini CLI says it.
              { path: 'd.txt', oldText: '', _meta: { kind: 'add' } },
            ],
          },
          { tool: 'tests', command: ['/bin/bash', '-lc', 'npm test'], exit: 1 },
          { tool: 'Edit', kind: 'edit', diff: [{ path: 'c.txt', oldText: 'x' }], fails: true },
          { tool: 'tests', command: "bash -lc 'npm test'", terminalExit: 0 },
          { tool: 'cat b.txt', kind: 'read', at: ['b.txt'] },
          { tool: 'remove', kind: 'delete', at: ['b.txt', '/elsewhere/x'] },
          { tool: 'npm start' },
          { say: 'I changed ten files, and all tests pass.' },
        ),
      )
      .wait();
    expect(receipts).toEqual([
      { path: 'src/a.txt', kind: 'update' },
      { path: 'b.txt', kind: 'add' },
      { path: 'd.txt', kind: 'add' },
      { command: 'npm test', exitCode: 1 },
      { command: 'npm test', exitCode: 0 },
      { path: 'b.txt', kind: 'delete' },
      { path: '/elsewhere/x', kind: 'delete' },
      { command: 'npm start', exitCode: null },
    ]);
  });

  test('a command stands before a change that was made while it ran', async () => {
    const result = await managed()
      .spawn({
        instructions: does({ tool: 'tests', command: 'npm test', exit: 0, besideEdits: 'a.ts' }, { say: 'done' }),
        mustHave: [{ command: /npm test/ }],
      })
      .wait();
    expect(result.receipts).toEqual([
      { command: 'npm test', exitCode: 0 },
      { path: 'a.ts', kind: 'update' },
    ]);
    expect(result.error).toContain('it was not run after a.ts was changed');
  });

  test('come with a failure, too', async () => {
    const result = await managed()
      .spawn(does({ tool: 'make', exit: 2 }, { dies: true }))
      .wait();
    expect(result).toMatchObject({ status: 'failed', receipts: [{ command: 'make', exitCode: 2 }] });
  });

  test('R10: the next attempt reads what its receipts lack', async () => {
    const mustHave = [{ command: /npm test/, exitCode: 0 }];
    const retry = { max: 1, backoffMs: 1 };
    const task = managed({}, { retry }).spawn({ instructions: does({ say: 'All tests pass.' }), mustHave });
    expect(await task.wait()).toMatchObject({ status: 'failed', stopReason: 'invalid_result' });
    expect(bench.logged('prompt')[1]).toMatch(/Your last answer was refused: .*npm test/);
  });
});

test('a turn that its agent cut at a limit of requests is no success', async () => {
  const task = managed().spawn(does({ say: 'half' }, { stopReason: 'max_turn_requests' }));
  expect(await task.wait()).toMatchObject({
    status: 'failed',
    partial: true,
    error: expect.stringContaining('broke off (max_turn_requests)'),
  });
});

describe('permissions', () => {
  const ask = does({ ask: 'npm test', endsIfRefused: true }, { say: 'tested' });

  test('a rule allows what it matches as a whole, and nothing more', async () => {
    const permission = [{ kind: 'execute', title: /npm test/, answer: 'allow' }, { answer: 'reject' }] as const;
    const manager = managed({ permission });
    expect(await manager.spawn(ask).wait()).toMatchObject({ status: 'completed', output: 'tested' });
    const more = await manager.spawn(does({ ask: 'npm test; rm -rf .', endsIfRefused: true }, { say: 'tested' })).wait();
    expect(more.status).toBe('failed');
    expect(more.error).toContain('npm test; rm -rf . (execute) was refused: a rule rejects it; allow it by `permission: [{ kind:');
    expect(bench.logged('outcome')).toEqual(['yes', 'no']);
  });

  test('a rule reads the whole of a long title, and what keeps from allowing holds for each line', async () => {
    const allowed = `npm test${' a'.repeat(246)}`;
    const permission = [
      { title: /rm .*/, answer: 'reject' },
      { title: /npm test( \w+)*/m, answer: 'allow' },
      { title: /safe.*/, answer: 'allow' },
      { answer: 'reject' },
    ] as const;
    const asks = [allowed, `${allowed}; rm -rf .`, 'npm test\nrm x', 'safe\nrm x'].map((ask) => ({ ask }));
    await managed({ permission })
      .spawn(does(...asks, { say: 'x' }))
      .wait();
    await managed({ permission: [permission[0], { answer: 'allow' }] })
      .spawn(does({ ask: 'rm x\nrm y' }, { say: 'x' }))
      .wait();
    expect(bench.logged('outcome')).toEqual(['yes', 'no', 'no', 'no', 'no']);
  });

  test('a function that throws refuses, and the error says so', async () => {
    const permission = () => {
      throw new Error('no rule');
    };
    const { error } = await managed({ permission }).spawn(ask).wait();
    expect(error).toContain('npm test (execute) was refused: `permission` threw Error: no rule');
  });

  test('a question says how much of it is left out, and an answer that rejects is none that allows', async () => {
    const manager = managed();
    manager.createTools();
    const instructions = does({ ask: `rm ${'x'.repeat(600)}`, endsIfRefused: true }, { say: 'x' });
    const other = manager.spawn({ instructions, background: true });
    await manager.wait([other]);
    manager.send(other, "Yes, I saw it, but don't.");
    expect((await other.wait()).status).toBe('failed');
    const task = manager.spawn({ instructions, background: true });
    const { needsInput } = await manager.wait([task]);
    expect(needsInput[0]?.question).toMatch(/x… \(103 more characters\) \(execute\)\? Its input: .*x… \(\d+ more characters\)\. Answer/);
    manager.send(task, 'OK, reject it.');
    expect((await task.wait()).status).toBe('failed');
    expect(bench.logged('outcome')).toEqual(['no', 'no']);
  });

  test.each([
    ['no', ['Okay, rejecting it.', 'Ok, refuse it', 'ok, dont', 'Yes, stop it', 'OK. Nope.', 'allow? No way', 'okay: I can’t tell']],
    ['yes', ['Allow.', 'yes', 'OK!', '"allow"', 'Yes, allow it.', 'Y']],
  ])('the whole answer has to allow: %s', async (outcome, answers) => {
    const manager = managed();
    manager.createTools();
    const task = manager.spawn({ instructions: does(...answers.map((_, at) => ({ ask: `npm test ${at}` }))), background: true });
    for (const answer of answers) {
      await manager.wait([task]);
      manager.send(task, answer);
    }
    await task.wait();
    expect(bench.logged('outcome')).toEqual(answers.map(() => outcome));
  });

  test('a tool that was refused is over: the agent is steered, and its silence counts', async () => {
    const manager = managed({ permission: 'reject', env: { FAKE_STEERS: '1' } }, { idleTimeoutMs: 1_500 });
    const task = manager.spawn(does({ ask: 'rm x' }, { untilCancelled: true }));
    await bench.until('outcome');
    manager.send(task, 'look at b.txt', { mode: 'steer' });
    await bench.until('steered');
    await task.wait();
    const silent = manager.spawn(does({ ask: 'rm x' }, { untilCancelled: true }));
    expect(await silent.wait()).toMatchObject({ status: 'timed_out', stopReason: 'idle_timeout' });
  });

  test('its parent is asked, and its answer counts', async () => {
    const manager = managed();
    manager.createTools();
    const task = manager.spawn({ instructions: ask, background: true });
    const { needsInput } = await manager.wait([task]);
    expect(needsInput[0]?.question).toContain('May I use npm test (execute)? Its input: {"command":"npm test"}.');
    manager.send(task, 'Allow.');
    expect(await task.wait()).toMatchObject({ status: 'completed', output: 'tested' });
  });

  test('what nothing can allow is refused, in words that say how to allow it', async () => {
    const manager = managed({}, { askTimeoutMs: 50 });
    const ended = new Promise<void>((resolve) => {
      manager.subscribe((event) => {
        if (event.type === 'run_ended') resolve();
      });
    });
    const task = manager.spawn(ask);
    await ended;
    const result = await task.wait();
    expect(result.status).toBe('failed');
    expect(result.error).toContain("its parent did not answer (timeout); allow it by `permission: [{ kind: 'execute', answer: 'allow' }]`");
  });

  test('what was refused is refused again without a question', async () => {
    const seen: unknown[] = [];
    const permission = ({ toolCall }: { toolCall?: { title?: string | null } }) => {
      seen.push(toolCall?.title);
      return 'reject' as const;
    };
    const result = await managed({ permission })
      .spawn(does({ ask: 'rm', times: 200 }, { say: 'gave up' }))
      .wait();
    expect(result.output).toBe('gave up');
    expect(seen).toEqual(['rm']);
  });

  test('one that asks for ever more is refused without a question', async () => {
    const asks = Array.from({ length: 60 }, (_, at) => ({ ask: `rm ${at}` }));
    const manager = managed({}, { askTimeoutMs: 1 });
    const task = manager.spawn({ instructions: does(...asks, { ask: 'rm all', endsIfRefused: true }), background: true });
    const ended = new Promise<void>((resolve) => {
      manager.subscribe(({ type }) => type === 'run_ended' && resolve());
    });
    await ended;
    const result = await task.wait();
    expect(result.error).toContain('rm all (execute) was refused: it asked for permission more than 50 times; allow it by');
    expect(bench.logged('outcome')).toEqual(Array(61).fill('no'));
  });

  test('an open request is answered where the run is cancelled', async () => {
    const manager = managed();
    const task = manager.spawn({ instructions: ask, background: true });
    await manager.wait([task]);
    await manager.cancel(task);
    expect(await task.wait()).toMatchObject({ status: 'cancelled' });
    expect(bench.running).toEqual([]);
  });
});

describe('cancelling', () => {
  test('the agent ends its turn itself, and what it said is the partial output', async () => {
    const manager = managed();
    const task = manager.spawn(does({ say: 'so far' }, { untilCancelled: true }));
    await bench.until('prompt');
    await manager.cancel(task);
    expect(await task.wait()).toMatchObject({ status: 'cancelled' });
    expect(bench.logged('cancel')).toEqual([true]);
    expect(bench.running).toEqual([]);
  });

  test.each([
    ['says nothing of what it used', { untilCancelled: true }, { tokens: 400, estimated: true }],
    ['dies of it', { untilCancelled: 'never' }, { tokens: 400, estimated: true }],
    ['says what it used', { untilCancelled: true, usageOnCancel: { totalTokens: 7 } }, { tokens: 7, estimated: false }],
  ])('B15 what was used is known, or estimated by the sizes of the contexts, if the agent %s', async (_, last, usage) => {
    const manager = managed({ cancelMs: 200 });
    const task = manager.spawn(does({ say: 'so far' }, { used: 90 }, { used: 100 }, { tool: 'ls' }, { used: 300 }, { used: 300 }, last));
    await new Promise<void>((resolve) => {
      manager.subscribe(() => task.snapshot()?.contextTokens === 300 && resolve());
    });
    await manager.cancel(task);
    const result = await task.wait();
    expect(result).toMatchObject({ status: 'cancelled', output: 'so far', usage });
    expect(task.resultText()).toContain(`${usage.estimated ? 'about ' : ''}${usage.tokens} tokens`);
  });

  test('a grandchild that takes its time to end, even by SIGKILL, is waited for', async () => {
    const manager = managed({ cancelMs: 200 });
    const task = manager.spawn(does({ grandchild: 'apart', megabytes: 1_500 }, { untilCancelled: 'never' }));
    await bench.until('grandchild');
    await manager.cancel(task);
    await task.wait();
    expect(bench.running).toEqual([]);
  });

  test('one that does not answer is ended with its grandchildren', async () => {
    const manager = managed({ cancelMs: 200 });
    const task = manager.spawn(does({ grandchild: true }, { grandchild: 'apart' }, { untilCancelled: 'never' }));
    await bench.until('grandchild', 2);
    await manager.cancel(task);
    await task.wait();
    expect(bench.logged('grandchild')).toHaveLength(2);
    expect(bench.running).toEqual([]);
    expect(bench.recorded).toEqual([]);
  });

  test('one that dies in mid-word fails with what it said', async () => {
    const result = await managed()
      .spawn(does({ grandchild: true }, { say: 'half' }, { dies: true }))
      .wait();
    expect(result).toMatchObject({ status: 'failed', partial: true, output: 'half' });
    expect(result.error).toContain("the agent's process ended (code 7)");
    expect(bench.running).toEqual([]);
  });
});

describe('a message', () => {
  const steps = does({ waits: true }, { tool: 'cat a.txt' }, { untilCancelled: true });

  test('that steers ends the turn of an agent that can not take it, and is the next prompt', async () => {
    const manager = managed();
    const task = manager.spawn(steps);
    await bench.until('prompt');
    manager.send(task, does({ say: 'steered' }), { mode: 'steer' });
    bench.go();
    expect(await task.wait()).toMatchObject({ status: 'completed', output: 'steered' });
    expect(bench.logged('cancel')).toEqual([true]);
    expect(bench.logged('made')).toHaveLength(1);
  });

  test('that steers does not keep its turn from being cancelled', async () => {
    const manager = managed();
    const task = manager.spawn(steps);
    await bench.until('prompt');
    manager.send(task, does({ untilCancelled: true }), { mode: 'steer' });
    bench.go();
    await bench.until('prompt', 2);
    await manager.cancel(task);
    expect(await task.wait()).toMatchObject({ status: 'cancelled' });
    expect(bench.logged('cancel')).toHaveLength(2);
  });

  test('that steers is taken in the middle of the turn by an agent that can', async () => {
    const manager = managed({ env: { FAKE_STEERS: '1' } });
    const task = manager.spawn(steps);
    await bench.until('prompt');
    manager.send(task, 'look at b.txt', { mode: 'steer' });
    bench.go();
    await task.wait();
    expect(bench.logged('steered')).toEqual(['look at b.txt']);
    expect(bench.logged('prompt')).toHaveLength(1);
  });

  test('that steers is taken at once, without a tool call, by an agent that can', async () => {
    const manager = managed({ env: { FAKE_STEERS: '1' } });
    const task = manager.spawn(does({ untilCancelled: true }));
    await bench.until('prompt');
    manager.send(task, 'look at b.txt', { mode: 'steer' });
    await task.wait();
    expect(bench.logged('steered')).toEqual(['look at b.txt']);
    expect(bench.logged('prompt')).toHaveLength(1);
  });

  test('that steers an agent which can not take it, and calls no tool, is the next prompt of the same run', async () => {
    const manager = managed();
    const task = manager.spawn(does({ waits: true }, { say: 'first' }));
    await bench.until('prompt');
    manager.send(task, does({ say: 'second' }), { mode: 'steer' });
    bench.go();
    expect(await task.wait()).toMatchObject({ status: 'completed', output: 'second', run: 1, usage: { turns: 2 } });
  });

  test('that steers does not begin a turn that the run has not', async () => {
    const manager = managed({}, { maxTurns: 1 });
    const task = manager.spawn(does({ waits: true }, { say: 'first' }));
    await bench.until('prompt');
    manager.send(task, does({ say: 'second' }), { mode: 'steer' });
    bench.go();
    expect(await task.wait()).toMatchObject({ status: 'completed', output: 'first', run: 1 });
    expect(await task.wait()).toMatchObject({ status: 'completed', output: 'second', run: 2 });
  });

  test('that steers ends no last turn', async () => {
    const manager = managed({}, { maxTurns: 1 });
    const task = manager.spawn(does({ waits: true }, { tool: 'cat a.txt' }, { say: 'first' }));
    await bench.until('prompt');
    manager.send(task, does({ say: 'second' }), { mode: 'steer' });
    bench.go();
    expect(await task.wait()).toMatchObject({ status: 'completed', output: 'first', run: 1 });
    expect(bench.logged('cancel')).toEqual([]);
  });

  test('that steers is taken at once in a further turn, too', async () => {
    let isForced = false;
    const beforeEnd = () => {
      if (isForced) return undefined;
      isForced = true;
      return { action: 'force_turn', text: does({ untilCancelled: true }) } as const;
    };
    const manager = managed({ env: { FAKE_STEERS: '1' } }, { policies: { subAgents: [{ name: 'once', beforeEnd }] } });
    const task = manager.spawn(does({ say: 'first' }));
    await bench.until('prompt', 2);
    manager.send(task, 'look at b.txt', { mode: 'steer' });
    await bench.until('steered');
    await manager.cancel(task);
  });

  test('goes on in the same conversation, in a new process if the old one was closed', async () => {
    const manager = managed();
    const task = manager.spawn(does({ say: 'first' }));
    await task.wait();
    manager.send(task, 'and now?');
    expect(await task.wait()).toMatchObject({ output: 'heard: and now?' });
    expect(bench.logged('made')).toHaveLength(1);
    expect(bench.logged('resumed')).toEqual(bench.logged('made'));
    expect(new Set(bench.logged('pid')).size).toBe(2);
  });

  test('goes to the same process while that is idle', async () => {
    const manager = managed({ idleProcessMs: 60_000 });
    const task = manager.spawn(does({ say: 'first' }));
    await task.wait();
    expect(bench.running).not.toEqual([]);
    manager.send(task, 'and now?');
    expect(await task.wait()).toMatchObject({ output: 'heard: and now?' });
    expect(new Set(bench.logged('pid')).size).toBe(1);
  });

  test('goes on with what an agent loads, without what it said before', async () => {
    const manager = managed({ env: { FAKE_CAN: 'load' } });
    const task = manager.spawn(does({ say: 'first' }));
    await task.wait();
    manager.send(task, does({ say: 'second' }));
    expect(await task.wait()).toMatchObject({ output: 'second' });
    expect(bench.logged('loaded')).toHaveLength(1);
  });

  test.each([
    ['can go on with none', { FAKE_CAN: 'nothing' }],
    ['does not know the old one any more', { FAKE_FORGETS: '1' }],
    ['can not load the old one', { FAKE_CAN: 'load', FAKE_FORGETS: '1' }],
    ['dies of the old one', { FAKE_START: 'dies_resuming' }],
  ])('tells a new conversation what was done, if an agent %s', async (_, env) => {
    const manager = managed({ env });
    const task = manager.spawn(does({ tool: 'touch a.txt' }, { say: 'made it' }));
    await task.wait();
    manager.send(task, 'go on');
    await task.wait();
    expect(bench.logged('made')).toHaveLength(2);
    expect(bench.logged('prompt')[1]).toMatch(
      /You began this work in an earlier conversation[\s\S]*- touch a\.txt[\s\S]*made it[\s\S]*go on/,
    );
  });
});

test('a run whose manager is gone goes on in its conversation', async () => {
  const store = memoryStore();
  const spawnSubAgent = bench.host({ idleProcessMs: 0 });
  const first = await SubAgentManager.open({ store, spawnSubAgent });
  const task = first.spawn({ instructions: does({ say: 'part' }, { untilCancelled: true }), background: true });
  await bench.until('prompt');
  await first[Symbol.asyncDispose]();
  const second = await SubAgentManager.open({ store, spawnSubAgent: bench.host({ idleProcessMs: 0 }), onHostLost: 'resume' });
  managers.push(second);
  await bench.until('resumed');
  expect(bench.logged('resumed')).toEqual(bench.logged('made'));
  await second.cancel(task.taskId);
});

test('J6 after a restart, the next message of an idle sub-agent continues its conversation', async () => {
  const store = memoryStore();
  const first = await SubAgentManager.open({ store, spawnSubAgent: bench.host({ idleProcessMs: 0 }) });
  const task = first.spawn({ instructions: does({ say: 'part' }), background: true });
  await first.wait([task]);
  await first[Symbol.asyncDispose]();
  const second = await SubAgentManager.open({ store, spawnSubAgent: bench.host({ idleProcessMs: 0 }) });
  managers.push(second);
  second.send(task.taskId, does({ say: 'more' }));
  expect((await second.wait([task.taskId])).completed).toMatchObject([{ output: 'more' }]);
  expect(bench.logged('resumed')).toEqual(bench.logged('made'));
});

describe('J3 a run whose process is killed', () => {
  /** A manager on what such a process leaves, which the old one, disposed of, no longer changes. */
  async function next(
    first: SubAgentManager,
    store: WatchedStore,
    options: object,
    agent: object = {},
  ): Promise<[SubAgentManager, WatchedStore]> {
    await first.flush();
    const left = watchedStore(store.records);
    first.dispose();
    return [await begun(left, options, agent), left];
  }
  async function begun(store: WatchedStore, options: object = {}, agent: object = {}): Promise<SubAgentManager> {
    const spawnSubAgent = bench.host({ idleProcessMs: 0, ...agent });
    const manager = await SubAgentManager.open({ onHostLost: 'resume', ...options, store, spawnSubAgent });
    managers.push(manager);
    return manager;
  }

  test('while its agent starts is not given up, however often that is', async () => {
    const silent = { env: { FAKE_START: 'silent' } };
    let store = watchedStore();
    let manager = await begun(store, { maxLost: 1 }, silent);
    const { taskId } = manager.spawn({ instructions: does({ say: 'done' }), background: true });
    for (let starts = 1; starts <= 3; starts += 1) {
      await bench.until('started', starts);
      [manager, store] = await next(manager, store, { maxLost: 1 }, starts < 3 ? silent : {});
    }
    expect((await manager.wait([taskId])).completed).toMatchObject([{ status: 'completed', output: 'done', run: 4 }]);
  });

  test('in mid-turn books once what its agent says of the whole conversation', async () => {
    const store = watchedStore();
    const first = await begun(store);
    const { taskId } = first.spawn({ instructions: does({ spends: 1 }, { waits: true }, { say: 'done' }), background: true });
    await new Promise<void>((resolve) => {
      first.subscribe(({ type }) => {
        if (type === 'run_reported' && first.budget().costUsd.spent > 0) resolve();
      });
    });
    const [second] = await next(first, store, {});
    bench.go();
    await second.wait([taskId]);
    expect(bench.logged('resumed')).toEqual(bench.logged('made'));
    expect(second.budget(taskId).costUsd.spent).toBe(0.002);
  });

  test('at any moment leaves as much booked as it says is booked of its conversation', async () => {
    const store = watchedStore();
    const first = await begun(store);
    const usage = { totalTokens: 5, inputTokens: 3, outputTokens: 2 };
    const task = first.spawn(does({ spends: 1 }, { tool: 'looks' }, { spends: 2 }, { say: 'done' }, { usage }));
    await task.wait();
    await first.flush();
    const seen: unknown[] = [];
    for (const image of store.images) {
      const manager = await SubAgentManager.open({
        store: watchedStore(image),
        onHostLost: 'resume',
        spawnSubAgent: async (_, run) => {
          const { booked } = (run.saved ?? {}) as { booked?: { costUsd: number } };
          seen.push([booked?.costUsd ?? 0, manager.budget(run.taskId).costUsd.spent]);
          return { output: '' };
        },
      });
      await new Promise((resolve) => setTimeout(resolve, 5));
      manager.dispose();
    }
    expect(seen.length).toBeGreaterThan(6);
    for (const pair of seen)
      expect([
        [0, 0],
        [0.001, 0.001],
        [0.003, 0.003],
      ]).toContainEqual(pair);
  });

  test('in mid-turn gives a new conversation what was done, if the old one can not go on', async () => {
    const store = watchedStore();
    const first = await begun(store, {}, { env: { FAKE_CAN: 'none' } });
    // First the conversation, then what was done in it.
    const saved = new Promise<void>((resolve) => {
      let times = 0;
      first.subscribe(({ type }) => {
        if (type === 'data_saved' && ++times === 2) resolve();
      });
    });
    const { taskId } = first.spawn({ instructions: does({ tool: 'touch a.txt' }, { waits: true }), background: true });
    await saved;
    const [second] = await next(first, store, {}, { env: { FAKE_CAN: 'none' } });
    bench.go();
    await second.wait([taskId]);
    expect(bench.logged('prompt')[1]).toMatch(/You began this work in an earlier conversation[\s\S]*- touch a\.txt/);
  });
});

describe('a budget', () => {
  test('that is spent in mid-turn ends the turn', async () => {
    const manager = managed();
    const task = manager.spawn({
      instructions: does({ say: 'part' }, { used: 5, cost: 2 }, { untilCancelled: true }),
      budget: { costUsd: 1 },
    } as never);
    expect(await task.wait()).toMatchObject({ status: 'failed', stopReason: 'budget_exhausted', partial: true, output: 'part' });
    expect(bench.logged('cancel')).toEqual([true]);
  });

  test('that the sizes of its contexts have spent ends the turn', async () => {
    const steps = does({ say: 'part' }, { used: 2_900 }, { used: 3_000 }, { tool: 'ls' }, { used: 3_100 }, { untilCancelled: true });
    const result = await managed()
      .spawn({ instructions: steps, budget: { tokens: 6_000 } })
      .wait();
    expect(result).toMatchObject({ status: 'failed', stopReason: 'budget_exhausted', partial: true, output: 'part' });
    expect(result.usage).toMatchObject({ tokens: 6_100, estimated: true });
    expect(bench.logged('cancel')).toEqual([true]);
  });

  test('B11: that leaves out cache reads is not spent by sizes of contexts', async () => {
    const steps = does({ used: 5_000 }, { tool: 'ls' }, { used: 5_100 }, { say: 'done' });
    const result = await managed({}, { countCacheReads: 0 })
      .spawn({ instructions: steps, budget: { tokens: 6_000 } })
      .wait();
    expect(result).toMatchObject({ status: 'completed', output: 'done' });
  });

  test('B14: that is nearly spent in the last turn ends no agent', async () => {
    const task = managed({}, { maxTurns: 1 }).spawn({
      instructions: does({ used: 5, cost: 0.95 }, { tool: 'ls' }, { say: 'done' }),
      budget: { costUsd: 1 },
    });
    expect(await task.wait()).toMatchObject({ status: 'completed', output: 'done' });
    expect(bench.logged('cancel')).toEqual([]);
  });

  test('B6: that its last call has spent does not fail an agent that has finished', async () => {
    const steps = does({ say: 'done' }, { used: 7_000 }, { usage: { totalTokens: 7_000, inputTokens: 6_000, outputTokens: 1_000 } });
    const result = await managed()
      .spawn({ instructions: steps, budget: { tokens: 6_000 } })
      .wait();
    expect(result).toMatchObject({ status: 'completed', output: 'done' });
  });

  test('B14: of a whole prompt stays reserved while the agent works', async () => {
    const manager = managed({}, { budget: { costUsd: 3 } });
    const works = does({ used: 5, cost: 0.5 }, { tool: 'ls' }, { untilCancelled: true });
    const task = manager.spawn({ instructions: works, budget: { costUsd: 2 } });
    await new Promise<void>((resolve) => {
      manager.subscribe(({ type }) => {
        if (type === 'run_reported' && (task.snapshot()?.usage.costUsd ?? 0) > 0) resolve();
      });
    });
    expect(manager.budget().costUsd).toMatchObject({ spent: 0.5, reserved: 1.5, available: 1 });
    await manager.cancel(task);
  });

  test.each([
    ['it reads that in its turn', { FAKE_STEERS: '1' }],
    ['it reads that with its next prompt', undefined],
  ])('B14: that is nearly spent asks the agent to finish, and %s', async (_, env) => {
    const manager = managed({ lastTurn: 'Finish now.', ...(env && { env }) });
    const task = manager.spawn({
      instructions: does({ say: 'done' }, { used: 5, cost: 0.95 }, { untilCancelled: true }),
      budget: { costUsd: 1 },
    });
    await bench.until(env ? 'steered' : 'cancel');
    await task.wait();
    const read = env ? bench.logged('steered') : bench.logged('prompt').slice(1);
    expect(read).toEqual(['Finish now.']);
  });
});

describe('what can go wrong at the start says the way out', () => {
  test.each([
    ['dies', 'cannot read its configuration'],
    ['version', 'speaks version 7 of the Agent Client Protocol, and this package version 1; install a version'],
    ['auth', "isn't logged in: log in to it by hand"],
    ['silent', 'was not ready after 400 ms (it said nothing); is `'],
  ])('%s', async (start, words) => {
    const result = await managed({ env: { FAKE_START: start }, ...(start === 'silent' && { startMs: 400 }) })
      .spawn(does({ say: 'x' }))
      .wait();
    expect(result.status).toBe('failed');
    expect(result.error).toContain(words);
    expect(result.error).not.toContain('\n');
    expect(bench.running).toEqual([]);
  });

  test('a flood without a line ends the agent', async () => {
    const result = await managed({ env: { FAKE_START: 'flood' } })
      .spawn(does({ say: 'x' }))
      .wait();
    expect(result.error).toContain('is longer than 32 MB');
    expect(bench.running).toEqual([]);
  });

  test('a mode that it does not have', async () => {
    const result = await managed({ mode: 'yolo' })
      .spawn(does({ say: 'x' }))
      .wait();
    expect(result.error).toContain('has no mode yolo; it has default, read-only: give one as `mode`');
  });

  test('an agent that is not installed', async () => {
    const manager = managed({ profile: 'opencode', command: ['no-such-agent', 'acp'] });
    const { error } = await manager.spawn('x').wait();
    expect(error).toBe("opencode isn't installed: no-such-agent is not in PATH. Install it: npm install -g opencode-ai, or give `command`");
  });

  test.each([
    [{ profile: 'nocode' }, 'acpAgent has no profile "nocode"; it has codex, claude, opencode, gemini'],
    [{}, 'acpAgent takes a `profile` (codex, claude, opencode, gemini), or the `command` that starts an agent'],
    [{ profile: 'codex', cwd: '/no/such/folder' }, 'acpAgent: `cwd` must be the path of a folder; "/no/such/folder" is none'],
    [{ profile: 'codex', cancelMs: -1 }, 'acpAgent: `cancelMs` must be milliseconds from 0'],
    [
      { profile: 'codex', permission: 'alow' },
      "acpAgent: `permission` must be 'allow', 'reject', 'ask', a function, or a list of { kind?, title?,",
    ],
    [{ profile: 'codex', permission: { answer: 'allow' } }, "acpAgent: `permission` must be 'allow',"],
    [
      { profile: 'codex', permission: [{ kind: 'exec', answer: 'allow' }] },
      'acpAgent: `permission[0]` must be { kind?, title?, answer }: kinds are read,',
    ],
    [{ profile: 'codex', permission: [{ answer: 'ask' }, { title: 'npm test', answer: 'allow' }] }, 'acpAgent: `permission[1]` must be'],
    [{ profile: 'codex', permissions: 'ask' }, 'acpAgent has no option `permissions`; it has profile, command'],
  ])('%j', (options, words) => {
    expect(() => acpAgent(options as never)).toThrow(words);
  });
});
