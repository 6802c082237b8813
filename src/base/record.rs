//! Records within facts, whose fields are stored in sequence. Owns their declaration, and the absence of newer fields from bytes
//! of an older form.

/// The next field, or its default if the bytes have an older form.
macro_rules! next_field {
    ($reader:ident) => {
        $crate::base::codec::Field::take($reader)
    };
    ($reader:ident since $form:literal) => {
        if $reader.has_since($form) { $crate::base::codec::Field::take($reader) } else { Default::default() }
    };
}
pub(crate) use next_field;

/// The form that added a field, if not the first.
macro_rules! form_of {
    () => {
        None
    };
    ($form:literal) => {
        Some($form)
    };
}
pub(crate) use form_of;

/// Declares a plain struct whose fields are stored in sequence. A later field names the form that added it: `name since 7: type`.
/// Read from an earlier form, it has its type's default.
macro_rules! record {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[doc = $doc:literal])+ pub $field:ident $(since $form:literal)?: $type:ty,)+ }) => {
        $(#[$meta])*
        pub struct $name { $($(#[doc = $doc])+ pub $field: $type,)+ }

        impl $crate::base::codec::Field for $name {
            fn kind() -> String { stringify!($name).into() }
            #[inline(never)]
            fn put(&self, out: &mut Vec<u8>) { $(self.$field.put(out);)+ }
            #[inline(never)]
            fn take(reader: &mut $crate::base::reader::Reader<'_>) -> Self {
                Self { $($field: $crate::base::record::next_field!(reader $(since $form)?),)+ }
            }
        }

        impl $crate::base::event_buffer::EncodeEvent for $name {
            #[inline(never)]
            fn encode_event(&self, out: &mut $crate::base::event_buffer::EventBuffer) { $(self.$field.encode_event(out);)+ }
        }

        impl $name {
            /// The fields, in stored order.
            #[must_use]
            pub fn shape() -> Vec<$crate::base::codec::FieldShape> {
                vec![$($crate::base::codec::FieldShape {
                    name: stringify!($field),
                    kind: <$type as $crate::base::codec::Field>::kind(),
                    since: $crate::base::record::form_of!($($form)?),
                    doc: concat!($($doc),+),
                },)+]
            }

        }
    };
}
pub(crate) use record;

#[cfg(test)]
mod tests {
    use crate::base::codec::{Field, Text};
    use crate::base::reader::Reader;

    #[expect(unreachable_pub, reason = "records are seen from outside of the crate elsewhere")]
    mod grown {
        use super::*;

        record! {
            /// A record to which forms 9 and 10 added fields.
            #[derive(Debug, PartialEq)]
            pub struct Grown {
                /// An original field.
                pub first: Text,
                /// A new field between them.
                pub later since 9: Vec<u32>,
                /// An original field.
                pub last: Option<u64>,
                /// The newest field.
                pub latest since 10: bool,
            }
        }
    }
    use grown::Grown;

    #[test]
    fn a_record_is_read_in_the_form_that_it_was_written_in() {
        let grown = |later: &[u32], latest| Grown { first: "one".into(), later: later.into(), last: Some(300), latest };
        let mut before = Vec::new();
        for _ in 0..2 {
            Text::from("one").put(&mut before);
            Some(300_u64).put(&mut before);
        }
        let mut reader = Reader::new(&before).of_form(8);
        for _ in 0..2 {
            assert_eq!(Grown::take(&mut reader), grown(&[], false));
        }
        assert!(reader.is_done() && !reader.has_failed());

        let mut bytes = Vec::new();
        grown(&[7, 8], true).put(&mut bytes);
        assert_eq!(Grown::take(&mut Reader::new(&bytes).of_form(10)), grown(&[7, 8], true));
        // Without the last byte they have form 9.
        bytes.pop();
        assert_eq!(Grown::take(&mut Reader::new(&bytes).of_form(9)), grown(&[7, 8], false));

        let since: Vec<_> = Grown::shape().into_iter().map(|field| field.since).collect();
        assert_eq!(since, [None, Some(9), None, Some(10)]);
    }
}
