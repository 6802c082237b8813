// The pages that promise a whole list have all of it, and no more than they promise.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PARK_REASONS, STOP_REASONS, WAITING_FOR } from '../../dist/index.js';

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

test('the glossary has at most 20 terms', () => {
  const [, terms = ''] = /\n## Terms\n\n\| term .*\n\|-.*\n((?:\|.*\n)*)/.exec(read('docs/README.md')) ?? [];
  const rows = terms.trim().split('\n').length;
  expect(rows).toBeGreaterThan(10);
  expect(rows).toBeLessThanOrEqual(20);
});
