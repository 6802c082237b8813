// The core's keys: an index, and the generation that distinguishes its tenants. Owns their form and reading;
// `ts/reading/lookup.ts` has the ids that users see.

/** A session or task. */
export interface Key {
  readonly index: number;
  readonly generation: number;
}

/** Who speaks: a session or task, and the number of its run; zeros for the program. */
export interface Actor extends Key {
  readonly run: number;
}

export const PROGRAM: Actor = { index: 0, generation: 0, run: 0 };

/** The session that the manager itself speaks for. */
export const DEFAULT_SESSION: Actor = { index: 1, generation: 1, run: 0 };

/** All that there is: what the program has below it. */
export const ROOT: Key = { index: 0, generation: 1 };

const GENERATION = 4_294_967_296;

/** The index of a key that the core gave as one number. */
export function indexOf(packed: number): number {
  return packed >>> 0;
}

/** The generation of a key that the core gave as one number. */
export function generationOf(packed: number): number {
  return Math.floor(packed / GENERATION);
}

/** A key that the core gave as one number. */
export function keyOf(packed: number): Key {
  return { index: indexOf(packed), generation: generationOf(packed) };
}

/** A key as the core gives it as one number. */
export function packed({ index, generation }: Key): number {
  return generation * GENERATION + index;
}
