//! Writes each type of a view; `view_record.rs` declares the views. Views add two forms to those of `codec.rs`: JavaScript's
//! numbers, and one bit for each flag or optional field.

use super::codec::{Field, Text};
use super::number::{Bound, Instant, Number, Sum};

/// A field of a view, for readers in other languages.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Debug)]
pub struct ViewFieldShape {
    /// Its name.
    pub name: &'static str,
    /// Its written form.
    pub form: String,
    /// A bit before the record says whether it is present.
    pub is_optional: bool,
    /// If it is absent, it is left out of the object instead of being null.
    pub is_left_out: bool,
    /// Its type in TypeScript, if that doesn't follow from the form.
    pub type_name: Option<&'static str>,
    /// The field whose text it nearly always has, or that text in quotes.
    pub same_as: Option<&'static str>,
    /// Its meaning.
    pub doc: &'static str,
}

/// A view, for readers in other languages.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Debug)]
pub struct ViewShape {
    /// Its name in Rust, and that of its form.
    pub form: &'static str,
    /// Its name in TypeScript.
    pub name: &'static str,
    /// Its meaning.
    pub doc: &'static str,
    /// Its fields, in written order.
    pub fields: Vec<ViewFieldShape>,
}

/// A type that views may hold. It is only written, so a view can borrow its values.
pub trait ViewField {
    /// The bits before the record that say which parts are present. A flag is only its bit.
    const BITS: u32 = 0;

    /// The name of the form, for the generated readers; `?` marks an optional value, `[]` a list.
    #[cfg(not(target_arch = "wasm32"))]
    fn form() -> String;

    /// The fields for readers: those of a part, else the field itself.
    #[cfg(not(target_arch = "wasm32"))]
    fn fields(own: ViewFieldShape) -> Vec<ViewFieldShape> {
        vec![own]
    }

    /// Appends the value alone, or in a list.
    fn write(&self, out: &mut Vec<u8>);

    /// Appends the value in a record: nothing if its bits say that it is absent.
    #[inline]
    fn write_in_record(&self, out: &mut Vec<u8>) {
        self.write(out);
    }

    /// The bits that say which parts are present.
    #[inline]
    fn bits(&self) -> u64 {
        0
    }
}

/// Declares types with the same form in views as in facts.
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

/// Declares numbers that a record leaves out if they have their usual value.
macro_rules! mostly {
    ($($type:ty: $form:literal, $usual:expr;)+) => { $(impl ViewField for $type {
        const BITS: u32 = 1;

        #[cfg(not(target_arch = "wasm32"))]
        fn form() -> String {
            $form.into()
        }

        #[inline]
        fn write(&self, out: &mut Vec<u8>) {
            self.0.write(out);
        }

        #[inline]
        fn write_in_record(&self, out: &mut Vec<u8>) {
            if self.0 != Number($usual) {
                self.write(out);
            }
        }

        #[inline]
        fn bits(&self) -> u64 {
            u64::from(self.0 != Number($usual))
        }
    })+ };
}
mostly! {
    Bound: "bound", f64::INFINITY;
    Sum: "sum", 0.0;
}

/// Eight bytes: a LEB128 number of that size takes longer.
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
    const BITS: u32 = 1;

    #[cfg(not(target_arch = "wasm32"))]
    fn form() -> String {
        "boolean".into()
    }

    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        self.put(out);
    }

    #[inline]
    fn write_in_record(&self, _out: &mut Vec<u8>) {}

    #[inline]
    fn bits(&self) -> u64 {
        u64::from(*self)
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

/// The program's value, as JSON.
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
    const BITS: u32 = T::BITS;

    #[cfg(not(target_arch = "wasm32"))]
    fn form() -> String {
        T::form()
    }

    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        T::write(self, out);
    }

    #[inline]
    fn write_in_record(&self, out: &mut Vec<u8>) {
        T::write_in_record(self, out);
    }

    #[inline]
    fn bits(&self) -> u64 {
        T::bits(self)
    }
}

/// Alone it follows a 1 or a 0, as in a fact.
impl<T: ViewField> ViewField for Option<T> {
    const BITS: u32 = 1;

    #[cfg(not(target_arch = "wasm32"))]
    fn form() -> String {
        T::form() + "?"
    }

    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.is_some()));
        self.write_in_record(out);
    }

    #[inline]
    fn write_in_record(&self, out: &mut Vec<u8>) {
        if let Some(value) = self {
            value.write(out);
        }
    }

    #[inline]
    fn bits(&self) -> u64 {
        u64::from(self.is_some())
    }
}

/// Appends a list of values made one by one. All views at once would take more memory than their bytes, and the memory never
/// shrinks.
pub(crate) fn write_list<T: ViewField>(values: impl ExactSizeIterator<Item = T>, out: &mut Vec<u8>) {
    u64::try_from(values.len()).unwrap_or(u64::MAX).put(out);
    for value in values {
        value.write(out);
    }
}

/// A record leaves an empty list out.
impl<T: ViewField> ViewField for &[T] {
    const BITS: u32 = 1;

    #[cfg(not(target_arch = "wasm32"))]
    fn form() -> String {
        T::form() + "[]"
    }

    fn write(&self, out: &mut Vec<u8>) {
        write_list(self.iter(), out);
    }

    #[inline]
    fn write_in_record(&self, out: &mut Vec<u8>) {
        if !self.is_empty() {
            self.write(out);
        }
    }

    #[inline]
    fn bits(&self) -> u64 {
        u64::from(!self.is_empty())
    }
}

impl<T: ViewField> ViewField for Vec<T> {
    const BITS: u32 = 1;

    #[cfg(not(target_arch = "wasm32"))]
    fn form() -> String {
        <&[T]>::form()
    }

    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        self.as_slice().write(out);
    }

    #[inline]
    fn write_in_record(&self, out: &mut Vec<u8>) {
        self.as_slice().write_in_record(out);
    }

    #[inline]
    fn bits(&self) -> u64 {
        self.as_slice().bits()
    }
}

/// Appends a text that is nearly always equal to another: 1 if equal, else 0 and the text.
pub(crate) fn write_unless_same(text: Option<&str>, other: &str, out: &mut Vec<u8>) {
    let Some(text) = text else { return };
    let is_same = text.len() == other.len() && (text.as_ptr() == other.as_ptr() || text == other);
    out.push(u8::from(is_same));
    if !is_same {
        write_text(text, out);
    }
}

/// Appends this many bits, in whole bytes. Out of line: nearly every view has some.
#[inline(never)]
pub(crate) fn write_bits(bits: u64, count: u32, out: &mut Vec<u8>) {
    let bytes = bits.to_le_bytes();
    out.extend_from_slice(bytes.get(..usize::try_from(count.div_ceil(8)).unwrap_or(bytes.len())).unwrap_or(&bytes));
}
