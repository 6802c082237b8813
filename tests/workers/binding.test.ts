// What bounds runs binds those in workers as it binds them at home: the same host function meets the same refusals, and a
// cooldown that one worker has met holds back the work of others.

import { afterEach, describe, expect, test } from 'vitest';
import { type OpenOptions, type SpawnSubAgent, SubAgentManager } from '../../dist/index.js';
import { memoryStore } from '../../dist/stores/memory.js';
import { bullmqWorkers, type WorkerSpawnSubAgent, work } from '../../dist/workers/bullmq.js';
import { hasRedis, startRedis, type TestRedis } from '../support/redis.js';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const ends: (() => unknown)[] = [];
let redis: TestRedis | undefined;
let queue = 0;

/** A manager whose runs are carried out by so many workers, which differ by their number. */
async function away(count: number, host: (place: number) => WorkerSpawnSubAgent, options: Partial<OpenOptions>): Promise<SubAgentManager> {
  redis ??= await startRedis();
  queue += 1;
  const given = { queue: `binding-${queue}`, connection: redis.connection };
  for (let place = 0; place < count; place += 1) {
    const worker = work({ ...given, spawnSubAgent: host(place), drainOn: [], concurrency: 1 });
    ends.push(() => worker.close({ timeoutMs: 0 }));
    await worker.ready();
  }
  const lead = bullmqWorkers({ ...given, reconcileMs: 200 });
  ends.push(() => lead.close());
  const manager = await SubAgentManager.open({ store: memoryStore(), spawnSubAgent: lead.spawnSubAgent, ...options });
  ends.push(() => manager.dispose());
  return manager;
}

describe.skipIf(!hasRedis)('what bounds runs, in workers', () => {
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
    await redis?.stop();
    redis = undefined;
  });

  test('`maxDepth`: what a run and its model get is what they get at home', async () => {
    const reported: Record<string, string[]> = {};
    const host =
      (place: string): WorkerSpawnSubAgent =>
      async (_, run) => {
        const all: string[] = [];
        const note = (what: string, text: unknown): void => void all.push(`depth ${run.depth}, ${what}: ${String(text)}`);
        note('may spawn', JSON.stringify(await run.canSpawn()));
        note('its tools', run.tools?.join());
        // A model that calls a tool that it was not offered.
        const tools = await run.createTools();
        const offered = [...tools].map(({ name }) => name);
        note('offered', offered.join());
        const tool = tools.spawn_agent;
        if (tool !== undefined) note('the model is told', await tool.execute({ instructions: 'deeper' }));
        const one = await run.createSubAgentTool();
        note('by the one tool', await one.execute({ instructions: 'deeper' }));
        note(
          'the program is told',
          await Promise.resolve()
            .then(() => run.spawn({ instructions: 'deeper' }))
            .then(
              () => 'it went well',
              ({ name, code, message, details }) => `${name} ${code} ${message} ${JSON.stringify(details)}`,
            ),
        );
        reported[place] = [...(reported[place] ?? []), ...all];
        return { output: `done at ${run.depth}` };
      };
    const options = { maxDepth: 1, tools: ['read', 'spawn_agent', 'subagent'] };
    const results = [];
    for (const place of ['home', 'away']) {
      const manager =
        place === 'home'
          ? new SubAgentManager({ ...options, spawnSubAgent: host('home') as unknown as SpawnSubAgent })
          : await away(1, () => host('away'), options);
      results.push((await manager.spawn({ instructions: 'go' }).wait()).output);
      expect(manager.list().items).toHaveLength(1);
      if (place === 'home') manager.dispose();
    }
    const plain = (lines: string[] = []): string[] => lines.map((line) => line.replaceAll(/sub_\w+/g, 'sub'));
    expect(results).toEqual(['done at 1', 'done at 1']);
    expect(plain(reported.away)).toEqual(plain(reported.home));
    expect(plain(reported.away).join('\n')).toMatch(/the program is told: SubAgentError depth_limit/);
  });

  test('B11 the turns of all workers go by one rate', async () => {
    const turns: number[] = [];
    const host = (): WorkerSpawnSubAgent => async (_, run) => {
      for (let turn = 0; turn < 2; turn += 1) {
        await run.beforeTurn({ tokens: 10 });
        turns.push(performance.now());
        run.report({ tokens: 10 });
      }
      return { output: '' };
    };
    // Two may come at once, then one each two seconds and a half.
    const manager = await away(3, host, { maxConcurrent: 3, rates: { 'a*': { requestsPerMinute: 24 } } });
    const reasons = new Set<string | undefined>();
    manager.subscribe((event) => {
      if (event.type === 'turn_delayed') reasons.add(event.waitingFor ?? undefined);
    });
    const handles = ['one', 'two'].map((label) => manager.spawn({ label, instructions: label, rateLimitKey: 'api' }));
    for (const handle of handles) expect(await handle.wait()).toMatchObject({ status: 'completed', usage: { turns: 2 } });
    const [first = 0, , third = 0, fourth = 0] = turns.sort((one, other) => one - other);
    expect(third - first).toBeGreaterThanOrEqual(900);
    expect(fourth - first).toBeGreaterThanOrEqual(3_400);
    expect([...reasons]).toEqual(['rate']);
  });

  test('a cooldown that one worker reports parks the runs of others and holds what waits, of its key alone', async () => {
    const COOL_MS = 4_000;
    const turns: { label: string; place: number; at: number }[] = [];
    let reportedAt = 0;
    let hear = (): void => {};
    const received = new Promise<void>((resolve) => {
      hear = resolve;
    });
    const host =
      (place: number): WorkerSpawnSubAgent =>
      async (params, run) => {
        const turn = async (): Promise<void> => {
          await run.beforeTurn();
          turns.push({ label: params.label ?? '', place, at: performance.now() });
        };
        await turn();
        if (run.label === 'limited') {
          while (turns.length < 3) await pause(5);
          reportedAt = performance.now();
          run.reportRateLimit({ retryAfterMs: COOL_MS });
        } else await received;
        await turn();
        return { output: '' };
      };
    const manager = await away(4, host, { maxConcurrent: 4 });
    manager.subscribe((event) => event.type === 'cooldown_set' && hear());
    const spawn = (label: string, rateLimitKey: string) => manager.spawn({ label, instructions: label, rateLimitKey });
    const first = [spawn('limited', 'a'), spawn('same', 'a'), spawn('other', 'b')];
    await received;
    const later = [spawn('later same', 'a'), spawn('later other', 'b')];
    while (manager.getConcurrencyInfo().parked < 2) await pause(5);
    const [, same] = first;
    expect(manager.get(same?.taskId ?? '')).toMatchObject({ status: 'running', parked: 'cooldown' });
    expect(manager.get(later[0]?.taskId ?? '')).toMatchObject({ status: 'pending', waitingFor: 'cooldown' });
    expect(manager.getConcurrencyInfo()).toMatchObject({ parked: 2, waitingFor: { cooldown: 1 } });
    for (const handle of [...first, ...later]) expect(await handle.wait()).toMatchObject({ status: 'completed' });
    const after = (label: string): number[] => turns.filter((turn) => turn.label === label).map(({ at }) => at - reportedAt);
    for (const label of ['limited', 'same']) expect(after(label)[1]).toBeGreaterThanOrEqual(COOL_MS - 50);
    for (const at of after('later same')) expect(at).toBeGreaterThanOrEqual(COOL_MS - 50);
    expect(after('other')[1]).toBeLessThan(COOL_MS);
    expect(after('later other')[0]).toBeLessThan(COOL_MS);
    // Each of the first three was in a worker of its own.
    expect(new Set(turns.slice(0, 3).map(({ place }) => place)).size).toBe(3);
  });
});
