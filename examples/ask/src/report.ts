// The report: what the reader gets at the end. The answer, its sources checked against the documents, the statistics.
import type { SubAgentManager, TaskSnapshot } from 'subagents';

import type { Refusal } from './activity.js';
import { EXIT, type ExitCode } from './cli.js';
import type { Library, Skipped } from './documents.js';
import { firstOf, formatQuote, quotesIn, saysNoEvidence } from './model/evidence.js';
import { nameOf, stateOf } from './rows.js';
import { count, number, printable, seconds, wrap } from './terminal.js';

/** How much of a source's line the text report shows. */
const SOURCE_LENGTH = 100;
const FACTS_INDENT = 14;

export interface Source {
  readonly document: string;
  readonly line: number;
  /** The document's own line, read again from the disk. */
  readonly text: string;
}

export interface AgentRecord {
  readonly name: string;
  readonly status: string;
  readonly stopReason: string | null;
  readonly turns: number;
  /** Its own. */
  readonly tokens: number;
  /** With those of its sub-agents. */
  readonly subtreeTokens: number;
  readonly durationMs: number;
}

export interface Report {
  readonly question: string;
  readonly model: string;
  readonly outcome: keyof typeof EXIT;
  readonly answer: string;
  readonly sources: readonly Source[];
  readonly error: string | null;
  readonly agents: readonly AgentRecord[];
  /** Delegations that were refused, and why. */
  readonly refused: readonly Refusal[];
  readonly documents: { readonly total: number; readonly skipped: readonly Skipped[] };
  readonly statistics: {
    readonly tokens: { readonly lead: number; readonly subAgents: number; readonly budget: number };
    readonly turns: number;
    readonly mostAtOnce: number;
    readonly maxConcurrent: number;
    readonly durationMs: number;
  };
}

export interface Ending {
  readonly question: string;
  readonly model: string;
  readonly budget: number;
  readonly cancelled: boolean;
  /** Delegations that the lead asked for; more than there are sub-agents means that some were refused. */
  readonly delegations: number;
  /** The tasks whose answers end at the model's limit. */
  readonly cutOff: ReadonlySet<string>;
  readonly refusals: readonly Refusal[];
  readonly mostAtOnce: number;
  readonly maxConcurrent: number;
  readonly durationMs: number;
  /** Why not even the lead was started, if so. */
  readonly refused: string | undefined;
}

export async function makeReport(manager: SubAgentManager, library: Library, ending: Ending): Promise<Report> {
  const tasks = manager.list({ page: { limit: 1_000 } }).items;
  const lead = tasks.find((each) => each.parentId === null);
  const children = tasks.filter((each) => lead !== undefined && each.parentId === lead.taskId);
  const leadAnswered = lead?.status === 'completed';
  // A lead that was told to wrap up has answered too, if what it said last has sources.
  const said = printable(lead?.output ?? '');
  const usable = leadAnswered || (await sourcesIn(said, library)).length > 0;
  const answer = usable ? [said, ...(await passedOver(said, children, library))].join('\n\n') : printable(partialAnswer(children));
  const sources = await sourcesIn(answer, library);
  const unfinished = children.filter((each) => each.status !== 'completed');
  const cutOff = tasks.filter((each) => ending.cutOff.has(each.taskId));
  const broke = lead?.stopReason === 'host_threw' && children.every((each) => each.status !== 'completed');

  return {
    question: ending.question,
    model: ending.model,
    outcome: outcomeOf(),
    answer,
    sources,
    error: ending.refused ?? whatWentWrong(),
    agents: tasks.map(recordOf),
    refused: ending.refusals,
    documents: { total: library.documents.length, skipped: library.skipped },
    statistics: {
      tokens: {
        lead: lead?.usage.tokens ?? 0,
        subAgents: sum(children.map((each) => each.usage.tokens)),
        budget: ending.budget,
      },
      turns: sum(tasks.map((each) => each.turns)),
      mostAtOnce: ending.mostAtOnce,
      maxConcurrent: ending.maxConcurrent,
      durationMs: ending.durationMs,
    },
  };

  function whatWentWrong(): string | null {
    if (lead === undefined || ending.cancelled) return null;
    if (!leadAnswered) return printable(whyEnded(lead, ending.budget));
    if (library.lost.size > 0) return `no longer readable: ${[...library.lost].join(', ')}`;
    return cutOff.length === 0 ? null : `cut off by the model's limit: ${cutOff.map(nameOf).join(', ')}`;
  }

  function outcomeOf(): keyof typeof EXIT {
    if (ending.cancelled) return 'cancelled';
    if (broke) return 'unexpected';
    const whole = unfinished.length === 0 && cutOff.length === 0 && library.lost.size === 0;
    if (!leadAnswered || !whole || ending.delegations > children.length) return 'partial';
    return sources.length === 0 && saysNoEvidence(answer) ? 'noEvidence' : 'answered';
  }
}

export function exitCodeOf(report: Report): ExitCode {
  return EXIT[report.outcome];
}

/** The report for a reader; in a terminal lines are broken between words. */
export function asText(report: Report, columns = Number.POSITIVE_INFINITY): string {
  const { statistics: numbers, agents, refused } = report;
  const states = new Map<string, number>();
  for (const each of agents.slice(1)) states.set(each.status, (states.get(each.status) ?? 0) + 1);
  const counted = [...states].map(([state, times]) => `${times} ${state}`).join(', ');
  const total = numbers.tokens.lead + numbers.tokens.subAgents;
  const skipped = report.documents.skipped.length;
  const wrapped = (text: string, indent: number): string => text.replace(/.+/gu, (line) => wrap(line, columns, indent));
  const facts = [
    `  model       ${report.model}`,
    `  documents   ${report.documents.total}${skipped > 0 ? ` (${skipped} skipped)` : ''}`,
    `  sub-agents  ${agents.length > 1 ? `${agents.length - 1}: ${counted}` : 'none'}`,
    `  at once     ${numbers.mostAtOnce} of ${count(numbers.maxConcurrent, 'slot')}`,
    `  turns       ${numbers.turns}`,
    `  tokens      ${number(total)} of ${number(numbers.tokens.budget)}: lead ${number(numbers.tokens.lead)}, ` +
      `sub-agents ${number(numbers.tokens.subAgents)}`,
    `  time        ${seconds(numbers.durationMs)}`,
  ];
  return [
    '',
    wrapped(HEADINGS[report.outcome] + (report.error ? ` (${report.error})` : ''), 0),
    '',
    wrapped(report.answer || 'Nothing was found before the end.', 2),
    '',
    ...(refused.length === 0 ? [] : ['Refused']),
    ...firstOf(refused.map((each) => wrapped(`  ${each.name}: ${each.why}`, 4))),
    ...(refused.length === 0 ? [] : ['']),
    ...(report.sources.length === 0 ? [] : ['Sources']),
    ...report.sources.map((each, at) => wrapped(`  [${at + 1}] ${each.document}:${each.line}  ${cut(each.text)}`, 6)),
    ...(report.sources.length === 0 ? [] : ['']),
    'Statistics',
    ...facts.map((each) => wrapped(each, FACTS_INDENT)),
    '',
  ].join('\n');
}

const HEADINGS: Record<keyof typeof EXIT, string> = {
  answered: 'Answer',
  noEvidence: 'No evidence found',
  partial: 'Partial answer: not everything could be done',
  cancelled: 'Cancelled; this was done before',
  unexpected: 'Failed',
  usage: 'Wrong usage',
};

/** The end of a task in words, for the heading. */
function whyEnded(task: TaskSnapshot, budget: number): string {
  const reason = task.stopReason ?? task.status;
  if (/budget/u.test(reason)) return `the budget of ${number(budget)} tokens ran out`;
  return task.error ?? reason.replaceAll('_', ' ');
}

/** Where the lead did not come to an answer, what its sub-agents found is kept. */
function partialAnswer(children: readonly TaskSnapshot[]): string {
  const done = children.filter((each) => each.status === 'completed');
  const quotes = children.flatMap((each) => quotesIn(each.output));
  const others = done.filter((each) => quotesIn(each.output).length === 0 && !saysNoEvidence(each.output));
  const open = children.filter((each) => each.status !== 'completed');
  return [
    ...quotes.map(formatQuote),
    ...others.map((each) => `${nameOf(each)}: ${each.output}`),
    ...(children.length === 0 ? [] : [`${done.length} of ${count(children.length, 'sub-agent')} finished.`]),
    ...(open.length === 0
      ? []
      : [`Not finished: ${open.map((each) => `${nameOf(each)} (${stateOf(each.status, each.parked !== null)})`).join(', ')}.`]),
  ].join('\n');
}

/** A lead may leave out what a sub-agent has found; the reader is told where it stands. */
async function passedOver(answer: string, children: readonly TaskSnapshot[], library: Library): Promise<string[]> {
  const places: string[] = [];
  // It has counted the rest.
  if (/\b\d+ more\b/u.test(answer)) return [];
  for (const each of children) {
    if (each.status !== 'completed' || saysNoEvidence(each.output) || answer.includes(nameOf(each))) continue;
    const [source] = await sourcesIn(each.output, library);
    if (source !== undefined) places.push(`${source.document}:${source.line}`);
  }
  return places.length === 0 ? [] : [`Found as well, and not named above: ${firstOf(places).join(', ')}.`];
}

/** Each "document:line" in the answer that really is a line of a document, in the answer's order. */
async function sourcesIn(answer: string, library: Library): Promise<Source[]> {
  const sources: Source[] = [];
  // The longest name first: in "harbour crane.md:4" there is no "crane.md".
  const names = library.documents.map((each) => each.name).sort((a, b) => b.length - a.length);
  const escaped = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/gu, '\\$&'));
  for (const [, name = '', digits] of answer.matchAll(new RegExp(`(?<![\\w./-])(${escaped.join('|')}):(\\d+)`, 'gu'))) {
    const line = Number(digits);
    const text = await lineOf(library, name, line);
    if (text === undefined || sources.some((each) => each.document === name && each.line === line)) continue;
    sources.push({ document: name, line, text });
  }
  return sources;
}

async function lineOf(library: Library, name: string, line: number): Promise<string | undefined> {
  try {
    const { lines } = await library.lines(name);
    const text = lines[line - 1];
    return text === undefined ? undefined : printable(text.trim());
  } catch {
    // Gone or changed since it was read: then it is no source that a reader could open.
    return undefined;
  }
}

function recordOf(task: TaskSnapshot): AgentRecord {
  return {
    name: nameOf(task),
    status: stateOf(task.status, task.parked !== null),
    stopReason: task.stopReason,
    turns: task.turns,
    tokens: task.usage.tokens,
    subtreeTokens: task.budget.tokens.spent,
    durationMs: task.durationMs ?? 0,
  };
}

function cut(text: string): string {
  const points = [...text];
  return points.length <= SOURCE_LENGTH ? text : `${points.slice(0, SOURCE_LENGTH).join('')}…`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}
