/// <reference types="vite/types/importMeta.d.ts" />
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
import { ViewBytes } from '../../../ts/boundary/view-bytes.js';
import { FACT_READERS } from '../../../ts/generated/fact-readers.js';

type Row = [hex: string, value: Record<string, unknown>];
type Reader = (from: ViewBytes) => unknown;

const file = readFileSync(new URL('../../generated/rows.json', import.meta.url), 'utf8');
const rows: {
  commands: Row[];
  replies: Row[];
  effects: Row[];
  facts: [...Row, numbers: number[], texts: string][];
  /** From the second on, what is not as in the first. */
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

/** A value of which only that is given which is not as in the first. */
function over(first: unknown, own: unknown): unknown {
  if (!isPlain(first) || !isPlain(own)) return own;
  return { ...first, ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, over(first[name], value)])) };
}

const isPlain = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

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

const files = import.meta.glob<Record<string, Reader>>('../../../ts/**/generated/*-readers.ts', { eager: true });
const readers: Record<string, Reader> = Object.assign({}, ...Object.values(files));
const inRows = Object.keys(rows.views).map((name) => `read${name}`);
/** Within others alone. */
const INNER = /^read(BudgetDimension|CostShare|LingeringRun|Origin|PolicyCount|Remaining|RunReservation|RunUsage|SpentInAll)$/;
/** They cross as objects. */
const UNREAD = ['readConcurrencyInfo', 'readDrainResult'];

test.each(inRows.filter((name) => !UNREAD.includes(name)))('%s reads its view as the core writes it', (name) => {
  const read = readers[name];
  if (!read) throw new Error(`there is no ${name}`);
  const list = rows.views[name.slice('read'.length)] ?? [];
  for (const [hex, value] of list) expect(readWhole(hex, read)).toEqual(over(list[0]?.[1], value));
});

test('every view has its reader, and every reader its view', () => {
  const read = Object.keys(readers).filter((name) => name.startsWith('read') && !INNER.test(name));
  expect([...read, ...UNREAD].sort()).toEqual(inRows.sort());
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
