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
    #[inline]
    pub(super) fn next(&mut self, len: u32) -> Option<Text> {
        if len == NONE { None } else { Some(self.take(len)) }
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

/// Most texts are ASCII, which is seen in a fourth of the steps that a whole check takes.
#[cfg(target_arch = "wasm32")]
fn as_text(bytes: &[u8]) -> Result<&str, std::str::Utf8Error> {
    // 64 at a time, which the compiler does with four registers.
    let (blocks, rest) = bytes.as_chunks::<64>();
    let all = blocks.iter().fold([0_u8; 64], |all, block| std::array::from_fn(|at| all[at] | block[at]));
    let rest = rest.iter().fold(0, |all, byte| all | byte);
    if (all.iter().fold(0, |all, byte| all | byte) | rest) < 0x80 {
        // SAFETY: each byte is ASCII, so together they are UTF-8.
        #[expect(unsafe_code, reason = "the standard library has no safe way to use what is known of the bytes")]
        return Ok(unsafe { std::str::from_utf8_unchecked(bytes) });
    }
    std::str::from_utf8(bytes)
}

#[cfg(not(target_arch = "wasm32"))]
fn as_text(bytes: &[u8]) -> Result<&str, std::str::Utf8Error> {
    std::str::from_utf8(bytes)
}
