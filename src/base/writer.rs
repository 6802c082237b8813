//! Writes what is stored: numbers of LEB128 and stretches of bytes, one after the other. Owns that form; what a field is made
//! of is `codec.rs`'s, and `reader.rs` reads it.
//!
//! Facts are many small numbers, so that a call for each costs more than its byte. Numbers therefore wait, side by side, in
//! places that the compiler knows where it compiles a fact, and are written together.

/// So many numbers wait at most; most facts have fewer.
const WAITING: usize = 25;
/// They take fewer bytes than this: each ten at most.
const MOST: usize = 256;
const _: () = assert!(WAITING * 10 < MOST);
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
        let at = self.free(at);
        self.wait(at, value);
        at.saturating_add(1)
    }

    /// The place, or the first one where there is no such place: those before are written then.
    #[inline(always)]
    pub(crate) fn free(&mut self, at: usize) -> usize {
        if at < WAITING {
            return at;
        }
        self.write(at);
        0
    }

    #[inline(always)]
    fn wait(&mut self, at: usize, value: u64) {
        if let Some(place) = self.numbers.get_mut(at) {
            *place = value;
        }
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
        if self.room.len().saturating_sub(self.len) < bytes.len() {
            self.make_room(bytes.len());
        }
        if let Some((room, _)) = self.room.get_mut(self.len..).and_then(|room| room.split_at_mut_checked(bytes.len())) {
            room.copy_from_slice(bytes);
            self.len = self.len.wrapping_add(bytes.len());
        }
    }

    /// How many values there are; whether there are any, which may be written then.
    #[inline(never)]
    pub(crate) fn opens(&mut self, at: usize, values: usize) -> bool {
        self.wait(at, u64::try_from(values).unwrap_or(u64::MAX));
        if values > 0 {
            self.write(at.saturating_add(1));
        }
        values > 0
    }

    /// Numbers wait from a place on: those before it are written.
    pub(crate) const fn go_on_from(&mut self, at: usize) {
        self.from = at;
    }

    /// Writes the numbers that wait before a place; those that wait next have the first places.
    #[inline(never)]
    pub(crate) fn write(&mut self, to: usize) {
        let Some(room) = self.room.get_mut(self.len..).and_then(<[u8]>::first_chunk_mut::<MOST>) else {
            self.make_room(MOST);
            return self.write(to);
        };
        // A byte, so that whatever it is there is such a place: no look is needed whether there is one.
        let mut at = 0_u8;
        let mut push = |byte: u8| {
            if let Some(place) = room.get_mut(usize::from(at)) {
                *place = byte;
            }
            at = at.wrapping_add(1);
        };
        for number in self.numbers.get(self.from..to).unwrap_or_default() {
            let mut rest = *number;
            while rest >= 0x80 {
                push(low(rest) | 0x80);
                rest >>= 7;
            }
            push(low(rest));
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

const fn low(value: u64) -> u8 {
    let [byte, ..] = value.to_le_bytes();
    byte
}
