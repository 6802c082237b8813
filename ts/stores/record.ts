// A record of a journal. A header has its length, number, version and checksum; the facts of a batch follow as the core writes
// them. Owns the layout, which stays readable for ever, and the form of several as one value.

import { SubAgentError } from '../base/error-class.js';
import { FORM, OLDEST_FORM } from '../generated/form.js';
import { xxh32 } from './checksum.js';

/**
 * Bytes before the payload, little endian, with the bytes of each field. The length of the payload (4), the number of the
 * record (6), the form of the payload (2), a checksum (4). Numbers count from 1 over the life of the store. The checksum is the
 * XXH32 of the twelve bytes, seeded with that of the payload. So it finds every change within four bytes of either.
 */
export const RECORD_HEADER_BYTES = 16;

/** The contents of a header. */
export interface RecordHeader {
  /** Bytes of the payload. */
  readonly length: number;
  readonly number: number;
  /** The form of the payload, which determines its fields: `FORM` or an earlier one. */
  readonly form: number;
  readonly checksum: number;
}

const CHECKED_HEADER_BYTES = 12;
const TWO_TO_32 = 2 ** 32;

/** Makes a record of bytes whose first `RECORD_HEADER_BYTES` are still free. */
export function sealRecord(record: Uint8Array, number: number, form: number = FORM): Uint8Array {
  const view = viewOf(record);
  view.setUint32(0, record.length - RECORD_HEADER_BYTES, true);
  view.setUint32(4, number % TWO_TO_32, true);
  view.setUint16(8, Math.floor(number / TWO_TO_32), true);
  view.setUint16(10, form, true);
  view.setUint32(CHECKED_HEADER_BYTES, checksumOf(record), true);
  return record;
}

/** The header of the record that begins at a byte; `undefined` if too few bytes are left. */
export function readRecordHeader(bytes: Uint8Array, at = 0): RecordHeader | undefined {
  if (bytes.length - at < RECORD_HEADER_BYTES) return undefined;
  const view = viewOf(bytes);
  return {
    length: view.getUint32(at, true),
    number: view.getUint16(at + 8, true) * TWO_TO_32 + view.getUint32(at + 4, true),
    form: view.getUint16(at + 10, true),
    checksum: view.getUint32(at + CHECKED_HEADER_BYTES, true),
  };
}

/** Whether bytes are one whole record, as it was sealed. */
export function isWholeRecord(record: Uint8Array): boolean {
  const header = readRecordHeader(record);
  if (header?.length !== record.length - RECORD_HEADER_BYTES) return false;
  return header.checksum === checksumOf(record);
}

/** The content of a record. */
export interface Payload {
  /** Determines its fields. */
  readonly form: number;
  /** A part of the record. */
  readonly bytes: Uint8Array;
}

/** The payload of a snapshot of this many records. It is sealed like the last of them, and refused like a record. */
export function openSnapshot(snapshot: Uint8Array, through: number): Payload {
  return opened(snapshot, through, 'the snapshot');
}

/**
 * The payload of a record, without a copy. Throws `store_damaged` if it is not whole or has another number. Throws
 * `store_version` if this version of the package doesn't read its form.
 */
export function openRecord(record: Uint8Array, number: number): Payload {
  return opened(record, number, `record ${number}`);
}

function opened(record: Uint8Array, number: number, what: string): Payload {
  const header = readRecordHeader(record);
  if (!isWholeRecord(record) || header === undefined)
    throw new SubAgentError('store_damaged', `${what} of the store is damaged: its checksum is another one`, { record: number });
  if (header.form > FORM || header.form < OLDEST_FORM) throw otherForm(what, header.form, number);
  if (header.number !== number) {
    const message = `${what} of the store is missing: that with the number ${header.number} stands in its place`;
    throw new SubAgentError('store_damaged', message, { record: number, found: header.number });
  }
  return { form: header.form, bytes: record.subarray(RECORD_HEADER_BYTES) };
}

/** The error of a record, or of a snapshot, whose form this package doesn't read. */
export function otherForm(what: string, form: number, record: number): SubAgentError {
  const message = `${what} of the store was written by ${form > FORM ? 'a newer' : 'an earlier'} version of this package (form ${form}, this one reads ${OLDEST_FORM} to ${FORM})`;
  return new SubAgentError('store_version', message, { record, version: form, supported: FORM });
}

function checksumOf(record: Uint8Array): number {
  const [header, payload] = [record.subarray(0, CHECKED_HEADER_BYTES), record.subarray(RECORD_HEADER_BYTES)];
  return xxh32(header, xxh32(payload));
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export interface JoinedRecords {
  readonly lengths: Uint32Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function joinRecords(records: Uint8Array[]): JoinedRecords {
  const lengths = Uint32Array.from(records, ({ length }) => length);
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const record of records) {
    bytes.set(record, at);
    at += record.length;
  }
  return { lengths, bytes };
}

export function splitRecords(lengths: Uint32Array, bytes: Uint8Array): Uint8Array[] {
  let at = 0;
  return Array.from(lengths, (length) => {
    at += length;
    return bytes.slice(at - length, at);
  });
}
