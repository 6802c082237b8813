// Dice: all that is random in a monkey's life comes from one seed, so that the same seed gives the same life.

export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed + 1, 0x9e37_79b9) >>> 0;
  }

  /** From 0 up to 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b_79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number below `bound`. */
  int(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  /** A whole number from `least` to `most`. */
  within(least: number, most: number): number {
    return least + this.int(most - least + 1);
  }

  chance(of: number): boolean {
    return this.next() < of;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)] as T;
  }

  /** One of these names, each as likely as its number says. */
  weighed<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return (entries[0] as [K, number])[0];
  }

  /** Options of which each is there or not: a value is made only where it is. */
  some<T extends object>(of: number, makers: { [K in keyof T]: () => T[K] }): Partial<T> {
    const made: Partial<T> = {};
    for (const key of Object.keys(makers) as (keyof T)[]) if (this.chance(of)) made[key] = makers[key]();
    return made;
  }
}
