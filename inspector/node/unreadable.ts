// The errors for files that are no journal, and for wrong arguments.

/** The arguments request something that doesn't exist. */
export class Misused extends Error {}

export class Unreadable extends Error {}

export function unreadable(path: string, error: unknown): Error {
  return error instanceof Unreadable ? error : new Unreadable(`${path} can't be read: ${messageOf(error)}`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
