// The arguments of the model's tools. Owns the types of a parameter and its schema, and the checks. Arguments may break the
// schema, and placeholders count as left out (D6). Every mistake is named, so that the model can correct it.

import { describe, messageOf } from '../base/errors.js';
import { nearestOf } from '../base/nearest.js';
import { jsonForModel, quoted } from '../base/quoting.js';
import { wellFormedIn } from '../base/text.js';
import { ERROR_CHARS } from '../generated/quoting.js';
import { entriesOf, propertyOf } from '../options/arguments.js';

/** The parts of JSON Schema that our parameters need. */
export interface FieldSchema {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array';
  readonly description: string;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: { readonly type: 'string' };
}

/** A parameter: its meaning, and the model's name for it. */
export interface Field {
  /** Our name for its meaning. */
  readonly means: string;
  /** The model's name for it. */
  readonly name: string;
  readonly schema: FieldSchema;
  readonly required: boolean;
}

/**
 * Arguments under our names, the original object, and the model's names of the arguments that count as left out; or the
 * mistakes, a sentence each.
 */
export type CheckedFields = { params: Record<string, unknown>; given: object; leftOut: string[] } | { mistakes: string[] };

/** The text for a model about its mistakes. */
export function notDone(checked: { mistakes: string[] }): string {
  return `Not done: ${toCorrect(checked)}`;
}

/** The mistakes, and how to correct them. */
export function toCorrect({ mistakes }: { mistakes: string[] }): string {
  const said = mistakes.join('; ');
  return `${said}${said.endsWith('?') ? '' : '.'} Correct the arguments and call again.`;
}

/** The schema of a tool with these parameters. */
export function schemaOf(fields: readonly Field[]): object {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** The parameters of a tool with this schema, whose names are their meanings. */
export function fieldsIn(schema: { properties: Readonly<Record<string, unknown>>; required: readonly string[] }): Field[] {
  const properties = Object.entries(schema.properties as Readonly<Record<string, FieldSchema>>);
  return properties.map(([name, property]) => ({ means: name, name, schema: property, required: schema.required.includes(name) }));
}

/** Checks arguments; never throws, whatever they are. */
export function checkFields(fields: readonly Field[], args: unknown): CheckedFields {
  try {
    return check(fields, args);
  } catch (error) {
    return { mistakes: [`the arguments can't be read: ${quoted(messageOf(error), ERROR_CHARS)}`] };
  }
}

/** The arguments themselves, which may be JSON; an empty object for undefined, null or an empty text. */
export function parsedArguments(args: unknown): object {
  return (typeof args === 'string' ? (args.trim() === '' ? undefined : JSON.parse(args)) : args) ?? {};
}

function check(fields: readonly Field[], args: unknown): CheckedFields {
  // A tool without required parameters is often called with nothing, or with an empty text.
  const given = wellFormedIn(parsedArguments(args));
  if (typeof given !== 'object' || Array.isArray(given)) {
    return { mistakes: [`the arguments must be an object, got ${describe(given)}`] };
  }
  const mistakes: string[] = [];
  const params: Record<string, unknown> = {};
  const leftOut: string[] = [];
  for (const field of fields) {
    const { means, name, schema, required } = field;
    const value = valueGiven(name, given);
    if (isLeftOut(field, value)) {
      if (value !== undefined) leftOut.push(name);
      if (required) mistakes.push(`\`${name}\` is missing: it must be ${expected(schema)}`);
    } else if (fits(schema, value)) {
      params[means] = value;
    } else {
      const isOther = (entry: unknown): boolean => typeof entry !== 'string';
      const got = Array.isArray(value) && value.some(isOther) ? `one with ${describe(value.find(isOther))}` : describe(value);
      const meant = typeof value === 'string' && schema.enum !== undefined ? nearestOf(value, schema.enum) : undefined;
      mistakes.push(`\`${name}\` must be ${expected(schema)}, got ${got}${meant === undefined ? '' : `; did you mean '${meant}'?`}`);
    }
  }
  mistakes.push(...misnamedIn(fields, given));
  return mistakes.length > 0 ? { mistakes } : { params, given, leftOut };
}

/** The value of a parameter, read once. */
function valueGiven(name: string, given: object): unknown {
  const value = propertyOf(given, name);
  return Array.isArray(value) ? entriesOf(`\`${name}\``, value) : value;
}

/**
 * Whether a parameter is left out: it has no value, or it is optional and has a model's placeholder. A required one stays an
 * error, so that its message names the value.
 */
function isLeftOut({ schema, required }: Field, value: unknown): boolean {
  if (value === undefined || value === null) return true;
  const isNumber = schema.type === 'integer' || schema.type === 'number';
  return !required && (isBlank(value) || (isNumber && value === 0 && !fits(schema, 0)));
}

/** A longer list is no placeholder. */
const MOST_BLANKS = 10;

/** Whether a value counts as left out in any parameter: undefined, null, a blank text, or a list of only such texts. */
export function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.length <= MOST_BLANKS && value.every((entry) => typeof entry === 'string' && entry.trim() === '');
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** The arguments that name no parameter and are not blank. Runs no getter: checked arguments were read once. */
export function unknownIn(fields: readonly Field[], given: object): string[] {
  const others = Object.keys(given).filter((name) => fields.every((field) => field.name !== name));
  return others.filter((name) => !isBlank(Object.getOwnPropertyDescriptor(given, name)?.value));
}

/** A sentence about each unknown argument that names a target: if it were ignored, the call would go to another sub-agent. */
function misnamedIn(fields: readonly Field[], given: object): string[] {
  if (targetOf(fields) === undefined) return [];
  return unknownIn(fields, given).flatMap((name) => {
    const target = targetMeantBy(fields, name);
    return target === undefined ? [] : [`there is no \`${quoted(name)}\` here: did you mean \`${target}\`?`];
  });
}

/** Words in names for the target of a call. */
const ADDRESSED = /^(sub)?agents?$|^targets?$|^handles?$|^recipients?$/;
/** Whole names for it in this package's presets and elsewhere. */
const ADDRESSES = ['id', 'ids', 'to', 'name', 'nickname', 'task_id', 'task_ids'];

/** The parameter for the sub-agent that a call is about, if a tool has one. */
function targetOf(fields: readonly Field[]): Field | undefined {
  return fields.find(({ means }) => means === 'target' || means === 'targets' || means === 'continues');
}

/** The name of that parameter, if an unknown argument seems to mean it. */
export function targetMeantBy(fields: readonly Field[], unknown: string): string | undefined {
  const target = targetOf(fields);
  if (target === undefined) return undefined;
  if (
    nearestOf(
      unknown,
      fields.map(({ name }) => name),
    ) === target.name
  )
    return target.name;
  const words = unknown
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  // A tool that also starts sub-agents may get a name or a kind for a new one.
  const isOne =
    target.means === 'continues'
      ? words.at(-1) === 'id'
      : ADDRESSES.includes(words.join('_')) || words.some((word) => ADDRESSED.test(word));
  return isOne ? target.name : undefined;
}

function fits(schema: FieldSchema, value: unknown): boolean {
  switch (schema.type) {
    case 'string':
      if (typeof value !== 'string') return false;
      return schema.enum === undefined ? schema.minLength === undefined || value.trim() !== '' : schema.enum.includes(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
    case 'integer':
      return Number.isSafeInteger(value) && inRange(schema, value as number);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) && inRange(schema, value);
  }
}

function inRange({ minimum, maximum, exclusiveMinimum }: FieldSchema, value: number): boolean {
  return (
    (minimum === undefined || value >= minimum) &&
    (maximum === undefined || value <= maximum) &&
    (exclusiveMinimum === undefined || value > exclusiveMinimum)
  );
}

/** The description of a parameter's values, in words. */
function expected(schema: FieldSchema): string {
  switch (schema.type) {
    case 'string':
      if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`;
      return schema.minLength === undefined ? 'a text' : 'a text that is not empty';
    case 'boolean':
      return 'true or false';
    case 'array':
      return 'a list of texts';
    case 'integer':
    case 'number': {
      const { minimum, maximum, exclusiveMinimum } = schema;
      const kind = schema.type === 'integer' ? 'a whole number' : 'a number';
      const least = minimum !== undefined ? ` of at least ${minimum}` : exclusiveMinimum !== undefined ? ` above ${exclusiveMinimum}` : '';
      return `${kind}${least}${maximum === undefined ? '' : `${least === '' ? ' of' : ' and'} at most ${maximum}`}`;
    }
  }
}

/** Maximum number of named arguments: more are no slip. */
const MOST = 5;

/** The ignored arguments, as a list in a sentence, each with its probable meaning; empty if there are none. */
export function ignoredOf(args: unknown, fields: readonly Field[]): string {
  try {
    const given = parsedArguments(args);
    if (typeof given !== 'object' || Array.isArray(given)) return '';
    // An argument that looks like a target is a mistake, which the answer names.
    const unknown = unknownIn(fields, given).filter((name) => targetMeantBy(fields, name) === undefined);
    if (unknown.length === 0) return '';
    const open = fields.map(({ name }) => name).filter((name) => isBlank(Object.getOwnPropertyDescriptor(given, name)?.value));
    const names = unknown.slice(0, MOST).map((name) => {
      const meant = nearestOf(name, open);
      return `\`${quoted(name)}\`${meant === undefined ? '' : ` (did you mean \`${meant}\`?)`}`;
    });
    return `${names.join(', ')}${unknown.length > MOST ? ` and ${unknown.length - MOST} more` : ''}`;
  } catch {
    // Unreadable arguments are a mistake, which is shown as such.
    return '';
  }
}

/** An answer that names the ignored arguments: in a line, or, if it is JSON, in a field. */
export function withIgnored(text: string, ignored: string): string {
  const json = jsonIn(text);
  if (json === undefined) return `${text}\nIgnored: ${ignored}.`;
  return jsonForModel({ ...json, ignored });
}

/** A text as a JSON object, if it is one. */
function jsonIn(text: string): object | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
