export interface Dice {
  /** A whole number from 0 on, below this one. */
  below(count: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
}
export function dice(seed: string): Dice;
