// Receipts of an agent's tool calls, and the commands that it must have run. Owns the types, and their JSON.

/** A file that a tool call changed. */
export interface FileReceipt {
  /** Its path, relative to the agent's folder if it is below that. */
  readonly path: string;
  /** The kind of the change. */
  readonly kind: FileChange;
}

/** The kinds of changes of a file. */
export type FileChange = 'add' | 'update' | 'delete' | 'move';

/** A command that a tool call ran. */
export interface CommandReceipt {
  /** The command line. */
  readonly command: string;
  /** Its exit code; null if the agent doesn't report one. */
  readonly exitCode: number | null;
}

/** Receipts that are left out because there are too many: always the oldest. */
export interface OmittedReceipts {
  /** How many. */
  readonly omitted: number;
}

/** The effect of a tool call, from the agent's protocol and not from its words. */
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

/** The JSON of receipts, each on its own line: models read it, too. */
export function receiptsJson(receipts: readonly Receipt[]): string {
  return `[${receipts.map((receipt) => JSON.stringify(receipt)).join(',\n')}]`;
}
