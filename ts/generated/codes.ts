// Made by `cargo xtask generate` from the tables in src/; do not edit.

// The answers of a call whose number is otherwise never below 0.

/** It is refused, and `refusal` says why. */
export const REFUSED = -1;

// Flags of a spawn.

/** It is in the background. */
export const SPAWN_IN_BACKGROUND = 1;

/** It has no text. */
export const SPAWN_WITHOUT_TEXT = 2;

/** There are options that were staged for it. */
export const SPAWN_STAGED = 4;

/** The place of the flags that say who could answer its questions. */
export const SPAWN_ANSWERS = 48;

/** It is made once for the key that was staged. */
export const SPAWN_ONCE = 64;

// The answers of a spawn besides the place of its task.

/** The key names another task: this, less the place of that one. */
export const SPAWN_REPEATED = -2;

// The answer of a wait that opens none, and of a call that waits for the work it stops.

/** There is nothing to wait for. */
export const WAIT_NOTHING_OPEN = -2;

/** The task that it waits for asks, and itself waits for an answer. */
export const WAIT_NEEDS_INPUT = -3;

/** It was only to look, and the work that it waits for continues. */
export const WAIT_NOT_YET = -4;

// The answer to a call for permission to take a turn, if there is none.

/** The turn may be made later: `turnReady` says when to ask again. */
export const TURN_LATER = 0;

/** No further turn: this, less the number of the reason. */
export const TURN_STOPPED = -2;

// How a turn that may begin is packed into one number.

/**
 * This is added if texts are to be put into the conversation. The rest is the number of the reason why the turn is
 * the last one, plus 1, or 0 for none.
 */
export const TURN_INJECTS = 512;

/** The factor of the turn's number. */
export const ONE_TURN = 1024;

// This is added to the number that says what happens to runs in flight.

/** Hosts outlive the process. */
export const HOSTS_OUTLIVE = 4;

// Flags of the end of a run.

/** Its output is what had been done when it was stopped. */
export const END_PARTIAL = 1;

/** Its host function is still running. */
export const END_HOST_OPEN = 2;

/** Its output was cut. */
export const END_CUT = 4;

/** Its output isn't exactly what the host function returned, and comes with the end. */
export const END_HAS_TEXT = 8;

/** It never started. */
export const END_NEVER_STARTED = 16;

/** The policy that ended it left it no value. */
export const END_WITHOUT_VALUE = 32;

/** The policy that ended it left it no artifacts. */
export const END_WITHOUT_ARTIFACTS = 64;

// From which bit on the flags of an end say more, in eight bits each: one for each dimension of usage.

/** Which dimensions the host did not report. */
export const END_UNKNOWN_AT = 8;

/** Of which dimensions the report was invalid. */
export const END_INVALID_AT = 16;

// The length of an absent text in the scratch.

/** There is no text. */
export const NO_TEXT = -1;

// The value of a figure that a host did not give.

/** There is no figure. */
export const READING_MISSING = -1;

// Who could answer the questions of a sub-agent, as the flags of its spawn say it.

/** The program: it can always send. */
export const ANSWERS_YES = 0;

/** A model: if its tools are known, one of them has to send. */
export const ANSWERS_WITH_TOOL = 16;

/** A model that has no tool to send with. */
export const ANSWERS_NO = 32;

/** A model that has such a tool. */
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

/** With something that is no result. */
export const RETURNED_INVALID = 5;

/** The process that carried the run out for it is lost, and no other takes the run over. */
export const RETURNED_LOST = 6;

/** With a result whose status means that it stopped early: its output is partial. */
export const RETURNED_INCOMPLETE = 7;

// The end of a run, as JavaScript reads it.

/** The place of its task. */
export const END_ROW_INDEX = 0;

/** The generation of that. */
export const END_ROW_GENERATION = 1;

/** The number of the run. */
export const END_ROW_RUN = 2;

/** The number of its status. */
export const END_ROW_STATUS = 3;

/** The number of the reason. */
export const END_ROW_REASON = 4;

/** Flags, and from `END_UNKNOWN_AT` on what they say of each dimension. */
export const END_ROW_FLAGS = 5;

/** Tokens that it spent. */
export const END_ROW_TOKENS = 6;

/** Nano-dollars. */
export const END_ROW_NANOS = 7;

/** Turns. */
export const END_ROW_TURNS = 8;

/** How long it took, in milliseconds. */
export const END_ROW_DURATION_MS = 9;

/**
 * The place of its tokens by kind, in the order in which users read them, each `READING_MISSING` if it wasn't
 * reported; 0 if none was.
 */
export const END_ROW_KINDS_AT = 10;

/** The place of its output. */
export const END_ROW_OUTPUT_AT = 11;

/** The length of that, in bytes. */
export const END_ROW_OUTPUT_LENGTH = 12;

/** The place of the name of the option that raises the limit at which it ended. */
export const END_ROW_OPTION_AT = 13;

/** The length of that, in bytes; 0 if it ended at none. */
export const END_ROW_OPTION_LENGTH = 14;

// What becomes of a run in flight when its manager is opened again.

/** It ends `host_lost`. */
export const ON_HOST_LOST_FAIL = 0;

/** It is queued again, and begins anew. */
export const ON_HOST_LOST_REQUEUE = 1;

/** It is queued again, and goes on from its last checkpoint. */
export const ON_HOST_LOST_RESUME = 2;
