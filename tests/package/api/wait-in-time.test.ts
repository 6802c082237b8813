// Ends that come in the step in which a wait's own time is over (W1, W2): the program was busy, and gets both at once.

import { afterEach, expect, test } from 'vitest';
import { SubAgentManager, type SubAgentManagerOptions } from '../../../dist/index.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

function busy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Waits for a sub-agent that has ended, as the program finds when it is no longer busy. */
async function waited(options: SubAgentManagerOptions, wait: (manager: SubAgentManager, taskId: string) => Promise<unknown>, next = false) {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const never = new Promise<never>(() => undefined);
  const manager = new SubAgentManager({
    ...options,
    spawnSubAgent: (_, run) => (run.label === 'x' && run.run === 1 ? ended.then(() => ({ output: 'first' })) : never),
  });
  opened.push(manager);
  const { taskId } = manager.spawn({ instructions: 'x', background: true });
  if (options.maxConcurrent === 1) manager.spawn({ instructions: 'urgent', priority: 9 });
  if (next) manager.send(taskId, 'and then');
  const reported = wait(manager, taskId);
  end();
  busy(20);
  return { told: await reported, notices: manager.inbox.peek() };
}

const first = { label: 'x', run: 1, status: 'completed', output: 'first' };

test.each([
  ['its next run starts', { maxConcurrent: 2 }, true],
  ['its next run is queued', { maxConcurrent: 1 }, true],
  ['it is forgotten at once', { retain: 0 }, false],
] as const)('W2 an end is told by the wait that collects it, as it was: %s', async (_, options, next) => {
  const { told, notices } = await waited(options, (manager, id) => manager.wait([id], { timeoutMs: 10 }), next);
  expect(told).toMatchObject({ completed: [first], pending: [], unknown: [], timedOut: false });
  expect(notices).toEqual([]);
});

test('W2 so a model gets it, too', async () => {
  const ask = (manager: SubAgentManager, id: string): unknown =>
    manager.createTools().wait_agents?.execute({ agent_ids: [id], timeout_ms: 10 });
  const { told } = await waited({}, async (manager, id) => ask(manager, id), true);
  expect(told).toContain('completed');
  expect(told).toContain('first');
});
