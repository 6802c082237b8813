//! The parts of records in a snapshot: numbers, flags, lists, options, slabs. Owns the form of each, for writing and reading;
//! `stored.rs` defines a walk.

use std::collections::VecDeque;

use crate::base::amounts::{Amounts, Estimate};
use crate::base::codec::Text;
use crate::base::slab::{Clear, Key, LIVE, Slab};
use crate::base::stored::{Codec, Stored, stored, stored_as_fields};

stored_as_fields! {
    i64 = 0;
    Text = Text::default();
    Key = Key::default();
    Amounts = Amounts::ZERO;
}

stored!(Estimate { tokens, nanos });

/// Whole numbers: nearly all are small, and take one byte.
macro_rules! stored_numbers {
    ($($name:ty),+) => {
        $(impl Stored for $name {
            fn blank() -> Self { 0 }
            fn walk(&mut self, codec: &mut Codec<'_>) {
                let number = codec.number(u64::try_from(*self).unwrap_or(u64::MAX));
                match Self::try_from(number) {
                    Ok(number) => *self = number,
                    Err(_) => codec.fail(),
                }
            }
        })+
    };
}

stored_numbers!(u8, u16, u64, usize);

/// Plus one: the absent link takes one byte.
impl Stored for u32 {
    fn blank() -> Self {
        0
    }

    #[inline(never)]
    fn walk(&mut self, codec: &mut Codec<'_>) {
        let number = codec.number(u64::from(self.wrapping_add(1)));
        match Self::try_from(number) {
            Ok(number) => *self = number.wrapping_sub(1),
            Err(_) => codec.fail(),
        }
    }
}

impl Stored for bool {
    fn blank() -> Self {
        false
    }

    #[inline(never)]
    fn walk(&mut self, codec: &mut Codec<'_>) {
        match codec.number(u64::from(*self)) {
            0 => *self = false,
            1 => *self = true,
            _ => codec.fail(),
        }
    }
}

impl<T: Stored> Stored for Option<T> {
    fn blank() -> Self {
        None
    }

    fn walk(&mut self, codec: &mut Codec<'_>) {
        let mut is_some = self.is_some();
        is_some.walk(codec);
        if codec.is_reading() {
            *self = is_some.then(T::blank);
        }
        if let Some(value) = self {
            value.walk(codec);
        }
    }
}

impl<T: Stored> Stored for Box<T> {
    fn blank() -> Self {
        Self::new(T::blank())
    }

    fn walk(&mut self, codec: &mut Codec<'_>) {
        self.as_mut().walk(codec);
    }
}

impl<T: Stored> Stored for Vec<T> {
    fn blank() -> Self {
        Self::new()
    }

    fn walk(&mut self, codec: &mut Codec<'_>) {
        let mut count = self.len();
        count.walk(codec);
        if !codec.is_reading() {
            for value in self {
                value.walk(codec);
                codec.relieve();
            }
            return;
        }
        self.clear();
        while self.len() < count && !codec.has_failed() {
            self.push(T::blank());
            if let Some(value) = self.last_mut() {
                value.walk(codec);
            }
        }
    }
}

impl<T: Stored> Stored for VecDeque<T> {
    fn blank() -> Self {
        Self::new()
    }

    fn walk(&mut self, codec: &mut Codec<'_>) {
        let mut count = self.len();
        count.walk(codec);
        for at in 0..count {
            if codec.is_reading() {
                self.push_back(T::blank());
            }
            if let Some(value) = self.get_mut(at) {
                value.walk(codec);
            }
            if codec.has_failed() {
                return;
            }
            codec.relieve();
        }
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    fn blank() -> Self {
        (A::blank(), B::blank())
    }

    fn walk(&mut self, codec: &mut Codec<'_>) {
        self.0.walk(codec);
        self.1.walk(codec);
    }
}

impl<A: Stored, B: Stored, C: Stored> Stored for (A, B, C) {
    fn blank() -> Self {
        (A::blank(), B::blank(), C::blank())
    }

    fn walk(&mut self, codec: &mut Codec<'_>) {
        self.0.walk(codec);
        self.1.walk(codec);
        self.2.walk(codec);
    }
}

/// With their count: a list of names may have grown since it was stored.
impl<const N: usize> Stored for [u32; N] {
    fn blank() -> Self {
        [0; N]
    }

    fn walk(&mut self, codec: &mut Codec<'_>) {
        let mut list = self.to_vec();
        list.walk(codec);
        if list.len() > N {
            return codec.fail();
        }
        *self = Self::blank();
        for (place, number) in self.iter_mut().zip(list) {
            *place = number;
        }
    }
}

/// Every place with its generation, removed ones too: so the next keys are the same.
impl<T: Clear + Stored> Stored for Slab<T> {
    fn blank() -> Self {
        Self::default()
    }

    fn walk(&mut self, codec: &mut Codec<'_>) {
        self.used.walk(codec);
        self.free.walk(codec);
        self.len.walk(codec);
        for index in 0..self.used {
            if codec.is_reading() && self.entry(index).is_none() {
                self.add_chunk();
            }
            let Some(entry) = self.entry_mut(index) else { return codec.fail() };
            entry.generation.walk(codec);
            // So that a living entry takes one byte.
            let mut link = entry.next_free.wrapping_add(1);
            link.walk(codec);
            entry.next_free = link.wrapping_sub(1);
            if entry.next_free == LIVE {
                entry.value.walk(codec);
            }
            if codec.has_failed() {
                return;
            }
            codec.relieve();
        }
    }
}
