// How events, refusals and snapshots look in a transcript, as `golden/render.rs` has it. Owns the form of
// a line, and the list of what TypeScript can't see.

import type { BudgetAccount, SubAgentError, SubAgentEvent, TaskSnapshot } from '../../dist/index.js';
import type { EventKeyUse, EventKinds, EventLoans, EventNewNotice } from '../../ts/generated/facts.js';
import { FACT_KINDS } from '../generated/fact-kinds.js';

/** What only Rust compares. A line of such a kind must stand in its place all the same. */
export const UNSEEN = {
  'cap of the constructor': 'nobody can have subscribed to a manager that is being made',
  'answer to release': '`releaseBudget` returns nothing; the event that follows shows the same number',
} as const;

/** What TypeScript sees a part of; the rest of the line only Rust compares. */
export const PARTLY_SEEN = {
  'whose key': 'events name the program and sessions by null',
  'usage of markCompleted': '`tokensUsed` and `stepsTaken` are 0 where they are not given, so other dimensions are unknown',
} as const;

/** A result line as TypeScript has it: the text, or a pattern where it can't know all of it. */
export type Line = string | { readonly pattern: RegExp; readonly kind: keyof typeof UNSEEN | keyof typeof PARTLY_SEEN };

export function isUnseen(line: Line): boolean {
  return typeof line === 'object' && line.kind in UNSEEN;
}

export function fits(line: Line, expected: string): boolean {
  return typeof line === 'string' ? line === expected : line.pattern.test(expected);
}

export function shown(line: Line): string {
  return typeof line === 'string' ? line : `${line.pattern} (${line.kind})`;
}

/** Facts that only repeat what was just said. */
const SILENT = new Set<string>(['limit_set', 'defaults_set', 'prices_set']);
/** Fields that no line shows. */
const HIDDEN = new Set<string>([
  'rank',
  'waitingFor',
  'round',
  'maxTurns',
  'timeoutMs',
  'idleTimeoutMs',
  'abandonAt',
  'spec',
  'parentRun',
  // Made from the parameters, of which each language has its own text.
  'digest',
  'salt',
  // The stage's own word for how its host function ended; the transcripts' hosts say none.
  'hostStatus',
]);
/** Fields that hold an instant: epoch milliseconds for TypeScript, in a transcript since the beginning. */
const INSTANTS = new Set<string>(['until']);

/** The names that stand for what an event's fields hold, and the transcript's beginning. */
export interface Names {
  readonly origin: number;
  task(id: string | null, field: string): string;
}

/** One line: the type, the task and its run, then the other fields that say something. */
export function lineOf(event: SubAgentEvent, names: Names): string | undefined {
  if (SILENT.has(event.type)) return undefined;
  const kinds = FACT_KINDS[event.type];
  if (kinds === undefined) throw new Error(`an event of the type ${event.type} is new; say how it looks`);
  let line: string = event.type;
  for (const [name, value] of Object.entries(event) as [string, unknown][]) {
    if (name === 'type' || name === 'seq' || name === 'at' || HIDDEN.has(name)) continue;
    const kind = kinds[name];
    // By what a sub-agent is known is the same in each of its events.
    if (kind === undefined && ['label', 'parentId', 'metadata', 'sessionKey'].includes(name)) continue;
    if (kind === undefined) throw new Error(`the shape of ${event.type} has no ${name}`);
    const text = textOf(value, kind, name, names);
    if (text === undefined || text === 'false' || ((name === 'steers' || name === 'uncounted') && text === '0')) continue;
    if (name === 'taskId') line += ` ${text}`;
    else if (name === 'run') line += text === '0' ? '' : `#${text}`;
    else if (text === 'true') line += ` ${name}`;
    else line += ` ${name === 'parentId' ? 'parent' : name}=${text}`;
  }
  return line;
}

/** A value as text; undefined where it is absent or empty. */
function textOf(value: unknown, kind: string, name: string, names: Names): string | undefined {
  if (kind.endsWith('?')) return value === null ? undefined : textOf(value, kind.slice(0, -1), name, names);
  if (kind.endsWith('[]')) {
    const values = (value as unknown[]).map((entry) => textOf(entry, kind.slice(0, -2), name, names));
    return values.length === 0 ? undefined : values.join(',');
  }
  switch (kind) {
    case 'number':
      return value === Number.POSITIVE_INFINITY ? '∞' : String((value as number) - (INSTANTS.has(name) ? names.origin : 0));
    case 'dollars':
      return String(Math.round((value as number) * 1e9));
    case 'signed':
    case 'boolean':
    case 'Status':
    case 'StopReason':
    case 'Parked':
    case 'WaitingFor':
    case 'Delivery':
    case 'MessagePlace':
    case 'Point':
    case 'Answer':
      return String(value);
    case 'text':
      return value === '' ? undefined : `"${value}"`;
    case 'task':
      return names.task(value as string | null, name);
    case 'amounts': {
      const { tokens, costUsd, turns } = value as { tokens: number; costUsd: number; turns: number };
      return amountsOf(tokens, costUsd, turns);
    }
    case 'Kinds': {
      const kinds = Object.entries(value as EventKinds).filter(([, known]) => known !== null && known !== false);
      return `{${kinds.map(([name, known]) => (known === true ? name : `${name.replace('Tokens', '')}:${known}`)).join(' ')}}`;
    }
    case 'dimensions':
      return (value as string[]).join(',') || undefined;
    case 'NewNotice': {
      const { to, reroutedFrom, acked, awaited } = value as EventNewNotice;
      const from = reroutedFrom === null ? '' : ` reroutedFrom=${names.task(reroutedFrom, 'reroutedFrom')}`;
      return `${names.task(to, 'to')}${from}${acked ? ' acked' : ''}${awaited ? ' awaited' : ''}`;
    }
    case 'First':
      return 'true';
    case 'KeyUse': {
      const { key, until } = value as EventKeyUse;
      return `"${key}" until=${until - names.origin}`;
    }
    case 'Loans': {
      const { lent, returned } = value as EventLoans;
      const said = (mark: string, loans: EventLoans['lent']): string =>
        loans
          .map(({ lender, amount }) => `${mark}${names.task(lender, name)}${amountsOf(amount.tokens, amount.costUsd, amount.turns)}`)
          .join('');
      return said('+', lent) + said('-', returned);
    }
    default:
      throw new Error(`a field of the kind ${kind} is new; say how it looks`);
  }
}

/** Dimensions that are nothing, or without a cap, are left out. */
export function amountsOf(tokens: number, costUsd: number, turns: number): string {
  const dimensions = { tokens, nanos: Math.round(costUsd * 1e9), turns };
  const said = Object.entries(dimensions).filter(([, value]) => value !== 0 && value !== Number.POSITIVE_INFINITY);
  return `{${said.map(([name, value]) => `${name}:${value}`).join(' ')}}`;
}

/** A refusal. What the package itself adds to the details is its own: which argument, whose id. */
export function refusalOf({ code, details }: SubAgentError): string {
  const names = code === 'invalid_argument' ? [] : Object.keys(details).filter((name) => name !== 'taskId');
  return `! ${code}${names
    .sort()
    .map((name) => ` ${name}=${details[name]}`)
    .join('')}`;
}

/** Where a task stands, and its budget. */
export function lookOf(name: string, { status, parked, output, lateResult, budget: { tokens, costUsd, turns } }: TaskSnapshot): string {
  const of = (part: 'spent' | 'reserved' | 'overspent'): string => amountsOf(tokens[part], costUsd[part], turns[part]);
  return [
    `${name} ${status}`,
    parked === null ? '' : ` parked=${parked}`,
    output === '' ? '' : ` output="${output}"`,
    lateResult === null ? '' : ` lateResult="${lateResult}"`,
    ` spent=${of('spent')} reserved=${of('reserved')}`,
    of('overspent') === '{}' ? '' : ` overspent=${of('overspent')}`,
  ].join('');
}

/** The account of the manager or of a session. */
export function accountOf(name: string, { tokens, costUsd, turns }: BudgetAccount): Line {
  const of = (part: 'spent' | 'reserved' | 'overspent'): string => amountsOf(tokens[part], costUsd[part], turns[part]);
  return `${name} spent=${of('spent')} reserved=${of('reserved')}${of('overspent') === '{}' ? '' : ` overspent=${of('overspent')}`}`;
}
