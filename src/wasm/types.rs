//! The TypeScript types of what crosses as objects, and the one way objects are made. Owns shapes only.

use serde::Serialize;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** How full the manager is: slots held, queued work, parked runs, host functions that were given up. */
export interface ConcurrencyInfo {
  active: number;
  limit: number;
  queued: number;
  queueLimit: number;
  parked: number;
  abandoned: number;
  /** What the queued wait for, as counts. */
  waitingFor: { abandoned: number; host: number; held: number; retry: number; cooldown: number; stagger: number; budget: number; slot: number };
}

/** The answer of a gate. */
export interface SpawnGate {
  allowed: boolean;
  reason?: string;
}

/** What a drain did. */
export interface DrainResult {
  ended: number;
  cancelled: number;
  stillRunning: number;
  timedOut: boolean;
}

/** The tool for a model; `execute` resolves to text, and called with a string first to content and details. */
export interface SubAgentToolObject {
  name: string;
  description: string;
  parameters: object;
  inputSchema: object;
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
