// The face of nanobot: what its documentation says of the manager, its spawn tool and its bus messages, row by row.

import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type InboundMessage,
  type LLMProvider,
  type LLMResponse,
  parseOrigin,
  SpawnTool,
  SUBAGENT_MAX_ITERATIONS,
  SubagentManager,
  type SubagentManagerOptions,
} from '../../dist/from/nanobot.js';

type Request = Parameters<LLMProvider['chat']>[0];

const made: SubagentManager[] = [];
afterEach(() => {
  for (const { manager } of made.splice(0)) manager.dispose();
});

function open(answer: (request: Request, call: number) => LLMResponse | Promise<LLMResponse>, given: Partial<SubagentManagerOptions> = {}) {
  const requests: Request[] = [];
  const published: InboundMessage[] = [];
  const manager = new SubagentManager({
    provider: {
      chat: async (request) => {
        requests.push(request);
        return answer(request, requests.length);
      },
      getDefaultModel: () => 'default',
    },
    workspace: '/work',
    bus: { publishInbound: (message) => void published.push(message) },
    onError: (error) => expect.unreachable(String(error)),
    ...given,
  });
  made.push(manager);
  return { manager, requests, published };
}

const says = (content: string) => () => ({ content });
const never = (): Promise<LLMResponse> => new Promise(() => undefined);
const idIn = (text: string): string => /\(id: (.*)\)/.exec(text)?.[1] as string;

describe('the manager of nanobot', () => {
  test('S4.01 S4.03 S4.04 S4.09 spawn returns its text at once, and the end is published, letter by letter', async () => {
    const { manager, published } = open(says('| feature | since |'));
    const text = await manager.spawn({
      task: 'Search the new features of Python 3.12,\nand arrange them in a table',
      label: 'Python 3.12',
      originChannel: 'telegram',
      originChatId: '42',
    });
    expect(text).toMatch(/^Subagent \[Python 3\.12\] started \(id: [0-9a-f]{8}\)\. I'll notify you when it completes\.$/);
    await vi.waitFor(() => expect(published).toHaveLength(1));
    expect(published).toEqual([
      {
        channel: 'system',
        senderId: 'subagent',
        chatId: 'telegram:42',
        content:
          "[Subagent 'Python 3.12' completed]\n\nTask: 'Search the new features of Python 3.12, and arrange them in a table'\n\nResult: | feature | since |",
      },
    ]);
  });

  test('S4.05 the label is that of the spawn, else 30 characters of the task and "..."', async () => {
    const { manager } = open(never);
    const labels = ['short', 'x'.repeat(30), 'y'.repeat(31), '😀'.repeat(31)].map(async (task) => await manager.spawn({ task }));
    expect((await Promise.all(labels)).map((text) => /\[(.*)\]/.exec(text)?.[1])).toEqual([
      'short',
      'x'.repeat(30),
      `${'y'.repeat(30)}...`,
      `${'😀'.repeat(30)}...`,
    ]);
    expect(await manager.spawn({ task: 'a', label: 'same' })).toContain('[same]');
    expect(await manager.spawn({ task: 'b', label: 'same' })).toContain('[same]');
  });

  test('S4.03 S4.10 the origin is cli and direct unless it is given, and is found again', async () => {
    const { manager, published } = open(says('ok'));
    await manager.spawn({ task: 'a' });
    await manager.spawn({ task: 'b', originChannel: 'slack', originChatId: 'T1:C2' });
    await vi.waitFor(() => expect(published).toHaveLength(2));
    expect(published.map(({ chatId }) => parseOrigin(chatId))).toEqual([
      { channel: 'cli', chatId: 'direct' },
      { channel: 'slack', chatId: 'T1:C2' },
    ]);
    expect(parseOrigin('direct')).toEqual({ channel: 'cli', chatId: 'direct' });
  });

  test('S4.06 S4.15 S4.18 all run at once and are counted; what has ended is counted and kept no more', async () => {
    const ends: (() => void)[] = [];
    const { manager, published } = open(() => new Promise((resolve) => ends.push(() => resolve({ content: 'ok' }))));
    const ids = await Promise.all(Array.from({ length: 12 }, async (_, at) => idIn(await manager.spawn({ task: `t${at}` }))));
    await vi.waitFor(() => expect(ends).toHaveLength(12));
    expect(manager.getRunningCount()).toBe(12);
    expect(manager.manager.get(ids[0] as string).status).toBe('running');
    for (const end of ends) end();
    await vi.waitFor(() => expect(published).toHaveLength(12));
    expect(manager.getRunningCount()).toBe(0);
    await vi.waitFor(() => expect(manager.manager.list().total).toBe(0));
  });

  test('S4.02 S4.07 the tools are made of the workspace and its keys, without `message` and `spawn`', async () => {
    const tools = vi.fn(() => ['read_file', 'message', 'spawn'].map((name) => ({ name, execute: () => 'read' })));
    const { manager, requests, published } = open(says('ok'), { tools, braveApiKey: 'key', execConfig: { timeout: 60 }, model: 'own' });
    expect(tools.mock.calls).toEqual([
      [{ workspace: '/work', braveApiKey: 'key', execConfig: { timeout: 60 }, restrictToWorkspace: false }],
    ]);
    await manager.spawn({ task: 'a', temperature: 0.2 });
    await vi.waitFor(() => expect(published).toHaveLength(1));
    expect(requests[0]).toMatchObject({ model: 'own', temperature: 0.2 });
    expect(requests[0]?.tools.map(({ name }) => name)).toEqual(['read_file']);
  });

  test('S4.08 15 iterations, then it ends without an answer; the main agent takes 20', async () => {
    const call: LLMResponse = { content: null, toolCalls: [{ id: 'c', name: 'read_file', arguments: { path: 'a' } }] };
    const execute = vi.fn(() => 'text of a');
    const { manager, requests, published } = open(() => call, { tools: () => [{ name: 'read_file', execute }] });
    expect(SUBAGENT_MAX_ITERATIONS).toBe(15);
    await manager.spawn({ task: 'loop' });
    await vi.waitFor(() => expect(published).toHaveLength(1));
    expect([requests.length, execute.mock.calls.length]).toEqual([15, 15]);
    expect(published[0]?.content).toContain('completed]');
    expect(published[0]?.content).toContain('Result: Task completed but no final response was generated.');
    const turns: boolean[] = [];
    for (let turn = 0; turn < 21; turn += 1) turns.push((await manager.manager.beforeTurn()).go);
    expect([turns.indexOf(false), turns.length]).toEqual([20, 21]);
  });

  test.each([null, ''])('S4.08 the last message has the content %j: the message says that there is no answer', async (content) => {
    const { manager, published } = open(() => ({ content }));
    await manager.spawn({ task: "Ada's", label: "Bob's" });
    await vi.waitFor(() => expect(published).toHaveLength(1));
    expect(published[0]?.content).toBe(
      "[Subagent 'Bob’s' completed]\n\nTask: 'Ada’s'\n\nResult: Task completed but no final response was generated.",
    );
  });

  test('S4.11 S4.13 S4.16 it gets the short prompt and its task, and nothing else', async () => {
    const { manager, requests, published } = open(says('ok'));
    await manager.spawn({ task: 'first' });
    await manager.spawn({ task: 'second' });
    await vi.waitFor(() => expect(published).toHaveLength(2));
    const [system, user, ...more] = (requests[1] as Request).messages;
    expect([user, more]).toEqual([{ role: 'user', content: 'second' }, []]);
    expect(system?.role).toBe('system');
    for (const words of [/task/i, /message/i, /sub-agent/i, /concise|short/i]) expect(system?.content).toMatch(words);
  });

  test('the loop gives the model what its tools say, errors too', async () => {
    const answers: LLMResponse[] = [
      { content: 'looking', toolCalls: ['good', 'bad', 'none'].map((name) => ({ id: name, name, arguments: {} })) },
      { content: 'done' },
    ];
    const tools = () => [
      { name: 'good', execute: () => 'fine' },
      {
        name: 'bad',
        execute() {
          throw new Error('disk full');
        },
      },
    ];
    const { manager, requests, published } = open((_, call) => answers[call - 1] as LLMResponse, { tools });
    await manager.spawn({ task: 'go' });
    await vi.waitFor(() => expect(published).toHaveLength(1));
    expect(requests[1]?.messages.slice(2).map(({ role, content }) => [role, content])).toEqual([
      ['assistant', 'looking'],
      ['tool', 'fine'],
      ['tool', 'Error: disk full'],
      ['tool', "Error: Tool 'none' not found"],
    ]);
  });

  test('S4.14 S4.20 one that fails harms nobody; its message says that it failed, and with which error', async () => {
    const { manager, published } = open(({ messages }) => {
      if (messages[1]?.content === 'bad') throw new Error('no key');
      return { content: 'fine' };
    });
    await manager.spawn({ task: 'bad' });
    await manager.spawn({ task: 'good' });
    await vi.waitFor(() => expect(published).toHaveLength(2));
    expect(published.map(({ content }) => content)).toEqual([
      "[Subagent 'bad' failed: 'no key']\n\nTask: 'bad'\n\nResult: Error: no key",
      "[Subagent 'good' completed]\n\nTask: 'good'\n\nResult: fine",
    ]);
  });

  test('S4.17 a long result is published whole', async () => {
    const { manager, published } = open(says('z'.repeat(100_000)));
    await manager.spawn({ task: 'long' });
    await vi.waitFor(() => expect(published).toHaveLength(1));
    expect(published[0]?.content.endsWith('z'.repeat(100_000))).toBe(true);
  });

  test('S4.19 a bus that rejects is reported, and takes the message when it comes again', async () => {
    const onError = vi.fn();
    const publishInbound = vi.fn((_message: InboundMessage) => Promise.reject(new Error('bus is down')));
    const { manager } = open(says('ok'), { bus: { publishInbound }, onError });
    await manager.spawn({ task: 'a' });
    await vi.waitFor(() => expect(onError).toHaveBeenCalledTimes(1));
    expect(String(onError.mock.calls[0]?.[0])).toContain('bus is down');
    // It waits for its lease to be over.
    expect(manager.manager.inbox.peek()).toMatchObject([{ delivery: 'leased', attempt: 1 }]);
  });

  test('cancelBySession cancels one session alone, counts, and publishes nothing', async () => {
    const { manager, published } = open(({ messages }) => (messages[1]?.content === 'quick' ? { content: 'ok' } : never()));
    await manager.spawn({ task: 'a', sessionKey: 'ada', messageId: 'm1' });
    await manager.spawn({ task: 'b', sessionKey: 'ada' });
    await manager.spawn({ task: 'c', sessionKey: 'bob' });
    expect(manager.getRunningCount()).toBe(3);
    expect(await manager.cancelBySession('ada')).toBe(2);
    expect(await manager.cancelBySession('nobody')).toBe(0);
    expect(manager.getRunningCount()).toBe(1);
    await manager.spawn({ task: 'quick', sessionKey: 'ada', messageId: 'm2' });
    await vi.waitFor(() => expect(published).toHaveLength(1));
    expect(published).toMatchObject([{ messageId: 'm2', sessionKey: 'ada' }]);
  });
});

test('S4.12 the spawn tool spawns for the chat that it was given last', async () => {
  const { manager, published } = open(says('ok'));
  const tool = new SpawnTool(manager);
  expect([tool.name, tool.parameters.required]).toEqual(['spawn', ['task']]);
  expect(await tool.execute({ task: 'a', label: 'A' })).toMatch(/^Subagent \[A\] started/);
  tool.setContext('telegram', '7');
  await tool.execute({ task: 'b' });
  await vi.waitFor(() => expect(published).toHaveLength(2));
  expect(published.map(({ chatId }) => chatId)).toEqual(['cli:direct', 'telegram:7']);
});
