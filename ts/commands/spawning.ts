// Spawning: asks the gates, then the core; an accepted spawn becomes an active run. Owns this order, and that a refused spawn
// has started nothing.

import { now } from '../base/clock.js';
import { describe, messageOf, SubAgentError } from '../base/errors.js';
import { wellFormedIn } from '../base/text.js';
import { enter, leave } from '../boundary/imports.js';
import { type Actor, generationOf, indexOf, type Key, keyOf } from '../boundary/key.js';
import { REFUSED, SPAWN_IN_BACKGROUND, SPAWN_ONCE, SPAWN_REPEATED, SPAWN_STAGED, SPAWN_WITHOUT_TEXT } from '../generated/codes.js';
import { ownOf } from '../options/arguments.js';
import type { SpawnOptions } from '../options/generated/spawn.js';
import { readSpawn, type SpawnRequest, type StagedOptions, textIn, withRightCall } from '../options/spawn-options.js';
import { ActiveRun } from '../runs/active-run.js';
import { followSignal } from '../runs/signals.js';
import { deniedInVain } from './denials.js';
import type { Parts } from './parts.js';

/** Reads the options of a spawn. Throws if they are wrong, and reports that as a refusal. */
export function requested(runtime: Parts, actor: Actor, options: SpawnOptions): SpawnRequest {
  try {
    return readSpawn(options, runtime);
  } catch (wrong) {
    const error = withRightCall(wrong);
    runtime.refusals.report('spawn', actor, () => textIn(options), error);
    throw error;
  }
}

/** Asks the gate, then the core; throws if either refuses. */
export function spawn(runtime: Parts, actor: Actor, request: SpawnRequest, given: object): ActiveRun {
  try {
    return begin(runtime, actor, request, given);
  } catch (error) {
    runtime.refusals.report('spawn', actor, request.staged?.label ?? request.text ?? null, error);
    throw error;
  }
}

function begin(runtime: Parts, actor: Actor, request: SpawnRequest, given: object): ActiveRun {
  runtime.check();
  // Before gates and policies are asked, and before keys are compared (D9).
  const mayBeStopped = request.signal !== undefined || actor.run !== 0;
  if (mayBeStopped) expectNotStopped(runtime, actor, request);
  const params = wellFormedParams(request, given);
  if (!runtime.seeded) seed(runtime);
  if (runtime.functions.checkConsumerSpawn !== undefined) expectAllowed(runtime, params);
  if (runtime.gates.guardSpawns) {
    runtime.gates.beforeSpawn(actor, request, params);
    runtime.check();
  }
  // The called gates may have fired the signal, or stopped the run.
  if (mayBeStopped) expectNotStopped(runtime, actor, request);
  if (runtime.functions.spawnSubAgent === undefined) expectHost(runtime, request);
  const active = new ActiveRun(runtime, params, request);
  if (request.watch !== undefined) active.watch = request.watch as ActiveRun['watch'];
  if (request.call !== undefined) active.call = request.call as ActiveRun['call'];
  // Before all else: from here on the signal stops the spawn.
  if (request.signal !== undefined) followUnfired(active, request.signal);
  if (request.staged !== undefined) stage(runtime, active, request.staged);
  return admit(runtime, actor, request, active);
}

/** Asks the core, and carries out the effects. */
function admit(runtime: Parts, actor: Actor, request: SpawnRequest, active: ActiveRun): ActiveRun {
  const { staged, text } = request;
  const length = text === undefined ? 0 : runtime.write(text);
  const flags =
    (request.background ? SPAWN_IN_BACKGROUND : 0) |
    (text === undefined ? SPAWN_WITHOUT_TEXT : 0) |
    (staged === undefined ? 0 : SPAWN_STAGED) |
    (staged?.idempotencyKey === undefined ? 0 : SPAWN_ONCE) |
    request.answers;
  const outer = enter(runtime);
  let packed: number;
  try {
    packed = runtime.core.begin(
      now(),
      actor.index,
      actor.generation,
      actor.run,
      flags,
      length,
      request.tokens,
      request.cost,
      request.turns,
    );
  } catch (error) {
    throw runtime.poison(error);
  } finally {
    leave(outer);
  }
  if (packed === REFUSED) {
    active.unfollow?.();
    throw runtime.refusal();
  }
  const answer =
    packed < 0 ? repeated(runtime, active, request, keyOf(SPAWN_REPEATED - packed)) : admitted(runtime, active, request, packed);
  const inVain = packed >= 0 && staged?.disallowedTools !== undefined ? deniedInVain(runtime, active.index) : undefined;
  const outerContext = runtime.contexts.enter(packed < 0 ? undefined : active);
  runtime.dispatch();
  runtime.contexts.leave(outerContext);
  runtime.expectSound();
  if (inVain !== undefined) runtime.denials.report(runtime, inVain, 'disallowedTools');
  return answer;
}

/** Asks the host's gate; throws if it refuses. */
function expectAllowed(runtime: Parts, params: object): void {
  const answer = askConsumer(runtime, params);
  if (answer !== true) throw new SubAgentError('spawn_denied', answer || 'the host refused this spawn', { reason: answer || null });
  runtime.check();
}

/** Has the spawn's signal stop the sub-agent, unless it has fired already. */
function followUnfired(active: ActiveRun, signal: AbortSignal): void {
  followSignal(active, signal);
  if (active.abortedEarly) throw firedAlready(signal);
}

/** Passes the core the options that are neither numbers nor texts. */
function stage(runtime: Parts, active: ActiveRun, staged: StagedOptions): void {
  if (runtime.call((core) => core.stage(staged))) return;
  active.unfollow?.();
  throw runtime.refusal();
}

/** Stores the data with which an admitted task starts and ends. */
function admitted(runtime: Parts, active: ActiveRun, { text, schema, signal }: SpawnRequest, packed: number): ActiveRun {
  active.index = indexOf(packed);
  active.generation = generationOf(packed);
  if (schema !== undefined) runtime.sessionData.check(active.index, active.generation, schema);
  if (text === undefined) {
    if (signal !== undefined) runtime.signals.keepIdle(active, signal);
  } else {
    active.run = 1;
    runtime.contexts.keep(active);
    runtime.runs.keep(active);
  }
  return active;
}

/** Returns the earlier task that has the key of this spawn. */
function repeated(runtime: Parts, active: ActiveRun, request: SpawnRequest, key: Key): ActiveRun {
  active.unfollow?.();
  request.repeated = true;
  const known = lastRunOf(runtime, key);
  // After a restart the task has no schema yet, and its host function needs it from the start.
  const { schema } = request;
  if (schema !== undefined && runtime.journal?.goesOn === true && !known.hostOpen && known.check === undefined)
    runtime.sessionData.check(key.index, key.generation, schema);
  return known;
}

/** Refuses a spawn whose signal has fired, and foreground work of a run that was asked to stop (D9). */
function expectNotStopped(runtime: Parts, { index, generation, run }: Actor, { signal, background }: SpawnRequest): void {
  if (signal?.aborted === true) throw firedAlready(signal);
  if (run !== 0) runtime.ask((core) => core.mayStart(index, generation, run, background));
}

function firedAlready(signal: AbortSignal): SubAgentError {
  return new SubAgentError('aborted', 'the signal of this spawn has fired already, so nothing was started', {}, { cause: signal.reason });
}

/**
 * The parameters for gates and the host, with well-formed texts (R8). If there is only a text, U+FFFD shows that it was
 * malformed.
 */
function wellFormedParams({ staged, text }: SpawnRequest, params: object): object {
  return staged !== undefined || text?.includes('\ufffd') === true ? wellFormedIn(params) : params;
}

/** Refuses a spawn that no function could run. Later, only the model would read of the program's mistake. */
function expectHost({ functions }: Parts, { text, background, staged }: SpawnRequest): void {
  if (text === undefined || staged?.driven === true || (background && functions.spawnBackgroundSubAgent !== undefined)) return;
  const argument = 'spawnSubAgent';
  const right = '`new SubAgentManager({ spawnSubAgent: async ({ instructions }, run) => ({ output }) })`';
  throw new SubAgentError('invalid_argument', `the manager was made without \`spawnSubAgent\`, so nothing can run a sub-agent: ${right}`, {
    argument,
  });
}

/** The open run of a task, or its last one. */
export function lastRunOf(runtime: Parts, { index, generation }: Key): ActiveRun {
  const open = runtime.runs.activeOf(index, generation);
  if (open !== undefined) return open;
  const active = new ActiveRun(runtime, undefined);
  active.index = index;
  active.generation = generation;
  active.run = runtime.call((core) => core.lastRun(index, generation));
  return active;
}

/**
 * Asks the host's gate. Returns `true`, or the reason for a refusal. A gate that throws, or returns a promise or no boolean,
 * refuses. Its error is reported.
 */
export function askConsumer(runtime: Parts, params: unknown): boolean | string {
  const gate = runtime.functions.checkConsumerSpawn;
  if (gate === undefined) return true;
  try {
    const answer = gate(params as never) as unknown;
    if (typeof answer !== 'object' || answer === null) return `checkConsumerSpawn must return { allowed }, it returned ${describe(answer)}`;
    const { allowed: said, reason: why } = answer as { allowed?: unknown; reason?: unknown };
    // In a plain object `allowed` is its own, unless other code has put that name on `Object.prototype`.
    if (said === true && Object.getPrototypeOf(answer) === Object.prototype && !('allowed' in Object.prototype)) return true;
    const [allowed, reason] = [ownOf(answer, 'allowed', said), ownOf(answer, 'reason', why)];
    if (allowed === true) return true;
    if (allowed === false) return typeof reason === 'string' && reason !== '' ? reason : false;
    if (typeof (answer as { then?: unknown }).then === 'function') {
      (answer as Promise<unknown>).then(undefined, () => undefined);
      return 'checkConsumerSpawn must answer at once, it returned a promise';
    }
    return `checkConsumerSpawn must return { allowed: boolean }, allowed is ${describe(allowed)}`;
  } catch (error) {
    runtime.report(error);
    return `checkConsumerSpawn failed: ${messageOf(error)}`;
  }
}

/** Draws the randomness for ids at the first spawn: some runtimes refuse it at import. */
function seed(runtime: Parts): void {
  runtime.mutateOrThrow((core) => core.seed(now()));
  runtime.seeded = true;
}
