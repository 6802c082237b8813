// The report: what the reader gets at the end. The answer, its sources checked against the documents, the statistics.
import type { SubAgentManager, TaskSnapshot } from 'subagents';
import wrapAnsi from 'wrap-ansi';
import type { EXIT, Options } from './cli.js';
import type { Library } from './documents.js';
import { firstOf, formatQuote, quotesIn, saysNoEvidence } from './model/evidence.js';
import { count, cut, number } from './model/words.js';
import { printable, seconds } from './terminal.js';
import { nameOf, type Refused, stateOf } from './view.js';

/** How much of a source's line the text report shows. */
const SOURCE_LENGTH = 100;
const HEADINGS = {
  answered: 'Answer',
  noEvidence: 'No evidence found',
  partial: 'Partial answer: not everything could be done',
  cancelled: 'Cancelled; this was done before',
  unexpected: 'Failed',
} satisfies { readonly [Outcome in keyof typeof EXIT]?: string };

/** What `--json` prints. */
export type Report = Awaited<ReturnType<typeof makeReport>>;

export interface Ending extends Pick<Options, 'question' | 'budget' | 'maxConcurrent'> {
  readonly model: string;
  readonly cancelled: boolean;
  readonly refusals: readonly Refused[];
  readonly mostAtOnce: number;
  readonly durationMs: number;
}

export async function makeReport(manager: SubAgentManager, library: Library, ending: Ending) {
  const { question, model, budget, cancelled, refusals, ...figures } = ending;
  const tasks = manager.list({ page: { limit: 1_000 } }).items;
  const [lead, ...children] = tasks;
  if (lead === undefined) throw new Error('no agent was started');
  const isAnswered = succeeded(lead);
  const said = printable(lead.output);
  // A lead that was told to wrap up has answered too, if what it said last has sources.
  const isUsable = isAnswered || children.length === 0 || (await sourcesIn(said, library)).length > 0;
  const answer = isUsable ? [said, ...(await passedOver(said, children, library))].join('\n\n') : printable(partialAnswer(children));
  const sources = await sourcesIn(answer, library);
  const isWhole = isAnswered && children.every(succeeded) && library.lost.size === 0 && refusals.length === 0;

  const outcome = (): keyof typeof HEADINGS => {
    if (cancelled) return 'cancelled';
    if (lead.stopReason === 'host_threw' && !children.some(succeeded)) return 'unexpected';
    if (!isWhole) return 'partial';
    return sources.length === 0 && saysNoEvidence(answer) ? 'noEvidence' : 'answered';
  };
  const error = (): string | null => {
    if (cancelled) return null;
    if (!isAnswered) return printable(whyEnded(lead, budget));
    return library.lost.size > 0 ? `no longer readable: ${[...library.lost].join(', ')}` : null;
  };
  const tokens = { lead: lead.usage.tokens, subAgents: sum(children.map((each) => each.usage.tokens)), budget };
  return {
    question,
    model,
    outcome: outcome(),
    answer,
    sources,
    error: error(),
    agents: tasks.map(recordOf),
    refused: refusals,
    documents: { total: library.documents.length, skipped: library.skipped },
    statistics: { tokens, turns: sum(tasks.map((each) => each.turns)), ...figures },
  };
}

/** The report for a reader, broken between words if it is for a terminal of so many columns. */
export function asText(report: Report, columns = Number.POSITIVE_INFINITY): string {
  const { statistics, agents, documents } = report;
  const { lead, subAgents, budget } = statistics.tokens;
  const completed = agents.slice(1).filter(({ status }) => status === 'completed').length;
  const sources = report.sources.map((each, at) => `[${at + 1}] ${each.document}:${each.line}  ${cut(each.text, SOURCE_LENGTH)}`);
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), ''];
  const text = [
    '',
    HEADINGS[report.outcome] + (report.error ? ` (${report.error})` : ''),
    '',
    report.answer || 'Nothing was found before the end.',
    '',
    ...section('Refused', firstOf(report.refused.map((each) => `${each.name}: ${each.why}`))),
    ...section('Sources', sources),
    ...section('Statistics', [
      `model       ${report.model}`,
      `documents   ${documents.total}${documents.skipped.length > 0 ? ` (${documents.skipped.length} skipped)` : ''}`,
      `sub-agents  ${agents.length - 1}, of these ${completed} completed`,
      `at once     ${statistics.mostAtOnce} of ${count(statistics.maxConcurrent, 'slot')}`,
      `turns       ${statistics.turns}`,
      `tokens      ${number(lead + subAgents)} of ${number(budget)}: lead ${number(lead)}, sub-agents ${number(subAgents)}`,
      `time        ${seconds(statistics.durationMs)}`,
    ]),
  ].join('\n');
  return columns === Number.POSITIVE_INFINITY ? text : wrapAnsi(text, columns, { trim: false });
}

/** The end of a task in words, for the heading. */
function whyEnded(task: TaskSnapshot, budget: number): string {
  const reason = task.stopReason ?? task.status;
  if (/budget/u.test(reason)) return `the budget of ${number(budget)} tokens ran out`;
  return task.error ?? reason.replaceAll('_', ' ');
}

/** If the lead did not come to an answer, what its sub-agents found is kept. */
function partialAnswer(children: readonly TaskSnapshot[]): string {
  const done = children.filter(succeeded);
  const others = done.filter((each) => quotesIn(each.output).length === 0 && !saysNoEvidence(each.output));
  const open = children.filter((each) => !succeeded(each)).map((each) => `${nameOf(each)} (${recordOf(each).status})`);
  return [
    ...children.flatMap((each) => quotesIn(each.output)).map(formatQuote),
    ...others.map((each) => `${nameOf(each)}: ${each.output}`),
    `${done.length} of ${count(children.length, 'sub-agent')} finished.`,
    ...(open.length === 0 ? [] : [`Not finished: ${open.join(', ')}.`]),
  ].join('\n');
}

/** A lead may leave out what a sub-agent has found; the reader learns its place. */
async function passedOver(answer: string, children: readonly TaskSnapshot[], library: Library): Promise<string[]> {
  // It has counted the rest.
  if (/\b\d+ more\b/u.test(answer)) return [];
  const silent = children.filter((each) => succeeded(each) && !saysNoEvidence(each.output) && !answer.includes(nameOf(each)));
  const found = await Promise.all(silent.map((each) => sourcesIn(each.output, library)));
  const places = found.flatMap(([source]) => (source === undefined ? [] : [`${source.document}:${source.line}`]));
  return places.length === 0 ? [] : [`Found as well, and not named above: ${firstOf(places).join(', ')}.`];
}

/** Each "document:line" in the answer that really is a line of a document, in the answer's order, with that line. */
async function sourcesIn(answer: string, library: Library) {
  const sources = new Map<string, { document: string; line: number; text: string }>();
  // The longest name first: in "harbour crane.md:4" there is no "crane.md".
  const names = library.documents.map((each) => each.name).sort((a, b) => b.length - a.length);
  const escaped = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/gu, '\\$&'));
  for (const [place, name = '', digits] of answer.matchAll(new RegExp(`(?<![\\w./-])(${escaped.join('|')}):(\\d+)`, 'gu'))) {
    // Gone or changed since it was read: then it is no source that a reader could open.
    const lines = await library.read(name).then(
      (read) => read.lines,
      () => [],
    );
    const text = lines[Number(digits) - 1];
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
const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
