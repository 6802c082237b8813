// The job of a run: its id, and its data. Owns that the data is small: every byte goes through the database, and a
// worker derives the rest.

import type { Run } from '../api/run.js';
import { WIRE_VERSION } from '../base/call.js';
import { type JobData, passedOn, type RunBrief, SENT_FIELDS } from './wire.js';

/**
 * The id of a run's job. BullMQ adds an id once, so each message needs its own. It contains an id of the sub-agent that no
 * other opening of its store gives.
 */
export function nameOf(run: Run, number: number): string {
  const work = run.idempotencyKey();
  return `${work.startsWith('sub_') ? work.slice(0, work.lastIndexOf('-')) : run.taskId}-${number}`;
}

/** The data of a run's job. Throws if reading the parameters throws. */
export function dataOf(run: Run, params: object, adds: number): JobData {
  return { version: WIRE_VERSION, adds, brief: briefOf(run, params), params: sendable(params) };
}

/** Leaves out values that the worker knows by itself. */
function briefOf(run: Run, params: object): RunBrief {
  const brief: Record<string, unknown> = {};
  for (const name of SENT_FIELDS) {
    const value = run[name];
    const isKnown =
      value === undefined || value === '' || (name === 'prompt' && value === (params as { instructions?: unknown }).instructions);
    if (!isKnown) brief[name] = value;
  }
  if (run.disallowedTools.length === 0) delete brief.disallowedTools;
  // A schema that is code can't be sent; the lead checks the value with it.
  const { schema } = run;
  if (schema !== undefined && !('~standard' in (schema as object))) brief.schema = passedOn(schema);
  const work = run.idempotencyKey();
  if (work !== `${run.taskId}-${run.run}`) brief.work = work;
  return brief as unknown as RunBrief;
}

/** The parameters as JSON. A signal can't be sent; the run has its own. */
function sendable(params: object): object {
  const { signal: _, ...rest } = params as { signal?: unknown };
  return passedOn(rest) as object;
}
