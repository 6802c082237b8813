// One manager's side of the boundary: text in through the scratch, the runs under way, the waits, the
// promises. Owns the mapping from the core's numbers to JavaScript's objects; asks the core for every
// decision. Nothing here is public.

import type { Instance, SubAgentCore } from '../pkg/subagents.js';
import { Alarm, now } from './clock.js';
import { Elsewhere } from './elsewhere.js';
import { describe, invalid, messageOf, SubAgentError, type SubAgentErrorCode } from './errors.js';
import { EventReader, type Listener } from './events.js';
import { STOP_REASONS, type StopReason, TASK_STATUSES } from './generated/names.js';
import { attach, enter, leave, release } from './host.js';
import { Live } from './live.js';
import { type Returned, readResult, threw } from './result.js';
import { RunResult } from './run-result.js';
import { NO_TEXT, Scratch } from './scratch.js';
import { followSignal } from './signals.js';
import type { SpawnRequest } from './spawn-options.js';
import { makeTool } from './tool.js';
import type { BackgroundStart, SpawnGate, SpawnSubAgent, TaskSnapshot, TurnPermit } from './types.js';
import { Waits } from './waits.js';

/** Who speaks: slot and generation of a session or task, and the number of its run; zeros for the program. */
export interface Actor {
  readonly slot: number;
  readonly generation: number;
  readonly run: number;
}

export const PROGRAM: Actor = { slot: 0, generation: 0, run: 0 };

/** The functions that the user supplied. */
export interface HostFunctions {
  spawnSubAgent?: SpawnSubAgent | undefined;
  spawnBackgroundSubAgent?: ((params: never) => Promise<BackgroundStart>) | undefined;
  checkConsumerSpawn?: ((params: never) => SpawnGate) | undefined;
  canSpawn?: (() => boolean) | undefined;
  getConcurrencyInfo?: (() => { active: number; limit: number }) | undefined;
  getModelId?: (() => string) | undefined;
  onError?: ((error: unknown) => void) | undefined;
}

/** What `wait` returns where there is nothing to wait for. */
const NOTHING_OPEN = -2;
const PACKED = 4_294_967_296;
const FLAG_PARTIAL = 1;
const FLAG_HOST_OPEN = 2;
const FLAG_CUT = 4;
const FLAG_TEXT = 8;
const FLAG_NEVER_STARTED = 16;

export class Runtime {
  readonly host: number;
  readonly core: SubAgentCore;
  readonly functions: HostFunctions;
  private readonly scratch: Scratch;
  private readonly lives: (Live | undefined)[] = [];
  private readonly waits: Waits;
  private readonly sessions = new Map<number, { generation: number; values: Map<string, unknown> }>();
  private incoming: Live | undefined;
  /** Runs that ended while their host function is running: the order to stop may come after the end. */
  private endedOpen: Live[] = [];
  /** Runs that the host started elsewhere. */
  private readonly elsewhere: Elsewhere;
  private readonly alarm: Alarm;
  private openHosts = 0;
  private closed: SubAgentError | undefined;
  private seeded = false;
  private readonly listeners = new Set<Listener>();
  private events: EventReader | undefined;

  constructor(instance: Instance, functions: HostFunctions) {
    this.functions = functions;
    this.host = attach(this);
    this.core = new instance.SubAgentCore(this.host);
    this.scratch = new Scratch(this.core, instance.memory);
    this.waits = new Waits((wait) => {
      if (this.closed === undefined) this.call((core) => core.endWait(now(), wait));
    });
    this.elsewhere = new Elsewhere(this, (live, returned) => this.settle(live, returned));
    // The alarm must not keep a manager alive that nobody uses any more.
    const self = new WeakRef(this);
    this.alarm = new Alarm(() => self.deref()?.tick());
  }

  // ─── calls into the core ────────────────────────────────────────────────────────────────────────

  /** Refuses every use after `dispose` or a failure. */
  check(): void {
    if (this.closed !== undefined) throw this.closed;
  }

  get isClosed(): boolean {
    return this.closed !== undefined;
  }

  /** Calls the core; what comes out of it by throwing is a failure of the core. */
  call<T>(body: (core: SubAgentCore) => T): T {
    this.check();
    const outer = enter(this);
    try {
      return body(this.core);
    } catch (error) {
      throw this.poison(error);
    } finally {
      leave(outer);
    }
  }

  /** The refusal that the core kept, as an error. */
  refusal(): SubAgentError {
    const kept = this.core.refusal() as { code: SubAgentErrorCode; message: string; details: Record<string, unknown> };
    return new SubAgentError(kept.code, kept.message, kept.details);
  }

  /** Calls the core and throws where it refuses. */
  ask(body: (core: SubAgentCore) => boolean): void {
    if (!this.call(body)) throw this.refusal();
  }

  /** Leaves a text where the core finds it and returns its length in bytes. */
  write(text: string): number {
    return this.scratch.write(text);
  }

  /** Draws the randomness for ids, at the first spawn: some runtimes refuse it at import. */
  private seed(): void {
    this.ask((core) => core.seed(now()));
    this.seeded = true;
  }

  // ─── spawning ───────────────────────────────────────────────────────────────────────────────────

  /** Asks the gate, then the core; throws where either refuses. */
  spawn(actor: Actor, request: SpawnRequest, params: unknown): Live {
    if (this.closed !== undefined) throw this.closed;
    if (!this.seeded) this.seed();
    if (this.functions.checkConsumerSpawn !== undefined) {
      const answer = this.consumerGate(params);
      if (answer !== true) throw new SubAgentError('spawn_denied', answer || 'the host refused this spawn', { reason: answer || null });
      this.check();
    }
    const { staged, text } = request;
    const live = new Live(this, params);
    live.background = request.background;
    live.text = text;
    // First of all: a foreign signal may throw, and then nothing was begun, or spawn itself.
    if (request.signal !== undefined) followSignal(this, live, request.signal);
    if (staged !== undefined && !this.core.stage(staged)) {
      live.unfollow?.();
      throw this.refusal();
    }
    const length = text === undefined ? 0 : this.write(text);
    const flags = (request.background ? 1 : 0) | (text === undefined ? 2 : 0) | (staged === undefined ? 0 : 4) | (request.manual ? 8 : 0);
    const before = this.incoming;
    this.incoming = live;
    const outer = enter(this);
    let packed: number;
    try {
      packed = this.core.begin(now(), actor.slot, actor.generation, actor.run, flags, length, request.tokens, request.cost, request.turns);
    } catch (error) {
      throw this.poison(error);
    } finally {
      leave(outer);
      this.incoming = before;
    }
    if (packed < 0) {
      live.unfollow?.();
      throw this.refusal();
    }
    live.slot = packed >>> 0;
    live.generation = Math.floor(packed / PACKED);
    // A run that waits for its slot is found by it later; one that started is there already.
    if (live.run === 0 && text !== undefined && !request.manual) {
      live.run = 1;
      this.lives[live.slot] = live;
    }
    if (live.abortedEarly) this.cancelLive(live);
    return live;
  }

  /** The host's gate: `true`, or why not. Throwing, a promise, or no boolean refuses. */
  consumerGate(params: unknown): boolean | string {
    const gate = this.functions.checkConsumerSpawn;
    if (gate === undefined) return true;
    try {
      const answer = gate(params as never) as unknown;
      if (typeof answer !== 'object' || answer === null)
        return `checkConsumerSpawn must return { allowed }, it returned ${describe(answer)}`;
      const { allowed, reason } = answer as { allowed?: unknown; reason?: unknown };
      if (allowed === true) return true;
      if (allowed === false) return typeof reason === 'string' && reason !== '' ? reason : false;
      if (typeof (answer as { then?: unknown }).then === 'function') {
        (answer as Promise<unknown>).then(undefined, () => undefined);
        return 'checkConsumerSpawn must answer at once, it returned a promise';
      }
      return `checkConsumerSpawn must return { allowed: boolean }, allowed is ${describe(allowed)}`;
    } catch (error) {
      return `checkConsumerSpawn failed: ${messageOf(error)}`;
    }
  }

  /** The caller's signal fired. */
  cancelLive(live: Live): void {
    if (this.closed === undefined) this.cancel(PROGRAM, live.slot, live.generation, 'signal_aborted').catch(() => undefined);
  }

  // ─── what the core asks for ─────────────────────────────────────────────────────────────────────

  /** Calls the host function of a run. `fresh`: it is the one being spawned right now. */
  startRun(slot: number, generation: number, run: number, fresh: boolean): void {
    let live = fresh ? this.incoming : this.lives[slot];
    if (live === undefined || (!fresh && live.run !== run)) live = new Live(this, undefined);
    live.slot = slot;
    live.generation = generation;
    live.run = run;
    this.lives[slot] = live;
    live.text ??= this.call((core) => core.message(slot));
    const settled = live;
    try {
      if (live.background && this.functions.spawnBackgroundSubAgent !== undefined) {
        this.elsewhere.start(live, this.functions.spawnBackgroundSubAgent);
        return;
      }
      const spawnSubAgent = this.functions.spawnSubAgent;
      if (spawnSubAgent === undefined) throw new Error('no spawnSubAgent was given to the manager');
      live.hostOpen = true;
      this.openHosts += 1;
      this.alarm.hold(true);
      const returned: unknown = spawnSubAgent(live.params() as never, live.handedRun());
      // Any other thenable may settle twice, call back at once or throw on the way: a promise of ours tames it.
      const promise = isPlainPromise(returned) ? returned : new Promise((resolve) => resolve(returned));
      promise.then(
        (value) => this.hostReturned(settled, value),
        (error: unknown) => this.hostThrew(settled, error),
      );
    } catch (error) {
      this.hostThrew(live, error);
    }
  }

  /** Takes the result of a run that the host started elsewhere, by our id or its own. */
  reportSettled(id: unknown, result: unknown): void {
    this.check();
    this.elsewhere.report(id, result);
  }

  private hostReturned(live: Live, value: unknown): void {
    this.settle(live, readResult(value));
  }

  private hostThrew(live: Live, error: unknown): void {
    const message = messageOf(error);
    this.settle(live, threw(message, error));
  }

  /** Where nothing is running any more, an idle process need not wait for its alarm. */
  private hostIsOver(live: Live): void {
    live.settled = true;
    if (!live.hostOpen) return;
    this.openHosts -= 1;
    if (this.openHosts === 0) this.alarm.hold(false);
  }

  /** Tells the core that a host function is over. */
  private settle(live: Live, returned: Returned): void {
    if (live.settled) return;
    if (this.endedOpen.length > 0) this.endedOpen = this.endedOpen.filter((other) => other !== live);
    this.hostIsOver(live);
    if (this.closed !== undefined) return;
    live.returned = returned;
    const { output, error, status, id, artifacts } = this.scratch.writeEnd(returned);
    const outer = enter(this);
    try {
      this.core.settle(
        now(),
        live.slot,
        live.generation,
        live.run,
        returned.how,
        output,
        error,
        status,
        id,
        artifacts,
        returned.tokens,
        returned.cost,
        returned.turns,
        returned.durationMs,
      );
    } catch (trap) {
      this.poison(trap);
    } finally {
      leave(outer);
    }
  }

  /** A manual task ends; see `ts/manual.ts`. */
  settleManual(slot: number, generation: number, returned: Returned): void {
    this.check();
    const { output, error, artifacts } = this.scratch.writeEnd(returned);
    this.ask((core) =>
      core.settle(
        now(),
        slot,
        generation,
        0,
        returned.how,
        output,
        error,
        NO_TEXT,
        NO_TEXT,
        artifacts,
        returned.tokens,
        returned.cost,
        returned.turns,
        returned.durationMs,
      ),
    );
  }

  runEnded(
    slot: number,
    run: number,
    status: number,
    reason: number,
    flags: number,
    tokens: number,
    nanos: number,
    turns: number,
    durationMs: number,
    text: number,
    textLength: number,
  ): void {
    const live = this.lives[slot];
    if (live === undefined || live.run !== run) return;
    this.lives[slot] = undefined;
    // Without grace a run is told to stop and ended in one batch, and its end is told first.
    if ((flags & FLAG_HOST_OPEN) !== 0) this.endedOpen.push(live);
    live.unfollow?.();
    const returned = (flags & FLAG_HOST_OPEN) === 0 ? live.returned : undefined;
    const output = (flags & FLAG_TEXT) !== 0 ? this.scratch.read(text, textLength) : (returned?.output ?? '');
    live.result = new RunResult(
      live,
      TASK_STATUSES[status] ?? 'failed',
      STOP_REASONS[reason] ?? 'host_failed',
      output,
      returned,
      tokens,
      nanos,
      turns,
      flags >>> 8,
      durationMs,
      (flags & FLAG_PARTIAL) !== 0,
      (flags & FLAG_CUT) !== 0,
      (flags & FLAG_HOST_OPEN) !== 0,
      (flags & FLAG_NEVER_STARTED) === 0,
    );
    const turn = live.turn;
    if (turn !== undefined) {
      live.turn = undefined;
      turn.resolve({ go: false, reason: STOP_REASONS[reason] ?? 'host_failed' });
    }
  }

  waitDone(wait: number, timedOut: boolean): void {
    this.waits.done(wait, timedOut);
  }

  abortRun(slot: number, run: number, reason: number): void {
    const live = this.lives[slot];
    if (live?.run === run) live.abort(STOP_REASONS[reason] ?? 'cancelled');
    else this.endedOpen.find((ended) => ended.slot === slot && ended.run === run)?.abort(STOP_REASONS[reason] ?? 'cancelled');
  }

  /** A turn that had to wait may be asked for again. */
  turnReady(slot: number, run: number): void {
    const live = this.lives[slot];
    if (live?.run !== run) return;
    const { turn } = live;
    if (turn === undefined) {
      // The answer "later" has not come back yet.
      live.turnReady = true;
      return;
    }
    const permit = this.beginTurn(live, turn.estimate);
    if (permit === undefined) return;
    live.turn = undefined;
    turn.resolve(permit);
  }

  wakeAt(at: number): void {
    this.alarm.set(at);
  }

  private tick(): void {
    if (this.closed !== undefined) return;
    this.call((core) => core.tick(now()));
    // All orders of the batch have come.
    this.endedOpen = [];
  }

  /** Facts of a batch, for whoever listens. A listener that throws harms nobody. */
  facts(at: number, length: number): void {
    if (this.events === undefined) return;
    // Copied out: a listener may call back, and then the bytes are gone.
    const bytes = this.scratch.copy(at, length);
    for (const event of this.events.read(bytes)) {
      for (const listener of this.listeners) {
        try {
          listener(event);
        } catch (error) {
          this.report(error);
        }
      }
    }
  }

  makeTool(description: unknown): unknown {
    return makeTool(this, description as never);
  }

  // ─── runs ───────────────────────────────────────────────────────────────────────────────────────

  /** The run of a task that is queued or open, made where it is not known here yet. */
  liveOf(slot: number, generation: number): Live | undefined {
    const known = this.lives[slot];
    if (known !== undefined && known.generation === generation) return known;
    const run = this.call((core) => core.lastRun(slot, generation));
    if (run === 0 || !this.call((core) => core.isOpen(slot, generation, run))) return undefined;
    const live = new Live(this, undefined);
    live.slot = slot;
    live.generation = generation;
    live.run = run;
    this.lives[slot] = live;
    return live;
  }

  /** One question for a turn; `undefined` where the answer comes later. */
  beginTurn(live: Live, estimate: number): TurnPermit | undefined {
    live.turnReady = false;
    const code = this.call((core) => core.beginTurn(now(), live.slot, live.generation, live.run, estimate));
    if (code === 0) return live.turnReady ? this.beginTurn(live, estimate) : undefined;
    if (code === -1) return { go: false, reason: 'actor_ended' };
    if (code < 0) return { go: false, reason: STOP_REASONS[-2 - code] ?? 'cancelled' };
    const reason = code % 64;
    const turn = Math.floor(code / 64);
    if (reason === 0) return { go: true, turn };
    const tokens = this.call((core) => core.heldTokens(live.slot));
    return { go: true, turn, wrapUp: true, reason: STOP_REASONS[reason - 1] as StopReason, tokens };
  }

  /** What a task keeps for itself over its runs (A2). */
  session(slot: number, generation: number): Map<string, unknown> {
    const kept = this.sessions.get(slot);
    if (kept?.generation === generation) return kept.values;
    if (this.call((core) => core.status(slot, generation)) < 0) throw new SubAgentError('forgotten', 'this sub-agent has been forgotten');
    // From now on the core says which tasks it forgets, so that what they kept goes with them.
    this.core.tellForgotten();
    const values = new Map<string, unknown>();
    this.sessions.set(slot, { generation, values });
    return values;
  }

  taskForgotten(slot: number, generation: number): void {
    if (this.sessions.get(slot)?.generation === generation) this.sessions.delete(slot);
  }

  // ─── waiting and cancelling ─────────────────────────────────────────────────────────────────────

  /** Waits for the current run of one task and gives its result, or `undefined` where the time ran out. */
  waitFor(actor: Actor, target: Live, timeoutMs: number, signal?: AbortSignal): Promise<RunResult | undefined> {
    this.check();
    const { slot, generation } = target;
    const live = this.liveOf(slot, generation);
    // The time matters only for a deadline and for who listens; else the core's own last time will do.
    const at = timeoutMs === Number.POSITIVE_INFINITY && this.events === undefined ? 0 : now();
    const outer = enter(this);
    let code: number;
    try {
      code = this.core.wait(at, actor.slot, actor.generation, actor.run, slot, generation, timeoutMs);
    } catch (error) {
      throw this.poison(error);
    } finally {
      leave(outer);
    }
    if (code === -1) throw this.refusal();
    if (code === NOTHING_OPEN) return Promise.resolve(this.pastResult(slot, generation, target));
    return new Promise((resolve, reject) => {
      this.waits.keep(code, { live, resolve, reject }, signal);
    });
  }

  /** The result of a run that ended before anybody waited. */
  private pastResult(slot: number, generation: number, known: Live | undefined): RunResult {
    // The result that those who waited got tells more than what is kept.
    if (known?.result !== undefined && this.call((core) => core.lastRun(slot, generation)) === known.run) return known.result;
    return RunResult.of(this.snapshot(slot, generation));
  }

  /** Waits for several; the caller reads afterwards who has ended. */
  waitMany(
    actor: Actor,
    targets: readonly { slot: number; generation: number }[],
    all: boolean,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const pairs = new Uint32Array(targets.flatMap((target) => [target.slot, target.generation]));
    const code = this.call((core) => core.waitMany(now(), actor.slot, actor.generation, actor.run, pairs, all, timeoutMs));
    if (code === -1) throw this.refusal();
    if (code === NOTHING_OPEN) return Promise.resolve(false);
    return new Promise((resolve, reject) => {
      this.waits.keep(code, { live: undefined, resolve, reject }, signal);
    });
  }

  /** Cancels a subtree and resolves when nothing runs there any more. */
  cancel(actor: Actor, slot: number, generation: number, reason: StopReason, graceMs = Number.NaN): Promise<void> {
    const code = this.call((core) =>
      core.cancel(now(), actor.slot, actor.generation, actor.run, slot, generation, STOP_REASONS.indexOf(reason), graceMs),
    );
    if (code === -1) throw this.refusal();
    if (code === NOTHING_OPEN) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.waits.keep(code, { live: undefined, resolve, reject });
    });
  }

  // ─── reading ────────────────────────────────────────────────────────────────────────────────────

  /** Slot and generation of the task with this id; throws where there is none. */
  resolve(id: unknown): { slot: number; generation: number } {
    this.check();
    if (typeof id !== 'string') throw new SubAgentError('invalid_argument', `a task id must be a string, got ${describe(id)}`);
    const length = this.write(id.slice(0, 64));
    const packed = this.call((core) => core.find(length));
    if (packed < 0) {
      const refusal = this.refusal();
      throw new SubAgentError(refusal.code, `${refusal.message}: ${describe(id)}`, { ...refusal.details, taskId: id });
    }
    return { slot: packed >>> 0, generation: Math.floor(packed / PACKED) };
  }

  /** Sends a message to a task. */
  send(actor: Actor, slot: number, generation: number, message: unknown): { receipt: 'started' | 'queued' } {
    this.check();
    if (typeof message !== 'string') throw invalid('a message', 'a text', message);
    const length = this.write(message);
    const code = this.call((core) => core.send(now(), actor.slot, actor.generation, actor.run, slot, generation, length));
    if (code < 0) throw this.refusal();
    return { receipt: code === 1 ? 'started' : 'queued' };
  }

  openSession(key: string): Actor {
    this.check();
    const length = this.write(key);
    const packed = this.call((core) => core.openSession(now(), length));
    if (packed < 0) throw this.refusal();
    return { slot: packed >>> 0, generation: Math.floor(packed / PACKED), run: 0 };
  }

  forget(actor: Actor, slot: number, generation: number): void {
    this.ask((core) => core.forget(now(), actor.slot, actor.generation, actor.run, slot, generation));
  }

  memoryBytes(): number {
    return this.scratch.memoryBytes;
  }

  taskId(slot: number, generation: number): string {
    // Also after disposing: a result that outlives its manager can still be read.
    return this.closed?.code === 'disposed' ? this.core.taskId(slot, generation) : this.call((core) => core.taskId(slot, generation));
  }

  isSession(slot: number, generation: number): boolean {
    return this.call((core) => core.isSession(slot, generation));
  }

  snapshot(slot: number, generation: number): TaskSnapshot {
    const view = this.call((core) => core.get(slot, generation)) as RawSnapshot | undefined;
    if (view === undefined) throw this.refusal();
    return parseArtifacts(view);
  }

  // ─── listening and ending ───────────────────────────────────────────────────────────────────────

  subscribe(listener: Listener): () => void {
    this.check();
    if (this.listeners.size === 0) {
      this.events = new EventReader(this, this.core.factCount());
      this.core.listen(true);
    }
    // Each subscription counts for itself, also of the same function.
    const entry: Listener = (event) => listener(event);
    this.listeners.add(entry);
    return () => {
      this.listeners.delete(entry);
      if (this.listeners.size === 0 && this.closed === undefined) {
        this.core.listen(false);
        this.events = undefined;
      }
    };
  }

  /** Hands an error of user code to whoever asked for them. */
  report(error: unknown): void {
    const { onError } = this.functions;
    if (onError === undefined) {
      queueMicrotask(() => {
        throw error;
      });
      return;
    }
    try {
      onError(error);
    } catch {
      // An error handler that throws has nobody left to tell.
    }
  }

  /** Fires the signals, rejects what is pending, lets go of the instance. */
  dispose(): void {
    if (this.closed !== undefined) return;
    this.close(new SubAgentError('disposed', 'the manager has been disposed'));
    this.core.dispose();
    release(this);
  }

  /** After a failure inside the core nothing it says can be trusted: this manager is over, others are not. */
  private poison(trap: unknown): SubAgentError {
    if (this.closed === undefined) {
      const error = new SubAgentError('internal', `the manager's core failed: ${messageOf(trap)}`);
      this.close(error);
      release(this);
    }
    return this.closed as unknown as SubAgentError;
  }

  private close(error: SubAgentError): void {
    this.closed = error;
    this.alarm.stop();
    for (const live of this.lives) {
      if (live === undefined) continue;
      live.turn?.reject(error);
      live.turn = undefined;
      live.unfollow?.();
      live.abort(error.code === 'disposed' ? 'cancelled' : 'host_lost');
    }
    this.lives.length = 0;
    this.waits.rejectAll(error);
    this.listeners.clear();
    this.sessions.clear();
    this.elsewhere.clear();
  }
}

type RawSnapshot = Omit<TaskSnapshot, 'artifacts'> & { artifacts: string | null };

/** Artifacts are kept as JSON; users get the values. */
export function parseArtifacts(view: RawSnapshot): TaskSnapshot {
  return { ...view, artifacts: view.artifacts === null ? [] : JSON.parse(view.artifacts) };
}

/** A promise whose own `then` is the one of the language: it settles once, later, and throws nothing. */
function isPlainPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise && value.constructor === Promise && value.then === Promise.prototype.then;
}
