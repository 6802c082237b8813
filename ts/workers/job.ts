// The job of a run: its id, and its data. Owns that the data is small: every byte goes through the database, and a
// worker derives the rest.

import type { Run } from '../api/run.js';
import { WIRE_VERSION } from '../base/call.js';
import { type JobData, passedOn, type RunBrief, SENT_FIELDS } from './wire.js';

/**
 * The id of the job of a run: BullMQ adds it once, so another message never has it. The message is identified by an id of the
 * sub-agent that no other opening of its store gives.
 */
export function nameOf(run: Run, number: number): string {
  const work = run.idempotencyKey();
  return `${work.startsWith('sub_') ? work.slice(0, work.lastIndexOf('-')) : run.taskId}-${number}`;
}

/** What a job has of its run. Throws what reading the parameters throws. */
export function dataOf(run: Run, params: object, adds: number): JobData {
  return { version: WIRE_VERSION, adds, brief: briefOf(run, params), params: sendable(params) };
}

/** What the worker knows by itself is left out. */
function briefOf(run: Run, params: object): RunBrief {
  const brief: Record<string, unknown> = {};
  for (const name of SENT_FIELDS) {
    const value = run[name];
    const isKnown =
      value === undefined || value === '' || (name === 'prompt' && value === (params as { instructions?: unknown }).instructions);
    if (!isKnown) brief[name] = value;
  }
  if (run.disallowedTools.length === 0) delete brief.disallowedTools;
  // A schema that is code can't be sent; the lead checks the value by it.
  const { schema } = run;
  if (schema !== undefined && !('~standard' in (schema as object))) brief.schema = passedOn(schema);
  const work = run.idempotencyKey();
  if (work !== `${run.taskId}-${run.run}`) brief.work = work;
  return brief as unknown as RunBrief;
}

/** What JSON can hold of the parameters. A signal can't be sent; the run has its own. */
function sendable(params: object): object {
  const { signal: _, ...rest } = params as { signal?: unknown };
  return passedOn(rest) as object;
}
