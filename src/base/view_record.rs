//! Views: the objects that users read, and how they cross to JavaScript. Owns the macro that declares one. Only JavaScript reads
//! them, by code that is generated from these rows.

/// A field of a view, for readers in other languages.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Debug)]
pub struct ViewFieldShape {
    /// Its name.
    pub name: &'static str,
    /// How it is written.
    pub form: String,
    /// One bit before the record represents it.
    pub is_optional: bool,
    /// If it is absent, it is left out of the object instead of being null.
    pub is_left_out: bool,
    /// Its type in TypeScript, if that doesn't follow from the form.
    pub type_name: Option<&'static str>,
    /// The field whose text it nearly always has, or that text in quotes.
    pub same_as: Option<&'static str>,
    /// What it holds.
    pub doc: &'static str,
}

/// A view, for readers in other languages.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Debug)]
pub struct ViewShape {
    /// Its name in Rust, which is that of its form.
    pub form: &'static str,
    /// Its name in TypeScript.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Its fields, as they are written.
    pub fields: Vec<ViewFieldShape>,
}

/// Declares a view: its name in Rust and in TypeScript, and a row for each field. With `of`, each row ends with the expression
/// that computes the field; `with` declares values that several rows need. `same as` names another text that this one nearly
/// always equals.
macro_rules! view {
    ($(#[doc = $doc:literal])+ $(#[derive($($derived:path),+)])? pub struct $name:ident $(<$life:lifetime>)? $shown:literal
        of($($given:ident: $from:ty),+) with { $($before:tt)* }
        { $($(#[doc = $fdoc:literal])+ $field:ident $(same as $same:tt)?: $type:ty $(as $as:literal)? = $value:expr,)+ }) => {
        view! {
            $(#[doc = $doc])+ $(#[derive($($derived),+)])? pub struct $name $(<$life>)? $shown
            { $($(#[doc = $fdoc])+ pub $field $(same as $same)?: $type $(as $as)?,)+ }
        }

        impl $(<$life>)? $name $(<$life>)? {
            #[inline]
            fn of($($given: $from),+) -> Self {
                $($before)*
                Self { $($field: $value,)+ }
            }
        }
    };
    ($(#[doc = $doc:literal])+ $(#[derive($($derived:path),+)])? pub struct $name:ident $(<$life:lifetime>)? $shown:literal
        { $($(#[doc = $fdoc:literal])+ $(#[serde(skip_serializing_if = $none:literal)])? pub $field:ident $(same as $same:tt)?: $type:ty $(as $as:literal)?,)+ }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, serde::Serialize)]
        $(#[derive($($derived),+)])?
        #[serde(rename_all = "camelCase")]
        pub struct $name $(<$life>)? { $($(#[doc = $fdoc])+ $(#[serde(skip_serializing_if = $none)])? pub $field: $type,)+ }

        impl $(<$life>)? $name $(<$life>)? {
            /// Its fields, for readers in other languages.
            #[cfg(not(target_arch = "wasm32"))]
            #[must_use]
            pub fn shape() -> $crate::base::view_record::ViewShape {
                $crate::base::view_record::ViewShape {
                    form: stringify!($name),
                    name: $shown,
                    doc: concat!($($doc),+),
                    fields: vec![$($crate::base::view_record::ViewFieldShape {
                        name: stringify!($field),
                        form: <$type as $crate::base::view::ViewField>::form(),
                        is_optional: <$type as $crate::base::view::ViewField>::IS_OPTIONAL,
                        is_left_out: view!(@given $($none)?).is_some(),
                        type_name: view!(@given $($as)?),
                        same_as: view!(@given $(stringify!($same))?),
                        doc: concat!($($fdoc),+),
                    },)+],
                }
            }
        }

        impl $(<$life>)? $crate::base::view::ViewField for $name $(<$life>)? {
            #[cfg(not(target_arch = "wasm32"))]
            fn form() -> String {
                stringify!($name).into()
            }

            #[inline]
            fn write(&self, out: &mut Vec<u8>) {
                let (mut bits, mut count) = (0_u64, 0_u32);
                $(if <$type as $crate::base::view::ViewField>::IS_OPTIONAL {
                    bits |= u64::from($crate::base::view::ViewField::is_present(&self.$field)).wrapping_shl(count);
                    count = count.wrapping_add(1);
                })+
                if count > 0 {
                    $crate::base::view::write_bits(bits, count, out);
                }
                $(view!(@write self, out, $field $(, $same)?);)+
            }
        }
    };
    (@given) => { None::<&'static str> };
    (@given $given:expr) => { Some($given) };
    (@write $view:ident, $out:ident, $field:ident) => {
        if $crate::base::view::ViewField::is_present(&$view.$field) {
            $crate::base::view::ViewField::write_present(&$view.$field, $out);
        }
    };
    (@write $view:ident, $out:ident, $field:ident, $same:literal) => {
        $crate::base::view::write_unless_same($view.$field.into(), $same, $out);
    };
    (@write $view:ident, $out:ident, $field:ident, $same:ident) => {
        $crate::base::view::write_unless_same($view.$field.into(), $view.$same, $out);
    };
}
pub(crate) use view;
