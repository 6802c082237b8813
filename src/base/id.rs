//! Task ids: `sub_` and 32 hex digits. Owns both conversions between keys and ids.
//!
//! An id is index, generation and the salt of the opening that made it, enciphered under the manager's random key. The cipher is
//! Speck128/128, 32 rounds of three additions and rotations. So decoding needs no table, one id reveals nothing about the next,
//! and a guessed id fails on the salt. It can't be guessed, but guards no secret. `state/tree/ids.rs` knows the salts.

use crate::base::run_key::RunKey;
use crate::base::slab::Key;

/// The beginning of every task id.
pub(crate) const PREFIX: &str = "sub_";
/// The salt of ids if the manager was not opened from facts.
pub(crate) const NO_SALT: u64 = 0x7375_6261_6765_6e74;
/// Salts stay below 2^53: readers in other languages get them exactly.
pub(crate) const SALT_MASK: u64 = (1 << 53) - 1;
const FENCE_MARK: u64 = 0x6665_6e63_6500_0000;
const WORK_MARK: u64 = 0x776f_726b_0000_0000;
/// The beginning of the key of work whose spawn has one.
const WORK_PREFIX: &str = "key_";
/// The beginning of every delivery id.
const DELIVERY_PREFIX: &str = "del_";
/// The lower half takes the number of the run.
const DELIVERY_MARK: u64 = 0x6e6f_7469 << 32;
/// The lower half takes the number of the run.
const DRAW_MARK: u64 = 0x6472_6177 << 32;
const ROUNDS: u64 = 32;

const fn mix(x: u64, y: u64, key: u64) -> (u64, u64) {
    let x = x.rotate_right(8).wrapping_add(y) ^ key;
    (x, y.rotate_left(3) ^ x)
}

fn round_keys((high, low): (u64, u64)) -> impl DoubleEndedIterator<Item = u64> + use<> {
    let mut keys = [0_u64; 32];
    let (mut schedule, mut key) = (high, low);
    for (round, kept) in (0..ROUNDS).zip(keys.iter_mut()) {
        *kept = key;
        (schedule, key) = mix(schedule, key, round);
    }
    keys.into_iter()
}

/// Out of line, like its inverse: 32 rounds unrolled into every caller would be kilobytes.
#[inline(never)]
fn encipher((mut schedule, mut key): (u64, u64), (mut x, mut y): (u64, u64)) -> (u64, u64) {
    for round in 0..ROUNDS {
        (x, y) = mix(x, y, key);
        (schedule, key) = mix(schedule, key, round);
    }
    (x, y)
}

#[inline(never)]
fn decipher(seed: (u64, u64), block: (u64, u64)) -> (u64, u64) {
    round_keys(seed).rev().fold(block, |(x, y), key| {
        let y = (y ^ x).rotate_right(3);
        ((x ^ key).wrapping_sub(y).rotate_left(8), y)
    })
}

fn place(key: Key) -> u64 {
    (u64::from(key.generation) << 32) | u64::from(key.index)
}

/// The id of a task.
#[must_use]
pub(crate) fn encode(seed: (u64, u64), salt: u64, key: Key) -> String {
    let (x, y) = encipher(seed, (salt, place(key)));
    named(PREFIX, &[x, y])
}

/// The id of a task as four numbers, of eight digits each.
#[must_use]
pub(crate) fn parts(seed: (u64, u64), salt: u64, key: Key) -> [u32; 4] {
    let (x, y) = encipher(seed, (salt, place(key)));
    let [a, b, c, d, e, f, g, h] = x.to_be_bytes();
    let [i, j, k, l, m, n, o, p] = y.to_be_bytes();
    [[a, b, c, d], [e, f, g, h], [i, j, k, l], [m, n, o, p]].map(u32::from_be_bytes)
}

/// A prefix, then 16 hex digits for each number. By hand: every event names a task, and `format!` is slow.
fn named(prefix: &str, numbers: &[u64]) -> String {
    let mut id = Vec::with_capacity(prefix.len().saturating_add(numbers.len().saturating_mul(16)));
    id.extend_from_slice(prefix.as_bytes());
    for number in numbers {
        let mut digits = [[0_u8; 2]; 8];
        for (pair, byte) in digits.iter_mut().zip(number.to_be_bytes()) {
            *pair = [digit(byte >> 4), digit(byte & 0xf)];
        }
        id.extend_from_slice(digits.as_flattened());
    }
    String::from_utf8(id).unwrap_or_default()
}

const fn digit(value: u8) -> u8 {
    value.wrapping_add(if value < 10 { b'0' } else { b'a' - 10 })
}

/// The number in 16 hex digits, already checked.
fn number(digits: &str) -> u64 {
    digits.bytes().fold(0, |sum, digit| (sum << 4) | u64::from(if digit <= b'9' { digit & 0xf } else { (digit & 0xf).wrapping_add(9) }))
}

/// The first two numbers of an id with this many digits, if the form is right.
fn numbers(prefix: &str, id: &str, length: usize) -> Option<(u64, u64)> {
    let digits = id.strip_prefix(prefix).filter(|digits| digits.len() == length)?;
    if digits.bytes().any(|byte| !matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        return None;
    }
    Some((number(digits.get(..16)?), number(digits.get(16..32)?)))
}

fn key_at(place: u64) -> Option<Key> {
    let index = u32::try_from(place & 0xffff_ffff).ok()?;
    let generation = u32::try_from(place >> 32).ok()?;
    Some(Key { index, generation })
}

/// The salt and the task in a text that has the form of an id. The caller checks the salt.
#[must_use]
pub(crate) fn decode(seed: (u64, u64), id: &str) -> Option<(u64, Key)> {
    let (salt, place) = decipher(seed, numbers(PREFIX, id, 32)?);
    Some((salt, key_at(place)?))
}

/// The delivery id of a run's end (N1), always the same.
#[must_use]
pub(crate) fn encode_delivery(seed: (u64, u64), salt: u64, of: RunKey) -> String {
    let (x, y) = encipher(seed, (DELIVERY_MARK | u64::from(of.run), place(of.task)));
    let (z, _) = encipher(seed, (x ^ salt, y));
    named(DELIVERY_PREFIX, &[x, y, z])
}

/// The run that a delivery id names. The caller checks it by encoding that run.
#[must_use]
pub(crate) fn decode_delivery(seed: (u64, u64), id: &str) -> Option<RunKey> {
    let (mark, place) = decipher(seed, numbers(DELIVERY_PREFIX, id, 48)?);
    if mark >> 32 != DELIVERY_MARK >> 32 {
        return None;
    }
    Some(RunKey { task: key_at(place)?, run: u32::try_from(mark & 0xffff_ffff).ok()? })
}

/// A nonce for the fence around one kind of text of a run. It is a code of the text itself under the manager's key (CBC-MAC over
/// Speck, the length first). If a text quotes a nonce, its own nonce differs.
#[must_use]
pub fn fence_nonce(seed: (u64, u64), key: Key, run: u32, kind: u8, text: &str) -> String {
    let whose = encipher(seed, (FENCE_MARK | u64::from(kind), place(key)));
    named("", &[code_of(seed, (whose.0 ^ u64::from(run), whose.1), text).0])
}

/// The identity of the work that a text describes: equal for equal texts.
#[must_use]
pub(crate) fn keyed(seed: (u64, u64), text: &str) -> (u64, u64) {
    code_of(seed, encipher(seed, (WORK_MARK, 0)), text)
}

/// The key of that work, as text.
#[must_use]
pub(crate) fn encode_work((high, low): (u64, u64)) -> String {
    named(WORK_PREFIX, &[high, low])
}

/// CBC-MAC over Speck, the length first.
fn code_of(seed: (u64, u64), begin: (u64, u64), text: &str) -> (u64, u64) {
    let length = u64::try_from(text.len()).unwrap_or(u64::MAX);
    let first = encipher(seed, (begin.0, begin.1 ^ length));
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0_u64, |sum, byte| (sum << 8) | u64::from(*byte));
    text.as_bytes().chunks(16).fold(first, |(x, y), block| {
        let (low, high) = block.split_at_checked(8).unwrap_or((block, &[]));
        encipher(seed, (x ^ word(low), y ^ word(high)))
    })
}

/// A run's random number: always the same for one run, different for each.
#[must_use]
pub(crate) fn draw(seed: (u64, u64), task: Key, run: u32) -> u64 {
    encipher(seed, (DRAW_MARK | u64::from(run), place(task))).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The published test vector of Speck128/128.
    #[test]
    fn the_cipher_is_speck() {
        let key = (0x0f0e_0d0c_0b0a_0908, 0x0706_0504_0302_0100);
        let block = (0x6c61_7669_7571_6520, 0x7469_2065_6461_6d20);
        assert_eq!(encipher(key, block), (0xa65d_9851_7978_3265, 0x7860_fedf_5c57_0d18));
    }

    proptest! {
        #[test]
        fn ids_read_back_and_no_other_seed_reads_them(high: u64, low: u64, salt in 0_u64..1 << 53, index: u32, generation in 0_u32..1 << 21) {
            let key = Key { index, generation };
            let id = encode((high, low), salt, key);
            prop_assert_eq!(id.len(), 36);
            prop_assert_eq!(decode((high, low), &id), Some((salt, key)));
            prop_assert_ne!(decode((high, low.wrapping_add(1)), &id), Some((salt, key)));
            prop_assert_ne!(encode((high, low), salt ^ 1, key), id, "another opening has another id for the same place");
        }

        #[test]
        fn delivery_ids_read_back_and_are_no_task_ids(high: u64, low: u64, salt in 0_u64..1 << 53, index: u32, generation in 0_u32..1 << 21, run: u32) {
            let key = Key { index, generation };
            let of = RunKey { task: key, run };
            let id = encode_delivery((high, low), salt, of);
            prop_assert_eq!(id.len(), 52);
            prop_assert_eq!(decode_delivery((high, low), &id), Some(of));
            prop_assert_eq!(decode((high, low), &id), None);
            prop_assert_eq!(decode_delivery((high, low), &encode((high, low), salt, key)), None);
            prop_assert_ne!(encode_delivery((high, low), salt ^ 1, of), id, "another opening delivers under another id");
        }

        #[test]
        fn other_work_has_another_key(high: u64, low: u64, text: String) {
            let work = keyed((high, low), &text);
            prop_assert_eq!(encode_work(work).len(), 36);
            prop_assert_ne!(work, keyed((high, low), &format!("{text}\0")));
            prop_assert_ne!(work, keyed((high, low.wrapping_add(1)), &text));
        }

        #[test]
        fn an_id_has_as_many_digits_as_it_has(high: u64, low: u64, index: u32, zeros in 1_usize..20) {
            let key = Key { index, generation: 1 };
            let longer = |id: &str| format!("{}{}{}", &id[..20], "0".repeat(zeros), &id[20..]);
            prop_assert_eq!(decode((high, low), &longer(&encode((high, low), NO_SALT, key))), None);
            prop_assert_eq!(decode_delivery((high, low), &longer(&encode_delivery((high, low), NO_SALT, RunKey { task: key, run: 1 }))), None);
        }

        #[test]
        fn the_nonce_of_each_fence_is_another(high: u64, low: u64, index: u32, run in 0_u32..u32::MAX, text: String) {
            let nonce = |run, text: &str| fence_nonce((high, low), Key { index, generation: 1 }, run, 0, text);
            let plain = nonce(run, &text);
            prop_assert!(plain.len() == 16 && plain.bytes().all(|byte| byte.is_ascii_hexdigit()));
            prop_assert_ne!(&plain, &nonce(run.wrapping_add(1), &text));
            prop_assert_ne!(&plain, &nonce(run ^ 0x6500_0000, &text), "bits that are set in the mark count as well");
            prop_assert_ne!(&plain, &nonce(run, &format!("{text}\0")), "the length counts");
            prop_assert_ne!(&plain, &nonce(run, &format!("{text}{plain}")), "what holds a nonce has another");
        }

        #[test]
        fn other_texts_are_no_ids(text: String) {
            prop_assert_eq!(decode((1, 2), &text), None);
            prop_assert_eq!(decode_delivery((1, 2), &text), None);
        }
    }
}
