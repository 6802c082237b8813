// Made by `cargo xtask generate` from the tables in src/; do not edit.

/** The answer of `checkConsumerSpawn`, the gate before each spawn. */
export interface SpawnGate {
  /** Whether the sub-agent may be spawned. */
  allowed: boolean;
  /** The reason for a refusal, for the model. */
  reason?: string | undefined;
}
