// The arguments of the model's tools. Owns the types of a parameter and its schema, and the checking: arguments are
// never assumed to be what the schema asks for, and every mistake is named so that the model can correct it.

import { describe, messageOf } from '../base/errors.js';
import { quoted } from '../base/quoting.js';
import { ERROR_CHARS } from '../generated/quoting.js';
import { entriesOf, propertyOf } from '../options/arguments.js';

/** A parameter as JSON Schema describes it, as far as our tools need. */
export interface FieldSchema {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array';
  readonly description: string;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: { readonly type: 'string' };
  readonly minItems?: number;
}

/** A parameter: what it means to us, and what the model calls it. */
export interface Field {
  /** Our name for its meaning. */
  readonly means: string;
  /** The model's name for it. */
  readonly name: string;
  readonly schema: FieldSchema;
  readonly required: boolean;
}

/**
 * Arguments under our names, with the object that they came in and the model's names of those in it that are null; or the
 * mistakes, a sentence each.
 */
export type CheckedFields = { params: Record<string, unknown>; given: object; nulls: string[] } | { mistakes: string[] };

/** What a model is told of its mistakes. */
export function notDone({ mistakes }: { mistakes: string[] }): string {
  return `Not done: ${mistakes.join('; ')}. Correct the arguments and call again.`;
}

/** The schema of a tool with these parameters. */
export function schemaOf(fields: readonly Field[]): object {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** The parameters of a tool with this schema, which mean what they are called. */
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

/** The arguments themselves, which may come as JSON; an empty object for nothing, an empty text and null. */
export function parsed(args: unknown): object {
  return (typeof args === 'string' ? (args.trim() === '' ? undefined : JSON.parse(args)) : args) ?? {};
}

function check(fields: readonly Field[], args: unknown): CheckedFields {
  // A tool without required parameters is often called with nothing, or with an empty text.
  const given = parsed(args);
  if (typeof given !== 'object' || Array.isArray(given)) {
    return { mistakes: [`the arguments must be an object, got ${describe(given)}`] };
  }
  const mistakes: string[] = [];
  const params: Record<string, unknown> = {};
  const nulls: string[] = [];
  for (const { means, name, schema, required } of fields) {
    const came: unknown = propertyOf(given, name);
    const value: unknown = Array.isArray(came) ? entriesOf(`\`${name}\``, came) : came;
    // Models often send null for what they leave out.
    if (value === undefined || value === null) {
      if (value === null) nulls.push(name);
      if (required) mistakes.push(`\`${name}\` is missing: it must be ${expected(schema)}`);
    } else if (fits(schema, value)) {
      params[means] = value;
    } else {
      const isOther = (entry: unknown): boolean => typeof entry !== 'string';
      const got = Array.isArray(value) && value.some(isOther) ? `one with ${describe(value.find(isOther))}` : describe(value);
      mistakes.push(`\`${name}\` must be ${expected(schema)}, got ${got}`);
    }
  }
  return mistakes.length > 0 ? { mistakes } : { params, given, nulls };
}

function fits(schema: FieldSchema, value: unknown): boolean {
  switch (schema.type) {
    case 'string':
      if (typeof value !== 'string') return false;
      return schema.enum === undefined ? schema.minLength === undefined || value.trim() !== '' : schema.enum.includes(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value) && value.length >= (schema.minItems ?? 0) && value.every((entry) => typeof entry === 'string');
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

/** What a parameter must be, in words. */
function expected(schema: FieldSchema): string {
  switch (schema.type) {
    case 'string':
      if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`;
      return schema.minLength === undefined ? 'a text' : 'a text that is not empty';
    case 'boolean':
      return 'true or false';
    case 'array':
      return schema.minItems === undefined
        ? 'a list of texts'
        : `a list of at least ${schema.minItems} text${schema.minItems === 1 ? '' : 's'}`;
    case 'integer':
    case 'number': {
      const { minimum, maximum, exclusiveMinimum } = schema;
      const kind = schema.type === 'integer' ? 'a whole number' : 'a number';
      const least = minimum !== undefined ? ` of at least ${minimum}` : exclusiveMinimum !== undefined ? ` above ${exclusiveMinimum}` : '';
      return `${kind}${least}${maximum === undefined ? '' : `${least === '' ? ' of' : ' and'} at most ${maximum}`}`;
    }
  }
}
