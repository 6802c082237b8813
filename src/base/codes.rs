//! Macros for numbers that cross the boundary and are never stored: unnamed lists, single numbers, rows of numbers. Owns how they
//! are declared, and the source of TypeScript's constants.

/// A number that crosses the boundary, under the name of its constant in TypeScript.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy, Debug)]
pub struct Code {
    /// The list whose value it is; `None` for a constant.
    pub list: Option<&'static str>,
    /// Its name in Rust.
    pub name: &'static str,
    /// Its meaning, in a sentence.
    pub doc: &'static str,
    /// The number itself.
    pub number: f64,
}

/// Numbers of one subject.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Debug)]
pub struct Codes {
    /// Their subject.
    pub doc: &'static str,
    /// The numbers.
    pub codes: Vec<Code>,
}

/// Declares a closed list whose values have numbers and no names for users.
macro_rules! numbered {
    (
        #[doc = $about:literal]
        $(#[$meta:meta])*
        pub enum $name:ident { $($(#[doc = $doc:literal])+ $(#[default $($default:tt)?])? $variant:ident = $number:literal,)+ }
    ) => {
        #[doc = $about]
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[doc = $doc])+ $(#[default $($default)?])? $variant,)+ }

        impl $name {
            /// The value with this number, if any.
            #[must_use]
            pub const fn from_number(number: u32) -> Option<Self> {
                match number { $($number => Some(Self::$variant),)+ _ => None }
            }

            /// The number that crosses the boundary.
            #[must_use]
            pub const fn number(self) -> u32 {
                match self { $(Self::$variant => $number,)+ }
            }

            /// Every value with its number, for TypeScript's constants.
            #[cfg(not(target_arch = "wasm32"))]
            #[must_use]
            pub fn codes() -> $crate::base::codes::Codes {
                let codes = vec![$($crate::base::codes::Code {
                    list: Some(stringify!($name)),
                    name: stringify!($variant),
                    doc: concat!($($doc),+),
                    number: f64::from($number),
                },)+];
                $crate::base::codes::Codes { doc: $about, codes }
            }
        }
    };
}
pub(crate) use numbered;

/// Declares numbers as constants, by subject, and the function that lists them for TypeScript's constants.
macro_rules! codes {
    ($(#[doc = $about:literal] $type:ty { $($(#[doc = $doc:literal])+ $name:ident = $number:expr;)+ })+) => {
        $($($(#[doc = $doc])+ pub const $name: $type = $number;)+)+

        /// Every constant, for TypeScript's.
        #[cfg(not(target_arch = "wasm32"))]
        fn constants() -> Vec<$crate::base::codes::Codes> {
            vec![$($crate::base::codes::Codes {
                doc: $about,
                codes: vec![$($crate::base::codes::Code {
                    list: None,
                    name: stringify!($name),
                    doc: concat!($($doc),+),
                    number: f64::from($name),
                },)+],
            },)+]
        }
    };
}
pub(crate) use codes;

/// Declares a row of numbers that JavaScript reads from memory: a record with its fields in order. Each field's place is a
/// constant in TypeScript.
macro_rules! row {
    (#[doc = $about:literal] pub struct $name:ident { $($(#[doc = $doc:literal])+ pub $field:ident,)+ }) => {
        #[doc = $about]
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub struct $name { $($(#[doc = $doc])+ pub $field: f64,)+ }

        impl $name {
            /// The place of every number, for TypeScript's constants.
            #[cfg(not(target_arch = "wasm32"))]
            #[must_use]
            pub fn codes() -> $crate::base::codes::Codes {
                let fields = [$((stringify!($field), concat!($($doc),+)),)+];
                let code = |(number, (name, doc))| $crate::base::codes::Code { list: Some(stringify!($name)), name, doc, number };
                let places = (0_u32..).map(f64::from);
                $crate::base::codes::Codes { doc: $about, codes: places.zip(fields).map(code).collect() }
            }
        }
    };
}
pub(crate) use row;
