// Mistakes in what hosts return and report that would be lost silently: unknown names, and usage that is none. Owns
// that each is reported once, to the program and never to a model.

import { SubAgentError } from '../base/error-class.js';
import { describe, messageOf } from '../base/errors.js';
import { nearMissOf } from '../base/nearest.js';
import { unknownPart } from '../base/unknown.js';
import { TOKEN_KINDS } from '../generated/tokens.js';
import { RESULT_NAMES } from './generated/host-fields.js';

/** So many names are reported: a host may make up a new one for each result. */
const MOST = 100;

const USAGE = ['tokens', ...TOKEN_KINDS, 'costUsd', 'turns'];

/** The name in a result that another one nearly is; undefined for one of ours, and for one of the host's own. */
export function nearlyInResult(name: string): string | undefined {
  return (RESULT_NAMES as readonly string[]).includes(name) ? undefined : nearMissOf(name, RESULT_NAMES);
}

export class UnknownNames {
  private readonly seen = new Set<string>();
  private readonly report: (error: SubAgentError) => void;

  constructor(report: (error: SubAgentError) => void) {
    this.report = report;
  }

  /** A usage has a name of no figure: nothing is booked for it. */
  inUsage(name: string): void {
    this.once(`usage.${name}`, (argument) =>
      unknownPart(`the \`usage\` of a result has no \`${name}\`, so it is not booked`, name, USAGE, { argument }),
    );
  }

  /** A result has a name of the host's own, or a typing mistake: only a name near one of ours is reported. */
  inResult(name: string): void {
    const suggestion = nearlyInResult(name);
    if (suggestion === undefined) return;
    const message = `a result has no \`${name}\`, so it is not read; did you mean \`${suggestion}\`?`;
    this.once(name, (argument) => new SubAgentError('invalid_argument', message, { argument, suggestion }));
  }

  /** The mistake in a report of a main agent, which has no `usage` to show it. */
  inReport(name: string): void {
    const message = `\`${name}\` in a report of a main agent must be a number of at least 0: nothing was booked for it`;
    this.once(`report.${name}`, () => new SubAgentError('invalid_argument', message, { argument: name }));
  }

  /** A usage is no object: the reservation was booked. */
  noUsage(got: unknown): void {
    this.usageIs(`must be { tokens, costUsd, turns }, got ${describe(got)}`);
  }

  /** A usage can't be read: the reservation was booked. */
  unreadableUsage(thrown: unknown): void {
    this.usageIs(`can't be read: ${messageOf(thrown)}`, { cause: thrown });
  }

  /** Kinds of tokens in a usage are no amounts, beside `tokens` that are one. */
  kindsInUsage(kinds: readonly string[]): void {
    for (const kind of kinds) this.wrongKind(`usage.${kind}`, kind, 'the `usage` of a result');
  }

  /** The same in a report. */
  kindsInReport(kinds: readonly string[]): void {
    for (const kind of kinds) this.wrongKind(`report.${kind}`, kind, 'a report');
  }

  private usageIs(what: string, options?: ErrorOptions): void {
    const message = `the \`usage\` of a result ${what}: what was reserved for the run was booked, and is marked invalid`;
    this.once('usage', (argument) => new SubAgentError('invalid_argument', message, { argument }, options));
  }

  private wrongKind(key: string, kind: string, where: string): void {
    const message = `\`${kind}\` in ${where} must be a number of at least 0: \`tokens\` was booked without it`;
    this.once(key, () => new SubAgentError('invalid_argument', message, { argument: kind }));
  }

  private once(name: string, errorOf: (name: string) => SubAgentError): void {
    if (this.seen.has(name) || this.seen.size >= MOST) return;
    this.seen.add(name);
    this.report(errorOf(name));
  }
}
