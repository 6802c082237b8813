// `subagents/slim`: the package without the module, which `init` is given.

import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';

const file = new URL('../../pkg/subagents.wasm', import.meta.url);
const bytes = (): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(file));

/** A fresh copy: `init` is for a whole program. */
async function slim(): Promise<typeof import('../../dist/slim.js')> {
  const path = new URL(`../../dist/slim.js?${Math.random()}`, import.meta.url).href;
  return (await import(/* @vite-ignore */ path)) as typeof import('../../dist/slim.js');
}

test('before `init` a manager, or a tool that stands alone, is `not_ready`', async () => {
  const { SubAgentManager, createSubAgentTool } = await slim();
  expect(() => new SubAgentManager()).toThrow(expect.objectContaining({ code: 'not_ready' }));
  expect(() => createSubAgentTool({ spawnSubAgent: async () => ({ output: 'x' }) } as never)).toThrow(
    expect.objectContaining({ code: 'not_ready' }),
  );
});

test.each<[string, () => unknown]>([
  ['bytes', bytes],
  ['a buffer', () => bytes().buffer],
  ['a module', () => new WebAssembly.Module(bytes())],
  ['a promise of bytes', () => Promise.resolve(bytes())],
  ['a response', () => new Response(bytes())],
  ['a promise of a response', () => Promise.resolve(new Response(bytes()))],
  ['a URL of data', () => new URL(`data:application/wasm;base64,${Buffer.from(bytes()).toString('base64')}`)],
  ['the text of one', () => `data:application/wasm;base64,${Buffer.from(bytes()).toString('base64')}`],
])('`init` takes %s', async (_, source) => {
  const { init, SubAgentManager } = await slim();
  await init(source() as never);
  // Once it is ready, nothing changes.
  await init('nothing that is looked at' as never);
  const manager = new SubAgentManager({ spawnSubAgent: async ({ instructions }) => ({ output: instructions }) });
  expect((await manager.spawn({ instructions: 'slim' }).wait()).output).toBe('slim');
  manager.dispose();
});

test.each<[string, unknown]>([
  ['undefined', undefined],
  ['null', null],
  ['a number', 7],
  ['an empty object', {}],
  ['a response that is none', new Response('no', { status: 404 })],
])('`init` refuses %s, and may be tried again', async (_, source) => {
  const { init, SubAgentManager } = await slim();
  await expect(init(source as never)).rejects.toMatchObject({ name: 'SubAgentError', code: 'invalid_argument' });
  expect(() => new SubAgentManager()).toThrow(expect.objectContaining({ code: 'not_ready' }));
  await init(bytes());
  new SubAgentManager().dispose();
});

test('`init` says what a URL answered', async () => {
  const { init } = await slim();
  const answered = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('gone', { status: 410 }));
  await expect(init('https://example.org/subagents.wasm')).rejects.toMatchObject({ code: 'invalid_argument', details: { status: 410 } });
  answered.mockRestore();
});

test('a module of another build is refused by name, before it runs', async () => {
  const { init, SubAgentManager } = await slim();
  const [{ module: build } = { module: '' }] = WebAssembly.Module.imports(new WebAssembly.Module(bytes()));
  expect(build).toMatch(/^[0-9a-f]{8}$/);
  const other = Buffer.from(Buffer.from(bytes()).toString('latin1').replaceAll(build, 'deadbeef'), 'latin1');
  await init(new Uint8Array(other));
  const message = expect.stringContaining('another version');
  expect(() => new SubAgentManager()).toThrow(expect.objectContaining({ code: 'not_ready', message }));
});

test('errors of both entries are of one class', async () => {
  const [{ SubAgentError }, other] = [await import('../../dist/index.js'), await import('../../dist/slim.js')];
  expect(other.SubAgentError).toBe(SubAgentError);
});
