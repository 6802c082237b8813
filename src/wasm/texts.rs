//! The texts that JavaScript puts into the scratch, one after the other. Owns where each ends, and that any bytes become a text.
//! Native too: the fuzzer reads it (`tests/fuzz/fuzz_targets/boundary.rs`).

use crate::base::codec::Text;
use crate::model::codes::NO_TEXT;

/// Reads texts from the scratch in their order.
pub(super) struct Texts<'a> {
    rest: &'a [u8],
}

impl<'a> Texts<'a> {
    pub(super) const fn new(scratch: &'a [u8]) -> Self {
        Self { rest: scratch }
    }

    /// The next `len` bytes, or an empty text if fewer are left; `None` if the length is `NO_TEXT`.
    #[inline]
    pub(super) fn next(&mut self, len: u32) -> Option<Text> {
        if len == NO_TEXT.cast_unsigned() { None } else { Some(self.take(len)) }
    }

    /// The next text after its length, which takes four bytes.
    pub(super) fn next_framed(&mut self) -> Option<Text> {
        let (len, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        self.next(u32::from_le_bytes(*len))
    }

    #[inline(never)]
    fn take(&mut self, len: u32) -> Text {
        let (bytes, rest) = self.rest.split_at_checked(super::numbers::wide(len)).unwrap_or_default();
        self.rest = rest;
        match as_text(bytes) {
            Ok(text) => text.into(),
            Err(_) => String::from_utf8_lossy(bytes).into_owned().into(),
        }
    }
}

/// Most texts are ASCII: checking that takes a fourth of the steps of a whole check.
#[cfg(target_arch = "wasm32")]
fn as_text(bytes: &[u8]) -> Result<&str, std::str::Utf8Error> {
    if is_ascii(bytes) {
        // SAFETY: each byte is ASCII, so together they are UTF-8.
        #[expect(unsafe_code, reason = "the standard library has no safe way to use what is known of the bytes")]
        return Ok(unsafe { std::str::from_utf8_unchecked(bytes) });
    }
    std::str::from_utf8(bytes)
}

/// Checks 16 bytes at once; the last ones may be checked twice.
#[cfg(target_arch = "wasm32")]
fn is_ascii(bytes: &[u8]) -> bool {
    use std::arch::wasm32::{i8x16_bitmask, v128, v128_load, v128_or};
    // SAFETY: there are 16 bytes; no alignment is needed.
    #[expect(unsafe_code, reason = "there is no safe way to load a register")]
    let load = |chunk: &[u8; 16]| unsafe { v128_load(chunk.as_ptr().cast::<v128>()) };
    let Some(last) = bytes.last_chunk::<16>() else { return bytes.is_ascii() };
    let all = bytes.as_chunks::<16>().0.iter().fold(load(last), |all, chunk| v128_or(all, load(chunk)));
    i8x16_bitmask(all) == 0
}

#[cfg(not(target_arch = "wasm32"))]
fn as_text(bytes: &[u8]) -> Result<&str, std::str::Utf8Error> {
    std::str::from_utf8(bytes)
}
