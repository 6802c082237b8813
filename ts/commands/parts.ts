// The parts of a manager, as its commands, its tools and its public classes use them. Owns the list;
// `ts/api/runtime.ts` makes them.

import type { Contexts } from '../base/context.js';
import type { Core } from '../boundary/core.js';
import type { Journal } from '../boundary/journal.js';
import type { Listeners } from '../boundary/listeners.js';
import type { Refusals } from '../boundary/refusals.js';
import type { Scratch } from '../boundary/scratch.js';
import type { Agents } from '../options/agents.js';
import type { Profiles } from '../options/profiles.js';
import type { Gates } from '../policies/gates.js';
import type { Lookup } from '../reading/lookup.js';
import type { UnknownNames } from '../reading/unknown-names.js';
import type { ActiveRun } from '../runs/active-run.js';
import type { Following } from '../runs/following.js';
import type { HostFunctions } from '../runs/functions.js';
import type { HostCalls } from '../runs/host-calls.js';
import type { KeepAlive } from '../runs/keep-alive.js';
import type { Readers } from '../runs/readers.js';
import type { Resources } from '../runs/resources.js';
import type { Runs } from '../runs/runs.js';
import type { SessionData } from '../runs/session-data.js';
import type { Signals } from '../runs/signals.js';
import type { WaitSnapshots } from '../runs/wait-snapshots.js';
import type { Waits } from '../runs/waits.js';
import type { Wakes } from '../runs/wakes.js';
import type { Denials } from './denials.js';

export interface Parts extends Core {
  readonly functions: HostFunctions;
  /** The definitions that spawns may name. */
  readonly agents: Agents;
  readonly profiles: Profiles;
  /** Asks the policies. */
  readonly gates: Gates;
  /** The journal of the facts, if the manager has a store. */
  readonly journal: Journal | undefined;
  readonly scratch: Scratch;
  readonly runs: Runs;
  readonly hosts: HostCalls;
  readonly waits: Waits;
  readonly lookup: Lookup;
  readonly listeners: Listeners;
  readonly refusals: Refusals;
  readonly sessionData: SessionData;
  readonly resources: Resources;
  /** The contexts in which a run's functions are called. */
  readonly contexts: Contexts;
  /** The run whose host function or policy makes the current call. */
  readonly following: Following;
  /** Copies of ends, for waits for several sub-agents. */
  readonly waitSnapshots: WaitSnapshots;
  /** Notifies main agents that notices wait for them. */
  readonly wakes: Wakes;
  /** The sessions and runs that read notices. */
  readonly readers: Readers;
  /** The signals of its sessions. */
  readonly signals: Signals;
  readonly keepAlive: KeepAlive;
  /** The unknown names in results and reports that were reported. */
  readonly unknownNames: UnknownNames;
  /** Entries of deny lists that deny nothing. */
  readonly denials: Denials;
  /** Whether the core has the randomness for its ids. */
  seeded: boolean;
  /** Makes the `run` argument of the host function. */
  makeRun(active: ActiveRun): object;
  dispose(): void;
}
