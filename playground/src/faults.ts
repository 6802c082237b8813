// Faults that a person puts into the host: it fails, hangs, is slow, or is told to wait by its endpoint. Owns which calls
// of the model they meet.

import type { Run } from 'subagents';
import { type Model, pause } from './model.js';

export const FAULTS = ['none', 'fails', 'hangs', 'slow', 'rate limit'] as const;
export type Fault = (typeof FAULTS)[number];

const SLOWER = 5;
export const COOLDOWN_MS = 3_000;

export interface Injected {
  fault: Fault;
  /** Every so-and-so-many-th sub-agent meets it, the first one first. */
  every: number;
}

export class Faults {
  private met = 0;

  constructor(
    private readonly injected: () => Injected,
    private readonly paceMs: () => number,
  ) {}

  /** The model as one run gets it. Leads are spared: without them nothing would follow. */
  around(model: Model, run: Run, isLead: boolean): Model {
    const { fault, every } = this.injected();
    if (fault === 'none' || isLead) return model;
    this.met += 1;
    if ((this.met - 1) % every !== 0) return model;
    let limited = false;
    return async (messages, tools, signal) => {
      switch (fault) {
        case 'fails':
          await pause(this.paceMs(), signal);
          throw new Error('The endpoint answered 500: this is the fault that was injected');
        case 'hangs':
          // Heeds no signal: the manager has to give it up.
          return new Promise(() => undefined);
        case 'slow':
          await pause(this.paceMs() * SLOWER, signal);
          return model(messages, tools, signal);
        case 'rate limit':
          if (!limited && messages.every(({ role }) => role !== 'tool')) {
            limited = true;
            run.reportRateLimit({ retryAfterMs: COOLDOWN_MS });
          }
          return model(messages, tools, signal);
      }
    };
  }
}
