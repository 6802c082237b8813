// One manager's side of the boundary: its core and its parts, the calls of the core, and the manager's end.
// `core-calls.ts` calls the core; each part has its own file: spawning, runs, host calls, waits, lookup, listeners.
// Nothing here is public.

import type { Instance, SubAgentCore } from '../../pkg/subagents.js';
import { Alarm } from '../base/alarm.js';
import { now } from '../base/clock.js';
import { Contexts } from '../base/context.js';
import { letStackGo, messageOf, SubAgentError } from '../base/errors.js';
import { logError, notify } from '../base/log.js';
import { type Weak, weakly } from '../base/weak.js';
import { readEffect } from '../boundary/generated/effects.js';
import { readOwnId } from '../boundary/generated/lookups-readers.js';
import type { Called } from '../boundary/imports.js';
import { attach, isInside, livingIn, ManagerRef, release } from '../boundary/imports.js';
import { packed } from '../boundary/key.js';
import { Listeners } from '../boundary/listeners.js';
import { Refusals } from '../boundary/refusals.js';
import { Scratch } from '../boundary/scratch.js';
import { many, ViewBytes } from '../boundary/view-bytes.js';
import { Denials } from '../commands/denials.js';
import type { Parts } from '../commands/parts.js';
import { askConsumer } from '../commands/spawning.js';
import { Agents } from '../options/agents.js';
import { Profiles } from '../options/profiles.js';
import { Gates } from '../policies/gates.js';
import { Lookup } from '../reading/lookup.js';
import { UnknownNames } from '../reading/unknown-names.js';
import type { ActiveRun } from '../runs/active-run.js';
import { dispatchEffect } from '../runs/effects.js';
import type { Following } from '../runs/following.js';
import type { HostFunctions } from '../runs/functions.js';
import { HostCalls } from '../runs/host-calls.js';
import { KeepAlive } from '../runs/keep-alive.js';
import { Readers } from '../runs/readers.js';
import { Resources } from '../runs/resources.js';
import { Runs } from '../runs/runs.js';
import { SessionData } from '../runs/session-data.js';
import { Signals } from '../runs/signals.js';
import { WaitSnapshots } from '../runs/wait-snapshots.js';
import { Waits } from '../runs/waits.js';
import { Wakes } from '../runs/wakes.js';
import { programTool } from '../tools/tool.js';
import { CoreCalls, disposed } from './core-calls.js';

/** Makes the `run` argument of the host function. */
export type MakeRun = (runtime: Runtime, active: ActiveRun) => object;

export class Runtime extends CoreCalls implements Parts, Called {
  readonly host: number;
  /** Released once the manager is over. */
  instance: Instance;
  readonly door: ManagerRef;
  /** Released once the manager is over, so that its memory is freed whatever else is still referenced (R6). */
  core: SubAgentCore;
  readonly functions: HostFunctions;
  /** The definitions that spawns may name. */
  agents = new Agents(undefined);
  profiles = new Profiles(undefined);
  /** Asks the policies. */
  gates: Gates;
  /** Whether the core has the randomness for its ids. */
  seeded = false;
  /** The key that made the ids, once the core is gone. */
  idKey: BigUint64Array | undefined = undefined;
  ownIds: ReadonlyMap<number, string> | undefined = undefined;
  private readonly reporting = (error: unknown): void => this.report(error);
  readonly scratch: Scratch;
  protected readonly views: ViewBytes;
  readonly runs = new Runs(this);
  readonly hosts: HostCalls;
  readonly waits = new Waits(this);
  readonly lookup = new Lookup(this);
  readonly listeners: Listeners;
  readonly refusals = new Refusals(this);
  readonly sessionData = new SessionData(this);
  readonly resources = new Resources(this);
  /** The contexts in which a run's functions are called. */
  readonly contexts = new Contexts({
    answered: (index) => this.call((core) => core.messageNumber(index)),
    waits: (index, generation, number) => this.call((core) => core.messageWaits(index, generation, number)),
    watchTasks: () => this.call((core) => core.notifyForgotten()),
  });
  /** The run whose host function or policy makes the current call, if runs are followed (S6). */
  readonly following: Following;
  /** Copies of ends, for waits for several sub-agents. */
  readonly waitSnapshots = new WaitSnapshots(this);
  /** Notifies main agents that notices wait for them. */
  readonly wakes = new Wakes(this);
  /** The sessions and runs that read notices. */
  readonly readers = new Readers(this);
  /** The signals of its sessions. */
  readonly signals = new Signals();
  readonly keepAlive: KeepAlive;
  readonly unknownNames = new UnknownNames(this.reporting);
  /** Entries of deny lists that deny nothing. */
  readonly denials = new Denials();
  private readonly alarm: Alarm;
  private readonly runMaker: MakeRun;

  constructor(instance: Instance, functions: HostFunctions, makeRun: MakeRun, following: Following) {
    super();
    this.following = following;
    this.functions = functions;
    this.runMaker = makeRun;
    // The alarm must not keep an unused manager alive.
    this.door = new ManagerRef(this);
    const door = weakly(this.door);
    this.alarm = new Alarm(tickThrough(door), stoodThrough(door), this.contexts.opening);
    this.keepAlive = new KeepAlive(this.alarm, this);
    this.host = attach(this, this.door, this.alarm);
    this.instance = instance;
    this.core = new instance.SubAgentCore(this.host);
    // A drain continues in tasks of the core. A failure there counts like any other.
    instance.onFailure ??= failing(instance);
    this.scratch = new Scratch(this.core, instance.memory);
    this.views = new ViewBytes(this.scratch);
    this.hosts = new HostCalls(this, this.scratch, this.alarm);
    this.listeners = new Listeners(this, this.scratch);
    this.gates = new Gates(this, {}, {});
  }

  /** Sets the time at which the core asks to be called. */
  wakeAt(at: number): void {
    // An earlier call of the same batch may have disposed or poisoned the manager.
    if (this.isClosed) return;
    this.alarm.set(at);
  }

  /** Called by the alarm. */
  tick(): void {
    this.unasked((core) => core.tick(now()));
    this.dispatch();
    this.wakes.review();
    this.readers.changed();
    this.runs.batchOver();
  }

  /** The process stood still until `at`: deadlines move before anything fires; the next effects report it (T4). */
  stoodStill(at: number, ms: number): void {
    this.unasked((core) => core.stoodStill(at, ms));
  }

  /** Makes the `run` argument of the host function. */
  makeRun(active: ActiveRun): object {
    return this.runMaker(this, active);
  }

  /** Asks the host's gate. Returns `true`, or the reason for a refusal. */
  consumerGate(params: unknown): boolean | string {
    return askConsumer(this, params);
  }

  /** Makes the tool that a model calls, from the core's description. */
  makeTool(described: unknown, make: ((described: unknown) => unknown) | undefined): unknown {
    return make === undefined ? programTool(this, described as never) : make(described);
  }

  /** Carries out the effect at this address. */
  effect(at: number): void {
    dispatchEffect(this, this.views.readAt(at, readEffect));
  }

  /** Reports the core's last error to `onError`; it refused no call. */
  reportRefusal(): void {
    const error = this.refusal();
    // Without `onError`, queued work is not logged as an error.
    if (error.code !== 'abandoned_limit' || this.functions.onError !== undefined) this.report(error);
  }

  /** Passes an error of user code to `onError`, else to the runtime's own log. */
  report(error: unknown): void {
    letStackGo(error);
    const { onError } = this.functions;
    if (onError === undefined) logError(error);
    else notify(onError, logError, error);
  }

  /** Calls a user's listener with `what`. Reports an error that it throws or rejects with. */
  notify<What>(listener: (what: What) => unknown, what?: What): void {
    notify(listener, this.reporting, what as What);
  }

  /** Fires the signals, rejects pending promises, releases the instance. */
  dispose(): void {
    this.end(disposed(), true);
  }

  /** Ends the manager after a failure of the store: asks open runs to stop, and rejects pending promises with `error`. */
  fail(error: SubAgentError): void {
    this.end(error, false);
    this.report(error);
  }

  /** With `keeps`, the store persists decisions that the journal doesn't have yet. Without it, no listener gets them either. */
  private end(error: SubAgentError, keeps: boolean): void {
    if (this.closed !== undefined) return;
    if (this.journal !== undefined && keeps) this.unasked((core) => core.stageEffects());
    this.close(error);
    release(this);
    try {
      this.idKey = this.core.idKey();
      this.ownIds = new Map(this.views.readAt(this.core.ownIds(), many(readOwnId)).map(({ task, id }) => [packed(task), id]));
      this.core.dispose();
    } catch {
      // The core failed while it closed; all pending promises have already been rejected.
    }
    this.freeCore();
  }

  /** Frees the core and its memory: at once, or after the return of a running call. */
  private freeCore(): void {
    if (isInside()) {
      queueMicrotask(() => this.freeCore());
      return;
    }
    this.scratch.free();
    this.core = undefined as never;
    this.instance = undefined as never;
  }

  /** After a failure inside the core, nothing in its instance can be trusted: all its managers end, others don't. */
  poison(trap: unknown): SubAgentError {
    if (this.closed === undefined) {
      const error = new SubAgentError('internal', `the manager's core failed: ${messageOf(trap)}${this.fullness()}`);
      const { instance } = this;
      const isFirst = !instance.hasFailed;
      instance.hasFailed = true;
      this.close(error);
      release(this);
      this.freeCore();
      if (isFirst) failing(instance)(trap);
    }
    return this.closed as unknown as SubAgentError;
  }

  /** A hint about the core's memory, if that may be the cause of the failure. The core gives no other sign. */
  private fullness(): string {
    const gigabytes = this.scratch.memoryBytes / 1e9;
    if (gigabytes < 1) return '';
    return (
      `; it has ${gigabytes.toFixed(1)} GB of memory, can have 4.3, and may have found no more: acknowledge notices, ` +
      'lower `maxResultBytes` or `retain`, and read lists and leases in pages'
    );
  }

  private close(error: SubAgentError): void {
    this.closed = error;
    this.journal?.close(error);
    this.alarm.stop();
    this.keepAlive.clear();
    this.runs.close(error);
    this.gates.close();
    this.waits.rejectAll(error);
    this.listeners.clear();
    this.refusals.clear();
    this.sessionData.clear();
    this.contexts.clear();
    this.hosts.elsewhere.clear();
    this.wakes.clear();
    this.readers.clear();
    this.signals.clear();
  }
}

/** Ends all managers of an instance: they share its memory. */
function failing(instance: Instance): (trap: unknown) => void {
  return (trap) => {
    for (const runtime of livingIn(instance)) runtime.poison(trap);
  };
}

/** Outside of the constructor: a function made inside it would keep the manager alive. */
function tickThrough(door: Weak<ManagerRef>): () => void {
  return () => (door.deref()?.runtime as Runtime | undefined)?.tick();
}

function stoodThrough(door: Weak<ManagerRef>): (at: number, ms: number) => void {
  return (at, ms) => (door.deref()?.runtime as Runtime | undefined)?.stoodStill(at, ms);
}
