// The ends that a wait for several gives back, read as they come: an end that was waited for counts as collected,
// and retention may take it before the last one has come (L8). Owns these copies, no longer than their wait.

import { parseArtifacts } from './lookup.js';
import type { Runtime } from './runtime.js';
import type { TaskSnapshot } from './snapshots.js';

/** One target of a wait: the run that it waits for, and how the sub-agent stood when that had ended. */
export interface Pin {
  readonly slot: number;
  readonly generation: number;
  readonly run: number;
  ended?: TaskSnapshot | undefined;
}

export class Pins {
  private readonly runtime: Runtime;
  private readonly open = new Map<number, Pin[]>();
  private readonly places = new WeakMap<TaskSnapshot, Pin>();

  constructor(runtime: Runtime) {
    this.runtime = runtime;
  }

  /** Keeps the last run of a task in sight; one that is over is read at once: waiting for it collects it. */
  pin(slot: number, generation: number): Pin {
    const run = this.runtime.call((core) => core.lastRun(slot, generation));
    const pin: Pin = { slot, generation, run };
    if (!this.runtime.call((core) => core.isOpen(slot, generation, run))) {
      pin.ended = this.read(pin);
      return pin;
    }
    const known = this.open.get(slot);
    if (known === undefined) this.open.set(slot, [pin]);
    else known.push(pin);
    return pin;
  }

  /** A run has ended. */
  ended(slot: number, run: number): void {
    const pins = this.open.get(slot);
    if (pins === undefined) return;
    for (const pin of pins) if (pin.run === run) pin.ended = this.read(pin);
  }

  /** The wait is over. */
  unpin(pins: readonly Pin[]): void {
    for (const pin of pins) {
      const others = this.open.get(pin.slot)?.filter((other) => other !== pin);
      if (others === undefined) continue;
      if (others.length === 0) this.open.delete(pin.slot);
      else this.open.set(pin.slot, others);
    }
  }

  /** How a task stands, or `undefined` where it has been forgotten. */
  read(pin: Pin): TaskSnapshot | undefined {
    const { slot, generation } = pin;
    const view = this.runtime.call((core) => core.get(slot, generation)) as Parameters<typeof parseArtifacts>[0] | undefined;
    if (view === undefined) return undefined;
    const snapshot = parseArtifacts(view);
    this.places.set(snapshot, pin);
    return snapshot;
  }

  /** Where the sub-agent of a snapshot is, or was, if it was read here: the id of a forgotten one leads nowhere. */
  placeOf(snapshot: TaskSnapshot): Pin | undefined {
    return this.places.get(snapshot);
  }
}
