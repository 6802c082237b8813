// Environments that hide or refuse something of the runtime: the CommonJS files in contexts of their own.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Context, createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Handle, Session } from '../../../dist/index.js';
import * as modules from '../../../dist/index.js';

type Package = typeof import('../../../dist/index.js');
const dist = fileURLToPath(new URL('../../../dist/', import.meta.url));
const own = createRequire(import.meta.url);

/** Requires a file of the package in a context, as test runners do: Node's modules come from outside. */
function requireIn(context: Context, file: string): Package {
  const known = new Map<string, { exports: unknown }>();
  const load = (name: string): unknown => {
    if (!name.startsWith('./')) return own(name);
    const before = known.get(name);
    if (before !== undefined) return before.exports;
    const module = { exports: {} };
    known.set(name, module);
    const body = runInContext(`(function (require, module, exports, __dirname) {${readFileSync(dist + name, 'utf8')}\n})`, context);
    body(load, module, module.exports, dist.slice(0, -1));
    return module.exports;
  };
  return load(`./${file}`) as Package;
}

/** What jest gives its tests under jsdom, as far as the package looks at it. */
const likeJsdom = () => {
  const { setTimeout, clearTimeout, queueMicrotask, performance, crypto, AbortController, AbortSignal } = globalThis;
  return { setTimeout, clearTimeout, queueMicrotask, performance, crypto, AbortController, AbortSignal };
};

test('a context without text coders and `structuredClone`, as that of jest with jsdom, takes the CommonJS files', async () => {
  const { SubAgentManager } = requireIn(createContext(likeJsdom()), 'index.cjs');
  const manager = new SubAgentManager({ spawnSubAgent: async ({ instructions }) => ({ output: `did ${instructions}` }) });
  expect((await manager.spawn({ instructions: 'größer' }).wait()).output).toBe('did größer');
  const tool = manager.createSubAgentTool();
  expect(await tool.execute({ instructions: 'x', label: 'x' })).toContain('did x');
  manager.dispose();
});

test('where a program has frozen what the language has, errors have their name and code', () => {
  const frozen = `
    for (const type of [Object, Function, Array, Error, TypeError, RangeError, Map, Set, Promise, Symbol, RegExp, Date]) {
      Object.freeze(type);
      Object.freeze(type.prototype);
    }
    const { SubAgentManager } = await import(${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)});
    const { memoryStore } = await import(${JSON.stringify(new URL('../../../dist/stores/memory.js', import.meta.url).href)});
    const { toolLoopAgent } = await import(${JSON.stringify(new URL('../../../dist/adapters/ai-sdk.js', import.meta.url).href)});
    const manager = await SubAgentManager.open({ store: memoryStore(), spawnSubAgent: async () => { throw new Error('boom'); } });
    const result = await manager.spawn({ instructions: 'x' }).wait();
    const errors = [];
    for (const wrong of [() => manager.get('no'), () => new SubAgentManager({ maxConcurrent: -1 }), () => toolLoopAgent(1)])
      try { wrong(); } catch (error) { errors.push([error.name, error.code, String(error.stack).split(':')[0]]); }
    const text = await manager.createSubAgentTool().execute({});
    manager.dispose();
    console.log(JSON.stringify({ error: result.error, errors, text: typeof text }));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', frozen], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    error: 'boom',
    errors: ['unknown_task', 'invalid_argument', 'invalid_argument'].map((code) => ['SubAgentError', code, 'SubAgentError']),
    text: 'string',
  });
});

test('where a Content-Security-Policy refuses to compile, the error has a code and names the way out', () => {
  const context = createContext(likeJsdom(), { codeGeneration: { strings: true, wasm: false } });
  const { SubAgentManager, SubAgentError } = requireIn(context, 'index.cjs');
  const make = (): unknown => new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });
  let caught: unknown;
  try {
    make();
  } catch (error) {
    caught = error;
  }
  expect(caught).toBeInstanceOf(SubAgentError);
  expect(caught).toMatchObject({ code: 'not_ready', message: expect.stringContaining("'wasm-unsafe-eval'") });
});

test.each([
  ['another copy of the package', (): Package => createRequire(import.meta.url)(`${dist}index.cjs`)],
  ['another manager', (): Package => modules],
])('a session or a handle of %s is refused with the way out', async (_, copy) => {
  const spawnSubAgent = async () => ({ output: 'x' });
  const [own, other] = [new modules.SubAgentManager({ spawnSubAgent }), new (copy().SubAgentManager)({ spawnSubAgent })];
  const [session, handle] = [other.session('ada') as Session, other.spawn({ instructions: 'x' }) as Handle];
  const ofSession = expect.objectContaining({ code: 'invalid_argument', message: expect.stringContaining('`manager.session(key)`') });
  expect(() => own.budget(session)).toThrow(ofSession);
  expect(() => own.addBudget({ tokens: 1 }, session)).toThrow(ofSession);
  const ofHandle = expect.objectContaining({ code: 'unknown_task', message: expect.stringContaining('a handle must be of this manager') });
  expect(() => own.get(handle)).toThrow(ofHandle);
  expect(() => own.budget(handle)).toThrow(ofHandle);
  expect(() => own.send(handle, 'x')).toThrow(ofHandle);
  await expect(own.cancel(handle)).rejects.toEqual(ofHandle);
  // An id is only one that isn't there.
  expect(() => own.get(handle.taskId)).toThrow(expect.not.objectContaining({ message: expect.stringContaining('a handle') }));
  own.dispose();
  other.dispose();
});
