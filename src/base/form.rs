//! The version of what is stored: which fields the facts and the records of a snapshot have. Owns its number.

/// The form that is written; this one and those before it, from [`OLDEST_FORM`] on, are read, for ever.
///
/// Each record of a journal says it in its header, and each snapshot at its beginning. A field that is new raises it, and is
/// marked `since` that form where it is declared: the reader leaves it out of what is of an earlier one.
pub const FORM: u64 = 1;

/// The first form that is read. The first version begins with it.
pub const OLDEST_FORM: u64 = 1;
