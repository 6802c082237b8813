//! Records within facts, whose fields are stored one after the other. Owns how one is declared, and that a field of a
//! later form is left out of bytes of an earlier one.

/// The next field, or the default of one that what is read is too early for.
macro_rules! next_field {
    ($reader:ident) => {
        $crate::base::codec::Field::take($reader)
    };
    ($reader:ident since $form:literal) => {
        if $reader.has_since($form) { $crate::base::codec::Field::take($reader) } else { Default::default() }
    };
}
pub(crate) use next_field;

/// The form that a field came with.
macro_rules! form_of {
    () => {
        None
    };
    ($form:literal) => {
        Some($form)
    };
}
pub(crate) use form_of;

/// Declares a plain struct whose fields are stored one after the other. A later field says which form added it: `name since 7:
/// type`. In an earlier form it is its type's default.
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
            /// A record that got fields with the forms 9 and 10.
            #[derive(Debug, PartialEq)]
            pub struct Grown {
                /// One that it always had.
                pub first: Text,
                /// One between the others.
                pub later since 9: Vec<u32>,
                /// One that it always had.
                pub last: Option<u64>,
                /// The one that came last.
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
        // Without the last byte they are of form 9.
        bytes.pop();
        assert_eq!(Grown::take(&mut Reader::new(&bytes).of_form(9)), grown(&[7, 8], false));

        let since: Vec<_> = Grown::shape().into_iter().map(|field| field.since).collect();
        assert_eq!(since, [None, Some(9), None, Some(10)]);
    }
}
