// The module with the journal: a program that opens no store doesn't have it in its bundle, and one that does has it with
// nothing to add, also where a bundler makes one file.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { type PlainModule, type Store, SubAgentManager } from '../../dist/index.js';
import { memoryStore } from '../../dist/stores/memory.js';
import { wasmDelta } from '../../scripts/wasm-delta.mjs';
import { readWasmText } from '../../ts/entries/wasm-text.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pkg = (file: string): Buffer<ArrayBuffer> => readFileSync(`${root}pkg/${file}`) as Buffer<ArrayBuffer>;
const plain = (bytes: Uint8Array): PlainModule => ({ bytes: () => bytes, readText: readWasmText });

/** A fresh copy: what was made is kept for the whole program. */
async function journalEntry(): Promise<typeof import('../../dist/stores/journal.js')> {
  const path = new URL(`../../dist/stores/journal.js?${Math.random()}`, import.meta.url).href;
  return (await import(/* @vite-ignore */ path)) as typeof import('../../dist/stores/journal.js');
}

/** A store of one's own: without the way to the module, unless it is given. */
function ownStore(journal?: Store['journal']): Store {
  const inner = memoryStore();
  return {
    journal,
    open: () => inner.open(),
    append: (record) => inner.append(record),
    compact: (snapshot, through) => inner.compact(snapshot, through),
    close: () => inner.close(),
  };
}

const spawnSubAgent = async (): Promise<{ output: string }> => ({ output: 'kept' });
async function used(manager: SubAgentManager): Promise<string | null> {
  const { output } = await manager.spawn({ instructions: 'x' }).wait();
  await manager[Symbol.asyncDispose]();
  return output;
}

describe('the way to the module', () => {
  test('what the package has of it is what it has besides the plain one, and makes it to the byte', async () => {
    const { journal } = await journalEntry();
    const made = (await journal(plain(pkg('subagents.wasm')))) as WebAssembly.Module;
    expect(WebAssembly.Module.exports(made)).toEqual(WebAssembly.Module.exports(new WebAssembly.Module(pkg('journal.wasm'))));
  });

  test.each<[string, PlainModule | undefined]>([
    ['another version of the plain module', plain(pkg('subagents.wasm').subarray(1))],
    ['one byte of it changed', plain(pkg('subagents.wasm').map((byte, at) => (at === 100_000 ? byte ^ 1 : byte)))],
    ['an entry that has no bytes', undefined],
  ])('%s is refused', async (_, given) => {
    const { journal } = await journalEntry();
    await expect(journal(given)).rejects.toMatchObject({ code: 'not_ready', message: expect.stringContaining('one version') });
  });

  test('a store of one’s own is told what it lacks, and works with it', async () => {
    await expect(SubAgentManager.open({ store: ownStore(), spawnSubAgent })).rejects.toMatchObject({
      code: 'not_ready',
      message: expect.stringContaining("`import { journal } from 'subagents/journal'`"),
    });
    const { journal } = await journalEntry();
    expect(await used(await SubAgentManager.open({ store: ownStore(journal), spawnSubAgent }))).toBe('kept');
  });

  test('in Node, which reads the file of the package, it works as it is', async () => {
    for (const entry of ['node.js', 'index.cjs']) {
      const kind = (await import(/* @vite-ignore */ `../../dist/${entry}`)) as { SubAgentManager: typeof SubAgentManager };
      expect(await used(await kind.SubAgentManager.open({ store: ownStore(), spawnSubAgent }))).toBe('kept');
    }
  });
});

describe('a delta', () => {
  test.each<[string, Uint8Array, Uint8Array]>([
    ['nothing of nothing', new Uint8Array(0), new Uint8Array(0)],
    ['all of nothing', new Uint8Array(0), Uint8Array.from({ length: 300 }, (_, at) => at)],
    ['nothing of something', new Uint8Array(300), new Uint8Array(0)],
    ['the same', pkg('subagents.wasm'), pkg('subagents.wasm')],
    ['less than there was', pkg('journal.wasm'), pkg('subagents.wasm')],
  ])('%s is small where there is little in it', (_, base, target) => {
    const delta = wasmDelta(base, target);
    expect(delta.length).toBeLessThan(30 + (base.length > 300 ? target.length / 4 : target.length * 1.1));
  });
});

describe('one file, by a bundler that does not split', () => {
  async function bundle(contents: string, outfile: string): Promise<string[]> {
    const stdin = { contents, resolveDir: root };
    const { metafile } = await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', metafile: true });
    return Object.entries(Object.values(metafile.outputs)[0]?.inputs ?? {}).flatMap(([file, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [file] : [],
    );
  }

  test('that opens no store has nothing of one; that opens one needs nothing beside it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'subagents-journal-'));
    try {
      const without = await bundle(
        "import { SubAgentManager } from 'subagents';\nglobalThis.manager = new SubAgentManager();",
        join(folder, 'none.mjs'),
      );
      expect(without.map((file) => file.replace(/.*dist\//, '')).sort()).toEqual(['<stdin>', 'index.js', 'shared.js']);
      const program = `import { SubAgentManager } from 'subagents';
        import { fileStore } from 'subagents/store/file';
        const manager = await SubAgentManager.open({ store: fileStore('kept.journal'), spawnSubAgent: async () => ({ output: 'kept' }) });
        console.log((await manager.spawn({ instructions: 'x' }).wait()).output);
        await manager[Symbol.asyncDispose]();`;
      expect(await bundle(program, join(folder, 'main.mjs'))).toContain('dist/stores/journal.js');
      const { stdout, stderr, status } = spawnSync(process.execPath, ['main.mjs'], { cwd: folder, encoding: 'utf8', timeout: 100_000 });
      expect({ stdout, stderr, status }).toEqual({ stdout: 'kept\n', stderr: '', status: 0 });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
