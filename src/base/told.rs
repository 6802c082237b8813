//! The macro that declares what users read as objects, and what a row of it is. Owns no field.

/// A field, for the types of other languages.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy, Debug)]
pub struct ToldField {
    /// Its name.
    pub name: &'static str,
    /// Its type in Rust.
    pub kind: &'static str,
    /// Its type in TypeScript, where that doesn't follow from the one in Rust.
    pub told: Option<&'static str>,
    /// It is left out where there is none, in place of being null.
    pub optional: bool,
    /// What it holds.
    pub doc: &'static str,
}

/// An object, for the types of other languages.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy, Debug)]
pub struct ToldObject {
    /// Its name in Rust.
    pub kind: &'static str,
    /// Its name in TypeScript.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Its fields.
    pub fields: &'static [ToldField],
}

/// Declares an object: its name in Rust and in TypeScript, and a row for each field. With `of`, each row ends with what
/// the field is computed from; `with` has what several rows need. A field that serde
/// skips where it is `None` is optional.
macro_rules! told {
    ($(#[doc = $doc:literal])+ #[derive($($derived:ident),+)] pub struct $name:ident $told:literal
        of($($given:ident: $from:ty),+) with { $($before:tt)* }
        { $($(#[doc = $fdoc:literal])+ $field:ident: $type:ty $(as $as:literal)? = $value:expr,)+ }) => {
        told! {
            $(#[doc = $doc])+ #[derive($($derived),+)] pub struct $name $told
            { $($(#[doc = $fdoc])+ pub $field: $type $(as $as)?,)+ }
        }

        impl $name {
            fn of($($given: $from),+) -> Self {
                $($before)*
                Self { $($field: $value,)+ }
            }
        }
    };
    ($(#[doc = $doc:literal])+ #[derive($($derived:ident),+)] pub struct $name:ident $told:literal
        { $($(#[doc = $fdoc:literal])+ $(#[serde(skip_serializing_if = $none:literal)])? pub $field:ident: $type:ty $(as $as:literal)?,)+ }) => {
        $(#[doc = $doc])+
        #[derive($($derived,)+ serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name { $($(#[doc = $fdoc])+ $(#[serde(skip_serializing_if = $none)])? pub $field: $type,)+ }

        impl $name {
            /// How users read it.
            #[cfg(not(target_arch = "wasm32"))]
            pub const TOLD: $crate::base::told::ToldObject = $crate::base::told::ToldObject {
                kind: stringify!($name),
                name: $told,
                doc: concat!($($doc),+),
                fields: &[$($crate::base::told::ToldField {
                    name: stringify!($field),
                    kind: stringify!($type),
                    told: told!(@told $($as)?),
                    optional: told!(@told $($none)?).is_some(),
                    doc: concat!($($fdoc),+),
                },)+],
            };
        }
    };
    (@told) => { None::<&str> };
    (@told $as:literal) => { Some($as) };
}
pub(crate) use told;
