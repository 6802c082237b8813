// Decisions: what the built-in model does next, from the messages and tools of one call alone. Pure; the same call, the same step.
//
//   the lead       list → one delegation per document, in one step → compose their quotes
//   a sub-agent    search its document → read around the hits → quote
import type { LanguageModelV3CallOptions, LanguageModelV3FunctionTool, LanguageModelV3ToolResultPart } from '@ai-sdk/provider';
import { composeAnswer } from './compose.js';
import { field, formatQuote, instructionsFor, type Quote } from './evidence.js';
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

export interface ToolUse {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Undefined while there is no result. */
  readonly result: string | undefined;
}

export function decide(call: LanguageModelV3CallOptions): Step {
  const task = taskOf(call);
  const question = field(task, 'Question') ?? task.trim();
  const path = field(task, 'Document');
  const tools = call.toolChoice?.type === 'none' ? [] : (call.tools ?? []).filter((each) => each.type === 'function');
  const uses = usesIn(call);
  if (path === undefined) return leadStep(question, uses, tools);

  const about = uses.filter((use) => use.args.path === path);
  const next = nextLook(path, question, about, (name) => tools.some((each) => each.name === name));
  if (next !== undefined) return next;
  // In what could not be read there may be evidence.
  const refusal = about.find((use) => use.result?.startsWith('Refused: '))?.result;
  return answer(quotesFrom(path, question, about).map(formatQuote).join('\n') || (refusal ?? `No evidence in ${path}.`));
}

function leadStep(question: string, uses: readonly ToolUse[], tools: readonly LanguageModelV3FunctionTool[]): Step {
  const has = (name: string): boolean => tools.some((each) => each.name === name);
  const delegated = uses.filter((use) => use.name === 'SubAgent');
  if (delegated.length > 0) return answer(composeAnswer(question, delegated));
  const listing = uses.find((use) => use.name === 'list')?.result;
  if (listing === undefined && has('list')) return { text: 'Which documents are there?', calls: [{ name: 'list', args: {} }] };
  const documents = [...(listing ?? '').matchAll(/^- (.+) \([\d,]+ lines?, [\d,]+ bytes?\)$/gmu)].map(([, name]) => name ?? '');
  if (documents.length === 0 || !has('SubAgent')) return answer('No evidence: there is no document to look into.');
  const properties = tools.find((each) => each.name === 'SubAgent')?.inputSchema.properties ?? {};
  // A sub-agent that is confined to one document has no use for the list.
  const allowed = 'tools' in properties ? { tools: ['search', 'read'].filter(has) } : {};
  return {
    text: `${count(documents.length, 'document')}: one sub-agent for each.`,
    calls: documents.map((path) => ({ name: 'SubAgent', args: { instructions: instructionsFor(path, question), ...allowed } })),
  };
}

/** The search or the reads that `path` still needs, or undefined when enough of it was seen. */
function nextLook(path: string, question: string, about: readonly ToolUse[], has: (name: string) => boolean): Step | undefined {
  const searched = about.find((use) => use.name === 'search');
  if (searched === undefined && has('search')) {
    const query = subjectOf(question).join(' ');
    return { text: `Looking in ${path} for: ${query}`, calls: [{ name: 'search', args: { query, path } }] };
  }
  if (!has('read') || about.some((use) => use.name === 'read')) return undefined;
  const hits = hitsIn(path, searched?.result ?? '');
  if (hits.length === 0) return undefined;
  const places: number[] = [];
  // A hit that an earlier window shows needs none of its own.
  for (const { line } of hits) if (!places.some((place) => line >= place - LINES_BEFORE && line <= place + LINES_AFTER)) places.push(line);
  const windows = places.slice(0, MAX_WINDOWS).map((line) => ({ from: Math.max(1, line - LINES_BEFORE), to: line + LINES_AFTER }));
  const calls = windows.map(({ from, to }) => ({ name: 'read', args: { path, from, count: to - from + 1 } }));
  return { text: `Reading ${path} around its ${hits.length} best lines.`, calls };
}

function hitsIn(path: string, found: string): NumberedLine[] {
  const hits = [...found.matchAll(/^(.+?):(\d+): (.*)$/gmu)].filter(([, name]) => name === path);
  return hits.map(([, , line, text = '']) => ({ line: Number(line), text }));
}

/** The best quotes of the lines of one document that have been read. */
function quotesFrom(path: string, question: string, about: readonly ToolUse[]): Quote[] {
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
  const items = sentences.map((each) => ({ ...each, around: `${nameWords(path)} ${each.around}` }));
  const ranked = rank(question, items).filter(({ isEvidence }) => isEvidence);
  const floor = (ranked[0]?.score ?? 0) * MIN_SHARE_OF_BEST;
  const texts = new Map<string, Quote>();
  for (const each of ranked) if (each.score >= floor && !texts.has(each.text)) texts.set(each.text, each);
  return [...texts.values()].slice(0, MAX_QUOTES);
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
  return typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
}

function answer(text: string): Step {
  return { text, calls: [] };
}
