// The file store between processes: one at a time has it, and one that is killed, at any moment, has lost nothing that was
// acknowledged. `SUBAGENTS_KILLS=500` kills that many.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { SubAgentError } from '../../../dist/index.js';
import { fileStore } from '../../../dist/stores/file.js';
import { amount } from '../../support/share.js';
import { recordOf, snapshotOf } from '../../support/store-records.mjs';
import { isPosix } from '../../support/system.js';

const folder = mkdtempSync(join(tmpdir(), 'subagents-file-store-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
let made = 0;
function fresh(): string {
  made += 1;
  return join(folder, `store-${made}`);
}

const script = join(import.meta.dirname, '../../support/store-child.mjs');

interface Started {
  readonly child: ChildProcess;
  readonly lines: string[];
  /** Resolves with the first line that begins so. */
  line(start: string): Promise<string>;
  readonly ended: Promise<void>;
}

function start(path: string, work: string): Started {
  const child = spawn(process.execPath, [script, path, work], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const lines: string[] = [];
  const received = new Set<() => void>();
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    for (const listener of received) listener();
  });
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => resolve());
  });
  return {
    child,
    lines,
    ended,
    line: (begin) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = lines.find((line) => line.startsWith(begin));
          if (found === undefined) return;
          received.delete(look);
          resolve(found);
        };
        received.add(look);
        look();
        void ended.then(() => reject(new Error(`it never said ${begin}: ${lines.join('; ')}`)));
      }),
  };
}

/** What an `open` is refused with; `undefined` where it isn't, and then it is closed again. */
async function refusal(path: string): Promise<string | undefined> {
  const store = fileStore(path);
  try {
    await store.open();
    await store.close();
    return undefined;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code}: ${message}`;
  }
}

describe('one process at a time', () => {
  test('another learns which one has it, also while that is stopped; one that was killed has it no more', async () => {
    const path = fresh();
    const holder = start(path, 'hold');
    await holder.line('open');
    expect(await refusal(path)).toMatch(
      new RegExp(`^store_locked: process ${holder.child.pid} on .+ since \\d{4}-.+ has this store; end it first, or give .waitMs.`),
    );
    if (isPosix) holder.child.kill('SIGSTOP');
    expect(await refusal(path)).toContain('store_locked');
    holder.child.kill('SIGKILL');
    await holder.ended;
    const store = fileStore(path);
    await store.open();
    await store.close();
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  test('`waitMs` waits for it', async () => {
    const path = fresh();
    const first = fileStore(path);
    await first.open();
    const second = fileStore(path, { waitMs: 60_000 });
    const opened = second.open();
    await first.append(recordOf(1));
    await first.close();
    const { records } = await opened;
    for await (const record of records) expect(Buffer.from(record)).toEqual(recordOf(1));
    await second.close();
  });

  test('of many that come at once, on a lock that a killed process left, one has it', async () => {
    const path = fresh();
    const killed = start(path, 'hold');
    await killed.line('open');
    killed.child.kill('SIGKILL');
    await killed.ended;
    const comers = Array.from({ length: amount(12, 4) }, () => start(path, 'hold'));
    const said = await Promise.all(comers.map((comer) => Promise.race([comer.line('open'), comer.line('refused')])));
    expect(said.filter((line) => line === 'open 0').length).toBe(1);
    expect(said.filter((line) => line.startsWith('refused store_locked')).length).toBe(comers.length - 1);
    for (const { child } of comers) child.kill('SIGKILL');
  });

  test('a thread of the same process is refused too', async () => {
    const path = fresh();
    const store = fileStore(path);
    await store.open();
    const code = `const { fileStore } = await import(${JSON.stringify(new URL('../../../dist/stores/file.js', import.meta.url).href)});
      const { parentPort } = await import('node:worker_threads');
      parentPort.postMessage(await fileStore(${JSON.stringify(path)}).open().then(() => 'open', (error) => error.code));`;
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
    expect(await new Promise((resolve) => worker.on('message', resolve))).toBe('store_locked');
    await worker.terminate();
    await store.close();
  });

  const threadsHaveNames = existsSync('/proc/thread-self');
  test.runIf(threadsHaveNames).each(['terminate', 'exit', 'end'])('J5 a thread that has ended, by `%s`, has it no more', async (how) => {
    const path = fresh();
    const code = `const { fileStore } = await import(${JSON.stringify(new URL('../../../dist/stores/file.js', import.meta.url).href)});
      const { parentPort } = await import('node:worker_threads');
      await fileStore(${JSON.stringify(path)}).open();
      parentPort.postMessage('open');
      if (${JSON.stringify(how)} === 'terminate') setInterval(() => undefined, 1_000);
      if (${JSON.stringify(how)} === 'exit') process.exit(0);`;
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
    const ended = new Promise((resolve) => worker.on('exit', resolve));
    expect(await new Promise((resolve) => worker.on('message', resolve))).toBe('open');
    if (how === 'terminate') {
      expect(await refusal(path)).toContain('store_locked');
      await worker.terminate();
    }
    await ended;
    const store = fileStore(path, { waitMs: 60_000 });
    await store.open();
    await store.close();
  });

  test.runIf(threadsHaveNames).each(['EMFILE', 'ENFILE', 'EIO', 'EACCES'])(
    'J5 an error of the system, %s, at a look for the process that has it is no sign that it is gone',
    async (code) => {
      const path = fresh();
      const holder = start(path, 'hold');
      await holder.line('open');
      const { readFile } = files;
      files.readFile = (async (of: string, ...rest: never[]) => {
        if (of.startsWith(`/proc/${holder.child.pid}/`)) throw Object.assign(new Error(`${code}: it can't be read`), { code });
        return (readFile as (...given: unknown[]) => Promise<string>)(of, ...rest);
      }) as typeof readFile;
      syncBuiltinESMExports();
      try {
        // Without the right to look the process itself is asked; an error of another kind is the answer.
        expect(await refusal(path)).toContain(code === 'EACCES' ? 'store_locked' : code);
      } finally {
        files.readFile = readFile;
        syncBuiltinESMExports();
      }
      expect(await refusal(path)).toContain('store_locked');
      holder.child.kill('SIGKILL');
      await holder.ended;
      expect(await refusal(path)).toBe(undefined);
    },
  );

  const lockOf = async (path: string): Promise<Record<string, unknown>> => {
    const store = fileStore(path);
    await store.open();
    const lock = JSON.parse(readFileSync(`${path}.lock`, 'utf8')) as Record<string, unknown>;
    await store.append(recordOf(1));
    await store.close();
    return lock;
  };

  test('the number of a process that was given again holds nothing', async () => {
    const path = fresh();
    const lock = await lockOf(path);
    expect(lock).toMatchObject({ pid: process.pid });
    // Where the system says when a process began; elsewhere such a lock has to be removed by hand.
    if (lock.started === '') return;
    writeFileSync(`${path}.lock`, JSON.stringify({ ...lock, started: '1' }));
    expect(await refusal(path)).toBeUndefined();
  });

  describe('where the system does not say when a process began', () => {
    /** A store with the lock of a process of this number, as a system without /proc writes it; it was last touched so long ago. */
    async function lockedBy(pid: number, untouchedMs: number): Promise<string> {
      const path = fresh();
      const store = fileStore(path);
      await store.open();
      const lock = JSON.parse(readFileSync(`${path}.lock`, 'utf8'));
      await store.close();
      writeFileSync(`${path}.lock`, JSON.stringify({ ...lock, pid, started: '', since: '2026-01-02T03:04:05.000Z' }));
      const then = new Date(Date.now() - untouchedMs);
      utimesSync(`${path}.lock`, then, then);
      return path;
    }

    test('a number that was given again is refused with the way out, and that is one', async () => {
      const path = await lockedBy(process.ppid, 3_600_000);
      const error = await fileStore(path)
        .open()
        .catch((error: unknown) => error as SubAgentError);
      expect(error).toMatchObject({ code: 'store_locked', details: { path: `${path}.lock`, pid: process.ppid } });
      const { message, details } = error as SubAgentError;
      const seconds = (details.untouchedMs as number) / 1000;
      expect(seconds).toBeGreaterThanOrEqual(3_600);
      expect(message).toMatch(new RegExp(`^process ${process.ppid} on .+ since 2026-01-02T03:04:05.000Z has this store, or another `));
      expect(message).toContain(`this one was touched ${seconds} seconds ago`);
      expect(message).toContain(`Where process ${process.ppid} isn't one that has this store`);
      expect(message.endsWith(`as after the machine was started anew, remove ${path}.lock`), message).toBe(true);
      rmSync(`${path}.lock`);
      expect(await refusal(path)).toBeUndefined();
    });

    test('a process that has ended loses its store at once', async () => {
      const { child, ended } = start(fresh(), 'hold');
      child.kill('SIGKILL');
      await ended;
      expect(await refusal(await lockedBy(child.pid as number, 0))).toBeUndefined();
    });
  });

  test('a lock from another machine counts while it is touched; after that its process may write to the old file only', async () => {
    const path = fresh();
    const lock = await lockOf(path);
    writeFileSync(`${path}.lock`, JSON.stringify({ ...lock, place: 'another machine', host: 'there' }));
    expect(await refusal(path)).toMatch(
      /^store_locked: process \d+ on there since .+ has this store; its lock .+ is void once it has not been touched for 30 seconds$/,
    );
    const before = statSync(path).ino;
    const past = new Date(Date.now() - 31_000);
    utimesSync(`${path}.lock`, past, past);
    const store = fileStore(path);
    const { records } = await store.open();
    for await (const record of records) expect(Buffer.from(record)).toEqual(recordOf(1));
    expect(statSync(path).ino).not.toBe(before);
    await store.append(recordOf(2));
    await store.close();
  });

  test('a lock is touched by the clock of the file system, whatever the one of its machine says', async () => {
    const path = join(folder, 'another-clock');
    const store = fileStore(path);
    await store.open();
    const { mtimeMs } = statSync(`${path}.lock`);
    vi.useFakeTimers({ toFake: ['Date'], now: mtimeMs - 3_600_000 });
    try {
      while (statSync(`${path}.lock`).mtimeMs === mtimeMs) await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      vi.useRealTimers();
    }
    expect(statSync(`${path}.lock`).mtimeMs).toBeGreaterThan(mtimeMs);
    expect(await refusal(path)).toContain('store_locked');
    await store.close();
  });

  test('whose lock is gone or another’s acknowledges nothing more', async () => {
    const path = fresh();
    const store = fileStore(path);
    await store.open();
    await store.append(recordOf(1));
    rmSync(`${path}.lock`);
    const other = fileStore(path);
    await other.open();
    await expect(store.append(recordOf(2))).rejects.toMatchObject({ code: 'store_locked' });
    await expect(store.compact(snapshotOf(1), 1)).rejects.toMatchObject({ code: 'store_locked' });
    await store.close();
    // Closing leaves the other one its lock.
    expect(await refusal(path)).toContain('store_locked');
    await other.close();
  });
});

test('processes killed in the middle of appends and compactions: what was acknowledged is there, in order, and nothing else', async () => {
  const kills = Number(process.env.SUBAGENTS_KILLS ?? amount(40, 8));
  const path = fresh();
  let [acknowledged, inAppend, inCompaction, cuts] = [0, 0, 0, 0];
  for (let kill = 0; kill < kills; kill += 1) {
    const { child, lines, line, ended } = start(path, 'run');
    await line('open');
    // After so many appends, or at once when a compaction has begun.
    const wanted = 1 + ((kill * 37) % 60);
    await (kill % 2 === 0 ? line('compacting') : line('kept'));
    while (lines.length < wanted && child.exitCode === null) await new Promise((resolve) => setImmediate(resolve));
    child.kill('SIGKILL');
    await ended;
    expect(lines.filter((each) => /^(refused|failed)/.test(each))).toEqual([]);
    const last = (start: string): number =>
      Math.max(0, ...lines.filter((each) => each.startsWith(`${start} `)).map((each) => Number(each.split(' ')[1])));
    acknowledged = Math.max(acknowledged, last('kept'));
    const begun = lines.filter((each) => each.startsWith('compacting')).length;
    if (begun > lines.filter((each) => each.startsWith('compacted')).length) inCompaction += 1;
    else inAppend += 1;

    const store = fileStore(path);
    const { through, snapshot, records, cut } = await store.open();
    if (cut !== undefined) cuts += 1;
    expect(through).toBeGreaterThanOrEqual(last('compacted'));
    if (through > 0) expect(Buffer.from(snapshot ?? [])).toEqual(snapshotOf(through));
    let count = through;
    for await (const record of records) {
      count += 1;
      expect(Buffer.compare(record, recordOf(count)), `record ${count}`).toBe(0);
    }
    expect(count).toBeGreaterThanOrEqual(acknowledged);
    acknowledged = count;
    await store.close();
  }
  console.log(
    `${kills} kills: ${inCompaction} in the middle of a compaction, ${inAppend} among appends, ${cuts} torn tails; ${acknowledged} records`,
  );
  expect(inCompaction).toBeGreaterThan(0);
});
