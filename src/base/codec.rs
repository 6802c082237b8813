//! How facts become bytes and bytes facts: LEB128 numbers, length-prefixed UTF-8.
//!
//! Owns: the form of each field type. Never: knows which facts there are (`fact.rs` declares them).
//! Decoding trusts nothing: every length is checked against what is there, so any bytes give either
//! facts or the place of the first wrong one.

use crate::base::amounts::{Amounts, Nanos};
use crate::base::reader::Reader;
use crate::base::slab::Key;
use crate::base::writer::Writer;

/// Text kept by the core. Boxed, so that it costs two words beside its bytes.
pub type Text = Box<str>;

/// A type that facts may hold.
pub trait Field: Sized {
    /// The name of the form, for readers in other languages; `?` marks what may be absent, `[]` a list.
    fn kind() -> String;
    /// Names, kinds and contents of what it adds to a fact as its field of this name: itself, unless it is a record whose
    /// fields stand in the fact one by one.
    #[must_use]
    fn fields(name: &'static str, doc: &'static str) -> Vec<(&'static str, String, &'static str)> {
        vec![(name, Self::kind(), doc)]
    }
    /// Appends the value; its first number has the place `at` among those that wait. Returns the place of the next one.
    fn put(&self, out: &mut Writer, at: usize) -> usize;
    /// Reads one back. Where the bytes are not such a value the reader has failed, and the value means nothing.
    fn take(reader: &mut Reader<'_>) -> Self;
}

impl Writer {
    /// Appends a value.
    #[inline(never)]
    pub fn put(&mut self, value: &impl Field) {
        let to = value.put(self, 0);
        self.write(to);
    }

    /// The bytes of one value.
    #[must_use]
    pub fn bytes_of(value: &impl Field) -> Vec<u8> {
        let mut writer = Self::default();
        writer.put(value);
        writer.into_bytes()
    }

    /// How many values there are, and these. How many numbers they have is not known where the fact is compiled: they are
    /// written at once, and the numbers behind them have the places from there on.
    #[inline(always)]
    pub(crate) fn values<T: Field>(&mut self, at: usize, values: &[T]) -> usize {
        let at = self.free(at);
        self.values_at(at, values);
        at.saturating_add(1)
    }

    /// Out of line: most facts have some that are not there.
    #[inline(never)]
    fn values_at<T: Field>(&mut self, at: usize, values: &[T]) {
        if self.opens(at, values.len()) {
            for value in values {
                self.put(value);
            }
            self.go_on_from(at.saturating_add(1));
        }
    }
}

impl Field for u64 {
    fn kind() -> String {
        "number".into()
    }

    #[inline(always)]
    fn put(&self, out: &mut Writer, at: usize) -> usize {
        out.number(at, *self)
    }

    #[inline(never)]
    fn take(reader: &mut Reader<'_>) -> Self {
        reader.number()
    }
}

impl Field for u32 {
    fn kind() -> String {
        "number".into()
    }

    #[inline(always)]
    fn put(&self, out: &mut Writer, at: usize) -> usize {
        out.number(at, u64::from(*self))
    }

    #[inline(never)]
    fn take(reader: &mut Reader<'_>) -> Self {
        let at = reader.position();
        Self::try_from(u64::take(reader)).unwrap_or_else(|_| {
            reader.fail(at);
            0
        })
    }
}

/// Zigzag, so that small negative numbers stay short.
impl Field for i64 {
    fn kind() -> String {
        "signed".into()
    }

    #[inline(always)]
    fn put(&self, out: &mut Writer, at: usize) -> usize {
        out.number(at, ((self << 1) ^ (self >> 63)).cast_unsigned())
    }

    #[inline(never)]
    fn take(reader: &mut Reader<'_>) -> Self {
        let zigzag = u64::take(reader);
        (zigzag >> 1).cast_signed() ^ (zigzag & 1).cast_signed().wrapping_neg()
    }
}

impl Field for bool {
    fn kind() -> String {
        "boolean".into()
    }

    #[inline(always)]
    fn put(&self, out: &mut Writer, at: usize) -> usize {
        out.number(at, u64::from(*self))
    }

    #[inline(never)]
    fn take(reader: &mut Reader<'_>) -> Self {
        let at = reader.position();
        match reader.byte() {
            0 => false,
            1 => true,
            _ => {
                reader.fail(at);
                false
            }
        }
    }
}

impl Field for Text {
    fn kind() -> String {
        "text".into()
    }

    #[inline(always)]
    fn put(&self, out: &mut Writer, at: usize) -> usize {
        let next = out.number(at, u64::try_from(self.len()).unwrap_or(u64::MAX));
        out.stretch(next, self.as_bytes());
        0
    }

    #[inline(never)]
    fn take(reader: &mut Reader<'_>) -> Self {
        // A length that is no `usize` is longer than what there is.
        let len = usize::try_from(u64::take(reader)).unwrap_or(usize::MAX);
        let at = reader.position();
        let text = std::str::from_utf8(reader.bytes(len)).unwrap_or_else(|_| {
            reader.fail(at);
            ""
        });
        text.into()
    }
}

impl Field for Key {
    fn kind() -> String {
        "task".into()
    }

    #[inline(always)]
    fn put(&self, out: &mut Writer, at: usize) -> usize {
        let at = self.slot.put(out, at);
        self.generation.put(out, at)
    }

    #[inline(never)]
    fn take(reader: &mut Reader<'_>) -> Self {
        Self { slot: u32::take(reader), generation: u32::take(reader) }
    }
}

impl Field for Amounts {
    fn kind() -> String {
        "amounts".into()
    }

    #[inline(always)]
    fn put(&self, out: &mut Writer, at: usize) -> usize {
        let at = self.tokens.put(out, at);
        let at = self.nanos.put(out, at);
        self.turns.put(out, at)
    }

    #[inline(never)]
    fn take(reader: &mut Reader<'_>) -> Self {
        Self { tokens: u64::take(reader), nanos: u64::take(reader), turns: u64::take(reader) }
    }
}

impl Field for Nanos {
    fn kind() -> String {
        "dollars".into()
    }

    #[inline(always)]
    fn put(&self, out: &mut Writer, at: usize) -> usize {
        self.0.put(out, at)
    }

    fn take(reader: &mut Reader<'_>) -> Self {
        Self(u64::take(reader))
    }
}

impl<T: Field> Field for Option<T> {
    fn kind() -> String {
        T::kind() + "?"
    }

    #[inline(always)]
    fn put(&self, out: &mut Writer, at: usize) -> usize {
        out.values(at, self.as_slice())
    }

    #[inline(never)]
    fn take(reader: &mut Reader<'_>) -> Self {
        bool::take(reader).then(|| T::take(reader))
    }
}

impl<T: Field> Field for Vec<T> {
    fn kind() -> String {
        T::kind() + "[]"
    }

    #[inline(always)]
    fn put(&self, out: &mut Writer, at: usize) -> usize {
        out.values(at, self)
    }

    #[inline(never)]
    fn take(reader: &mut Reader<'_>) -> Self {
        let mut left = u64::take(reader);
        let mut values = Self::new();
        while left > 0 && !reader.has_failed() {
            values.push(T::take(reader));
            left = left.saturating_sub(1);
        }
        values
    }
}

impl<T: Field> Field for Box<T> {
    fn kind() -> String {
        T::kind()
    }

    #[inline(always)]
    fn put(&self, out: &mut Writer, at: usize) -> usize {
        self.as_ref().put(out, at)
    }

    fn take(reader: &mut Reader<'_>) -> Self {
        Self::new(T::take(reader))
    }
}

/// Declares a plain struct whose fields are stored one after the other.
macro_rules! record {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[doc = $doc:literal])+ pub $field:ident: $type:ty,)+ }) => {
        $(#[$meta])*
        pub struct $name { $($(#[doc = $doc])+ pub $field: $type,)+ }

        impl $crate::base::codec::Field for $name {
            fn kind() -> String { stringify!($name).into() }
            #[inline]
            fn put(&self, out: &mut $crate::base::writer::Writer, at: usize) -> usize {
                $(let at = self.$field.put(out, at);)+
                at
            }
            #[inline(never)]
            fn take(reader: &mut $crate::base::reader::Reader<'_>) -> Self {
                Self { $($field: $crate::base::codec::Field::take(reader),)+ }
            }
        }

        impl $crate::base::wide::Widen for $name {
            #[inline(never)]
            fn widen(&self, out: &mut $crate::base::wide::Wide) { $(self.$field.widen(out);)+ }
        }

        impl $name {
            /// What each field holds, in stored order. For docs: the module that ships needs none.
            #[cfg(not(target_arch = "wasm32"))]
            pub const DOCS: &'static [&'static str] = &[$(concat!($($doc),+),)+];

            /// Names and kinds of the fields, in stored order.
            #[must_use]
            pub fn shape() -> Vec<(&'static str, String)> {
                vec![$((stringify!($field), <$type as $crate::base::codec::Field>::kind()),)+]
            }
        }
    };
}
pub(crate) use record;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn there_and_back<T: Field + PartialEq + std::fmt::Debug>(value: &T) {
        let bytes = Writer::bytes_of(value);
        let mut reader = Reader::new(&bytes);
        assert_eq!(&T::take(&mut reader), value);
        assert!(reader.is_done());
        assert_eq!(reader.check(), Ok(()));
        for cut in 0..bytes.len() {
            let mut torn = Reader::new(&bytes[..cut]);
            T::take(&mut torn);
            assert!(torn.has_failed(), "a torn value must not read");
        }
    }

    #[test]
    fn a_number_takes_no_more_bytes_than_it_has_sevens() {
        for bit in 0..64 {
            for number in [1 << bit, (1 << bit) - 1, u64::MAX >> bit] {
                let (mut bytes, mut rest) = (vec![], number);
                while rest >= 0x80 {
                    bytes.push(u8::try_from(rest & 0x7f).unwrap() | 0x80);
                    rest >>= 7;
                }
                bytes.push(u8::try_from(rest).unwrap());
                assert_eq!(Writer::bytes_of(&number), bytes, "{number}");
                there_and_back(&number);
            }
        }
    }

    proptest! {
        #[test]
        fn every_value_reads_back_and_no_torn_one_does(n: u64, s: i64, text: String, list: Vec<u32>, flag: Option<bool>) {
            there_and_back(&n);
            there_and_back(&s);
            there_and_back(&Text::from(text));
            there_and_back(&list);
            there_and_back(&flag);
        }

        #[test]
        fn any_number_of_numbers_waits_among_texts_and_lists(values: Vec<(Vec<u64>, String, Option<Vec<u64>>)>) {
            let mut writer = Writer::default();
            let mut at = 0_usize;
            for (numbers, text, list) in &values {
                for number in numbers {
                    at = writer.number(at, *number);
                }
                at = Text::from(text.as_str()).put(&mut writer, at);
                at = list.put(&mut writer, at);
            }
            writer.write(at);
            let mut reader = Reader::new(writer.bytes());
            for (numbers, text, list) in &values {
                for number in numbers {
                    prop_assert_eq!(reader.number(), *number);
                }
                prop_assert_eq!(&*Text::take(&mut reader), text.as_str());
                prop_assert_eq!(&<Option<Vec<u64>> as Field>::take(&mut reader), list);
            }
            prop_assert!(reader.is_done());
            prop_assert_eq!(reader.check(), Ok(()));
        }

        #[test]
        fn any_bytes_read_or_are_refused(bytes: Vec<u8>) {
            let _ = Text::take(&mut Reader::new(&bytes));
            let _ = <Vec<u64> as Field>::take(&mut Reader::new(&bytes));
            let _ = <Option<Key> as Field>::take(&mut Reader::new(&bytes));
        }
    }
}
