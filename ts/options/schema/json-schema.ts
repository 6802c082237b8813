// The subset of JSON Schema that checks a result's value. Owns the keywords and their checks. A schema with any other keyword
// is refused when it is read, so that no part of a schema is silently ignored.

import { describe, SubAgentError } from '../../base/errors.js';
import { isObject } from '../../base/json.js';
import { counted } from '../../base/text.js';
import {
  type Check,
  canonical,
  checksNothing,
  eachField,
  field,
  lacking,
  ofLists,
  ofNumbers,
  ofObjects,
  ofTexts,
  points,
  same,
} from './checks.js';

/** A JSON Schema, as an object. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** Keywords that describe a schema and check nothing. */
const ANNOTATIONS = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'format',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  // Of OpenAPI and Gemini.
  'discriminator',
  'example',
  'externalDocs',
  'propertyOrdering',
  'xml',
]);

/** Whether a keyword checks nothing; those that begin with `x-` are for the schema's own tools. */
const isAnnotation = (keyword: string): boolean => ANNOTATIONS.has(keyword) || keyword.startsWith('x-');

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isObject,
};

/** Reads a schema. Throws `invalid_argument` for a keyword that it can't check, naming the keyword and its place. */
export function readJsonSchema(schema: JsonSchema): Check {
  return new Reader(schema).read(schema, '');
}

class Reader {
  readonly #root: JsonSchema;
  /** Schemas that are being read, or have been: a schema may contain itself. */
  readonly #known = new Map<object, Check>();

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  read(schema: unknown, place: string): Check {
    if (schema === true) return () => undefined;
    if (schema === false) return (_, at) => `${at} must not be there`;
    if (!isObject(schema)) throw refused(place, `must be an object or a boolean, got ${describe(schema)}`);
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const checks: Check[] = [];
    const check: Check = (value, at) => {
      for (const each of checks) {
        const wrong = each(value, at);
        if (wrong !== undefined) return wrong;
      }
      return undefined;
    };
    this.#known.set(schema, check);
    for (const keyword of Object.keys(schema)) {
      if (isAnnotation(keyword)) continue;
      const read = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
      if (read === undefined) throw refused(place, `has \`${keyword}\`, which is not checked here; it may have ${WORDS}`);
      checks.push(read({ reader: this, schema, place: `${place}/${keyword}`, given: schema[keyword] }));
    }
    return check;
  }

  /** Finds the schema that a local reference names. */
  find(reference: string, place: string): unknown {
    if (reference === '#') return this.#root;
    if (!reference.startsWith('#/')) throw refused(place, `refers to ${describe(reference)}; only references within the schema are read`);
    let at: unknown = this.#root;
    for (const step of reference.slice(2).split('/')) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
    }
    if (at === undefined) throw refused(place, `refers to ${describe(reference)}, which is not there`);
    return at;
  }
}

function refused(place: string, what: string): SubAgentError {
  const where = place === '' ? '`schema`' : `\`schema\` at ${place}`;
  return new SubAgentError('invalid_argument', `${where} ${what}`, { argument: 'schema' });
}

/** A keyword and its place. */
interface Place {
  reader: Reader;
  schema: JsonSchema;
  place: string;
  given: unknown;
}

function number({ given, place }: Place, least = Number.NEGATIVE_INFINITY): number {
  if (typeof given === 'number' && given >= least) return given;
  throw refused(place, `must be a number${least === 0 ? ' of at least 0' : ''}, got ${describe(given)}`);
}

function list({ given, place }: Place): unknown[] {
  if (Array.isArray(given) && given.length > 0) return given;
  throw refused(place, `must be a list that is not empty, got ${describe(given)}`);
}

/** The checks of a list of schemas. */
function checksOf(place: Place): Check[] {
  return list(place).map((schema, index) => place.reader.read(schema, `${place.place}/${index}`));
}

function object({ given, place }: Place): JsonSchema {
  if (isObject(given)) return given;
  throw refused(place, `must be an object, got ${describe(given)}`);
}

/** A list of names of fields. */
function names(given: unknown, place: string): string[] {
  if (Array.isArray(given) && given.every((name) => typeof name === 'string')) return given;
  throw refused(place, 'must be a list of names');
}

function pattern(given: unknown, place: string): RegExp {
  try {
    return new RegExp(given as string, 'u');
  } catch (error) {
    throw refused(place, `is no regular expression: ${(error as Error).message}`);
  }
}

/** The names of fields in `patternProperties`, as expressions. */
const patternsIn = (given: unknown, place: string): RegExp[] =>
  isObject(given) ? Object.keys(given).map((source) => pattern(source, `${place}/patternProperties`)) : [];

const KEYWORDS: Readonly<Record<string, (place: Place) => Check>> = {
  type({ schema, given, place }) {
    const types = Array.isArray(given) ? given : [given];
    const names = schema.nullable === true && !types.includes('null') ? [...types, 'null'] : types;
    const tests = names.map((name) => (typeof name === 'string' && Object.hasOwn(TYPES, name) ? TYPES[name] : undefined));
    if (tests.length === 0 || tests.includes(undefined))
      throw refused(place, `must be ${Object.keys(TYPES).join(', ')}, or a list of these; got ${describe(given)}`);
    const says = names.join(' or ');
    return (value, at) => (tests.some((test) => test?.(value)) ? undefined : `${at} must be of the type ${says}, got ${describe(value)}`);
  },
  // As in OpenAPI: it widens the `type` beside it, and means nothing alone.
  nullable({ given, place }) {
    if (typeof given !== 'boolean') throw refused(place, `must be a boolean, got ${describe(given)}`);
    return checksNothing;
  },
  enum(place) {
    const values = list(place);
    return (value, at) => (values.some((one) => same(one, value)) ? undefined : `${at} must be one of ${JSON.stringify(values)}`);
  },
  const({ given }) {
    return (value, at) => (same(given, value) ? undefined : `${at} must be ${JSON.stringify(given)}`);
  },
  properties(place) {
    const fields = Object.entries(object(place)).map(
      ([name, schema]) => [name, place.reader.read(schema, `${place.place}/${name}`)] as const,
    );
    return (value, at) => {
      if (!isObject(value)) return undefined;
      for (const [name, check] of fields) {
        const wrong = Object.hasOwn(value, name) ? check(value[name], field(at, name)) : undefined;
        if (wrong !== undefined) return wrong;
      }
      return undefined;
    };
  },
  required({ given, place }) {
    const required = names(given, place);
    return (value, at) => (isObject(value) ? lacking(required, value, at) : undefined);
  },
  patternProperties(place) {
    const fields = Object.entries(object(place)).map(
      ([source, schema]) => [pattern(source, place.place), place.reader.read(schema, `${place.place}/${source}`)] as const,
    );
    return eachField((name, value, at) => {
      for (const [matching, check] of fields) {
        const wrong = matching.test(name) ? check(value, field(at, name)) : undefined;
        if (wrong !== undefined) return wrong;
      }
      return undefined;
    });
  },
  additionalProperties({ reader, schema, given, place }) {
    const known = new Set(isObject(schema.properties) ? Object.keys(schema.properties) : []);
    const patterns = patternsIn(schema.patternProperties, place);
    const check = reader.read(given, place);
    const isKnown = (name: string): boolean => known.has(name) || patterns.some((each) => each.test(name));
    return eachField((name, value, at) => (isKnown(name) ? undefined : check(value, field(at, name))));
  },
  propertyNames({ reader, given, place }) {
    const check = reader.read(given, place);
    return eachField((name, _, at) => check(name, `the name ${JSON.stringify(name)} in ${at}`));
  },
  dependentRequired(place) {
    const needs = Object.entries(object(place)).map(([name, needed]) => [name, names(needed, `${place.place}/${name}`)] as const);
    return (value, at) => {
      if (!isObject(value)) return undefined;
      return lacking(
        needs.flatMap(([name, needed]) => (Object.hasOwn(value, name) ? needed : [])),
        value,
        at,
      );
    };
  },
  dependentSchemas(place) {
    const fields = Object.entries(object(place)).map(
      ([name, schema]) => [name, place.reader.read(schema, `${place.place}/${name}`)] as const,
    );
    return (value, at) => {
      for (const [name, check] of fields) {
        const wrong = isObject(value) && Object.hasOwn(value, name) ? check(value, at) : undefined;
        if (wrong !== undefined) return wrong;
      }
      return undefined;
    };
  },
  minProperties: (place) => {
    const least = number(place, 0);
    return ofObjects((value) => Object.keys(value).length >= least, `at least ${counted(least, 'field')}`);
  },
  maxProperties: (place) => {
    const most = number(place, 0);
    return ofObjects((value) => Object.keys(value).length <= most, `at most ${counted(most, 'field')}`);
  },
  items({ reader, schema, given, place }) {
    const from = Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0;
    const check = reader.read(given, place);
    return (value, at) => {
      if (!Array.isArray(value)) return undefined;
      for (let index = from; index < value.length; index += 1) {
        const wrong = check(value[index], `${at}[${index}]`);
        if (wrong !== undefined) return wrong;
      }
      return undefined;
    };
  },
  prefixItems(place) {
    const checks = checksOf(place);
    return (value, at) => {
      if (!Array.isArray(value)) return undefined;
      for (const [index, check] of checks.entries()) {
        const wrong = index < value.length ? check(value[index], `${at}[${index}]`) : undefined;
        if (wrong !== undefined) return wrong;
      }
      return undefined;
    };
  },
  contains({ reader, schema, given, place }) {
    const check = reader.read(given, place);
    const bound = (keyword: string, otherwise: number): number => {
      const bounding = { reader, schema, place: `${place}/../${keyword}`, given: schema[keyword] };
      return bounding.given === undefined ? otherwise : number(bounding, 0);
    };
    const [least, most] = [bound('minContains', 1), bound('maxContains', Number.POSITIVE_INFINITY)];
    return (value, at) => {
      if (!Array.isArray(value)) return undefined;
      const fitting = value.filter((entry, index) => check(entry, `${at}[${index}]`) === undefined).length;
      if (fitting >= least && fitting <= most) return undefined;
      return `${at} must have ${fitting < least ? `at least ${least}` : `at most ${most}`} of what it has to contain, it has ${fitting}`;
    };
  },
  minContains: () => checksNothing,
  maxContains: () => checksNothing,
  minItems: (place) => {
    const least = number(place, 0);
    return ofLists((value) => value.length >= least, `at least ${counted(least, 'entry', 'entries')}`);
  },
  maxItems: (place) => {
    const most = number(place, 0);
    return ofLists((value) => value.length <= most, `at most ${counted(most, 'entry', 'entries')}`);
  },
  uniqueItems: ({ given }) => ofLists((value) => given !== true || new Set(value.map(canonical)).size === value.length, 'no entry twice'),
  minimum: (place) => {
    const least = number(place);
    return ofNumbers((value) => value >= least, `at least ${least}`);
  },
  maximum: (place) => {
    const most = number(place);
    return ofNumbers((value) => value <= most, `at most ${most}`);
  },
  exclusiveMinimum: (place) => {
    const bound = number(place);
    return ofNumbers((value) => value > bound, `more than ${bound}`);
  },
  exclusiveMaximum: (place) => {
    const bound = number(place);
    return ofNumbers((value) => value < bound, `less than ${bound}`);
  },
  multipleOf: (place) => {
    const step = number(place);
    if (step <= 0) throw refused(place.place, 'must be above 0');
    // Steps like 0.1 have no exact binary form.
    const isWhole = (value: number): boolean => Math.abs(value / step - Math.round(value / step)) < 1e-9;
    return ofNumbers(isWhole, `a multiple of ${step}`);
  },
  minLength: (place) => {
    const least = number(place, 0);
    return ofTexts((value) => points(value) >= least, `at least ${counted(least, 'character')}`);
  },
  maxLength: (place) => {
    const most = number(place, 0);
    return ofTexts((value) => points(value) <= most, `at most ${counted(most, 'character')}`);
  },
  pattern({ given, place }) {
    const matching = pattern(given, place);
    return ofTexts((value) => matching.test(value), `the pattern ${matching.source}`);
  },
  allOf(place) {
    const checks = checksOf(place);
    return (value, at) => checks.reduce<string | undefined>((wrong, check) => wrong ?? check(value, at), undefined);
  },
  anyOf(place) {
    const checks = checksOf(place);
    return (value, at) => {
      const wrongs = checks.map((check) => check(value, at));
      return wrongs.includes(undefined) ? undefined : `${at} fits none of the alternatives: ${wrongs.join('; ')}`;
    };
  },
  oneOf(place) {
    const checks = checksOf(place);
    return (value, at) => {
      const wrongs = checks.map((check) => check(value, at));
      const fitting = wrongs.filter((wrong) => wrong === undefined).length;
      if (fitting === 1) return undefined;
      return fitting > 1 ? `${at} fits ${fitting} alternatives, not one` : `${at} fits none of the alternatives: ${wrongs.join('; ')}`;
    };
  },
  not({ reader, given, place }) {
    const check = reader.read(given, place);
    return (value, at) => (check(value, at) === undefined ? `${at} must not be as it is` : undefined);
  },
  $ref({ reader, given, place }) {
    if (typeof given !== 'string') throw refused(place, `must be a text, got ${describe(given)}`);
    return reader.read(reader.find(given, place), given);
  },
};

/**
 * The keywords of JSON Schema that a `schema` may have. A schema with any other is refused: it could not be checked completely.
 */
export const JSON_SCHEMA_KEYWORDS: readonly string[] = Object.keys(KEYWORDS);
const WORDS = JSON_SCHEMA_KEYWORDS.join(', ');
