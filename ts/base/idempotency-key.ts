// The form of keys by which a tool's work is done once, however often a run does it. Owns that two lists of parts never make
// one key.

/** The key of a part of the work that a run does: `work` names the message, `parts` the place in it. */
export function keyWithin(work: string, parts: readonly (string | number)[]): string {
  return [work, ...parts.map((part) => encodeURIComponent(part))].join(':');
}
