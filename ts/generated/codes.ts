// Made by `cargo xtask generate` from the tables in src/; do not edit.

// The answers of a call whose result is otherwise never below 0.

/** The call is refused; `refusal` says why. */
export const REFUSED = -1;

// Flags of a spawn.

/** It runs in the background. */
export const SPAWN_IN_BACKGROUND = 1;

/** It has no text. */
export const SPAWN_WITHOUT_TEXT = 2;

/** It has staged options. */
export const SPAWN_STAGED = 4;

/** The mask of the flags that say who could answer its questions. */
export const SPAWN_ANSWERS = 48;

/** It is made once for the staged key. */
export const SPAWN_ONCE = 64;

// The answers of a spawn besides its task's key.

/** The idempotency key names another task: this, less that task's key. */
export const SPAWN_REPEATED = -2;

// The answers of a wait that isn't opened, and of a call that waits for the work it stops.

/** There is nothing to wait for. */
export const WAIT_NOTHING_OPEN = -2;

/** A target asks a question and waits for the answer. */
export const WAIT_NEEDS_INPUT = -3;

/** It only looked, and the work continues. */
export const WAIT_NOT_YET = -4;

// The answers to a request for a turn that is not granted.

/** The turn may begin later: `turnReady` says when to ask again. */
export const TURN_LATER = 0;

/** No further turn: this, less the reason's number. */
export const TURN_STOPPED = -2;

// How a turn that may begin is packed into one number.

/**
 * Added if texts go into the conversation. The rest is the reason why the turn is the last one, as its number plus
 * 1, or 0.
 */
export const TURN_INJECTS = 512;

/** The factor of the turn's number. */
export const ONE_TURN = 1024;

// Added to the number that says what happens to runs in flight.

/** Hosts outlive the process. */
export const HOSTS_OUTLIVE = 4;

// Flags of the end of a run.

/** The output is unfinished: the run was stopped or broke off. */
export const END_PARTIAL = 1;

/** Its host function is still running. */
export const END_HOST_OPEN = 2;

/** Its output was cut. */
export const END_CUT = 4;

/** Its output differs from that of the host function, and comes with the end. */
export const END_HAS_TEXT = 8;

/** It never started. */
export const END_NEVER_STARTED = 16;

/** The policy that ended it left it no value. */
export const END_WITHOUT_VALUE = 32;

/** The policy that ended it left it no artifacts. */
export const END_WITHOUT_ARTIFACTS = 64;

// The first bits of further flags of an end: eight bits each, with one bit for each dimension of usage.

/** The dimensions that the host did not report. */
export const END_UNKNOWN_AT = 8;

/** The dimensions whose report was invalid. */
export const END_INVALID_AT = 16;

// The length of an absent text in the scratch.

/** There is no text. */
export const NO_TEXT = -1;

// The value of an absent figure of a host.

/** There is no figure. */
export const READING_MISSING = -1;

// Who could answer a sub-agent's questions, as flags of its spawn.

/** The program: it can always send. */
export const ANSWERS_YES = 0;

/** A model: if its tools are known, one must be able to send. */
export const ANSWERS_WITH_TOOL = 16;

/** A model without a tool that sends. */
export const ANSWERS_NO = 32;

/** A model with a tool that sends. */
export const ANSWERS_SENDS = 48;

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

/** With a value that is no result. */
export const RETURNED_INVALID = 5;

/** The process that carried out the run for it is lost, and no other takes over. */
export const RETURNED_LOST = 6;

/** With a result whose status means that it stopped early: its output is partial. */
export const RETURNED_INCOMPLETE = 7;

// The end of a run, as JavaScript reads it.

/** The place of its task. */
export const END_ROW_INDEX = 0;

/** The generation of its task. */
export const END_ROW_GENERATION = 1;

/** The number of the run. */
export const END_ROW_RUN = 2;

/** The number of its status. */
export const END_ROW_STATUS = 3;

/** The number of its stop reason. */
export const END_ROW_REASON = 4;

/** Flags, and from `END_UNKNOWN_AT` on those of each dimension. */
export const END_ROW_FLAGS = 5;

/** Spent tokens. */
export const END_ROW_TOKENS = 6;

/** Nano-dollars. */
export const END_ROW_NANOS = 7;

/** Turns. */
export const END_ROW_TURNS = 8;

/** How long it took, in milliseconds. */
export const END_ROW_DURATION_MS = 9;

/**
 * The place of its tokens by kind, in the users' order; 0 if none was reported. An unreported kind is
 * `READING_MISSING`.
 */
export const END_ROW_KINDS_AT = 10;

/** The place of its output. */
export const END_ROW_OUTPUT_AT = 11;

/** The length of its output, in bytes. */
export const END_ROW_OUTPUT_LENGTH = 12;

/** The place of the name of the option that raises the limit which ended it. */
export const END_ROW_OPTION_AT = 13;

/** The length of that name, in bytes; 0 if no limit ended it. */
export const END_ROW_OPTION_LENGTH = 14;

// The fate of a run in flight when its manager is reopened.

/** It ends `host_lost`. */
export const ON_HOST_LOST_FAIL = 0;

/** It is queued again, and starts over. */
export const ON_HOST_LOST_REQUEUE = 1;

/** It is queued again, and continues from its last checkpoint. */
export const ON_HOST_LOST_RESUME = 2;
