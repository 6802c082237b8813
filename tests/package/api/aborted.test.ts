// Spawns whose caller was stopped before (D9): refused with `aborted`, before anybody is asked.

import '../../support/virtual-time.js';

import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Run, SubAgentManager, SubAgentManagerOptions } from '../../../dist/index.js';
import { done, expectSound, managerWith, manualHost, refusal, refusesUnchanged } from '../../support/hosts.js';
import { flush, pass, settles } from '../../support/virtual-time.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

describe('D9 a signal that has fired', () => {
  function watched(options: SubAgentManagerOptions = {}) {
    const asked = vi.fn();
    const made = managerWith(
      () => {
        asked('host');
        return done('paid', 5_000);
      },
      {
        spawnBackgroundSubAgent: async () => {
          asked('elsewhere');
          return { taskId: 'h' };
        },
        checkConsumerSpawn: () => {
          asked('gate');
          return { allowed: true };
        },
        policies: { main: [{ beforeSpawn: () => asked('policy') }], subAgents: [{ beforeSpawn: () => asked('policy') }] },
        ...options,
      },
    );
    opened.push(made.manager);
    return { ...made, asked };
  }

  test.each<[string, { instructions?: string | undefined; background?: boolean; idempotencyKey?: string }]>([
    ['foreground', {}],
    ['background', { background: true }],
    ['a handle without a task', { instructions: undefined }],
    ['a key that was used before', { idempotencyKey: 'k' }],
    ['a key that was used before, with other parameters', { idempotencyKey: 'k', instructions: 'other' }],
    ['a new key', { idempotencyKey: 'new' }],
  ])('refuses: %s', async (_, options) => {
    const { asked, ...made } = watched();
    const { manager } = made;
    await manager.spawn({ instructions: 'x', idempotencyKey: 'k' }).wait();
    const session = manager.session('s');
    await flush();
    asked.mockClear();
    const reason = new Error('gone');
    const given = { instructions: 'x', ...options, signal: AbortSignal.abort(reason) };
    for (const scope of [manager, session]) {
      refusesUnchanged(manager, 'aborted', () => scope.spawn(given));
      expect(refusal(() => scope.spawn(given)).cause).toBe(reason);
    }
    expect(asked).not.toHaveBeenCalled();
    expect(manager.stats().tokensSpent).toBe(5_000);
    // The key was not used up.
    if (options.idempotencyKey === 'new') expect((await manager.spawn({ ...given, signal: undefined }).wait()).success).toBe(true);
    await expectSound(made);
  });

  test.each(['checkConsumerSpawn', 'policies'])('while `%s` was asked refuses too', async (where) => {
    const controller = new AbortController();
    const fire = () => controller.abort();
    const options: SubAgentManagerOptions =
      where === 'policies'
        ? { policies: { main: [{ beforeSpawn: () => fire() }] } }
        : {
            checkConsumerSpawn: () => {
              fire();
              return { allowed: true };
            },
          };
    const { manager, asked } = watched(options);
    refusesUnchanged(manager, 'aborted', () => manager.spawn({ instructions: 'x', signal: controller.signal }));
    expect(asked).not.toHaveBeenCalledWith('host');
  });

  test('is said to a model as a refusal', async () => {
    const { manager, asked } = watched();
    const text = await manager.createSubAgentTool().execute({ instructions: 'x' }, { signal: AbortSignal.abort() });
    expect(text).toMatch(/^No sub-agent was started: .*aborted/);
    expect(asked).not.toHaveBeenCalled();
  });
});

describe('D9 a run that was asked to stop', () => {
  async function stopped(stop: (manager: SubAgentManager, taskId: string) => unknown, options: SubAgentManagerOptions = {}) {
    const { host, runs } = manualHost();
    const asked = vi.fn(() => ({ allowed: true }));
    const made = managerWith(host, { maxDepth: 3, ...options, checkConsumerSpawn: asked });
    opened.push(made.manager);
    const handle = made.manager.spawn({ instructions: 'lead' });
    const { run, end } = runs[0] as (typeof runs)[0];
    run.spawn({ instructions: 'before', background: true, idempotencyKey: 'k' });
    stop(made.manager, handle.taskId);
    await flush();
    asked.mockClear();
    return { made, run, end, runs, asked };
  }

  test.each<[string, (manager: SubAgentManager, taskId: string) => unknown, boolean]>([
    ['cancelled', (manager, taskId) => void manager.cancel(taskId), false],
    ['interrupted', (manager, taskId) => void manager.interrupt(taskId), true],
    ['closed', (manager, taskId) => void manager.close(taskId), false],
    ['timed out', () => pass(30 * 60_000 + 10_000), true],
  ])('%s: its foreground work is refused, before keys are looked at', async (_, stop, livesOn) => {
    const { made, run, end, runs, asked } = await stopped(stop);
    await flush();
    expect(run.signal.aborted).toBe(true);
    for (const options of [
      { instructions: 'x' },
      { instructions: 'before', idempotencyKey: 'k' },
      { instructions: 'x', idempotencyKey: 'new' },
    ])
      refusesUnchanged(made.manager, 'aborted', () => run.spawn(options));
    expect(asked).not.toHaveBeenCalled();
    expect(await run.createSubAgentTool().execute({ instructions: 'x' })).toMatch(/^No sub-agent was started: this agent has to stop/);
    // What doesn't end with it may be started where it only lost its run, and not the right to speak.
    if (livesOn) expect(run.spawn({ instructions: 'later', background: true }).taskId).toMatch(/^sub_/);
    else refusesUnchanged(made.manager, 'actor_ended', () => run.spawn({ instructions: 'later', background: true }));
    for (const { end } of runs) end.resolve(done());
    end.resolve(done());
    await settles(made.manager.drain());
    expect(refusal(() => (run as Run).spawn({ instructions: 'x' })).code).toBe('actor_ended');
  });
});
