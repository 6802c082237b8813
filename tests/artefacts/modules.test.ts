// The built files as users load them: ESM, CommonJS, in a Node process of their own.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import * as esm from '../../dist/index.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);

/** Runs a script in a Node process that has to end by itself. */
function node(
  script: string,
  flags: string[] = ['--input-type=module'],
): { stdout: string; stderr: string; status: number | null; signal: string | null } {
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, [...flags, '--eval', script], {
    cwd: root,
    encoding: 'utf8',
    timeout: 100_000,
  });
  return { stdout, stderr, status, signal };
}

const load = "import { SubAgentManager, createSubAgentTool } from './dist/index.js';";

describe('the modules', () => {
  test.each(['../../dist/index.js', '../../dist/node.js', '../../dist/index.cjs', '../../dist/slim.js', '../../dist/slim.cjs'])(
    'classes of %s go by the names that they are exported by: errors and stack traces show them',
    async (path) => {
      const exported = Object.entries((path.endsWith('.cjs') ? require(path) : await import(path)) as Record<string, unknown>);
      const classes = exported.filter(([, value]) => /^class\b/.test(String(value))) as [string, { name: string }][];
      expect(classes.map(([name]) => name)).toEqual(expect.arrayContaining(['Handle', 'Run', 'SubAgentError', 'SubAgentManager']));
      for (const [name, value] of classes) expect(value.name).toBe(name);
    },
  );

  test('CommonJS exports the same names as ESM', () => {
    const cjs = require('../../dist/index.cjs') as Record<string, unknown>;
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
    const cjs = require('../../dist/index.cjs') as typeof esm;
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

  test('`import` in Node comes to the entry that reads the wasm file', () => {
    const script = "console.log(import.meta.resolve('subagents'));";
    expect(node(script)).toMatchObject({ stdout: `${pathToFileURL(`${root}dist/node.js`)}\n`, status: 0 });
  });

  /** A program bundled for Node, in a folder of its own; with `installed` the package lies beside it. */
  async function bundled(conditions: string[] | undefined, installed: boolean, format: 'esm' | 'cjs' = 'esm') {
    const folder = mkdtempSync(join(tmpdir(), 'subagents-bundled-'));
    try {
      const from = format === 'esm' ? "import { SubAgentManager } from 'subagents'" : "const { SubAgentManager } = require('subagents')";
      const contents = `${from};
        (async () => {
          const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'bundled' }) });
          console.log((await manager.spawn({ instructions: 'x' }).wait()).output);
        })().catch((error) => console.log(error.code, error.message));`;
      const stdin = { contents, resolveDir: root };
      const outfile = join(folder, format === 'esm' ? 'main.mjs' : 'main.cjs');
      await build({ stdin, outfile, bundle: true, platform: 'node', format, ...(conditions && { conditions }) });
      if (installed) {
        mkdirSync(join(folder, 'node_modules'));
        symlinkSync(root, join(folder, 'node_modules/subagents'), 'junction');
      }
      const { stdout, stderr, status, signal } = spawnSync(process.execPath, [outfile], {
        cwd: folder,
        encoding: 'utf8',
        timeout: 100_000,
      });
      return { stdout, stderr, status, signal };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  test('a bundle for Node has the module in it as text, and needs nothing beside it', async () => {
    expect(await bundled(undefined, false)).toEqual({ stdout: 'bundled\n', stderr: '', status: 0, signal: null });
  });

  test.each(['esm', 'cjs'] as const)(
    'one of the form %s, made without the condition `module`, finds the wasm file in the package, else says what to do',
    async (format) => {
      expect(await bundled(['custom'], true, format)).toEqual({ stdout: 'bundled\n', stderr: '', status: 0, signal: null });
      const { stdout, status } = await bundled(['custom'], false, format);
      expect([status, stdout]).toEqual([0, expect.stringMatching(/^not_ready .*`module`/)]);
    },
  );

  test('the managers of both kinds work side by side', async () => {
    const cjs = require('../../dist/index.cjs') as typeof esm;
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

  test('T1 a deadline keeps it alive while a run is open, so that its end is reported', () => {
    const script = `${load}
      const manager = new SubAgentManager({ timeoutMs: 100, graceMs: 50, abandonMs: 50, spawnSubAgent: () => new Promise(() => undefined) });
      manager.spawn({ instructions: 'x' }).wait().then((result) => console.log(result.status));`;
    expect(node(script)).toMatchObject({ stdout: 'timed_out\n', status: 0, signal: null });
  });

  test('X1 work that waits for its start keeps it alive: behind a stagger, awaited or not', () => {
    const script = `${load}
      const manager = new SubAgentManager({ staggerMs: 80, spawnSubAgent: async (params) => { console.log(params.instructions); return { output: 'x' }; } });
      for (const instructions of ['a', 'b', 'c']) manager.spawn({ instructions, background: true });`;
    expect(node(script)).toMatchObject({ stdout: 'a\nb\nc\n', status: 0, signal: null });
  });

  test('X1 a cooldown that queued work waits for does not end it in the middle of an await', () => {
    const script = `${load}
      const manager = new SubAgentManager({ maxConcurrent: 1, spawnSubAgent: async (params, run) => {
        if (params.instructions === 'a') run.reportRateLimit({ retryAfterMs: 120 });
        return { output: params.instructions };
      } });
      const handles = ['a', 'b'].map((instructions) => manager.spawn({ instructions }));
      for (const handle of handles) console.log((await handle.wait()).output);`;
    expect(node(script)).toMatchObject({ stdout: 'a\nb\n', status: 0, signal: null });
  });

  test('S3 W3 a wait returns at its deadline where the work is done elsewhere, and a drain as well', () => {
    const script = `${load}
      const manager = new SubAgentManager({ graceMs: 0, spawnBackgroundSubAgent: async () => ({ taskId: 'h' }) });
      const task = manager.spawn({ instructions: 'x', background: true });
      console.log((await manager.wait([task], { timeoutMs: 80 })).timedOut);
      console.log((await manager.drain({ timeoutMs: 80 })).timedOut);`;
    expect(node(script)).toMatchObject({ stdout: 'true\ntrue\n', status: 0, signal: null });
  });

  test("P1 the time for the answer of a main agent's policy", () => {
    const script = `${load}
      const manager = new SubAgentManager({ approvalTimeoutMs: 80, policies: { main: [{ beforeTurn: () => new Promise(() => undefined) }] } });
      console.log((await manager.beforeTurn()).go);`;
    expect(node(script)).toMatchObject({ stdout: 'false\n', status: 0, signal: null });
  });

  test('nothing queued any more, or a wait that was aborted, does not', () => {
    const script = `${load}
      const manager = new SubAgentManager({ graceMs: 0, spawnBackgroundSubAgent: async () => ({ taskId: 'h' }), spawnSubAgent: async (params, run) => {
        run.reportRateLimit({ retryAfterMs: 3_000_000 });
        return { output: 'x' };
      } });
      await manager.spawn({ instructions: 'a' }).wait();
      const queued = manager.spawn({ instructions: 'b' });
      const abort = new AbortController();
      queued.wait({ timeoutMs: 2_000_000, signal: abort.signal }).catch((error) => console.log(error.code));
      abort.abort();
      console.log((await queued.cancel()).status);`;
    expect(node(script)).toMatchObject({ stdout: 'aborted\ncancelled\n', status: 0, signal: null });
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

  test('nothing hangs: deadlines are met by managers that only their own timer refers to', () => {
    const script = `${load}
      const never = () => new Promise(() => undefined);
      const timed = async () => {
        const manager = new SubAgentManager({ timeoutMs: 60, graceMs: 20, abandonMs: 20, spawnSubAgent: never });
        return (await manager.spawn({ instructions: 'x' }).wait()).status;
      };
      const waited = async () => {
        const manager = new SubAgentManager({ spawnSubAgent: never });
        return (await manager.wait([manager.spawn({ instructions: 'x' })], { timeoutMs: 80 })).timedOut;
      };
      const drained = async () => {
        const manager = new SubAgentManager({ graceMs: 20, spawnSubAgent: never });
        manager.spawn({ instructions: 'x' });
        return (await manager.drain({ timeoutMs: 60 })).timedOut;
      };
      const cancelled = async () => {
        const manager = new SubAgentManager({ graceMs: 80, spawnSubAgent: never });
        const handle = manager.spawn({ instructions: 'x' });
        await handle.cancel();
        return handle.status;
      };
      setInterval(gc, 5);
      console.log(...(await Promise.all([timed(), waited(), drained(), cancelled()])));
      // The run that was waited for goes on, and would keep the process for its half hour.
      process.exit();`;
    expect(node(script, ['--expose-gc', '--input-type=module'])).toMatchObject({ stdout: 'timed_out true true cancelled\n', status: 0 });
  });

  test('A2 the session of a forgotten task is released', () => {
    const script = `${load}
      const sessions = [];
      const spawnSubAgent = async (_, run) => { sessions.push(new WeakRef(run.session)); return { output: 'x' }; };
      const manager = new SubAgentManager({ budget: { tokens: Infinity }, spawnSubAgent });
      const handles = Array.from({ length: 30 }, () => manager.spawn({ instructions: 'x' }));
      await manager.wait(handles);
      for (const handle of handles) manager.forget(handle);
      for (let turn = 0; turn < 10; turn += 1) { await new Promise((resolve) => setTimeout(resolve, 5)); gc(); }
      console.log(manager.stats().total, sessions.filter((ref) => ref.deref() !== undefined).length < 5);`;
    expect(node(script, ['--expose-gc', '--input-type=module']).stdout).toBe('0 true\n');
  });

  // Runtime.sessions (ts/api/runtime.ts) lets go in `forget` only, not where retention evicts.
  test('A2 the session of a task that retention has evicted is released', () => {
    const script = `${load}
      const sessions = [];
      const spawnSubAgent = async (_, run) => { sessions.push(new WeakRef(run.session)); return { output: 'x' }; };
      const manager = new SubAgentManager({ retain: 1, budget: { tokens: Infinity }, spawnSubAgent });
      await Promise.all(Array.from({ length: 30 }, () => manager.spawn({ instructions: 'x' }).wait()));
      for (let turn = 0; turn < 10; turn += 1) { await new Promise((resolve) => setTimeout(resolve, 5)); gc(); }
      console.log(manager.stats().total, sessions.filter((ref) => ref.deref() !== undefined).length < 5);`;
    expect(node(script, ['--expose-gc', '--input-type=module']).stdout).toBe('1 true\n');
  });

  // abortWait (ts/api/runtime.ts) never takes its listener off: a signal that lives long keeps every wait that it was given to.
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

test('the peers are the packages that built files import, all optional: npm resolves an optional peer of a package that is not there, and refuses what does not fit it', () => {
  const { peerDependencies, peerDependenciesMeta } = require('../../package.json') as {
    peerDependencies: Record<string, string>;
    peerDependenciesMeta: Record<string, { optional?: boolean }>;
  };
  const built = readdirSync(`${root}dist`, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(d\.)?c?ts$|\.c?js$/.test(name));
  const foreign = built.flatMap((name) =>
    [...readFileSync(`${root}dist/${name}`, 'utf8').matchAll(/\b(?:from|import|require)\s*\(?["']((?:@[\w-]+\/)?[a-z][\w:./-]*)["']/g)].map(
      ([, from]) => from as string,
    ),
  );
  const packages = new Set(
    foreign
      .filter((from) => !/^(node|bun|cloudflare):/.test(from) && !/^subagents\b/.test(from))
      .map((from) =>
        from
          .split('/')
          .slice(0, from.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
  );
  expect(Object.keys(peerDependencies).sort()).toEqual([...packages].sort());
  for (const name of packages) expect(peerDependenciesMeta[name]).toEqual({ optional: true });
});

test.each(['index', 'slim'])('a program that uses a constant of %s has hardly more than that', async (entry) => {
  const contents = `import { SUB_AGENT_TOOL_NAME } from './dist/${entry}.js'; console.log(SUB_AGENT_TOOL_NAME);`;
  const stdin = { contents, resolveDir: root };
  const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: 'esm', platform: 'browser', write: false });
  expect(outputFiles[0]?.text.length).toBeLessThan(5_000);
});
