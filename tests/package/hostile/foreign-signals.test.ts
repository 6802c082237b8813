// Signals that aren't the platform's own: they look like one and throw where they are touched. What a call refuses
// for that has begun, stopped and collected nothing.

import { describe, expect, test } from 'vitest';
import { type Handle, type HostResult, SubAgentManager } from '../../../dist/index.js';
import { deferred, done } from '../../support/hosts.js';

/** A signal that can be touched so many times; then it throws. */
function thornyAfter(touches: number): AbortSignal {
  let left = touches;
  const touch = <T>(value: T): T => {
    left -= 1;
    if (left < 0) throw new Error('thorn');
    return value;
  };
  return {
    get aborted() {
      return touch(false);
    },
    get reason() {
      return touch('why');
    },
    get addEventListener() {
      return touch(() => touch(undefined));
    },
    get removeEventListener() {
      return touch(() => touch(undefined));
    },
  } as never;
}

/** More touches than any call needs. */
const TOUCHES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

const settled = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

type Called = (manager: SubAgentManager, handle: Handle, signal: AbortSignal) => Promise<unknown>;

function tool(manager: SubAgentManager, name: string) {
  const tool = Object.values(manager.createTools()).find((tool) => tool.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return tool;
}

describe('W2 a wait that is refused collects no end', () => {
  test.each<[string, Called]>([
    ['for one', (_, handle, signal) => handle.wait({ signal })],
    ['for one, for a time', (_, handle, signal) => handle.wait({ signal, timeoutMs: 60_000 })],
    ['for several', (manager, handle, signal) => manager.wait([handle], { signal })],
    ['for any', (manager, handle, signal) => manager.wait([handle], { signal, mode: 'any' })],
    ['of a model', (manager, handle, signal) => tool(manager, 'wait_agents').execute({ agent_ids: [handle.taskId] }, { signal })],
  ])('%s', async (_, wait) => {
    for (const touches of TOUCHES) {
      const { promise, resolve } = deferred<HostResult>();
      const manager = new SubAgentManager({ spawnSubAgent: () => promise });
      const handle = manager.spawn({ instructions: 'x', background: true });
      const coming = settled(wait(manager, handle, thornyAfter(touches)));
      resolve(done('the end'));
      const error = await coming;
      if (error !== undefined) expect(error).toMatchObject({ code: 'invalid_argument', details: { argument: 'signal' } });
      await new Promise((resolve) => setTimeout(resolve, 1));
      expect([touches, manager.inbox.peek().length]).toEqual([touches, error === undefined ? 0 : 1]);
      manager.dispose();
    }
  });
});

describe('C1 what is refused has stopped and begun nothing', () => {
  test.each<[string, Called]>([
    ['a cancel', (_, handle, signal) => handle.cancel({ signal })],
    ['a close', (_, handle, signal) => handle.close({ signal })],
    ['a session', async (manager, _, signal) => manager.session('new', { signal })],
    ['a spawn', async (manager, _, signal) => manager.spawn({ instructions: 'y', signal })],
    ['an idle spawn', async (manager, _, signal) => manager.spawn({ label: 'y', signal })],
    ['the tool', (manager, _, signal) => manager.createSubAgentTool().execute({ instructions: 'y', background: true }, { signal })],
    [
      'a model that sends',
      (manager, handle, signal) => tool(manager, 'send_message').execute({ target: handle.taskId, message: 'm' }, { signal }),
    ],
  ])('%s', async (_, call) => {
    for (const touches of TOUCHES) {
      const manager = new SubAgentManager({ spawnSubAgent: () => new Promise<HostResult>(() => undefined), graceMs: 0 });
      const handle = manager.spawn({ instructions: 'x', background: true });
      const seen = () =>
        manager.list().items.map(({ status, cancelRequested, queueSize, run }) => [status, cancelRequested, queueSize, run]);
      const before = seen();
      const error = await settled(call(manager, handle, thornyAfter(touches)));
      if (error !== undefined) {
        expect(error).toMatchObject({ code: 'invalid_argument', details: { argument: 'signal' } });
        expect([touches, ...seen()]).toEqual([touches, ...before]);
      }
      manager.dispose();
    }
  });
});
