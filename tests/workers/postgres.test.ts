// The same workers over BullMQ's Postgres: what depends on the database, its events and its locks.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
// @ts-expect-error It comes without types.
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type OpenOptions, type SpawnSubAgent, SubAgentManager } from '../../dist/index.js';
import { memoryStore } from '../../dist/stores/memory.js';
import { type BullmqWorkers, type BullmqWorkersOptions, bullmqWorkers, type WorkerSpawnSubAgent, work } from '../../dist/workers/bullmq.js';
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.js';
import { amount } from '../support/share.js';
import { mostAtOnce, SOON_LOST, TestWorkers } from '../support/workers.js';

const steps = (...all: object[]): string => JSON.stringify(all);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A way to Postgres on which each second of the first connections ends with the answer that it is there, in the same bytes. */
async function breaking(
  given: TestPostgres['connection'],
  first: number,
): Promise<{ connection: object; close: () => Promise<void>; cuts: () => number }> {
  const fields = Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
  const gone = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), fields]);
  gone.writeUInt32BE(fields.length + 4, 1);
  const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
  let count = 0;
  let cut = 0;
  const open = new Set<Socket>();
  const server = createServer((near) => {
    count += 1;
    const breaks = count <= first && count % 2 === 0;
    const far = connect({ host: given.host, port: given.port });
    for (const socket of [near, far]) socket.on('error', () => undefined).on('close', () => open.delete(socket));
    open.add(near).add(far);
    near.pipe(far);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    far.on('data', (bytes: Buffer) => {
      if (!breaks || bytes.indexOf(ready) < 0) return near.write(bytes);
      cut += 1;
      far.destroy();
      return near.end(Buffer.concat([bytes, gone]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    connection: { ...given, port: (server.address() as AddressInfo).port },
    cuts: () => cut,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe.skipIf(!hasPostgres)('workers over Postgres', () => {
  let postgres: TestPostgres;
  let workers: TestWorkers;
  let queue = '';
  let count = 0;
  const leads: { manager: SubAgentManager; lead: BullmqWorkers }[] = [];
  const backend = 'postgres';

  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());
  afterEach(async () => {
    for (const { lead, manager } of leads.splice(0)) {
      await lead.close();
      manager.dispose();
    }
    await workers.end();
  });

  async function lead(options: Partial<OpenOptions> = {}, given: Partial<BullmqWorkersOptions> = {}): Promise<SubAgentManager> {
    const lead = bullmqWorkers({ queue, connection: postgres.connection, backend, reconcileMs: 500, onError: () => undefined, ...given });
    const manager = await SubAgentManager.open({ store: memoryStore(), maxDepth: 2, spawnSubAgent: lead.spawnSubAgent, ...options });
    leads.push({ manager, lead });
    return manager;
  }
  const worker = (options = {}): ReturnType<TestWorkers['start']> =>
    workers.start({ queue, connection: postgres.connection, backend, ...options });
  const begin = (): void => {
    workers = new TestWorkers();
    count += 1;
    queue = `test-${count}`;
  };

  test('turns, checkpoints, a steer, a child, and what is thrown', async () => {
    begin();
    await worker({ concurrency: 1 });
    const manager = await lead();
    const handle = manager.spawn({
      instructions: steps({ do: 'turns', count: 3, ms: 100 }, { do: 'spawn', child: [{ do: 'turns', count: 1 }] }),
    });
    await workers.until(({ what }) => what === 'turn');
    handle.send('look left', { mode: 'steer' });
    expect(await handle.wait()).toMatchObject({ status: 'completed', output: 'turns 1 to 3\nchild completed: turns 1 to 1' });
    expect(workers.lines('turn')[1]?.inject?.join()).toContain('look left');
    const thrown = await manager.spawn({ instructions: steps({ do: 'throw', message: 'no luck' }) }).wait();
    expect(thrown).toMatchObject({ status: 'failed', error: 'no luck' });
  });

  test('a lead that is closed leaves no connection, however soon that is', async () => {
    begin();
    const client = new pg.Client(postgres.connection);
    await client.connect();
    const open = async (): Promise<number> => {
      const { rows } = await client.query(
        "select count(*)::int from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
      );
      return rows[0].count;
    };
    for (let ms = 0; ms < 60; ms += 1) {
      const { ready, close } = bullmqWorkers({ queue, connection: postgres.connection, backend, onError: () => undefined });
      ready().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, ms));
      await close();
    }
    for (let waited = 0; waited < 200 && (await open()) > 0; waited += 1) await new Promise((resolve) => setTimeout(resolve, 50));
    const left = await open();
    await client.end();
    expect(left).toBe(0);
  });

  test('a cancel reaches the worker', async () => {
    begin();
    await worker();
    const manager = await lead();
    const handle = manager.spawn({ instructions: steps({ do: 'stuck' }) });
    await workers.until(({ what }) => what === 'started');
    await handle.cancel();
    expect(await handle.wait()).toMatchObject({ status: 'cancelled', output: 'aborted cancelled' });
  });

  test.each([
    ['ahead', 300_000],
    ['behind', -300_000],
  ])('J3 a worker whose clock is %s of the database’s is refused with `clock_skew`', async (_, ms) => {
    begin();
    const errors: unknown[] = [];
    const { now } = Date;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + ms);
    const own = work({
      queue,
      connection: postgres.connection,
      backend,
      drainOn: [],
      spawnSubAgent: async () => ({ output: '' }),
      onError: (error) => errors.push(error),
    });
    const refused = await own.ready().catch((error) => error);
    clock.mockRestore();
    await own.close();
    expect(refused).toMatchObject({ code: 'clock_skew', details: { allowedMs: 3_750 } });
    expect(Math.abs(refused.details.aheadMs - ms)).toBeLessThan(120_000);
    expect(errors).toEqual([refused]);
  });

  test('J3 a worker whose clock goes wrong takes nothing from another one; once it is right again it goes on', async () => {
    begin();
    // Long enough for a machine that stands still for seconds.
    const lost = { lostAfterMs: 10_000, concurrency: 1 };
    const first = await worker(lost);
    const manager = await lead();
    const handle = manager.spawn({ instructions: steps({ do: 'turns', count: 10, ms: 1_000 }) });
    await workers.until(({ what }) => what === 'turn');
    const second = await worker(lost);
    // Its first look for lost jobs is over: a clock that changes in the middle of one would have it write that the next is far off.
    await pause(2_000);
    second.child.send({ clockMs: 300_000 });
    await workers.until(({ what, message = '' }) => what === 'error' && message.includes('the clock of this worker is'));
    await workers.until(({ what, number }) => what === 'turn' && number === 8);
    expect(workers.lines('started').map(({ worker }) => worker)).toEqual(['w1']);
    first.signal('SIGKILL');
    second.child.send({ clockMs: 0 });
    expect(await handle.wait()).toMatchObject({ status: 'completed', output: expect.stringMatching(/^turns (8|9|10) to 10$/), run: 1 });
    expect(workers.lines('started').map(({ worker }) => worker)).toEqual(['w1', 'w2']);
  });

  test('the run of a killed worker is taken over from its last checkpoint, a frozen one is not accepted', async () => {
    begin();
    const first = await worker({ ...SOON_LOST, concurrency: 1 });
    const manager = await lead();
    const handle = manager.spawn({ instructions: steps({ do: 'turns', count: 6, ms: 300 }) });
    await workers.until(({ what, number }) => what === 'turn' && number === 2);
    first.signal('SIGKILL');
    const second = await worker({ ...SOON_LOST, concurrency: 1 });
    await workers.until(({ what, worker, number }) => what === 'turn' && worker === 'w2' && number === 3);
    second.signal('SIGSTOP');
    await worker(SOON_LOST);
    await workers.until(({ what, worker }) => what === 'started' && worker === 'w3');
    second.signal('SIGCONT');
    expect(await handle.wait()).toMatchObject({ status: 'completed', output: expect.stringMatching(/^turns [34] to 6$/), run: 1 });
    expect((await workers.until(({ what, worker }) => what === 'ended' && worker === 'w2')).output).toEqual(['aborted host_lost']);
  });

  test('many runs end, where BullMQ skips events of itself', async () => {
    begin();
    for (let worker = 0; worker < 2; worker += 1) await workers.start({ queue, connection: postgres.connection, backend, concurrency: 20 });
    const manager = await lead({ maxConcurrent: 40 });
    const handles = Array.from({ length: amount(1_000, 200) }, () => manager.spawn({ instructions: steps({ do: 'turns', count: 1 }) }));
    const statuses = await Promise.all(handles.map(async (handle) => (await handle.wait()).status));
    expect(new Set(statuses)).toEqual(new Set(['completed']));
  });

  test('runs end though no event reports it: the states of their jobs are read', async () => {
    begin();
    await worker();
    const manager = await lead();
    await leads[0]?.lead.ready();
    // The database forgets what happens, as it is written.
    await postgres.sql("create function bullmq.skip() returns trigger as 'begin return null; end' language plpgsql");
    await postgres.sql('create trigger skip before insert on bullmq.event for each row execute function bullmq.skip()');
    try {
      const turns = manager.spawn({ instructions: steps({ do: 'turns', count: 2 }) });
      const thrown = manager.spawn({ instructions: steps({ do: 'throw', message: 'no luck' }) });
      const stuck = manager.spawn({ instructions: steps({ do: 'stuck' }) });
      await workers.until(({ what, task }) => what === 'started' && task === stuck.taskId);
      stuck.cancel();
      expect(await turns.wait()).toMatchObject({ status: 'completed', output: 'turns 1 to 2' });
      expect(await thrown.wait()).toMatchObject({ status: 'failed', error: 'no luck' });
      expect(await stuck.wait()).toMatchObject({ status: 'cancelled', output: 'aborted cancelled' });
      expect(await postgres.sql(`select count(*) from bullmq.event where queue = '${queue}' and event in ('completed', 'failed')`)).toBe(
        '0',
      );
    } finally {
      await postgres.sql('drop function bullmq.skip cascade');
    }
  });

  test('a drain lets what runs end, cancels what waits, and leaves no job', async () => {
    begin();
    const workersOf = bullmqWorkers({ queue, connection: postgres.connection, backend, reconcileMs: 500 });
    // Without a store nothing could go on later.
    const manager = new SubAgentManager({ maxConcurrent: 2, spawnSubAgent: workersOf.spawnSubAgent });
    leads.push({ manager, lead: workersOf });
    await worker();
    const running = [1, 2].map(() => manager.spawn({ instructions: steps({ do: 'turns', count: 3, ms: 150 }) }));
    const waiting = [1, 2].map(() => manager.spawn({ instructions: steps({ do: 'turns', count: 1 }) }));
    while (workers.lines('started').length < 2) await pause(10);
    const report = await manager.drain({ timeoutMs: 30_000 });
    expect(
      [report.ended, report.cancelled, report.stillRunning, report.timedOut].map((one) => (Array.isArray(one) ? one.length : one)),
    ).toEqual([2, 2, 0, false]);
    for (const handle of running) expect(await handle.wait()).toMatchObject({ status: 'completed', output: 'turns 1 to 3' });
    for (const handle of waiting) expect(await handle.wait()).toMatchObject({ status: 'cancelled', stopReason: 'drained' });
    expect(workers.lines('started')).toHaveLength(2);
    while ((await postgres.sql(`select count(*) from bullmq.job where queue = '${queue}'`)) !== '0') await pause(20);
  });

  test('a drained worker ends what ends in time, and hands the rest back with its checkpoint', async () => {
    begin();
    const first = await worker({ drainMs: 500 });
    const manager = await lead();
    const short = manager.spawn({ instructions: steps({ do: 'pause', ms: 300 }) });
    const long = manager.spawn({ instructions: steps({ do: 'turns', count: 12, ms: 150 }) });
    await workers.until(({ what, number }) => what === 'turn' && number === 2);
    first.signal('SIGTERM');
    await worker();
    expect(await first.exited).toBe('SIGTERM');
    expect(await short.wait()).toMatchObject({ status: 'completed', output: 'paused' });
    expect(await long.wait()).toMatchObject({ status: 'completed', output: expect.stringMatching(/^turns [3-9] to 12$/), run: 1 });
    const starts = workers.lines('started').map(({ worker }) => worker);
    expect(starts.sort()).toEqual(['w1', 'w1', 'w2']);
  });

  test('`maxConcurrent` binds over all workers', async () => {
    begin();
    for (let place = 0; place < 3; place += 1) await worker({ concurrency: 10 });
    const manager = await lead({ maxConcurrent: 4 });
    const handles = Array.from({ length: 24 }, () => manager.spawn({ instructions: steps({ do: 'turns', count: 2, ms: 100 }) }));
    for (const handle of handles) expect(await handle.wait()).toMatchObject({ status: 'completed' });
    const lines = workers.lines();
    expect(mostAtOnce(lines)).toBe(4);
    expect(new Set(workers.lines('turn').map(({ worker }) => worker)).size).toBeGreaterThan(1);
  });

  test('a budget binds over all workers', async () => {
    begin();
    for (let place = 0; place < 2; place += 1) await worker();
    const manager = await lead({ budget: { tokens: 1_000 }, turnEstimate: 100, wrapUpTokens: 0 });
    const handles = Array.from({ length: 4 }, () =>
      manager.spawn({ instructions: steps({ do: 'spend', count: 20, tokens: 100, ms: 50 }) }),
    );
    for (const handle of handles) expect(await handle.wait()).toMatchObject({ stopReason: 'budget_exhausted', raisedBy: 'budget.tokens' });
    expect(workers.lines('turn')).toHaveLength(10);
    expect(manager.budget().tokens).toMatchObject({ spent: 1_000, reserved: 0 });
  });

  test('a Postgres that is killed in mid-work loses nothing', async () => {
    begin();
    for (let place = 0; place < 2; place += 1) await worker({ lostAfterMs: 5_000 });
    const manager = await lead({ maxConcurrent: 20 });
    const handles = Array.from({ length: 60 }, () => manager.spawn({ instructions: steps({ do: 'turns', count: 2, ms: 50 }) }));
    for (let kill = 0; kill < 3; kill += 1) {
      await pause(400);
      await postgres.restart();
    }
    for (const handle of handles) expect(await handle.wait()).toMatchObject({ status: 'completed', run: 1 });
  });

  test('a Postgres that cuts what a lead and a worker are opening ends no process: they open it again', async () => {
    begin();
    await lead();
    await leads[0]?.lead.ready();
    // Whoever connects reads the versions of the schema first: until this is over it waits for it.
    const holder = new pg.Client(postgres.connection);
    await holder.connect();
    await holder.query('begin; lock table bullmq.migration');
    const other = `${queue}-2`;
    const opened = [worker(), lead({}, { queue: other }).then((manager) => manager.spawn({ instructions: '[]' }).wait())];
    const atHome = work({
      queue: other,
      connection: postgres.connection,
      backend,
      drainOn: [],
      onError: () => undefined,
      spawnSubAgent: async () => ({ output: 'ran' }),
    });
    const waiting = "from pg_stat_activity where wait_event_type = 'Lock'";
    for (let cut = 0; cut < 3; cut += 1) {
      while (Number(await postgres.sql(`select count(*) ${waiting}`)) < 3) await pause(20);
      await postgres.sql(`select pg_terminate_backend(pid) ${waiting}`);
    }
    await holder.query('commit');
    await holder.end();
    expect((await Promise.all(opened))[1]).toMatchObject({ status: 'completed', output: 'ran' });
    await atHome.close();
  });

  test('connections that break with the answer that they are there end no process: they are opened again', async () => {
    begin();
    await lead();
    await leads[0]?.lead.ready();
    const other = `${queue}-2`;
    const { connection, close, cuts } = await breaking(postgres.connection, 30);
    const workersOf = bullmqWorkers({ queue: other, connection, backend, onError: () => undefined });
    const manager = new SubAgentManager({ spawnSubAgent: workersOf.spawnSubAgent });
    leads.push({ manager, lead: workersOf });
    const atHome = work({
      queue: other,
      connection,
      backend,
      drainOn: [],
      onError: () => undefined,
      spawnSubAgent: async () => ({ output: 'ran' }),
    });
    expect(await manager.spawn({ instructions: 'x' }).wait()).toMatchObject({ status: 'completed', output: 'ran' });
    expect(cuts()).toBeGreaterThan(5);
    await atHome.close();
    await workersOf.close();
    await close();
  });

  test('connections that break while runs end cost no end: each is reported once it can be, and nothing is begun again', async () => {
    begin();
    // Its locks live for longer than the connections are cut.
    await worker({ concurrency: 40, lostAfterMs: 20_000 });
    const manager = await lead({ maxConcurrent: 40 }, { onWorkerLost: 'fail' });
    const handles = Array.from({ length: 40 }, (_, at) => manager.spawn({ instructions: steps({ do: 'pause', ms: 1_000 + at * 40 }) }));
    while (workers.lines('started').length < 40) await pause(20);
    while (workers.lines('ended').length < 40) {
      await postgres.cut();
      await pause(60);
    }
    const results = await Promise.all(handles.map((handle) => handle.wait()));
    expect(results.map(({ status, error }) => error ?? status)).toEqual(Array(40).fill('completed'));
    expect(workers.lines('started')).toHaveLength(40);
  });

  test('texts that Postgres has no JSON for come through as at home, and hold up nothing', async () => {
    begin();
    const odd = 'a\u0000b \ud800 c \\u0000 d';
    const all: unknown[] = [];
    const spawnSubAgent: WorkerSpawnSubAgent = async (params, run) => {
      if (params.instructions === 'plain') return { output: 'plain' };
      all.push(params.instructions, params.label, run.systemPrompt);
      if (run.depth === 2) return { output: odd, artifacts: [{ [odd]: odd }] };
      await run.checkpoint({ [odd]: odd });
      run.report({ message: odd });
      const handle = await run.spawn({ instructions: odd, label: odd, systemPrompt: odd });
      const { output, artifacts } = (await handle.wait()) as { output: string; artifacts?: unknown };
      all.push(output, artifacts);
      throw new Error(odd);
    };
    const worker = work({ queue, connection: postgres.connection, backend, drainOn: [], spawnSubAgent });
    await worker.ready();
    const home = new SubAgentManager({ maxDepth: 2, spawnSubAgent: spawnSubAgent as unknown as SpawnSubAgent });
    const reported: unknown[] = [];
    for (const manager of [home, await lead()]) {
      const given = [{ instructions: odd, label: odd, systemPrompt: odd }, { instructions: 'plain' }];
      const results = await Promise.all(given.map((one) => manager.spawn(one).wait()));
      reported.push([...results.map(({ status, output, error }) => ({ status, output, error })), ...all.splice(0)]);
    }
    expect(reported[1]).toEqual(reported[0]);
    expect((reported[1] as unknown[]).slice(0, 2)).toMatchObject([{ status: 'failed' }, { status: 'completed', output: 'plain' }]);
    home.dispose();
    await worker.close({ timeoutMs: 0 });
  });

  test('a lead that is followed by another one: the runs that workers have go on', async () => {
    begin();
    await worker();
    const store = memoryStore();
    const first = await lead({ store, onHostLost: 'resume' });
    const { taskId } = first.spawn({ instructions: steps({ do: 'turns', count: 6, ms: 150 }), background: true });
    await workers.until(({ what, number }) => what === 'turn' && number === 2);
    await leads[0]?.lead.close();
    await first[Symbol.asyncDispose]();
    leads.length = 0;
    const second = await lead({ store, onHostLost: 'resume' });
    const { completed } = await second.wait([taskId], { timeoutMs: Number.POSITIVE_INFINITY });
    expect(completed[0]).toMatchObject({ status: 'completed', output: 'turns 1 to 6' });
    expect(workers.lines('started')).toHaveLength(1);
  });
});
