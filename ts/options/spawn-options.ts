// The options of a spawn: each read once, checked, and sorted into what crosses as a number and what is
// staged. Owns the aliases and the messages for wrong values. An unknown name is an error, so that a
// typing mistake never passes for a default.

import { invalid, SubAgentError } from '../base/errors.js';
import { readMetadata } from '../base/metadata.js';
import { wellFormed } from '../base/text.js';
import { ON_PARENT_END } from '../generated/names.js';
import type { Asked } from './allowed.js';
import { noOtherFields, optionsOf, saidTwice, signalOf, textOf, unknownOption, unreadable } from './arguments.js';
import { readRetry, type StagedRetry } from './retry.js';
import { readSchema, type ValueCheck } from './schema/schema.js';
import type { SpawnOptions } from './spawn.js';
import { amount, count, duration, integer, name, readBudget, string, strings } from './values.js';

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
  watch: ((live: never, news: { turn?: number; message?: string }) => void) | undefined;
}

/** What is staged; made where only a policy adds to it. */
export function stagedBy(request: SpawnRequest): StagedOptions {
  request.staged ??= readStaged(NOTHING);
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
  /** As JSON. */
  metadata?: string | undefined;
  /** What else was given, in one text, where there is a key. */
  parameters?: string;
  /** What a model asked for: it lowers what would hold without it, and never raises it (D6). */
  wishedTurns?: number | undefined;
  wishedCost?: number;
  json?: boolean;
}

/** What names in the options may stand for. */
export interface KnownNames {
  readonly agents: { fill(request: SpawnRequest, staged: StagedOptions, backgroundGiven: boolean): void };
  readonly profiles: { check(name: string): void };
}

const TEXTS = ['instructions', 'goal', 'message', 'task', 'taskDescription', 'task_description'] as const;
/** What is staged, each as it came. All fields are there, so that what was left on `Object.prototype` is not. */
type Given = { -readonly [K in keyof typeof NOTHING]: unknown };
const NOTHING = {
  label: undefined,
  contextHint: undefined,
  tools: undefined,
  systemPrompt: undefined,
  maxTurns: undefined,
  maxSteps: undefined,
  timeoutMs: undefined,
  idleTimeoutMs: undefined,
  turnEstimate: undefined,
  priority: undefined,
  modelId: undefined,
  agent: undefined,
  agentId: undefined,
  profile: undefined,
  promptProfile: undefined,
  rateLimitKey: undefined,
  idempotencyKey: undefined,
  origin: undefined,
  format: undefined,
  nickname: undefined,
  onParentEnd: undefined,
  retry: undefined,
  metadata: undefined,
};
const STAGED = new Set(Object.keys(NOTHING));
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

function read(given: SpawnOptions, known: KnownNames | undefined, byModel: boolean): SpawnRequest {
  // Nearly all are plain objects; their properties are read here, once, and no copy of them is made.
  const isPlain = typeof given === 'object' && given !== null && Object.getPrototypeOf(given) === Object.prototype;
  const options = isPlain ? given : optionsOf('the options of spawn', given);
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
  let staged: Given | undefined;
  let backgroundGiven = false;
  for (const key of Object.getOwnPropertyNames(options)) {
    if (key === 'instructions') request.text = readText(options, key, request.text);
    else if (STAGED.has(key)) {
      staged ??= { ...NOTHING };
      staged[key as keyof Given] = options[key as keyof SpawnOptions];
    } else if (key === 'background') {
      const { background } = options;
      if (background !== undefined && typeof background !== 'boolean') throw invalid('`background`', 'a boolean', background);
      request.background = background === true;
      backgroundGiven = background !== undefined;
    } else if (OTHER.has(key)) readOther(request, options, key);
    else if (Object.prototype.propertyIsEnumerable.call(options, key))
      throw unknownOption('spawn', key, [...STAGED, ...OTHER, 'background']);
  }
  if (!Number.isNaN(request.cost)) request.asked = askedOf(request, options);
  if (staged !== undefined || (byModel && !Number.isNaN(request.cost))) {
    request.staged = readStaged(staged ?? NOTHING);
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
    maxTurns: Object.hasOwn(options, 'maxTurns') ? staged?.maxTurns : undefined,
    maxCost: Object.hasOwn(options, 'maxCost') && !Number.isNaN(cost) ? cost : undefined,
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

/** All that was given in a text that is the same whenever it is: the order of the options doesn't count, nor does metadata (A6). */
function parametersOf({ signal: _, renamed: __, schema: ___, asked: ____, staged, ...others }: SpawnRequest): string {
  const { idempotencyKey: _____, metadata: ______, ...rest } = staged as StagedOptions;
  return JSON.stringify({ ...others, ...rest }, (_, value: unknown) => (typeof value === 'number' ? `${value}` : value));
}

function readText(options: SpawnOptions, key: (typeof TEXTS)[number], before: string | undefined): string | undefined {
  const value = options[key] as unknown;
  if (value === undefined) return before;
  const text = textOf(`\`${key}\``, value);
  const wrong = (message: string): SubAgentError => new SubAgentError('invalid_argument', `\`${key}\` ${message}`, { argument: key });
  if (before !== undefined) throw wrong(`says the same as another option: give one of ${TEXTS.join(', ')}`);
  // The core would name the one that all the others stand for.
  if (text.trim() === '') throw wrong('must not be empty');
  return wellFormed(text);
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
      const text = readText(options, key as (typeof TEXTS)[number], request.text);
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

function readStaged(given: Given): StagedOptions {
  const { label, contextHint, tools, systemPrompt, maxTurns, maxSteps, timeoutMs, idleTimeoutMs, turnEstimate, priority } = given;
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
  if (hasRare(given)) Object.assign(staged, readRare(given));
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
  'metadata',
  'format',
] as const;

function hasRare(given: Given): boolean {
  return RARE.some((name) => given[name] !== undefined);
}

function readRare(given: Given): Partial<StagedOptions> {
  const { modelId, agent, agentId, profile, promptProfile, rateLimitKey, idempotencyKey, nickname, format, onParentEnd } = given;
  if (onParentEnd !== undefined && !(ON_PARENT_END as readonly unknown[]).includes(onParentEnd))
    throw invalid('`onParentEnd`', `one of ${ON_PARENT_END.join(', ')}`, onParentEnd);
  return {
    nickname: name('`nickname`', nickname),
    onParentEnd: onParentEnd as string | undefined,
    retry: readRetry('retry', given.retry),
    metadata: readMetadata('metadata', given.metadata),
    modelId: string('`modelId`', modelId),
    profile: either('profile', profile, 'promptProfile', promptProfile),
    sourceAgentId: either('agent', agent, 'agentId', agentId),
    rateLimitKey: name('`rateLimitKey`', rateLimitKey),
    idempotencyKey: name('`idempotencyKey`', idempotencyKey),
    ...originOf(given.origin),
    ...(formatOf(format) === 'json' && { json: true }),
  };
}

/** A name that goes by two options; null is none. */
function either(option: string, value: unknown, alias: string, other: unknown): string | undefined {
  const [first, second] = [name(`\`${option}\``, value ?? undefined), name(`\`${alias}\``, other ?? undefined)];
  if (first !== undefined && second !== undefined) throw saidTwice(`\`${option}\` and \`${alias}\``, alias);
  return first ?? second;
}

/** Where work comes from; a channel with a colon could not be told from its chat. */
function originOf(origin: unknown): Pick<StagedOptions, 'originChannel' | 'originChatId'> {
  if (origin === undefined) return {};
  const given = optionsOf('`origin`', origin as Record<string, unknown>, 'an object with channel and chatId');
  const { channel, chatId, ...unknown } = given;
  noOtherFields('origin', unknown, ['channel', 'chatId']);
  if (channel !== undefined && (typeof channel !== 'string' || channel === '' || channel.includes(':')))
    throw invalid('`origin.channel`', 'a text without a colon', channel);
  if (chatId !== undefined && (typeof chatId !== 'string' || chatId === '')) throw invalid('`origin.chatId`', 'a text', chatId);
  return { originChannel: string('`origin.channel`', channel), originChatId: string('`origin.chatId`', chatId) };
}

/** How a result is shown. */
export function formatOf(format: unknown): 'text' | 'json' | undefined {
  if (format === undefined || format === 'text' || format === 'json') return format;
  throw invalid('`format`', "'text' or 'json'", format);
}
