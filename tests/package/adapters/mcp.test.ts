// What clients of MCP read of our tools, and how their calls are answered.

import { afterEach, describe, expect, test } from 'vitest';
import { endWithClient, MCP_INSTRUCTIONS, type McpOptions } from '../../../dist/adapters/mcp.js';
import { type Run, SubAgentManager, type SubAgentManagerOptions } from '../../../dist/index.js';
import { type FakeClient, served } from '../../support/mcp.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Sub-agents that do what their instructions say. */
async function act({ instructions }: { instructions: string }, run: Run) {
  if (instructions === 'for ever') await aborted(run.signal);
  if (instructions === 'fail') throw new Error('the disk is full');
  if (instructions.startsWith('ask')) {
    const answer = await run.ask(instructions);
    return { output: answer.answered ? `it is ${answer.answer}` : 'no answer' };
  }
  return { output: `did ${instructions}` };
}

function open(options: McpOptions = {}, client: FakeClient = {}, more: SubAgentManagerOptions = {}) {
  const manager = new SubAgentManager({ spawnSubAgent: act, ...more });
  opened.push(manager);
  return { manager, ...served(manager, options, client) };
}

describe('the texts that a client gets', () => {
  const listed = async (...given: Parameters<typeof open>) => open(...given).list();
  const namesOf = async (...given: Parameters<typeof open>) => (await listed(...given)).map(({ name }) => name);

  test('tools that look are read-only, the others neither destroy nor leave this machine', async () => {
    const hints = Object.fromEntries((await listed()).map(({ name, annotations }) => [name, annotations]));
    for (const name of ['wait_agents', 'list_agents', 'read_agent_result']) expect(hints[name], name).toMatchObject({ readOnlyHint: true });
    for (const name of ['spawn_agent', 'send_message', 'cancel_agent'])
      expect(hints[name], name).toMatchObject({ readOnlyHint: false, destructiveHint: false, openWorldHint: false });
    expect(hints.spawn_agent).toHaveProperty('title');
    const [spawn] = await listed({ parallel: true });
    expect(spawn).toMatchObject({ name: 'spawn_agent', annotations: { readOnlyHint: true } });
  });

  test('names collide with nothing of the client, and texts use them', async () => {
    const codex = { name: 'codex-mcp-client' };
    const names = await namesOf({}, codex);
    expect(names).toContain('spawn_subagent');
    expect(names.filter((name) => /_agents?\b|^send_message$/.test(name))).toEqual([]);
    const { call } = open({}, codex);
    const { text } = await call('spawn_subagent', { instructions: 'x', background: true });
    expect(text).toContain('wait_subagents gets its result');
    expect((await call('wait_subagents')).text).toContain('did x');
    for (const name of ['Zed', 'qwen-cli-mcp-client-x']) expect(await namesOf({}, { name })).toContain('spawn_subagent');
    expect(await namesOf({}, { name: 'some-client' })).toContain('spawn_agent');
    expect(await namesOf({ names: 'own' })).toContain('spawn_subagent');
    expect((await namesOf({ names: { spawn: 'delegate' } }))[0]).toBe('delegate');
    expect((await namesOf({ names: 'usual' }, codex))[0]).toBe('spawn_agent');
  });

  test('N6 how long a call waits stands in the descriptions, and the instructions promise no notice', async () => {
    const wait = async (client?: string) => {
      const tools = await listed({}, client === undefined ? {} : { name: client });
      return tools.find(({ name }) => /^wait/.test(name))?.inputSchema.properties.timeout_ms?.description;
    };
    expect(await wait()).toContain('Default: 30000. No call waits longer than 45000.');
    expect(await wait('codex-mcp-client')).toContain('240000');
    expect(await wait('claude-code')).toContain('110000');
    const [spawn] = await listed({ foregroundMs: 5_000 });
    expect(spawn?.description).toContain('One that still runs after 5 seconds continues in the background.');
    expect(MCP_INSTRUCTIONS).toContain('No notification comes');
  });

  test('tools that the program chose are offered as they are', async () => {
    const manager = new SubAgentManager({ spawnSubAgent: act });
    opened.push(manager);
    const tools = manager.createTools({ include: ['spawn'] });
    const offered = await served(tools, {}, { name: 'codex-mcp-client' }).list();
    expect(offered.map(({ name }) => name)).toEqual(['spawn_agent']);
    for (const [name, value] of Object.entries({ foregroundMs: 5, names: 'own', agent: 'reader' }))
      expect(() => served(tools, { [name]: value })).toThrow(`\`${name}\` goes with a manager or a session`);
    expect(() => served(manager, { foregroundMs: -1 })).toThrow('`foregroundMs`');
  });

  test('a function gives the manager of a client', async () => {
    const managers = new Map<string, SubAgentManager>();
    const sourceOf = async (client = '') => {
      const known = managers.get(client) ?? new SubAgentManager({ spawnSubAgent: act });
      managers.set(client, known);
      opened.push(known);
      return known;
    };
    expect((await served(sourceOf, {}, { name: 'one' }).call('spawn_agent', { instructions: 'x' })).text).toContain('did x');
    expect((await served(sourceOf, {}, { name: 'two' }).list()).length).toBeGreaterThan(5);
    expect([...managers.keys()]).toEqual(['one', 'two']);
    expect(managers.get('two')?.list().total).toBe(0);
  });
});

describe('calls', () => {
  test('a call that names no agent means the one of the option', async () => {
    const agents = { reader: { description: 'reads', prompt: 'You read.' }, writer: { description: 'writes', prompt: 'You write.' } };
    const spawnSubAgent = async (_: object, run: Run) => ({ output: run.systemPrompt ?? 'none' });
    const { call } = open({ agent: 'reader' }, {}, { agents, spawnSubAgent });
    expect((await call('spawn_agent', { instructions: 'x' })).text).toContain('You read.');
    expect((await call('spawn_agent', { instructions: 'x', agent: 'writer' })).text).toContain('You write.');
  });

  test('what the model should correct or know is an error of the call, a good end is none', async () => {
    const { call } = open({}, {}, { maxConcurrent: 4 });
    expect(await call('spawn_agent', { instructions: 'x' })).toMatchObject({ isError: false });
    expect(await call('spawn_agent', { instructions: 'fail' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('the disk is full'),
    });
    for (const [name, args] of [
      ['spawn_agent', {}],
      ['cancel_agent', { agent_id: 'none' }],
      ['send_message', { message: '' }],
      ['no_tool', {}],
    ] as const)
      expect(await call(name, args), name).toMatchObject({ isError: true });
    expect(await call('wait_agents')).toMatchObject({ isError: false });
    expect((await call('spawn_agent', { instructions: 'x' })).result).not.toHaveProperty('structuredContent');
  });

  test('a call that the client would cut goes on in the background before, and a wait ends', async () => {
    const { manager, call } = open({ foregroundMs: 20 });
    const { text, isError } = await call('spawn_agent', { instructions: 'for ever' });
    expect(isError).toBe(false);
    expect(text).toContain('wait_agents gets its result');
    const [task] = manager.list().items;
    expect(task).toMatchObject({ status: 'running', background: true });
    const waited = await call('wait_agents', { timeout_ms: 600_000 });
    expect(waited.text).toContain('Not ended in that time; they continue');
    await manager.cancel(task?.taskId as string);
    expect((await call('wait_agents')).text).toContain('cancelled');
  });

  test('W5 a call that its client aborts cancels what it waits for, and the next wait reports it', async () => {
    const gone = new AbortController();
    const { manager, call, server } = open({}, { signal: gone.signal });
    const calling = call('spawn_agent', { instructions: 'for ever' });
    await new Promise<void>((resolve) => {
      const stop = manager.subscribe(({ type }) => {
        if (type !== 'run_started') return;
        stop();
        resolve();
      });
      if (manager.list({ filter: { status: ['running'] } }).total > 0) resolve();
    });
    gone.abort();
    await calling;
    expect(manager.list().items[0]?.status).toBe('cancelled');
    const next = served(manager);
    expect((await next.call('wait_agents')).text).toContain('cancelled');
    expect(server).toBeDefined();
  });
});

describe('questions', () => {
  const agrees = (answer: string) => {
    const asked: string[] = [];
    const elicit: NonNullable<FakeClient['elicit']> = async ({ message }) => {
      asked.push(message);
      return { action: 'accept', content: { answer } };
    };
    return { asked, elicit };
  };

  test('go to the person at a client that can ask one, in a call and in a wait', async () => {
    const { asked, elicit } = agrees('blue');
    const { call } = open({}, { elicit });
    expect((await call('spawn_agent', { instructions: 'ask which colour' })).text).toContain('it is blue');
    expect(asked[0]).toContain('ask which colour');
    expect(asked[0]).toContain('A sub-agent asks');
    await call('spawn_agent', { instructions: 'ask again', background: true });
    expect((await call('wait_agents')).text).toContain('it is blue');
    expect(asked).toHaveLength(2);
  });

  test.each([
    ['declines', { elicit: async () => ({ action: 'decline' }) }, {}],
    ['fails', { elicit: () => Promise.reject(new Error('gone')) }, {}],
    ["can't be asked", {}, {}],
    ['is not to be asked', { elicit: async () => ({ action: 'accept', content: { answer: 'x' } }) }, { elicit: false }],
  ] as const)('go to the model where the person %s', async (_, client, options) => {
    const { manager, call } = open(options, client as FakeClient);
    const { text } = await call('spawn_agent', { instructions: 'ask which colour' });
    expect(text).toContain('send_message answers it');
    expect((await call('wait_agents')).text).toContain('which colour');
    await call('send_message', { agent_id: manager.list().items[0]?.taskId as string, message: 'red' });
    expect((await call('wait_agents')).text).toContain('it is red');
  });

  test.each([
    ['of all', {}],
    ['that names the ended one again', { agent_ids: ['first', 'second'] }],
  ])('hold back nothing that has ended: the next wait %s asks', async (_, which) => {
    const { asked, elicit } = agrees('blue');
    const { call } = open({}, { elicit });
    await call('spawn_agent', { instructions: 'x', name: 'first', background: true });
    await call('spawn_agent', { instructions: 'ask which colour', name: 'second', background: true });
    const { text } = await call('wait_agents', which);
    expect(text).toMatch(/did x[\s\S]*Still at work/);
    expect(text).not.toContain('asks:');
    expect(asked).toEqual([]);
    expect((await call('wait_agents', which)).text).toContain('it is blue');
  });

  test('that no person answers in the time of the call go to the model', async () => {
    let signal: AbortSignal | undefined;
    const elicit: NonNullable<FakeClient['elicit']> = (_, options) => {
      signal = options.signal;
      return new Promise(() => undefined);
    };
    const { call } = open({ foregroundMs: 20 }, { elicit });
    expect((await call('spawn_agent', { instructions: 'ask which colour' })).text).toContain('send_message answers it');
    expect(signal?.aborted).toBe(true);
  });
});

describe('the end of a client', () => {
  test('ends its manager at once; with lingerMs, when the background work is done', async () => {
    const { manager, server } = open();
    const ended = endWithClient(server, manager);
    manager.spawn({ instructions: 'for ever', background: true });
    server.onclose?.();
    await ended;
    expect(() => manager.list()).toThrow(expect.objectContaining({ code: 'disposed' }));

    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const later = open({}, {}, { spawnSubAgent: () => finished.then(() => ({ output: 'x' })) });
    const lingers = endWithClient(later.server, later.manager, { lingerMs: Number.POSITIVE_INFINITY });
    const task = later.manager.spawn({ instructions: 'x', background: true });
    later.server.onclose?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(later.manager.get(task.taskId).status).toBe('running');
    finish();
    await lingers;
    expect(() => later.manager.list()).toThrow(expect.objectContaining({ code: 'disposed' }));
  });

  test('looks when work has ended, and not again and again before', async () => {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { manager, server } = open({}, {}, { spawnSubAgent: () => finished.then(() => ({ output: 'x' })) });
    const looked: string[] = [];
    const watched = new Proxy(manager, {
      get(target, name) {
        if (name === 'list' || name === 'subscribe') looked.push(name);
        const value = Reflect.get(target, name, target) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const ended = endWithClient(server, watched, { lingerMs: Number.POSITIVE_INFINITY });
    manager.spawn({ instructions: 'x', background: true });
    server.onclose?.();
    await new Promise((resolve) => setTimeout(resolve, 600));
    // At the most one more, of those that find a manager that was disposed.
    expect(looked.slice(0, 2)).toEqual(['list', 'subscribe']);
    expect(looked.length).toBeLessThanOrEqual(4);
    finish();
    await ended;
  });

  test('refuses what is no time', () => {
    const { manager, server } = open();
    expect(() => endWithClient(server, manager, { lingerMs: -1 })).toThrow('`lingerMs` must be milliseconds from 0');
    expect(() => endWithClient(server, manager, { linger: 1 } as never)).toThrow('endWithClient has no option `linger`');
  });
});
