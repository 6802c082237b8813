// Errors: how they are made, and the message for any thrown value. Owns these messages, and those that a model reads instead of
// a message about options.

import { SubAgentError } from './error-class.js';
import { atOnce, isPromise } from './log.js';
import { jsonForModel } from './quoting.js';
import { wellFormed } from './text.js';

export * from './error-class.js';

/** The text for a model, if the message names options: those are for the program. */
const modelTexts = new WeakMap<object, string>();

/** Sets the text that a model reads instead of the message; returns the error. */
export function withModelText(error: SubAgentError, text: string): SubAgentError {
  if (text !== error.message) modelTexts.set(error, text);
  return error;
}

/** The text of an error for a model. */
export function modelTextOf(error: SubAgentError): string {
  return modelTexts.get(error) ?? messageOf(error);
}

/** An `invalid_argument` with the expected and the given value. */
export function invalid(what: string, expected: string, got: unknown): SubAgentError {
  const message = `${what} must be ${expected}, got ${describe(atOnce(got))}`;
  // For programs: without the quotes around a name in the sentence.
  return new SubAgentError('invalid_argument', message, { argument: what.replaceAll('`', ''), expected });
}

/** A value in a few words, whatever it is; runs no code of the value's. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? `a string of ${value.length} characters` : jsonForModel(value);
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'object') return listOrObject(value);
  return `a ${typeof value}`;
}

function listOrObject(value: object): string {
  if (isPromise(value)) return 'a promise';
  try {
    if (!Array.isArray(value)) return 'an object';
    return value.length === 0 ? 'an empty list' : 'a list';
  } catch {
    // A proxy.
    return 'an object';
  }
}

/** A thrown value as text: an error's message, a string, or a description. Never throws itself. */
export function messageOf(thrown: unknown): string {
  try {
    if (typeof thrown === 'string') return wellFormed(thrown);
    if (thrown instanceof Error) return wellFormed(String(thrown.message) || String(thrown.name) || 'an error without a message');
    if (typeof thrown === 'object' && thrown !== null && typeof (thrown as { message?: unknown }).message === 'string') {
      return wellFormed((thrown as { message: string }).message);
    }
  } catch {
    // A getter threw; its error adds nothing.
  }
  return `threw ${describe(thrown)}`;
}
