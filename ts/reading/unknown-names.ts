// Mistakes in hosts' results and reports that would be lost silently: unknown names and invalid usage. Owns that each
// is reported once, to the program and never to a model.

import { SubAgentError } from '../base/error-class.js';
import { describe, messageOf } from '../base/errors.js';
import { nearMissOf } from '../base/nearest.js';
import { unknownPart } from '../base/unknown.js';
import { TOKEN_KINDS } from '../generated/tokens.js';
import { RESULT_NAMES } from './generated/host-fields.js';

/** Maximum number of reported names: a host may make up a new one for each result. */
const MOST = 100;

const USAGE = ['tokens', ...TOKEN_KINDS, 'costUsd', 'turns'];

/** The field of a result whose name is nearly this; undefined if the name is ours, or the host's own. */
export function nearlyInResult(name: string): string | undefined {
  return (RESULT_NAMES as readonly string[]).includes(name) ? undefined : nearMissOf(name, RESULT_NAMES);
}

export class UnknownNames {
  private readonly seen = new Set<string>();
  private readonly report: (error: SubAgentError) => void;

  constructor(report: (error: SubAgentError) => void) {
    this.report = report;
  }

  /** A name in a usage is no figure: nothing is booked for it. */
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

  /** A wrong amount in a report of a main agent, which has no `usage` to show it. */
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

  /** Kinds of tokens in a usage are invalid, though `tokens` is valid. */
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
