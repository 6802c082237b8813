// Decisions: what the extractive model does next, from its transcript alone. Pure; the same transcript, the same step.
//
//   a delegate tool, several documents   list → one delegation per document, in one step → compose their quotes
//   no delegate tool, or one document    for each document in turn: search → read around the hits; then answer
import { composeAnswer, count, type Finding, findingOf } from './compose.js';
import { formatQuote, type Quote } from './evidence.js';
import { MIN_SHARE_OF_BEST, rank } from './rank.js';
import { type NumberedLine, type Sentence, sentencesOf } from './sentences.js';
import { hitsIn, listedIn, pageIn, type Role, type ToolUse, type Transcript } from './transcript.js';
import { nameWords, questionTerms } from './words.js';

const MAX_QUOTES = 3;
const MAX_QUOTES_UNDERWAY = 1;
const MAX_WINDOWS = 4;
const LINES_BEFORE = 6;
const LINES_AFTER = 10;
const MAX_PAGES = 4;

export interface Call {
  readonly role: Role;
  readonly args: Record<string, unknown>;
}

/** Either tool calls with a word on why, or the answer. */
export interface Step {
  readonly text: string;
  readonly calls: readonly Call[];
}

export function decide(transcript: Transcript): Step {
  const { document, tools, uses } = transcript;
  const listing = uses.find((use) => use.role === 'list')?.result;
  const documents = document !== undefined ? [document] : listedIn(listing ?? '');

  if (documents.length === 0 && listing === undefined && tools.has('list')) {
    return { text: 'Which documents are there?', calls: [{ role: 'list', args: {} }] };
  }
  const delegated = uses.filter((use) => use.role === 'delegate');
  if (delegated.length > 0) return answer(composeAnswer(transcript.question, delegated.map(findingOf)));
  if (document === undefined && tools.has('delegate') && documents.length > 0) return delegation(transcript, documents);

  for (const [at, path] of documents.entries()) {
    const next = nextLook(transcript, path);
    if (next === undefined) continue;
    // Said along the way, so that something is there if there is no next turn.
    const found = ownQuotes(transcript, documents.slice(0, at)).slice(0, MAX_QUOTES_UNDERWAY).map(formatQuote);
    return { ...next, text: [next.text, ...found].join('\n') };
  }
  return answer(ownAnswer(transcript, documents));
}

function delegation(transcript: Transcript, documents: readonly string[]): Step {
  const properties = Object.keys(transcript.tools.get('delegate')?.inputSchema.properties ?? {});
  return {
    text: `${count(documents.length, 'document')}: one sub-agent for each.`,
    calls: documents.map((path) => ({
      role: 'delegate',
      args: {
        instructions: [
          `Document: ${path}`,
          `Question: ${transcript.question}`,
          'Answer from this document alone. Quote each sentence that answers, one a line: - "sentence" (document:line)',
          `If nothing in it answers, say: No evidence in ${path}.`,
        ].join('\n'),
        // A sub-agent that is confined to one document has no use for the list.
        ...(properties.includes('tools') ? { tools: looking(transcript) } : {}),
      },
    })),
  };
}

function looking(transcript: Transcript): string[] {
  return (['search', 'read'] as const).flatMap((role) => transcript.tools.get(role)?.name ?? []);
}

/** The next search or read that `path` still needs, or undefined when enough of it was seen. */
function nextLook(transcript: Transcript, path: string): Step | undefined {
  const { tools, uses, question } = transcript;
  const about = uses.filter((use) => use.args.path === path);
  const searched = about.find((use) => use.role === 'search');
  const reads = about.filter((use) => use.role === 'read');

  if (searched === undefined && tools.has('search')) {
    const query = questionTerms(question).join(' ');
    return { text: `Looking in ${path} for: ${query}`, calls: [{ role: 'search', args: { query, path } }] };
  }
  if (!tools.has('read')) return undefined;
  if (searched !== undefined) {
    const hits = hitsIn(searched.result ?? '').filter((hit) => hit.path === path);
    if (reads.length > 0 || hits.length === 0) return undefined;
    return {
      text: `Reading ${path} around its ${hits.length} best lines.`,
      calls: windowsAround(hits.map((hit) => hit.line)).map(([from, to]) => ({
        role: 'read',
        args: { path, from, count: to - from + 1 },
      })),
    };
  }
  const last = reads.at(-1);
  const page = last?.result === undefined ? undefined : pageIn(last.result);
  const reached = page?.lines.at(-1)?.line ?? 0;
  if (last !== undefined && (page === undefined || reached >= page.total || reads.length >= MAX_PAGES)) return undefined;
  return { text: `Reading ${path}.`, calls: [{ role: 'read', args: { path, from: reached + 1 } }] };
}

/** Ranges around the best lines: overlapping ones become one, and only the first few are kept. */
function windowsAround(lines: readonly number[]): [number, number][] {
  const windows: [number, number][] = [];
  for (const line of lines) {
    const from = Math.max(1, line - LINES_BEFORE);
    const to = line + LINES_AFTER;
    const near = windows.find((window) => from <= window[1] + 1 && to >= window[0] - 1);
    if (near !== undefined) {
      near[0] = Math.min(near[0], from);
      near[1] = Math.max(near[1], to);
    } else if (windows.length < MAX_WINDOWS) {
      windows.push([from, to]);
    }
  }
  return windows.sort((a, b) => a[0] - b[0]);
}

function ownAnswer(transcript: Transcript, documents: readonly string[]): string {
  const { question } = transcript;
  if (documents.length > 1)
    return composeAnswer(
      question,
      documents.map((path) => ownFinding(transcript, path)),
    );
  const [only] = documents;
  if (only === undefined) return 'No evidence: there is no document to look into.';
  const quotes = ownQuotes(transcript, documents);
  if (quotes.length > 0) return quotes.map(formatQuote).join('\n');
  // In what could not be read there may be evidence.
  return refusalOf(transcript, only) ?? `No evidence in ${only}.`;
}

function ownFinding(transcript: Transcript, path: string): Finding {
  const quotes = ownQuotes(transcript, [path]);
  if (refusalOf(transcript, path) !== undefined) return { path, quotes, without: 'not answered' };
  const isSeen = transcript.uses.some((use) => use.args.path === path && use.result !== undefined);
  return { path, quotes, without: isSeen ? 'no evidence' : 'not looked into' };
}

function refusalOf({ uses }: Transcript, path: string): string | undefined {
  return uses.find((use) => use.args.path === path && use.result?.startsWith('Refused: '))?.result;
}

function ownQuotes(transcript: Transcript, documents: readonly string[]): Quote[] {
  return best(
    transcript.question,
    documents.flatMap((path) => sentencesSeen(transcript.uses, path)),
  );
}

function sentencesSeen(uses: readonly ToolUse[], path: string) {
  const lines = new Map<number, NumberedLine>();
  let total = 0;
  for (const use of uses) {
    if (use.role !== 'read' || use.args.path !== path || use.result === undefined) continue;
    const page = pageIn(use.result);
    if (page === undefined || page.path !== path) continue;
    total = page.total;
    for (const line of page.lines) lines.set(line.line, line);
  }
  const read = sentencesOf(
    path,
    [...lines.values()].sort((a, b) => a.line - b.line),
    total,
  );
  // Of a line that reading has cut, the search has shown the place that matters.
  const hits = uses.flatMap((use) => (use.role === 'search' ? hitsIn(use.result ?? '') : []));
  const found = hits
    .filter((hit) => hit.path === path && lines.get(hit.line)?.text.endsWith('…'))
    .flatMap((hit) => sentencesOf(path, [hit], hit.line))
    .filter(({ text }) => !text.startsWith('…') && !text.endsWith('…'));
  return [...read, ...found];
}

/** The best quotes, each text once: documents often repeat a sentence. */
function best(question: string, sentences: readonly Sentence[]): Quote[] {
  // What a document is called says what it is about.
  const ranked = rank(
    question,
    sentences.map((each) => ({ ...each, heading: `${nameWords(each.path)} ${each.heading}` })),
  );
  const floor = (ranked.find((quote) => !quote.denies)?.score ?? 0) * MIN_SHARE_OF_BEST;
  const seen = new Set<string>();
  return ranked.filter((quote) => quote.score >= floor && !seen.has(quote.text) && seen.add(quote.text)).slice(0, MAX_QUOTES);
}

function answer(text: string): Step {
  return { text, calls: [] };
}
