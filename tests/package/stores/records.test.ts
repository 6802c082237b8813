// Records of a journal: what is sealed is read again, and whatever was changed, cut, left out or written by a newer
// version is refused with its place (J1).

import { expect, test } from 'vitest';
import { crc32c } from '../../../ts/stores/checksum.js';
import { isWholeRecord, openRecord, RECORD_HEADER_BYTES, RECORD_VERSION, readRecordHeader, sealRecord } from '../../../ts/stores/record.js';

/** A record with this number, of these bytes. */
function record(number: number, payload: readonly number[], version?: number): Uint8Array {
  const bytes = new Uint8Array(RECORD_HEADER_BYTES + payload.length);
  bytes.set(payload, RECORD_HEADER_BYTES);
  return sealRecord(bytes, number, version);
}

const refusal = (code: string, details: object) => expect.objectContaining({ code, details: expect.objectContaining(details) });

test('J1 the checksum is CRC-32C, and may be made in parts', () => {
  const digits = new TextEncoder().encode('123456789');
  expect(crc32c(digits)).toBe(0xe306_9283);
  expect(crc32c(new Uint8Array(32))).toBe(0x8a91_36aa);
  expect(crc32c(digits.subarray(4), crc32c(digits.subarray(0, 4)))).toBe(0xe306_9283);
});

test('J1 a record is read as it was sealed, in a form that stays', () => {
  const sealed = record(2 ** 40 + 3, [7, 8, 9]);
  expect([...sealed]).toEqual([3, 0, 0, 0, 3, 0, 0, 0, 0, 1, 1, 0, 9, 197, 148, 1, 7, 8, 9]);
  expect(readRecordHeader(sealed)).toMatchObject({ length: 3, number: 2 ** 40 + 3, version: RECORD_VERSION });
  expect([...openRecord(sealed, 2 ** 40 + 3)]).toEqual([7, 8, 9]);
  expect(readRecordHeader(Uint8Array.of(0, ...sealed), 1)).toEqual(readRecordHeader(sealed));
  expect(readRecordHeader(sealed.subarray(0, RECORD_HEADER_BYTES - 1))).toBeUndefined();
  expect([...openRecord(record(1, []), 1)]).toEqual([]);
});

test('J1 every flipped bit and every cut of a record is noticed', () => {
  const sealed = record(5, [1, 2, 3, 250]);
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const flipped = sealed.slice();
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
    expect(isWholeRecord(flipped), `bit ${bit}`).toBe(false);
    expect(() => openRecord(flipped, 5), `bit ${bit}`).toThrow(refusal('store_damaged', { record: 5 }));
  }
  for (let length = 0; length < sealed.length; length += 1) expect(isWholeRecord(sealed.subarray(0, length))).toBe(false);
  expect(isWholeRecord(Uint8Array.of(...sealed, 0))).toBe(false);
});

test('J1 a record in the place of another, and one of a newer version, are refused', () => {
  expect(() => openRecord(record(6, [1]), 5)).toThrow(refusal('store_damaged', { record: 5, found: 6 }));
  const newer = record(5, [1], RECORD_VERSION + 1);
  expect(() => openRecord(newer, 5)).toThrow(refusal('store_version', { record: 5, version: 2, supported: 1 }));
});
