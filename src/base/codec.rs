//! How facts become bytes and bytes facts: LEB128 numbers, length-prefixed UTF-8.
//!
//! Owns: the form of each field type. Never: knows which facts there are (`fact.rs` declares them).
//! Decoding trusts nothing: every length is checked against what is there, so any bytes give either
//! facts or the place of the first wrong one.

use crate::base::amounts::{Amounts, Nanos};
use crate::base::slab::Key;

/// Text kept by the core. Boxed, so that it costs two words beside its bytes.
pub type Text = Box<str>;

/// The bytes at `at` are not what was promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("malformed facts at byte {at}")]
pub struct Malformed {
    /// Offset of the first byte that is wrong.
    pub at: usize,
}

/// Reads fields from bytes.
#[derive(Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// Starts at the first byte.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Offset of the next byte.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }

    /// Whether every byte has been read.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// The next byte.
    ///
    /// # Errors
    /// `Malformed` when there is none.
    pub fn byte(&mut self) -> Result<u8, Malformed> {
        let byte = self.bytes.get(self.at).copied().ok_or(Malformed { at: self.at })?;
        self.at = self.at.saturating_add(1);
        Ok(byte)
    }

    /// The next byte, where it is a whole number.
    #[inline]
    pub(crate) fn small(&mut self) -> Option<u64> {
        let byte = self.bytes.get(self.at).copied().filter(|byte| *byte < 0x80)?;
        self.at = self.at.saturating_add(1);
        Some(u64::from(byte))
    }

    /// The next `len` bytes.
    ///
    /// # Errors
    /// `Malformed` when fewer are left.
    pub fn bytes(&mut self, len: usize) -> Result<&'a [u8], Malformed> {
        let end = self.at.checked_add(len).ok_or(Malformed { at: self.at })?;
        let bytes = self.bytes.get(self.at..end).ok_or(Malformed { at: self.at })?;
        self.at = end;
        Ok(bytes)
    }
}

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
    /// Appends the value.
    fn put(&self, out: &mut Vec<u8>);
    /// Reads one back.
    ///
    /// # Errors
    /// `Malformed` where the bytes are not such a value.
    fn take(reader: &mut Reader<'_>) -> Result<Self, Malformed>;
}

impl Field for u64 {
    fn kind() -> String {
        "number".into()
    }

    /// Out of line: every fact is made of these.
    #[inline(never)]
    fn put(&self, out: &mut Vec<u8>) {
        let mut rest = *self;
        while rest >= 0x80 {
            let [low, ..] = rest.to_le_bytes();
            out.push(low | 0x80);
            rest >>= 7;
        }
        let [last, ..] = rest.to_le_bytes();
        out.push(last);
    }

    fn take(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let start = reader.position();
        let mut value = 0_u64;
        for shift in (0_u32..64).step_by(7) {
            let byte = reader.byte()?;
            let bits = Self::from(byte & 0x7f);
            let placed = bits.checked_shl(shift).filter(|placed| placed >> shift == bits);
            value |= placed.ok_or(Malformed { at: start })?;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Malformed { at: start })
    }
}

impl Field for u32 {
    fn kind() -> String {
        "number".into()
    }

    #[inline(never)]
    fn put(&self, out: &mut Vec<u8>) {
        u64::from(*self).put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let at = reader.position();
        Self::try_from(u64::take(reader)?).map_err(|_| Malformed { at })
    }
}

/// Zigzag, so that small negative numbers stay short.
impl Field for i64 {
    fn kind() -> String {
        "signed".into()
    }

    #[inline(never)]
    fn put(&self, out: &mut Vec<u8>) {
        ((self << 1) ^ (self >> 63)).cast_unsigned().put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let zigzag = u64::take(reader)?;
        Ok((zigzag >> 1).cast_signed() ^ (zigzag & 1).cast_signed().wrapping_neg())
    }
}

impl Field for bool {
    fn kind() -> String {
        "boolean".into()
    }

    #[inline(never)]
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn take(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let at = reader.position();
        match reader.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Malformed { at }),
        }
    }
}

impl Field for Text {
    fn kind() -> String {
        "text".into()
    }

    #[inline(never)]
    fn put(&self, out: &mut Vec<u8>) {
        u64::try_from(self.len()).unwrap_or(u64::MAX).put(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn take(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let at = reader.position();
        let len = usize::try_from(u64::take(reader)?).map_err(|_| Malformed { at })?;
        let at = reader.position();
        let text = std::str::from_utf8(reader.bytes(len)?).map_err(|_| Malformed { at })?;
        Ok(text.into())
    }
}

impl Field for Key {
    fn kind() -> String {
        "task".into()
    }

    #[inline(never)]
    fn put(&self, out: &mut Vec<u8>) {
        self.slot.put(out);
        self.generation.put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { slot: u32::take(reader)?, generation: u32::take(reader)? })
    }
}

impl Field for Amounts {
    fn kind() -> String {
        "amounts".into()
    }

    #[inline(never)]
    fn put(&self, out: &mut Vec<u8>) {
        self.tokens.put(out);
        self.nanos.put(out);
        self.turns.put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { tokens: u64::take(reader)?, nanos: u64::take(reader)?, turns: u64::take(reader)? })
    }
}

impl Field for Nanos {
    fn kind() -> String {
        "dollars".into()
    }

    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        u64::take(reader).map(Self)
    }
}

impl<T: Field> Field for Option<T> {
    fn kind() -> String {
        T::kind() + "?"
    }

    #[inline(never)]
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }

    fn take(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        if bool::take(reader)? { T::take(reader).map(Some) } else { Ok(None) }
    }
}

impl<T: Field> Field for Vec<T> {
    fn kind() -> String {
        T::kind() + "[]"
    }

    #[inline(never)]
    fn put(&self, out: &mut Vec<u8>) {
        u64::try_from(self.len()).unwrap_or(u64::MAX).put(out);
        for value in self {
            value.put(out);
        }
    }

    fn take(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let count = u64::take(reader)?;
        let mut values = Self::new();
        for _ in 0..count {
            values.push(T::take(reader)?);
        }
        Ok(values)
    }
}

impl<T: Field> Field for Box<T> {
    fn kind() -> String {
        T::kind()
    }

    #[inline(never)]
    fn put(&self, out: &mut Vec<u8>) {
        self.as_ref().put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        T::take(reader).map(Self::new)
    }
}

/// Declares a plain struct whose fields are stored one after the other.
macro_rules! record {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[doc = $doc:literal])+ pub $field:ident: $type:ty,)+ }) => {
        $(#[$meta])*
        pub struct $name { $($(#[doc = $doc])+ pub $field: $type,)+ }

        impl $crate::base::codec::Field for $name {
            fn kind() -> String { stringify!($name).into() }
            #[inline(never)]
    fn put(&self, out: &mut Vec<u8>) { $(self.$field.put(out);)+ }
            fn take(reader: &mut $crate::base::codec::Reader<'_>) -> Result<Self, $crate::base::codec::Malformed> {
                Ok(Self { $($field: $crate::base::codec::Field::take(reader)?,)+ })
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
        let mut bytes = Vec::new();
        value.put(&mut bytes);
        let mut reader = Reader::new(&bytes);
        assert_eq!(T::take(&mut reader).as_ref(), Ok(value));
        assert!(reader.is_done());
        for cut in 0..bytes.len() {
            assert!(T::take(&mut Reader::new(&bytes[..cut])).is_err(), "a torn value must not read");
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
        fn any_bytes_read_or_are_refused(bytes: Vec<u8>) {
            let _ = Text::take(&mut Reader::new(&bytes));
            let _ = <Vec<u64> as Field>::take(&mut Reader::new(&bytes));
            let _ = <Option<Key> as Field>::take(&mut Reader::new(&bytes));
        }
    }
}
