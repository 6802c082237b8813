// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { Key } from '../key.js';

/** The names that restored work waits for. */
export interface Missing {
  /** Keys of sessions: `manager.session(key)` registers one, and its work continues. */
  sessions: readonly string[];
  /** Agents that the options of `open` don't define. */
  agents: readonly string[];
  /** Profiles that the options of `open` don't define. */
  profiles: readonly string[];
}

/** One run of a task. */
export interface RunKey {
  /** The task. */
  task: Key;
  /** The number of the run; 0 stands for a main agent, or for a whole subtree. */
  run: number;
}

/** The last run of a task. */
export interface LastRun {
  /** Its number; 0 if there was none. */
  run: number;
  /** It is queued or open. */
  isOpen: boolean;
}

/** The run that a host reports by an id. */
export interface ReportedRun {
  /** The sub-agent. */
  task: Key;
  /** Its number. */
  run: number;
  /** It was lost with its process, and its work begins again. */
  isBegunAnew: boolean;
}

/** A sub-agent's id that a caller gave. */
export interface OwnId {
  /** The sub-agent. */
  task: Key;
  /** The id. */
  id: string;
}

/** A resource to be released. */
export interface Release {
  /** Its number. */
  serial: number;
  /** The id of the task that it was acquired for. */
  owner: string;
  /** Its data, as JSON; null if no data is known. */
  data: string | null;
}

/** Denied entries that match no tool. */
export interface DeniedInVain {
  /** The entries. */
  denied: string[];
  /** The known tools. */
  known: string[];
}
