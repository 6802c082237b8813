//! Closed lists of records that cross the boundary: inputs, replies and effects. Owns their declaration: each row has a number,
//! and its fields are written in order, as in a fact. `model/input.rs` and `model/effect.rs` have the rows.

#[cfg(not(target_arch = "wasm32"))]
use super::codec::FieldShape;

/// A row, for writers and readers in other languages.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Debug)]
pub struct RecordShape {
    /// Its name.
    pub name: &'static str,
    /// Its meaning.
    pub doc: &'static str,
    /// The number before its fields.
    pub number: u8,
    /// Its fields, in written order.
    pub fields: Vec<FieldShape>,
}

/// Declares such a list. Variants in `by_numbers` are no rows: they cross the boundary in other ways. Bytes that are no row read
/// as `unless`, and the reader fails.
macro_rules! records {
    (
        $(#[$meta:meta])*
        pub enum $list:ident unless ($unless:expr) {
            by_numbers { $($by_numbers:tt)* }
            $($(#[doc = $doc:literal])+ $name:ident
                $({ $($(#[doc = $fdoc:literal])+ $field:ident: $type:ty,)+ })?
                $(( $($(#[doc = $adoc:literal])+ $arg:ident: $atype:ty),+ ))?
                = $number:literal,)+
        }
    ) => {
        $(#[$meta])*
        pub enum $list {
            $($by_numbers)*
            $($(#[doc = $doc])+ $name $({ $($(#[doc = $fdoc])+ $field: $type,)+ })? $(( $($atype),+ ))?,)+
        }

        impl $list {
            /// Appends a row: its number, then its fields. Returns `false` if it is no row.
            pub fn put(&self, out: &mut Vec<u8>) -> bool {
                #[allow(clippy::wildcard_enum_match_arm, unreachable_patterns, reason = "what goes by numbers is no row")]
                match self {
                    $(Self::$name $({ $($field),+ })? $(( $($arg),+ ))? => {
                        out.push($number);
                        $($($crate::base::codec::Field::put($field, out);)+)?
                        $($($crate::base::codec::Field::put($arg, out);)+)?
                        true
                    })+
                    _ => false,
                }
            }

            /// Reads a row. If the bytes are no row, the reader fails, and the row means nothing.
            pub fn take(reader: &mut $crate::base::reader::Reader<'_>) -> Self {
                let at = reader.position();
                match reader.byte() {
                    $($number => Self::$name
                        $({ $($field: <$type as $crate::base::codec::Field>::take(reader),)+ })?
                        $(( $(<$atype as $crate::base::codec::Field>::take(reader)),+ ))?,)+
                    _ => {
                        reader.fail(at);
                        $unless
                    }
                }
            }

            /// The rows.
            #[cfg(not(target_arch = "wasm32"))]
            #[must_use]
            pub fn shapes() -> Vec<$crate::base::records::RecordShape> {
                vec![$($crate::base::records::RecordShape {
                    name: stringify!($name),
                    doc: concat!($($doc),+),
                    number: $number,
                    fields: [Vec::<$crate::base::codec::FieldShape>::new(),
                        $($(<$type as $crate::base::codec::Field>::fields(stringify!($field), None, concat!($($fdoc),+)),)+)?
                        $($(<$atype as $crate::base::codec::Field>::fields(stringify!($arg), None, concat!($($adoc),+)),)+)?
                    ].concat(),
                },)+]
            }
        }
    };
}
pub(crate) use records;
