// The errors for files that are no journal, and for wrong arguments.

/** What was asked for isn't there to be asked for. */
export class Misused extends Error {}

export class Unreadable extends Error {}

export function unreadable(path: string, error: unknown): Error {
  return error instanceof Unreadable ? error : new Unreadable(`${path} can't be read: ${messageOf(error)}`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
