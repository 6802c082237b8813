// A number with its noun in the singular or the plural.

/** `1 turn`, `2 turns`. `many`: where an s doesn't make it. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
