// The built files as users load them: ESM, CommonJS, in a Node process of their own.

import { execFileSync, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as esm from '../dist/index.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** Runs a script in a Node process that has to end by itself. */
function node(
  script: string,
  flags: string[] = ['--input-type=module'],
): { stdout: string; stderr: string; status: number | null; signal: string | null } {
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, [...flags, '--eval', script], {
    cwd: root,
    encoding: 'utf8',
    timeout: 15_000,
  });
  return { stdout, stderr, status, signal };
}

const load = "import { SubAgentManager, createSubAgentTool } from './dist/index.js';";

describe('the modules', () => {
  test('CommonJS exports the same names as ESM', () => {
    const cjs = require('../dist/index.cjs') as Record<string, unknown>;
    expect(Object.keys(cjs).sort()).toEqual(Object.keys(esm).sort());
    for (const name of [
      'SubAgentManager',
      'createSubAgentTool',
      'SUB_AGENT_TOOL_NAME',
      'SubAgentParams',
      'SubAgentError',
      'DEFAULT_LIMITS',
    ]) {
      expect(cjs).toHaveProperty(name);
    }
  });

  test('CommonJS works', async () => {
    const cjs = require('../dist/index.cjs') as typeof esm;
    const manager = new cjs.SubAgentManager({ spawnSubAgent: async (params) => ({ output: params.instructions }) });
    expect((await manager.spawn({ instructions: 'by require' }).wait()).output).toBe('by require');
    expect(() => manager.get('x')).toThrow(cjs.SubAgentError);
    manager.dispose();
  });

  test('`require` and `import` by the name of the package', () => {
    const script =
      "const { SUB_AGENT_TOOL_NAME } = require('subagents'); import('subagents').then((m) => console.log(SUB_AGENT_TOOL_NAME, typeof m.SubAgentManager));";
    expect(execFileSync(process.execPath, ['--input-type=commonjs', '--eval', script], { cwd: root, encoding: 'utf8' }).trim()).toBe(
      'SubAgent function',
    );
  });

  test('the managers of both kinds work side by side', async () => {
    const cjs = require('../dist/index.cjs') as typeof esm;
    const managers = [cjs, esm].map((kind, index) => new kind.SubAgentManager({ spawnSubAgent: async () => ({ output: `${index}` }) }));
    const outputs = await Promise.all(managers.map(async (manager) => (await manager.spawn({ instructions: 'x' }).wait()).output));
    expect(outputs).toEqual(['0', '1']);
    for (const manager of managers) manager.dispose();
  });
});

describe('a process ends by itself', () => {
  test('after the import', () => {
    expect(node(`${load} console.log('loaded');`)).toEqual({ stdout: 'loaded\n', stderr: '', status: 0, signal: null });
  });

  test('with an open manager that has done nothing', () => {
    expect(node(`${load} globalThis.manager = new SubAgentManager(); console.log('made');`)).toMatchObject({ stdout: 'made\n', status: 0 });
  });

  test('after a run that has ended, without disposing', () => {
    const script = `${load}
      const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });
      console.log((await manager.spawn({ instructions: 'x' }).wait()).status);`;
    expect(node(script)).toEqual({ stdout: 'completed\n', stderr: '', status: 0, signal: null });
  });

  test('with an open run, when that has ended: its deadlines do not hold it afterwards', () => {
    const script = `${load}
      const manager = new SubAgentManager({ spawnSubAgent: () => new Promise((resolve) => setTimeout(() => resolve({ output: 'x' }), 200)) });
      manager.spawn({ instructions: 'x' }).wait().then((result) => console.log(result.status));
      console.log('open');`;
    expect(node(script)).toEqual({ stdout: 'open\ncompleted\n', stderr: '', status: 0, signal: null });
  });

  test('T1 a deadline keeps it alive while a run is open, so that its end is told', () => {
    const script = `${load}
      const manager = new SubAgentManager({ timeoutMs: 100, graceMs: 50, abandonMs: 50, spawnSubAgent: () => new Promise(() => undefined) });
      manager.spawn({ instructions: 'x' }).wait().then((result) => console.log(result.status));`;
    expect(node(script)).toMatchObject({ stdout: 'timed_out\n', status: 0, signal: null });
  });

  test('a pending wait for nothing but a deadline far away does not hold it once disposed', () => {
    const script = `${load}
      const manager = new SubAgentManager({ spawnSubAgent: () => new Promise(() => undefined) });
      manager.spawn({ instructions: 'x' }).wait().catch((error) => console.log(error.code));
      manager.dispose();`;
    expect(node(script)).toMatchObject({ stdout: 'disposed\n', status: 0, signal: null });
  });

  test('a standalone tool holds nothing', () => {
    const script = `${load}
      const tool = createSubAgentTool({ spawnSubAgent: async () => ({ output: 'x' }), spawnBackgroundSubAgent: async () => ({ taskId: 'h' }),
        canSpawn: () => true, getConcurrencyInfo: () => ({ active: 0, limit: 1 }), getModelId: () => 'm' });
      console.log((await tool.execute({ instructions: 'x' })).includes('completed'), (await tool.execute({ instructions: 'x', background: true })).startsWith('Subagent'));`;
    expect(node(script)).toMatchObject({ stdout: 'true true\n', status: 0, signal: null });
  });

  test('what a listener throws without `onError` is an uncaught error, and the run goes on', () => {
    const script = `${load}
      process.on('uncaughtException', (error) => console.log('uncaught', error.message));
      const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });
      manager.subscribe((event) => { if (event.type === 'run_started') throw new Error('listener'); });
      console.log((await manager.spawn({ instructions: 'x' }).wait()).status);`;
    const { stdout, status } = node(script);
    expect(stdout.trim().split('\n').sort()).toEqual(['completed', 'uncaught listener']);
    expect(status).toBe(0);
  });
});

describe('memory', () => {
  test('managers that are disposed, or just forgotten, can be collected', () => {
    const script = `${load}
      const kept = [];
      for (let round = 0; round < 60; round += 1) {
        const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });
        await manager.spawn({ instructions: 'x' }).wait();
        if (round % 2 === 0) manager.dispose();
        kept.push(new WeakRef(manager));
      }
      for (let turn = 0; turn < 10; turn += 1) { await new Promise((resolve) => setTimeout(resolve, 5)); gc(); }
      console.log(kept.filter((ref) => ref.deref() !== undefined).length < 5);`;
    expect(node(script, ['--expose-gc', '--input-type=module'])).toMatchObject({ stdout: 'true\n', status: 0 });
  });

  test('A2 the session of a forgotten task is released', () => {
    const script = `${load}
      const sessions = [];
      const spawnSubAgent = async (_, run) => { sessions.push(new WeakRef(run.session)); return { output: 'x' }; };
      const manager = new SubAgentManager({ budget: { tokens: Infinity }, spawnSubAgent });
      const handles = Array.from({ length: 30 }, () => manager.spawn({ task: 'x' }));
      await manager.wait(handles);
      for (const handle of handles) manager.forget(handle);
      for (let turn = 0; turn < 10; turn += 1) { await new Promise((resolve) => setTimeout(resolve, 5)); gc(); }
      console.log(manager.stats().total, sessions.filter((ref) => ref.deref() !== undefined).length < 5);`;
    expect(node(script, ['--expose-gc', '--input-type=module']).stdout).toBe('0 true\n');
  });

  // Runtime.sessions (ts/runtime.ts) lets go in `forget` only, not where retention evicts.
  test('A2 the session of a task that retention has evicted is released', () => {
    const script = `${load}
      const sessions = [];
      const spawnSubAgent = async (_, run) => { sessions.push(new WeakRef(run.session)); return { output: 'x' }; };
      const manager = new SubAgentManager({ retain: 1, budget: { tokens: Infinity }, spawnSubAgent });
      await Promise.all(Array.from({ length: 30 }, () => manager.spawn({ task: 'x' }).wait()));
      for (let turn = 0; turn < 10; turn += 1) { await new Promise((resolve) => setTimeout(resolve, 5)); gc(); }
      console.log(manager.stats().total, sessions.filter((ref) => ref.deref() !== undefined).length < 5);`;
    expect(node(script, ['--expose-gc', '--input-type=module']).stdout).toBe('1 true\n');
  });

  // abortWait (ts/runtime.ts) never takes its listener off: a signal that lives long keeps every wait that it was given to.
  test('W3 a wait that has returned lets its signal go', () => {
    const script = `${load}
      import { getEventListeners } from 'node:events';
      const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });
      const { signal } = new AbortController();
      for (let round = 0; round < 5; round += 1) await manager.spawn({ instructions: 'x' }).wait({ signal });
      console.log(getEventListeners(signal, 'abort').length);`;
    expect(node(script).stdout).toBe('0\n');
  });
});
