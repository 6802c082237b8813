// The options of a spawn: each is read once, checked, and sorted into numbers and staged values. Owns the errors for
// wrong values. An unknown name is an error, so that a typing mistake never passes for a default.

import { invalid, SubAgentError } from '../base/errors.js';
import { readMetadata } from '../base/metadata.js';
import { isBlankText, wellFormed } from '../base/text.js';
import { ANSWERS_YES } from '../generated/codes.js';
import { ON_PARENT_END, type OnParentEnd } from '../generated/names.js';
import { isText, noOtherFields, optionsOf, saidTwice, signalOf, textOf, unknownOption, unreadable } from './arguments.js';
import { SPAWN_OPTIONS, type SpawnOption, type SpawnOptions, type StagedSpec } from './generated/spawn.js';
import { readMustHave } from './must-have.js';
import { readPrices } from './prices.js';
import { readRetry, readRetryEnded } from './retry.js';
import { demanding, readSchema, type ValueCheck } from './schema/schema.js';
import { amount, count, duration, flag, integer, name, readBudget, string, strings } from './values.js';

/** The parameters that may have to be cut, as they were read at their check. */
export interface RequestedLimits {
  readonly tools: readonly string[] | undefined;
  readonly maxTurns: number | undefined;
  readonly maxCost: number | undefined;
}

/** A spawn as the core takes it; `NaN` means that a number was not given. */
export interface SpawnRequest {
  text: string | undefined;
  background: boolean;
  /** Who could answer its questions: one of `ANSWERS_…` in `ts/generated/codes.ts`. */
  answers: number;
  tokens: number;
  cost: number;
  turns: number;
  staged: StagedOptions | undefined;
  /** The parameters that may have to be cut for the host. */
  asked: RequestedLimits | undefined;
  signal: AbortSignal | undefined;
  /** The check of its results' values. */
  schema: ValueCheck | undefined;
  /** Set if its key was used before: nothing was started. */
  repeated?: boolean;
  /** A function that is called at its turns and reports. */
  watch: ((active: never, news: { turn?: number; message?: string }) => void) | undefined;
  /** The tool call that it is for, by which `signal` stops it. */
  call: object | undefined;
}

/** The staged options; created if a policy is the first to add one. */
export function stagedBy(request: SpawnRequest): StagedOptions {
  request.staged ??= readStaged({});
  return request.staged;
}

/** The staged options. A missing option has no field, since each field is read across the boundary. */
export interface StagedOptions extends StagedSpec {
  idempotencyKey?: string | undefined;
  /** The other given options as one text, if there is a key. `work`: the same without the budget. */
  parameters?: string;
  work?: string;
  /** The ends after which the sub-agent of the key makes a further attempt; an empty list means every bad end. */
  retryEnded?: readonly string[];
  /** Turns that a model asked for: they lower the limit that would apply without them, and never raise it (D6). */
  wishedTurns?: number | undefined;
  wishedCost?: number;
}

/** The agents and profiles that options may name. */
export interface KnownNames {
  readonly agents: { fill(request: SpawnRequest, staged: StagedOptions, backgroundGiven: boolean): void };
  readonly profiles: { check(name: string): void };
}

/** The staged options as they were given, without anything left on `Object.prototype`. */
type RawOptions = Record<string, unknown>;
/** The kind of every option, by its name. */
const KINDS: ReadonlyMap<string, SpawnOption['kind']> = /* @__PURE__ */ (() =>
  new Map(SPAWN_OPTIONS.map(({ name, kind }) => [name, kind] as const)))();

/** The label or text in options that can't be read, to name their sub-agent. Never throws. */
export function textIn(options: unknown): string | null {
  try {
    for (const name of ['label', 'instructions']) {
      const value: unknown = Object.getOwnPropertyDescriptor(options, name)?.value;
      if (typeof value === 'string' && value !== '') return value;
    }
  } catch {
    // It is no object, or an object that runs code.
  }
  return null;
}

/**
 * Reads the options; throws `invalid_argument` for an invalid one. Without `known`, names are not looked up. `byModel`: a model
 * asked for the turns and the cost.
 */
export function readSpawn(options: SpawnOptions, known?: KnownNames, byModel = false): SpawnRequest {
  try {
    return read(options, known, byModel);
  } catch (error) {
    throw unreadable('the options of spawn', error);
  }
}

function read(given: SpawnOptions, known: KnownNames | undefined, byModel: boolean): SpawnRequest {
  // Nearly all are plain objects; their properties are read here, once, without a copy.
  const options = isPlain(given)
    ? given
    : optionsOf('the options of spawn', given, "a text, or an object such as { instructions: 'Read the report' }");
  const request: SpawnRequest = {
    text: undefined,
    background: false,
    answers: ANSWERS_YES,
    tokens: Number.NaN,
    cost: Number.NaN,
    turns: Number.NaN,
    staged: undefined,
    asked: undefined,
    signal: undefined,
    schema: undefined,
    watch: undefined,
    call: undefined,
  };
  let staged: RawOptions | undefined;
  let backgroundGiven = false;
  for (const key of Object.getOwnPropertyNames(options)) {
    if (key === 'instructions') request.text = readText(options.instructions);
    else if (key === 'background') {
      const { background } = options;
      flag('`background`', background);
      request.background = background === true;
      backgroundGiven = background !== undefined;
    } else if (!KINDS.has(key)) {
      if (Object.prototype.propertyIsEnumerable.call(options, key)) throw unknownOption('spawn', key, KINDS.keys());
    } else if (!readAtOnce(request, options, key)) {
      staged ??= { __proto__: null };
      staged[key] = options[key as keyof SpawnOptions];
    }
  }
  if (!Number.isNaN(request.cost)) request.asked = askedOf(request, options);
  if (staged !== undefined || (byModel && !Number.isNaN(request.cost))) {
    request.staged = readStaged(staged ?? {});
    request.asked = askedOf(request, options);
    if (byModel) wish(request, request.staged);
    // A repeated spawn is compared by its given options, not by those of its definition.
    if (request.staged.idempotencyKey !== undefined) {
      const work = parametersOf({ ...request, tokens: Number.NaN, cost: Number.NaN, turns: Number.NaN });
      request.staged.parameters = parametersOf(request);
      request.staged.work = work;
    } else if (request.staged.retryEnded !== undefined) {
      const right = "`spawn({ instructions: 'Read the report', idempotencyKey: 'report', retryEnded: true })`";
      const needsKey = `\`retryEnded\` is for a spawn with an \`idempotencyKey\`. A right call is ${right}`;
      throw new SubAgentError('invalid_argument', needsKey, { argument: 'retryEnded' });
    }
    const isForBackground = request.staged.onParentEnd !== undefined;
    known?.agents.fill(request, request.staged, backgroundGiven);
    const { mustHave } = request.staged;
    if (mustHave !== undefined) request.schema = demanding(request.schema, JSON.parse(mustHave));
    // A definition may set it for its spawns in the background.
    if (known !== undefined && isForBackground && !request.background)
      throw new SubAgentError('invalid_argument', '`onParentEnd` is for `background: true`: others end with their caller', {
        argument: 'onParentEnd',
      });
    if (request.staged.profile !== undefined) known?.profiles.check(request.staged.profile);
  }
  return request;
}

function isPlain(given: SpawnOptions): boolean {
  if (typeof given !== 'object' || given === null) return false;
  // Once a property was read, the engine knows the object's shape, and so its prototype. Otherwise that takes a call.
  void ('instructions' in given);
  return Object.getPrototypeOf(given) === Object.prototype;
}

/** The given values of the options that may be cut. */
function askedOf({ staged, cost }: SpawnRequest, options: SpawnOptions): RequestedLimits {
  return {
    tools: staged?.tools,
    maxTurns: Object.hasOwn(options, 'maxTurns') ? staged?.maxTurns : undefined,
    maxCost: Object.hasOwn(options, 'maxCost') && !Number.isNaN(cost) ? cost : undefined,
  };
}

/** Turns the limits that a model asked for into wishes. The program's limits, or the defaults, are filled in, too. */
function wish(request: SpawnRequest, staged: StagedOptions): void {
  staged.wishedTurns = staged.maxTurns;
  staged.maxTurns = undefined;
  if (Number.isNaN(request.cost)) return;
  staged.wishedCost = request.cost;
  request.cost = Number.NaN;
}

/**
 * All given options as one text, which is equal for equal options. Their order doesn't count, nor do metadata (A6) and the
 * label, which is for display (A4). Two schemas can't be compared, since they may be functions: only whether there is one
 * counts.
 */
function parametersOf({ signal: _, asked: ___, call: ____, schema, staged, ...others }: SpawnRequest): string {
  const { idempotencyKey: _____, metadata: ______, label: _______, retryEnded: ________, ...rest } = staged as StagedOptions;
  return JSON.stringify({ ...others, ...rest, ...(schema && { schema: true }) }, (_, value: unknown) =>
    typeof value === 'number' ? `${value}` : value,
  );
}

function readText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw invalid('`instructions`', `a text, as in ${RIGHT}`, value);
  const text = isText(value) ? value : textOf('`instructions`', value);
  if (isBlankText(text))
    throw new SubAgentError('invalid_argument', `\`instructions\` must not be empty: ${RIGHT}`, { argument: 'instructions' });
  return wellFormed(text);
}

/** A right call, for the errors of wrong ones. */
const RIGHT = "`spawn({ instructions: 'Read the report' })`";

/** Example values of options by their kinds, for a right call. */
const EXAMPLES: Partial<Record<SpawnOption['kind'], string>> = {
  budget: '{ tokens: 20_000 }',
  count: '5',
  dollars: '0.5',
  drive: "'program'",
  duration: '60_000',
  flag: 'true',
  format: "'json'",
  integer: '1',
  label: "'report'",
  metadata: '{ ticket: 7 }',
  onParentEnd: "'wait'",
  retry: '{ max: 3 }',
  text: "'It is long.'",
  texts: "['Read']",
};

/** Adds a right call to an error of the options of `spawn`, with the option that is wrong, or was meant. */
export function withRightCall(error: unknown): unknown {
  if (!(error instanceof SubAgentError) || error.message.includes('Read the report')) return error;
  const { code, message, details } = error;
  const { argument, suggestion = argument, known } = details as { argument?: string; suggestion?: string; known?: string[] };
  const option = code === 'unknown_agent' ? 'agent' : code === 'unknown_profile' ? 'profile' : suggestion?.split('.')[0];
  const kind = option === 'instructions' || known?.length === 0 ? undefined : KINDS.get(option ?? '');
  const value = known === undefined ? ((kind && EXAMPLES[kind]) ?? '…') : `'${known[0]}'`;
  const right = kind === undefined ? RIGHT : `\`spawn({ instructions: 'Read the report', ${option}: ${value} })\``;
  return new SubAgentError(code, `${message}${/[?…]$/.test(message) ? '' : '.'} A right call is ${right}`, details);
}

/** Reads an option that is not staged; returns false for a staged one. */
function readAtOnce(request: SpawnRequest, options: SpawnOptions, key: string): boolean {
  switch (key) {
    case 'maxCost': {
      const cost = amount('`maxCost`', options.maxCost);
      if (cost !== undefined) request.cost = only(request.cost, cost, 'maxCost');
      return true;
    }
    case 'budget': {
      const budget = readBudget('budget', options.budget);
      if (budget.tokens !== undefined) request.tokens = budget.tokens;
      if (budget.costUsd !== undefined) request.cost = only(request.cost, budget.costUsd, 'budget.costUsd');
      if (budget.turns !== undefined) request.turns = budget.turns;
      return true;
    }
    case 'schema':
      request.schema = readSchema(options.schema);
      return true;
    case 'signal':
      request.signal = signalOf('`signal`', options.signal);
      return true;
    default:
      return false;
  }
}

function only(before: number, value: number, argument: string): number {
  if (!Number.isNaN(before)) throw saidTwice('`maxCost` and `budget.costUsd`', argument);
  return value;
}

function readStaged(given: RawOptions): StagedOptions {
  // Without a prototype: the core reads every field by its name.
  const staged = Object.create(null) as Record<string, unknown>;
  for (const { name: option, staged: into, kind } of SPAWN_OPTIONS) {
    const value = into === undefined ? undefined : readPassed(kind, option, given[option]);
    if (into !== undefined && value !== undefined) staged[into] = value;
  }
  if (given.idempotencyKey !== undefined) staged.idempotencyKey = name('`idempotencyKey`', given.idempotencyKey);
  const retryEnded = readRetryEnded(given.retryEnded);
  if (retryEnded !== undefined) staged.retryEnded = retryEnded;
  if (given.origin !== undefined) Object.assign(staged, originOf(given.origin));
  if (formatOf(given.format) === 'json') staged.json = true;
  if (given.drive !== undefined) {
    if (given.drive !== 'program') throw invalid('`drive`', "'program'", given.drive);
    staged.driven = true;
  }
  return staged;
}

function readPassed(kind: SpawnOption['kind'], option: string, value: unknown): unknown {
  if (value === undefined) return undefined;
  const what = `\`${option}\``;
  switch (kind) {
    case 'text':
      return string(what, value);
    case 'label':
      // A label is for display. A blank one, as models like to give, counts as none.
      return string(what, value)?.trim() === '' ? undefined : string(what, value);
    case 'name':
      return name(what, value);
    case 'reference':
      return value === null ? undefined : name(what, value);
    case 'texts':
      return strings(what, value);
    case 'count':
      return count(what, value);
    case 'dollars':
      return amount(what, value);
    case 'duration':
      return duration(what, value);
    case 'integer':
      return integer(what, value);
    case 'onParentEnd':
      return onParentEndOf(option, value);
    case 'retry':
      return readRetry(option, value);
    case 'prices':
      return readPrices(option, value);
    case 'metadata':
      return readMetadata(option, value);
    case 'mustHave':
      return readMustHave(option, value);
    default:
      // A kind that is not staged, or is staged in another form.
      return undefined;
  }
}

/** The origin of work. A channel with a colon could not be distinguished from its chat. */
function originOf(origin: unknown): Pick<StagedOptions, 'originChannel' | 'originChatId'> {
  const given = optionsOf('`origin`', origin as Record<string, unknown>, 'an object with channel and chatId');
  const { channel, chatId, ...unknown } = given;
  noOtherFields('origin', unknown, ['channel', 'chatId']);
  if (channel !== undefined && (typeof channel !== 'string' || channel === '' || channel.includes(':')))
    throw invalid('`origin.channel`', 'a text without a colon', channel);
  if (chatId !== undefined && (typeof chatId !== 'string' || chatId === '')) throw invalid('`origin.chatId`', 'a text', chatId);
  return { originChannel: string('`origin.channel`', channel), originChatId: string('`origin.chatId`', chatId) };
}

/** Checks `onParentEnd`. */
export function onParentEndOf(option: string, value: unknown): OnParentEnd {
  if ((ON_PARENT_END as readonly unknown[]).includes(value)) return value as OnParentEnd;
  throw invalid(`\`${option}\``, `one of ${ON_PARENT_END.join(', ')}`, value);
}

/** Checks the format of a result. */
export function formatOf(format: unknown): 'text' | 'json' | undefined {
  if (format === undefined || format === 'text' || format === 'json') return format;
  throw invalid('`format`', "'text' or 'json'", format);
}
