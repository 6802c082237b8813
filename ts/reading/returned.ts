// A host function's result, read once: any property may be missing, wrong, or throw. Owns the reading; the core judges
// the result.

import { describe, isSubAgentError, messageOf } from '../base/errors.js';
import { isBlankText, wellFormed } from '../base/text.js';
import type { Returned } from '../boundary/scratch.js';
import {
  READING_MISSING,
  RETURNED_COMPLETED,
  RETURNED_FAILED,
  RETURNED_INVALID,
  RETURNED_LOST,
  RETURNED_THREW,
} from '../generated/codes.js';
import { MOST_TEXT, ownOf } from '../options/arguments.js';
import type { Checked, ValueCheck } from '../options/schema/schema.js';
import { readArtifacts } from './artifacts.js';
import { UNREADABLE } from './fields.js';
import { fieldsOfResult, fieldsOfUsage, knownInResult, knownInUsage, type UsageFields } from './generated/host-fields.js';
import { meaningOf, type UnknownStatuses } from './host-status.js';
import { NO_RECEIPTS, type Receipts, readReceipts } from './receipts.js';
import type { UnknownNames } from './unknown-names.js';
import { type Figures, NONE_IGNORED, reading, usageFigures, wrongAmong } from './usage.js';

/**
 * Reads a result. Each field is read separately. The error names a field that can't be read or stored; the other fields stay.
 */
export function readResult(result: unknown, unknownStatuses: UnknownStatuses, names: UnknownNames): Returned {
  if (typeof result !== 'object' || result === null)
    return invalidResult(`spawnSubAgent must resolve to { output, status, usage }, it resolved to ${describe(result)}`);
  const lost = new DroppedFields(names);
  const fields = fieldsOfResult(result, lost);
  const { usage, status, output, value, artifacts, taskId, error, receipts } = fields;
  for (const name of othersIn(result, knownInResult(fields))) names.inResult(name);
  const figures = isAbsent(usage) ? NOTHING_USED : readUsage(usage, names);
  const hasError = !(isAbsent(error) || error === false || (typeof error === 'string' && isBlankText(error)));
  let how = statusOf(status, hasError, lost, unknownStatuses);
  let text = '';
  if (typeof output === 'string') text = isBlankText(output) ? '' : wellFormed(output);
  // A failed run may have no output; a completed one has its output, or a value instead.
  else if (!isAbsent(output) || (how === RETURNED_COMPLETED && (value === undefined || value === UNREADABLE))) {
    lost.wrong('output', 'a string', output);
    if (how === RETURNED_COMPLETED) how = RETURNED_INVALID;
  }
  const made = isAbsent(artifacts) || artifacts === UNREADABLE ? NO_ARTIFACTS : readArtifactsOf(artifacts, lost);
  const did = isAbsent(receipts) || receipts === UNREADABLE ? NO_RECEIPTS : readReceiptsOf(receipts, lost);
  if (typeof taskId !== 'string' && !isAbsent(taskId)) lost.wrong('taskId', 'a string', taskId);
  const said = hasError && error !== UNREADABLE ? wellFormed(cut(messageOf(error))) : undefined;
  // As one literal, and last: a field that is set after a call costs several times more.
  return {
    how,
    output: text,
    error: lost.after(said),
    cause: lost.cause ?? (said !== undefined && typeof error === 'object' ? error : undefined),
    hostStatus: typeof status === 'string' && status !== 'completed' ? wellFormed(cut(status)) : undefined,
    hostTaskId: typeof taskId === 'string' && taskId !== '' ? wellFormed(cut(taskId)) : undefined,
    artifacts: made.artifacts,
    artifactsJson: made.artifactsJson,
    value: value === UNREADABLE ? undefined : value,
    valueJson: undefined,
    receipts: did.receipts,
    receiptsJson: did.receiptsJson,
    tokens: figures.tokens,
    cost: figures.cost,
    turns: figures.turns,
    durationMs: figures.durationMs,
    byKind: figures.byKind,
  };
}

const NO_NAMES: readonly string[] = [];

/** The names of an object if it has more than `known`. Nearly every object has no others, which this sees at once. */
function othersIn(object: object, known: number): readonly string[] {
  try {
    const names = Object.keys(object);
    return names.length > known ? names : NO_NAMES;
  } catch {
    // An object that hides its names counts as having none.
    return NO_NAMES;
  }
}

/**
 * The fields of a result that can't be read or stored: its error names them, after the host's own error. Usage concerns the
 * program only: models read the errors of results, so these never name it (B7).
 */
class DroppedFields {
  /** The error of the first field that can't be read, if nothing was lost before. */
  cause: unknown = undefined;
  private sentences: string[] | undefined = undefined;
  private readonly names: UnknownNames;

  constructor(names: UnknownNames) {
    this.names = names;
  }

  /** Records a field that can't be read. */
  unreadable(name: string, thrown: unknown): void {
    if (name === 'usage') {
      this.names.unreadableUsage(thrown);
      return;
    }
    if (this.sentences === undefined) this.cause = thrown;
    this.add(`the result's ${name} can't be read: ${messageOf(thrown)}`);
  }

  /** Records a wrong field. An unreadable one is already recorded. */
  wrong(name: string, expected: string, got: unknown): void {
    if (got !== UNREADABLE) this.add(`the result's ${name} must be ${expected}, got ${describe(got)}`);
  }

  add(sentence: string): void {
    this.sentences ??= [];
    this.sentences.push(sentence);
  }

  /** The text of the result's error. */
  after(error: string | undefined): string | undefined {
    if (this.sentences === undefined) return error;
    return [...(error === undefined ? [] : [error]), ...this.sentences].join('; ');
  }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** The usage of a result; `READING_MISSING` if it has none. */
const NOTHING_USED: Figures = {
  tokens: READING_MISSING,
  cost: READING_MISSING,
  turns: READING_MISSING,
  durationMs: READING_MISSING,
  byKind: undefined,
  ignored: NONE_IGNORED,
};

/** Figures that the core takes as invalid. */
const INVALID_USE: Figures = {
  tokens: Number.NaN,
  cost: Number.NaN,
  turns: Number.NaN,
  durationMs: READING_MISSING,
  byKind: undefined,
  ignored: NONE_IGNORED,
};

/** Reads the figures of a usage. An unreadable figure is invalid; if the usage is no object, all are (B7). */
function readUsage(usage: unknown, names: UnknownNames): Figures {
  if (typeof usage !== 'object' || usage === null || !isUsage(usage)) {
    if (usage !== UNREADABLE) names.noUsage(usage);
    return INVALID_USE;
  }
  try {
    const fields = fieldsOfUsage(usage);
    const all = othersIn(usage, knownInUsage(fields));
    const figures = all.length > 0 ? usageFigures(entriesOf(usage, all, fields), (name) => names.inUsage(name)) : ownFigures(fields);
    names.kindsInUsage(figures.ignored);
    return figures;
  } catch (thrown) {
    // A proxy threw when its names were read.
    names.unreadableUsage(thrown);
    return INVALID_USE;
  }
}

/** Kinds that were not reported. */
const NO_OTHERS = [READING_MISSING, READING_MISSING, READING_MISSING, READING_MISSING, 0] as const;

/** The figures of a usage that has only our names, each with a number. */
function ownFigures({ tokens, inputTokens, outputTokens, costUsd, cost, turns, durationMs }: UsageFields): Figures {
  const [read, written] = [reading(inputTokens), reading(outputTokens)];
  const [total, hasWrong] = [totalTokens(tokens, inputTokens, outputTokens), Number.isNaN(read + written)];
  const isByKind = (read !== READING_MISSING || written !== READING_MISSING) && !Number.isNaN(total);
  return {
    tokens: total,
    cost: reading(isAbsent(costUsd) ? cost : costUsd),
    turns: reading(turns),
    durationMs: reading(durationMs),
    byKind: isByKind ? { kinds: [read, written, ...NO_OTHERS], modelId: undefined } : undefined,
    ignored: hasWrong ? wrongAmong(reading(tokens), { inputTokens: read, outputTokens: written }) : NONE_IGNORED,
  };
}

/** All fields of a usage: those already read, and the rest. A field that can't be read is no amount. */
function* entriesOf(usage: object, names: readonly string[], fields: UsageFields): Generator<readonly [string, unknown]> {
  yield* Object.entries(fields);
  for (const name of names) if (!Object.hasOwn(fields, name)) yield [name, valueIn(usage, name)];
}

function valueIn(usage: object, name: string): unknown {
  try {
    return (usage as Record<string, unknown>)[name];
  } catch {
    return UNREADABLE;
  }
}

/** A list has no dimensions, and a promise has none yet: the host forgot to await it. */
function isUsage(usage: object): boolean {
  try {
    return !Array.isArray(usage) && typeof ownOf(usage, 'then', (usage as { then?: unknown }).then) !== 'function';
  } catch {
    return false;
  }
}

const NO_ARTIFACTS: Pick<Returned, 'artifacts' | 'artifactsJson'> = { artifacts: undefined, artifactsJson: undefined };

/** Reads the artifacts that can be stored, and names the dropped ones. */
function readArtifactsOf(given: unknown, lost: DroppedFields): Pick<Returned, 'artifacts' | 'artifactsJson'> {
  try {
    return readArtifacts('artifacts', given, (sentence) => lost.add(sentence));
  } catch (error) {
    lost.add(messageOf(error));
    return NO_ARTIFACTS;
  }
}

/** Reads the receipts that can be stored, and names the dropped ones. */
function readReceiptsOf(given: unknown, lost: DroppedFields): Receipts {
  try {
    return readReceipts(given, (sentence) => lost.add(sentence));
  } catch (error) {
    lost.unreadable('receipts', error);
    return NO_RECEIPTS;
  }
}

/** Cuts a text to the core's maximum. */
function cut(text: string): string {
  return text.length > MOST_TEXT ? text.slice(0, MOST_TEXT) : text;
}

/**
 * Checks the receipts and the value of a completed run: a mistake makes the result invalid. A valid value is stored, and
 * becomes the output if there is none.
 */
export function checkValue(returned: Returned, check: ValueCheck, maxBytes: number): Returned | Promise<Returned> {
  if (returned.how !== RETURNED_COMPLETED) return returned;
  const lack = check.mustHave?.(returned.receipts ?? []);
  if (lack !== undefined) return judged(returned, { wrong: lack });
  const checked = check.check?.(returned.value, maxBytes);
  if (checked === undefined) return returned;
  return checked instanceof Promise ? checked.then((later) => judged(returned, later)) : judged(returned, checked);
}

function judged(returned: Returned, checked: Checked): Returned {
  if ('wrong' in checked) {
    const error = [checked.wrong, ...(returned.error === undefined ? [] : [returned.error])].join('; ');
    return { ...returned, how: RETURNED_INVALID, error, value: undefined };
  }
  const { value, json } = checked;
  return { ...returned, value, valueJson: json, output: returned.output || json };
}

/** The tokens of a result: its total, else input plus output, if either was given. */
function totalTokens(total: unknown, input: unknown, output: unknown): number {
  const said = reading(total);
  if (said !== READING_MISSING) return said;
  const [read, written] = [reading(input), reading(output)];
  if (read === READING_MISSING && written === READING_MISSING) return READING_MISSING;
  return (read === READING_MISSING ? 0 : read) + (written === READING_MISSING ? 0 : written);
}

/** The host's status. If it is no word, or an unknown one, the error decides (L3). */
function statusOf(status: unknown, hasError: boolean, lost: DroppedFields, unknownStatuses: UnknownStatuses): number {
  // Its end is not known.
  if (status === UNREADABLE) return RETURNED_INVALID;
  const otherwise = hasError ? RETURNED_FAILED : RETURNED_COMPLETED;
  if (isAbsent(status) || status === '') return otherwise;
  if (typeof status !== 'string') {
    lost.wrong('status', 'a string', status);
    return otherwise;
  }
  const meaning = meaningOf(status);
  if (meaning === undefined) unknownStatuses.note(status, hasError);
  return meaning ?? otherwise;
}

/** An end with only the given fields. */
export function endedAs(how: number, given: Partial<Returned>): Returned {
  const { ignored: _, ...used } = NOTHING_USED;
  const said = { error: undefined, cause: undefined, hostStatus: undefined, hostTaskId: undefined };
  return { how, output: '', ...said, ...NO_ARTIFACTS, value: undefined, valueJson: undefined, ...NO_RECEIPTS, ...used, ...given };
}

/** An end whose host function returned an invalid value. */
export function invalidResult(message: string, cause?: unknown): Returned {
  return endedAs(RETURNED_INVALID, { error: message, cause });
}

/** The end of a run whose host function was never called. */
export function nothing(): Returned {
  return endedAs(RETURNED_COMPLETED, { tokens: 0, cost: 0, turns: 0 });
}

/**
 * A host function that threw, or whose promise was rejected. `cause` tells if the run's process was lost or its data can't be
 * read.
 */
export function threw(message: string, cause: unknown): Returned {
  return endedAs(howThrown(cause), { error: message, cause });
}

function howThrown(cause: unknown): number {
  if (isSubAgentError(cause, 'worker_lost')) return RETURNED_LOST;
  return isSubAgentError(cause, 'invalid_result') ? RETURNED_INVALID : RETURNED_THREW;
}
