//! The TypeScript types of what crosses as objects, and the one way objects are made. Owns shapes only.

use serde::Serialize;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** How full the manager is: slots held, queued work, parked runs, host functions that were given up. */
export interface ConcurrencyInfo {
  /** Slots held, cancelled runs that are still returning included. */
  active: number;
  /** `maxConcurrent`. */
  limit: number;
  /** Runs that wait to begin; `waitingFor` says for what. */
  queued: number;
  /** `maxQueued`. */
  queueLimit: number;
  /** Runs that gave their slot up while they wait. */
  parked: number;
  /** Host functions that were given up and have not returned. */
  abandoned: number;
  /** What the queued wait for: how many for each. */
  waitingFor: Record<'abandoned' | 'host' | 'held' | 'retry' | 'cooldown' | 'stagger' | 'budget' | 'slot' | 'session' | 'definition', number>;
}

/** What a gate answers that is asked before a spawn. */
export interface SpawnGate {
  /** Whether the sub-agent may be spawned. */
  allowed: boolean;
  /** Why not, for the model. */
  reason?: string;
}

/** What a drain did. */
export interface DrainResult {
  /** Runs that ended by themselves meanwhile. */
  ended: number;
  /** Runs that the drain cancelled, queued ones included. */
  cancelled: number;
  /** Host functions that had not returned. */
  stillRunning: number;
  /** Whether the time ran out. */
  timedOut: boolean;
}

/** The tool for a model. */
export interface SubAgentToolObject {
  /** The name by which the model calls it. */
  name: string;
  /** What the model is told of it. */
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
