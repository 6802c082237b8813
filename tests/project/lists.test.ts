// The pages that promise a whole list have all of it, and no more than they promise.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS, PARK_REASONS, STOP_REASONS, SubAgentManager, TOOL_PRESETS, WAITING_FOR } from '../../dist/index.js';
import { Dice } from '../support/dice.mjs';

const read = (page: string): string => readFileSync(join(import.meta.dirname, '../..', page), 'utf8');

/** The names in the first cells of the table whose first head is this one. */
function namesUnder(page: string, head: string): string[] {
  const [, rows = ''] = new RegExp(`^\\| ${head} \\|.*\\n\\|[-|]+\\n((?:\\|.*\\n)*)`, 'm').exec(read(page)) ?? [];
  const cells = rows.split('\n').map((row) => row.split('|')[1] ?? '');
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`(\w+)`/g), ([, name]) => name as string)).sort();
}

test.each([
  ['`waitingFor`', WAITING_FOR],
  ['`parked`', PARK_REASONS],
  ['`stopReason`', STOP_REASONS],
])('why it did not run: each value of %s has its row', (head, names) => {
  expect(namesUnder('docs/guides/why-not-running.md', head)).toEqual([...names].sort());
});

test('which call: the ten events are those of the reference', () => {
  const events = namesUnder('docs/guides/which-call.md', 'event');
  expect(events).toHaveLength(10);
  expect(events).toEqual(namesUnder('docs/reference/events.md', 'event'));
});

test('the names of the reference: each preset has the tools of its column', () => {
  const [, head = '', rows = ''] = /^\| operation (\|.*)\n\|[-|]+\n((?:\|.*\n)*)/m.exec(read('docs/reference/names.md')) ?? [];
  const [columns = [], ...tools] = [head, ...rows.trim().split('\n')].map((row) =>
    row.split('|').map((cell) => cell.replaceAll(/[` ]/g, '')),
  );
  expect(columns.slice(1, -2)).toEqual(TOOL_PRESETS);
  const manager = new SubAgentManager({ spawnSubAgent: () => ({ output: '' }) });
  for (const [at, preset] of TOOL_PRESETS.entries()) {
    const made = Object.keys(manager.createTools({ preset }));
    expect(tools.map((row) => row[at + 2]).filter((name) => !name?.startsWith('('))).toEqual(made);
    const include = tools.map(([, operation]) => operation as 'spawn');
    const all = Object.keys(manager.createTools({ preset, include }));
    expect(tools.map((row) => row[at + 2]?.replaceAll(/[()]/g, ''))).toEqual(all);
  }
});

test('lives under the second model are given every limit but these', async () => {
  const path = '../outside/options.mjs';
  const { optionsOf, storeOf } = await import(path);
  const given = Object.keys({ ...optionsOf(new Dice(1)), ...storeOf(new Dice(1)).bounds });
  // The model has no texts and no errors that only a program gets.
  const reported = ['maxResultBytes', 'inlineBytes', 'stallMs'];
  // Nor does it know what is dropped beyond so many, or later.
  const kept = ['maxNotices', 'maxIdempotencyKeys', 'maxCooldownMs', 'maxCooldowns', 'approvalTimeoutMs'];
  expect([...given, ...reported, ...kept].filter((name) => name in DEFAULT_LIMITS).sort()).toEqual(Object.keys(DEFAULT_LIMITS).sort());
});

test('the glossary has at most 20 terms', () => {
  const [, terms = ''] = /\n## Terms\n\n\| term .*\n\|-.*\n((?:\|.*\n)*)/.exec(read('docs/README.md')) ?? [];
  const rows = terms.trim().split('\n').length;
  expect(rows).toBeGreaterThan(10);
  expect(rows).toBeLessThanOrEqual(20);
});
