//! Reads bytes that may be wrong: LEB128 numbers and runs of bytes, each checked against the remaining bytes. Owns the place of
//! the first wrong byte and the form of the bytes; `codec.rs` has the fields.

use crate::base::form::FORM;

/// The bytes at `at` are malformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("malformed facts at byte {at}")]
pub struct Malformed {
    /// Offset of the first wrong byte.
    pub at: usize,
}

/// Reads fields from bytes. After a wrong field it reads blanks, and [`Reader::check`] reports the error at the end. So readers
/// of records need no early return at each field.
#[derive(Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    form: u64,
    failed: Option<Malformed>,
}

impl<'a> Reader<'a> {
    /// Starts at the first byte, in the current form.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, form: FORM, failed: None }
    }

    /// The same reader, for bytes of this form from here on.
    #[must_use]
    pub const fn of_form(self, form: u64) -> Self {
        Self { form, ..self }
    }

    /// Whether the bytes have fields that this form added.
    #[must_use]
    pub const fn has_since(&self, form: u64) -> bool {
        self.form >= form
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

    /// Notes that the bytes at `at` are wrong; only the first note counts.
    #[cold]
    #[inline(never)]
    pub fn fail(&mut self, at: usize) {
        self.failed = self.failed.or(Some(Malformed { at }));
        // Nothing more can be read.
        (self.bytes, self.at) = (&[], at);
    }

    /// Whether a byte was wrong so far.
    #[must_use]
    pub const fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    /// Fails if a byte was wrong so far.
    ///
    /// # Errors
    /// `Malformed`, with the place of the first wrong byte.
    pub fn check(&self) -> Result<(), Malformed> {
        self.failed.map_or(Ok(()), Err)
    }

    /// The next byte; 0 if there is none.
    #[inline]
    pub fn byte(&mut self) -> u8 {
        let Some(byte) = self.bytes.get(self.at) else {
            self.fail(self.at);
            return 0;
        };
        self.at = self.at.saturating_add(1);
        *byte
    }

    /// The next number. Nearly all take one byte.
    #[inline]
    pub(crate) fn number(&mut self) -> u64 {
        match self.bytes.get(self.at) {
            Some(byte) if *byte < 0x80 => {
                self.at = self.at.saturating_add(1);
                u64::from(*byte)
            }
            Some(_) | None => take_long(self),
        }
    }

    /// The next `len` bytes; none if fewer are left.
    pub fn bytes(&mut self, len: usize) -> &'a [u8] {
        let end = self.at.saturating_add(len);
        let Some(bytes) = self.bytes.get(self.at..end) else {
            self.fail(self.at);
            return &[];
        };
        self.at = end;
        bytes
    }
}

/// A number of more than one byte.
#[inline(never)]
fn take_long(reader: &mut Reader<'_>) -> u64 {
    let start = reader.position();
    let mut value = 0_u64;
    for shift in (0_u32..64).step_by(7) {
        let byte = reader.byte();
        let bits = u64::from(byte & 0x7f);
        let Some(placed) = bits.checked_shl(shift).filter(|placed| placed >> shift == bits) else { break };
        value |= placed;
        if byte & 0x80 == 0 {
            return value;
        }
    }
    reader.fail(start);
    0
}
