// What a host function of a worker returned, on its way. Owns that the lead reads it as it reads one at home: what can't be read,
// or sent, costs no other field, and least of all the usage (B7).

import { describe, messageOf } from '../base/errors.js';
import { artifactWriter } from '../reading/artifacts.js';
import { fieldsOfResult, fieldsOfUsage, UNREADABLE } from '../reading/fields.js';
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

/** A value that lost a part on its way would be another one. */
function whyNoJson(value: unknown): string | undefined {
  if (typeof value !== 'object' && typeof value !== 'bigint') return undefined;
  try {
    JSON.stringify(value);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** The usage as it is sent. A wrong figure has to arrive as a wrong one: what is set aside is booked for it. */
function usageOf(usage: unknown): unknown {
  if (typeof usage !== 'object' || usage === null) return passedOn(usage);
  try {
    if (Array.isArray(usage)) return [];
    if (typeof (usage as { then?: unknown }).then === 'function') return 'a promise';
    const made: Record<string, unknown> = {};
    for (const [name, figure] of Object.entries(fieldsOfUsage(usage))) {
      if (figure === undefined || figure === null) continue;
      made[name] = typeof figure === 'number' && Number.isFinite(figure) ? figure : describe(figure);
    }
    // Under other names it is wrong, too; the lead tells them.
    if (Object.keys(made).length === 0)
      for (const name of Object.keys(usage)) made[name] = passedOn((usage as Record<string, unknown>)[name]);
    return made;
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
