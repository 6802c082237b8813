//! How each type of a view is written; `view_record.rs` declares the views. `codec.rs` has the forms. A view has two more:
//! numbers as JavaScript has them, and one bit for each flag or optional field.

use super::codec::{Field, Text};
use super::number::{Bound, Instant, Number, Sum};

/// A type that views may hold. It is only written, so that a view can borrow what it shows.
pub trait ViewField {
    /// One bit before the record says whether it is present. A flag is that bit, and nothing else.
    const IS_OPTIONAL: bool = false;

    /// The name of the form, for the generated readers; `?` marks what may be absent, `[]` a list.
    #[cfg(not(target_arch = "wasm32"))]
    fn form() -> String;

    /// Appends the value by itself, or in a list.
    fn write(&self, out: &mut Vec<u8>);

    /// Appends its part of a record, if its bit says that it is present.
    #[inline]
    fn write_present(&self, out: &mut Vec<u8>) {
        self.write(out);
    }

    /// The bit.
    #[inline]
    fn is_present(&self) -> bool {
        true
    }
}

/// Types that have the same form in views as in facts.
macro_rules! as_in_facts {
    ($($type:ty)+) => { $(impl $crate::base::view::ViewField for $type {
        #[cfg(not(target_arch = "wasm32"))]
        fn form() -> String {
            <$type as $crate::base::codec::Field>::kind()
        }

        #[inline]
        fn write(&self, out: &mut Vec<u8>) {
            $crate::base::codec::Field::put(self, out);
        }
    })+ };
}
pub(crate) use as_in_facts;
as_in_facts!(u32 u64 super::slab::Key);

/// Whole numbers below this are written as such.
const WHOLE: f64 = 4_503_599_627_370_496.0;

/// Twice the number if it is whole; else 3 for `Infinity`, or 1 and eight bytes.
impl ViewField for Number {
    #[cfg(not(target_arch = "wasm32"))]
    fn form() -> String {
        "float".into()
    }

    #[inline(never)]
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::float_cmp,
        reason = "whole, and within bounds"
    )]
    fn write(&self, out: &mut Vec<u8>) {
        let whole = self.0 as u64;
        if self.0 < WHOLE && whole as f64 == self.0 {
            (whole << 1).put(out);
        } else if self.0 == f64::INFINITY {
            out.push(3);
        } else {
            out.push(1);
            out.extend_from_slice(&self.0.to_le_bytes());
        }
    }
}

/// Numbers that are absent in a record if they have their most frequent value.
macro_rules! mostly {
    ($($type:ty: $form:literal, $usual:expr;)+) => { $(impl ViewField for $type {
        const IS_OPTIONAL: bool = true;

        #[cfg(not(target_arch = "wasm32"))]
        fn form() -> String {
            $form.into()
        }

        #[inline]
        fn write(&self, out: &mut Vec<u8>) {
            self.0.write(out);
        }

        #[inline]
        fn is_present(&self) -> bool {
            self.0 != Number($usual)
        }
    })+ };
}
mostly! {
    Bound: "bound", f64::INFINITY;
    Sum: "sum", 0.0;
}

/// Eight bytes: to write that many digits one by one takes longer.
impl ViewField for Instant {
    #[cfg(not(target_arch = "wasm32"))]
    fn form() -> String {
        "time".into()
    }

    #[inline(never)]
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0.to_le_bytes());
    }
}

impl ViewField for bool {
    const IS_OPTIONAL: Self = true;

    #[cfg(not(target_arch = "wasm32"))]
    fn form() -> String {
        "boolean".into()
    }

    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        self.put(out);
    }

    #[inline]
    fn write_present(&self, _out: &mut Vec<u8>) {}

    #[inline]
    fn is_present(&self) -> Self {
        *self
    }
}

#[inline(never)]
fn write_text(text: &str, out: &mut Vec<u8>) {
    u64::try_from(text.len()).unwrap_or(u64::MAX).put(out);
    out.extend_from_slice(text.as_bytes());
}

macro_rules! texts {
    ($($type:ty)+) => { $(impl ViewField for $type {
        #[cfg(not(target_arch = "wasm32"))]
        fn form() -> String {
            "text".into()
        }

        #[inline]
        fn write(&self, out: &mut Vec<u8>) {
            write_text(self, out);
        }
    })+ };
}
texts!(&str String Text);

/// The id of a task.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Id(pub String);

impl ViewField for Id {
    #[cfg(not(target_arch = "wasm32"))]
    fn form() -> String {
        "id".into()
    }

    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        write_text(&self.0, out);
    }
}

/// A value that the program gave, as JSON.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct Json<T>(pub T);

impl<T: AsRef<str>> ViewField for Json<T> {
    #[cfg(not(target_arch = "wasm32"))]
    fn form() -> String {
        "json".into()
    }

    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        write_text(self.0.as_ref(), out);
    }
}

impl<T: ViewField> ViewField for &T {
    const IS_OPTIONAL: bool = T::IS_OPTIONAL;

    #[cfg(not(target_arch = "wasm32"))]
    fn form() -> String {
        T::form()
    }

    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        T::write(self, out);
    }

    #[inline]
    fn write_present(&self, out: &mut Vec<u8>) {
        T::write_present(self, out);
    }

    #[inline]
    fn is_present(&self) -> bool {
        T::is_present(self)
    }
}

/// By itself it is behind a 1 or a 0, as a stored one is.
impl<T: ViewField> ViewField for Option<T> {
    const IS_OPTIONAL: bool = true;

    #[cfg(not(target_arch = "wasm32"))]
    fn form() -> String {
        T::form() + "?"
    }

    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.is_some()));
        self.write_present(out);
    }

    #[inline]
    fn write_present(&self, out: &mut Vec<u8>) {
        if let Some(value) = self {
            value.write(out);
        }
    }

    #[inline]
    fn is_present(&self) -> bool {
        self.is_some()
    }
}

/// Appends a list of values that are made one by one. Many views at once would take more memory than their bytes, and the memory
/// never shrinks.
pub(crate) fn write_list<T: ViewField>(values: impl ExactSizeIterator<Item = T>, out: &mut Vec<u8>) {
    u64::try_from(values.len()).unwrap_or(u64::MAX).put(out);
    for value in values {
        value.write(out);
    }
}

/// In a record an empty one is absent.
impl<T: ViewField> ViewField for &[T] {
    const IS_OPTIONAL: bool = true;

    #[cfg(not(target_arch = "wasm32"))]
    fn form() -> String {
        T::form() + "[]"
    }

    fn write(&self, out: &mut Vec<u8>) {
        write_list(self.iter(), out);
    }

    #[inline]
    fn is_present(&self) -> bool {
        !self.is_empty()
    }
}

impl<T: ViewField> ViewField for Vec<T> {
    const IS_OPTIONAL: bool = true;

    #[cfg(not(target_arch = "wasm32"))]
    fn form() -> String {
        <&[T]>::form()
    }

    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        self.as_slice().write(out);
    }

    #[inline]
    fn is_present(&self) -> bool {
        !self.is_empty()
    }
}

/// Appends a text that is nearly always the same as another one: 1, or 0 and the text.
pub(crate) fn write_unless_same(text: Option<&str>, other: &str, out: &mut Vec<u8>) {
    let Some(text) = text else { return };
    let is_same = text.len() == other.len() && (text.as_ptr() == other.as_ptr() || text == other);
    out.push(u8::from(is_same));
    if !is_same {
        write_text(text, out);
    }
}

/// Appends this many bits in as many bytes as they take. Out of line: nearly every view has some.
#[inline(never)]
pub(crate) fn write_bits(bits: u64, count: u32, out: &mut Vec<u8>) {
    let bytes = bits.to_le_bytes();
    out.extend_from_slice(bytes.get(..usize::try_from(count.div_ceil(8)).unwrap_or(bytes.len())).unwrap_or(&bytes));
}
