// Reads the counts of a counting module from its memory, where LLVM keeps them: the module has no code of its own for
// that.

import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';

/** The bytes of the record that LLVM has for each function on 32 bits (`INSTR_PROF_DATA`), and where its fields are. */
const RECORD = { size: 48, name: 0, hash: 8, counters: 16, count: 32 };

/** Every instance that is made of a counting module, from now on. */
export function countedInstances() {
  const made = [];
  const { Instance } = WebAssembly;
  WebAssembly.Instance = function counted(...of) {
    const instance = new Instance(...of);
    // Node has modules of its own.
    if ('__start___llvm_prf_data' in instance.exports) made.push(instance.exports);
    return instance;
  };
  return made;
}

/**
 * What all of them counted, added up, in the text form of `llvm-profdata`: for each function its name, the hash of its branches,
 * how many counters there are, and these.
 */
export function profileOf(counted) {
  const sums = new Map();
  for (const exports of counted) {
    const memory = new DataView(exports.memory.buffer);
    const names = namesOf(exports);
    const [start, end] = sectionOf(exports, 'data');
    for (let at = start; at < end; at += RECORD.size) {
      const name = names.get(memory.getBigUint64(at + RECORD.name, true));
      const count = memory.getUint32(at + RECORD.count, true);
      if (name === undefined || count === 0) throw new Error(`the record at ${at} is none: LLVM has changed its form`);
      const from = at + memory.getInt32(at + RECORD.counters, true);
      const key = `${name}\n${memory.getBigUint64(at + RECORD.hash, true)}\n${count}`;
      const before = sums.get(key);
      sums.set(
        key,
        Array.from({ length: count }, (_, index) => memory.getBigUint64(from + 8 * index, true) + (before?.[index] ?? 0n)),
      );
    }
  }
  const functions = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  return `:ir\n${functions.map(([key, each]) => `${key}\n${each.join('\n')}\n`).join('\n')}`;
}

/** The names of functions by their hash, as records refer to them. */
function namesOf(exports) {
  const [start, end] = sectionOf(exports, 'names');
  const bytes = Buffer.from(exports.memory.buffer, start, end - start);
  const names = new Map();
  let at = 0;
  const number = () => {
    let [value, shift, byte] = [0, 0, 0];
    do {
      byte = bytes[at++];
      value += (byte & 0x7f) * 2 ** shift;
      shift += 7;
    } while (byte & 0x80);
    return value;
  };
  while (at < bytes.length) {
    const [length, compressed] = [number(), number()];
    const size = compressed || length;
    const text = bytes.subarray(at, at + size);
    at += size;
    for (const name of (compressed ? inflateSync(text) : text).toString('latin1').split('\x01')) {
      names.set(createHash('md5').update(name, 'latin1').digest().readBigUInt64LE(0), name);
    }
  }
  return names;
}

function sectionOf(exports, name) {
  return ['start', 'stop'].map((end) => exports[`__${end}___llvm_prf_${name}`].value);
}
