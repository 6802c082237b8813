// Made by `cargo xtask generate` from the tables in src/; do not edit.

/** What restored work waits for, by name. */
export interface Missing {
  /** Keys of sessions: `manager.session(key)` registers one, and its work continues. */
  sessions: readonly string[];
  /** Agents that the options of `open` don't define. */
  agents: readonly string[];
  /** Profiles that the options of `open` don't define. */
  profiles: readonly string[];
}
