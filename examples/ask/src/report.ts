// The report: what the reader gets at the end. The answer, its sources checked against the documents, the statistics.
import type { SubAgentManager, TaskSnapshot } from 'subagents';
import wrapAnsi from 'wrap-ansi';
import { EXIT, type ExitCode } from './cli.js';
import type { Library } from './documents.js';
import { firstOf, formatQuote, quotesIn, saysNoEvidence } from './model/evidence.js';
import { count, number, printable, seconds } from './terminal.js';
import { nameOf, type Refused, stateOf } from './view.js';

/** How much of a source's line the text report shows. */
const SOURCE_LENGTH = 100;
const FACTS_INDENT = 14;

export interface Source {
  readonly document: string;
  readonly line: number;
  /** The document's own line, read again from the disk. */
  readonly text: string;
}

/** What `--json` prints. */
export type Report = Awaited<ReturnType<typeof makeReport>>;

export interface Ending {
  readonly question: string;
  readonly model: string;
  readonly budget: number;
  readonly cancelled: boolean;
  readonly refusals: readonly Refused[];
  readonly mostAtOnce: number;
  readonly maxConcurrent: number;
  readonly durationMs: number;
  /** Why not even the lead was started, if so. */
  readonly refused: string | undefined;
}

export async function makeReport(manager: SubAgentManager, library: Library, ending: Ending) {
  const { question, model, budget, cancelled, refusals, refused, ...figures } = ending;
  const tasks = manager.list({ page: { limit: 1_000 } }).items;
  const lead = tasks.find((each) => each.parentId === null);
  const children = tasks.filter((each) => lead !== undefined && each.parentId === lead.taskId);
  const isAnswered = lead?.status === 'completed';
  const said = printable(lead?.output ?? '');
  // A lead that was told to wrap up has answered too, if what it said last has sources.
  const isUsable = isAnswered || children.length === 0 || (await sourcesIn(said, library)).length > 0;
  const answer = isUsable ? [said, ...(await passedOver(said, children, library))].join('\n\n') : printable(partialAnswer(children));
  const sources = await sourcesIn(answer, library);
  const isWhole = isAnswered && children.every(succeeded) && library.lost.size === 0 && refusals.length === 0;

  const outcome = (): keyof typeof EXIT => {
    if (cancelled) return 'cancelled';
    if (lead?.stopReason === 'host_threw' && !children.some(succeeded)) return 'unexpected';
    if (!isWhole) return 'partial';
    return sources.length === 0 && saysNoEvidence(answer) ? 'noEvidence' : 'answered';
  };
  const error = (): string | null => {
    if (lead === undefined || cancelled) return null;
    if (!isAnswered) return printable(whyEnded(lead, budget));
    return library.lost.size > 0 ? `no longer readable: ${[...library.lost].join(', ')}` : null;
  };
  const tokens = { lead: lead?.usage.tokens ?? 0, subAgents: sum(children.map((each) => each.usage.tokens)), budget };
  return {
    question,
    model,
    outcome: outcome(),
    answer,
    sources,
    error: refused ?? error(),
    agents: tasks.map(recordOf),
    refused: refusals,
    documents: { total: library.documents.length, skipped: library.skipped },
    statistics: { tokens, turns: sum(tasks.map((each) => each.turns)), ...figures },
  };
}

export function exitCodeOf(report: Report): ExitCode {
  return EXIT[report.outcome];
}

/** The report for a reader; in a terminal lines are broken between words, and what follows is indented. */
export function asText(report: Report, columns = Number.POSITIVE_INFINITY): string {
  const { statistics: numbers, agents, refused, sources } = report;
  const states = new Map<string, number>();
  for (const each of agents.slice(1)) states.set(each.status, (states.get(each.status) ?? 0) + 1);
  const counted = [...states].map(([state, times]) => `${times} ${state}`).join(', ');
  const { lead, subAgents, budget } = numbers.tokens;
  const skipped = report.documents.skipped.length;
  const wrapped = (text: string, indent: number): string => {
    const wrap = (line: string): string => wrapAnsi(line, columns - indent, { trim: false }).replaceAll('\n', `\n${' '.repeat(indent)}`);
    return columns === Number.POSITIVE_INFINITY ? text : text.split('\n').map(wrap).join('\n');
  };
  const facts = [
    `  model       ${report.model}`,
    `  documents   ${report.documents.total}${skipped > 0 ? ` (${skipped} skipped)` : ''}`,
    `  sub-agents  ${agents.length > 1 ? `${agents.length - 1}: ${counted}` : 'none'}`,
    `  at once     ${numbers.mostAtOnce} of ${count(numbers.maxConcurrent, 'slot')}`,
    `  turns       ${numbers.turns}`,
    `  tokens      ${number(lead + subAgents)} of ${number(budget)}: lead ${number(lead)}, sub-agents ${number(subAgents)}`,
    `  time        ${seconds(numbers.durationMs)}`,
  ];
  const section = (title: string, lines: readonly string[], indent: number): string[] =>
    lines.length === 0 ? [] : [title, ...lines.map((line) => wrapped(line, indent)), ''];
  return [
    '',
    wrapped(HEADINGS[report.outcome] + (report.error ? ` (${report.error})` : ''), 0),
    '',
    wrapped(report.answer || 'Nothing was found before the end.', 2),
    '',
    ...section('Refused', firstOf(refused.map((each) => `  ${each.name}: ${each.why}`)), 4),
    ...section(
      'Sources',
      sources.map((each, at) => `  [${at + 1}] ${each.document}:${each.line}  ${cut(each.text)}`),
      6,
    ),
    ...section('Statistics', facts, FACTS_INDENT),
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
  const done = children.filter(succeeded);
  const others = done.filter((each) => quotesIn(each.output).length === 0 && !saysNoEvidence(each.output));
  const open = children.filter((each) => !succeeded(each)).map((each) => `${nameOf(each)} (${stateOf(each.status, each.parked !== null)})`);
  return [
    ...children.flatMap((each) => quotesIn(each.output)).map(formatQuote),
    ...others.map((each) => `${nameOf(each)}: ${each.output}`),
    `${done.length} of ${count(children.length, 'sub-agent')} finished.`,
    ...(open.length === 0 ? [] : [`Not finished: ${open.join(', ')}.`]),
  ].join('\n');
}

/** A lead may leave out what a sub-agent has found; the reader is told where it stands. */
async function passedOver(answer: string, children: readonly TaskSnapshot[], library: Library): Promise<string[]> {
  const places: string[] = [];
  // It has counted the rest.
  if (/\b\d+ more\b/u.test(answer)) return [];
  for (const each of children) {
    if (!succeeded(each) || saysNoEvidence(each.output) || answer.includes(nameOf(each))) continue;
    const [source] = await sourcesIn(each.output, library);
    if (source !== undefined) places.push(`${source.document}:${source.line}`);
  }
  return places.length === 0 ? [] : [`Found as well, and not named above: ${firstOf(places).join(', ')}.`];
}

/** Each "document:line" in the answer that really is a line of a document, in the answer's order. */
async function sourcesIn(answer: string, library: Library): Promise<Source[]> {
  const sources = new Map<string, Source>();
  // The longest name first: in "harbour crane.md:4" there is no "crane.md".
  const names = library.documents.map((each) => each.name).sort((a, b) => b.length - a.length);
  const escaped = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/gu, '\\$&'));
  for (const [place, name = '', digits] of answer.matchAll(new RegExp(`(?<![\\w./-])(${escaped.join('|')}):(\\d+)`, 'gu'))) {
    // Gone or changed since it was read: then it is no source that a reader could open.
    const text = await library.lines(name).then(
      ({ lines }) => lines[Number(digits) - 1],
      () => undefined,
    );
    if (text !== undefined) sources.set(place, { document: name, line: Number(digits), text: printable(text.trim()) });
  }
  return [...sources.values()];
}

/** Its own tokens, and those with its sub-agents. */
function recordOf(task: TaskSnapshot) {
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

const succeeded = ({ status }: TaskSnapshot): boolean => status === 'completed';

function cut(text: string): string {
  const points = [...text];
  return points.length <= SOURCE_LENGTH ? text : `${points.slice(0, SOURCE_LENGTH).join('')}…`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}
