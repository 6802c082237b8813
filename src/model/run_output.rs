//! What a run returns. The same record passes from its host function to the fact of its end, and to the notice. A run has it
//! while it waits for sub-agents. Owns the record and its stored forms.
//!
//! Most runs return an output alone, so the details are behind one pointer.

use crate::base::codec::{Field, FieldShape, Text};
use crate::base::event_buffer::{EncodeEvent, EventBuffer};
use crate::base::reader::Reader;
use crate::base::record::{form_of, next_field};
use crate::base::stored::{Codec, Stored, walk_field};

/// Declares what a run leaves besides its output, in the order in which it is stored and crosses the boundary: texts, then one
/// number. A notice retains the texts marked `kept`. A later text has `since` with the stored form that added it. A text marked
/// `json` is a value to users, and is dropped once its result is released.
macro_rules! result_details {
    (
        texts { $($(#[doc = $doc:literal])+ $text:ident $(as $json:ident)? $(since $form:literal)? $(=> $kept:ident)?,)+ }
        number { $(#[doc = $ndoc:literal])+ $number:ident }
    ) => {
        /// The details of a result besides its output; most runs leave none.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
        pub struct ResultDetails {
            $($(#[doc = $doc])+ pub $text: Option<Text>,)+
            $(#[doc = $ndoc])+
            pub $number: Option<u64>,
        }

        impl ResultDetails {
            /// With nothing in it.
            pub(crate) const NONE: Self = Self { $($text: None,)+ $number: None };

            /// The names of those that are JSON.
            #[cfg(not(target_arch = "wasm32"))]
            pub const JSON: &[&str] = &[$($(result_details!(@$json $text),)?)+];

            /// Made of its texts, which are asked for in their order, and its number.
            #[inline(never)]
            pub fn of(mut text: impl FnMut() -> Option<Text>, $number: Option<u64>) -> Self {
                Self { $($text: text(),)+ $number }
            }

            /// The part that a notice retains.
            #[inline]
            pub(crate) fn kept(self) -> Self {
                Self { $($($text: result_details!(@if $kept self.$text),)?)+ ..Self::NONE }
            }

            /// Lets go of that, once a notice keeps it.
            pub(crate) fn release_retained(&mut self) {
                $($(result_details!(@if $kept self.$text = None);)?)+
            }

            /// Lets go of what is JSON, once the result is released.
            pub(crate) fn release_json(&mut self) {
                $($(result_details!(@if $json self.$text = None);)?)+
            }
        }

        /// In a fact its parts are separate fields.
        impl Field for RunOutput {
            fn kind() -> String {
                "text".into()
            }

            fn fields(_: &'static str, since: Option<u64>, doc: &'static str) -> Vec<FieldShape> {
                let text = Option::<Text>::kind;
                let field = |name, kind, since, doc| FieldShape { name, kind, since, doc };
                vec![
                    field("output", Text::kind(), since, doc),
                    $(field(stringify!($text), text(), form_of!($($form)?).or(since), concat!($($doc),+)),)+
                    field(stringify!($number), Option::<u64>::kind(), since, concat!($($ndoc),+)),
                ]
            }

            #[inline(never)]
            fn put(&self, out: &mut Vec<u8>) {
                let ResultDetails { $($text,)+ $number } = self.details();
                self.text.put(out);
                for text in [$($text),+] {
                    text.put(out);
                }
                $number.put(out);
            }

            #[inline(never)]
            fn take(reader: &mut Reader<'_>) -> Self {
                let output = Text::take(reader);
                let details = ResultDetails {
                    $($text: next_field!(reader $(since $form)?),)+
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
                    out.numbers.extend_from_slice(&[$(result_details!(@zero $text),)+ result_details!(@zero $number)]);
                    return;
                };
                let ResultDetails { $($text,)+ $number } = &**details;
                for text in [$($text),+] {
                    text.encode_event(out);
                }
                $number.encode_event(out);
            }
        }

        impl Stored for RunOutput {
            fn blank() -> Self {
                Self::default()
            }

            #[inline(never)]
            fn walk(&mut self, codec: &mut Codec<'_>) {
                let (mut output, mut details) = std::mem::take(self).into_parts();
                let ResultDetails { $($text,)+ $number } = &mut details;
                output.walk(codec);
                $(walk_field!(codec ($text $($form)?));)+
                $number.walk(codec);
                *self = Self::new(output, details);
            }
        }

        impl Stored for RetainedOutput {
            fn blank() -> Self {
                Self::default()
            }

            #[inline(never)]
            fn walk(&mut self, codec: &mut Codec<'_>) {
                let (mut output, mut details) = std::mem::take(&mut self.0).into_parts();
                output.walk(codec);
                let ResultDetails { $($text,)+ .. } = &mut details;
                $(result_details!(@walk codec ($text $($form)?) $($kept)?);)+
                self.0 = RunOutput::new(output, details);
            }
        }
    };
    (@json $text:ident) => { stringify!($text) };
    (@if $mark:ident $place:expr) => { $place };
    (@walk $codec:ident ($field:ident $($form:literal)?)) => { let _ = $field; };
    (@walk $codec:ident $field:tt kept) => { walk_field!($codec $field) };
    (@zero $field:ident) => { 0.0 };
}

result_details! {
    texts {
        /// What went wrong.
        error => kept,
        // Absent if it is one of ours.
        /// The host's own word for how it ended.
        host_status => kept,
        /// The host's own id.
        host_task_id,
        /// What it made besides its output, as JSON.
        artifacts as json => kept,
        /// Its value, as JSON: what a schema asked for (R7).
        value as json => kept,
        /// What its tool calls did, in order, as JSON (R9).
        receipts as json => kept,
    }
    number {
        /// How long it took by the host's measure, in milliseconds.
        duration_ms
    }
}

/// The result of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RunOutput {
    /// Its output.
    pub text: Text,
    /// Absent if there is nothing of it.
    details: Option<Box<ResultDetails>>,
}

impl<T: Into<Text>> From<T> for RunOutput {
    /// Only an output.
    fn from(output: T) -> Self {
        Self { text: output.into(), details: None }
    }
}

impl RunOutput {
    /// An output and what came with it.
    #[must_use]
    pub fn new(text: Text, details: ResultDetails) -> Self {
        Self { text, details: (details != ResultDetails::NONE).then(|| Box::new(details)) }
    }

    /// The details with the output.
    #[must_use]
    pub fn details(&self) -> &ResultDetails {
        self.details.as_deref().unwrap_or(const { &ResultDetails::NONE })
    }

    /// The output, and what came with it.
    pub(crate) fn into_parts(self) -> (Text, ResultDetails) {
        (self.text, self.details.map_or(ResultDetails::NONE, |details| *details))
    }

    /// The details with the output, if there are any.
    pub(crate) const fn take_details(&mut self) -> Option<Box<ResultDetails>> {
        self.details.take()
    }

    /// The same output with other details.
    #[must_use]
    pub(crate) fn change(self, change: impl FnOnce(&mut ResultDetails)) -> Self {
        let mut details = self.details.map_or(ResultDetails::NONE, |details| *details);
        change(&mut details);
        Self::new(self.text, details)
    }
}

/// What a notice retains of an end that its task no longer shows. It leaves out what the task retains for all of its runs, and
/// the notice's own fields.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RetainedOutput(pub RunOutput);
