// `npx subagents inspect --follow` over each kind of journal that goes on: only what is new is read. SQLite needs a Node with
// node:sqlite, which may be another one than this.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { fileStore } from '../../../dist/stores/file.js';
import { nodeFor } from '../../crash/stores.mjs';
import { follow as followJournal } from '../../support/inspect-following.js';
import { work } from '../../support/journal-reading.mjs';
import { isPosix } from '../../support/system.js';

const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'subagents-follow-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const { node: newer } = nodeFor('sqlite') as { node?: string };
const inspect = (node: string, ...args: string[]) => spawnSync(node, [cli, 'inspect', ...args], { encoding: 'utf8' });
const eventsIn = (node: string, path: string): string[] => inspect(node, path, '--events', '--json').stdout.trim().split('\n');

/** Follows a journal: `until` resolves once so many events were shown. */
function follow(node: string, path: string) {
  const following = followJournal(node, path);
  return { ...following, until: (count: number) => following.until(() => following.lines().length >= count) };
}

interface Kind {
  readonly node: string;
  /** Has a manager work with the journal. */
  work(path: string, texts: string): Promise<void>;
  /** Spoils what stands first in it. */
  spoil(path: string): void;
}

const kinds: Record<string, Kind> = {
  file: {
    node: process.execPath,
    work: (path, texts) => work(fileStore(path), texts),
    spoil(path) {
      const bytes = readFileSync(path);
      // Within the first record.
      bytes[90] = (bytes[90] as number) ^ 0xff;
      writeFileSync(path, bytes);
    },
  },
};
const child = join(import.meta.dirname, '../../support/sqlite-child.mjs');
const sqlite = (...args: string[]): string =>
  execFileSync(newer as string, [child, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
if (newer !== undefined)
  kinds.SQLite = {
    node: newer,
    work: async (path, texts) => void sqlite('work', path, texts),
    spoil: (path) =>
      void sqlite('sql', path, 'UPDATE subagents_records SET data = zeroblob(40) WHERE key = (SELECT min(key) FROM subagents_records)'),
  };

describe.each(Object.entries(kinds))('a journal in %s', (name, kind) => {
  test('--follow shows each event once, over compactions and other processes', async () => {
    const path = join(folder, `${name}-live`);
    await kind.work(path, 'one,two');
    const following = follow(kind.node, path);
    const first = eventsIn(kind.node, path);
    await following.until(first.length);
    await kind.work(path, 'three');
    const second = eventsIn(kind.node, path);
    await following.until(second.length);
    expect(following.lines()).toEqual(second);
    await kind.work(path, 'compact,four');
    const last = eventsIn(kind.node, path).at(-1) as string;
    while (following.lines().at(-1) !== last) await following.until(following.lines().length + 1);
    await following.end();
    // What was compacted before it could be read is said to be.
    const [, from, to] = /events (\d+) to (\d+) are known by their outcome alone/.exec(following.said.errors) ?? [];
    const untold = from === undefined ? [] : Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => Number(from) + at);
    const seqs = [...following.lines().map((line) => JSON.parse(line).seq as number), ...untold].sort((one, other) => one - other);
    expect(seqs).toEqual(seqs.map((_, at) => at + 1));
    expect(following.said.errors).not.toContain('DAMAGED');
  });

  test('--follow reads only what is new', async () => {
    const path = join(folder, `${name}-spoilt`);
    await kind.work(path, 'one');
    const whole = `${path}.whole`;
    copyFileSync(path, whole);
    await kind.work(whole, 'two');
    const following = follow(kind.node, path);
    const first = eventsIn(kind.node, path);
    await following.until(first.length);
    // Behind the end, something; before it, nothing is what it was.
    if (name === 'file') appendFileSync(path, readFileSync(whole).subarray(readFileSync(path).length));
    else await kind.work(path, 'two');
    await following.until(first.length + 3);
    kind.spoil(path);
    expect(inspect(kind.node, path).stderr).toContain('DAMAGED');
    if (name === 'file') appendFileSync(path, readFileSync(whole).subarray(0, 5));
    await new Promise((resolve) => setTimeout(resolve, 700));
    await following.end();
    expect(following.said.errors).not.toContain('DAMAGED');
  });
});

describe('a file that is not the one any more that was read', () => {
  const another = join(folder, 'another');
  const changes: Record<string, { change(path: string): void; said: RegExp }> = {
    'replaced by a shorter journal': {
      change: (path) => renameSync(another, path),
      said: /^\S+ was replaced by the file of another store: what was shown was in it before; inspect it again\n$/,
    },
    'replaced by an earlier state of it': {
      change(path) {
        copyFileSync(`${path}.early`, `${path}.copy`);
        renameSync(`${path}.copy`, path);
      },
      said: /^\S+ was replaced by an earlier state of it, which ends before record \d+: what was shown was in it before; inspect it again\n$/,
    },
    cut: {
      change: (path) => truncateSync(path, 100),
      said: /^\S+ was cut to 100 bytes after it was read up to byte \d+: what was shown was in it before; inspect it again\n$/,
    },
    deleted: {
      change: (path) => rmSync(path),
      said: /^\S+ was deleted or renamed: what was shown was in it before; inspect it again\n$/,
    },
  };
  // One that is longer looked like what comes next.
  changes['replaced by a longer journal'] = { ...(changes['replaced by a shorter journal'] as (typeof changes)[string]) };

  test.each(Object.entries(changes))('--follow of one that is %s ends with what happened to it', async (how, { change, said }) => {
    const path = join(folder, how.replaceAll(' ', '-'));
    await work(fileStore(path), 'one');
    copyFileSync(path, `${path}.early`);
    await work(fileStore(path), 'two,three');
    await work(fileStore(another), how.includes('longer') ? 'a,b,c,d,e' : 'a');
    const following = follow(process.execPath, path);
    const lines = eventsIn(process.execPath, path);
    await following.until(lines.length);
    change(path);
    expect(await following.over()).toBe(3);
    expect(following.lines()).toEqual(lines);
    expect(following.said.errors).toMatch(said);
    rmSync(another, { force: true });
  });

  test('--follow of exported events that are deleted ends, too', async () => {
    const journal = join(folder, 'to-delete');
    await work(fileStore(journal), 'one');
    const path = join(folder, 'deleted.jsonl');
    writeFileSync(path, `${eventsIn(process.execPath, journal).join('\n')}\n`);
    const following = follow(process.execPath, path);
    await following.until(1);
    rmSync(path);
    expect(await following.over()).toBe(3);
    expect(following.said.errors).toContain('was deleted or renamed');
  });

  test.skipIf(newer === undefined)('--follow of a database that another one has replaced, too', async () => {
    const path = join(folder, 'replaced.db');
    for (const each of [path, `${path}.other`]) sqlite('work', each, 'one');
    const following = follow(newer as string, path);
    await following.until(1);
    renameSync(`${path}.other`, path);
    expect(await following.over()).toBe(3);
    expect(following.said.errors).toContain('was replaced by another file');
  });
});

test('events that were exported: --follow reads only what is new', async () => {
  const journal = join(folder, 'exported');
  await work(fileStore(journal), 'one,two');
  const lines = eventsIn(process.execPath, journal);
  const path = join(folder, 'live.jsonl');
  const text = (some: string[]): string => some.map((line) => `${line}\n`).join('');
  writeFileSync(path, text(lines.slice(0, 4)));
  const following = follow(process.execPath, path);
  await following.until(4);
  writeFileSync(path, 'x'.repeat(text(lines.slice(0, 4)).length) + text(lines.slice(4)));
  await following.until(lines.length);
  expect(following.lines()).toEqual(lines);
  await following.end();
});

test.skipIf(newer === undefined)(
  'a database that a process left in the middle of a write is read, and followed once it is mended',
  async () => {
    const path = join(folder, 'killed.db');
    const node = newer as string;
    sqlite('work', path, 'one');
    const first = eventsIn(node, path);
    // More than the cache holds, so that pages of what was not committed are in the database.
    const half =
      'PRAGMA cache_size = 1; BEGIN; UPDATE subagents_records SET data = zeroblob(60); CREATE TABLE big AS SELECT zeroblob(3000000)';
    expect(spawnSync(node, [child, 'killed', path, half]).signal).toBe(isPosix ? 'SIGKILL' : null);
    expect(existsSync(`${path}-journal`)).toBe(true);
    expect(eventsIn(node, path)).toEqual(first);
    const following = follow(node, path);
    await following.until(first.length);
    sqlite('work', path, 'two');
    const all = eventsIn(node, path);
    expect(existsSync(`${path}-journal`)).toBe(false);
    await following.until(all.length);
    expect(following.lines()).toEqual(all);
    await following.end();
    expect(following.said.errors).not.toContain('DAMAGED');
  },
);
