// A worker's result on its way to the lead. Owns that the lead reads it like a local one. A field that can't be read or sent
// drops no other, least of all the usage (B7).

import { describe, messageOf } from '../base/errors.js';
import { artifactWriter } from '../reading/artifacts.js';
import { UNREADABLE } from '../reading/fields.js';
import { fieldsOfResult, fieldsOfUsage } from '../reading/generated/host-fields.js';
import { nearlyInResult } from '../reading/unknown-names.js';
import { fromWire, passedOn, type SentResult } from './wire.js';

/** The result as it is sent. Never throws. */
export function sentResult(result: unknown): SentResult {
  if (typeof result !== 'object' || result === null) return { fields: passedOn(result) };
  const unread: Record<string, string> = {};
  const unkept: Record<number, string> = {};
  const { usage, artifacts, error, ...rest } = fieldsOfResult(result, {
    unreadable: (name, thrown) => {
      unread[name] = messageOf(thrown);
    },
  });
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) if (value !== UNREADABLE) fields[name] = passedOn(value);
  // The lead suggests the name that was probably meant.
  for (const name of namesOf(result)) if (nearlyInResult(name) !== undefined) fields[name] = null;
  const noJson = rest.value === UNREADABLE ? undefined : whyNoJson(rest.value);
  if (error !== UNREADABLE) fields.error = typeof error === 'object' && error !== null ? messageOf(error) : passedOn(error);
  if (usage !== UNREADABLE) fields.usage = usageOf(usage);
  if (artifacts !== UNREADABLE) fields.artifacts = Array.isArray(artifacts) ? artifactsOf(artifacts, unkept) : passedOn(artifacts);
  return {
    fields,
    ...(Object.keys(unread).length > 0 && { unread }),
    ...(Object.keys(unkept).length > 0 && { unkept }),
    ...(noJson !== undefined && { noJson }),
  };
}

function namesOf(result: object): string[] {
  try {
    return Object.keys(result);
  } catch {
    return [];
  }
}

/** Why JSON can't hold a value: without a part, it would be another value. */
function whyNoJson(value: unknown): string | undefined {
  if (typeof value !== 'object' && typeof value !== 'bigint') return undefined;
  try {
    JSON.stringify(value);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** The usage as it is sent. A wrong figure has to arrive as a wrong one: the lead then books the reservation. */
function usageOf(usage: unknown): unknown {
  if (typeof usage !== 'object' || usage === null) return passedOn(usage);
  try {
    if (Array.isArray(usage)) return [];
    if (typeof (usage as { then?: unknown }).then === 'function') return 'a promise';
    const made: Record<string, unknown> = {};
    const known = fieldsOfUsage(usage);
    for (const name of Object.keys(usage)) if (!Object.hasOwn(known, name)) made[name] = passedOn(valueIn(usage, name));
    for (const [name, figure] of Object.entries(known)) {
      if (figure === undefined || figure === null) continue;
      const isSent = typeof figure === 'object' || (typeof figure === 'number' && Number.isFinite(figure));
      made[name] = isSent ? passedOn(figure) : describe(figure);
    }
    return made;
  } catch (error) {
    return messageOf(error);
  }
}

/** An unreadable figure arrives as a text, so as a wrong one. */
function valueIn(usage: object, name: string): unknown {
  try {
    return (usage as Record<string, unknown>)[name];
  } catch (error) {
    return messageOf(error);
  }
}

function artifactsOf(artifacts: readonly unknown[], unkept: Record<number, string>): unknown[] {
  const jsonOf = artifactWriter();
  return artifacts.map((artifact, at) => {
    try {
      return JSON.parse(jsonOf(artifact));
    } catch (error) {
      unkept[at] = messageOf(error);
      return null;
    }
  });
}

/** The result as the manager reads it. */
export function resultOf({ fields, unread = {}, unkept = {}, noJson }: SentResult): unknown {
  if (typeof fields !== 'object' || fields === null) return fields;
  const throws = (message: string) => (): never => {
    throw new Error(message);
  };
  const { artifacts, ...others } = fields as { artifacts?: unknown[] };
  // Artifacts are JSON as they are.
  for (const [name, value] of Object.entries(others)) (fields as Record<string, unknown>)[name] = fromWire(value);
  for (const [name, message] of Object.entries(unread)) Object.defineProperty(fields, name, { get: throws(message), enumerable: true });
  if (noJson !== undefined) (fields as Record<string, unknown>).value = { toJSON: throws(noJson) };
  for (const [at, message] of Object.entries(unkept)) if (artifacts !== undefined) artifacts[Number(at)] = { toJSON: throws(message) };
  return fields;
}
