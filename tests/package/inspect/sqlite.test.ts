// `npx subagents inspect` over a journal in SQLite: shown as one in a file is, and what is said of a damaged one. It needs a
// Node with node:sqlite, which may be another one than this.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { nodeFor } from '../../crash/stores.mjs';

const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'subagents-inspect-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { node } = nodeFor('sqlite') as { node: string };
const child = join(import.meta.dirname, '../../support/sqlite-child.mjs');
const sqlite = (...args: string[]): string =>
  execFileSync(node, [child, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const inspect = (...args: string[]) => spawnSync(node, [cli, 'inspect', ...args], { encoding: 'utf8' });

describe.skipIf(node === undefined)('a journal in SQLite', () => {
  test('is shown as one in a file is, at any moment, and nothing of it is changed', () => {
    const path = join(folder, 'shown.db');
    sqlite('work', path, 'one,two');
    const bytes = readFileSync(path);
    const { status, stdout } = inspect(path);
    expect(status).toBe(0);
    expect(stdout).toMatch(/✔ one +completed/);
    const events = inspect(path, '--events', '--json').stdout.trim().split('\n');
    const started = events.map((line) => JSON.parse(line)).find(({ type }) => type === 'run_started');
    expect(inspect(path, '--at', String(started.seq)).stdout).toMatch(/one +running/);
    expect(JSON.parse(inspect(path, '--json').stdout)).toMatchObject({ kind: 'sqlite', damage: null });
    expect(inspect(path, '--table', 'others')).toMatchObject({ status: 3, stderr: expect.stringContaining('there are no such tables') });
    expect(readFileSync(path)).toEqual(bytes);
  });

  test.each([
    ['a record that is gone', 'DELETE FROM subagents_records WHERE key = 3 * 65536', /record 3: it is missing/, 3],
    [
      'a record of other bytes',
      'UPDATE subagents_records SET data = zeroblob(60) WHERE key = 3 * 65536',
      /record 3 of the store is damaged/,
      3,
    ],
    [
      'a record that is cut',
      'UPDATE subagents_records SET data = substr(data, 1, 30) WHERE key = 3 * 65536',
      /record 3 of the store is damaged/,
      3,
    ],
    ['a table that is gone', 'DROP TABLE subagents_records', /its table subagents_records: it is missing/, undefined],
    ['a state that is gone', 'DELETE FROM subagents_state', /its table subagents_state: it is empty/, undefined],
  ])('%s: its place is told, and what stands before it is shown', (name, statement, said, record) => {
    const path = join(folder, `${name}.db`);
    sqlite('work', path, 'one,two');
    sqlite('sql', path, statement);
    const { status, stdout, stderr } = inspect(path);
    expect(status).toBe(1);
    expect(stderr).toMatch(said);
    const { damage, last } = JSON.parse(inspect(path, '--json').stdout);
    expect(damage).toMatchObject({ code: 'store_damaged', ...(record !== undefined && { record }) });
    if (record === undefined) return expect([stdout, stderr]).toEqual(['', expect.stringContaining('nothing in it can be trusted')]);
    expect(stdout).toContain(`event ${last} of ${last}`);
    expect(last).toBeGreaterThan(0);
  });
});
