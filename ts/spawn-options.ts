// The options of a spawn: each read once, checked, and sorted into what crosses as a number and what is
// staged. Owns the aliases and the messages for wrong values. An unknown name is an error, so that a
// typing mistake never passes for a default.

import type { Agents } from './agents.js';
import type { Asked } from './allowed.js';
import { noOtherFields, saidTwice, signalOf, unknownOption, unreadable } from './arguments.js';
import { invalid, SubAgentError } from './errors.js';
import { ON_PARENT_END } from './generated/names.js';
import type { Live } from './live.js';
import type { Budget, SpawnOptions } from './options.js';
import type { Profiles } from './profiles.js';
import { wellFormed } from './result.js';
import { readRetry, type StagedRetry } from './retry.js';
import { readSchema, type ValueCheck } from './schema/schema.js';

/** A spawn as the core takes it; `NaN` stands for a number that was not given. */
export interface SpawnRequest {
  text: string | undefined;
  /** The text was given by another name than `instructions`. */
  renamed: boolean;
  background: boolean;
  manual: boolean;
  /** Who could answer its questions, as flags of the core: 0 the program, 16 a model, 32 a model that can't. */
  answers: number;
  tokens: number;
  cost: number;
  turns: number;
  staged: StagedOptions | undefined;
  /** What of it may have to be cut for the host. */
  asked: Asked | undefined;
  signal: AbortSignal | undefined;
  /** What its results' values are checked by. */
  schema: ValueCheck | undefined;
  /** Set where its key was used before: nothing was started. */
  repeated?: boolean;
  /** Who is told of its turns and reports. */
  watch: Live['watch'];
}

/** What is staged; made where only a policy adds to it. */
export function stagedBy(request: SpawnRequest): StagedOptions {
  request.staged ??= readStaged({});
  return request.staged;
}

export interface StagedOptions {
  label: string | undefined;
  contextHint: string | undefined;
  tools: string[] | undefined;
  systemPrompt: string | undefined;
  maxTurns: number | undefined;
  timeoutMs: number | undefined;
  idleTimeoutMs: number | undefined;
  turnEstimate: number | undefined;
  priority: number | undefined;
  // Those that few spawns give are not there at all in the others: each field is read across the boundary.
  modelId?: string | undefined;
  profile?: string | undefined;
  sourceAgentId?: string | undefined;
  rateLimitKey?: string | undefined;
  disallowedTools?: string[];
  idempotencyKey?: string | undefined;
  originChannel?: string | undefined;
  originChatId?: string | undefined;
  nickname?: string | undefined;
  onParentEnd?: string | undefined;
  retry?: StagedRetry | undefined;
  /** What else was given, in one text, where there is a key. */
  parameters?: string;
  /** What a model asked for: it lowers what would hold without it, and never raises it (D6). */
  wishedTurns?: number | undefined;
  wishedCost?: number;
  json?: boolean;
}

/** What names in the options may stand for. */
export interface KnownNames {
  readonly agents: Agents;
  readonly profiles: Profiles;
}

const TEXTS = ['instructions', 'goal', 'message', 'task', 'taskDescription', 'task_description'] as const;
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
  'modelId',
  'agent',
  'agentId',
  'profile',
  'promptProfile',
  'rateLimitKey',
  'idempotencyKey',
  'origin',
  'format',
  'nickname',
  'onParentEnd',
  'retry',
]);
// Spelled out: a bundler can't see that spreading TEXTS does nothing else.
const OTHER = new Set<string>([
  'instructions',
  'goal',
  'message',
  'task',
  'taskDescription',
  'task_description',
  'maxCost',
  'budget',
  'signal',
  'schema',
] satisfies ((typeof TEXTS)[number] | 'maxCost' | 'budget' | 'signal' | 'schema')[]);

/**
 * Reads the options; throws `invalid_argument` where one can't be taken. Without `known`, names are not looked up.
 * `byModel`: its turns and its cost are what a model asks for.
 */
export function readSpawn(options: SpawnOptions, known?: KnownNames, byModel = false): SpawnRequest {
  try {
    return read(options, known, byModel);
  } catch (error) {
    throw unreadable('the options of spawn', error);
  }
}

function read(options: SpawnOptions, known: KnownNames | undefined, byModel: boolean): SpawnRequest {
  if (typeof options !== 'object' || options === null) throw invalid('the options of spawn', 'an object', options);
  const request: SpawnRequest = {
    text: undefined,
    renamed: false,
    background: false,
    manual: false,
    answers: 0,
    tokens: Number.NaN,
    cost: Number.NaN,
    turns: Number.NaN,
    staged: undefined,
    asked: undefined,
    signal: undefined,
    schema: undefined,
    watch: undefined,
  };
  let staged = false;
  let backgroundGiven = false;
  for (const key in options) {
    if (key === 'instructions') request.text = textOf(options, key, request.text);
    else if (STAGED.has(key)) staged = true;
    else if (key === 'background') {
      const { background } = options;
      if (background !== undefined && typeof background !== 'boolean') throw invalid('`background`', 'a boolean', background);
      request.background = background === true;
      backgroundGiven = background !== undefined;
    } else if (OTHER.has(key)) readOther(request, options, key);
    else throw unknownOption('spawn', key);
  }
  if (!Number.isNaN(request.cost)) request.asked = askedOf(request, options);
  if (staged || (byModel && !Number.isNaN(request.cost))) {
    request.staged = readStaged(options);
    request.asked = askedOf(request, options);
    if (byModel) wish(request, request.staged);
    // A repeated spawn is compared by what was given, not by what a definition makes of it.
    if (request.staged.idempotencyKey !== undefined) request.staged.parameters = parametersOf(request);
    known?.agents.fill(request, request.staged, backgroundGiven);
    if (request.staged.onParentEnd !== undefined && !request.background)
      throw new SubAgentError('invalid_argument', '`onParentEnd` is for `background: true`: others end with their caller', {
        argument: 'onParentEnd',
      });
    if (request.staged.profile !== undefined) known?.profiles.check(request.staged.profile);
  }
  return request;
}

/** What came under the names that are cut; their other names are the program's, which knows its own limits. */
function askedOf({ staged, cost }: SpawnRequest, options: SpawnOptions): Asked {
  return {
    tools: staged?.tools,
    maxTurns: 'maxTurns' in options ? staged?.maxTurns : undefined,
    maxCost: 'maxCost' in options && !Number.isNaN(cost) ? cost : undefined,
  };
}

/** Makes wishes of what a model may lower: what the program set, or the default, is filled in beside them. */
function wish(request: SpawnRequest, staged: StagedOptions): void {
  staged.wishedTurns = staged.maxTurns;
  staged.maxTurns = undefined;
  if (Number.isNaN(request.cost)) return;
  staged.wishedCost = request.cost;
  request.cost = Number.NaN;
}

/** All that was given in a text that is the same whenever it is: the order of the options doesn't count. */
function parametersOf({ signal: _, renamed: __, schema: ___, asked: ____, staged, ...others }: SpawnRequest): string {
  const { idempotencyKey: _____, ...rest } = staged as StagedOptions;
  return JSON.stringify({ ...others, ...rest }, (_, value: unknown) => (typeof value === 'number' ? `${value}` : value));
}

function textOf(options: SpawnOptions, key: (typeof TEXTS)[number], before: string | undefined): string | undefined {
  const value = options[key] as unknown;
  if (value === undefined) return before;
  if (typeof value !== 'string') throw invalid(`\`${key}\``, 'a string', value);
  const wrong = (message: string): SubAgentError => new SubAgentError('invalid_argument', `\`${key}\` ${message}`, { argument: key });
  if (before !== undefined) throw wrong(`says the same as another option: give one of ${TEXTS.join(', ')}`);
  // The core would name the one that all the others stand for.
  if (value.trim() === '') throw wrong('must not be empty');
  return wellFormed(value);
}

function readOther(request: SpawnRequest, options: SpawnOptions, key: string): void {
  switch (key) {
    case 'maxCost': {
      const cost = amount('`maxCost`', options.maxCost);
      if (cost !== undefined) request.cost = only(request.cost, cost, 'maxCost');
      return;
    }
    case 'budget': {
      const budget = readBudget('budget', options.budget);
      if (budget.tokens !== undefined) request.tokens = budget.tokens;
      if (budget.costUsd !== undefined) request.cost = only(request.cost, budget.costUsd, 'budget.costUsd');
      if (budget.turns !== undefined) request.turns = budget.turns;
      return;
    }
    case 'schema': {
      request.schema = readSchema(options.schema);
      return;
    }
    case 'signal': {
      request.signal = signalOf('`signal`', options.signal);
      return;
    }
    default: {
      const text = textOf(options, key as (typeof TEXTS)[number], request.text);
      // Two texts are refused, so that one that is new came by this name.
      request.renamed ||= text !== request.text;
      request.text = text;
    }
  }
}

function only(before: number, value: number, argument: string): number {
  if (!Number.isNaN(before)) throw saidTwice('`maxCost` and `budget.costUsd`', argument);
  return value;
}

function readStaged(options: SpawnOptions): StagedOptions {
  const { label, contextHint, tools, systemPrompt, maxTurns, maxSteps, timeoutMs, idleTimeoutMs, turnEstimate, priority } = options;
  if (maxTurns !== undefined && maxSteps !== undefined) throw saidTwice('`maxTurns` and `maxSteps`', 'maxSteps');
  const staged: StagedOptions = {
    label: labelOf(label),
    contextHint: string('`contextHint`', contextHint),
    tools: strings('`tools`', tools),
    systemPrompt: string('`systemPrompt`', systemPrompt),
    maxTurns: count('`maxTurns`', maxTurns) ?? count('`maxSteps`', maxSteps),
    timeoutMs: duration('`timeoutMs`', timeoutMs),
    idleTimeoutMs: duration('`idleTimeoutMs`', idleTimeoutMs),
    turnEstimate: count('`turnEstimate`', turnEstimate),
    priority: integer('`priority`', priority),
  };
  if (hasRare(options)) Object.assign(staged, readRare(options));
  return staged;
}

/** A label is for display; a blank one, as models like to give, shows nothing and is none. */
function labelOf(value: unknown): string | undefined {
  const label = string('`label`', value);
  return label?.trim() === '' ? undefined : label;
}

const RARE = [
  'modelId',
  'agent',
  'agentId',
  'profile',
  'promptProfile',
  'rateLimitKey',
  'idempotencyKey',
  'origin',
  'nickname',
  'onParentEnd',
  'retry',
  'format',
] as const;

function hasRare(options: SpawnOptions): boolean {
  return RARE.some((name) => name in options);
}

function readRare(options: SpawnOptions): Partial<StagedOptions> {
  const { modelId, agent, agentId, profile, promptProfile, rateLimitKey, idempotencyKey, format, onParentEnd } = options;
  const nickname = string('`nickname`', options.nickname);
  if (onParentEnd !== undefined && !ON_PARENT_END.includes(onParentEnd))
    throw invalid('`onParentEnd`', `one of ${ON_PARENT_END.join(', ')}`, onParentEnd);
  return {
    nickname: nickname === undefined ? undefined : wellFormed(nickname),
    onParentEnd,
    retry: readRetry('retry', options.retry),
    modelId: string('`modelId`', modelId),
    profile: either('profile', profile, 'promptProfile', promptProfile),
    sourceAgentId: either('agent', agent, 'agentId', agentId),
    rateLimitKey: string('`rateLimitKey`', rateLimitKey),
    idempotencyKey: string('`idempotencyKey`', idempotencyKey),
    ...originOf(options.origin),
    ...(formatOf(format) === 'json' && { json: true }),
  };
}

/** A name that goes by two options; null is none. */
function either(name: string, value: unknown, alias: string, other: unknown): string | undefined {
  const [first, second] = [string(`\`${name}\``, value ?? undefined), string(`\`${alias}\``, other ?? undefined)];
  if (first !== undefined && second !== undefined) throw saidTwice(`\`${name}\` and \`${alias}\``, alias);
  return first ?? second;
}

/** Where work comes from; a channel with a colon could not be told from its chat. */
function originOf(origin: unknown): Pick<StagedOptions, 'originChannel' | 'originChatId'> {
  if (origin === undefined) return {};
  if (typeof origin !== 'object' || origin === null) throw invalid('`origin`', 'an object with channel and chatId', origin);
  const { channel, chatId, ...unknown } = origin as Record<string, unknown>;
  noOtherFields('origin', unknown, 'channel, chatId');
  if (channel !== undefined && (typeof channel !== 'string' || channel === '' || channel.includes(':')))
    throw invalid('`origin.channel`', 'a text without a colon', channel);
  if (chatId !== undefined && (typeof chatId !== 'string' || chatId === '')) throw invalid('`origin.chatId`', 'a text', chatId);
  return { originChannel: channel, originChatId: chatId };
}

/** How a result is shown. */
export function formatOf(format: unknown): 'text' | 'json' | undefined {
  if (format === undefined || format === 'text' || format === 'json') return format;
  throw invalid('`format`', "'text' or 'json'", format);
}

/** A budget, each amount above 0. */
export function readBudget(name: string, budget: unknown): Budget {
  if (budget === undefined) return {};
  if (typeof budget !== 'object' || budget === null) throw invalid(`\`${name}\``, 'an object with tokens, costUsd or turns', budget);
  const { tokens, costUsd, turns, ...unknown } = budget as Record<string, unknown>;
  noOtherFields(name, unknown, 'tokens, costUsd, turns');
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
