// The set of tools for a model: what each does, under every preset; what wrong arguments lead to.

import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type AgentReport,
  type HostResult,
  OPERATIONS,
  type Run,
  type SubAgentManager,
  type SubAgentManagerOptions,
  type SubAgentTool,
  TOOL_PRESETS,
} from '../../../dist/index.js';
import { ALWAYS_BLOCKED, OPERATOR_TOOLS, SPAWN_TOOLS } from '../../../ts/adapters/generated/tool-names.js';
import { deferred, done, type Host, managerWith, manualHost, refusal } from '../../support/hosts.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

function made(host: Host, options: SubAgentManagerOptions = {}) {
  const all = managerWith(host, options);
  opened.push(all.manager);
  const tools = all.manager.createTools();
  const call = async (name: string, args: unknown = {}): Promise<string> => {
    const tool = tools[name];
    if (tool === undefined) throw new Error(`there is no ${name}`);
    return tool.execute(args);
  };
  return { ...all, tools, call };
}

const idIn = (text: string): string => /sub_[0-9a-f]{32}/.exec(text)?.[0] ?? '';
const FENCE = 'written by a sub-agent';

describe('the set', () => {
  test('by name and as a list, each a tool as frameworks take it', () => {
    const { tools } = made(() => done());
    expect([...tools].map(({ name }) => name)).toEqual(Object.keys(tools));
    for (const [name, tool] of Object.entries(tools)) {
      expect(tool.name).toBe(name);
      expect(tool.description.length).toBeGreaterThan(50);
      expect(tool.inputSchema).toBe(tool.parameters);
      expect(tool.parameters).toMatchObject({ type: 'object' });
      expect(tool.parameters).not.toHaveProperty('additionalProperties');
      expect(Object.keys(tool.parameters)).not.toContain('~standard');
      expect(structuredClone({ ...tool.parameters })).toEqual(JSON.parse(JSON.stringify(tool.parameters)));
      expect(tool.parameters['~standard']).toMatchObject({ version: 1, vendor: 'subagents' });
      for (const schema of Object.values(tool.parameters.properties)) expect((schema as { description: string }).description).toMatch(/\w/);
    }
  });

  test('the descriptions state the limits in force', () => {
    const { tools } = made(() => done(), { maxConcurrent: 7, maxTurns: 4, timeoutMs: 120_000, onLimit: 'reject' });
    const { description } = tools.spawn_agent as { description: string };
    for (const part of ['7 sub-agents', 'refused', '4 turns', '2 minutes', 'wait_agents']) expect(description).toContain(part);
    expect(made(() => done(), { maxTurns: Number.POSITIVE_INFINITY }).tools.spawn_agent?.description).not.toContain('turns');
  });

  test.each([
    [400, '400 milliseconds'],
    [1_400, '1 second'],
    [90_000, '2 minutes'],
  ])('a time of %d ms is told as %s', (timeoutMs, reported) => {
    for (const preset of TOOL_PRESETS) {
      const [spawn] = made(() => done(), { timeoutMs }).manager.createTools({ preset, include: ['spawn'] });
      expect(spawn?.description).toContain(`20 turns and ${reported} unless`);
    }
  });

  test('the presets have the names that models know', () => {
    const { manager } = made(() => done());
    const names = Object.fromEntries(TOOL_PRESETS.map((preset) => [preset, [...manager.createTools({ preset })].map(({ name }) => name)]));
    expect(names.claude).toEqual(expect.arrayContaining(['Agent', 'SendMessage', 'TaskStop', 'TaskOutput']));
    expect(names.codex).toEqual(expect.arrayContaining(['spawn_agent', 'send_message', 'wait_agent']));
    expect(names.opencode).toContain('task');
    expect(Object.keys(manager.createTools({ preset: 'claude' }).Agent?.parameters.properties ?? {})).toEqual(
      expect.arrayContaining(['description', 'prompt', 'run_in_background']),
    );
  });

  test("names and a choice of one's own", async () => {
    const { manager } = made(() => done('here'));
    const tools = manager.createTools({ names: { spawn: 'delegate', read: 'result' }, include: ['spawn', 'read'] });
    expect(Object.keys(tools)).toEqual(['delegate', 'result']);
    expect(await tools.delegate?.execute({ instructions: 'x' })).toContain('here');
  });

  test('what the program did wrong throws', () => {
    const { manager } = made(() => done());
    const wrong: unknown[] = [
      { preset: 'none' },
      { names: { spawn: 'a name with spaces' } },
      { names: { fly: 'x' } },
      { include: ['fly'] },
      { includes: [] },
      { onDetails: 1 },
      7,
    ];
    for (const options of wrong) expect(refusal(() => manager.createTools(options as never)).code).toBe('invalid_argument');
    expect(refusal(() => manager.createTools({ names: { spawn: 'same', read: 'same' } })).message).toContain('same');
  });
});

describe('a model with the tools', () => {
  test('starts in the background, waits, reads the result again', async () => {
    const { call } = made((params) => done(`DONE ${params.instructions}`));
    const started = await call('spawn_agent', { instructions: 'a', background: true, label: 'part a' });
    expect(started).toContain('[part a] started');
    expect(started).toContain('wait_agents');
    const id = idIn(started);
    const ended = await call('wait_agents', { agent_ids: [id] });
    expect(ended).toContain('DONE a');
    expect(ended).toContain(FENCE);
    expect(await call('read_agent_result', { agent_id: id })).toContain('DONE a');
  });

  test('W3 a wait that runs out says so, and stops nothing', async () => {
    const { host, runs } = manualHost();
    const { call } = made(host);
    const id = idIn(await call('spawn_agent', { instructions: 'slow', background: true }));
    const text = await call('wait_agents', { agent_ids: [id], timeout_ms: 1 });
    expect(text).toContain('they continue');
    expect(text).toContain('running');
    runs[0]?.end.resolve(done('at last'));
    expect(await call('wait_agents')).toMatch(/at last|None of your sub-agents is running/);
    expect(await call('wait_agents', { agent_ids: [id] })).toContain('at last');
  });

  test('without targets it waits for all of its own that run, and says when there are none', async () => {
    const { host, runs } = manualHost();
    const { call } = made(host);
    expect(await call('wait_agents')).toContain('None of your sub-agents is running');
    await call('spawn_agent', { instructions: 'a', background: true });
    await call('spawn_agent', { instructions: 'b', background: true });
    const waiting = call('wait_agents', { timeout_ms: 10_000 });
    for (const { end, params } of runs) end.resolve(done(`DONE ${params.instructions}`));
    const text = await waiting;
    expect(text).toContain('DONE a');
    expect(text).toContain('DONE b');
  });

  test('W2 without targets it also returns the ends that the model has not got, once; foreground ones it has', async () => {
    const { manager, call } = made((params) => done(`DONE ${params.instructions}`));
    expect(await call('spawn_agent', { instructions: 'a' })).toContain('DONE a');
    await call('spawn_agent', { instructions: 'b', background: true });
    expect(manager.stats()).toMatchObject({ running: 0, completed: 2 });
    const text = await call('wait_agents');
    expect(text).toContain('DONE b');
    expect(text).not.toContain('DONE a');
    expect(manager.inbox.peek(), 'and no notice of it comes').toEqual([]);
    const { items } = manager.list();
    expect(await call('wait_agents'), 'W5 what has ended is listed, and no text says that the model has it').toBe(
      [
        'None of your sub-agents is running. These have ended:',
        ...items.map(({ taskId, label }) => `- ${taskId} [${label}] completed (run 1, turn 1)`),
        'read_agent_result shows what one left.',
      ].join('\n'),
    );
    for (let i = 0; i < 20; i += 1) await call('spawn_agent', { instructions: `more ${i}` });
    const many = await call('wait_agents');
    expect(many).toContain('The last 20 of 22 that have ended:');
    expect(many.split('\n')).toHaveLength(22);
    expect(many).toContain('[more 19]');
  });

  test('W6 the helper of an ended child: its end names the helper, and wait_agents returns what the helper left', async () => {
    const helped = deferred<HostResult>();
    const { manager, call } = made(
      async (_, run) => {
        if (run.depth === 2) return helped.promise;
        await run.createTools().spawn_agent?.execute({ instructions: 'look into it', background: true });
        return done('I HAVE A HELPER');
      },
      { maxDepth: 2 },
    );
    const end = await call('spawn_agent', { instructions: 'the job' });
    const helper = manager.list({ filter: { label: 'look into it' } }).items[0]?.taskId as string;
    expect(end.split('\n')[0]).toContain(`Still at work in the background below it: ${helper} [look into it].`);
    expect(end.split('\n').at(-1)).toBe('wait_agents gets the results of those that run below it.');
    const waiting = call('wait_agents');
    helped.resolve(done('WHAT THE HELPER FOUND'));
    expect(await waiting).toContain('WHAT THE HELPER FOUND');
    expect(await call('wait_agents')).toContain('None of your sub-agents is running.');
    expect(manager.inbox.peek()).toEqual([]);
    const later = await call('read_agent_result', { agent_id: idIn(end) });
    expect(later).not.toContain('Still at work');
  });

  test('W6 the report of a child and the notice of a background child name the helper as well', async () => {
    const host: Host = (_, run) => {
      if (run.depth === 2) return new Promise<never>(() => undefined);
      run.spawn({ instructions: 'look into it', background: true });
      return done('I HAVE A HELPER');
    };
    const { manager } = made(host, { maxDepth: 2 });
    const report: unknown = JSON.parse(
      await (manager.createTools({ format: 'json' }).spawn_agent as unknown as SubAgentTool).execute({ instructions: 'job' }),
    );
    const [helper] = manager.list({ filter: { label: 'look into it' } }).items;
    expect((report as AgentReport).goingOn).toEqual([`${helper?.taskId} [look into it]`]);
    manager.spawn({ instructions: 'job', background: true });
    await manager.wait(undefined, { mode: 'any', timeoutMs: 0 });
    const [notice] = manager.inbox.peek();
    expect(notice?.text).toMatch(/\n\nStill at work in the background below it: sub_\w+ \[look into it\]\.$/);
  });

  test.each(['manager', 'definition', 'tool', 'spawn'])('W6 onParentEnd of a %s', async (where) => {
    const wait = { onParentEnd: 'wait' } as const;
    const helped = deferred<HostResult>();
    const { manager } = made(
      async (_, run) => {
        if (run.depth === 2) return helped.promise;
        const spawn = { instructions: 'look into it', background: true };
        if (where === 'tool') await run.createTools(wait).spawn_agent?.execute(spawn);
        else run.spawn({ ...spawn, ...(where === 'definition' && { agent: 'helper' }), ...(where === 'spawn' && wait) });
        return done();
      },
      {
        maxDepth: 2,
        agents: { helper: { description: 'Helps.', ...(where === 'definition' && wait) } },
        ...(where === 'manager' && wait),
      },
    );
    const lead = manager.spawn({ instructions: 'the job' });
    expect((await manager.wait([lead], { timeoutMs: 20 })).pending).toHaveLength(1);
    expect(lead.snapshot()).toMatchObject({ status: 'running', parked: 'children' });
    helped.resolve(done());
    expect((await lead.wait()).status).toBe('completed');
  });

  test('W6 onParentEnd: a spawn goes before the tool, the tool before a definition, a definition before the manager', async () => {
    const { manager } = made(() => new Promise<never>(() => undefined), {
      onParentEnd: 'cancel',
      maxConcurrent: 9,
      agents: { helper: { description: 'Helps.', onParentEnd: 'wait' } },
    });
    const spawned = (options: object) => manager.spawn({ instructions: 'x', background: true, ...options }).snapshot().onParentEnd;
    expect(spawned({})).toBe('cancel');
    expect(spawned({ agent: 'helper' })).toBe('wait');
    expect(spawned({ agent: 'helper', onParentEnd: 'adopt' })).toBe('adopt');
    const tool = manager.createTools({ onParentEnd: 'adopt' }).spawn_agent;
    const id = idIn((await tool?.execute({ instructions: 'x', background: true, agent: 'helper', onParentEnd: 'cancel' })) as string);
    expect(manager.get(id).onParentEnd, 'no argument of a model').toBe('adopt');
    expect(manager.spawn({ instructions: 'x', agent: 'helper' }).snapshot().background, 'a definition may say it for others').toBe(false);
    expect(refusal(() => manager.createTools({ onParentEnd: 'live' as never })).message).toContain('one of adopt, wait, cancel');
    expect(refusal(() => managerWith(() => done(), { onParentEnd: 'live' as never })).message).toContain('`onParentEnd`');
  });

  test('an empty list of ids is what is left out, never an empty answer', async () => {
    const { host, runs } = manualHost();
    const { call } = made(host);
    expect(await call('wait_agents', { agent_ids: [] })).toContain('None of your sub-agents');
    await call('spawn_agent', { instructions: 'a', background: true });
    const waiting = call('wait_agents', { agent_ids: [] });
    runs[0]?.end.resolve(done('A IS DONE'));
    expect(await waiting).toContain('A IS DONE');
  });

  test('W1 ids that are not there are listed, the others are waited for', async () => {
    const { call } = made(() => done('DONE'));
    const id = idIn(await call('spawn_agent', { instructions: 'a', background: true }));
    const text = await call('wait_agents', { agent_ids: [id, 'sub_0000'] });
    expect(text).toContain('DONE');
    expect(text).toContain('Not there: sub_0000');
    expect(text).toContain('list_agents');
  });

  test("the call's signal ends a wait, and no sub-agent", async () => {
    const { host } = manualHost();
    const { tools, call, manager } = made(host);
    const id = idIn(await call('spawn_agent', { instructions: 'slow', background: true }));
    const controller = new AbortController();
    const waiting = tools.wait_agents?.execute({ agent_ids: [id] }, { signal: controller.signal });
    controller.abort();
    expect(await waiting).toContain('aborted');
    expect(manager.get(id).status).toBe('running');
  });

  test('sends a follow-up, which is answered with what is known from before', async () => {
    const { call, manager } = made((_, run) => done(`answer to ${run.prompt}`));
    const id = idIn(await call('spawn_agent', { instructions: 'first', background: true }));
    await call('wait_agents', { agent_ids: [id] });
    expect(await call('send_message', { agent_id: id, message: 'second' })).toContain(id);
    expect(await call('wait_agents', { agent_ids: [id] })).toContain('answer to second');
    expect(manager.get(id).run).toBe(2);
  });

  test('C1 C2 cancels, and learns the real end of what had ended', async () => {
    const { host, runs } = manualHost();
    const { call, manager } = made(host, { graceMs: 0 });
    const id = idIn(await call('spawn_agent', { instructions: 'slow', background: true }));
    expect(await call('cancel_agent', { agent_id: id })).toContain('cancelled');
    expect(manager.get(id).status).toBe('cancelled');
    expect(await call('cancel_agent', { agent_id: id })).toContain('nothing to cancel');
    runs[0]?.end.resolve(done());
  });

  test('M1 messages that steer and interrupt are delivered as they say; M3 without a target the last one is meant', async () => {
    const received: string[] = [];
    const { host, runs } = manualHost();
    const { call, manager } = made(host, { graceMs: 1_000 });
    const id = idIn(await call('spawn_agent', { instructions: 'first', background: true }));
    expect(await call('send_message', { message: 'steered', mode: 'steer' })).toContain('reads it at its next turn');
    const permit = await runs[0]?.run.beforeTurn();
    if (permit?.go === true) received.push(...(permit.inject ?? []));
    expect(received).toEqual(['steered']);
    expect(await call('send_message', { agent_id: id, message: 'queued' })).toContain('when its current run is over');
    expect(await call('send_message', { agent_id: id, message: 'at once', mode: 'interrupt' })).toContain('is being stopped');
    expect(runs[0]?.run.signal.aborted).toBe(true);
    runs[0]?.end.resolve(done());
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(runs[1]?.run.prompt).toBe('at once');
    for (const { end } of runs) end.resolve(done());
    await manager.cancelAll({ graceMs: 0 });
  });

  test('M4 interrupts, and what is interrupted waits for the next message', async () => {
    const { host, runs } = manualHost();
    const { call, manager } = made(host, { graceMs: 0 });
    const id = idIn(await call('spawn_agent', { instructions: 'slow', background: true }));
    const text = await call('interrupt_agent', { agent_id: id });
    expect(text).toContain('Stopped');
    expect(text).toContain('send_message');
    expect(manager.get(id).status).toBe('interrupted');
    runs[0]?.end.resolve(done());
    expect(await call('interrupt_agent', { agent_id: id })).toContain('nothing to interrupt');
  });

  test('L7 S3.14 S3.17 closes and opens again; a closed one takes no message', async () => {
    const { call, manager } = made((_, run) => done(run.prompt), { graceMs: 0 });
    const id = idIn(await call('spawn_agent', { instructions: 'first', background: true }));
    await call('wait_agents', { agent_ids: [id] });
    const closed = await call('close_agent', { agent_id: id });
    expect(closed).toContain('is closed; before that it was completed');
    expect(closed).toContain('resume_agent');
    expect(await call('close_agent', { agent_id: id })).toContain('was closed before');
    expect(await call('send_message', { agent_id: id, message: 'more' })).toContain('Not done');
    expect(await call('resume_agent', { agent_id: id })).toContain('open again');
    expect(manager.get(id).status).toBe('idle');
    expect(await call('resume_agent', { agent_id: id })).toContain('nothing to open again');
    await call('send_message', { agent_id: id, message: 'more' });
    expect(await call('wait_agents', { agent_ids: [id] })).toContain('more');
  });

  test('A4 a name that is taken is refused in words', async () => {
    const { host, runs } = manualHost();
    const { call } = made(host);
    await call('spawn_agent', { instructions: 'first', background: true, name: 'reader' });
    expect(await call('spawn_agent', { instructions: 'other', name: 'reader' })).toMatch(/No sub-agent was started: .*reader/);
    for (const { end } of runs) end.resolve(done());
  });

  test('A4 a name is as good as the id', async () => {
    const { call, manager } = made((_, run) => done(run.prompt));
    await call('spawn_agent', { instructions: 'first', background: true, name: 'reader' });
    expect(await call('wait_agents', { agent_ids: ['reader'] })).toContain('first');
    await call('send_message', { agent_id: 'reader', message: 'second' });
    expect(await call('wait_agents', { agent_ids: ['reader'] })).toContain('second');
    const { Agent, SendMessage } = manager.createTools({ preset: 'claude' });
    await Agent?.execute({ description: 'a writer', prompt: 'x', name: 'writer' });
    expect(await SendMessage?.execute({ to: 'writer', message: 'y' })).toContain('writer');
  });

  test('M5 W1 a question ends the wait, fenced, and a message answers it', async () => {
    const { call } = made(async (_, run) => {
      const { answered, ...rest } = await run.ask('WHICH ONE?');
      return done(answered ? `took ${(rest as { answer: string }).answer}` : 'nobody answered');
    });
    const id = idIn(await call('spawn_agent', { instructions: 'choose', background: true }));
    const asked = await call('wait_agents', { agent_ids: [id] });
    expect(asked).toContain('WHICH ONE?');
    expect(asked).toContain('nonce=');
    expect(asked.split('\n').at(-1)).toBe('send_message answers it.');
    expect(asked).not.toContain('Send it a message');
    expect(await call('send_message', { agent_id: id, message: 'the second' })).toContain('has your answer');
    expect(await call('wait_agents', { agent_ids: [id] })).toContain('took the second');
  });

  test('M5 a foreground call returns the question, naming the tool that answers; without one nobody is asked', async () => {
    const { manager, call } = made(async (_, run) => done(JSON.stringify(await run.ask('WHICH ONE?'))));
    const asked = await call('spawn_agent', { instructions: 'choose' });
    expect(asked).toContain('WHICH ONE?');
    expect(asked.split('\n').at(-1)).toBe("send_message answers it. It continues in the background; I'll notify you when it completes.");
    await call('send_message', { message: 'this' });
    const alone = manager.createTools({ include: ['spawn'] });
    expect(await alone.spawn_agent?.execute({ instructions: 'choose' })).toContain('cannot_answer');
  });

  test('M5 a question is delivered, however many notices wait', async () => {
    const { manager, call } = made(async (_, run) => done(run.prompt === 'choose' ? JSON.stringify(await run.ask('WHICH ONE?')) : 'x'), {
      maxNotices: 1,
    });
    manager.spawn({ instructions: 'x', background: true });
    await new Promise((resolve) => setImmediate(resolve));
    expect(manager.inbox.peek()).toHaveLength(1);
    expect(await call('spawn_agent', { instructions: 'choose' })).toContain('WHICH ONE?');
    await call('send_message', { message: 'this' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(manager.inbox.peek()).toHaveLength(2);
  });

  test('M5 D7 a call that is made again gets the question as well', async () => {
    const { manager } = made(async (_, run) => done(JSON.stringify(await run.ask('WHICH ONE?'))));
    const tool = manager.createSubAgentTool({ idempotencyKey: () => 'k', canAnswer: true });
    for (let times = 0; times < 2; times += 1) expect(await tool.execute({ instructions: 'choose' })).toContain('WHICH ONE?');
    expect(manager.list().total).toBe(1);
  });

  test('M5 D7 a call that is made again gives the details of an end that came before the question', async () => {
    const begin = deferred<void>();
    const { manager } = made(async (_, run) => {
      await begin.promise;
      run.ask('WHICH ONE?').catch(() => undefined);
      void manager.cancel(run.taskId, { graceMs: 0 });
      return new Promise<never>(() => undefined);
    });
    const seen: unknown[] = [];
    const tool = manager.createSubAgentTool({ idempotencyKey: () => 'k', canAnswer: true });
    const calls = [1, 2].map(() => tool.execute({ instructions: 'choose' }, { onDetails: (details) => seen.push(details) }));
    begin.resolve();
    await Promise.all(calls);
    expect(seen).toMatchObject([{ status: 'cancelled' }, { status: 'cancelled' }]);
  });

  test('a call whose caller is stopped by who is notified of its start gets the end', async () => {
    const [begin, told] = [deferred<void>(), deferred<string>()];
    const { manager } = made(
      async (_, run) => {
        if (run.depth > 1) return new Promise<never>(() => undefined);
        await begin.promise;
        told.resolve(await run.createSubAgentTool().execute({ instructions: 'inner' }));
        return done();
      },
      { maxDepth: 2 },
    );
    const outer = manager.spawn({ instructions: 'outer' });
    manager.subscribe((event) => {
      if (event.type === 'run_started') void outer.cancel({ graceMs: 0 });
    });
    begin.resolve();
    expect(await told.promise).toMatch(/^Sub-agent sub_\w+ was cancelled/);
  });

  test('a call whose sub-agent is forgotten by who is notified of its end gets the end', async () => {
    const { manager, call } = made(() => done());
    manager.subscribe((event) => {
      if (event.type === 'run_ended') manager.forget(event.taskId as string);
    });
    for (const background of [true, false]) expect(await call('spawn_agent', { instructions: 'x', background })).toContain('completed');
  });

  test('A3 S3.27 kinds of sub-agents are named in the schema, and an unknown one is text', async () => {
    const agents = { reader: { description: 'reads a file', prompt: 'You read.', maxTurns: 2 } };
    const { tools, manager, call } = made((_, run) => done(`${run.systemPrompt}`), { agents });
    const { agent } = { ...tools.spawn_agent?.parameters.properties } as { agent: { enum: string[]; description: string } };
    expect(agent.enum).toEqual(['reader']);
    expect(agent.description).toContain('reads a file');
    expect(await call('spawn_agent', { instructions: 'x', agent: 'reader' })).toContain('You read.');
    expect(await call('spawn_agent', { instructions: 'x', agent: 'writer' })).toContain('`agent` must be one of reader');
    const claude = manager.createTools({ preset: 'claude' });
    expect(await claude.Agent?.execute({ description: 'read it', prompt: 'x', subagent_type: 'reader' })).toContain('You read.');
    expect(made(() => done()).tools.spawn_agent?.parameters.properties).not.toHaveProperty('agent');
  });

  test('`task` of opencode goes on with an earlier sub-agent by its `task_id`', async () => {
    const { manager } = made((_, run) => done(`${run.run}: ${run.prompt}`));
    const { task } = manager.createTools({ preset: 'opencode' });
    const first = (await task?.execute({ description: 'part one', prompt: 'first' })) ?? '';
    const second = await task?.execute({ description: 'part two', prompt: 'second', task_id: idIn(first) });
    expect(second).toContain('2: second');
    expect(second).toContain(FENCE);
    expect(manager.stats().total).toBe(1);
    expect(await task?.execute({ description: 'x', prompt: 'y', task_id: 'sub_0' })).toContain('Not done');
  });

  test('C3 `task` of opencode that goes on stops with its call, and starts nothing for a call that was aborted', async () => {
    const { manager, use } = made((_, run) => done(`${run.run}: ${run.prompt}`));
    const { task } = manager.createTools({ preset: 'opencode' });
    const id = idIn((await task?.execute({ description: 'part one', prompt: 'first' })) ?? '');
    const second = { description: 'part two', prompt: 'second', task_id: id };
    for (const background of [true, false])
      expect(await task?.execute({ ...second, background }, { signal: AbortSignal.abort() })).toContain('aborted before it began');
    expect(manager.get(id).run).toBe(1);
    const controller = new AbortController();
    use(async (_, run) => {
      const stopped = new Promise<void>((resolve) => run.signal.addEventListener('abort', () => resolve()));
      controller.abort();
      await stopped;
      return done('AS FAR AS I CAME');
    });
    expect(await task?.execute(second, { signal: controller.signal })).toContain('AS FAR AS I CAME');
    expect(manager.get(id).status).toBe('cancelled');
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    use(() => done('AGAIN'));
    expect(await task?.execute({ ...second, prompt: 'third' })).toContain('AGAIN');
  });

  test('`task` of opencode does not answer with the end of a run that another call asked for', async () => {
    const { host, runs } = manualHost();
    const { manager } = made(host);
    const { task } = manager.createTools({ preset: 'opencode' });
    const id = idIn((await task?.execute({ description: 'one', prompt: 'first', background: true })) ?? '');
    for (const background of [false, true])
      expect(await task?.execute({ description: 'two', prompt: 'second', task_id: id, background })).toContain('The message waits');
    runs[0]?.end.resolve(done('ONE'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(manager.inbox.peek().map(({ text }) => text.includes('ONE'))).toEqual([true]);
    runs[1]?.end.resolve(done('TWO'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(manager.inbox.peek().some(({ text }) => text.includes('TWO'))).toBe(true);
  });

  test("R4 `task` of opencode that goes on returns it as a report where `format` is 'json'", async () => {
    const { manager, use } = made((_, run) => done(`${run.run}: ${run.prompt}`));
    const { task } = manager.createTools({ preset: 'opencode', format: 'json', canAnswer: true });
    const reported = async (options: object): Promise<AgentReport> =>
      JSON.parse((await task?.execute({ description: 'part', prompt: 'go on', ...options })) ?? '') as AgentReport;
    const { taskId } = await reported({ prompt: 'first' });
    use((_, run) => {
      run.report({ message: 'on it' });
      return done(`${run.run}: ${run.prompt}`);
    });
    expect(await reported({ task_id: taskId })).toMatchObject({
      taskId,
      status: 'completed',
      output: '2: go on',
      recentMessages: ['on it'],
    });
    expect(await reported({ task_id: 'sub_0' })).toMatchObject({
      taskId: null,
      status: 'refused',
      error: expect.stringContaining('Not done'),
    });
    use(async (_, run) => done(JSON.stringify(await run.ask('WHICH ONE?'))));
    expect(await reported({ task_id: taskId })).toMatchObject({ taskId, status: 'running', output: expect.stringContaining('WHICH ONE?') });
    expect(await reported({ task_id: taskId, prompt: 'THIS' })).toMatchObject({
      status: 'completed',
      output: expect.stringContaining('THIS'),
    });
    expect(await reported({ task_id: taskId, background: true })).toMatchObject({ taskId, status: 'running' });
  });

  test('`TaskOutput` of Claude looks without waiting, if asked so', async () => {
    const { host, runs } = manualHost();
    const { manager } = made(host);
    const { Agent, TaskOutput } = manager.createTools({ preset: 'claude' });
    const id = idIn((await Agent?.execute({ description: 'slow one', prompt: 'x', run_in_background: true })) ?? '');
    expect(await TaskOutput?.execute({ task_id: id, block: false })).toContain('Still at work');
    runs[0]?.end.resolve(done('DONE'));
    expect(await TaskOutput?.execute({ task_id: id, timeout: 5_000 })).toContain('DONE');
  });

  test('lists a page at a time, and only what there is', async () => {
    const { call } = made(() => done());
    expect(await call('list_agents')).toBe('There are no sub-agents.');
    for (const label of ['one', 'two', 'three']) await call('spawn_agent', { instructions: 'x', label });
    const page = await call('list_agents', { limit: 2 });
    expect(page).toContain('[one] completed');
    expect(page).not.toContain('[three]');
    expect(page).toContain('the next begin at 2');
    expect(await call('list_agents', { offset: 2 })).toContain('[three]');
    expect(await call('list_agents', { status: ['running'] })).toBe('There are no sub-agents.');
    expect(await call('list_agents', { status: ['asleep'] })).toContain('there are pending, running');
  });

  test('R1 R2 reads a long result in pages that lose nothing and cut no character', async () => {
    const output = Array.from({ length: 500 }, (_, index) => `${index} täg 😀`).join(' ');
    const { call } = made(() => done(output), { inlineBytes: 300 });
    const first = await call('spawn_agent', { instructions: 'x' });
    expect(first).toContain('left out');
    expect(first).toContain('read_agent_result');
    let read = '';
    for (let offset = 0; ; ) {
      const page = await call('read_agent_result', { agent_id: idIn(first), offset, limit: 200 });
      const [, text = ''] = /nonce="[0-9a-f]+">\n([\s\S]*)\n<\/subagent-output/.exec(page) ?? [];
      read += text;
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(300);
      const next = /The next page begins at (\d+)/.exec(page)?.[1];
      if (next === undefined) break;
      expect(Number(next)).toBe([...read].length);
      offset = Number(next);
    }
    expect(read).toBe(output);
    expect(await call('read_agent_result', { agent_id: idIn(first), offset: 1_000_000 })).toContain('there are none');
  });

  test('A1 reaches its own sub-agents, not those of another session', async () => {
    const { manager } = made(() => done('PRIVATE'));
    const ours = manager.session('ours').createTools();
    const theirs = manager.session('theirs').createTools();
    const id = idIn((await ours.spawn_agent?.execute({ instructions: 'x', background: true })) ?? '');
    for (const name of ['read_agent_result', 'cancel_agent']) {
      const text = (await theirs[name]?.execute({ agent_id: id })) ?? '';
      expect(text).toContain('Not done');
      expect(text).not.toContain('PRIVATE');
    }
    expect(await theirs.list_agents?.execute({})).toBe('There are no sub-agents.');
    expect(await theirs.wait_agents?.execute({ agent_ids: [id] })).toContain('Not there');
  });

  test('P2 what the adapters never hand on is what the core blocks', async () => {
    const names = [...ALWAYS_BLOCKED, ...SPAWN_TOOLS, ...OPERATOR_TOOLS];
    expect(names.length).toBeGreaterThan(5);
    const { manager } = made(() => done(), { tools: [...names, 'read'] });
    for (const name of names) expect(refusal(() => manager.spawn({ instructions: 'x', tools: [name] })).code, name).toBe('no_tools');
  });

  test('P2 a leaf loses every tool that only serves sub-agents, under each preset; one above keeps them', async () => {
    const { manager } = made(() => done());
    const ours = TOOL_PRESETS.flatMap((preset) => Object.keys(manager.createTools({ preset, include: [...OPERATIONS] })));
    const names = [...new Set(ours)];
    expect(names.length).toBeGreaterThan(19);
    const given: (string[] | undefined)[] = [];
    const host: Host = async (_, run) => {
      given.push(run.tools);
      if (run.depth === 1) await run.spawn({ instructions: 'below' }).wait();
      return done();
    };
    const { manager: deep } = made(host, { tools: [...names, 'read'], maxDepth: 2 });
    await deep.spawn({ instructions: 'x' }).wait();
    expect(given).toEqual([[...names, 'read'], ['read']]);
  });

  test('P2 D1 a run at the depth limit is refused in words', async () => {
    let text = '';
    const { manager } = made(async (_, run) => {
      text = (await run.createTools().spawn_agent?.execute({ instructions: 'below' })) ?? '';
      return done();
    });
    await manager.spawn({ instructions: 'x' }).wait();
    expect(text).toContain('No sub-agent was started');
    expect(text).toContain('may not nest deeper than 1');
    expect(text).not.toContain('maxDepth');
  });
});

test('D6 arguments that a tool does not know are ignored', async () => {
  const { call, tools } = made(() => done('did it'));
  expect(await call('spawn_agent', { instructions: 'x', flavour: 'mint' })).toContain('did it');
  expect(await call('list_agents', { why: 'to see' })).toContain('completed');
  for (const tool of tools) expect(JSON.stringify(tool.parameters['~standard'].validate({ flavour: 'mint' }))).not.toMatch(/no parameter/);
});

describe('D6 the answer says which arguments were ignored', () => {
  test('in a line, with what was probably meant: a limit may be among them', async () => {
    const { call, manager } = made(() => done('did it'));
    const wrong = { maxTurns: 2, max_cost: 0.5, run_in_background: true, flavour: 'mint', nothing: null };
    const text = await call('spawn_agent', { instructions: 'x', ...wrong });
    const meant = (name: string, known: string): string => `\`${name}\` (did you mean \`${known}\`?)`;
    const names = [meant('maxTurns', 'max_turns'), meant('max_cost', 'max_cost_usd'), meant('run_in_background', 'background')];
    expect(text).toMatch(/^Sub-agent .* completed/);
    expect(text.endsWith(`\nIgnored: ${names.join(', ')}, \`flavour\`.`)).toBe(true);
    expect(await call('list_agents', '{"why":"to see"}')).toMatch(/\nIgnored: `why`\.$/);
    expect(await call('spawn_agent', { prompt: 'x' })).toMatch(/is missing.*\nIgnored: `prompt` \(did you mean `instructions`\?\)\.$/);
    // What was given is not what was meant.
    expect(await call('spawn_agent', { instructions: 'x', background: false, run_in_background: true })).toMatch(
      /: `run_in_background`\.$/,
    );
    for (const args of [{ instructions: 'x' }, '"text"', ['x'], 5, null]) expect(await call('spawn_agent', args)).not.toContain('Ignored');
    expect(manager.stats().total).toBe(3);
  });

  test('whatever its names are, in one line that they can not end (N5)', async () => {
    const { call } = made(() => done('did it'));
    const many = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`odd ${at}`, at]));
    const text = await call('list_agents', { '`. Now\nobey': 1, ['x'.repeat(500)]: 1, ...many });
    const line = text.split('\n').at(-1) ?? '';
    expect(line).toMatch(/^Ignored: `’\. Now obey`, `x+…`, `odd 0`, `odd 1`, `odd 2` and 5 more\.$/);
    expect(line.length).toBeLessThan(200);
    const hostile = new Proxy({ instructions: 'x' }, { ownKeys: () => ['__proto__', 'instructions', '__proto__'] });
    expect(await call('spawn_agent', hostile)).toContain('did it');
  });

  test('of every tool, called any way; JSON stays JSON', async () => {
    const { manager } = managerWith((_, run) => done(run.prompt));
    opened.push(manager);
    for (const preset of TOOL_PRESETS) {
      const tools = [...manager.createTools({ preset, include: OPERATIONS })];
      for (const tool of [...tools, manager.createSubAgentTool()]) {
        const text = await tool.execute({ flavour: 'mint' });
        expect(text, tool.name).toMatch(/\nIgnored: `flavour`\.$/);
        const { content } = await tool.execute('call-1', { flavour: 'mint' });
        expect(content[0]?.text.includes('`flavour`'), tool.name).toBe(true);
      }
    }
    const { spawn_agent } = manager.createTools({ format: 'json' });
    const report = JSON.parse((await spawn_agent?.execute({ instructions: 'x', turns: 2 })) ?? '') as object;
    expect(report).toMatchObject({ status: 'completed', output: 'x', ignored: expect.stringContaining('`turns`') });
  });
});

describe('wrong arguments come back as text', () => {
  const cases: [string, unknown, RegExp][] = [
    ['spawn_agent', {}, /`instructions` is missing/],
    ['spawn_agent', { instructions: ' ' }, /`instructions` must be a text that is not empty/],
    ['spawn_agent', { instructions: 'x', max_turns: -1 }, /`max_turns` must be a whole number of at least 1, got -1/],
    ['spawn_agent', { instructions: 'x', max_cost_usd: -1 }, /`max_cost_usd` must be a number above 0/],
    ['spawn_agent', { instructions: 'x', background: 'yes' }, /`background` must be true or false/],
    ['spawn_agent', { instructions: 'x', tools: 'read' }, /`tools` must be a list of texts/],
    ['wait_agents', { timeout_ms: 1e9 }, /`timeout_ms` must be a whole number of at least 0 and at most 600000/],
    ['wait_agents', { mode: 'some' }, /`mode` must be one of all, any/],
    ['send_message', { agent_id: 'x' }, /`message` is missing/],
    ['cancel_agent', { agent_id: 'sub_1' }, /Not done: .*list_agents shows/],
    ['list_agents', { limit: 101 }, /at most 100/],
    ['read_agent_result', [], /must be an object, got an empty list/],
    ['read_agent_result', '{"agent_id":', /can't be read/],
    ['read_agent_result', 'null', /`agent_id` is missing/],
    ['read_agent_result', '"sub_1"', /must be an object, got "sub_1"/],
  ];
  test.each(cases)('%s %j', async (name, args, expected) => {
    const { call, tools } = made(() => done());
    const text = await call(name, args);
    expect(text).toMatch(expected);
    expect(text).not.toMatch(/\bat .*\.js:\d/);
    const pi = await tools[name]?.execute('call-1', args);
    expect((pi as { content: { text: string }[] }).content[0]?.text).toBe(text);
  });

  test('the Standard Schema says the same, and lets sound arguments through as they are', () => {
    const { tools } = made(() => done());
    const standard = tools.wait_agents?.parameters['~standard'];
    const args = { agent_ids: ['a'], timeout_ms: 5 };
    expect(standard?.validate(args)).toEqual({ value: args });
    expect(standard?.validate({ agent_ids: 'a' })).toHaveProperty('issues');
    for (const nothing of [undefined, null, '', 'null']) expect(standard?.validate(nothing)).toEqual({ value: {} });
  });

  test('null is what is left out', async () => {
    const { call } = made(() => done('DONE'));
    expect(await call('spawn_agent', { instructions: 'x', tools: null, max_turns: null })).toContain('DONE');
  });
});

describe('progress of a call', () => {
  const telling: Host = async (_, run) => {
    await run.beforeTurn();
    run.report({ message: 'HALFWAY' });
    await new Promise((resolve) => setTimeout(resolve, 5));
    return done('DONE');
  };

  test('the answer can be iterated: lines of progress, then the text', async () => {
    const { tools } = made(telling);
    const lines: string[] = [];
    const answer = tools.spawn_agent?.execute({ instructions: 'tell' }) as unknown as AsyncIterable<string> & Promise<string>;
    for await (const line of answer) lines.push(line);
    expect(lines.slice(0, -1).join()).toContain('HALFWAY');
    expect(lines.at(-1)).toContain('DONE');
    expect(await answer).toBe(lines.at(-1));
    expect(Object.keys(answer)).toEqual([]);
  });

  test('what ends within a turn of the event loop has no progress, but for a listener, who gets it at once', async () => {
    const atOnce: Host = async (_, run) => {
      await run.beforeTurn();
      run.report({ message: 'HALFWAY' });
      return done('DONE');
    };
    const { tools } = made(atOnce);
    const received: string[] = [];
    const options = { onUpdate: ({ message }: { message: string }) => received.push(message) };
    const lines: string[] = [];
    const answer = tools.spawn_agent?.execute({ instructions: 'tell' }, options) as unknown as AsyncIterable<string> & Promise<string>;
    for await (const line of answer) lines.push(line);
    expect(lines).toEqual([await answer]);
    expect(received).toContain('HALFWAY');
  });

  test('two who iterate one answer both get the progress, and the end', async () => {
    const { tools } = made(telling);
    const answer = tools.spawn_agent?.execute({ instructions: 'tell' }) as unknown as AsyncIterable<string> & Promise<string>;
    const received = async (): Promise<string[]> => {
      const lines: string[] = [];
      for await (const line of answer) lines.push(line);
      return lines;
    };
    for (const lines of await Promise.all([received(), received()])) {
      expect(lines.slice(0, -1).join()).toContain('HALFWAY');
      expect(lines.at(-1)).toBe(await answer);
    }
  });

  test('an iteration that is left early harms nothing', async () => {
    const { tools, manager } = made(telling);
    const answer = tools.spawn_agent?.execute({ instructions: 'tell' }) as unknown as AsyncIterable<string>;
    const lines = answer[Symbol.asyncIterator]();
    expect((await lines.next()).value).toContain('tell');
    await lines.return?.();
    await manager.wait(manager.list().items.map(({ taskId }) => taskId));
    expect(manager.list().items[0]?.status).toBe('completed');
  });

  test('S2.25 `execute` in pi’s signature: content and details, each call with an id and a signal of its own', async () => {
    const { host, runs } = manualHost();
    const ids: (string | undefined)[] = [];
    const { manager } = made(host);
    const tool = manager.createSubAgentTool({ onDetails: (_, toolCallId) => ids.push(toolCallId) });
    const [one, other] = [new AbortController(), new AbortController()];
    const first = tool.execute('call-1', { instructions: 'a' }, one.signal, () => undefined);
    const second = tool.execute('call-2', { instructions: 'b' }, other.signal);
    await new Promise((resolve) => setTimeout(resolve, 0));
    other.abort();
    expect(runs.map(({ run }) => run.signal.aborted)).toEqual([false, true]);
    runs[1]?.end.resolve(done('stopped'));
    runs[0]?.end.resolve(done('found'));
    expect(await second).toMatchObject({ details: { status: 'cancelled', taskId: runs[1]?.run.taskId } });
    const { content, details, ...rest } = await first;
    expect(rest).toEqual({ usage: expect.objectContaining({ totalTokens: 10 }) });
    expect(content).toEqual([{ type: 'text', text: expect.stringContaining('found') }]);
    expect(details).toMatchObject({ status: 'completed', taskId: runs[0]?.run.taskId, background: false });
    expect(ids.sort()).toEqual(['call-1', 'call-2']);
  });

  test("`onUpdate` gets it, in pi's way and in ours; one that throws goes to `onError`", async () => {
    const errors: unknown[] = [];
    const { tools } = made(telling, { onError: (error) => errors.push(error) });
    const ours: string[] = [];
    await tools.spawn_agent?.execute({ instructions: 'tell' }, { onUpdate: ({ message }) => ours.push(message) });
    expect(ours).toContain('HALFWAY');
    const pi: string[] = [];
    await tools.spawn_agent?.execute('call-1', { instructions: 'tell' }, undefined, ({ content }) => pi.push(content[0]?.text ?? ''));
    expect(pi.join()).toContain('HALFWAY');
    const thrower = (): never => {
      throw new Error('a broken listener');
    };
    expect(await tools.spawn_agent?.execute({ instructions: 'tell' }, { onUpdate: thrower })).toContain('DONE');
    expect(errors.length).toBeGreaterThan(0);
  });

  test('a function for progress that rejects harms nothing', async () => {
    const { tools } = made(telling);
    const outputWriter = (): Promise<never> => Promise.reject(new Error('the stream is closed'));
    expect(await tools.spawn_agent?.execute({ instructions: 'tell' }, { outputWriter })).toContain('DONE');
  });

  test('a queued sub-agent is reported as well, once it runs', async () => {
    const first = deferred<ReturnType<typeof done>>();
    const { tools, manager } = made((params, run) => (params.instructions === 'first' ? first.promise : telling(params, run)), {
      maxConcurrent: 1,
    });
    manager.spawn({ instructions: 'first' });
    const seen: number[] = [];
    const answer = tools.spawn_agent?.execute({ instructions: 'second' }, { onUpdate: ({ turn }) => seen.push(turn) });
    first.resolve(done());
    expect(await answer).toContain('DONE');
    expect(seen).toContain(1);
  });
});

test('the operations are named in one place', () => {
  expect(OPERATIONS).toContain('spawn');
  expect(TOOL_PRESETS).toContain('subagents');
});

test('a model reads of a wrong argument by the name that its tool has for it', async () => {
  const { manager } = made(() => new Promise(() => undefined));
  const { spawn_agent } = manager.createTools();
  expect(await spawn_agent?.execute({ instructions: 'x', name: 'sub_1' })).toContain('`name` must');
});

describe('a call whose sub-agent ends meanwhile', () => {
  test('A1 C1 a call of a run is answered with what it came to, though the run has ended meanwhile', async () => {
    const calls: Promise<string>[] = [];
    const { manager } = made(
      (_, run) => {
        const child = run.spawn({ instructions: 'below', background: true });
        calls.push(run.createTools().spawn_agent?.execute({ instructions: 'below', background: true }) ?? Promise.reject());
        calls.push(run.createTools().cancel_agent?.execute({ agent_id: child.taskId }) ?? Promise.reject());
        return done();
      },
      {
        maxDepth: 2,
        maxConcurrent: 5,
        // Its own id, which a call that spawns waits for, and an abort that it gets late.
        spawnBackgroundSubAgent: () => new Promise((resolve) => setTimeout(() => resolve({ taskId: 'elsewhere' }), 20)),
        graceMs: 50,
      },
    );
    await manager.spawn({ instructions: 'above' }).wait();
    const [spawned, cancelled] = await Promise.all(calls);
    expect(spawned).toMatch(/^Subagent \[below\] started \(id: /);
    expect(cancelled).toMatch(/^Cancelled: .* cancelled/);
  });

  test('it is cancelled and forgotten by a listener of its admission: the answer is its end', async () => {
    const { manager, call } = made(() => new Promise(() => undefined), { maxConcurrent: 1 });
    manager.spawn({ instructions: 'holds the slot' });
    manager.subscribe((event) => {
      if (event.type !== 'task_admitted') return;
      void manager.cancel(event.taskId as string);
      manager.forget(event.taskId as string);
    });
    expect(await call('spawn_agent', { instructions: 'x' })).toMatch(/^Sub-agent sub_\w+ was cancelled\. It left no output\.$/);
  });
});

describe('options for the sub-agents that the set starts', () => {
  test('where the work comes from, and how results are reported', async () => {
    const { manager } = made(() => done('found'));
    const { spawn_agent } = manager.createTools({ origin: { channel: 'telegram', chatId: '7' } });
    await spawn_agent?.execute({ instructions: 'search', background: true });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(manager.inbox.lease()[0]?.origin).toEqual({ channel: 'telegram', chatId: '7' });
    const { spawn_agent: reporting } = manager.createTools({ format: 'json' });
    expect(JSON.parse((await reporting?.execute({ instructions: 'search' })) ?? '')).toMatchObject({
      status: 'completed',
      output: 'found',
    });
  });

  test('a call that was made before starts nothing', async () => {
    const { manager } = made(() => done('found'));
    const { spawn_agent } = manager.createTools({ idempotencyKey: (toolCallId) => toolCallId });
    for (const _ of [1, 2]) await spawn_agent?.execute({ instructions: 'search' }, { toolCallId: 'call-1' });
    expect(manager.list().total).toBe(1);
  });

  test.each([{ format: 'xml' }, { origin: { channel: '' } }, { canAnswer: 'no' }, { colour: 1 }])('%j is refused', (options) => {
    const { manager } = made(() => done());
    expect(refusal(() => manager.createTools(options as never)).code).toBe('invalid_argument');
  });
});

test('of a list with something else in it a model reads what that is', async () => {
  const { call } = made(() => done());
  expect(await call('wait_agents', { agent_ids: ['a', 5] })).toContain('`agent_ids` must be a list of texts, got one with 5');
});

test('one minute is one minute', () => {
  const { manager } = made(() => done(), { timeoutMs: 60_000, maxTurns: 1 });
  expect(manager.createTools().spawn_agent?.description).toContain('Each has 1 turn and 1 minute unless');
});

test('R1 L8 a result that was released is not called an empty one', async () => {
  const { manager, call } = made(() => done('found'));
  const handle = manager.spawn({ instructions: 'search' });
  await handle.wait();
  manager.forget(handle, { resultOnly: true });
  expect(await call('read_agent_result', { agent_id: handle.taskId })).toContain('has been released');
  expect(await call('wait_agents', { agent_ids: [handle.taskId] })).toContain('has been released');
});

describe('the spawn tool under every preset', () => {
  const calls: Record<string, object> = {
    subagents: { instructions: 'look', background: true },
    claude: { description: 'a look', prompt: 'look', run_in_background: true },
    codex: { task_name: 'looker', message: 'look' },
    opencode: { description: 'a look', prompt: 'look', background: true },
  };
  const never = (): Promise<never> => new Promise(() => undefined);
  const spawnToolOf = (manager: SubAgentManager, preset: (typeof TOOL_PRESETS)[number]) => [...manager.createTools({ preset })][0];

  test.each(TOOL_PRESETS)('%s: D1 `maxChildren` bounds what the model starts', async (preset) => {
    const { manager } = made(never, { maxChildren: 2, maxConcurrent: 9 });
    const asked: unknown[] = [];
    manager.subscribe((event) => {
      if (event.type === 'task_admitted') asked.push(event.byModel);
    });
    const call = (): Promise<unknown> | undefined => spawnToolOf(manager, preset)?.execute(calls[preset]);
    for (const answer of [call(), call()]) answer?.catch(() => undefined);
    expect(await call()).toContain('No sub-agent was started: 2 sub-agent');
    expect(asked).toEqual([true, true]);
  });

  test.each(TOOL_PRESETS)('%s: what is called beside it in one step of the model finds what it started', (preset) => {
    const { manager } = made(never);
    spawnToolOf(manager, preset)
      ?.execute(calls[preset])
      .catch(() => undefined);
    expect(manager.list().total).toBe(1);
  });
});

test('A1 a caller that has ended learns it, and not that its sub-agents are gone', async () => {
  const runs: Run[] = [];
  const { manager } = managerWith(
    (_, run) => {
      runs.push(run);
      return new Promise(() => {});
    },
    { maxDepth: 2 },
  );
  opened.push(manager);
  const caller = manager.spawn({ instructions: 'a' });
  const [run] = runs as [Run];
  const child = run.spawn({ instructions: 'b', background: true });
  void caller.cancel({ graceMs: 0 });
  await caller.wait();
  expect(await run.createTools().wait_agents?.execute({ agent_ids: [child.taskId] })).toMatch(/^Not done: /);
});
