//! The fields of a refusal's `details`. Owns the list: one row each, with its type.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::base::number::{Number, number};
use crate::base::slab::Key;

/// A value of a field.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Value {
    Number(Number),
    Name(&'static str),
    Text(String),
    Texts(Vec<String>),
}

/// The fields of one refusal.
#[derive(Clone, Debug, PartialEq)]
pub struct Details {
    fields: Vec<(&'static str, Value)>,
}

impl Serialize for Details {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // As a struct, like all records that cross: code for maps would take another two kilobytes.
        let mut object = serializer.serialize_struct("Details", self.fields.len())?;
        for (name, value) in &self.fields {
            object.serialize_field(name, value)?;
        }
        object.end()
    }
}

/// A type of a field's value.
trait DetailValue {
    /// Its name in TypeScript.
    #[cfg(not(target_arch = "wasm32"))]
    const TYPE: &'static str;
    fn into_value(self, id_of: &dyn Fn(Key) -> String) -> Value;
}

macro_rules! detail_values {
    ($($type:ty: $name:literal = |$value:ident, $id_of:ident| $made:expr;)+) => {
        $(impl DetailValue for $type {
            #[cfg(not(target_arch = "wasm32"))]
            const TYPE: &'static str = $name;
            fn into_value(self, $id_of: &dyn Fn(Key) -> String) -> Value {
                let $value = self;
                $made
            }
        })+
    };
}

detail_values! {
    Number: "number" = |value, _id_of| Value::Number(value);
    u64: "number" = |value, _id_of| Value::Number(number(value));
    &'static str: "string" = |value, _id_of| Value::Name(value);
    String: "string" = |value, _id_of| Value::Text(value);
    Vec<String>: "readonly string[]" = |value, _id_of| Value::Texts(value);
    Key: "string" = |value, id_of| Value::Text(id_of(value));
}

/// A field, for the documentation and for the types of other languages.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy, Debug)]
pub struct DetailField {
    /// Its name in the table of refusals.
    pub key: &'static str,
    /// Its name for users.
    pub name: &'static str,
    /// Its type in TypeScript.
    pub kind: &'static str,
    /// Its meaning.
    pub doc: &'static str,
}

impl Details {
    /// Out of line: every row of the table calls it.
    #[inline(never)]
    fn push(&mut self, name: &'static str, value: Value) {
        self.fields.push((name, value));
    }
}

macro_rules! details {
    ($($(#[doc = $doc:literal])+ $field:ident $name:literal: $type:ty,)+) => {
        impl Details {
            /// Every field.
            #[cfg(not(target_arch = "wasm32"))]
            pub const FIELDS: &'static [DetailField] = &[$(DetailField {
                key: stringify!($field),
                name: $name,
                kind: <$type as DetailValue>::TYPE,
                doc: concat!($($doc),+),
            },)+];

            /// Without fields.
            pub(super) const fn new() -> Self {
                Self { fields: Vec::new() }
            }

            $($(#[doc = $doc])+ pub(super) fn $field(&mut self, value: $type, id_of: &dyn Fn(Key) -> String) {
                self.push($name, value.into_value(id_of));
            })+
        }
    };
}

details! {
    /// The argument, the option or the field that is wrong.
    argument "argument": &'static str,
    /// The limit that is reached.
    limit "limit": u64,
    /// The number of slots in use.
    active "active": u64,
    /// The rest of a budget, in `unit`.
    remaining "remaining": Number,
    /// The needed amount, in `unit`.
    needed "needed": Number,
    /// The unit of `remaining` and `needed`: `tokens`, `US dollars` or `turns`.
    unit "unit": &'static str,
    /// The option that raises the limit.
    option "option": &'static str,
    /// The model.
    model_id "modelId": String,
    /// The status of the sub-agent.
    status "status": &'static str,
    /// The call that the sub-agent refused.
    action "action": &'static str,
    /// The nickname.
    nickname "nickname": String,
    /// The ids of all sub-agents with the nickname, or of those that hold every slot.
    task_ids "taskIds": Vec<String>,
    /// The requested tools.
    requested "requested": Vec<String>,
    /// The available tools.
    available "available": Vec<String>,
    /// The status that the sub-agent had when it was forgotten.
    last_status "lastStatus": &'static str,
    /// The milliseconds until this becomes possible.
    retry_after_ms "retryAfterMs": u64,
    /// The sub-agent that the error is about.
    task_id "taskId": Key,
}
