// Rows of every table in both directions: what the core writes, the generated readers read as it says, and what the generated
// writer writes is what the core reads. `tests/core/rows.rs` draws the rows.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FactBytes } from '../../../ts/base/fact-bytes.js';
import { type Subjects, UNKNOWN } from '../../../ts/base/fact-fields.js';
import { CommandBytes } from '../../../ts/boundary/command-bytes.js';
import { FactNumbers } from '../../../ts/boundary/fact-numbers.js';
import { type Command, readReply, writeCommand } from '../../../ts/boundary/generated/commands.js';
import { readEffect } from '../../../ts/boundary/generated/effects.js';
import * as lookups from '../../../ts/boundary/generated/lookups-readers.js';
import { ViewBytes } from '../../../ts/boundary/view-bytes.js';
import { FACT_READERS } from '../../../ts/generated/fact-readers.js';
import * as pages from '../../../ts/reading/generated/page-readers.js';
import * as policing from '../../../ts/reading/generated/policing-readers.js';
import * as took from '../../../ts/reading/generated/took-readers.js';
import * as notices from '../../../ts/snapshots/generated/notice-readers.js';
import * as runs from '../../../ts/snapshots/generated/run-readers.js';
import * as tasks from '../../../ts/snapshots/generated/task-readers.js';
import * as totals from '../../../ts/snapshots/generated/totals-readers.js';

type Row = [hex: string, value: Record<string, unknown>];
type Reader = (from: ViewBytes) => unknown;

const file = readFileSync(new URL('../../generated/rows.json', import.meta.url), 'utf8');
const rows: {
  commands: Row[];
  replies: Row[];
  effects: Row[];
  facts: [...Row, numbers: number[], texts: string][];
  views: Record<string, Row[]>;
} = JSON.parse(file, (_, value) => (value === 'Infinity' ? Number.POSITIVE_INFINITY : value));

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(hex, 'hex'));

/** Reads the whole of these bytes. */
function readWhole(hex: string, read: Reader): unknown {
  const bytes = bytesOf(hex);
  const from = new ViewBytes({ memoryView: () => bytes } as never);
  const value = from.readAt(0, read);
  expect(from.position).toBe(bytes.length);
  return value;
}

test('a command is written as the core reads it', () => {
  const to = new CommandBytes();
  for (const [hex, command] of rows.commands) {
    writeCommand(to.begin(), command as unknown as Command);
    expect([command.type, Buffer.from(to.written()).toString('hex')]).toEqual([command.type, hex]);
  }
});

test.each([
  ['a reply', rows.replies, readReply],
  ['an effect', rows.effects, readEffect],
] as [string, Row[], Reader][])('%s is read as the core writes it', (_, list, read) => {
  for (const [hex, value] of list) expect(readWhole(hex, read)).toEqual(value);
});

const readers: Record<string, Reader> = { ...lookups, ...pages, ...policing, ...took, ...notices, ...runs, ...tasks, ...totals };
/** Within others alone. */
const INNER = /^read(BudgetDimension|CostShare|LingeringRun|Origin|PolicyCount|Remaining|RunReservation|RunUsage|SpentInAll)$/;

test.each(Object.entries(rows.views).filter(([name]) => `read${name}` in readers))(
  'the view %s is read as the core writes it',
  (name, list) => {
    for (const [hex, value] of list) expect(readWhole(hex, readers[`read${name}`] as Reader)).toEqual(value);
  },
);

test('no reader of a view is left out', () => {
  const left = Object.keys(readers).filter((name) => !(name.replace('read', '') in rows.views) && !INNER.test(name));
  expect(left).toEqual([]);
});

test('a fact is read as the core writes it, stored or for listeners', () => {
  const subjects: Subjects = {
    idOf: (index, generation) => `${index}/${generation}`,
    subjectOf: (index, generation) => ({ ...UNKNOWN, taskId: `${index}/${generation}` }),
  };
  for (const [hex, fields, numbers, texts] of rows.facts) {
    const known = 'taskId' in fields ? { ...UNKNOWN, ...fields } : fields;
    const expected = { seq: 1, at: 2, ...known };
    const stored = new FactBytes(bytesOf(hex), subjects);
    const memory = { memoryView: () => bytesOf(texts), numbersView: () => Float64Array.from(numbers) };
    const shown = new FactNumbers(subjects, memory as never);
    shown.begin(0, numbers.length, 0);
    for (const from of [stored, shown]) {
      expect(FACT_READERS[from.byte()]?.(from, 1, 2)).toEqual(expected);
      expect(from.isOver).toBe(true);
    }
  }
});
