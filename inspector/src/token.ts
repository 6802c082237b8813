// The token of a server, typed once and saved for this tab in `sessionStorage`, nowhere else.

const placeOf = (address: string): string => `subagents-inspector ${new URL(address).origin}`;

/** Undefined if a page has no storage, for example in a sandbox. */
function storage(): Storage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}

export function keptToken(address: string): string | undefined {
  return storage()?.getItem(placeOf(address)) ?? undefined;
}

export function keepToken(address: string, token: string): void {
  try {
    storage()?.setItem(placeOf(address), token);
  } catch {
    // The storage is full: the user types the token again after a reload.
  }
}

export function dropToken(address: string): void {
  storage()?.removeItem(placeOf(address));
}
