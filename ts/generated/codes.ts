// Made by `cargo xtask generate` from the tables in src/; do not edit.

// What a call answers with a number that is never below 0 otherwise.

/** It is refused, and `refusal` says why. */
export const REFUSED = -1;

// What stands among the figures of a host for one that it did not give.

/** There is no figure. */
export const READING_MISSING = -1;

// How a host function ended.

/** With a result whose status means success. */
export const RETURNED_COMPLETED = 0;

/** With a result whose status means failure. */
export const RETURNED_FAILED = 1;

/** With a result whose status means that it was cancelled. */
export const RETURNED_CANCELLED = 2;

/** With a result whose status means that its time ran out. */
export const RETURNED_TIMED_OUT = 3;

/** It threw, or its promise was rejected. */
export const RETURNED_THREW = 4;

/** With something that is no result. */
export const RETURNED_INVALID = 5;

/** The process that carried the run out for it is gone, and no other takes the run over. */
export const RETURNED_LOST = 6;
