// What a model is promised about ends of background work, and who learns of them (N6).

import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  createSubAgentTool,
  type SubAgentDetails,
  SubAgentManager,
  type SubAgentManagerOptions,
  type SubAgentToolConfig,
  type ToolsOptions,
} from '../../../dist/index.js';
import { served } from '../../support/mcp.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

function open(): SubAgentManager {
  const manager = new SubAgentManager({
    spawnSubAgent: async (params, run) => {
      if (params.instructions === 'ask') await run.ask('which?');
      return { output: 'RESULT' };
    },
  });
  opened.push(manager);
  return manager;
}

describe('N6 a tool that stands alone', () => {
  function alone(config: Partial<SubAgentToolConfig> = {}) {
    const errors: unknown[] = [];
    let resolve!: (details: SubAgentDetails) => void;
    const end = new Promise<SubAgentDetails>((done) => {
      resolve = done;
    });
    const tool = createSubAgentTool({
      spawnSubAgent: async ({ instructions }) => {
        await new Promise((done) => setTimeout(done, 5));
        if (instructions === 'bad') throw new Error('boom');
        return { output: 'RESULT', usage: { turns: 2, cost: 0.5 }, artifacts: [{ file: 'a' }] };
      },
      onDetails: (details, toolCallId) => {
        if (details.status !== 'running') resolve({ ...details, ...(toolCallId !== undefined && { hostStatus: 'wrong' }) });
      },
      onError: (error) => errors.push(error),
      ...config,
    });
    return { tool, end, errors };
  }

  test('N6 promises no notice, and notifies the program of the end', async () => {
    const { tool, end, errors } = alone();
    const text = await tool.execute({ instructions: 'good', background: true }, { toolCallId: 'c' });
    expect(text).toMatch(/^Subagent \[good\] started \(id: sub_[0-9a-f]{32}\)\. No notice of its end comes here\.$/);
    expect(await end).toMatchObject({ background: true, status: 'completed', turns: 2, cost: 0.5, artifacts: [{ file: 'a' }] });
    expect(await end).not.toHaveProperty('hostStatus');
    expect(errors).toEqual([]);
  });

  test('R5 the end in the background has the figures of one that the call waits for', async () => {
    const inputs = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 2 };
    const details: SubAgentDetails[] = [];
    const tool = createSubAgentTool({
      spawnSubAgent: ({ instructions }) =>
        instructions === 'knows' ? { output: 'x', usage: { ...inputs, costUsd: 0.5, turns: 1, estimated: true } } : { output: 'x' },
      onDetails: (given) => {
        if (given.status !== 'running') details.push(given);
      },
    });
    for (const instructions of ['knows', 'says nothing']) {
      for (const background of [false, true]) await tool.execute({ instructions, background });
      await expect.poll(() => details.length).toBe(2);
      const [waited, later] = details.splice(0);
      const id = { taskId: expect.any(String), durationMs: expect.any(Number) };
      expect(later).toEqual({ ...waited, ...id, background: true });
      const known = { ...inputs, tokens: 15, cost: 0.5, turns: 1, estimated: true };
      expect(later).toMatchObject(instructions === 'knows' ? known : { tokens: null, cost: null, turns: null });
    }
  });

  test('N6 a throw goes to `onError`, its end to `onDetails`', async () => {
    const { tool, end, errors } = alone();
    await tool.execute({ instructions: 'bad', background: true });
    expect(await end).toMatchObject({ background: true, status: 'failed', turns: null, cost: null });
    await new Promise((done) => setTimeout(done, 0));
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('boom') })]);
  });

  test('N6 an `onDetails` that throws goes to `onError`', async () => {
    let reported!: (error: unknown) => void;
    const error = new Promise((done) => {
      reported = done;
    });
    const { tool } = alone({
      onDetails: ({ status }) => {
        if (status === 'completed') throw new Error('mine');
      },
      onError: reported,
    });
    await tool.execute({ instructions: 'good', background: true });
    expect(await error).toMatchObject({ message: 'mine' });
  });

  test('N6 of work that the host started elsewhere it knows who notifies', async () => {
    const { tool, end } = alone({ spawnBackgroundSubAgent: async () => ({ taskId: 'job-1' }) });
    expect(await tool.execute({ instructions: 'x', background: true })).toContain("I'll notify you when it completes.");
    tool.reportSettled('job-1', { output: 'done' });
    expect(await end).toMatchObject({ status: 'completed', hostTaskId: 'job-1' });
  });

  test('N6 it lets go of each end that came before its call had answered', async () => {
    /** The maps that had a notice put in. */
    const holders = new Set<Map<unknown, unknown>>();
    let held = 0;
    const { set } = Map.prototype;
    const spy = vi.spyOn(Map.prototype, 'set').mockImplementation(function (this: Map<unknown, unknown>, key, value) {
      if (typeof value === 'object' && value !== null && 'deliveryId' in value) {
        holders.add(this);
        held += 1;
      }
      return set.call(this, key, value);
    });
    try {
      const ends: string[] = [];
      const { tool } = alone({
        spawnSubAgent: ({ instructions }, run) => {
          if (instructions === 'throws') throw new Error('boom');
          if (instructions === 'done') return { output: 'RESULT' };
          return new Promise((resolve) => run.signal.addEventListener('abort', () => resolve({ output: 'part' })));
        },
        onDetails: ({ status }) => {
          if (status !== 'running') ends.push(status);
        },
      });
      const aborted = async (background: boolean): Promise<void> => {
        const abort = new AbortController();
        const call = tool.execute({ instructions: 'aborted', background }, { abortSignal: abort.signal });
        abort.abort();
        await call;
      };
      for (const background of [true, false]) {
        await tool.execute({ instructions: 'throws', background });
        await tool.execute({ instructions: 'done', background });
        await aborted(background);
      }
      await expect.poll(() => ends.sort()).toEqual(['cancelled', 'cancelled', 'completed', 'completed', 'failed', 'failed']);
      expect(held).toBeGreaterThan(0);
      for (const map of holders) expect(map.size).toBe(0);
    } finally {
      spy.mockRestore();
    }
  });
});

describe('N6 over MCP nothing notifies', () => {
  const called = (tools: Parameters<typeof served>[0]) => {
    const { call } = served(tools);
    return async (name: string, args: object): Promise<string> => (await call(name, args)).text;
  };

  test('N6 the answers of background work and of questions name a tool in place of a promise', async () => {
    const manager = open();
    const call = called([...manager.createTools(), manager.createSubAgentTool()]);
    const started = await call('spawn_agent', { instructions: 'x', background: true });
    expect(started).toMatch(/started \(id: sub_[0-9a-f]{32}\)\. wait_agents gets its result\.$/);
    const asked = await call('spawn_agent', { instructions: 'ask' });
    expect(asked).toContain('It continues in the background. wait_agents gets its result.');
    const bare = await call('SubAgent', { instructions: 'x', background: true });
    expect(bare).toContain('No notice of its end comes here.');
    for (const text of [started, asked, bare]) expect(text).not.toContain('notify');
    // Called in the process of the agent, the same tool still says so.
    expect(await manager.createSubAgentTool().execute({ instructions: 'x', background: true })).toContain("I'll notify you");
  });

  test('N6 `task` of opencode promises nothing either', async () => {
    const manager = open();
    const call = called(manager.createTools({ preset: 'opencode', include: ['spawn'] }));
    const first = await call('task', { description: 'a', prompt: 'ask', background: true });
    const id = /sub_[0-9a-f]{32}/.exec(first)?.[0] ?? '';
    const queued = await call('task', { description: 'a', prompt: 'more', task_id: id, background: true });
    expect(first + queued).not.toContain('notify');
  });
});

describe('`task` of opencode that goes on with an earlier sub-agent', () => {
  const NOTIFIES = "I'll notify you when it completes.";

  /** Its first call has ended. `slow` lasts until `finish`. */
  async function continued(options: Partial<SubAgentManagerOptions> = {}, tools: ToolsOptions = {}) {
    let finish!: () => void;
    const finished = new Promise<void>((done) => {
      finish = done;
    });
    const manager = new SubAgentManager({
      ...options,
      spawnSubAgent: async (_, run) => {
        if (run.prompt.includes('slow')) await finished;
        if (run.prompt.includes('ask')) await run.ask('which?');
        return { output: `did ${run.prompt}`, usage: { turns: 3, tokens: 15 } };
      },
    });
    opened.push(manager);
    const { task } = manager.createTools({ preset: 'opencode', canAnswer: true, ...tools });
    const say = (args: object, options = {}) => task?.execute({ description: 'd', ...args }, options) as Promise<string>;
    await say({ prompt: 'one' });
    const { taskId } = manager.list().items[0] as { taskId: string };
    const goOn = (prompt: string, background = false, options = {}) => say({ prompt, task_id: taskId, background }, options);
    const ends = () => manager.inbox.peek().map(({ text }) => /did [a-z]+/.exec(text)?.[0]);
    return { manager, taskId, goOn, ends, finish };
  }

  test('N1 in the background, its end makes a notice', async () => {
    const { manager, taskId, goOn, ends } = await continued();
    expect(await goOn('two', true)).toMatch(/works on it\. I'll notify you when it completes\.$/);
    expect(manager.get(taskId).background).toBe(true);
    await expect.poll(ends).toEqual(['did two']);
  });

  test('N1 if there is no room for a notice, the call waits', async () => {
    const { manager, taskId, goOn } = await continued({ maxNotices: 1 });
    await manager.spawn({ instructions: 'other', background: true });
    await expect.poll(() => manager.inbox.peek().length).toBe(1);
    expect(await goOn('two', true)).toContain('did two');
    manager.send(taskId, 'slow');
    expect(await goOn('three')).not.toContain('notify');
  });

  test('N6 behind another run, it makes the notice that is promised', async () => {
    const { manager, taskId, goOn, ends, finish } = await continued();
    manager.send(taskId, 'slow');
    expect(await goOn('three')).toMatch(/is over\. I'll notify you when it completes\.$/);
    finish();
    await expect.poll(ends).toEqual(['did slow', 'did three']);
  });

  test('N6 behind the call of another, it does not end that call, and promises nothing', async () => {
    let finish!: () => void;
    const finished = new Promise<void>((done) => {
      finish = done;
    });
    const manager = new SubAgentManager({
      maxDepth: 2,
      spawnSubAgent: async ({ instructions }, run) => {
        if (instructions === 'inner') await finished;
        return { output: instructions === 'inner' ? 'INNER' : await run.createSubAgentTool().execute({ instructions: 'inner' }) };
      },
    });
    opened.push(manager);
    const outer = await manager.spawn({ instructions: 'outer' });
    await expect.poll(() => manager.list().items.length).toBe(2);
    const { taskId } = manager.list().items[1] as { taskId: string };
    const { task } = manager.createTools({ preset: 'opencode' });
    expect(await task?.execute({ description: 'd', prompt: 'more', task_id: taskId })).not.toContain('notify');
    finish();
    expect((await outer.wait()).output).toContain('INNER');
  });

  test('M5 N6 if it asks, it continues in the background, and its end makes a notice', async () => {
    const { manager, taskId, goOn, ends } = await continued();
    const text = await goOn('ask');
    expect(text).toContain('which?');
    expect(text).toContain(`It continues in the background. ${NOTIFIES}`);
    expect(manager.get(taskId)).toMatchObject({ background: true, parked: 'input' });
    manager.send(taskId, 'this');
    await expect.poll(ends).toEqual(['did ask']);
  });

  test('M5 R5 the program gets its details, and answers its questions', async () => {
    const details: unknown[] = [];
    const onDetails = (given: SubAgentDetails, toolCallId: string | undefined) => details.push([given, toolCallId]);
    const { taskId, goOn } = await continued({ getModelId: () => 'model' }, { onDetails });
    details.length = 0;
    const onQuestion = async () => 'this';
    expect(await goOn('ask', false, { onQuestion, toolCallId: 'call' })).toContain('did ask');
    await goOn('two', true);
    const known = { taskId, modelId: 'model' };
    expect(details).toEqual([
      [
        expect.objectContaining({ ...known, background: false, status: 'completed', turns: 3, tokens: 30, durationMs: expect.any(Number) }),
        'call',
      ],
      [expect.objectContaining({ ...known, background: true, status: 'running', turns: null, durationMs: null }), undefined],
    ]);
  });

  test('N6 nothing is promised where nothing notifies', async () => {
    const { manager, taskId, goOn, ends, finish } = await continued({}, { foregroundMs: 5 });
    const moved = await goOn('slow', false, { notifies: false });
    expect(moved).toMatch(/^Subagent \[d\] started \(id: sub_[0-9a-f]{32}\)\.$/);
    const waits = await goOn('next', true, { notifies: false });
    finish();
    await expect.poll(ends).toEqual(['did slow', 'did next']);
    const works = await goOn('two', true, { notifies: false });
    await expect.poll(() => manager.get(taskId).status).toBe('completed');
    const asks = await goOn('ask', false, { notifies: false });
    for (const text of [moved, waits, works, asks]) expect(text).not.toContain('notify');
  });

  test('X3 N6 one that is in the background already ends the call by its time, too', async () => {
    const { goOn, ends, finish } = await continued({}, { foregroundMs: 5 });
    await goOn('two', true);
    await expect.poll(ends).toEqual(['did two']);
    expect(await goOn('slow')).toMatch(/^Subagent \[d\] started .* I'll notify you when it completes\.$/);
    finish();
    await expect.poll(ends).toEqual(['did two', 'did slow']);
  });

  test('C3 in a run that ends well, it lives on', async () => {
    let finish!: () => void;
    const finished = new Promise<void>((done) => {
      finish = done;
    });
    const manager = new SubAgentManager({
      maxDepth: 2,
      spawnSubAgent: async (_, run) => {
        if (run.prompt === 'slow') await finished;
        if (run.depth > 1) return { output: `did ${run.prompt}` };
        const { task } = run.createTools({ preset: 'opencode' });
        await task?.execute({ description: 'd', prompt: 'one' });
        const { taskId } = run.list().items[0] as { taskId: string };
        await task?.execute({ description: 'd', prompt: 'slow', task_id: taskId, background: true });
        return { output: taskId };
      },
    });
    opened.push(manager);
    const { output } = await (await manager.spawn({ instructions: 'outer' })).wait();
    finish();
    await expect.poll(() => manager.get(output)).toMatchObject({ status: 'completed', output: 'did slow' });
  });
});
