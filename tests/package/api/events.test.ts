// What every event says of the sub-agent that it is about, so that a line of progress needs no look-up (A6); and what one
// event says that else would take several.

import { expect, test } from 'vitest';
import { type SpawnSubAgent, type SubAgentEvent, SubAgentManager, type SubAgentManagerOptions } from '../../../dist/index.js';

type About = Pick<Extract<SubAgentEvent, { taskId: string | null }>, 'type' | 'taskId' | 'label' | 'parentId' | 'metadata'>;

const aboutOf = (event: SubAgentEvent): About[] => {
  if (!('label' in event)) return [];
  const { type, taskId, label, parentId, metadata } = event;
  return [{ type, taskId, label, parentId, metadata }];
};

function tree() {
  const manager: SubAgentManager = new SubAgentManager({
    maxDepth: 2,
    spawnSubAgent: async ({ instructions }, run) => {
      if (instructions === 'lead') await run.spawn({ instructions: 'read', label: 'reader', metadata: { page: 7 } }).wait();
      return { output: 'done', usage: { tokens: 5 } };
    },
  });
  return manager;
}

test('A6 label, parent and metadata are in every event of a sub-agent, whoever started it', async () => {
  const manager = tree();
  const events: SubAgentEvent[] = [];
  manager.subscribe((event) => events.push(event));
  const lead = manager.spawn({ instructions: 'lead', metadata: { user: 'ann' } });
  await lead.wait();
  const all = events.flatMap(aboutOf);
  const [, child] = all.filter(({ type }) => type === 'task_admitted');
  expect(new Set(all.map(({ type }) => type))).toEqual(
    new Set(['task_admitted', 'run_started', 'run_parked', 'run_unparked', 'run_reentered', 'run_ended']),
  );
  for (const { taskId, label, parentId, metadata } of all) {
    if (taskId === lead.taskId) expect({ label, parentId, metadata }).toEqual({ label: 'lead', parentId: null, metadata: { user: 'ann' } });
    else
      expect({ taskId, label, parentId, metadata }).toEqual({
        taskId: child?.taskId,
        label: 'reader',
        parentId: lead.taskId,
        metadata: { page: 7 },
      });
  }
  const parked = events.find(({ type }) => type === 'run_parked');
  expect(parked).toMatchObject({ why: 'children', waitsFor: [child?.taskId] });
  manager.dispose();
});

test('a listener that comes later gets the same; of a session there is nothing to say', async () => {
  const manager = tree();
  const handle = manager.spawn({ label: 'idle one', metadata: { user: 'bob' } });
  const events: SubAgentEvent[] = [];
  manager.subscribe((event) => events.push(event));
  handle.send('work');
  await handle.wait();
  const about = { taskId: handle.taskId, label: 'idle one', parentId: null, metadata: { user: 'bob' } };
  expect(events.flatMap(aboutOf)).toEqual(['run_queued', 'run_started', 'run_ended'].map((type) => ({ type, ...about })));
  events.length = 0;
  manager.session('a');
  expect(events.flatMap(aboutOf)).toEqual([{ type: 'session_opened', taskId: null, label: null, parentId: null, metadata: null }]);
  manager.dispose();
});

test('an event says the session that it is about, or that its sub-agent belongs to', async () => {
  const manager = tree();
  const early = manager.session('early');
  const old = early.spawn({ label: 'old' });
  const events: SubAgentEvent[] = [];
  manager.subscribe((event) => events.push(event));
  const keyOf = (type: SubAgentEvent['type']): unknown[] =>
    events.filter((event) => event.type === type).map((event) => 'sessionKey' in event && event.sessionKey);
  const late = manager.session('late', { budget: { tokens: 50_000 } });
  await late.spawn({ instructions: 'lead' }).wait();
  old.send('go');
  await old.wait();
  await manager.spawn({ instructions: 'mine' }).wait();
  // The lead and its reader, one that was there before anybody listened, and one of the manager's own.
  expect(keyOf('run_ended')).toEqual(['late', 'late', 'early', null]);
  expect(keyOf('task_admitted')).toEqual(['late', 'late', null]);
  expect(keyOf('session_opened')).toEqual(['late']);
  expect(keyOf('cap_set')).toEqual(['late']);
  manager.addBudget({ tokens: 1 }, late);
  expect(keyOf('cap_set')).toEqual(['late', 'late']);
  manager.dispose();
});

test('texts that make the memory grow while an event is read are delivered whole', async () => {
  const manager = tree();
  const texts: number[] = [];
  manager.subscribe((event) => {
    if (event.type === 'task_admitted') texts.push(event.text.length);
  });
  // Without a label: the reader asks the core for one, in the middle of a batch.
  const text = 'x'.repeat(100_000);
  for (let each = 0; each < 60; each += 1) await manager.spawn({ instructions: text }).wait();
  expect(texts).toEqual(Array.from({ length: 60 }, () => 100_000));
  manager.dispose();
});

/** The events of a manager while `work` went on, each event by its type, and what its run is parked for. */
async function toldIn(
  spawnSubAgent: SpawnSubAgent,
  work: (manager: SubAgentManager) => Promise<unknown>,
  options: SubAgentManagerOptions = {},
): Promise<{ events: SubAgentEvent[]; types: string[] }> {
  const manager: SubAgentManager = new SubAgentManager({ spawnSubAgent, ...options });
  const events: SubAgentEvent[] = [];
  manager.subscribe((event) => events.push(event));
  await work(manager);
  manager.dispose();
  const types = events.map((event) => `${event.type}${'parks' in event && event.parks !== null ? ` ${event.parks}` : ''}`);
  return { events, types };
}

test('M5 S1 a question says that its run is parked, and its answer that it stands in line', async () => {
  const { types } = await toldIn(
    async (_, run) => {
      await run.beforeTurn();
      await run.ask('Which?');
      await run.beforeTurn();
      return { output: 'done' };
    },
    async (manager) => {
      manager.subscribe((event) => void (event.type === 'question_asked' && manager.send(event.taskId as string, 'this')));
      const asks = manager.spawn({ instructions: 'go' });
      await asks.wait().catch(() => asks.wait());
    },
  );
  expect(types).toEqual([
    ...['task_admitted', 'run_started', 'turn_started', 'question_asked'],
    ...['question_closed reentry', 'run_reentered', 'turn_started', 'run_ended'],
  ]);
});

test('X1 a turn that waits for its rate limit parks its run, which stands in line when that is over', async () => {
  const { types } = await toldIn(
    async (_, run) => {
      run.reportRateLimit({ retryAfterMs: 200 });
      await run.beforeTurn();
      return { output: 'done' };
    },
    (manager) => manager.spawn({ instructions: 'go' }).wait(),
  );
  expect(types.slice(-7)).toEqual([
    ...['cooldown_set', 'turn_delayed cooldown', 'cooldown_over', 'run_unparked reentry'],
    ...['run_reentered', 'turn_started', 'run_ended'],
  ]);
});

test('W2 N4 an end says itself that it is collected, by a wait for a list that it ends, or by a cancel or close', async () => {
  const stops: SpawnSubAgent = async ({ instructions }, run) => {
    if (instructions === 'long') await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
    return { output: 'done' };
  };
  const ways: Record<string, (manager: SubAgentManager) => Promise<unknown>> = {
    one: (manager) => manager.wait([manager.spawn({ instructions: 'short' })]),
    any: (manager) =>
      manager.wait(
        ['long', 'short'].map((instructions) => manager.spawn({ instructions })),
        { mode: 'any' },
      ),
    cancel: (manager) => manager.spawn({ instructions: 'long' }).cancel(),
    close: (manager) => manager.spawn({ instructions: 'long' }).close(),
  };
  for (const [way, work] of Object.entries(ways)) {
    const { events, types } = await toldIn(stops, work);
    expect(types, way).not.toContain('ends_collected');
    expect(
      events.flatMap((event) => (event.type === 'run_ended' ? [event.collected] : [])),
      way,
    ).toEqual([true]);
  }
});

test('S4 an end says when its host function is given up, where that still runs and is given up at all', async () => {
  const given = async (options: SubAgentManagerOptions): Promise<unknown[]> => {
    const { events } = await toldIn(
      ({ instructions }) => (instructions === 'never' ? new Promise<never>(() => undefined) : Promise.resolve({ output: 'done' })),
      async (manager) => {
        await manager.spawn({ instructions: 'short' }).wait();
        await manager.spawn({ instructions: 'never' }).cancel({ graceMs: 0 });
      },
      options,
    );
    return events.flatMap((event) => (event.type === 'run_ended' ? [event.abandonAt === null ? null : event.abandonAt - event.at] : []));
  };
  expect(await given({ abandonMs: 5_000 })).toEqual([null, 5_000]);
  expect(await given({ abandonMs: Infinity })).toEqual([null, null]);
});
