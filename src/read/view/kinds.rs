//! The kinds of tokens as users read them: rows that several views share. Owns their names.

/// Declares a view as `view!` does, with the six kinds, and whether they are an estimate, in the place of the row `kinds`.
macro_rules! view_with_kinds {
    ($(#[doc = $doc:literal])+ pub struct $name:ident $shown:literal { $($(#[doc = $before:literal])+ pub $one:ident: $first:ty,)+ kinds, $($after:tt)+ }) => {
        $crate::base::view_record::view! {
            $(#[doc = $doc])+
            pub struct $name $shown {
                $($(#[doc = $before])+ pub $one: $first,)+
                /// Tokens that the model read; null if this kind was not reported, as with the next ones.
                pub input_tokens: Option<Number>,
                /// Tokens that it wrote.
                pub output_tokens: Option<Number>,
                /// Those of `inputTokens` that were read from the provider's cache.
                pub cache_read_tokens: Option<Number>,
                /// Those of `inputTokens` that were written to the provider's cache.
                pub cache_write_tokens: Option<Number>,
                /// Those of `cacheWriteTokens` that the cache keeps for an hour.
                pub cache_write1h_tokens: Option<Number>,
                /// Those of `outputTokens` that the model wrote to reason.
                pub reasoning_tokens: Option<Number>,
                /// Whether some of it is an estimate, as its host said.
                pub estimated: bool,
                $($after)+
            }
        }
    };
}
pub(super) use view_with_kinds;

/// Makes such a view.
macro_rules! with_kinds {
    ($kinds:ident, $name:ident { $($field:ident: $value:expr),+ $(,)? }) => {
        $name {
            input_tokens: $kinds.input_tokens.map(number),
            output_tokens: $kinds.output_tokens.map(number),
            cache_read_tokens: $kinds.cache_read_tokens.map(number),
            cache_write_tokens: $kinds.cache_write_tokens.map(number),
            cache_write1h_tokens: $kinds.cache_write1h_tokens.map(number),
            reasoning_tokens: $kinds.reasoning_tokens.map(number),
            estimated: $kinds.estimated,
            $($field: $value,)+
        }
    };
}
pub(super) use with_kinds;
