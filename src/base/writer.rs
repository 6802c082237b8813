//! Writes what is stored: numbers of LEB128 and stretches of bytes, one after the other. Owns that form; what a field is made
//! of is `codec.rs`'s, and `reader.rs` reads it.
//!
//! Facts are many small numbers, so that a call for each costs more than its byte. Numbers therefore wait, side by side, in
//! places that the compiler knows where it compiles a fact, and are written together.

use crate::base::codec::Field;

/// So many numbers wait at most; most facts have fewer.
const WAITING: usize = 25;
/// A number takes no more bytes.
const LONGEST: usize = 10;
/// Room for all that may wait, from any byte that they may have come to.
const MOST: usize = 256 + LONGEST;
const _: () = assert!(WAITING * LONGEST < 256);
/// Room is made for so many bytes at least.
const LEAST_ROOM: usize = 1 << 9;

/// Bytes that are written.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    /// What is written, and room for more. All of it holds bytes, so that writing one is a store at a place and no more.
    room: Vec<u8>,
    /// How much of that is written.
    len: usize,
    numbers: [u64; WAITING],
    /// From here on numbers wait; up to where is known to who writes them.
    from: usize,
}

impl Writer {
    /// Appends a value.
    #[inline]
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

    /// What is written.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.room.get(..self.len).unwrap_or_default()
    }

    /// The same, without the rest of the room.
    #[must_use]
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.room.truncate(self.len);
        self.room
    }

    /// How many bytes are written.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is written.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Makes room for so many bytes more, and not for others.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        // Behind the last byte there must still be room for numbers, whatever they turn out to take.
        let room = self.len.saturating_add(bytes).saturating_add(MOST);
        self.room.reserve_exact(room.saturating_sub(self.room.len()));
        self.room.resize(room, 0);
    }

    /// Begins anew, in the same room.
    pub const fn clear(&mut self) {
        self.len = 0;
    }

    /// Lets go of room beyond so many bytes, where nothing is written.
    pub fn shrink_to(&mut self, bytes: usize) {
        self.room.truncate(bytes.max(self.len));
        self.room.shrink_to(bytes);
    }

    /// A number, at a place among those that wait. Returns the place of the next one.
    #[inline(always)]
    pub(crate) fn number(&mut self, at: usize, value: u64) -> usize {
        match self.numbers.get_mut(at) {
            Some(place) => {
                *place = value;
                at.saturating_add(1)
            }
            None => self.number_behind(at, value),
        }
    }

    /// There is no place: those before are written first.
    #[cold]
    #[inline(never)]
    fn number_behind(&mut self, at: usize, value: u64) -> usize {
        self.write(at);
        self.number(0, value)
    }

    /// A byte as it is.
    #[inline(always)]
    pub(crate) fn byte(&mut self, at: usize, value: u8) -> usize {
        // Below that it is a number's.
        if value < 0x80 {
            return self.number(at, u64::from(value));
        }
        self.stretch(at, &[value]);
        0
    }

    /// Bytes as they are, behind the numbers that wait; those that wait next have the first places.
    #[inline(never)]
    pub(crate) fn stretch(&mut self, at: usize, bytes: &[u8]) {
        self.write(at);
        let end = self.len.saturating_add(bytes.len());
        if self.room.len() < end {
            self.make_room(bytes.len());
        }
        if let Some(room) = self.room.get_mut(self.len..end) {
            room.copy_from_slice(bytes);
            self.len = end;
        }
    }

    /// Values of which one can't know how many numbers they have, behind the numbers that wait; those that wait next have the
    /// places from there on.
    #[inline(never)]
    pub(crate) fn apart<T: Field>(&mut self, at: usize, values: &[T]) {
        self.write(at);
        for value in values {
            self.put(value);
        }
        self.from = at;
    }

    /// Writes the numbers that wait before a place; those that wait next have the first places.
    #[inline(never)]
    pub(crate) fn write(&mut self, to: usize) {
        let Some(room) = self.room.get_mut(self.len..).and_then(<[u8]>::first_chunk_mut::<MOST>) else {
            self.make_room(MOST);
            return self.write(to);
        };
        // A byte, so that every one is a place in the room.
        let mut at = 0_u8;
        for number in self.numbers.get(self.from..to).unwrap_or_default() {
            let Some(place) = room.get_mut(usize::from(at)..).and_then(<[u8]>::first_chunk_mut) else { break };
            at = at.wrapping_add(put_number(*number, place));
        }
        self.len = self.len.wrapping_add(usize::from(at));
        self.from = 0;
    }

    /// Makes room for so many bytes, and for as many again as there are, so that it is seldom made.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, bytes: usize) {
        let needed = self.len.saturating_add(bytes);
        self.room.resize(needed.max(self.room.len().saturating_mul(2)).max(LEAST_ROOM), 0);
    }
}

/// The bit of each byte that says that another one follows.
const FOLLOWED: u64 = 0x8080_8080_8080_8080;

/// Writes a number, seven bits a byte, and returns how many bytes it has. Eight at once, since one by one they take several
/// times as long.
#[inline]
fn put_number(value: u64, room: &mut [u8; LONGEST]) -> u8 {
    if value < 0x80 {
        let [first, ..] = room;
        [*first, ..] = value.to_le_bytes();
        return 1;
    }
    if value < 0x4000 {
        let [first, second, ..] = room;
        [*first, *second, ..] = (((value << 1) & 0x7f00) | (value & 0x7f) | 0x80).to_le_bytes();
        return 2;
    }
    let Some((eight, [ninth, tenth])) = room.split_first_chunk_mut() else { return 0 };
    let sevens = sevens(value);
    let [rest, ..] = (value >> 56).to_le_bytes();
    if rest > 0 {
        *eight = (sevens | FOLLOWED).to_le_bytes();
        (*ninth, *tenth) = (rest, 1);
        return if rest < 0x80 { 9 } else { 10 };
    }
    // Some bytes have bits, and each but the last of these is followed by another one.
    let free = sevens.leading_zeros() >> 3;
    *eight = (sevens | FOLLOWED.wrapping_shr((free << 3).wrapping_add(8))).to_le_bytes();
    let [free, ..] = free.to_le_bytes();
    8_u8.wrapping_sub(free)
}

/// The low 56 bits, seven in each byte.
const fn sevens(value: u64) -> u64 {
    let halves = ((value & 0x00ff_ffff_f000_0000) << 4) | (value & 0x0fff_ffff);
    let quarters = ((halves & 0x0fff_c000_0fff_c000) << 2) | (halves & 0x0000_3fff_0000_3fff);
    ((quarters & 0x3f80_3f80_3f80_3f80) << 1) | (quarters & 0x007f_007f_007f_007f)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::codec::Text;
    use crate::base::reader::Reader;

    proptest! {
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
    }
}
