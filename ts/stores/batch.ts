// Records of one write as one value, for stores whose media hold values. Owns the form of that: the bytes of all, and
// the length of each.

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
