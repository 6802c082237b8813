//! The texts that JavaScript leaves in the scratch, one after the other. Owns where each ends, and that any
//! bytes give a text. Native as well: the fuzzer reads it (`fuzz/fuzz_targets/boundary.rs`).

use crate::base::codec::Text;
use crate::base::slab::NONE;

/// Reads texts from the scratch in their order.
pub(super) struct Texts<'a> {
    rest: &'a [u8],
}

impl<'a> Texts<'a> {
    pub(super) const fn new(scratch: &'a [u8]) -> Self {
        Self { rest: scratch }
    }

    /// The next `len` bytes; none where they are not there. A length of 2^32 - 1 stands for no text.
    pub(super) fn next(&mut self, len: u32) -> Option<Text> {
        if len == NONE {
            return None;
        }
        let (bytes, rest) = self.rest.split_at_checked(super::numbers::wide(len)).unwrap_or_default();
        self.rest = rest;
        Some(match std::str::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(_) => String::from_utf8_lossy(bytes).into_owned().into(),
        })
    }
}
