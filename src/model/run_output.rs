//! A run's result. The same record passes from its host function to the fact of its end, and to the notice. A run keeps it while
//! it waits for sub-agents. Owns the record and its stored forms.
//!
//! Most runs return only an output, so the details are behind one pointer.

use crate::base::codec::{Field, FieldShape, Text};
use crate::base::event_buffer::{EncodeEvent, EventBuffer};
use crate::base::reader::Reader;
use crate::base::record::{form_of, next_field};
use crate::base::stored::{Codec, Stored, walk_field};
use crate::base::view::Json;
use crate::base::view_record::view;

/// Declares a result's details besides its output, in the order of storage and of the boundary: texts, then one number. A later
/// text has `since` with the stored form that added it. A text with a TypeScript type is JSON: it is a value to users, and is
/// dropped once its result is released. The `shown` texts are fields of a result, of a snapshot and of a notice, which retains
/// them. Each view shows the `others` in its own way.
macro_rules! result_details {
    (
        shown { $($(#[doc = $doc:literal])+ $text:ident $(as $json:literal)? $(since $form:literal)?,)+ }
        others { $($(#[doc = $odoc:literal])+ $other:ident $(since $oform:literal)?,)+ }
        number { $(#[doc = $ndoc:literal])+ $number:ident }
    ) => {
        /// The details of a result besides its output; most runs have none.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
        pub struct ResultDetails {
            $($(#[doc = $doc])+ pub $text: Option<Text>,)+
            $($(#[doc = $odoc])+ pub $other: Option<Text>,)+
            $(#[doc = $ndoc])+
            pub $number: Option<u64>,
        }

        impl ResultDetails {
            /// No details.
            pub(crate) const NONE: Self = Self { $($text: None,)+ $($other: None,)+ $number: None };

            /// The names of the JSON texts.
            #[cfg(not(target_arch = "wasm32"))]
            pub const JSON: &[&str] = &[$($(result_details!(@name $json $text),)?)+];

            /// Makes the record from its number and its texts, which it requests in order.
            #[inline(never)]
            pub fn of(mut text: impl FnMut() -> Option<Text>, $number: Option<u64>) -> Self {
                Self { $($text: text(),)+ $($other: text(),)+ $number }
            }

            /// The part that a notice retains.
            #[inline]
            pub(crate) fn retained(self) -> Self {
                Self { $($other: None,)+ $number: None, ..self }
            }

            /// Drops the part that a notice retains, once one does.
            pub(crate) fn release_retained(&mut self) {
                $(self.$text = None;)+
            }

            /// Drops the JSON texts, once the result is released.
            pub(crate) fn release_json(&mut self) {
                $($(result_details!(@if $json self.$text = None);)?)+
            }
        }

        view! {
            /// The details of a run's result besides its output.
            pub struct DetailsView<'a> "ResultDetails" of(details: &'a ResultDetails) with {} {
                $($(#[doc = $doc])+ $text: Option<result_details!(@type 'a $($json)?)> $(as $json)? =
                    details.$text.as_deref()$(.map(result_details!(@if $json Json)))?,)+
            }
        }

        /// In a fact, its parts are separate fields.
        impl Field for RunOutput {
            fn kind() -> String {
                "text".into()
            }

            fn fields(_: &'static str, since: Option<u64>, doc: &'static str) -> Vec<FieldShape> {
                let text = Option::<Text>::kind;
                let field = |name, kind, since, doc| FieldShape { name, kind, since, doc };
                vec![
                    field("output", Text::kind(), since, doc),
                    $(field(stringify!($text), text(), form_of!($($form)?).or(since), concat!($($doc),+ $(, result_details!(@if $json " It is JSON."))?)),)+
                    $(field(stringify!($other), text(), form_of!($($oform)?).or(since), concat!($($odoc),+)),)+
                    field(stringify!($number), Option::<u64>::kind(), since, concat!($($ndoc),+)),
                ]
            }

            #[inline(never)]
            fn put(&self, out: &mut Vec<u8>) {
                let ResultDetails { $($text,)+ $($other,)+ $number } = self.details();
                self.text.put(out);
                for text in [$($text,)+ $($other),+] {
                    text.put(out);
                }
                $number.put(out);
            }

            #[inline(never)]
            fn take(reader: &mut Reader<'_>) -> Self {
                let output = Text::take(reader);
                let details = ResultDetails {
                    $($text: next_field!(reader $(since $form)?),)+
                    $($other: next_field!(reader $(since $oform)?),)+
                    $number: Field::take(reader),
                };
                Self::new(output, details)
            }
        }

        impl EncodeEvent for RunOutput {
            #[inline(never)]
            fn encode_event(&self, out: &mut EventBuffer) {
                self.text.encode_event(out);
                let Some(details) = &self.details else {
                    out.numbers.extend_from_slice(&[$(result_details!(@zero $text),)+ $(result_details!(@zero $other),)+ result_details!(@zero $number)]);
                    return;
                };
                let ResultDetails { $($text,)+ $($other,)+ $number } = &**details;
                for text in [$($text,)+ $($other),+] {
                    text.encode_event(out);
                }
                $number.encode_event(out);
            }
        }

        impl Stored for ResultDetails {
            fn blank() -> Self {
                Self::default()
            }

            #[inline(never)]
            fn walk(&mut self, codec: &mut Codec<'_>) {
                let Self { $($text,)+ $($other,)+ $number } = self;
                $(walk_field!(codec ($text $($form)?));)+
                $(walk_field!(codec ($other $($oform)?));)+
                $number.walk(codec);
            }
        }
    };
    (@name $json:literal $text:ident) => { stringify!($text) };
    (@if $json:literal $($then:tt)+) => { $($then)+ };
    (@type $life:lifetime) => { &$life str };
    (@type $life:lifetime $json:literal) => { Json<&$life str> };
    (@zero $field:ident) => { 0.0 };
}

result_details! {
    shown {
        /// The run's error; null if there was none.
        error,
        /// The host's own word for how the run ended; null if it gave none.
        host_status,
        /// The artifacts that the run made besides its output.
        artifacts as "Record<string, unknown>[]",
        /// The value for the spawn's `schema`; null if it has none, or the run did not complete (R7).
        value as "unknown",
        /// The effects of the run's tool calls, in order, as its agent's protocol reports them (R9).
        receipts as "Receipt[]",
    }
    others {
        /// The host's own id of the sub-agent; null if the host gave none.
        host_task_id,
    }
    number {
        /// The run's duration as its host measured it, in milliseconds.
        duration_ms
    }
}

/// The result of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RunOutput {
    /// Its output.
    pub text: Text,
    /// Absent if it has no details.
    details: Option<Box<ResultDetails>>,
}

impl<T: Into<Text>> From<T> for RunOutput {
    /// A result with only an output.
    fn from(output: T) -> Self {
        Self { text: output.into(), details: None }
    }
}

impl RunOutput {
    /// A result with an output and its details.
    #[must_use]
    pub fn new(text: Text, details: ResultDetails) -> Self {
        Self { text, details: (details != ResultDetails::NONE).then(|| Box::new(details)) }
    }

    /// Its details besides the output.
    #[must_use]
    pub fn details(&self) -> &ResultDetails {
        self.details.as_deref().unwrap_or(const { &ResultDetails::NONE })
    }

    /// The output and the details.
    pub(crate) fn into_parts(self) -> (Text, ResultDetails) {
        (self.text, self.details.map_or(ResultDetails::NONE, |details| *details))
    }

    /// Takes the details, if any.
    pub(crate) const fn take_details(&mut self) -> Option<Box<ResultDetails>> {
        self.details.take()
    }

    /// The same output, with changed details.
    #[must_use]
    pub(crate) fn change(self, change: impl FnOnce(&mut ResultDetails)) -> Self {
        let mut details = self.details.map_or(ResultDetails::NONE, |details| *details);
        change(&mut details);
        Self::new(self.text, details)
    }
}

impl Stored for RunOutput {
    fn blank() -> Self {
        Self::default()
    }

    #[inline(never)]
    fn walk(&mut self, codec: &mut Codec<'_>) {
        let (mut output, mut details) = std::mem::take(self).into_parts();
        output.walk(codec);
        details.walk(codec);
        *self = Self::new(output, details);
    }
}
