//! The TypeScript types of objects that cross the boundary, and the one way to make these objects.

use serde::Serialize;
use wasm_bindgen::prelude::*;

/// The types from the tables.
#[wasm_bindgen(typescript_custom_section)]
const TOTALS: &str = include_str!("generated/totals.d.ts");

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** The tool for a model. */
export interface SubAgentToolObject {
  /** The name by which the model calls it. */
  name: string;
  /** What the model reads of it. */
  description: string;
  /** What it takes: JSON Schema. */
  parameters: object;
  /** The same as `parameters`. */
  inputSchema: object;
  /** Does it; resolves to text, or, called with the id of the call first, to content and details. */
  execute: (...args: unknown[]) => Promise<unknown>;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "ConcurrencyInfo")]
    pub type ConcurrencyInfo;
    #[wasm_bindgen(typescript_type = "SpawnGate")]
    pub type SpawnGate;
    #[wasm_bindgen(typescript_type = "DrainResult")]
    pub type DrainResult;
    #[wasm_bindgen(typescript_type = "SubAgentToolObject")]
    pub type SubAgentToolObject;
}

/// A plain object: absent values are `null`, maps are objects.
pub(super) fn plain<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    let serializer = serde_wasm_bindgen::Serializer::new().serialize_missing_as_null(true).serialize_maps_as_objects(true);
    value.serialize(&serializer).map_err(|error| JsValue::from_str(&error.to_string()))
}
