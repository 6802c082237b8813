// The options of a spawn: each read once, checked, and sorted into what crosses as a number and what is
// staged. Owns the aliases and the messages for wrong values. An unknown name is an error, so that a
// typing mistake never passes for a default.

import { signalOf, unreadable } from './arguments.js';
import { invalid, SubAgentError } from './errors.js';
import { wellFormed } from './result.js';
import type { Budget, SpawnOptions } from './types.js';

/** A spawn as the core takes it; `NaN` stands for a number that was not given. */
export interface SpawnRequest {
  text: string | undefined;
  background: boolean;
  manual: boolean;
  tokens: number;
  cost: number;
  turns: number;
  staged: StagedOptions | undefined;
  signal: AbortSignal | undefined;
}

interface StagedOptions {
  label: string | undefined;
  contextHint: string | undefined;
  tools: string[] | undefined;
  systemPrompt: string | undefined;
  modelId: string | undefined;
  maxTurns: number | undefined;
  timeoutMs: number | undefined;
  idleTimeoutMs: number | undefined;
  turnEstimate: number | undefined;
  priority: number | undefined;
}

const TEXTS = ['instructions', 'goal', 'message', 'task', 'taskDescription'] as const;
const STAGED = new Set([
  'label',
  'contextHint',
  'tools',
  'systemPrompt',
  'maxTurns',
  'maxSteps',
  'timeoutMs',
  'idleTimeoutMs',
  'turnEstimate',
  'priority',
]);
const OTHER = new Set<string>([...TEXTS, 'background', 'maxCost', 'budget', 'signal']);

/** Reads the options; throws `invalid_argument` where one can't be taken. */
export function readSpawn(options: SpawnOptions): SpawnRequest {
  try {
    return read(options);
  } catch (error) {
    throw unreadable('the options of spawn', error);
  }
}

function read(options: SpawnOptions): SpawnRequest {
  if (typeof options !== 'object' || options === null) throw invalid('the options of spawn', 'an object', options);
  const request: SpawnRequest = {
    text: undefined,
    background: false,
    manual: false,
    tokens: Number.NaN,
    cost: Number.NaN,
    turns: Number.NaN,
    staged: undefined,
    signal: undefined,
  };
  let staged = false;
  for (const key in options) {
    if (key === 'instructions') request.text = textOf(options, key, request.text);
    else if (STAGED.has(key)) staged = true;
    else if (OTHER.has(key)) readOther(request, options, key);
    else throw new SubAgentError('invalid_argument', `spawn has no option \`${key}\``, { argument: key });
  }
  if (staged) request.staged = readStaged(options);
  return request;
}

function textOf(options: SpawnOptions, key: (typeof TEXTS)[number], before: string | undefined): string | undefined {
  const value = options[key] as unknown;
  if (value === undefined) return before;
  if (typeof value !== 'string') throw invalid(`\`${key}\``, 'a string', value);
  if (before !== undefined)
    throw new SubAgentError('invalid_argument', `\`${key}\` says the same as another option: give one of ${TEXTS.join(', ')}`);
  return wellFormed(value);
}

function readOther(request: SpawnRequest, options: SpawnOptions, key: string): void {
  switch (key) {
    case 'background': {
      const { background } = options;
      if (background !== undefined && typeof background !== 'boolean') throw invalid('`background`', 'a boolean', background);
      request.background = background === true;
      return;
    }
    case 'maxCost': {
      const cost = amount('`maxCost`', options.maxCost);
      if (cost !== undefined) request.cost = only(request.cost, cost, '`maxCost` and `budget.costUsd`');
      return;
    }
    case 'budget': {
      const budget = readBudget('budget', options.budget);
      if (budget.tokens !== undefined) request.tokens = budget.tokens;
      if (budget.costUsd !== undefined) request.cost = only(request.cost, budget.costUsd, '`maxCost` and `budget.costUsd`');
      if (budget.turns !== undefined) request.turns = budget.turns;
      return;
    }
    case 'signal': {
      request.signal = signalOf('`signal`', options.signal);
      return;
    }
    default:
      request.text = textOf(options, key as (typeof TEXTS)[number], request.text);
  }
}

function only(before: number, value: number, names: string): number {
  if (!Number.isNaN(before)) throw new SubAgentError('invalid_argument', `${names} say the same: give one`);
  return value;
}

function readStaged(options: SpawnOptions): StagedOptions {
  const { label, contextHint, tools, systemPrompt, maxTurns, maxSteps, timeoutMs, idleTimeoutMs, turnEstimate, priority } = options;
  if (maxTurns !== undefined && maxSteps !== undefined)
    throw new SubAgentError('invalid_argument', '`maxTurns` and `maxSteps` say the same: give one');
  return {
    label: string('`label`', label),
    contextHint: string('`contextHint`', contextHint),
    tools: strings('`tools`', tools),
    systemPrompt: string('`systemPrompt`', systemPrompt),
    modelId: undefined,
    maxTurns: count('`maxTurns`', maxTurns) ?? count('`maxSteps`', maxSteps),
    timeoutMs: duration('`timeoutMs`', timeoutMs),
    idleTimeoutMs: duration('`idleTimeoutMs`', idleTimeoutMs),
    turnEstimate: count('`turnEstimate`', turnEstimate),
    priority: integer('`priority`', priority),
  };
}

/** A budget, each amount above 0. */
export function readBudget(name: string, budget: unknown): Budget {
  if (budget === undefined) return {};
  if (typeof budget !== 'object' || budget === null) throw invalid(`\`${name}\``, 'an object with tokens, costUsd or turns', budget);
  const { tokens, costUsd, turns, ...unknown } = budget as Record<string, unknown>;
  const [stranger] = Object.keys(unknown);
  if (stranger !== undefined)
    throw new SubAgentError('invalid_argument', `\`${name}\` has no \`${stranger}\`; it has tokens, costUsd, turns`, {
      argument: `${name}.${stranger}`,
    });
  const result: Budget = {};
  const [readTokens, readCost, readTurns] = [
    count(`\`${name}.tokens\``, tokens),
    amount(`\`${name}.costUsd\``, costUsd),
    count(`\`${name}.turns\``, turns),
  ];
  if (readTokens !== undefined) result.tokens = readTokens;
  if (readCost !== undefined) result.costUsd = readCost;
  if (readTurns !== undefined) result.turns = readTurns;
  return result;
}

export function string(what: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw invalid(what, 'a string', value);
}

export function strings(what: string, value: unknown): string[] | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return [...(value as string[])];
  throw invalid(what, 'a list of strings', value);
}

/** A whole number of at least 1, or `Infinity`. */
export function count(what: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value >= 1 && (Number.isInteger(value) || value === Number.POSITIVE_INFINITY)) return value;
  throw invalid(what, 'a whole number of at least 1, or Infinity', value);
}

/** An amount above 0, or `Infinity`. */
export function amount(what: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value > 0) return value;
  throw invalid(what, 'a number above 0, or Infinity', value);
}

/** Milliseconds above 0, or `Infinity`. */
export function duration(what: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value > 0) return Math.max(1, Math.round(value));
  throw invalid(what, 'milliseconds above 0, or Infinity', value);
}

function integer(what: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw invalid(what, 'a whole number', value);
}
