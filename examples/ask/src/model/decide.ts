// Decisions: what the built-in model does next, from the messages and tools of one call alone. Pure; the same call, the same step.
//
//   a SubAgent tool, several documents   list → one delegation per document, in one step → compose their quotes
//   no SubAgent tool, or one document    for each document in turn: search → read around the hits; then answer
import type { LanguageModelV3CallOptions, LanguageModelV3ToolResultPart } from '@ai-sdk/provider';
import { composeAnswer, type Finding, findingOf } from './compose.js';
import { field, formatQuote, type Quote } from './evidence.js';
import { rank } from './rank.js';
import { type NumberedLine, sentencesOf } from './sentences.js';
import { count, nameWords, subjectOf } from './words.js';

const MAX_QUOTES = 3;
/** A quote far behind the best one is noise. */
const MIN_SHARE_OF_BEST = 0.45;
const MAX_WINDOWS = 4;
const LINES_BEFORE = 6;
const LINES_AFTER = 10;

/** Either tool calls with a word on why, or the answer. */
export interface Step {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly args: Record<string, unknown> }[];
}

interface ToolUse {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Undefined while there is no result. */
  readonly result: string | undefined;
}

export function decide(call: LanguageModelV3CallOptions): Step {
  const task = taskOf(call);
  const question = field(task, 'Question') ?? task.trim();
  const own = field(task, 'Document');
  const tools = call.toolChoice?.type === 'none' ? [] : (call.tools ?? []).filter((each) => each.type === 'function');
  const has = (name: string): boolean => tools.some((each) => each.name === name);
  const uses = usesIn(call);
  const listing = uses.find((use) => use.name === 'list')?.result;
  const documents =
    own !== undefined ? [own] : [...(listing ?? '').matchAll(/^- (.+) \(\d+ lines?, \d+ bytes?\)$/gmu)].map(([, name]) => name ?? '');

  if (documents.length === 0 && listing === undefined && has('list')) {
    return { text: 'Which documents are there?', calls: [{ name: 'list', args: {} }] };
  }
  const delegated = uses.filter((use) => use.name === 'SubAgent');
  if (delegated.length > 0) return answer(composeAnswer(question, delegated.map(findingOf)));
  if (own === undefined && has('SubAgent') && documents.length > 0) {
    const properties = tools.find((each) => each.name === 'SubAgent')?.inputSchema.properties ?? {};
    // A sub-agent that is confined to one document has no use for the list.
    const allowed = 'tools' in properties ? { tools: ['search', 'read'].filter(has) } : {};
    return {
      text: `${count(documents.length, 'document')}: one sub-agent for each.`,
      calls: documents.map((path) => ({ name: 'SubAgent', args: { instructions: instructionsFor(path, question), ...allowed } })),
    };
  }

  const found = documents.map((path) => findingIn(path, question, uses));
  for (const [at, path] of documents.entries()) {
    const next = nextLook(path, question, uses, has);
    // Said along the way, so that something is there if there is no next turn.
    const best = found.slice(0, at).flatMap(({ quotes }) => quotes.slice(0, 1));
    if (next !== undefined) return { ...next, text: [next.text, ...best.slice(0, 1).map(formatQuote)].join('\n') };
  }
  const [only] = found;
  if (only === undefined) return answer('No evidence: there is no document to look into.');
  if (found.length > 1) return answer(composeAnswer(question, found));
  // In what could not be read there may be evidence.
  return answer(only.quotes.map(formatQuote).join('\n') || (refusalOf(only.path, uses) ?? `No evidence in ${only.path}.`));
}

function instructionsFor(path: string, question: string): string {
  return [
    `Document: ${path}`,
    `Question: ${question}`,
    'Answer from this document alone. Quote each sentence that answers, one a line: - "sentence" (document:line)',
    `If nothing in it answers, say: No evidence in ${path}.`,
  ].join('\n');
}

/** The search or the reads that `path` still needs, or undefined when enough of it was seen. */
function nextLook(path: string, question: string, uses: readonly ToolUse[], has: (name: string) => boolean): Step | undefined {
  const about = uses.filter((use) => use.args.path === path);
  const searched = about.find((use) => use.name === 'search');
  if (searched === undefined && has('search')) {
    const query = subjectOf(question).join(' ');
    return { text: `Looking in ${path} for: ${query}`, calls: [{ name: 'search', args: { query, path } }] };
  }
  if (!has('read') || about.some((use) => use.name === 'read')) return undefined;
  if (searched === undefined) return { text: `Reading ${path}.`, calls: [{ name: 'read', args: { path, from: 1 } }] };
  const hits = hitsIn(path, searched.result ?? '');
  if (hits.length === 0) return undefined;
  const calls = windowsAround(hits.map(({ line }) => line)).map(([from, to]) => ({
    name: 'read',
    args: { path, from, count: to - from + 1 },
  }));
  return { text: `Reading ${path} around its ${hits.length} best lines.`, calls };
}

/** Ranges around the best lines: overlapping ones become one, and only the first few are kept. */
function windowsAround(lines: readonly number[]): [number, number][] {
  const windows: [number, number][] = [];
  for (const line of lines) {
    const [from, to] = [Math.max(1, line - LINES_BEFORE), line + LINES_AFTER];
    const near = windows.find((window) => from <= window[1] + 1 && to >= window[0] - 1);
    if (near !== undefined) [near[0], near[1]] = [Math.min(near[0], from), Math.max(near[1], to)];
    else if (windows.length < MAX_WINDOWS) windows.push([from, to]);
  }
  return windows.sort((a, b) => a[0] - b[0]);
}

function hitsIn(path: string, found: string): NumberedLine[] {
  const hits = [...found.matchAll(/^(.+?):(\d+): (.*)$/gmu)].filter(([, name]) => name === path);
  return hits.map(([, , line, text = '']) => ({ line: Number(line), text }));
}

/** What was found in the lines of one document that have been read. */
function findingIn(path: string, question: string, uses: readonly ToolUse[]): Finding {
  const about = uses.filter((use) => use.args.path === path && use.result !== undefined);
  const lines = new Map<number, NumberedLine>();
  let total = 0;
  for (const { name, result = '' } of about) {
    const head = /^.+, lines \d+-\d+ of (\d+):\n/u.exec(result);
    if (name !== 'read' || head === null) continue;
    total = Number(head[1]);
    // A line may hold a line separator of Unicode.
    for (const [, line, text = ''] of result.matchAll(/^(\d+)\| ?([^\n]*)/gmu)) lines.set(Number(line), { line: Number(line), text });
  }
  const read = [...lines.values()].sort((a, b) => a.line - b.line);
  // Of a line that reading has cut, the search has shown the place that matters.
  const passages = about.flatMap(({ name, result = '' }) => (name === 'search' ? hitsIn(path, result) : []));
  const isCut = (line: number): boolean => /^[\s\S]{1000,}…$/u.test(lines.get(line)?.text ?? '');
  const further = passages.filter(({ line }) => isCut(line)).flatMap((each) => sentencesOf(path, [each], each.line));
  // What a document is called says what it is about.
  const sentences = [...sentencesOf(path, read, total), ...further].filter(({ text, line }) => !(text.endsWith('…') && isCut(line)));
  const items = sentences.map((each) => ({ ...each, heading: `${nameWords(path)} ${each.heading}` }));
  const ranked = rank(question, items).filter(({ isEvidence }) => isEvidence);
  const floor = (ranked.find(({ denies }) => !denies)?.score ?? 0) * MIN_SHARE_OF_BEST;
  const texts = new Map<string, Quote>();
  for (const each of ranked) if (each.score >= floor && !texts.has(each.text)) texts.set(each.text, each);
  const without = refusalOf(path, uses) !== undefined ? 'not answered' : about.length > 0 ? 'no evidence' : 'not looked into';
  return { path, quotes: [...texts.values()].slice(0, MAX_QUOTES), without };
}

function refusalOf(path: string, uses: readonly ToolUse[]): string | undefined {
  return uses.find((use) => use.args.path === path && use.result?.startsWith('Refused: '))?.result;
}

function taskOf({ prompt }: LanguageModelV3CallOptions): string {
  const first = prompt.find((message) => message.role === 'user');
  return first?.role === 'user' ? first.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n') : '';
}

function usesIn({ prompt }: LanguageModelV3CallOptions): ToolUse[] {
  const parts = prompt.flatMap((message) => (message.role === 'assistant' || message.role === 'tool' ? [...message.content] : []));
  const results = new Map(parts.flatMap((part) => (part.type === 'tool-result' ? [[part.toolCallId, textOf(part)]] : [])));
  return parts.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ name: part.toolName, args: { ...(part.input as Record<string, unknown>) }, result: results.get(part.toolCallId) }]
      : [],
  );
}

function textOf({ output }: LanguageModelV3ToolResultPart): string {
  if (output.type === 'execution-denied') return output.reason ?? 'denied';
  if (output.type === 'content') return output.value.map((each) => (each.type === 'text' ? each.text : '')).join('\n');
  return typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
}

function answer(text: string): Step {
  return { text, calls: [] };
}
