// A table that can be frozen at every moment: a tree of small arrays, of which a change copies only those on its path.
// Owns that a frozen table never changes, and that freezing costs nothing.

const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

/** A part of a table: entries, or parts of the next level. Only the owner of its epoch writes it in place. */
interface Part {
  readonly epoch: number;
  readonly entries: unknown[];
}

/** A table as it was at one moment. */
export interface Frozen {
  readonly root: Part | undefined;
  /** How many levels it has below the root. */
  readonly depth: number;
  /** How many places it has, empty ones included. */
  readonly length: number;
}

export const EMPTY: Frozen = { root: undefined, depth: 0, length: 0 };

let epochs = 0;
/** A number that no part and no record has yet. */
export function newEpoch(): number {
  epochs += 1;
  return epochs;
}

export function entryOf<T>({ root, depth, length }: Frozen, index: number): T | undefined {
  if (index < 0 || index >= length) return undefined;
  let part = root;
  for (let shift = depth * BITS; part !== undefined; shift -= BITS) {
    const entry = part.entries[(index >>> shift) & MASK];
    if (shift === 0) return entry as T | undefined;
    part = entry as Part | undefined;
  }
  return undefined;
}

/** Visits every entry in the order of its place; skips empty places. */
export function eachEntry<T>({ root, depth }: Frozen, visit: (entry: T) => void): void {
  const walk = (part: Part, level: number): void => {
    for (const entry of part.entries) {
      if (entry === undefined) continue;
      if (level === 0) visit(entry as T);
      else walk(entry as Part, level - 1);
    }
  };
  if (root !== undefined) walk(root, depth);
}

/** A table that is being written. */
export class Table {
  declare root: Part | undefined;
  declare depth: number;
  declare length: number;
  #epoch: number;

  constructor(from: Frozen, epoch: number) {
    Object.assign(this, from);
    this.#epoch = epoch;
  }

  /** The current table. Later writes, under another epoch, don't change it. */
  freeze(epoch: number): Frozen {
    this.#epoch = epoch;
    return { ...(this as Frozen) };
  }

  get<T>(index: number): T | undefined {
    return entryOf<T>(this, index);
  }

  /** Puts an entry, or nothing, in a place. Drops a part that has no entry left. */
  set(index: number, entry: unknown): void {
    if (index >= this.length) this.length = index + 1;
    while ((index >>> BITS) >>> (BITS * this.depth) > 0) {
      if (this.root !== undefined) this.root = { epoch: this.#epoch, entries: [this.root] };
      this.depth += 1;
    }
    this.root = this.#with(this.root, this.depth * BITS, index, entry);
  }

  #with(part: Part | undefined, shift: number, index: number, entry: unknown): Part | undefined {
    const epoch = this.#epoch;
    const own = part?.epoch === epoch ? part : { epoch, entries: part?.entries.slice() ?? [] };
    const at = (index >>> shift) & MASK;
    // No holes: arrays with holes are slower.
    while (own.entries.length < at) own.entries.push(undefined);
    const before = own.entries[at];
    const now = shift === 0 ? entry : this.#with(before as Part | undefined, shift - BITS, index, entry);
    if (now !== before) own.entries[at] = now;
    // From the back: the first entries mostly go first.
    return now === undefined && own.entries.findLast((kept) => kept !== undefined) === undefined ? undefined : own;
  }
}
