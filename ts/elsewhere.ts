// Runs that the host keeps somewhere else (X4): `spawnBackgroundSubAgent` starts them, `reportSettled` ends
// them. Owns the match between the host's ids and ours.

import { now } from './clock.js';
import { describe, invalid, messageOf, SubAgentError } from './errors.js';
import type { Live } from './live.js';
import type { BackgroundStart } from './options.js';
import { invalidResult, type Returned, readResult, threw } from './result.js';
import type { Runtime } from './runtime.js';

/** How many runs may be elsewhere before the forgotten ones are looked for. */
const SWEEP_AT = 64;

export class Elsewhere {
  private readonly lives = new Set<Live>();
  /** Results that came before the host's id was known. */
  private readonly early = new Map<string, unknown>();
  private sweepAt = SWEEP_AT;
  private readonly runtime: Runtime;

  constructor(runtime: Runtime) {
    this.runtime = runtime;
  }

  /** Has the host start a run; what it throws at once is the caller's to take. */
  start(live: Live, spawnBackgroundSubAgent: (params: never) => Promise<BackgroundStart>): void {
    const starting: unknown = spawnBackgroundSubAgent(live.params() as never);
    this.sweep();
    this.lives.add(live);
    this.runtime.call((core) => core.startedElsewhere(now(), live.slot, live.generation, live.run));
    new Promise((resolve) => resolve(starting)).then(
      (started) => {
        const id = hostId(started);
        if (typeof id !== 'string' || id === '') {
          this.end(live, invalidResult(`spawnBackgroundSubAgent must resolve to { taskId }, it resolved to ${describe(started)}`));
          return;
        }
        live.hostTaskId = id;
        const early = this.early.get(id);
        this.early.delete(id);
        if (early !== undefined) this.end(live, readResult(early));
      },
      (error: unknown) => this.end(live, threw(messageOf(error), error)),
    );
  }

  /** Takes the result of a run, by our id or the host's own. */
  report(id: unknown, result: unknown): void {
    if (typeof id !== 'string' || id === '') throw invalid('the id', "a task id or the host's own id", id);
    const found = [...this.lives].filter((live) => live.hostTaskId === id || live.taskId === id);
    if (found.length > 1) {
      throw new SubAgentError('invalid_argument', `several sub-agents go by the host id ${describe(id)}: report by task id`, { id });
    }
    const [live] = found;
    if (live !== undefined) {
      this.end(live, readResult(result));
      return;
    }
    // The report may overtake the promise that brings the id.
    const unnamed = [...this.lives].some((other) => other.hostTaskId === undefined);
    if (!unnamed) throw new SubAgentError('unknown_task', `no background sub-agent goes by ${describe(id)}`, { id });
    this.early.set(id, result);
  }

  /** Lets go of everything. */
  clear(): void {
    this.lives.clear();
    this.early.clear();
  }

  /** Lets go of runs that ended unreported and that the core has forgotten: now and then, all at once. */
  private sweep(): void {
    if (this.lives.size < this.sweepAt) return;
    for (const live of this.lives) {
      if (!this.runtime.call((core) => core.hasRun(live.slot, live.generation, live.run))) this.lives.delete(live);
    }
    this.sweepAt = Math.max(SWEEP_AT, this.lives.size * 2);
  }

  private end(live: Live, returned: Returned): void {
    if (!this.lives.delete(live)) return;
    this.runtime.hosts.settle(live, { ...returned, hostTaskId: returned.hostTaskId ?? live.hostTaskId });
  }
}

/** The id that a host gave; reading it may throw, and then there is none. */
function hostId(started: unknown): unknown {
  try {
    return (started as Partial<BackgroundStart> | undefined)?.taskId;
  } catch {
    return undefined;
  }
}
