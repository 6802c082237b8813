// Made by `cargo xtask generate` from the tables in src/; do not edit.

/** How often a policy has counted. */
export interface PolicyCount {
  /** The name of the policy. */
  name: string;
  /** How often. */
  count: number;
}

/** What policies know of an agent, as the core keeps it. */
export interface Policing {
  /** Turns that it took. */
  turns: number;
  /** The size of its context as last reported, in tokens; null if it was not reported. */
  contextTokens: number | null;
  /** How many of its to-dos are open. */
  openTodos: number;
  /** Its to-do list as last reported, as JSON. */
  todos: string;
  /** How often each counting policy has counted. */
  counts: PolicyCount[];
}
