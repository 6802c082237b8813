// S6: waits that are made in the context of a run give its slot up; where nothing can move, `onError` is notified.

import { afterEach, expect, test, vi } from 'vitest';
import { type HostResult, type Run, SubAgentError, SubAgentManager, type SubAgentManagerOptions } from '../../../dist/index.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
  vi.useRealTimers();
});

type Work = (instructions: string, run: Run, manager: SubAgentManager) => Promise<HostResult>;

function open(work: Work, options: SubAgentManagerOptions = {}): SubAgentManager {
  const manager: SubAgentManager = new SubAgentManager({
    maxConcurrent: 1,
    maxDepth: 2,
    asyncContext: true,
    onWake: () => undefined,
    ...options,
    spawnSubAgent: ({ instructions }, run) => work(instructions, run, manager),
  });
  opened.push(manager);
  return manager;
}

const leaf: HostResult = { output: 'leaf' };
const answer = (text: string): HostResult => ({ output: text });

test('S6 S1 the manager’s own tools, used by every sub-agent that has a slot', async () => {
  const manager = open(
    async (instructions, run) => {
      if (instructions === 'leaf') return leaf;
      await run.beforeTurn();
      return answer((await tools.spawn_agent?.execute({ instructions: 'leaf' }, { abortSignal: run.signal })) ?? '');
    },
    { maxConcurrent: 3 },
  );
  const tools = manager.createTools();
  const ends = await Promise.all([1, 2, 3].map((number) => manager.spawn({ instructions: `parent ${number}` }).wait()));
  expect(ends.map(({ status, output }) => [status, output.includes('leaf')])).toEqual(Array.from({ length: 3 }, () => ['completed', true]));
});

test.each<[string, (run: Run, manager: SubAgentManager) => Promise<{ output?: string } | undefined>]>([
  ['a wait of the manager', async (run, manager) => (await manager.wait([run.spawn({ instructions: 'leaf' })])).completed[0]],
  ['a handle of the manager', (_, manager) => manager.spawn({ instructions: 'leaf' }).wait()],
  ['a handle of a session', (_, manager) => manager.session('other').spawn({ instructions: 'leaf' }).wait()],
  [
    'a wait of a session',
    async (_, manager) => {
      const session = manager.session('other');
      return (await session.wait([session.spawn({ instructions: 'leaf' })])).completed[0];
    },
  ],
])('S6 S1 %s in a host function', async (_, wait) => {
  const manager = open(async (instructions, run, its) => {
    if (instructions === 'leaf') return leaf;
    await new Promise((resolve) => setTimeout(resolve, 1));
    return answer((await wait(run, its))?.output ?? 'nothing');
  });
  expect(await manager.spawn({ instructions: 'parent' }).wait()).toMatchObject({ status: 'completed', output: 'leaf' });
});

test('S6 P1 a wait that a policy makes', async () => {
  const manager: SubAgentManager = open(
    async (instructions, run) => answer((await run.beforeTool('ask', {})).allowed ? 'allowed' : instructions),
    {
      policies: {
        subAgents: [
          {
            name: 'judge',
            async beforeTool({ prompt }) {
              if (prompt === 'judge') return { action: 'continue' };
              const verdict = await manager.spawn({ instructions: 'judge' }).wait();
              return verdict.output === 'allowed' ? { action: 'continue' } : { action: 'block', reason: 'no' };
            },
          },
        ],
      },
    },
  );
  expect(await manager.spawn({ instructions: 'parent' }).wait()).toMatchObject({ output: 'allowed' });
});

test('S6 S2 a run that takes a turn while such a wait is open has a slot for it, and the wait goes on', async () => {
  const log: string[] = [];
  let free = (): void => undefined;
  const manager = open(
    async (instructions, run, its) => {
      if (instructions === 'leaf') {
        await new Promise<void>((resolve) => (free = resolve));
        return leaf;
      }
      await run.beforeTurn();
      const waiting = its.spawn({ instructions: 'leaf' }).wait();
      log.push(String(its.get(run.taskId).parked));
      const turn = run.beforeTurn();
      await vi.waitFor(() => expect(its.getConcurrencyInfo().active).toBe(2));
      log.push(`turn ${(await turn).go}`, String(its.get(run.taskId).parked));
      free();
      return answer((await waiting).output);
    },
    { maxConcurrent: 2 },
  );
  expect((await manager.spawn({ instructions: 'parent' }).wait()).output).toBe('leaf');
  expect(log).toEqual(['children', 'turn true', 'null']);
});

test('S6 C1 such a wait goes on after the run in whose context it was made', async () => {
  let waiting: Promise<{ output: string }> | undefined;
  const manager = open(async (instructions, _, its) => {
    if (instructions === 'leaf') return leaf;
    waiting = its.spawn({ instructions: 'leaf' }).wait();
    return answer('over');
  });
  expect((await manager.spawn({ instructions: 'parent' }).wait()).output).toBe('over');
  expect((await waiting)?.output).toBe('leaf');
});

test('S6 where that is off and nothing moves for `stallMs`, `onError` is notified once, with the runs and the way out', async () => {
  vi.useFakeTimers();
  const onError = vi.fn();
  let free = (): void => undefined;
  const manager = open(
    async (instructions, run) => {
      if (instructions === 'leaf') return leaf;
      run.spawn({ instructions: 'leaf', background: true });
      await new Promise<void>((resolve) => (free = resolve));
      return answer('over');
    },
    { asyncContext: false, onError },
  );
  const handle = manager.spawn({ instructions: 'parent' });
  await vi.advanceTimersByTimeAsync(4_999);
  expect(onError).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onError).toHaveBeenCalledTimes(1);
  const [error] = onError.mock.calls[0] as [SubAgentError];
  expect(error).toBeInstanceOf(SubAgentError);
  expect(error).toMatchObject({ code: 'stalled', details: { taskIds: [handle.taskId], limit: 1, option: 'maxConcurrent' } });
  expect(error.message).toMatch(/run\.wait.*run\.createTools\(\).*maxConcurrent/);
  free();
  await vi.advanceTimersByTimeAsync(10);
  expect(handle.status).toBe('completed');
});

test.each<[string, SubAgentManagerOptions, boolean]>([
  ['a slot is free', { maxConcurrent: 2 }, false],
  ['a run that holds one has nothing queued below it', { maxDepth: 1 }, false],
  ['it is lifted', { stallMs: Number.POSITIVE_INFINITY }, false],
  ['a shorter time', { stallMs: 50 }, true],
])('S6 a stall: %s', async (_, options, isTold) => {
  vi.useFakeTimers();
  const onError = vi.fn();
  const never = new Promise<never>(() => undefined);
  const manager = open(
    (instructions, run) => {
      if (instructions === 'parent' && run.depth < 2 && options.maxDepth !== 1) run.spawn({ instructions: 'leaf', background: true });
      return never;
    },
    { asyncContext: false, onError, ...options },
  );
  manager.spawn({ instructions: 'parent' });
  manager.spawn({ instructions: 'waits' });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(onError.mock.calls.map(([error]) => error.code)).toEqual(isTold ? ['stalled'] : []);
});

test('S6 it is on by default where it costs next to nothing', async () => {
  const manager = open(
    async (instructions, run, its) =>
      instructions === 'leaf'
        ? leaf
        : answer((await its.wait([run.spawn({ instructions: 'leaf' })], { timeoutMs: 100 })).timedOut ? 'stood' : 'went'),
    { asyncContext: undefined },
  );
  const isCheap = Number(process.versions.node.split('.')[0]) >= 24;
  expect((await manager.spawn({ instructions: 'parent' }).wait()).output).toBe(isCheap ? 'went' : 'stood');
});

test.each([1, 'yes', null, {}])('`asyncContext` must be a boolean (%#)', (asyncContext) => {
  expect(() => new SubAgentManager({ asyncContext, spawnSubAgent: async () => leaf } as never)).toThrow('`asyncContext` must be a boolean');
});
