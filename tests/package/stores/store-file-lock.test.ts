// Who gets the lock of a store's file that a killed process has left, where one that wants it is slow: between any two of its
// calls of the file system, others come.

import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Store } from '../../../dist/index.js';
import { fileStore } from '../../../dist/stores/file.js';

const CALLS = ['link', 'open', 'readFile', 'rename', 'stat', 'unlink', 'writeFile'] as const;
const originals = Object.fromEntries(CALLS.map((name) => [name, files[name]]));
/** What the slow one does before each of its calls. */
const slow = new AsyncLocalStorage<() => Promise<void>>();

const folder = mkdtempSync(join(tmpdir(), 'subagents-lock-'));
let places = 0;

afterAll(() => {
  Object.assign(files, originals);
  syncBuiltinESMExports();
  rmSync(folder, { recursive: true });
});

/** The path of a store whose lock names a process that is gone. */
async function left(): Promise<string> {
  places += 1;
  const path = join(folder, `journal-${places}`);
  const store = fileStore(path);
  await store.open();
  const lock = JSON.parse(readFileSync(`${path}.lock`, 'utf8')) as object;
  await store.close();
  writeFileSync(`${path}.lock`, JSON.stringify({ ...lock, nonce: 'gone', started: '1' }));
  return path;
}

/** A store at this path, where it was opened; undefined where another one has it. */
async function opened(path: string): Promise<Store | undefined> {
  const store = fileStore(path);
  try {
    await store.open();
    return store;
  } catch (error) {
    expect(error).toMatchObject({ code: 'store_locked' });
    return undefined;
  }
}

test('where one is slow at any two calls, one of three has the lock at most', async () => {
  for (const name of CALLS) {
    const original = files[name] as (...given: unknown[]) => Promise<unknown>;
    const patched = async (...given: unknown[]): Promise<unknown> => {
      await slow.getStore()?.();
      return original(...given);
    };
    Object.assign(files, { [name]: patched });
  }
  syncBuiltinESMExports();
  let most = 0;
  let made = 0;
  do {
    most += 1;
    for (let first = 1; first <= most; first += 1) {
      const path = await left();
      const others: Promise<Store | undefined>[] = [];
      made = 0;
      const come = (): Promise<unknown> => {
        const other = slow.exit(() => opened(path));
        others.push(other);
        return other;
      };
      const pause = async (): Promise<void> => {
        made += 1;
        const call = made;
        if (call === first) await come();
        if (call === most) await come();
      };
      const stores = [await slow.run(pause, () => opened(path)), ...(await Promise.all(others))];
      const having = stores.filter((store) => store !== undefined);
      expect(having.length, `others came before the calls ${first} and ${most}`).toBeLessThanOrEqual(1);
      await Promise.all(having.map((store) => store.close()));
    }
  } while (made >= most);
  expect(most).toBeGreaterThan(8);
});

test('a claim to remove such a lock is removed where its process was killed, and holds others off where that lives', async () => {
  const path = await left();
  const claim = `${path}.lock.gone`;
  const lock = JSON.parse(readFileSync(`${path}.lock`, 'utf8')) as object;
  writeFileSync(claim, JSON.stringify({ ...lock, nonce: 'killed' }));
  const store = await opened(path);
  expect(store).toBeDefined();
  expect(readdirSync(folder).filter((name) => name.startsWith(`${basename(path)}.lock`))).toEqual([`${basename(path)}.lock`]);
  const alive = readFileSync(`${path}.lock`, 'utf8');
  await store?.close();
  writeFileSync(`${path}.lock`, JSON.stringify(lock));
  writeFileSync(claim, alive);
  expect(await opened(path)).toBeUndefined();
  expect(readFileSync(`${path}.lock`, 'utf8')).toBe(JSON.stringify(lock));
});
