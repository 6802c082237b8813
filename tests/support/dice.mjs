// Dice: all that is random in a life comes from one seed, so that the same seed gives the same life.

export class Dice {
  #state;

  /** @param seed a whole number, or any text */
  constructor(seed) {
    this.#state = typeof seed === 'string' ? hashOf(seed) : seed >>> 0;
  }

  /** At least 0, below 1 (mulberry32). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number below `bound`. */
  below(bound) {
    return Math.floor(this.next() * bound);
  }

  /** A whole number from `low` to `high`, both included. */
  int(low, high) {
    return low + this.below(high - low + 1);
  }

  /** True in `part` of the cases. */
  chance(part) {
    return this.next() < part;
  }

  /** One of a list; undefined if it is empty. */
  pick(list) {
    return list[this.below(list.length)];
  }

  /** One name of `{ name: weight }`. */
  weighed(weights) {
    let left = this.next() * Object.values(weights).reduce((sum, weight) => sum + weight, 0);
    for (const [name, weight] of Object.entries(weights)) {
      left -= weight;
      if (left < 0) return name;
    }
    return Object.keys(weights)[0];
  }

  /** Of `{ name: () => value }` each is there in `part` of the cases. A value is made only then. */
  some(part, makers) {
    const made = {};
    for (const [name, make] of Object.entries(makers)) if (this.chance(part)) made[name] = make();
    return made;
  }
}

/** FNV-1a. */
function hashOf(text) {
  let hash = 2_166_136_261;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619);
  return hash >>> 0;
}
