//! Plain data from JavaScript, through serde, and the reading of fields from it. Owns that any value
//! becomes data: what it means is checked where it is read. One visitor for everything keeps a visitor a
//! type out of the module.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use wasm_bindgen::JsValue;

use crate::codec::Text;
use crate::rejection::Rejection;

/// Data without behaviour.
pub(super) enum Plain {
    Nothing,
    Number(f64),
    Text(String),
    List(Vec<Self>),
    Fields(Vec<(String, Self)>),
}

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Data)
    }
}

struct Data;

#[expect(clippy::as_conversions, reason = "JavaScript has no other numbers")]
impl<'de> Visitor<'de> for Data {
    type Value = Plain;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("plain data")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Plain, E> {
        Ok(Plain::Number(f64::from(u8::from(value))))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Plain, E> {
        Ok(Plain::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Plain, E> {
        Ok(Plain::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Plain, E> {
        Ok(Plain::Number(value))
    }

    fn visit_char<E>(self, value: char) -> Result<Plain, E> {
        Ok(Plain::Text(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Plain, E> {
        Ok(Plain::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Plain, E> {
        Ok(Plain::Text(value))
    }

    fn visit_bytes<E>(self, _: &[u8]) -> Result<Plain, E> {
        Ok(Plain::Nothing)
    }

    fn visit_byte_buf<E>(self, _: Vec<u8>) -> Result<Plain, E> {
        Ok(Plain::Nothing)
    }

    fn visit_none<E>(self) -> Result<Plain, E> {
        Ok(Plain::Nothing)
    }

    fn visit_unit<E>(self) -> Result<Plain, E> {
        Ok(Plain::Nothing)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Plain, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Plain, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Plain, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(value);
        }
        Ok(Plain::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Plain, A::Error> {
        let mut fields = Vec::new();
        while let Some((name, value)) = map.next_entry::<Self::Value, Self::Value>()? {
            if let Plain::Text(name) = name {
                fields.push((name, value));
            }
        }
        Ok(Plain::Fields(fields))
    }
}

impl Plain {
    /// Reads a JavaScript value.
    pub(super) fn read(value: JsValue) -> Result<Self, Rejection> {
        serde_wasm_bindgen::from_value(value).map_err(|error| Rejection::InvalidArgument { what: error.to_string() })
    }

    /// Takes a field out; what is not there is nothing.
    pub(super) fn field(&mut self, name: &str) -> Self {
        let Self::Fields(fields) = self else { return Self::Nothing };
        let at = fields.iter().position(|(key, _)| key == name);
        at.map_or(Self::Nothing, |at| fields.swap_remove(at).1)
    }

    /// The number, if it is one.
    pub(super) const fn number(&self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(*value),
            Self::Nothing | Self::Text(_) | Self::List(_) | Self::Fields(_) => None,
        }
    }

    /// The text, if it is one.
    pub(super) fn text(self) -> Option<Text> {
        match self {
            Self::Text(text) => Some(text.into()),
            Self::Nothing | Self::Number(_) | Self::List(_) | Self::Fields(_) => None,
        }
    }

    /// The entries, if it is a list.
    pub(super) fn list(self) -> Option<Vec<Self>> {
        match self {
            Self::List(list) => Some(list),
            Self::Nothing | Self::Number(_) | Self::Text(_) | Self::Fields(_) => None,
        }
    }

    /// The texts, if it is a list of them.
    pub(super) fn texts(self) -> Option<Vec<Text>> {
        self.list().map(|list| list.into_iter().filter_map(Self::text).collect())
    }
}
