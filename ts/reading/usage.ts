// Usage as hosts, frameworks and providers name it. Owns the names of each figure, which figures include others, and
// how the total follows from the kinds. The core judges the figures.

import { wellFormed } from '../base/text.js';
import { READING_MISSING } from '../generated/codes.js';
import { type ReportedTokens, TOKEN_KINDS, type TokenKinds } from '../generated/tokens.js';

type Figure = keyof TokenKinds | 'toolTokens' | 'tokens' | 'costUsd' | 'turns' | 'durationMs';

/** A name of a figure. `apart`: its provider doesn't count it in the total of its side, so it is added. */
interface Name {
  readonly figure: Figure;
  readonly apart?: true;
}

const of = (figure: Figure, ...names: string[]): [string, Name][] => names.map((name) => [name, { figure }]);
const apart = (figure: Figure, ...names: string[]): [string, Name][] => names.map((name) => [name, { figure, apart: true }]);

/** Every recognised name, except those within an object. */
const makeNames = (): ReadonlyMap<string, Name> =>
  new Map([
    ...of('tokens', 'tokens', 'totalTokens', 'total_tokens', 'totalTokenCount'),
    ...of('inputTokens', 'inputTokens', 'input_tokens', 'promptTokens', 'prompt_tokens', 'promptTokenCount', 'input'),
    ...of('inputTokens', 'gen_ai.usage.input_tokens'),
    ...of('outputTokens', 'outputTokens', 'output_tokens', 'completionTokens', 'completion_tokens', 'candidatesTokenCount', 'output'),
    ...of('outputTokens', 'gen_ai.usage.output_tokens'),
    ...of('cacheReadTokens', 'cacheReadTokens', 'cachedInputTokens', 'cached_input_tokens', 'cachedContentTokenCount'),
    ...of('cacheReadTokens', 'cachedTokens', 'cached_tokens'),
    ...of('cacheReadTokens', 'prompt_cache_hit_tokens', 'gen_ai.usage.cache_read.input_tokens'),
    ...of('cacheWriteTokens', 'cacheWriteTokens', 'gen_ai.usage.cache_creation.input_tokens'),
    ...of('cacheWrite1hTokens', 'cacheWrite1hTokens', 'cacheWrite1h'),
    ...of('reasoningTokens', 'reasoningTokens', 'reasoning_tokens', 'reasoning', 'thoughtTokens'),
    // Anthropic, Bedrock, the Claude Agent SDK, pi and ACP count the input without cached tokens.
    ...apart('cacheReadTokens', 'cache_read_input_tokens', 'cacheReadInputTokens', 'cacheRead', 'cachedReadTokens'),
    ...apart('cacheWriteTokens', 'cache_creation_input_tokens', 'cacheCreationInputTokens', 'cacheWriteInputTokens'),
    ...apart('cacheWriteTokens', 'cacheWrite', 'cachedWriteTokens'),
    // Gemini counts the output without the thoughts, and the input without the tokens of its own tools.
    ...apart('reasoningTokens', 'thoughtsTokenCount'),
    ...apart('toolTokens', 'toolUsePromptTokenCount'),
    ...of('costUsd', 'costUsd', 'cost', 'cost_usd', 'costUSD', 'total_cost_usd', 'totalCostUsd', 'totalCost', 'total_cost'),
    ...of('turns', 'turns', 'num_turns'),
    ...of('durationMs', 'durationMs', 'duration_ms'),
  ]);

/** The fields of objects within a usage, by the object's name. */
const makeWithin = (): ReadonlyMap<string, ReadonlyMap<string, Figure>> =>
  new Map(
    Object.entries({
      // The AI SDK's models report each side as an object.
      inputTokens: { total: 'inputTokens', cacheRead: 'cacheReadTokens', cacheWrite: 'cacheWriteTokens' },
      outputTokens: { total: 'outputTokens', reasoning: 'reasoningTokens' },
      inputTokenDetails: { cacheReadTokens: 'cacheReadTokens', cacheWriteTokens: 'cacheWriteTokens' },
      outputTokenDetails: { reasoningTokens: 'reasoningTokens' },
      prompt_tokens_details: { cached_tokens: 'cacheReadTokens', cache_write_tokens: 'cacheWriteTokens' },
      input_tokens_details: { cached_tokens: 'cacheReadTokens', cache_write_tokens: 'cacheWriteTokens' },
      inputTokensDetails: { cached_tokens: 'cacheReadTokens', cache_write_tokens: 'cacheWriteTokens' },
      completion_tokens_details: { reasoning_tokens: 'reasoningTokens' },
      output_tokens_details: { reasoning_tokens: 'reasoningTokens' },
      outputTokensDetails: { reasoning_tokens: 'reasoningTokens' },
      input_token_details: { cache_read: 'cacheReadTokens', cache_creation: 'cacheWriteTokens' },
      output_token_details: { reasoning: 'reasoningTokens' },
      cache_creation: { ephemeral_1h_input_tokens: 'cacheWrite1hTokens' },
      cost: { total: 'costUsd' },
    } satisfies Record<string, Record<string, Figure>>).map(([name, fields]) => [name, new Map(Object.entries(fields))]),
  );

interface Names {
  readonly names: ReadonlyMap<string, Name>;
  readonly within: ReadonlyMap<string, ReadonlyMap<string, Figure>>;
}

let made: Names | undefined;

/** Both tables, made at the first use: a program that reads no usage has none of them. */
function tables(): Names {
  made ??= { names: makeNames(), within: makeWithin() };
  return made;
}

/** Other names of providers and frameworks: no figures, or figures that are read under another name. */
const BESIDE: ReadonlySet<string> = new Set([
  'contextTokens',
  'contextWindow',
  'maxOutputTokens',
  'requests',
  'requestUsageEntries',
  'raw',
  'model',
  'service_tier',
  'server_tool_use',
  'inference_geo',
  'iterations',
  'speed',
  'webSearchRequests',
  'promptTokensDetails',
  'candidatesTokensDetails',
  'cacheTokensDetails',
  'toolUsePromptTokensDetails',
  'trafficType',
  'initialPromptTokenCount',
  'prompt_cache_miss_tokens',
  'cost_details',
  'is_byok',
]);

/** The figures of a usage as the core takes them: `READING_MISSING` for a missing figure, NaN for an invalid one. */
export interface Figures {
  tokens: number;
  cost: number;
  turns: number;
  durationMs: number;
  /** Undefined if it has no kinds, no model and no estimate, or if `tokens` is invalid. */
  byKind: ReportedTokens | undefined;
  /** Invalid kinds of tokens, if `tokens` is valid: it is booked without them. */
  ignored: readonly string[];
}

/** Nothing is ignored, as nearly always. */
export const NONE_IGNORED: readonly string[] = [];

type Read = Partial<Record<Figure, number>>;

/**
 * Adds up a usage from a list of names and values. Undefined and null count as missing. `unknown` gets the names that mean no
 * figure.
 */
export function usageFigures(entries: Iterable<readonly [name: string, value: unknown]>, unknown: (name: string) => void): Figures {
  const { names, within } = tables();
  const read: Read = {};
  let beside: Set<Figure> | undefined;
  let hasPrompt = false;
  let modelId: string | undefined;
  let estimated = false;
  for (const [name, value] of entries) {
    if (value === undefined || value === null) continue;
    if (name === 'modelId') {
      if (typeof value === 'string' && value !== '') modelId = wellFormed(value);
      continue;
    }
    if (name === 'estimated') {
      estimated = value === true;
      continue;
    }
    const fields = typeof value === 'object' ? within.get(name) : undefined;
    if (fields !== undefined) {
      try {
        // Any other object in place of a number is invalid.
        if (!names.has(name) || Object.hasOwn(value as object, 'total')) {
          readWithin(read, fields, value as object);
          continue;
        }
      } catch {
        // A proxy threw: all figures in it are invalid.
        for (const figure of fields.values()) read[figure] ??= Number.NaN;
        continue;
      }
    }
    const known = names.get(name);
    if (known === undefined) {
      if (!BESIDE.has(name) && !within.has(name)) unknown(name);
      continue;
    }
    const { figure } = known;
    hasPrompt ||= name === 'prompt_tokens';
    // Our own name takes precedence over another one for the same figure.
    if (read[figure] !== undefined && name !== figure) continue;
    read[figure] = reading(value);
    if (known.apart === true) beside = (beside ?? new Set()).add(figure);
    else beside?.delete(figure);
  }
  // If a gateway sends `prompt_tokens`, Anthropic's names mean parts of it. So they do if input and output add up to the total,
  // as in Strands.
  if (hasPrompt || read.tokens === (read.inputTokens ?? 0) + (read.outputTokens ?? 0)) beside = undefined;
  const { tokens, costUsd, turns, durationMs } = read;
  const sides = sidesOf(read, beside);
  const total = tokens ?? totalOf(sides);
  return {
    tokens: total,
    cost: costUsd ?? READING_MISSING,
    turns: turns ?? READING_MISSING,
    durationMs: durationMs ?? READING_MISSING,
    byKind: Number.isNaN(total) ? undefined : tokensByKind(read, sides, modelId, estimated),
    ignored: wrongAmong(tokens ?? READING_MISSING, read),
  };
}

/** The invalid kinds, if the total was given and is valid. */
export function wrongAmong(tokens: number, figures: Read): readonly string[] {
  return tokens >= 0 ? TOKEN_KINDS.filter((kind) => Number.isNaN(figures[kind])) : NONE_IGNORED;
}

/** Reads the figures within an object; adds them up in a list of objects. */
function readWithin(read: Read, fields: ReadonlyMap<string, Figure>, value: object): void {
  const parts: unknown[] = Array.isArray(value) ? value : [value];
  for (const [name, figure] of fields) {
    const found = parts.map((part) => partOf(part, name)).filter((each) => each !== READING_MISSING);
    if (found.length > 0) read[figure] ??= found.reduce((sum, each) => sum + each, 0);
  }
}

function partOf(part: unknown, name: string): number {
  if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return READING_MISSING;
  try {
    return reading((part as Record<string, unknown>)[name]);
  } catch {
    return Number.NaN;
  }
}

/** Input and output, each in total; undefined if nothing was reported. */
interface Sides {
  readonly input: number | undefined;
  readonly output: number | undefined;
}

function sidesOf(read: Read, beside: ReadonlySet<Figure> | undefined): Sides {
  const {
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens,
    cacheWriteTokens,
    cacheWrite1hTokens,
    reasoningTokens,
    toolTokens,
  } = read;
  const isWritten = (cacheWriteTokens ?? cacheWrite1hTokens) !== undefined;
  // Most usages report no parts.
  if (!isWritten && (cacheReadTokens ?? reasoningTokens ?? toolTokens) === undefined) return { input, output };
  const isApart = (figure: Figure): boolean => beside?.has(figure) === true;
  const written = Math.max(cacheWriteTokens ?? 0, cacheWrite1hTokens ?? 0);
  return {
    input: sideOf(input, [
      [cacheReadTokens, isApart('cacheReadTokens')],
      [isWritten ? written : undefined, isApart('cacheWriteTokens')],
      [toolTokens, isApart('toolTokens')],
    ]),
    output: sideOf(output, [[reasoningTokens, isApart('reasoningTokens')]]),
  };
}

/** The total of tokens. */
function totalOf({ input, output }: Sides): number {
  return input === undefined && output === undefined ? READING_MISSING : (input ?? 0) + (output ?? 0);
}

/** The kinds, each part within its whole. An invalid part counts as missing. */
function tokensByKind(read: Read, { input, output }: Sides, modelId: string | undefined, estimated: boolean): ReportedTokens | undefined {
  if (input === undefined && output === undefined && modelId === undefined && !estimated) return undefined;
  const kind = (figure: number | undefined, itself = figure): number => {
    // An invalid part leaves its whole as reported. An invalid whole stays NaN for the core.
    return (Number.isNaN(figure) ? itself : figure) ?? READING_MISSING;
  };
  const { cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens, reasoningTokens } = read;
  const written = cacheWriteTokens === undefined ? cacheWrite1hTokens : Math.max(cacheWriteTokens, cacheWrite1hTokens ?? 0);
  return {
    kinds: [
      kind(input, read.inputTokens),
      kind(output, read.outputTokens),
      kind(cacheReadTokens),
      kind(written),
      kind(cacheWrite1hTokens),
      kind(reasoningTokens),
      Number(estimated),
    ],
    modelId,
  };
}

/**
 * One side: its own figure plus its separate parts. Parts that exceed their whole can't be included in it, so they are added.
 */
function sideOf(whole: number | undefined, parts: readonly (readonly [part: number | undefined, isApart: boolean])[]): number | undefined {
  let [within, apart] = [0, 0];
  for (const [part = 0, isApart] of parts) {
    if (isApart) apart += part;
    else within += part;
  }
  if (whole === undefined) return parts.every(([part]) => part === undefined) ? undefined : within + apart;
  // An invalid part makes the whole invalid.
  return whole + apart + (within <= whole ? 0 : within);
}

/** A number as given. A value that is no number, or below 0, is invalid: NaN for the core. */
export function reading(value: unknown): number {
  if (value === undefined || value === null) return READING_MISSING;
  return typeof value === 'number' && value >= 0 ? value : Number.NaN;
}
