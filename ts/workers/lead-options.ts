// The options of a lead. Owns their reading and their defaults.

import { checkOptions } from '../base/unknown.js';
import { wrong } from '../stores/failures.js';
import { CONNECTION_OPTIONS, type WorkersConnection } from './connection.js';

/** Options of `bullmqWorkers`. */
export interface BullmqWorkersOptions extends WorkersConnection {
  /**
   * The fate of a run whose worker is lost while the lead lives.
   *
   * - `resume`: another worker continues from the last checkpoint.
   * - `requeue`: it begins again, and `run.checkpointed` is undefined.
   * - `fail`: it ends `host_lost`, once another worker has its job; `retry` may try it again.
   *
   * A worker that drains is not lost: its runs continue from their checkpoint. @default 'resume'
   */
  readonly onWorkerLost?: 'resume' | 'requeue' | 'fail' | undefined;
  /**
   * How many losses of its worker a run survives.
   *
   * A run that kills its workers must not kill all of them. @default 3
   */
  readonly maxLosses?: number | undefined;
  /** Milliseconds between checks of job states, which find ends whose events were lost. @default 5,000 */
  readonly reconcileMs?: number | undefined;
  /**
   * Milliseconds after its start until a lead removes jobs that belong to no run of its manager.
   *
   * Queued work of the earlier lead has this long to find its job. @default 60,000
   */
  readonly orphanMs?: number | undefined;
}

const WAYS = ['resume', 'requeue', 'fail'];

/** The settings of a lead. */
export interface LeadSettings {
  readonly maxLosses: number;
  /** Whether a run whose worker was lost begins without its checkpoint. */
  readonly beginsAnew: boolean;
  readonly reconcileMs: number;
  readonly orphanMs: number;
}

/** Refuses unknown options. */
export function checkLeadOptions(options: BullmqWorkersOptions): void {
  checkOptions('bullmqWorkers', options, [...CONNECTION_OPTIONS, 'onWorkerLost', 'maxLosses', 'reconcileMs', 'orphanMs']);
}

export function readLeadOptions(options: BullmqWorkersOptions): LeadSettings {
  const { onWorkerLost = 'resume', maxLosses = 3, reconcileMs = 5_000, orphanMs = 60_000 } = options;
  if (!WAYS.includes(onWorkerLost)) throw wrong('onWorkerLost', `one of ${WAYS.join(', ')}`);
  if (!(maxLosses >= 0)) throw wrong('maxLosses', 'a number of at least 0');
  if (!(reconcileMs >= 10)) throw wrong('reconcileMs', 'milliseconds from 10 on');
  if (!(orphanMs >= 0)) throw wrong('orphanMs', 'milliseconds of at least 0');
  return { maxLosses: onWorkerLost === 'fail' ? 0 : maxLosses, beginsAnew: onWorkerLost === 'requeue', reconcileMs, orphanMs };
}
