//! The form of what is stored: which fields the facts and the records of a snapshot have. Owns its number.

/// The form that is written; this one and those before it are read, for ever.
///
/// Each record of a journal says it in its header, and each snapshot at its beginning. A field that is new raises it, and is
/// marked `since` that form where it is declared: the reader leaves it out of what is of an earlier one.
///
/// Of snapshots, 1: the first. 2: the first attempt at a run's message. 3: the turns that an attempt left to the next one.
/// 4: whether an attempt has begun a turn. 5: what has steered a run. 6: which answers an attempt may still get again. Facts
/// are the same in all of these; the headers of their records say 1 or 2 before 6, by which checksum they have.
/// 7: what a delayed turn waits for. 8: a question, its answer, a delayed turn and the end of what a run was parked for say
/// themselves what the run is parked for from then on; before, a record of its own followed.
/// 9: the salt of an opening, and which salt messages, runs and notices have; what stands for the work of a keyed spawn; how many
/// starts after a cooldown are still to be apart, and that `staggerMs` was given; how long the process stood still; what
/// becomes of background work at its parent's end, among what holds for new work; a further attempt at the message of a task
/// that ended badly, and which tasks a key retains; which message is which, by its number in the life of the manager.
/// 10: tokens by kind, of runs, of nodes and of notices; prices, of the manager and of a spawn; what was spent by agent and model;
/// the id that the caller of a spawn gave; the rates of keys, what is left of them, and who waits for that.
pub const FORM: u64 = 10;
