// A call from another process: the name of a method and its arguments, as JSON. Owns the shape of a call and its answer, and
// their version, for workers, inspectors and servers. The receiver decides the actor and which names it takes.

/** A receiver ignores messages of another version. */
export const WIRE_VERSION = 1;

/** A call of a method by its name. */
export interface Call {
  /** The name. */
  readonly call: string;
  /** The arguments, in order. */
  readonly args: readonly unknown[];
}

/** The answer to a call. */
export interface CallAnswer {
  /** The value that the method returned, or its promise resolved to. */
  readonly value?: unknown;
  /** The error of a refused or failed call. */
  readonly error?: CallError;
}

/** An error as JSON. */
export interface CallError {
  /** The message. */
  readonly message: string;
  /** The name of its class. */
  readonly name?: string;
  /** Its code. */
  readonly code?: string;
  /** The details that belong to the code. */
  readonly details?: Record<string, unknown>;
}
