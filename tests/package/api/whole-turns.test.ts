// Turns of agents that can't be asked before each call of their model, by the API of the built package (B14).

import { expect, test } from 'vitest';
import { type Run, SubAgentManager, type SubAgentManagerOptions } from '../../../dist/index.js';

/** A manager whose sub-agents do what is given. */
function managed(work: (run: Run) => Promise<void>, options: SubAgentManagerOptions = {}): SubAgentManager {
  return new SubAgentManager({
    ...options,
    spawnSubAgent: async (_, run) => {
      await work(run);
      return { output: 'done' };
    },
  });
}

test('B14: a whole turn keeps what is reserved for the run, and the next ordinary one releases it', async () => {
  const held: number[] = [];
  const whole: boolean[] = [];
  using manager = managed(
    async (run) => {
      const look = (): number => held.push(manager.budget().tokens.reserved);
      await run.beforeTurn({ whole: true });
      look();
      run.report({ tokens: 100 });
      look();
      expect(run.remaining.tokens).toBe(500);
      await run.beforeTurn({ whole: true });
      look();
      await run.beforeTurn({ tokens: 50 });
      look();
      run.report({ tokens: 40 });
      await run.beforeTurn({ whole: true, tokens: 50 });
      look();
    },
    { budget: { tokens: 1_000 } },
  );
  manager.subscribe((event) => {
    if (event.type === 'turn_started') whole.push(event.whole);
  });
  const { usage } = await manager.spawn({ instructions: 'x', budget: { tokens: 600 } }).wait();
  expect(held).toEqual([600, 500, 500, 50, 460]);
  expect(whole).toEqual([true, true, false, true]);
  expect(usage).toMatchObject({ tokens: 140, turns: 4 });
  expect(manager.budget().tokens).toMatchObject({ spent: 140, reserved: 0 });
});

test('B14, B4: it lends what it holds to the sub-agents of its run', async () => {
  using manager = managed(
    async (run) => {
      if (run.depth > 1) return;
      await run.beforeTurn({ whole: true });
      const child = run.spawn({ instructions: 'helps', budget: { tokens: 300 } });
      expect(manager.budget().tokens.available).toBe(400);
      await child.wait();
    },
    { budget: { tokens: 1_000 }, maxDepth: 2 },
  );
  expect(await manager.spawn({ instructions: 'x', budget: { tokens: 600 } }).wait()).toMatchObject({ status: 'completed' });
});

test('B14: what a run asks for has to be true or false', async () => {
  using manager = managed(async (run) => {
    await expect(run.beforeTurn({ whole: 'yes' as never })).rejects.toMatchObject({ code: 'invalid_argument' });
  });
  expect(await manager.spawn('x').wait()).toMatchObject({ status: 'completed' });
});

test('B14: a whole turn that waits for its rate limit holds no less than before', async () => {
  const held: number[] = [];
  using manager = managed(
    async (run) => {
      await run.beforeTurn({ whole: true });
      run.report({ tokens: 40 });
      run.reportRateLimit({ retryAfterMs: 500 });
      const turn = run.beforeTurn({ whole: true });
      held.push(manager.budget().tokens.reserved);
      await turn;
      held.push(manager.budget().tokens.reserved);
    },
    { budget: { tokens: 1_000 } },
  );
  let parked: unknown;
  manager.subscribe((event) => {
    if (event.type === 'turn_delayed') parked = event.parks;
  });
  await manager.spawn({ instructions: 'x', budget: { tokens: 600 }, rateLimitKey: 'openai' }).wait();
  expect(parked).toBe('cooldown');
  expect(held).toEqual([560, 560]);
});
