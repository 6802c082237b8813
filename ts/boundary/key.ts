// The core's keys: an index, and the generation that distinguishes its tenants. Owns their form and reading;
// `ts/reading/lookup.ts` has the ids that users see.

/** A session or task. */
export interface Key {
  readonly index: number;
  readonly generation: number;
}

/** The actor of a call: a session or task, and the number of its run; zeros for the program. */
export interface Actor extends Key {
  readonly run: number;
}

export const PROGRAM: Actor = { index: 0, generation: 0, run: 0 };

/** The session in whose name the manager itself acts. */
export const DEFAULT_SESSION: Actor = { index: 1, generation: 1, run: 0 };

/** The root: everything below the program. */
export const ROOT: Key = { index: 0, generation: 1 };

const GENERATION = 4_294_967_296;

/** The index of a packed key. */
export function indexOf(packed: number): number {
  return packed >>> 0;
}

/** The generation of a packed key. */
export function generationOf(packed: number): number {
  return Math.floor(packed / GENERATION);
}

/** Unpacks a key that the core gave as one number. */
export function keyOf(packed: number): Key {
  return { index: indexOf(packed), generation: generationOf(packed) };
}

/** Packs a key into one number, as the core does. */
export function packed({ index, generation }: Key): number {
  return generation * GENERATION + index;
}
