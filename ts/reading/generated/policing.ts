// Made by `cargo xtask generate` from the tables in src/; do not edit.

/** The count of one policy. */
export interface PolicyCount {
  /** The name of the policy. */
  name: string;
  /** Its count. */
  count: number;
}

/** The policies' record of an agent, in the core. */
export interface Policing {
  /** Turns that it took. */
  turns: number;
  /** The size of its context as last reported, in tokens; null if it was not reported. */
  contextTokens: number | null;
  /** The number of its open to-dos. */
  openTodos: number;
  /** Its to-do list as last reported, as JSON. */
  todos: string;
  /** The count of each counting policy. */
  counts: PolicyCount[];
}
