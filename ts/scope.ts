// What the program and a run can both do: spawn, wait, cancel, look. Owns the names of the operations;
// who speaks makes the difference, and the core knows it.

import { graceOf, idOf, optionsOf, readArgument, signalOf, type TaskRef } from './arguments.js';
import { invalid, SubAgentError } from './errors.js';
import { DEFAULT_WAIT_MS } from './generated/limits.js';
import { TASK_STATUSES, type TaskStatus } from './generated/names.js';
import { Handle } from './handle.js';
import { type Actor, PROGRAM, parseArtifacts, type Runtime } from './runtime.js';
import { duration, readSpawn } from './spawn-options.js';
import { createTool, type SubAgentTool, type SubAgentToolOptions } from './tool.js';
import type {
  ConcurrencyInfo,
  ListOptions,
  SpawnGate,
  SpawnOptions,
  SubAgentParamsType,
  TaskList,
  TaskSnapshot,
  WaitOptions,
  WaitResult,
} from './types.js';

export type { TaskRef } from './arguments.js';

/** One interface for the manager and for runs. */
export abstract class Scope {
  /** @internal */
  protected readonly runtime: Runtime;
  /** @internal */
  protected readonly actor: Actor;

  /** @internal */
  protected constructor(runtime: Runtime, actor: Actor) {
    this.runtime = runtime;
    this.actor = actor;
  }

  /**
   * Spawns a sub-agent. It starts at once if a slot and its budget are free, else it waits its turn.
   * Throws a `SubAgentError` where it is refused; a refused spawn has changed nothing.
   */
  spawn(options: SpawnOptions): Handle {
    return new Handle(this.runtime.spawn(this.actor, readSpawn(options), options), this.actor);
  }

  /** Sends a message to a sub-agent: it starts the next run, once the current one is over. */
  send(target: TaskRef, message: string): { receipt: 'started' | 'queued' } {
    const { slot, generation } = this.runtime.resolve(idOf(target));
    return this.runtime.send(this.actor, slot, generation, message);
  }

  /** Waits for sub-agents. That the time ran out is said, not thrown; ids that aren't there are listed. */
  async wait(targets: readonly TaskRef[], options: WaitOptions = {}): Promise<WaitResult> {
    const { mode, timeoutMs, signal } = readArgument('the options of wait', () => waitOptions(options));
    const ids = readArgument('the targets', () => idsOf(targets));
    const found = ids.map((id) => this.runtime.resolve(id));
    const pinned = found.map(({ slot, generation }) => ({
      slot,
      generation,
      run: this.runtime.call((core) => core.lastRun(slot, generation)),
    }));
    const timedOut = await this.runtime.waitMany(this.actor, found, mode === 'all', timeoutMs, signal);
    const result: WaitResult = { completed: [], pending: [], unknown: [], timedOut };
    for (const [index, { slot, generation, run }] of pinned.entries()) {
      const open = this.runtime.call((core) => core.isOpen(slot, generation, run));
      const view = this.runtime.call((core) => core.get(slot, generation)) as Parameters<typeof parseArtifacts>[0] | undefined;
      if (view === undefined) result.unknown.push(ids[index] as string);
      else (open ? result.pending : result.completed).push(parseArtifacts(view));
    }
    return result;
  }

  /** Cancels a sub-agent and all under it; resolves when nothing runs there any more. */
  async cancel(target: TaskRef, options?: { graceMs?: number }): Promise<void> {
    const graceMs = graceOf(options);
    const { slot, generation } = this.runtime.resolve(idOf(target));
    await this.runtime.cancel(this.actor, slot, generation, 'cancelled', graceMs);
  }

  /** A sub-agent as it stands. Throws `unknown_task` or `forgotten` where it isn't there. */
  get(target: TaskRef): TaskSnapshot {
    const { slot, generation } = this.runtime.resolve(idOf(target));
    const { actor } = this;
    this.runtime.ask((core) => core.reaches(actor.slot, actor.generation, actor.run, slot, generation));
    return this.runtime.snapshot(slot, generation);
  }

  /** The sub-agents below, a page at a time: parents before their children, in order of age. */
  list(options: ListOptions = {}): TaskList {
    const { actor } = this;
    this.runtime.ask((core) => core.speaks(actor.slot, actor.generation, actor.run));
    const listing = readArgument('the options of list', () => listingOf(options));
    const view = this.runtime.call((core) => core.list(this.actor.slot, listing)) as
      | { items: Parameters<typeof parseArtifacts>[0][]; total: number }
      | undefined;
    if (view === undefined) throw this.runtime.refusal();
    return { items: view.items.map(parseArtifacts), total: view.total };
  }

  /** Forgets an ended sub-agent and all under it; what they spent stays booked. */
  forget(target: TaskRef): void {
    const { slot, generation } = this.runtime.resolve(idOf(target));
    this.runtime.forget(this.actor, slot, generation);
  }

  /** Whether a sub-agent spawned now would start at once, and budget remains. */
  canSpawn(): boolean {
    const { slot, generation, run } = this.actor;
    return this.runtime.call((core) => core.canSpawn(slot, generation, run));
  }

  /** Asks the host's gate. Throwing, a promise or no boolean refuses. */
  checkConsumerSpawn(params: SubAgentParamsType & SpawnOptions): SpawnGate {
    this.runtime.check();
    const answer = this.runtime.consumerGate(params);
    if (answer === true) return { allowed: true };
    return answer === false ? { allowed: false } : { allowed: false, reason: answer };
  }

  /** Slots held and their limit, queued work, parked runs, host functions that were given up. */
  getConcurrencyInfo(): ConcurrencyInfo {
    return this.runtime.call((core) => core.getConcurrencyInfo());
  }

  /** The `SubAgent` tool for a model, acting in this scope. */
  createSubAgentTool(options?: SubAgentToolOptions): SubAgentTool {
    return createTool(this.runtime, this.actor === PROGRAM ? PROGRAM : this.actor, options);
  }
}

interface Waiting {
  mode: 'all' | 'any';
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

function waitOptions(options: WaitOptions): Waiting {
  const { mode = 'all', timeoutMs, signal } = optionsOf('the options of wait', options);
  if (mode !== 'all' && mode !== 'any') throw new SubAgentError('invalid_argument', "`mode` must be 'all' or 'any'", { argument: 'mode' });
  return { mode, timeoutMs: duration('`timeoutMs`', timeoutMs) ?? DEFAULT_WAIT_MS, signal: signalOf('`signal`', signal) };
}

function idsOf(targets: readonly TaskRef[]): string[] {
  if (!Array.isArray(targets)) throw invalid('the targets', 'a list of ids or handles', targets);
  return Array.from(targets as TaskRef[], idOf);
}

interface Listing {
  status?: TaskStatus[];
  offset: number;
  limit: number;
}

function listingOf(options: ListOptions): Listing {
  const { filter = {}, page = {} } = optionsOf('the options of list', options);
  const { offset = 0, limit = 100 } = optionsOf('`page`', page);
  for (const [name, value] of Object.entries({ offset, limit })) {
    if (!Number.isSafeInteger(value) || value < 0 || value > 0xffff_ffff)
      throw invalid(`\`page.${name}\``, 'a whole number of at least 0', value);
  }
  const { status } = optionsOf('`filter`', filter);
  if (status === undefined) return { offset, limit };
  if (!Array.isArray(status)) throw invalid('`filter.status`', 'a list of statuses', status);
  const wanted = [...(status as TaskStatus[])];
  const stranger = wanted.findIndex((name) => !TASK_STATUSES.includes(name));
  if (stranger !== -1) throw invalid('a status', `one of ${TASK_STATUSES.join(', ')}`, wanted[stranger]);
  return { offset, limit, status: wanted };
}
