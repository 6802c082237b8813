/** A line of the log of a program. */
export type Line = { readonly what: string; readonly life: number } & Record<string, unknown>;

/** How the manager of a world was opened. */
export interface World {
  readonly durability: 'sync' | 'batched';
  readonly onHostLost: 'fail' | 'requeue' | 'resume';
  /** Whether the manager has a cap. */
  readonly capped: boolean;
}

/** What of a log is against the rules, each with the rule's number. */
export function faultsOf(lines: readonly Line[], world: World): string[];

/** What was in flight when a life was killed. */
export function inFlight(lines: readonly Line[], life: number): ('append' | 'compaction' | 'end' | 'opening')[];
