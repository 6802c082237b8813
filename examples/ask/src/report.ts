// The report: what the reader gets at the end. The answer, its sources checked against the documents, the statistics.
import type { SubAgentManager, TaskSnapshot } from 'subagents';

import { EXIT, type ExitCode } from './cli.js';
import type { Library, Skipped } from './documents.js';
import { formatQuote, quotesIn, saysNoEvidence } from './model/evidence.js';
import { nameOf, number, printable, seconds, stateOf } from './view.js';

/** How much of a source's line the text report shows. */
const SOURCE_LENGTH = 100;

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
  readonly tokens: number;
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
  const answer = usable ? said : printable(partialAnswer(children));
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
    documents: { total: library.documents.length, skipped: library.skipped },
    statistics: {
      tokens: {
        lead: lead === undefined ? 0 : ownTokens(lead, children),
        subAgents: sum(children.map((each) => each.budget.tokens.spent)),
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

export function asText(report: Report): string {
  const { statistics: numbers, agents } = report;
  const states = new Map<string, number>();
  for (const each of agents.slice(1)) states.set(each.status, (states.get(each.status) ?? 0) + 1);
  const counted = [...states].map(([state, times]) => `${times} ${state}`).join(', ');
  const total = numbers.tokens.lead + numbers.tokens.subAgents;
  const skipped = report.documents.skipped.length;
  return [
    '',
    HEADINGS[report.outcome] + (report.error ? ` (${report.error})` : ''),
    '',
    report.answer || 'Nothing was found before the end.',
    '',
    ...(report.sources.length === 0 ? [] : ['Sources']),
    ...report.sources.map((each, at) => `  [${at + 1}] ${each.document}:${each.line}  ${cut(each.text)}`),
    ...(report.sources.length === 0 ? [] : ['']),
    'Statistics',
    `  model       ${report.model}`,
    `  documents   ${report.documents.total}${skipped > 0 ? ` (${skipped} skipped)` : ''}`,
    `  sub-agents  ${agents.length > 1 ? `${agents.length - 1}: ${counted}` : 'none'}`,
    `  at once     ${numbers.mostAtOnce} of ${numbers.maxConcurrent} slots`,
    `  turns       ${numbers.turns}`,
    `  tokens      ${number(total)} of ${number(numbers.tokens.budget)}: lead ${number(numbers.tokens.lead)}, ` +
      `sub-agents ${number(numbers.tokens.subAgents)}`,
    `  time        ${seconds(numbers.durationMs)}`,
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
    ...(children.length === 0 ? [] : [`${done.length} of ${children.length} sub-agents finished.`]),
    ...(open.length === 0 ? [] : [`Not finished: ${open.map((each) => `${nameOf(each)} (${stateOf(each)})`).join(', ')}.`]),
  ].join('\n');
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
    status: stateOf(task),
    stopReason: task.stopReason,
    turns: task.turns,
    tokens: task.budget.tokens.spent,
    durationMs: task.durationMs ?? 0,
  };
}

/** A task's figures include its children's; the lead's own are what is left. */
function ownTokens(lead: TaskSnapshot, children: readonly TaskSnapshot[]): number {
  return lead.budget.tokens.spent - sum(children.map((each) => each.budget.tokens.spent));
}

function cut(text: string): string {
  const points = [...text];
  return points.length <= SOURCE_LENGTH ? text : `${points.slice(0, SOURCE_LENGTH).join('')}…`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}
