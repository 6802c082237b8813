//! The macro that declares a record of a slab and of a snapshot: a row for each field.

/// Declares the record: each row has a field, its type and its default value. `owned` marks a field that owns memory. A snapshot
/// stores the fields in this order. A field of a later form is marked: `name since 2: type`.
macro_rules! slab_record {
    ($(#[$of:meta])* pub struct $name:ident { $($rows:tt)+ }) => {
        $crate::base::slab_record::slab_record! { @ [$(#[$of])* $name] [] [] [] [] $($rows)+ }
    };
    (@ $record:tt [$($fields:tt)*] [$($stored:tt)*] [$($owned:tt)*] $plain:tt
        $(#[$of:meta])* owned $field:ident $(since $form:literal)?: $type:ty = $value:expr, $($rows:tt)*) => {
        $crate::base::slab_record::slab_record! {
            @ $record [$($fields)* $(#[$of])* pub $field: $type,] [$($stored)* $field $(since $form)?,] [$($owned)* ($field $value)] $plain $($rows)*
        }
    };
    (@ $record:tt [$($fields:tt)*] [$($stored:tt)*] $owned:tt [$($plain:tt)*]
        $(#[$of:meta])* $field:ident $(since $form:literal)?: $type:ty = $value:expr, $($rows:tt)*) => {
        $crate::base::slab_record::slab_record! {
            @ $record [$($fields)* $(#[$of])* pub $field: $type,] [$($stored)* $field $(since $form)?,] $owned [$($plain)* ($field $value)] $($rows)*
        }
    };
    (@ [$(#[$of:meta])* $name:ident] [$($fields:tt)*] [$($stored:tt)*] [$(($owned:ident $made:expr))*] [$(($plain:ident $value:expr))*]) => {
        $(#[$of])*
        pub struct $name { $($fields)* }

        $crate::base::stored::stored!($name { $($stored)* });
        $crate::base::slab::record_defaults!($name { $($owned: $made,)* $($plain: $value,)* });
    };
}
pub(crate) use slab_record;
