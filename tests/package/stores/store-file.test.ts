// The file store as the package has it: what every store has to keep to, and what is its own: who has the file, what a
// crash leaves of it, and what is damage.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import promises, { type FileHandle, open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { SubAgentError } from '../../../dist/index.js';
import { storeConformance } from '../../../dist/stores/conformance.js';
import { fileStore } from '../../../dist/stores/file.js';
import { xxh32 } from '../../../ts/stores/checksum.js';
import { isShare } from '../../support/share.js';
import { recordOf } from '../../support/store-records.mjs';
import { isPosix } from '../../support/system.js';

const folder = mkdtempSync(join(tmpdir(), 'subagents-file-store-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;
function fresh(): string {
  made += 1;
  return join(folder, `store-${made}`);
}

const encoder = new TextEncoder();
const bytes = (word: string): Uint8Array => encoder.encode(word);
const word = (some: Uint8Array): string => new TextDecoder().decode(some);

interface Told {
  snapshot?: string;
  through: number;
  records: string[];
  cut?: number;
}

/** What a store holds, opened and closed. */
async function contents(path: string): Promise<Told> {
  const store = fileStore(path);
  const { snapshot, through, records, cut } = await store.open();
  const found: string[] = [];
  try {
    for await (const record of records) found.push(word(record));
  } finally {
    await store.close();
  }
  return { through, records: found, ...(snapshot && { snapshot: word(snapshot) }), ...(cut !== undefined && { cut }) };
}

/**
 * A store with a snapshot of two records, and five behind it, the last three in one batch; how long its file was when it was
 * compacted.
 */
async function small(): Promise<{ file: Buffer; base: number; records: string[] }> {
  const path = fresh();
  const store = fileStore(path);
  await store.open();
  await Promise.all(['one', 'two'].map((each) => store.append(bytes(each))));
  await store.compact(bytes('both'), 2);
  const base = statSync(path).size;
  const records = ['three', 'four', 'five', '', 'seven'];
  await store.append(bytes('three'));
  await store.append(bytes('four'));
  await Promise.all(records.slice(2).map((each) => store.append(bytes(each))));
  await store.close();
  return { file: readFileSync(path), base, records };
}

describe('what every store has to keep to', () => {
  for (const { name, run } of storeConformance((place) => fileStore(join(folder, place)))) test(name, run);
});

describe('the file', () => {
  test('it is the only one that is left, and its owner’s alone', async () => {
    const own = fresh();
    mkdirSync(own);
    const path = join(own, 'journal');
    const store = fileStore(pathToFileURL(path));
    await store.open();
    await store.append(bytes('one'));
    expect(readdirSync(own).sort()).toEqual(['journal', 'journal.lock']);
    // Windows keeps none but the right to write.
    const mode = isPosix ? 0o600 : 0o666;
    for (const name of readdirSync(own)) expect(statSync(join(own, name)).mode & 0o777, name).toBe(mode);
    await store.compact(bytes('snapshot'), 1);
    expect(statSync(path).mode & 0o777).toBe(mode);
    await store.close();
    expect(readdirSync(own)).toEqual(['journal']);
  });

  test('J1 an empty one, as `mktemp` makes it, holds nothing: it is a new store, and only reading leaves it as it is', async () => {
    const path = fresh();
    writeFileSync(path, '');
    const looking = fileStore(path, { readOnly: true });
    const seen: string[] = [];
    const { through, records, cut, later } = await looking.open();
    for await (const record of records) seen.push(word(record));
    expect([through, seen, cut, statSync(path).size]).toEqual([0, [], 0, 0]);
    expect(await contents(path)).toEqual({ through: 0, records: [] });
    const store = fileStore(path);
    await store.open();
    await store.append(bytes('one'));
    await store.close();
    expect(await contents(path)).toEqual({ through: 0, records: ['one'] });
    // Who looked at it while it was empty goes on in the file that took its place.
    for await (const record of later?.(0) ?? []) seen.push(word(record));
    expect(seen).toEqual(['one']);
    await looking.close();
  });

  test.runIf(isPosix)('a link to it stays one when it is compacted', async () => {
    const [path, link] = [fresh(), fresh()];
    symlinkSync(path, link);
    writeFileSync(path, (await small()).file);
    const store = fileStore(link);
    await store.open();
    await expect(fileStore(path).open()).rejects.toMatchObject({ code: 'store_locked' });
    await store.compact(bytes('new'), 7);
    await store.close();
    expect(await contents(path)).toEqual({ through: 7, snapshot: 'new', records: [] });
  });

  test('J1 one that an earlier version wrote is read, continued, and compacted', async () => {
    // Written once by `tests/support/store-fixture.mjs`, and never again: what it holds has to be read for ever.
    const path = fresh();
    writeFileSync(path, readFileSync(join(import.meta.dirname, '../../fixtures', 'store-v1.journal')));
    const formOf = (): number => readFileSync(path).readUInt32LE(8);
    const { snapshot, through, records, cut } = await contents(path);
    expect({ snapshot, through, cut }).toEqual({ snapshot: 'what the first three records came to', through: 3, cut: undefined });
    expect(records).toEqual([
      'the fourth',
      '',
      'the sixth, of this length: '.padEnd(600, '.'),
      'ünïcode ✓',
      ...Array.from({ length: 20 }, (_, at) => `one of a batch, ${at}`),
    ]);
    const store = fileStore(path);
    await store.open();
    await store.append(bytes('one more'));
    await store.close();
    expect([formOf(), (await contents(path)).records]).toEqual([1, [...records, 'one more']]);
    await store.open();
    await store.compact(bytes('all but the last'), 27);
    await store.append(bytes('the last'));
    await store.close();
    expect([formOf(), await contents(path)]).toEqual([1, { snapshot: 'all but the last', through: 27, records: ['one more', 'the last'] }]);
  });

  test('one of a later version is refused as that', async () => {
    const path = fresh();
    const { file } = await small();
    file.writeUInt32LE(3, 8);
    file.writeUInt32LE(xxh32(file.subarray(0, 32)), 32);
    writeFileSync(path, file);
    await expect(fileStore(path).open()).rejects.toMatchObject({
      code: 'store_version',
      details: { store: `the store ${path}`, version: 3, supported: 1 },
    });
  });

  test('options are checked, and a folder that is not there is reported', async () => {
    expect(() => fileStore('')).toThrow('`path` must be the path of a file');
    expect(() => fileStore('x', { waitMs: -1 })).toThrow('`waitMs` must be milliseconds from 0 on');
    const error = await fileStore(join(folder, 'no', 'such'))
      .open()
      .catch((error: unknown) => error);
    expect(error).toBeInstanceOf(SubAgentError);
    expect(error).toMatchObject({ code: 'store_failed', message: expect.stringMatching(/there is no folder .*: make it first$/) });
  });
});

describe('what a crash leaves', () => {
  test('cut off at any byte: what is whole is kept, the torn rest is cut and reported, and it goes on from there', async () => {
    const { file, base, records } = await small();
    const whole: number[] = [];
    for (let length = 1; length < file.length; length += 1) {
      const path = fresh();
      writeFileSync(path, file.subarray(0, length));
      if (length < base) {
        // All of this was durable before the file had its name.
        await expect(contents(path), `${length} bytes`).rejects.toMatchObject({
          code: 'store_damaged',
          details: { store: `the store ${path}` },
        });
        expect(readFileSync(path)).toEqual(file.subarray(0, length));
        continue;
      }
      const { snapshot, through, records: kept, cut = 0 } = await contents(path);
      expect({ snapshot, through }).toEqual({ snapshot: 'both', through: 2 });
      expect(kept).toEqual(records.slice(0, kept.length));
      if (cut === 0) whole.push(length);
      expect(length - cut, `${length} bytes`).toBe(whole.at(-1));
      const store = fileStore(path);
      await store.open();
      await store.append(bytes('next'));
      await store.close();
      expect(await contents(path)).toEqual({ through: 2, snapshot: 'both', records: [...kept, 'next'] });
    }
    // At the ends of records, and nowhere else.
    expect(whole.length).toBe(records.length);
  });

  test('a block of the last batch that never reached the disk: what stands before it is kept', async () => {
    const path = fresh();
    const store = fileStore(path);
    await store.open();
    await store.append(recordOf(1, 700));
    await Promise.all([2, 3, 4, 5].map((number) => store.append(recordOf(number, 700))));
    await store.close();
    const file = readFileSync(path);
    // Each of the sectors behind the first record: the first of them from where that ends.
    const end = 36 + 21 + recordOf(1, 700).length;
    for (let start = end; start < file.length; start = (Math.floor(start / 512) + 1) * 512) {
      const lost = Buffer.from(file);
      lost.fill(0, start, Math.min((Math.floor(start / 512) + 1) * 512, file.length));
      writeFileSync(path, lost);
      const { records, cut = 0 } = await contents(path);
      expect(records.length).toBeGreaterThanOrEqual(1);
      expect(records.length).toBeLessThan(5);
      expect(records).toEqual([1, 2, 3, 4].slice(0, records.length).map((number) => word(recordOf(number, 700))));
      expect(cut).toBeGreaterThan(0);
    }
    // The same behind which something durable stands is damage.
    writeFileSync(path, file);
    await store.open();
    await store.append(bytes('later'));
    await store.close();
    const damaged = readFileSync(path);
    damaged.fill(0, 1_024, 1_536);
    writeFileSync(path, damaged);
    await expect(contents(path)).rejects.toMatchObject({ code: 'store_damaged', details: { store: `the store ${path}`, byte: end } });
  });

  test('what was left of a compaction is cleared away', async () => {
    const path = fresh();
    writeFileSync(path, (await small()).file);
    writeFileSync(`${path}.new`, 'half of a snapshot');
    const store = fileStore(path);
    await store.open();
    await store.compact(bytes('all'), 7);
    await store.close();
    expect(readdirSync(folder).filter((name) => join(folder, name).startsWith(`${path}.`))).toEqual([]);
    expect(await contents(path)).toEqual({ through: 7, snapshot: 'all', records: [] });
  });
});

describe('damage', () => {
  test('a bit flipped in any byte is refused with its place, and the file is left alone', async () => {
    const { file } = await small();
    const path = fresh();
    for (let at = 0; at < file.length; at += 1) {
      for (const bit of isShare ? [at % 8] : [0, 1, 2, 3, 4, 5, 6, 7]) {
        const flipped = Buffer.from(file);
        flipped[at] = (flipped[at] as number) ^ (1 << bit);
        writeFileSync(path, flipped);
        const error = await contents(path).catch((error: unknown) => error as SubAgentError);
        expect(error, `bit ${bit} of byte ${at}`).toMatchObject({
          code: 'store_damaged',
          details: { store: `the store ${path}`, byte: expect.any(Number) },
        });
        const { byte } = (error as SubAgentError).details as { byte: number };
        expect(byte).toBeLessThanOrEqual(at);
        expect((error as SubAgentError).message).toContain(`${path} is damaged at byte ${byte}`);
        expect(readFileSync(path)).toEqual(flipped);
      }
    }
  });

  test('a record that is missing, doubled, in another place, or of another store is damage', async () => {
    const { file, base } = await small();
    const other = await small();
    const frame = (from: Buffer, at: number): Buffer => from.subarray(at, at + 21 + from.readUInt32LE(at + 4));
    const [first, second] = [frame(file, base), frame(file, base + frame(file, base).length)];
    const rest = file.subarray(base + first.length + second.length);
    const head = file.subarray(0, base);
    const cases = {
      missing: [head, second, rest],
      doubled: [head, first, first, second, rest],
      'the other way round': [head, second, first, rest],
      'of another store': [head, frame(other.file, other.base), second, rest],
    };
    for (const [name, parts] of Object.entries(cases)) {
      const path = fresh();
      writeFileSync(path, Buffer.concat(parts));
      await expect(contents(path), name).rejects.toMatchObject({ code: 'store_damaged' });
    }
  });

  test('what no store wrote is refused, and stays as it is', async () => {
    for (const content of ['a text', '{"some":"JSON of another program, longer than a header"}']) {
      const path = fresh();
      writeFileSync(path, content);
      await expect(contents(path)).rejects.toMatchObject({ code: 'store_damaged' });
      expect(readFileSync(path, 'utf8')).toBe(content);
    }
    const path = fresh();
    mkdirSync(path);
    await expect(contents(path)).rejects.toMatchObject({ code: 'store_failed' });
  });
});

describe('what the system refuses', () => {
  /**
   * Has work fail at one of the calls of files, all files' of this process, while it runs.
   *
   * @param of which of the calls fail: those of files or of folders alone, and how many before these go well
   */
  async function failing(
    method: 'datasync' | 'sync' | 'write',
    error: Error,
    work: () => Promise<void>,
    of: { readonly isFolder?: boolean; readonly after?: number } = {},
  ): Promise<void> {
    const handle = await open(folder, 'r');
    const prototype = Object.getPrototypeOf(handle) as Record<string, (...args: unknown[]) => Promise<unknown>>;
    await handle.close();
    const real = prototype[method] as (...args: unknown[]) => Promise<unknown>;
    let left = of.after ?? 0;
    prototype[method] = async function (this: FileHandle, ...args) {
      const isMeant = of.isFolder === undefined || (await this.stat()).isDirectory() === of.isFolder;
      if (!isMeant || left-- > 0) return real.apply(this, args);
      throw error;
    };
    try {
      await work();
    } finally {
      prototype[method] = real;
    }
  }

  test('a sync that fails ends the store for good, for what waits too', async () => {
    const path = fresh();
    const store = fileStore(path);
    await store.open();
    await store.append(bytes('one'));
    const cause = new Error('EIO: i/o error, fdatasync');
    await failing('datasync', cause, async () => {
      const first = store.append(bytes('two'));
      const second = new Promise((resolve) => setImmediate(resolve)).then(() => store.append(bytes('three')));
      await expect(first).rejects.toMatchObject({
        code: 'store_failed',
        details: { store: `the store ${path}` },
        cause,
        message: expect.stringContaining('EIO'),
      });
      await expect(second).rejects.toMatchObject({ code: 'store_failed', cause });
    });
    await expect(store.append(bytes('four'))).rejects.toMatchObject({ code: 'store_failed', cause });
    await expect(store.compact(bytes('snapshot'), 1)).rejects.toMatchObject({ code: 'store_failed', cause });
    await store.close();
    // What was not acknowledged may be there, or not.
    expect((await contents(path)).records[0]).toBe('one');
  });

  test('a compaction that fails before the new file is whole leaves the old one, which goes on', async () => {
    const path = fresh();
    const store = fileStore(path);
    await store.open();
    await store.append(bytes('one'));
    await failing('sync', new Error('ENOSPC: no space left on device'), async () => {
      await expect(store.compact(bytes('snapshot'), 1)).rejects.toMatchObject({ code: 'store_failed' });
    });
    await store.append(bytes('two'));
    await store.compact(bytes('snapshot'), 1);
    await store.append(bytes('three'));
    await store.close();
    expect(await contents(path)).toEqual({ through: 1, snapshot: 'snapshot', records: ['two', 'three'] });
  });

  /** The files of a store that this process has open. */
  const opened = (path: string): string[] =>
    (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd') : [])
      .map((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`);
        } catch {
          return '';
        }
      })
      .filter((name) => name.startsWith(path));
  const beside = (path: string): string[] => readdirSync(folder).filter((name) => name.startsWith(basename(path)));
  const cause = new Error('EIO: i/o error, fsync');
  const failed = { code: 'store_failed', cause };

  /** Stores that are opened: a new one, one that is there, one with a torn end, one whose last process was elsewhere. */
  const openings = {
    'a new store': async () => fresh(),
    'a store that is there': async () => {
      const path = fresh();
      writeFileSync(path, (await small()).file);
      return path;
    },
    'a store with a torn end': async () => {
      const path = fresh();
      writeFileSync(path, (await small()).file.subarray(0, -1));
      return path;
    },
    'a store whose last process was on another machine': async () => {
      const path = fresh();
      writeFileSync(path, (await small()).file);
      writeFileSync(`${path}.lock`, '{"pid":1,"started":"1","place":"elsewhere","host":"elsewhere"}');
      utimesSync(`${path}.lock`, new Date(0), new Date(0));
      return path;
    },
  };
  const kinds = [
    ['its file', false],
    ['its folder', true],
  ] as const;
  test.each(Object.keys(openings).flatMap((name) => kinds.map(([what, isFolder]) => [name, what, isFolder] as const)))(
    '%s is not opened where %s can not be synced; it is let go, and opened later',
    async (name, _, isFolder) => {
      const path = await openings[name as keyof typeof openings]();
      const expected = existsSync(path) ? (await small()).records : [];
      await failing('sync', cause, async () => expect(fileStore(path).open()).rejects.toMatchObject(failed), { isFolder });
      expect(opened(path)).toEqual([]);
      expect(existsSync(`${path}.lock`)).toBe(false);
      const { records } = await contents(path);
      expect(records).toEqual(name === 'a store with a torn end' ? expected.slice(0, 4) : expected);
      expect(beside(path)).toEqual([basename(path)]);
    },
  );

  test('a compaction whose new file can not be synced a second time leaves the old one, which goes on', async () => {
    const path = fresh();
    const store = fileStore(path);
    await store.open();
    await store.append(bytes('one'));
    // First as appends go on, then with what was appended meanwhile.
    await failing('sync', cause, async () => expect(store.compact(bytes('snapshot'), 1)).rejects.toMatchObject(failed), { after: 1 });
    await store.append(bytes('two'));
    expect(beside(path)).toEqual([basename(path), `${basename(path)}.lock`]);
    await store.close();
    expect(await contents(path)).toEqual({ through: 0, records: ['one', 'two'] });
    expect(opened(path)).toEqual([]);
  });

  test('a compaction after which the folder can not be synced ends the store for good: which file a crash leaves is not known', async () => {
    const path = fresh();
    const store = fileStore(path);
    await store.open();
    await store.append(bytes('one'));
    await failing('sync', cause, async () => expect(store.compact(bytes('snapshot'), 1)).rejects.toMatchObject(failed), { isFolder: true });
    await expect(store.append(bytes('three'))).rejects.toMatchObject(failed);
    await expect(store.compact(bytes('another'), 1)).rejects.toMatchObject(failed);
    await store.close();
    expect(opened(path)).toEqual([]);
    expect(beside(path)).toEqual([basename(path)]);
    // The new file has the name here, as nothing crashed.
    expect(await contents(path)).toEqual({ through: 1, snapshot: 'snapshot', records: [] });
  });

  test('a sync of the new file that fails after it has taken the place of the old one ends the store for good', async () => {
    const path = fresh();
    const store = fileStore(path);
    await store.open();
    for (const each of ['one', 'two']) await store.append(bytes(each));
    await store.compact(bytes('snapshot'), 1);
    await failing('datasync', cause, async () => expect(store.append(bytes('three'))).rejects.toMatchObject(failed));
    await expect(store.append(bytes('four'))).rejects.toMatchObject(failed);
    await expect(store.compact(bytes('another'), 2)).rejects.toMatchObject(failed);
    await store.close();
    expect(opened(path)).toEqual([]);
    const { records, ...rest } = await contents(path);
    expect(rest).toEqual({ through: 1, snapshot: 'snapshot' });
    expect(records[0]).toBe('two');
    expect(records).not.toContain('four');
  });

  test('a file system that makes no links keeps no file of a store that was not opened', async () => {
    const path = fresh();
    const { link } = promises;
    promises.link = () => Promise.reject(Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' }));
    syncBuiltinESMExports();
    try {
      await expect(fileStore(path).open()).rejects.toMatchObject({ code: 'store_failed', message: expect.stringContaining('EPERM') });
    } finally {
      promises.link = link;
      syncBuiltinESMExports();
    }
    expect(opened(path)).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.startsWith(basename(path)))).toEqual([]);
  });

  test('a compaction whose file can not take the place of the old one leaves that, which goes on', async () => {
    const path = fresh();
    const store = fileStore(path);
    await store.open();
    await store.append(bytes('one'));
    const { rename } = promises;
    promises.rename = () => Promise.reject(new Error('EPERM: operation not permitted, rename'));
    syncBuiltinESMExports();
    try {
      await expect(store.compact(bytes('snapshot'), 1)).rejects.toMatchObject({
        code: 'store_failed',
        message: expect.stringContaining('EPERM'),
      });
    } finally {
      promises.rename = rename;
      syncBuiltinESMExports();
    }
    await store.append(bytes('two'));
    expect(readdirSync(folder).filter((name) => name.startsWith(`${basename(path)}.`))).toEqual([`${basename(path)}.lock`]);
    await store.compact(bytes('snapshot'), 1);
    await store.append(bytes('three'));
    await store.close();
    expect(await contents(path)).toEqual({ through: 1, snapshot: 'snapshot', records: ['two', 'three'] });
  });

  const script = join(import.meta.dirname, '../../support/store-child.mjs');
  const filled = async (path: string, said: string): Promise<void> => {
    const lines = said.trim().split('\n');
    const kept = lines.filter((line) => line.startsWith('kept')).length;
    expect(kept).toBeGreaterThan(3);
    expect(lines.slice(kept + 1)).toEqual([
      expect.stringMatching(/^failed store_failed the store .+ failed: /),
      'after store_failed',
      'after store_failed',
      'closed',
    ]);
    const { records } = await contents(path);
    expect(records.slice(0, kept)).toEqual(Array.from({ length: kept }, (_, at) => word(recordOf(at + 1, 3_000))));
  };

  test.runIf(isPosix)('a write that comes short ends the store for good, and loses nothing that was acknowledged', async () => {
    const path = fresh();
    // The system writes as much as it allows, and says how much that was.
    const limited = `trap '' XFSZ; ulimit -f 40; exec "$0" "$@"`;
    const { stdout } = spawnSync('bash', ['-c', limited, process.execPath, script, path, 'fill'], { encoding: 'utf8' });
    expect(stdout).toContain('EFBIG');
    await filled(path, stdout);
  });

  const canMount = spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'tmpfs', folder]).status === 0;
  test.runIf(canMount)('J1 a full disk does too, and says ENOSPC', async () => {
    const [disk, kept] = [fresh(), fresh()];
    mkdirSync(disk);
    // The disk is there for this one process alone.
    const mounted = `mount -t tmpfs -o size=64k tmpfs ${disk} && "$0" "$@"; cp ${disk}/journal ${kept}`;
    const args = ['-Urm', 'sh', '-c', mounted, process.execPath, script, join(disk, 'journal'), 'fill'];
    const { stdout } = spawnSync('unshare', args, { encoding: 'utf8' });
    expect(stdout).toContain('ENOSPC');
    await filled(kept, stdout);
  });

  test.runIf(isPosix)('a process that may open no more files goes on', () => {
    const limited = `ulimit -n 100; exec "$0" "$@"`;
    const { stdout } = spawnSync('bash', ['-c', limited, process.execPath, script, fresh(), 'crowded'], { encoding: 'utf8' });
    expect(stdout.trim().split('\n')).toEqual(['open 0', 'EMFILE', 'kept']);
  });

  test('a store whose lock is another process’s by now says so, though nothing is appended', async () => {
    const path = fresh();
    const store = fileStore(path);
    const { lost } = await store.open();
    const other = fresh();
    writeFileSync(other, '{"pid":1,"started":"1","place":"elsewhere","host":"elsewhere"}');
    renameSync(other, `${path}.lock`);
    expect(await lost).toMatchObject({ code: 'store_locked', details: { path: `${path}.lock` } });
    await expect(store.append(bytes('late'))).rejects.toMatchObject({ code: 'store_locked' });
    await store.close();
    rmSync(`${path}.lock`);
  });

  test.runIf(isPosix).each(['deleted', 'renamed', 'replaced'])(
    'a file that is %s while its store is open takes no more records',
    async (how) => {
      const path = fresh();
      const store = fileStore(path);
      await store.open();
      await store.append(bytes('kept'));
      const other = fresh();
      if (how === 'deleted') rmSync(path);
      else if (how === 'renamed') renameSync(path, other);
      else {
        writeFileSync(other, 'of another program');
        renameSync(other, path);
      }
      await expect(store.append(bytes('lost'))).rejects.toMatchObject({
        code: 'store_failed',
        message: expect.stringContaining('is no longer the file of this store: it was deleted or renamed'),
      });
      await expect(store.append(bytes('later'))).rejects.toMatchObject({ code: 'store_failed' });
      await store.close();
    },
  );

  test.runIf(isPosix)('a folder without rights is reported, and nothing is left in it', () => {
    // The superuser may everything: then as a user who may read what is in here, wherever the checkout lies.
    const as = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const open = mkdtempSync(join(tmpdir(), 'subagents-file-store-'));
    try {
      chmodSync(open, 0o755);
      for (const part of ['dist', 'pkg']) cpSync(join(import.meta.dirname, '../../..', part), join(open, part), { recursive: true });
      cpSync(dirname(script), join(open, 'tests/support'), { recursive: true });
      writeFileSync(join(open, 'package.json'), '{ "type": "module" }');
      const own = join(open, 'own');
      mkdirSync(own, { mode: 0o555 });
      const args = [join(open, 'tests/support', basename(script)), join(own, 'journal'), 'hold'];
      const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', ...as });
      expect(stdout).toMatch(/^refused store_failed the store .+journal failed: EACCES: permission denied/);
      expect(readdirSync(own)).toEqual([]);
    } finally {
      rmSync(open, { recursive: true, force: true });
    }
  });
});
