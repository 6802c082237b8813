// Seeded random numbers (mulberry32). Owns every choice of a life: the same seed gives the same life.

export class Rng {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** At least 0, below 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `low` to `high`, both included. */
  int(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** True in `part` of the cases. */
  chance(part) {
    return this.next() < part;
  }

  /** One of a list; undefined where it is empty. */
  pick(list) {
    return list[Math.floor(this.next() * list.length)];
  }

  /** One name of `{ name: weight }`. */
  weighted(weights) {
    let left = this.next() * Object.values(weights).reduce((sum, weight) => sum + weight, 0);
    for (const [name, weight] of Object.entries(weights)) {
      left -= weight;
      if (left < 0) return name;
    }
    return Object.keys(weights)[0];
  }
}
