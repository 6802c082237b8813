// Wakes that nobody answers (N2): they count as deliveries, so that they end; but whoever is at work loses nothing.

import '../../support/virtual-time.js';

import { afterEach, describe, expect, test } from 'vitest';
import { SubAgentManager, type SubAgentManagerOptions } from '../../../dist/index.js';
import { child } from '../../support/child.js';
import { deferred, done } from '../../support/hosts.js';
import { flush, pass } from '../../support/virtual-time.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

/** A manager that counts its wakes, with one notice that waits. */
async function woken(options: SubAgentManagerOptions = {}, before?: (manager: SubAgentManager) => unknown) {
  let wakes = 0;
  const manager = new SubAgentManager({
    leaseMs: 1_000,
    maxDeliveries: 3,
    onWake: () => {
      wakes += 1;
    },
    spawnSubAgent: async () => done('found it'),
    ...options,
  });
  opened.push(manager);
  await before?.(manager);
  manager.spawn({ instructions: 'look', background: true });
  await flush();
  return { manager, wakes: () => wakes, notice: () => manager.inbox.peek()[0] };
}

describe('N2 a wake that no lease follows', () => {
  test('counts as a delivery after `leaseMs`; the last one sets the notice aside, readable', async () => {
    const { manager, wakes, notice } = await woken();
    expect([wakes(), notice()]).toMatchObject([1, { delivery: 'pending', attempt: 0, leasedUntil: null }]);
    await pass(999);
    expect([wakes(), notice()]).toMatchObject([1, { attempt: 0 }]);
    await pass(1);
    await flush();
    expect([wakes(), notice()]).toMatchObject([2, { delivery: 'pending', attempt: 1 }]);
    await pass(2_000);
    await flush();
    expect([wakes(), notice()]).toMatchObject([3, { delivery: 'undelivered', attempt: 3, output: 'found it' }]);
    await pass(60_000);
    expect([wakes(), manager.inbox.lease()]).toEqual([3, []]);
    expect(manager.inbox.ack(notice()?.deliveryId as string)).toBe(true);
  });

  test('counts together with leases; a lease in time counts once', async () => {
    const { manager, wakes, notice } = await woken();
    await pass(1_000);
    await flush();
    expect(manager.inbox.lease()).toMatchObject([{ attempt: 2, delivery: 'leased' }]);
    await pass(1_000);
    await flush();
    expect([wakes(), notice()]).toMatchObject([3, { delivery: 'pending', attempt: 2 }]);
    expect(manager.inbox.lease()).toMatchObject([{ attempt: 3 }]);
    await pass(1_000);
    await flush();
    expect([wakes(), notice()]).toMatchObject([3, { delivery: 'undelivered' }]);
  });

  test('never counts where nobody is woken: an inbox that is looked into when it suits', async () => {
    const { manager } = await woken({ onWake: undefined });
    await pass(1_000_000);
    expect(manager.inbox.lease()).toMatchObject([{ attempt: 1, output: 'found it' }]);
  });

  test('never counts while the main agent is in a turn, which is given it at the next', async () => {
    const { manager, notice } = await woken({}, (manager) => manager.beforeTurn({ prompt: 'a long job' }));
    await pass(20_000);
    await flush();
    expect(notice()).toMatchObject({ delivery: 'pending', attempt: 0 });
    expect(await manager.beforeTurn()).toMatchObject({ go: true, inject: [expect.stringContaining('found it')] });
  });

  test('is made again once it has answered, and counts from then on', async () => {
    const { manager, wakes, notice } = await woken({}, (manager) => manager.beforeTurn({ prompt: 'a long job' }));
    await pass(20_000);
    await manager.beforeEnd('answered');
    await flush();
    expect([wakes(), notice()]).toMatchObject([2, { attempt: 0 }]);
    await pass(1_000);
    await flush();
    expect([wakes(), notice()]).toMatchObject([3, { attempt: 1 }]);
  });

  test.each(['waits for a sub-agent', 'has a sub-agent that ends with it'])('never counts while it %s', async (how) => {
    const end = deferred<void>();
    const { manager, notice } = await woken(
      {
        spawnSubAgent: async ({ instructions }) => {
          if (instructions === 'long') await end.promise;
          return done('found it');
        },
      },
      (manager) => {
        const handle = manager.spawn({ instructions: 'long', background: how.startsWith('waits') });
        if (how.startsWith('waits')) void handle.wait();
      },
    );
    await pass(20_000);
    await flush();
    expect(notice()).toMatchObject({ delivery: 'pending', attempt: 0 });
    end.resolve();
    await flush();
    // It is looked at after 1, 2, 4, 8, 16 and 32 seconds.
    await pass(12_000);
    await flush();
    expect(manager.inbox.peek()).toMatchObject([{ attempt: 1 }]);
  });
});

describe('N2 a manager that nobody keeps, with notices that wait', () => {
  test.each([
    ['leases and never acknowledges', 'agent.inbox.lease();'],
    ['does nothing', ''],
  ])('is not collected before all deliveries were made, and then it is: its `onWake` %s', (_, handler) => {
    const { stdout } = child(`
      const woke = [];
      const make = () => {
        const manager = new SubAgentManager({ leaseMs: 40, maxDeliveries: 4, spawnSubAgent: async () => ({ output: 'x' }),
          onWake: (agent) => { woke.push(1); ${handler} } });
        manager.spawn({ instructions: 'x', background: true });
        return new WeakRef(manager);
      };
      const ref = make();
      const timer = setInterval(gc, 5);
      await new Promise((resolve) => { const look = setInterval(() => { if (ref.deref() === undefined) { clearInterval(look); resolve(); } }, 10); });
      clearInterval(timer);
      console.log(woke.length);`);
    expect(stdout).toBe('4\n');
  });

  test('is collected once they are acknowledged, and where nobody is woken', () => {
    const { stdout } = child(`
      const make = (onWake) => {
        const manager = new SubAgentManager({ leaseMs: 40, spawnSubAgent: async () => ({ output: 'x' }), ...(onWake && { onWake }) });
        manager.spawn({ instructions: 'x', background: true });
        return new WeakRef(manager);
      };
      const refs = [make(), make(({ inbox }) => { for (const { deliveryId } of inbox.lease()) inbox.ack(deliveryId); })];
      const alive = () => refs.filter((ref) => ref.deref() !== undefined).length;
      await settle(() => alive() === 0);
      console.log(alive());`);
    expect(stdout).toBe('0\n');
  });
});
