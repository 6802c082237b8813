// Known clients of MCP, by the name that they send: how long they wait for a call, and whether their own tools have
// our names. Owns this table.

/** The needs of a client. */
export interface ClientNeeds {
  /** A call is answered after this long at the latest, in milliseconds. */
  readonly foregroundMs: number;
  /** Whether it has tools of its own under our usual names. */
  readonly collides?: true;
}

/** For unknown clients: a client made with the SDK gives a call up after 60 s. */
const UNKNOWN: ClientNeeds = { foregroundMs: 45_000 };

const CLIENTS: readonly (readonly [name: RegExp, needs: ClientNeeds])[] = [
  // It gives a call up after 300 s, with or without progress.
  [/^codex/i, { foregroundMs: 240_000, collides: true }],
  // It moves a call to the background after two minutes.
  [/^claude/i, { foregroundMs: 110_000 }],
  [/^gemini/i, { foregroundMs: 240_000 }],
  [/^(?:qwen|zed)/i, { foregroundMs: 45_000, collides: true }],
];

/** The needs of the client with this name. */
export function needsOf(client: string | undefined): ClientNeeds {
  return CLIENTS.find(([name]) => client !== undefined && name.test(client))?.[1] ?? UNKNOWN;
}
