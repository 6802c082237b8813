//! The macro for closed lists of names: each value has a name that users see and a number that is stored. Each list is
//! declared in its own module.

/// Declares a closed list. Numbers are explicit because stored facts hold them: a number is never reused or changed.
macro_rules! named {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[doc = $doc:literal])+ $variant:ident = $number:literal $text:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $name { $($(#[doc = $doc])+ $variant = $number,)+ }

        impl $name {
            /// Every value, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The name that users see.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// Its meaning, in a sentence. For docs: the shipped module needs none.
            #[cfg(not(target_arch = "wasm32"))]
            #[must_use]
            pub const fn doc(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),+),)+ }
            }

            /// The number that is stored and crosses the boundary.
            #[must_use]
            pub const fn number(self) -> u8 {
                match self { $(Self::$variant => $number,)+ }
            }

            /// The value with this number, if any.
            #[must_use]
            pub const fn from_number(number: u8) -> Option<Self> {
                match number { $($number => Some(Self::$variant),)+ _ => None }
            }

            /// The value with this name, if any.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$variant),)+ _ => None }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl $crate::base::codec::Field for $name {
            fn kind() -> String { stringify!($name).into() }
            fn put(&self, out: &mut Vec<u8>) { out.push(self.number()); }
            #[inline(never)]
            fn take(reader: &mut $crate::base::reader::Reader<'_>) -> Self {
                let at = reader.position();
                Self::from_number(reader.byte()).unwrap_or_else(|| {
                    reader.fail(at);
                    $crate::base::named::first!($($variant)+)
                })
            }
        }

        $crate::base::view::as_in_facts!($name);

        impl $crate::base::event_buffer::EncodeEvent for $name {
            fn encode_event(&self, out: &mut $crate::base::event_buffer::EventBuffer) { self.number().encode_event(out); }
        }
    };
}
pub(crate) use named;

/// The first value of a list: the result if the bytes are no value.
macro_rules! first {
    ($first:ident $($rest:ident)*) => {
        Self::$first
    };
}
pub(crate) use first;
