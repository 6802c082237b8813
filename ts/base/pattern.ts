// Names and words that may be patterns, in which `*` stands for any characters (P4). Owns the matching, like
// `src/base/pattern.rs`: policies run in the program's process, with tools and words that the core doesn't know.

/** The allowed characters of a name or pattern, for an error. */
export const UNDERSTOOD = 'letters, digits, `_.:/-` and `*` for any characters';

/** Whether a name or a pattern has only allowed characters. */
export function isUnderstood(pattern: string): boolean {
  return /^[\p{Alphabetic}\p{N}_.:/*-]+$/u.test(pattern);
}

/** Whether a name fits any of some names and patterns. */
export function fitsAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => fits(pattern, name));
}

/** Whether a name fits a pattern. A pattern without `*` fits only itself. */
export function fits(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === name;
  if (!name.startsWith(first)) return false;
  const last = rest.pop() ?? '';
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - at >= last.length && name.endsWith(last);
}
