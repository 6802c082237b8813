// A number with what it counts, in the form that goes with it: for every text that has both.

/** `1 turn`, `2 turns`. `many`: where an s doesn't make it. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
