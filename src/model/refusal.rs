//! The macro that declares the refusals, and the row of their table. `rejection.rs` owns the codes.

/// A row of the table, for the documentation and for the types of other languages.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy, Debug)]
pub struct Refusal {
    /// The code of the error that users see.
    pub code: &'static str,
    /// The condition.
    pub doc: &'static str,
    /// The remedy.
    pub remedy: &'static str,
    /// The fields that `details` always has.
    pub certain: &'static [&'static str],
    /// The fields that `details` has only sometimes.
    pub perhaps: &'static [&'static str],
    /// Advice in a sentence for a model whose spawn it refuses; `None` if that depends.
    pub advice: Option<&'static str>,
    /// Capacity is exhausted.
    pub full: bool,
}

#[cfg(not(target_arch = "wasm32"))]
impl Refusal {
    /// An empty row, for errors outside the core.
    pub const BARE: Self = Self { code: "", doc: "", remedy: "", certain: &[], perhaps: &[], advice: None, full: false };
}

/// Advice for a model whose spawn was refused, if other work is in its way.
#[cfg(not(target_arch = "wasm32"))]
pub(super) const WAIT: &str = "Wait until one ends, or do the work yourself.";
/// Advice if waiting doesn't help.
#[cfg(not(target_arch = "wasm32"))]
pub(super) const WORK: &str = "Do the work yourself.";

/// Declares the refusals. After its fields a row has: `says`, the message; `model`, the text for a model if the message names
/// options, which only the program sets. `option` names the option that raises the limit. `details` has the fields of `details`
/// with their values; `perhaps`, those whose value is an `Option`. `advises` has a model's advice, and whether capacity is
/// exhausted; `remedy` is for docs.
macro_rules! refusals {
    ($($(#[doc = $doc:literal])+ $name:ident $code:literal $({ $($field:ident: $type:ty),+ })?
        says($($says:tt)+)
        $(model($($model:tt)+))?
        $(option($option:expr))?
        $(details($($detail:ident = $value:expr),+))?
        $(perhaps($($perhaps:ident = $maybe:expr),+))?
        $(advises($advice:ident $(, $full:ident)?))?
        remedy($remedy:literal)
    )+) => {
        /// A refused request.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        #[expect(missing_docs, reason = "the fields are those of `details`, which are documented there")]
        pub enum Rejection { $($(#[doc = $doc])+ $name $({ $($field: $type),+ })?,)+ }

        impl Rejection {
            /// Every row.
            #[cfg(not(target_arch = "wasm32"))]
            pub const TABLE: &'static [$crate::model::refusal::Refusal] = &[$($crate::model::refusal::Refusal {
                code: $code,
                doc: concat!($($doc),+),
                remedy: $remedy,
                certain: &[$(refusals!(@field $option),)? $($(stringify!($detail)),+)?],
                perhaps: &[$($(stringify!($perhaps)),+)?],
                advice: refusals!(@option $($crate::model::refusal::$advice)?),
                full: refusals!(@is $($($full)?)?),
            },)+];

            /// The code of the error that users see.
            #[must_use]
            pub const fn code(&self) -> &'static str {
                match self { $(Self::$name { .. } => $code,)+ }
            }

            /// The message for a model, without the options, which only the program sets.
            #[must_use]
            #[expect(unused_variables, reason = "few texts name all fields")]
            pub fn model_text(&self) -> String {
                let text = match self { $(Self::$name $({ $($field),+ })? => refusals!(@model $($($model)+)?),)+ };
                text.unwrap_or_else(|| self.to_string())
            }

            /// The option that raises the limit, if a limit refused.
            #[must_use]
            #[expect(unused_variables, reason = "few options depend on a field")]
            pub const fn raised_by(&self) -> Option<&'static str> {
                match self { $(Self::$name $({ $($field),+ })? => refusals!(@option $($option)?),)+ }
            }

            /// The details besides its code. `id_of` returns a task's id.
            #[must_use]
            #[expect(unused_variables, reason = "some fields are in the message alone")]
            pub fn details(&self, id_of: &dyn Fn($crate::base::slab::Key) -> String) -> $crate::model::details::Details {
                let mut details = $crate::model::details::Details::new();
                if let Some(option) = self.raised_by() {
                    details.option(option, id_of);
                }
                match self {
                    $(Self::$name $({ $($field),+ })? => {
                        $($(details.$detail($value, id_of);)+)?
                        $($(if let Some(value) = $maybe { details.$perhaps(value, id_of); })+)?
                    })+
                }
                details
            }
        }

        impl std::fmt::Display for Rejection {
            #[expect(unused_variables, reason = "not every message names all fields")]
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self { $(Self::$name $({ $($field),+ })? => write!(f, $($says)+),)+ }
            }
        }
    };
    (@field $option:expr) => { "option" };
    (@model) => { None };
    (@model $($model:tt)+) => { Some(format!($($model)+)) };
    (@is) => { false };
    (@is full) => { true };
    (@option) => { None };
    (@option $option:expr) => { Some($option) };
}
pub(crate) use refusals;
