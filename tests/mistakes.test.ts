// What a new user gets wrong first: options of another name, targets that are none, work that only waits.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SubAgentManager } from '../dist/index.js';

const wrong = (value: object): never => value as never;
const refused = expect.objectContaining({ code: 'invalid_argument' });

describe('mistakes in options', () => {
  it('a limit that is no such number is told with what came', () => {
    expect(() => new SubAgentManager({ maxConcurrent: 0 })).toThrow(
      '`maxConcurrent` must be a whole number of at least 1, or Infinity, got 0',
    );
    expect(() => new SubAgentManager({ timeoutMs: 0.5 })).toThrow('`timeoutMs` must be a whole number of at least 1, or Infinity, got 0.5');
  });

  it('a blank label is none', () => {
    const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'done' }) });
    for (const label of ['', ' \n']) expect(manager.spawn({ instructions: 'read a.md', label }).snapshot().label).toBe('read a.md');
    manager.dispose();
  });
});

describe('mistakes in calls', () => {
  it('an option of another name is refused by every call, and nothing has happened', async () => {
    const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'done' }) });
    const handle = manager.spawn({});
    await expect(manager.wait([handle], wrong({ timeout: 5 }))).rejects.toThrow('wait has no option `timeout`');
    expect(() => handle.wait(wrong({ mode: 'any' }))).toThrow('wait has no option `mode`');
    await expect(manager.cancel(handle, wrong({ grace: 5 }))).rejects.toThrow('cancel has no option `grace`');
    await expect(manager.close(handle, wrong({ grace: 5 }))).rejects.toThrow('close has no option `grace`');
    await expect(manager.interrupt(handle, wrong({ grace: 5 }))).rejects.toThrow('interrupt has no option `grace`');
    await expect(manager.cancelAll(wrong({ grace: 5 }))).rejects.toThrow('cancelAll has no option `grace`');
    await expect(manager.drain(wrong({ timeout: 5 }))).rejects.toThrow('drain has no option `timeout`');
    expect(() => manager.inbox.lease(wrong({ limit: 3 }))).toThrow('lease has no option `limit`');
    expect(() => manager.list(wrong({ status: ['idle'] }))).toThrow('list has no option `status`');
    expect(() => manager.list({ page: wrong({ size: 3 }) })).toThrow('`page` has no option `size`');
    expect(() => handle.readResult(wrong({ size: 3 }))).toThrow('readResult has no option `size`');
    expect(() => new SubAgentManager({ policies: wrong([]) })).toThrow('`policies` must be an object with subAgents or main, got a list');
    expect(handle.status).toBe('idle');
    manager.dispose();
  });

  it('an object without an id is no target: it never stands for the sub-agent that changed last', async () => {
    const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'done' }) });
    const handle = manager.spawn({});
    await expect(manager.cancel(wrong({}))).rejects.toEqual(refused);
    expect(() => manager.send(wrong({}), 'hello')).toThrow('a target must be an id or a handle, got an object');
    expect(() => manager.get(wrong(undefined as never))).toThrow('a target must be an id or a handle, got undefined');
    expect(handle.status).toBe('idle');
    manager.dispose();
  });

  it.each([
    [
      'that its own host function disposed',
      '{ spawnSubAgent: () => { manager.dispose(); return new Promise(() => undefined); } }',
      'disposed',
    ],
    ['whose host function runs elsewhere', "{ spawnBackgroundSubAgent: async () => ({ taskId: 'h' }) }", 'running'],
  ])('a manager %s keeps no process alive', (_, options, expected) => {
    const code = `
      import { SubAgentManager } from ${JSON.stringify(join(import.meta.dirname, '../dist/index.js'))};
      const manager = new SubAgentManager(${options});
      try {
        console.log(manager.spawn({ instructions: 'x', background: true }).status);
      } catch (error) {
        console.log(error.code);
      }`;
    expect(execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8', timeout: 30_000 })).toBe(
      `${expected}\n`,
    );
  });

  it.each([
    ['a rate limit', "{ async spawnSubAgent(_, run) { run.reportRateLimit({ retryAfterMs: 50 }); return { output: 'done' }; } }"],
    ['staggerMs', "{ staggerMs: 50, spawnSubAgent: async () => ({ output: 'done' }) }"],
  ])('the process lives until work starts that only %s holds back', (_, options) => {
    const code = `
      import { SubAgentManager } from ${JSON.stringify(join(import.meta.dirname, '../dist/index.js'))};
      const manager = new SubAgentManager(${options});
      await manager.spawn({ instructions: 'first' }).wait();
      console.log((await manager.spawn({ instructions: 'second' }).wait()).output);`;
    expect(execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8', timeout: 30_000 })).toBe('done\n');
  });
});
