//! The version of the stored form: which fields facts and snapshot records have. Owns its number.

/// The form that is written. Every form from [`OLDEST_FORM`] to this one stays readable for ever.
///
/// It is in the header of each journal record and at the start of each snapshot. A new field raises it and is declared `since`
/// that form. Bytes of an earlier form don't have that field.
pub const FORM: u64 = 1;

/// The oldest form that is read.
pub const OLDEST_FORM: u64 = 1;
