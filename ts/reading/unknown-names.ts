// Names in results that are not read: a typing error there would lose what it stands for without a word. Owns that each is
// reported once, to the program and never to a model.

import { SubAgentError } from '../base/error-class.js';
import { nearMissOf } from '../base/nearest.js';
import { unknownPart } from '../base/unknown.js';

/** So many names are reported: a host may make up a new one for each result. */
const MOST = 100;

const RESULT = ['usage', 'status', 'output', 'value', 'artifacts', 'taskId', 'error'];
const USAGE = ['tokens', 'inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens', 'costUsd', 'turns'];

/** The name in a result that another one nearly is; undefined for one of ours, and for one of the host's own. */
export function nearlyInResult(name: string): string | undefined {
  return RESULT.includes(name) ? undefined : nearMissOf(name, RESULT);
}

export class UnknownNames {
  private readonly seen = new Set<string>();
  private readonly report: (error: SubAgentError) => void;

  constructor(report: (error: SubAgentError) => void) {
    this.report = report;
  }

  /** A usage has a name that stands for no figure: nothing is booked for it. */
  inUsage(name: string): void {
    this.once(`usage.${name}`, (argument) =>
      unknownPart(
        `the \`usage\` of a result has no \`${name}\`, so it is not booked`,
        name,
        USAGE,
        { argument },
        `; it has ${USAGE.join(', ')}`,
      ),
    );
  }

  /** A result has a name of the host's own, or a slip of the pen: only what is nearly a name of ours is reported. */
  inResult(name: string): void {
    const suggestion = nearlyInResult(name);
    if (suggestion === undefined) return;
    const message = `a result has no \`${name}\`, so it is not read; did you mean \`${suggestion}\`?`;
    this.once(name, (argument) => new SubAgentError('invalid_argument', message, { argument, suggestion }));
  }

  /** What is wrong with a report of a main agent, which has no `usage` that could say it. */
  inReport(name: string): void {
    const message = `\`${name}\` in a report of a main agent must be a number of at least 0: nothing was booked for it`;
    this.once(`report.${name}`, () => new SubAgentError('invalid_argument', message, { argument: name }));
  }

  private once(name: string, errorOf: (name: string) => SubAgentError): void {
    if (this.seen.has(name) || this.seen.size >= MOST) return;
    this.seen.add(name);
    this.report(errorOf(name));
  }
}
