//! A 64-bit hash that is the same on every machine and in every version. Owns its function.

use std::hash::Hasher;

/// FNV-1a: the same on every machine and in every version, unlike the standard library's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Digest {
    fn finish(&self) -> u64 {
        self.0
    }

    /// Out of line: every field of every record passes through here.
    #[inline(never)]
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published test vector of FNV-1a for 64 bits.
    #[test]
    fn the_digest_is_fnv_1a() {
        let mut digest = Digest::default();
        digest.write(b"foobar");
        assert_eq!(digest.finish(), 0x8594_4171_f739_67e8);
    }
}
