//! Reads plain data from JavaScript. Owns that any value becomes data; the reader of the data checks its meaning. Not through
//! serde: a deserializer that names the values it found prints floating-point numbers, a tenth of the module.

use js_sys::{Array, Reflect};
use wasm_bindgen::JsValue;

use super::numbers::narrow_number;
use crate::base::codec::Text;
use crate::model::rejection::Rejection;

/// Data without behaviour.
pub(super) enum Plain {
    Nothing,
    Number(f64),
    Text(String),
    List(Vec<Self>),
    Fields(Vec<(String, Self)>),
}

/// The deepest nesting of data: options go three deep, and a cycle must end somewhere.
const DEEPEST: u32 = 8;

fn read(value: &JsValue, depth: u32) -> Result<Plain, JsValue> {
    if let Some(number) = value.as_f64() {
        return Ok(Plain::Number(number));
    }
    if let Some(flag) = value.as_bool() {
        return Ok(Plain::Number(f64::from(u8::from(flag))));
    }
    if let Some(text) = value.as_string() {
        return Ok(Plain::Text(text));
    }
    if !value.is_object() || value.is_function() {
        return Ok(Plain::Nothing);
    }
    let Some(deeper) = depth.checked_sub(1) else { return Err(JsValue::from_str("the data nests too deep")) };
    // Comes first, to catch the error of a revoked proxy: `is_array` would throw it uncaught.
    let keys = Reflect::own_keys(value)?;
    if Array::is_array(value) {
        let length = Reflect::get(value, &JsValue::from_str("length"))?.as_f64().map_or(0, narrow_number);
        return (0..length).map(|at| read(&Reflect::get_u32(value, at)?, deeper)).collect::<Result<_, _>>().map(Plain::List);
    }
    let mut fields = Vec::new();
    for key in keys.iter() {
        if let Some(name) = key.as_string() {
            fields.push((name, read(&Reflect::get(value, &key)?, deeper)?));
        }
    }
    Ok(Plain::Fields(fields))
}

/// The message of a thrown value.
fn said(error: &JsValue) -> String {
    let message = Reflect::get(error, &JsValue::from_str("message")).ok().and_then(|message| message.as_string());
    message.or_else(|| error.as_string()).unwrap_or_else(|| "reading an option failed".into())
}

impl Plain {
    /// Reads a JavaScript value. A getter or a proxy may throw: that is a refusal.
    pub(super) fn read(value: &JsValue) -> Result<Self, Rejection> {
        read(value, DEEPEST).map_err(|error| Rejection::InvalidArgument { argument: None, what: said(&error) })
    }

    /// Takes a field out; an absent one is nothing.
    #[inline(never)]
    pub(super) fn field(&mut self, name: &str) -> Self {
        let Self::Fields(fields) = self else { return Self::Nothing };
        let at = fields.iter().position(|(key, _)| key == name);
        at.map_or(Self::Nothing, |at| fields.swap_remove(at).1)
    }

    /// Takes a text out of its field. Out of line, like the next two: options have many.
    #[inline(never)]
    pub(super) fn take_text(&mut self, name: &str) -> Option<Text> {
        self.field(name).text()
    }

    /// Takes a list of texts out of its field.
    #[inline(never)]
    pub(super) fn take_texts(&mut self, name: &str) -> Option<Vec<Text>> {
        self.field(name).texts()
    }

    /// Takes a number out of its field.
    #[inline(never)]
    pub(super) fn take_number(&mut self, name: &str) -> Option<f64> {
        self.field(name).number()
    }

    /// The number, if it is one.
    #[inline(never)]
    pub(super) const fn number(&self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(*value),
            Self::Nothing | Self::Text(_) | Self::List(_) | Self::Fields(_) => None,
        }
    }

    /// The text, if it is one.
    #[inline(never)]
    pub(super) fn text(self) -> Option<Text> {
        match self {
            Self::Text(text) => Some(text.into()),
            Self::Nothing | Self::Number(_) | Self::List(_) | Self::Fields(_) => None,
        }
    }

    /// The entries, if it is a list.
    #[inline(never)]
    pub(super) fn list(self) -> Option<Vec<Self>> {
        match self {
            Self::List(list) => Some(list),
            Self::Nothing | Self::Number(_) | Self::Text(_) | Self::Fields(_) => None,
        }
    }

    /// The texts, if it is a list of them.
    #[inline(never)]
    pub(super) fn texts(self) -> Option<Vec<Text>> {
        self.list().map(|list| list.into_iter().filter_map(Self::text).collect())
    }
}

/// The names in a list; `None` if there is no list. An entry that is missing or no text refuses the call: a list that
/// wasm-bindgen reads would end the module instead.
pub(super) fn names_in(list: &JsValue, argument: &'static str) -> Result<Option<Vec<Text>>, Rejection> {
    if list.is_undefined() || list.is_null() {
        return Ok(None);
    }
    let refused = || Rejection::InvalidArgument { argument: Some(argument), what: format!("`{argument}` must be a list of strings") };
    let entries = Plain::read(list)?.list().ok_or_else(refused)?;
    entries.into_iter().map(|entry| entry.text().ok_or_else(refused)).collect::<Result<_, _>>().map(Some)
}
