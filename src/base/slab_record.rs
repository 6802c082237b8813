//! The macro that declares a record which a slab holds and a snapshot stores: a row for each field. Owns no field.

/// Declares the record: each row has a field with its type and its default value. What owns memory is marked `owned`. A
/// snapshot stores the fields in the order of the rows; behind the others it stores those that are marked `behind`, and last
/// those that came with a later form, `since` that form: where the order of the rows is to be another.
macro_rules! slab_record {
    ($(#[$of:meta])* pub struct $name:ident { $($rows:tt)+ }) => {
        $crate::base::slab_record::slab_record! { @ [$(#[$of])* $name] [] [] [] [] [] [] $($rows)+ }
    };
    (@ $record:tt [$($fields:tt)*] [$($stored:tt)*] $behind:tt $since:tt [$($owned:tt)*] $plain:tt
        $(#[$of:meta])* owned $field:ident: $type:ty = $value:expr, $($rows:tt)*) => {
        $crate::base::slab_record::slab_record! {
            @ $record [$($fields)* $(#[$of])* pub $field: $type,] [$($stored)* $field] $behind $since [$($owned)* ($field $value)] $plain $($rows)*
        }
    };
    (@ $record:tt [$($fields:tt)*] $stored:tt [$($behind:tt)*] $since:tt $owned:tt [$($plain:tt)*]
        $(#[$of:meta])* behind $field:ident: $type:ty = $value:expr, $($rows:tt)*) => {
        $crate::base::slab_record::slab_record! {
            @ $record [$($fields)* $(#[$of])* pub $field: $type,] $stored [$($behind)* $field] $since $owned [$($plain)* ($field $value)] $($rows)*
        }
    };
    (@ $record:tt [$($fields:tt)*] $stored:tt $behind:tt [$($since:tt)*] $owned:tt [$($plain:tt)*]
        $(#[$of:meta])* since $form:literal $field:ident: $type:ty = $value:expr, $($rows:tt)*) => {
        $crate::base::slab_record::slab_record! {
            @ $record [$($fields)* $(#[$of])* pub $field: $type,] $stored $behind [$($since)* ($form $field)] $owned [$($plain)* ($field $value)] $($rows)*
        }
    };
    (@ $record:tt [$($fields:tt)*] [$($stored:tt)*] $behind:tt $since:tt $owned:tt [$($plain:tt)*]
        $(#[$of:meta])* $field:ident: $type:ty = $value:expr, $($rows:tt)*) => {
        $crate::base::slab_record::slab_record! {
            @ $record [$($fields)* $(#[$of])* pub $field: $type,] [$($stored)* $field] $behind $since $owned [$($plain)* ($field $value)] $($rows)*
        }
    };
    (@ [$(#[$of:meta])* $name:ident] [$($fields:tt)*] [$first:ident $($stored:ident)*] [$($behind:ident)*] [$(($form:literal $since:ident))*]
        [$(($owned:ident $made:expr))*] [$(($plain:ident $value:expr))*]) => {
        $(#[$of])*
        pub struct $name { $($fields)* }

        $crate::base::stored::stored!($name { $first $(, $stored)* $(, $behind)* $(; since $form: $since)* });
        $crate::base::slab::record_defaults!($name { $($owned: $made,)* $($plain: $value,)* });
    };
}
pub(crate) use slab_record;
