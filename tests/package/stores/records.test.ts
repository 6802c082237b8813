// Records of a journal: what is sealed is read again, and whatever was changed, cut, left out or written by a newer
// version is refused with its place (J1).

import { expect, test } from 'vitest';
import { FORM } from '../../../ts/generated/form.js';
import { xxh32 } from '../../../ts/stores/checksum.js';
import { isWholeRecord, openRecord, RECORD_HEADER_BYTES, readRecordHeader, sealRecord } from '../../../ts/stores/record.js';

/** A record with this number, of these bytes. */
function record(number: number, payload: readonly number[], form?: number): Uint8Array {
  const bytes = new Uint8Array(RECORD_HEADER_BYTES + payload.length);
  bytes.set(payload, RECORD_HEADER_BYTES);
  return sealRecord(bytes, number, form);
}

const refusal = (code: string, details: object) => expect.objectContaining({ code, details: expect.objectContaining(details) });

test('J1 the checksum of records is XXH32', () => {
  const text = (words: string): Uint8Array => new TextEncoder().encode(words);
  expect(xxh32(text(''))).toBe(0x02cc_5d05);
  expect(xxh32(text('abc'))).toBe(0x32d1_53ff);
  expect(xxh32(text('Nobody inspects the spammish repetition'))).toBe(0xe229_3b2f);
  // Longer than what is taken at a time, and none of its words where a word may begin.
  const long = Uint8Array.from({ length: 10_001 }, (_, at) => at * 31 + (at >> 5)).subarray(1);
  expect(xxh32(long, 7)).toBe(0xc8da_0b22);
});

test('J1 a record of form 1 is found as it was sealed, in bytes that stay', () => {
  const form = 1;
  const sealed = Uint8Array.of(3, 0, 0, 0, 3, 0, 0, 0, 0, 1, form, 0, 92, 8, 150, 181, 7, 8, 9);
  expect(record(2 ** 40 + 3, [7, 8, 9], form)).toEqual(sealed);
  expect(readRecordHeader(sealed)).toMatchObject({ length: 3, number: 2 ** 40 + 3, form });
  expect(openRecord(sealed, 2 ** 40 + 3)).toEqual({ form, bytes: Uint8Array.of(7, 8, 9) });
  expect(readRecordHeader(Uint8Array.of(0, ...sealed), 1)).toEqual(readRecordHeader(sealed));
  expect(readRecordHeader(sealed.subarray(0, RECORD_HEADER_BYTES - 1))).toBeUndefined();
  expect(openRecord(record(1, [], form), 1)).toEqual({ form, bytes: new Uint8Array() });
});

test.each([4, 5_000])('J1 every flipped bit and every cut of a record of %i bytes is noticed', (length) => {
  const sealed = record(
    5,
    Array.from({ length }, (_, at) => at * 7),
  );
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const flipped = sealed.slice();
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
    if (isWholeRecord(flipped)) throw new Error(`bit ${bit} was not noticed`);
    if (length < 10) expect(() => openRecord(flipped, 5), `bit ${bit}`).toThrow(refusal('store_damaged', { record: 5 }));
  }
  for (let cut = 0; cut < sealed.length; cut += 1) if (isWholeRecord(sealed.subarray(0, cut))) throw new Error(`cut at ${cut}`);
  expect(isWholeRecord(Uint8Array.of(...sealed, 0))).toBe(false);
});

test('J1 every change within four bytes of a record is noticed', () => {
  const sealed = record(5, [1, 2, 3, 250, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
  for (let word = 0; word < sealed.length; word += 4) {
    for (let change = 1; change < 5_000; change += 1) {
      const changed = sealed.slice();
      const view = new DataView(changed.buffer);
      view.setInt32(word, view.getInt32(word) ^ Math.imul(change, 0x9e37_79b1));
      if (isWholeRecord(changed)) throw new Error(`change ${change} of word ${word} was not noticed`);
    }
  }
});

test('J1 a record in the place of another, and one of a later form, are refused', () => {
  expect(() => openRecord(record(6, [1]), 5)).toThrow(refusal('store_damaged', { record: 5, found: 6 }));
  const newer = record(5, [1], FORM + 1);
  expect(() => openRecord(newer, 5)).toThrow(refusal('store_version', { record: 5, version: FORM + 1, supported: FORM }));
});
