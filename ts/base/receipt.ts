// What an agent's tool call really did, and what is required of it. Owns the types, and their JSON.

/** A file that a tool call changed. */
export interface FileReceipt {
  /** Its path: below the agent's folder, from there. */
  readonly path: string;
  /** What became of it. */
  readonly kind: FileChange;
}

/** What may become of a file. */
export type FileChange = 'add' | 'update' | 'delete' | 'move';

/** A command that a tool call ran. */
export interface CommandReceipt {
  /** The command line. */
  readonly command: string;
  /** What it ended with; null if the agent doesn't say. */
  readonly exitCode: number | null;
}

/** Receipts that are left out, since there are too many: always the oldest. */
export interface OmittedReceipts {
  /** How many. */
  readonly omitted: number;
}

/** What a tool call did, as the agent's protocol says it, and not its words. */
export type Receipt = FileReceipt | CommandReceipt | OmittedReceipts;

/** A command that an agent must have run, as it is stored: a pattern's source and flags. */
export interface StoredMustHave {
  /** The source of the pattern that the whole command must fit. */
  command: string;
  /** The flags of that pattern. */
  flags: string;
  /** The code with which the command must end. */
  exitCode: number;
}

/** Their JSON, each in a line of its own: models read it, too. */
export function receiptsJson(receipts: readonly Receipt[]): string {
  return `[${receipts.map((receipt) => JSON.stringify(receipt)).join(',\n')}]`;
}
