// What can't be read as a journal at all, and how that is said; and a call that is wrong.

/** What was asked for isn't there to be asked for. */
export class Misused extends Error {}

export class Unreadable extends Error {}

export function unreadable(path: string, error: unknown): Error {
  return error instanceof Unreadable ? error : new Unreadable(`${path} can't be read: ${messageOf(error)}`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
