// A call from another process: the name of a method and its arguments, as JSON. Owns what workers, inspectors and
// servers share: the shape of a call and its answer, and their version. The receiver decides the actor and which names
// it takes.

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
