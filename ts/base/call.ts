// A call that comes from another process: the name of a method and its arguments, as JSON. Owns what workers, inspectors and
// servers share: the shape of a call and of its answer, and their version. Who receives a call decides in whose name it is
// made, and which names it takes.

import { messageOf, SubAgentError, type SubAgentErrorCode } from './errors.js';

/** A receiver leaves what has another version alone. */
export const WIRE_VERSION = 1;

/** A call of a method by its name. */
export interface Call {
  /** The name. */
  readonly call: string;
  /** The arguments, in order. */
  readonly args: readonly unknown[];
}

/** What became of a call. */
export interface CallAnswer {
  /** What the method returned, or its promise resolved to. */
  readonly value?: unknown;
  /** Why it was refused, or failed. */
  readonly error?: CallError;
}

/** An error as JSON holds it. */
export interface CallError {
  /** Why, in words. */
  readonly message: string;
  /** The name of its class. */
  readonly name?: string;
  /** Its code. */
  readonly code?: string;
  /** What belongs to the code. */
  readonly details?: Record<string, unknown>;
}

/** Makes a call whose name is on the receiver's list. */
export function callOn(target: object, { call, args }: Call): unknown {
  return (target as Record<string, (...given: readonly unknown[]) => unknown>)[call]?.(...args);
}

/** Whatever was thrown. */
export function errorAsJson(error: unknown): CallError {
  const message = messageOf(error);
  try {
    if (!(error instanceof Error)) return { message };
    const { name, code, details } = error as { name: unknown; code?: unknown; details?: Record<string, unknown> };
    return {
      message,
      ...(typeof name === 'string' && { name }),
      ...(typeof code === 'string' && { code }),
      ...(name === 'SubAgentError' && details !== undefined && { details }),
    };
  } catch {
    // A getter of it threw.
    return { message };
  }
}

/** The error that `errorAsJson` made JSON of. */
export function errorOfJson({ message, name, code, details }: CallError): Error {
  if (name === 'SubAgentError' && code !== undefined) return new SubAgentError(code as SubAgentErrorCode, message, details ?? {});
  const error = new Error(message);
  if (name !== undefined) Object.defineProperty(error, 'name', { value: name, configurable: true });
  return code === undefined ? error : Object.assign(error, { code });
}
