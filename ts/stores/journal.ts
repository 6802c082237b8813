// The entry `subagents/journal`: the way to the module with the journal, where no file of the package can be read or
// deployed. Owns how that module is made of the plain one, which the program has already: `scripts/wasm-delta.mjs` says in
// which form what changes is kept.

import delta from '../../pkg/journal.wasm?delta';
import { compileLater } from '../base/compile.js';
import { SubAgentError } from '../base/error-class.js';
import type { JournalSource } from './store.js';

export type { JournalSource } from './store.js';

let made: Promise<object> | undefined;

/**
 * Gives `SubAgentManager.open` the module with the journal. The stores of this package have it; a store of your own needs
 * it as its field `journal`, outside of Node. It rejects with `not_ready` where `subagents` itself is of another version.
 */
export const journal: JournalSource = (plain) => {
  if (plain === undefined) return Promise.reject(differs());
  made ??= compileLater(async () => WebAssembly.compile(applied(plain.readText(delta.text, delta.frequent), plain.bytes())));
  return made;
};

function differs(): SubAgentError {
  const message =
    '`subagents/journal` and `subagents` are not of one version, or were resolved with other conditions: bundle them together';
  return new SubAgentError('not_ready', message);
}

/** The bytes that a delta makes of others. */
function applied(bytes: Uint8Array, base: Uint8Array): Uint8Array<ArrayBuffer> {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let weight = 1; ; weight *= 128) {
      const byte = bytes[at++] as number;
      value += (byte & 127) * weight;
      if (byte < 128) return value;
    }
  };
  const [baseLength, baseSum, length, sum, steps] = [number(), number(), number(), number(), number()] as const;
  if (base.length !== baseLength || checksum(base) !== baseSum) throw differs();
  const [fresh, copied, distances] = [0, 1, 2].map(() => Array.from({ length: steps }, number)) as [number[], number[], number[]];
  const made = new Uint8Array(length);
  let [to, from] = [0, 0];
  for (let step = 0; step < steps; step += 1) {
    const [news, copies, distance] = [fresh[step], copied[step], distances[step]] as [number, number, number];
    made.set(bytes.subarray(at, at + news), to);
    at += news;
    from += news + (distance % 2 === 1 ? -(distance + 1) / 2 : distance / 2);
    made.set(base.subarray(from, from + copies), to + news);
    from += copies;
    to += news + copies;
  }
  if (checksum(made) !== sum) throw differs();
  return made;
}

/** FNV-1a in 32 bits: it tells one build from another. */
function checksum(bytes: Uint8Array): number {
  let sum = 0x811c9dc5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return sum >>> 0;
}
