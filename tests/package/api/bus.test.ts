// Source 4: background agents and the message bus. Spawn, status text, message, and the way back.

import '../../support/virtual-time.js';

import { afterEach, describe, expect, it, test } from 'vitest';
import {
  type BusMessage,
  parseOrigin,
  SubAgentManager,
  type SubAgentManagerOptions,
  startedText,
  toBusMessage,
} from '../../../dist/index.js';
import { done, managerWith, manualHost } from '../../support/hosts.js';
import { flush, pass } from '../../support/virtual-time.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

/** An agent loop with a bus, as source 4 has it: one inbound queue, sub-agents report over it. */
function agentLoop() {
  const { host, runs } = manualHost();
  const bus: BusMessage[] = [];
  const { manager } = managerWith(host, {
    maxTurns: 15,
    onWake: ({ inbox }) => {
      for (const notice of inbox.lease()) bus.push(toBusMessage(notice));
    },
  });
  opened.push(manager);
  return { manager, runs, bus };
}

describe('source 4', () => {
  it('S4.01 S4.03 S4.04 S4.09 S4.10 spawns, says so, sends a system message, and the main agent finds the chat', async () => {
    const { manager, runs, bus } = agentLoop();
    let chat = { channel: 'telegram', chatId: '42:7' };
    const tool = manager.createSubAgentTool({ origin: () => chat });
    const task = '搜尋最新的 Python 3.12 特性並整理成表格';
    const said = await tool.execute({ instructions: task, background: true });
    const [view] = manager.list().items;
    expect(said).toBe(`Subagent [${task}] started (id: ${view?.taskId}). I'll notify you when it completes.`);
    expect(said).toBe(startedText(view as never));
    // The main loop goes on, with another chat, while the sub-agent works.
    chat = { channel: 'cli', chatId: 'direct' };
    expect(bus).toEqual([]);
    expect(manager.getRunningCount()).toBe(1);
    await pass(5_000);
    runs[0]?.end.resolve(done('| Feature | PEP |'));
    await flush();
    expect(manager.getRunningCount()).toBe(0);

    expect(bus).toHaveLength(1);
    const message = bus[0] as BusMessage;
    expect(message).toMatchObject({ channel: 'system', senderId: 'subagent', chatId: 'telegram:42:7' });
    expect(message.content).toMatch(
      new RegExp(`^\\[Subagent '${task}' completed\\]\\n\\nTask: '${task}'\\n\\nResult: \\n<subagent-output `),
    );
    expect(message.content.indexOf('| Feature | PEP |')).toBeGreaterThan(message.content.indexOf('Result:'));
    expect(parseOrigin(message.chatId)).toEqual({ channel: 'telegram', chatId: '42:7' });
    expect(manager.inbox.ack(message.deliveryId)).toBe(true);
    expect(manager.inbox.peek()).toEqual([]);
  });

  it('S4.03 the origin is `cli`, `direct` where none is given', async () => {
    const { manager, runs, bus } = agentLoop();
    manager.spawn({ instructions: 'x', background: true });
    runs[0]?.end.resolve(done());
    await flush();
    expect(bus[0]?.chatId).toBe('cli:direct');
    expect(parseOrigin(bus[0]?.chatId ?? '')).toEqual({ channel: 'cli', chatId: 'direct' });
  });

  it('S4.05 a label is for display: given, it may repeat; absent, it is the first 30 characters of the text', async () => {
    const { manager, runs, bus } = agentLoop();
    for (const label of ['研究', '研究', undefined]) {
      manager.spawn({ instructions: '😀'.repeat(40), background: true, ...(label !== undefined && { label }) });
    }
    for (const { end } of runs) end.resolve(done());
    await flush();
    const labels = bus.map(({ content }) => /'(.*)'/.exec(content)?.[1]);
    expect(labels).toEqual(['研究', '研究', '😀'.repeat(30)]);
  });

  it('S3.29 S4.05 one that was spawned without a text is shown by its nickname', async () => {
    const { manager, runs, bus } = agentLoop();
    const handle = manager.spawn({ nickname: 'scout', background: true });
    expect(startedText(handle.snapshot())).toMatch(/^Subagent \[scout\] started/);
    handle.send('look around');
    runs[0]?.end.resolve(done());
    await flush();
    expect(bus[0]?.content).toMatch(/^\[Subagent 'scout' completed\]\n/);
    expect(manager.list({ filter: { label: 'scout' } }).total).toBe(1);
    expect(manager.spawn({ nickname: 'other', instructions: 'find the harbour' }).snapshot().label).toBe('find the harbour');
    expect(manager.spawn({}).snapshot().label).toBe('');
  });

  it('S4.06 S4.15 S4.18 counts what runs, of all or of one session, all equal; what has ended counts no more', async () => {
    const { manager, runs } = agentLoop();
    const session = manager.session('a');
    manager.spawn({ instructions: 'one', background: true });
    session.spawn({ instructions: 'two', background: true });
    session.spawn({ instructions: 'three' });
    session.spawn({ instructions: 'queued' });
    expect([manager.getRunningCount(), manager.getRunningCount('a'), manager.getRunningCount('b')]).toEqual([3, 2, 0]);
    for (const { end } of runs.slice(0, 2)) end.resolve(done());
    await flush();
    expect([manager.getRunningCount(), manager.getRunningCount('a')]).toEqual([2, 2]);
    expect(() => manager.getRunningCount(5 as never)).toThrow('session key');
  });

  it('S4.14 a sub-agent that throws harms nobody, and its error is reported like a result', async () => {
    const { manager, runs, bus } = agentLoop();
    manager.spawn({ instructions: 'breaks', background: true });
    manager.spawn({ instructions: 'works', background: true });
    runs[0]?.end.reject(new Error('rate limited'));
    runs[1]?.end.resolve(done('fine'));
    await flush();
    expect(bus.map(({ content }) => content.split('\n')[0])).toEqual([
      "[Subagent 'breaks' failed: 'rate limited']",
      "[Subagent 'works' completed]",
    ]);
    expect(bus[0]?.content).toContain('rate limited');
  });

  it('S4.13 S4.16 a sub-agent gets its task and nothing of the chat', async () => {
    const { manager, runs } = agentLoop();
    manager.spawn({ instructions: 'only this', background: true, origin: { channel: 'telegram', chatId: '42' } });
    expect(runs[0]?.run.prompt).toBe('only this');
    expect(runs[0]?.run.session.size).toBe(0);
  });

  it('S4.08 S4.17 is bounded in turns, and a long result is cut for the model, whole in the notice', async () => {
    const { manager, runs, bus } = agentLoop();
    manager.spawn({ instructions: 'x', background: true });
    expect(runs[0]?.run.limits.maxTurns).toBe(15);
    runs[0]?.end.resolve(done('a'.repeat(100_000)));
    await flush();
    expect(bus[0]?.content.length).toBeLessThan(20_000);
    expect(manager.inbox.peek()[0]?.output).toHaveLength(100_000);
  });
});

describe('S4.19 a bus', () => {
  function withBus(publish: (message: BusMessage) => unknown, options: SubAgentManagerOptions = {}) {
    const { host, runs } = manualHost();
    const made = managerWith(host, { bus: { publish }, ...options });
    opened.push(made.manager);
    return { ...made, runs };
  }

  it('S4.19 ends are published by themselves, of the manager and of each session, and are acknowledged', async () => {
    const bus: BusMessage[] = [];
    const { manager, runs } = withBus((message) => bus.push(message));
    const own = manager.session('own', { onWake: () => undefined });
    manager.spawn({ instructions: 'a', background: true, origin: { channel: 'telegram', chatId: '7' } });
    manager.session('s').spawn({ instructions: 'b', background: true });
    own.spawn({ instructions: 'c', background: true });
    for (const { end } of runs) end.resolve(done('found'));
    await flush();
    expect(bus.map(({ chatId, channel, content }) => [channel, chatId, content.split('\n')[0]])).toEqual([
      ['system', 'telegram:7', "[Subagent 'a' completed]"],
      ['system', 'cli:direct', "[Subagent 'b' completed]"],
    ]);
    expect([manager, manager.session('s'), own].map(({ inbox }) => inbox.peek().length)).toEqual([0, 0, 1]);
  });

  it('one that the bus does not take comes again, and its error is reported', async () => {
    const taken: string[] = [];
    const errors: unknown[] = [];
    let broken: 'throws' | 'rejects' | undefined = 'throws';
    const publish = ({ deliveryId }: BusMessage): unknown => {
      taken.push(deliveryId);
      if (broken === 'throws') throw new Error('no queue');
      return broken === 'rejects' ? Promise.reject(new Error('no network')) : Promise.resolve();
    };
    const { manager, runs } = withBus(publish, { leaseMs: 1_000, onError: (error) => errors.push(error) });
    manager.spawn({ instructions: 'a', background: true });
    runs[0]?.end.resolve(done());
    await flush();
    broken = 'rejects';
    await pass(1_000);
    expect(errors).toEqual([new Error('no queue'), new Error('no network')]);
    expect(manager.inbox.peek()).toMatchObject([{ delivery: 'leased', attempt: 2 }]);
    broken = undefined;
    await pass(1_000);
    expect(new Set(taken).size).toBe(1);
    expect(taken).toHaveLength(3);
    expect(manager.inbox.peek()).toEqual([]);
  });

  it('one that takes its time may outlive the manager; one that is none is refused', async () => {
    const errors: unknown[] = [];
    let take: (() => void) | undefined;
    const { manager, runs } = withBus(() => new Promise<void>((resolve) => (take = resolve)), { onError: (error) => errors.push(error) });
    manager.spawn({ instructions: 'a', background: true });
    runs[0]?.end.resolve(done());
    await flush();
    manager.dispose();
    take?.();
    await flush();
    expect(errors).toEqual([]);
    for (const bus of [null, 5, {}, { publish: 5 }])
      expect(() => new SubAgentManager({ bus: bus as never })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    expect(() => new SubAgentManager({ bus: { publish: () => undefined }, onWake: () => undefined })).toThrow('`bus` and `onWake`');
  });
});

test.each([
  ['telegram:42', { channel: 'telegram', chatId: '42' }],
  ['telegram:42:7', { channel: 'telegram', chatId: '42:7' }],
  ['direct', { channel: 'cli', chatId: 'direct' }],
  ['cli:', { channel: 'cli', chatId: '' }],
])('S4.10 parseOrigin splits at the first colon: %s', (chatId, origin) => {
  expect(parseOrigin(chatId)).toEqual(origin);
});

test.each([undefined, null, 5, {}])('wrong input: %s', (value) => {
  expect(() => parseOrigin(value as never)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  expect(() => toBusMessage(value as never)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
});
