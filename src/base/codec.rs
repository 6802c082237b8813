//! Encodes and decodes facts: LEB128 numbers, length-prefixed UTF-8.
//!
//! Owns the form of each field type. Never: knows which facts there are (`fact.rs` declares them). Decoding checks every length
//! against the remaining bytes. Any bytes give either facts or the place of the first wrong byte.

use crate::base::amounts::{Amounts, Nanos};
use crate::base::reader::Reader;
use crate::base::slab::Key;

/// Text stored by the core. Boxed: it costs two words besides its bytes.
pub type Text = Box<str>;

/// A field of a fact, or of a record in one, for readers in other languages.
#[derive(Clone, Debug)]
pub struct FieldShape {
    /// Its name.
    pub name: &'static str,
    /// The name of the form of its values; `?` marks an optional value, `[]` a list.
    pub kind: String,
    /// The stored form that added it; none if all forms have it.
    pub since: Option<u64>,
    /// Its meaning.
    pub doc: &'static str,
}

/// A type that facts may hold.
pub trait Field: Sized {
    /// The name of the form, for readers in other languages; `?` marks an optional value, `[]` a list.
    fn kind() -> String;
    /// The fields that it adds to a fact: itself, or each field of a record that facts flatten.
    #[must_use]
    fn fields(name: &'static str, since: Option<u64>, doc: &'static str) -> Vec<FieldShape> {
        vec![FieldShape { name, kind: Self::kind(), since, doc }]
    }
    /// Appends the value.
    fn put(&self, out: &mut Vec<u8>);
    /// Reads one back. If the bytes are invalid, the reader fails, and the value means nothing.
    fn take(reader: &mut Reader<'_>) -> Self;
}

impl Field for u64 {
    fn kind() -> String {
        "number".into()
    }

    #[inline]
    fn put(&self, out: &mut Vec<u8>) {
        put_number(*self, out);
    }

    #[inline(never)]
    fn take(reader: &mut Reader<'_>) -> Self {
        reader.number()
    }
}

/// Out of line: every fact is made of these.
#[inline(never)]
fn put_number(value: u64, out: &mut Vec<u8>) {
    let [byte, ..] = value.to_le_bytes();
    if value < 0x80 { out.push(byte) } else { put_long(value, out) }
}

/// In each byte, the bit that is set if another byte follows.
const FOLLOWED: u64 = 0x8080_8080_8080_8080;

/// Writes a number of more than one byte, eight bytes at once: one by one takes several times as long.
#[inline(never)]
fn put_long(value: u64, out: &mut Vec<u8>) {
    let sevens = sevens(value);
    let rest = value >> 56;
    if rest > 0 {
        out.extend_from_slice(&(sevens | FOLLOWED).to_le_bytes());
        rest.put(out);
        return;
    }
    // At least two bytes have bits; all but the last are followed by another.
    let free = sevens.leading_zeros() >> 3;
    let followed = FOLLOWED.wrapping_shr((free << 3).wrapping_add(8));
    out.extend_from_slice(&(sevens | followed).to_le_bytes());
    out.truncate(out.len().saturating_sub(usize::try_from(free).unwrap_or_default()));
}

/// The low 56 bits, seven in each byte.
const fn sevens(value: u64) -> u64 {
    let halves = ((value & 0x00ff_ffff_f000_0000) << 4) | (value & 0x0fff_ffff);
    let quarters = ((halves & 0x0fff_c000_0fff_c000) << 2) | (halves & 0x0000_3fff_0000_3fff);
    ((quarters & 0x3f80_3f80_3f80_3f80) << 1) | (quarters & 0x007f_007f_007f_007f)
}

impl Field for u32 {
    fn kind() -> String {
        "number".into()
    }

    #[inline]
    fn put(&self, out: &mut Vec<u8>) {
        put_number(u64::from(*self), out);
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

/// Zigzag: small negative numbers stay short.
impl Field for i64 {
    fn kind() -> String {
        "signed".into()
    }

    #[inline(never)]
    fn put(&self, out: &mut Vec<u8>) {
        ((self << 1) ^ (self >> 63)).cast_unsigned().put(out);
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

    #[inline(never)]
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
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

    #[inline(never)]
    fn put(&self, out: &mut Vec<u8>) {
        u64::try_from(self.len()).unwrap_or(u64::MAX).put(out);
        out.extend_from_slice(self.as_bytes());
    }

    #[inline(never)]
    fn take(reader: &mut Reader<'_>) -> Self {
        // A length that is no `usize` exceeds the remaining bytes.
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

    #[inline(never)]
    fn put(&self, out: &mut Vec<u8>) {
        self.index.put(out);
        self.generation.put(out);
    }

    #[inline(never)]
    fn take(reader: &mut Reader<'_>) -> Self {
        Self { index: u32::take(reader), generation: u32::take(reader) }
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

    #[inline(never)]
    fn take(reader: &mut Reader<'_>) -> Self {
        Self { tokens: u64::take(reader), nanos: u64::take(reader), turns: u64::take(reader) }
    }
}

impl Field for Nanos {
    fn kind() -> String {
        "dollars".into()
    }

    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Self {
        Self(u64::take(reader))
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

    #[inline(never)]
    fn take(reader: &mut Reader<'_>) -> Self {
        bool::take(reader).then(|| T::take(reader))
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

    #[inline(never)]
    fn put(&self, out: &mut Vec<u8>) {
        self.as_ref().put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Self {
        Self::new(T::take(reader))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn there_and_back<T: Field + PartialEq + std::fmt::Debug>(value: &T) {
        let mut bytes = Vec::new();
        value.put(&mut bytes);
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
                    bytes.push(rest.to_le_bytes()[0] | 0x80);
                    rest >>= 7;
                }
                bytes.push(rest.to_le_bytes()[0]);
                let mut put = vec![9];
                number.put(&mut put);
                assert_eq!(put.split_off(1), bytes, "{number}");
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
        fn any_bytes_read_or_are_refused(bytes: Vec<u8>) {
            let _ = Text::take(&mut Reader::new(&bytes));
            let _ = <Vec<u64> as Field>::take(&mut Reader::new(&bytes));
            let _ = <Option<Key> as Field>::take(&mut Reader::new(&bytes));
        }
    }
}
