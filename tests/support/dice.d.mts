export class Dice {
  constructor(seed: number | string);
  next(): number;
  below(bound: number): number;
  int(low: number, high: number): number;
  chance(part: number): boolean;
  pick<T>(list: readonly T[]): T;
  weighed<K extends string>(weights: Readonly<Record<K, number>>): K;
  some<T extends object>(part: number, makers: { [K in keyof T]: () => T[K] }): Partial<T>;
}
