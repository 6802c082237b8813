//! Writes the state as a snapshot's bytes and reads them. Each record lists its fields once, in a fixed order, and the same walk
//! writes and reads them.
//!
//! Owns the form of fields. Never: knows which records there are; each declares its own walk. A record lists all its fields: the
//! compiler asks for a new one. Snapshots stay readable for ever. A new field raises [`FORM`](crate::base::form::FORM), and the
//! walk leaves it out of earlier forms.
//!
//! Reading trusts the checksum before a snapshot. Other bytes give an error, without a panic, and take no more memory than their
//! number allows.

use crate::base::codec::Field;
use crate::base::reader::{Malformed, Reader};

/// Writes while it has no reader.
#[derive(Debug, Default)]
pub(crate) struct Codec<'a> {
    reader: Option<Reader<'a>>,
    out: Vec<u8>,
    /// If bytes are only counted: the number written and dropped.
    counted: Option<usize>,
}

/// Above this number, counted bytes are dropped.
const COUNTED: usize = 1 << 12;

impl<'a> Codec<'a> {
    /// Appends the bytes of a value. Counts them first, so that memory never holds them twice.
    pub(crate) fn write(value: &mut impl Stored, mut out: Vec<u8>) -> Vec<u8> {
        let mut counting = Self { counted: Some(0), ..Self::default() };
        value.walk(&mut counting);
        out.reserve_exact(counting.counted.unwrap_or_default().saturating_add(counting.out.len()));
        let mut writing = Self { out, ..Self::default() };
        value.walk(&mut writing);
        writing.out
    }

    /// Reads a value from all remaining bytes.
    pub(crate) fn read(value: &mut impl Stored, reader: Reader<'a>) -> Result<(), Malformed> {
        let mut codec = Self { reader: Some(reader), ..Self::default() };
        value.walk(&mut codec);
        let Some(reader) = codec.reader else { return Ok(()) };
        reader.check()?;
        if reader.is_done() { Ok(()) } else { Err(Malformed { at: reader.position() }) }
    }

    pub(crate) const fn is_reading(&self) -> bool {
        self.reader.is_some()
    }

    /// Whether the bytes have fields that this form added; written bytes have all.
    #[cfg_attr(not(test), expect(dead_code, reason = "form 1 is the first"))]
    pub(crate) fn has_since(&self, form: u64) -> bool {
        self.reader.as_ref().is_none_or(|reader| reader.has_since(form))
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.reader.as_ref().is_some_and(Reader::has_failed)
    }

    /// Notes that the bytes are wrong; only the first place counts.
    pub(crate) fn fail(&mut self) {
        if let Some(reader) = &mut self.reader {
            reader.fail(reader.position());
        }
    }

    /// Writes the whole number and returns it, or returns the one read.
    #[inline(never)]
    pub(crate) fn number(&mut self, value: u64) -> u64 {
        match &mut self.reader {
            None => {
                value.put(&mut self.out);
                value
            }
            Some(reader) => reader.number(),
        }
    }

    /// Writes or reads a value in its form in facts.
    fn field<T: Field>(&mut self, value: &mut T) {
        match &mut self.reader {
            None => value.put(&mut self.out),
            Some(reader) => *value = T::take(reader),
        }
    }

    /// Drops counted bytes, between two records.
    pub(crate) fn relieve(&mut self) {
        if let Some(counted) = self.counted.as_mut().filter(|_| self.out.len() > COUNTED) {
            *counted = counted.saturating_add(self.out.len());
            self.out.clear();
        }
    }
}

/// A type that a snapshot may hold.
pub(crate) trait Stored: Sized {
    /// The value to read into.
    fn blank() -> Self;
    /// Writes or reads it, field by field.
    fn walk(&mut self, codec: &mut Codec<'_>);
}

/// Declares how a record is stored: all its fields, in a fixed order. A field of a later form is marked, in any place: `a, b
/// since 2, c`.
macro_rules! stored {
    ($name:ty { $($field:ident $(since $form:literal)?),+ $(,)? }) => {
        $crate::base::stored::stored!($name { $($field $(since $form)?),+ } from Self::default());
    };
    ($name:ty { $($field:ident $(since $form:literal)?),+ $(,)? } from $blank:expr) => {
        impl $crate::base::stored::Stored for $name {
            fn blank() -> Self { $blank }
            #[inline(never)]
            fn walk(&mut self, codec: &mut $crate::base::stored::Codec<'_>) {
                let Self { $($field),+ } = self;
                $($crate::base::stored::walk_field!(codec ($field $($form)?));)+
            }
        }
    };
}
pub(crate) use stored;

macro_rules! walk_field {
    ($codec:ident ($field:ident)) => {
        $crate::base::stored::Stored::walk($field, $codec)
    };
    ($codec:ident ($field:ident $form:literal)) => {
        if $codec.has_since($form) {
            $crate::base::stored::Stored::walk($field, $codec);
        }
    };
}
pub(crate) use walk_field;

/// Declares the stored numbers of a closed list's values; none is reused.
macro_rules! stored_list {
    ($name:ty { $first:ident = 0 $(, $variant:ident = $number:literal)* $(,)? }) => {
        impl $crate::base::stored::Stored for $name {
            fn blank() -> Self { Self::$first }
            fn walk(&mut self, codec: &mut $crate::base::stored::Codec<'_>) {
                *self = match codec.number(match self { Self::$first => 0, $(Self::$variant => $number,)* }) {
                    0 => Self::$first,
                    $($number => Self::$variant,)*
                    _ => return codec.fail(),
                };
            }
        }
    };
}
pub(crate) use stored_list;

/// Declares types that snapshots store as facts do.
macro_rules! stored_as_fields {
    ($($name:ty = $blank:expr;)+) => {
        $(impl $crate::base::stored::Stored for $name {
            fn blank() -> Self { $blank }
            fn walk(&mut self, codec: &mut $crate::base::stored::Codec<'_>) { codec.field_of(self); }
        })+
    };
}
pub(crate) use stored_as_fields;

impl Codec<'_> {
    /// For [`stored_as_fields`].
    #[inline(never)]
    pub(crate) fn field_of<T: Field>(&mut self, value: &mut T) {
        self.field(value);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::*;
    use crate::base::codec::Text;
    use crate::base::slab::Key;

    #[derive(Debug, Default, PartialEq)]
    struct Grown {
        first: u64,
        later: u64,
        last: u64,
    }

    stored!(Grown { first, later since 9, last });

    #[test]
    fn a_field_that_came_with_a_later_form_is_left_out_of_an_earlier_one() {
        let mut read = Grown::default();
        assert_eq!(Codec::read(&mut read, Reader::new(&[1, 3]).of_form(8)), Ok(()));
        assert_eq!(read, Grown { first: 1, later: 0, last: 3 });
        assert_eq!(Codec::read(&mut read, Reader::new(&[1, 2, 3]).of_form(9)), Ok(()));
        assert_eq!(read, Grown { first: 1, later: 2, last: 3 });
    }

    type Everything = (Option<u32>, (Vec<(Text, u64)>, VecDeque<Option<bool>>), (Box<Key>, (u8, i64), [u32; 2]));

    proptest! {
        #[test]
        fn what_is_written_is_read_and_nothing_torn_or_longer_is(
            number: Option<u32>,
            list: Vec<(String, u64)>,
            flags: Vec<Option<bool>>,
            key: (u32, u32),
            small: (u8, i64),
            two: [u32; 2],
        ) {
            let list = list.into_iter().map(|(text, number)| (text.into(), number)).collect();
            let key = Box::new(Key { index: key.0, generation: key.1 });
            let mut value: Everything = (number, (list, flags.into()), (key, small, two));
            let mut bytes = Codec::write(&mut value, Vec::new());
            let mut read = Everything::blank();
            prop_assert_eq!(Codec::read(&mut read, Reader::new(&bytes)), Ok(()));
            prop_assert_eq!(&read, &value);
            for cut in 0..bytes.len() {
                prop_assert!(Codec::read(&mut Everything::blank(), Reader::new(&bytes[..cut])).is_err());
            }
            bytes.push(0);
            prop_assert!(Codec::read(&mut Everything::blank(), Reader::new(&bytes)).is_err());
        }

        #[test]
        fn any_bytes_read_or_are_refused(bytes: Vec<u8>) {
            let _ = Codec::read(&mut Everything::blank(), Reader::new(&bytes));
        }
    }

    #[test]
    fn bytes_are_counted_before_room_is_made() {
        let mut list: Vec<Text> = (0..999).map(|n| format!("text number {n}").into()).collect();
        let bytes = Codec::write(&mut list, Vec::new());
        assert_eq!(bytes.len(), bytes.capacity());
    }
}
