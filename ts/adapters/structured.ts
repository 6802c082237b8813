// The output of an agent whose run has a schema (R7). Owns how that becomes the JSON Schema for a model's provider,
// and how a value is read from a text. The manager checks the value.

import type { Run } from '../api/run.js';
import type { JsonSchema } from '../options/schema/json-schema.js';
import type { ResultSchema, StandardSchema } from '../options/schema/schema.js';
import { mistake } from './mistake.js';

/** Makes JSON Schema of a schema that can't do so itself. */
export type ToJsonSchema = (schema: StandardSchema) => object;

/** The member of Standard Schemas that make JSON Schema themselves: zod since 4.2, arktype and others. */
interface StandardJsonSchema {
  readonly jsonSchema?: { readonly input?: (options: { target: string }) => Record<string, unknown> } | undefined;
}

/**
 * The run's schema as JSON Schema; undefined if it has none. It describes the input: the manager passes the value to the
 * schema, which may transform it.
 */
export function jsonSchemaOf({ schema }: Run, make: ToJsonSchema | undefined): JsonSchema | undefined {
  if (schema === undefined) return undefined;
  if (!isStandard(schema)) return JSON.parse(JSON.stringify(schema)) as JsonSchema;
  const standard: StandardSchema['~standard'] & StandardJsonSchema = schema['~standard'];
  const given = make?.(schema) ?? standard.jsonSchema?.input?.({ target: 'draft-07' });
  if (given === undefined)
    throw mistake(
      `the schema, of ${standard.vendor}, can't say itself as JSON Schema, which the model's provider has to get; the adapter's option \`jsonSchema\` can make it`,
    );
  // Providers refuse keys that aren't part of the schema.
  const { $schema: _, ...rest } = given as Record<string, unknown>;
  return rest;
}

function isStandard(schema: ResultSchema): schema is StandardSchema {
  return '~standard' in schema;
}

/** The JSON value of a text, or of its last fenced block; else the text, whose mistake the schema's check then names. */
export function readValue(text: string): unknown {
  const fenced = [...text.matchAll(/```(?:json)?[^\S\n]*\n([\s\S]*?)```/g)].at(-1)?.[1];
  for (const json of [text, fenced]) {
    try {
      if (json !== undefined) return JSON.parse(json);
    } catch {
      // The next text may be JSON.
    }
  }
  return text;
}

/** The text for a model whose framework has no way to ask for a value. */
export function schemaPrompt(schema: JsonSchema): string {
  return `Your last message has to be JSON alone, without any other word, that fits this JSON Schema:\n${JSON.stringify(schema)}`;
}
