// A spawn's `schema` for its result's `value` (R7): a Standard Schema, as zod, valibot and arktype make, or JSON
// Schema. Owns the two forms and their types, and that a checked value is JSON within `maxResultBytes`.

import { describe, invalid, messageOf } from '../../base/errors.js';
import { jsonWithin } from '../../base/json.js';
import type { StoredMustHave } from '../../base/receipt.js';
import { wellFormedIn } from '../../base/text.js';
import { MOST_TEXT } from '../arguments.js';
import { checkMustHave, type MustHaveCheck } from '../must-have.js';
import { type JsonSchema, readJsonSchema } from './json-schema.js';

/** The result of a Standard Schema's check. */
export type StandardSchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardSchemaIssue[] };

/** A mistake in a value, and its place. */
export interface StandardSchemaIssue {
  /** The mistake. */
  readonly message: string;
  /** Its place in the value: the keys from the outside in. Default: the value itself. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A schema of any library that implements Standard Schema: zod, valibot, arktype … */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The properties that Standard Schema requires. */
  readonly '~standard': {
    readonly version: 1;
    /** The library's name. */
    readonly vendor: string;
    /** Checks a value. */
    readonly validate: (value: unknown) => StandardSchemaResult<Output> | Promise<StandardSchemaResult<Output>>;
    /** Only for the compiler: the types of the input and the output. */
    readonly types?:
      | {
          /** The input. */
          readonly input: Input;
          /** The output. */
          readonly output: Output;
        }
      | undefined;
  };
}

/** A schema that may check a result's value. */
export type ResultSchema = StandardSchema | JsonSchema;

/** The type of a checked value: the output of a Standard Schema; `unknown` for JSON Schema. */
export type ValueOf<Schema> = Schema extends StandardSchema<infer _, infer Output> ? Output : unknown;

/** A checked value, or its mistakes. */
export type Checked = { readonly value: unknown; readonly json: string } | { readonly wrong: string };

/** The requirements on a result: a schema, commands that must have run, or both. */
export interface ValueCheck {
  /** The schema as it was given: the value of `run.schema`. */
  readonly schema?: ResultSchema;
  /** Checks a value; never throws. A Standard Schema may be asynchronous. */
  check?(value: unknown, maxBytes: number): Checked | Promise<Checked>;
  /** Judges the receipts (R10). */
  readonly mustHave?: MustHaveCheck;
}

/** Adds the commands that must have been run to a check, in place of others. */
export function demanding(check: ValueCheck | undefined, demands: readonly StoredMustHave[]): ValueCheck {
  return { ...check, mustHave: checkMustHave(demands) };
}

/** Reads the option. Throws `invalid_argument` if it is no schema, or a schema that can't be checked completely. */
export function readSchema(schema: unknown): ValueCheck | undefined {
  if (schema === undefined) return undefined;
  const isObject = (typeof schema === 'object' && schema !== null) || typeof schema === 'function';
  if (isObject && '~standard' in (schema as object)) return readStandard(schema as StandardSchema);
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw invalid('`schema`', 'a Standard Schema or a JSON Schema object', schema);
  const wrong = readJsonSchema(schema as JsonSchema);
  return {
    schema: schema as JsonSchema,
    check(value, maxBytes) {
      if (value === undefined) return MISSING;
      // JSON leaves some values out: only the stored value is checked.
      const stored = store(value, maxBytes);
      if ('wrong' in stored) return stored;
      const kept: unknown = JSON.parse(stored.json);
      try {
        const flaw = wrong(kept, 'value');
        return flaw === undefined ? { value: kept, json: stored.json } : { wrong: flaw };
      } catch (error) {
        // Too deep for the stack: a value, or a schema that refers only to itself.
        return { wrong: `the schema failed: ${messageOf(error)}` };
      }
    },
  };
}

const MISSING: Checked = { wrong: 'the result has no `value`, and its `schema` asks for one: return { output, value }' };

function readStandard(schema: StandardSchema): ValueCheck {
  const standard: unknown = schema['~standard'];
  const { validate } = (typeof standard === 'object' && standard !== null ? standard : {}) as Partial<StandardSchema['~standard']>;
  if (typeof validate !== 'function') throw invalid('`schema`', 'a Standard Schema with `validate`', schema);
  return {
    schema,
    check(value, maxBytes) {
      if (value === undefined) return MISSING;
      const failed = (error: unknown): Checked => ({ wrong: `the schema failed: ${messageOf(error)}` });
      const judge = (result: unknown): Checked => {
        try {
          return judged(result as StandardSchemaResult<unknown>, maxBytes);
        } catch (error) {
          return failed(error);
        }
      };
      try {
        const result: unknown = validate(wellFormedIn(value));
        const later = typeof result === 'object' && result !== null && typeof (result as { then?: unknown }).then === 'function';
        return later ? Promise.resolve(result).then(judge, failed) : judge(result);
      } catch (error) {
        return failed(error);
      }
    },
  };
}

function judged(result: StandardSchemaResult<unknown>, maxBytes: number): Checked {
  if (typeof result !== 'object' || result === null) return { wrong: `the schema failed: it answered ${describe(result)}` };
  if (result.issues !== undefined) return { wrong: result.issues.map(sayIssue).join('; ') || 'the schema refused the value' };
  const stored = store(result.value, maxBytes);
  return 'wrong' in stored ? stored : { value: result.value, json: stored.json };
}

function sayIssue({ message, path = [] }: StandardSchemaIssue): string {
  const steps = path.map((step) => (typeof step === 'object' ? step.key : step)).map(String);
  return `value${steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('')}: ${message}`;
}

/** Turns a value into the stored JSON. */
function store(value: unknown, maxBytes: number): { readonly json: string } | { readonly wrong: string } {
  const allowed = `as JSON, and \`maxResultBytes\` allows ${maxBytes}`;
  const most = Math.max(maxBytes, MOST_TEXT);
  let json: string | undefined;
  try {
    json = jsonWithin(value, most, `it has more than ${most} bytes ${allowed}`);
  } catch (error) {
    return { wrong: `value is no JSON: ${messageOf(error)}` };
  }
  if (json === undefined) return { wrong: `value is no JSON: ${describe(value)}` };
  // A unit of UTF-16 is at most three bytes of UTF-8: most values need no counting.
  const bytes = json.length * 3 <= maxBytes ? json.length : new TextEncoder().encode(json).length;
  return bytes > maxBytes ? { wrong: `value has ${bytes} bytes ${allowed}` } : { json };
}
