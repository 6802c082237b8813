//! Views: the objects that users read, and how they cross to JavaScript. Owns the macro that declares one. Only JavaScript reads
//! them, by code that is generated from these rows.

use crate::base::view::{ViewField, write_bits};
#[cfg(not(target_arch = "wasm32"))]
use crate::base::view::{ViewFieldShape, ViewShape};

/// The parts of a view: bits that say what is present, and its fields.
pub trait ViewRecord {
    /// The number of bits.
    const BITS: u32;

    /// The view, for readers in other languages.
    #[cfg(not(target_arch = "wasm32"))]
    #[must_use]
    fn shape() -> ViewShape;

    /// The bits.
    fn bits(&self) -> u64;

    /// Appends its fields.
    fn write_fields(&self, out: &mut Vec<u8>);
}

/// Appends a view.
#[inline]
pub(crate) fn write_record<T: ViewRecord>(view: &T, out: &mut Vec<u8>) {
    if T::BITS > 0 {
        write_bits(view.bits(), T::BITS, out);
    }
    view.write_fields(out);
}

/// A view whose fields become fields of the enclosing view.
#[derive(Clone, Debug, serde::Serialize)]
#[serde(transparent)]
pub struct Part<T>(pub T);

impl<T: ViewRecord> ViewField for Part<T> {
    const BITS: u32 = T::BITS;

    #[cfg(not(target_arch = "wasm32"))]
    fn form() -> String {
        T::shape().form.into()
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn fields(_: ViewFieldShape) -> Vec<ViewFieldShape> {
        T::shape().fields
    }

    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        write_record(&self.0, out);
    }

    #[inline]
    fn write_in_record(&self, out: &mut Vec<u8>) {
        self.0.write_fields(out);
    }

    #[inline]
    fn bits(&self) -> u64 {
        self.0.bits()
    }
}

/// Declares a view: its name in Rust and in TypeScript, and a row for each field. With `of`, each row ends with the expression
/// that computes the field; `with` declares values that several rows need. `same as` names another text that this one nearly
/// always equals.
macro_rules! view {
    ($(#[doc = $doc:literal])+ $(#[derive($($derived:path),+)])? pub struct $name:ident $(<$life:lifetime>)? $shown:literal
        of($($given:ident: $from:ty),+) with { $($before:tt)* }
        { $($(#[doc = $fdoc:literal])+ $(#[serde($flatten:ident)])? $field:ident $(same as $same:tt)?: $type:ty $(as $as:literal)? = $value:expr,)+ }) => {
        view! {
            $(#[doc = $doc])+ $(#[derive($($derived),+)])? pub struct $name $(<$life>)? $shown
            { $($(#[doc = $fdoc])+ $(#[serde($flatten)])? pub $field $(same as $same)?: $type $(as $as)?,)+ }
        }

        impl $(<$life>)? $name $(<$life>)? {
            #[inline]
            pub(crate) fn of($($given: $from),+) -> Self {
                $($before)*
                Self { $($field: $value,)+ }
            }
        }
    };
    ($(#[doc = $doc:literal])+ $(#[derive($($derived:path),+)])? pub struct $name:ident $(<$life:lifetime>)? $shown:literal
        { $($(#[doc = $fdoc:literal])+ $(#[serde($attribute:ident $(= $none:literal)?)])? pub $field:ident $(same as $same:tt)?: $type:ty $(as $as:literal)?,)+ }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, serde::Serialize)]
        $(#[derive($($derived),+)])?
        #[serde(rename_all = "camelCase")]
        pub struct $name $(<$life>)? { $($(#[doc = $fdoc])+ $(#[serde($attribute $(= $none)?)])? pub $field: $type,)+ }

        impl $(<$life>)? $crate::base::view_record::ViewRecord for $name $(<$life>)? {
            const BITS: u32 = 0_u32 $(.wrapping_add(<$type as $crate::base::view::ViewField>::BITS))+;

            #[cfg(not(target_arch = "wasm32"))]
            fn shape() -> $crate::base::view::ViewShape {
                $crate::base::view::ViewShape {
                    form: stringify!($name),
                    name: $shown,
                    doc: concat!($($doc),+),
                    fields: [$(<$type as $crate::base::view::ViewField>::fields($crate::base::view::ViewFieldShape {
                        name: stringify!($field),
                        form: <$type as $crate::base::view::ViewField>::form(),
                        is_optional: <$type as $crate::base::view::ViewField>::BITS > 0,
                        is_left_out: view!(@given $($($none)?)?).is_some(),
                        type_name: view!(@given $($as)?),
                        same_as: view!(@given $(stringify!($same))?),
                        doc: concat!($($fdoc),+),
                    }),)+].concat(),
                }
            }

            #[inline]
            fn bits(&self) -> u64 {
                let (mut bits, mut count) = (0_u64, 0_u32);
                $(if <$type as $crate::base::view::ViewField>::BITS > 0 {
                    bits |= $crate::base::view::ViewField::bits(&self.$field).wrapping_shl(count);
                    count = count.wrapping_add(<$type as $crate::base::view::ViewField>::BITS);
                })+
                let _ = count;
                bits
            }

            #[inline]
            fn write_fields(&self, out: &mut Vec<u8>) {
                $(view!(@write self, out, $field $(, $same)?);)+
            }
        }

        impl $(<$life>)? $crate::base::view::ViewField for $name $(<$life>)? {
            #[cfg(not(target_arch = "wasm32"))]
            fn form() -> String {
                stringify!($name).into()
            }

            #[inline]
            fn write(&self, out: &mut Vec<u8>) {
                $crate::base::view_record::write_record(self, out);
            }
        }
    };
    (@given) => { None::<&'static str> };
    (@given $given:expr) => { Some($given) };
    (@write $view:ident, $out:ident, $field:ident) => {
        $crate::base::view::ViewField::write_in_record(&$view.$field, $out);
    };
    (@write $view:ident, $out:ident, $field:ident, $same:literal) => {
        $crate::base::view::write_unless_same($view.$field.into(), $same, $out);
    };
    (@write $view:ident, $out:ident, $field:ident, $same:ident) => {
        $crate::base::view::write_unless_same($view.$field.into(), $view.$same, $out);
    };
}
pub(crate) use view;
