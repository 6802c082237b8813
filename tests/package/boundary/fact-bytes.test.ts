// The stored form of facts as TypeScript reads it; that the core writes it so is shown by the transcripts.

import { expect, test } from 'vitest';
import { FactBytes } from '../../../ts/base/fact-bytes.js';
import { UNKNOWN } from '../../../ts/base/fact-fields.js';

/** A reader of these bytes. */
function reading(...bytes: number[]): FactBytes {
  return new FactBytes(Uint8Array.from(bytes), { idOf: (index, generation) => `${index}/${generation}`, subjectOf: () => UNKNOWN });
}

test.each([
  [[0], 0],
  [[0x7f], 127],
  [[0x80, 0x01], 128],
  [[0xff, 0x7f], 16_383],
  [[0x80, 0x80, 0x80, 0x80, 0x10], 2 ** 32],
  [[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f], Number.MAX_SAFE_INTEGER],
  // The largest number there is stands for what is uncapped.
  [[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], Number.POSITIVE_INFINITY],
])('the number %j is %d', (bytes, number) => {
  const reader = reading(...bytes);
  expect(reader.isOver).toBe(false);
  expect(reader.number()).toBe(number);
  expect(reader.isOver).toBe(true);
});

test('signed numbers take turns', () => {
  const reader = reading(0, 1, 2, 3);
  expect([reader.signed(), reader.signed(), reader.signed(), reader.signed()]).toEqual([0, -1, 1, -2]);
});

test('fields of all kinds lie one after the other', () => {
  const text = [...new TextEncoder().encode('é𝄞')];
  const reader = reading(1, text.length, ...text, 0, 2, 1, 0, 6, 7, 8, 9, 0x80, 0x94, 0xeb, 0xdc, 0x03, 3, 1, 2);
  expect(reader.flag()).toBe(true);
  expect(reader.text()).toBe('é𝄞');
  expect(reader.text()).toBe('');
  expect(reader.list(() => reader.flag())).toEqual([true, false]);
  expect(reader.task()).toBe('6/7');
  expect(reader.amounts()).toEqual({ tokens: 8, costUsd: 9e-9, turns: 1_000_000_000 });
  expect(reader.name(['a', 'b', 'c', 'd'])).toBe('d');
  // The program.
  expect(reader.task()).toBe(null);
  expect(reader.isOver).toBe(true);
});

test('what is cut off is an error, though other bytes follow', () => {
  for (const bytes of [[], [0x80], [0x80, 0x80]]) expect(() => reading(...bytes).number(), String(bytes)).toThrow('cut off');
  expect(() => reading(3, 65, 66).text()).toThrow('cut off');
});
