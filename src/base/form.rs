//! The version of what is stored: which fields the facts and the records of a snapshot have. Owns its number.

/// The form that is written. This form and all earlier ones from [`OLDEST_FORM`] on stay readable for ever.
///
/// Each record of a journal has it in its header, and each snapshot at its beginning. A new field raises it, and its declaration
/// is marked `since` that form. When the reader reads an earlier form, it leaves that field out.
pub const FORM: u64 = 1;

/// The first form that is read. The first version begins with it.
pub const OLDEST_FORM: u64 = 1;
