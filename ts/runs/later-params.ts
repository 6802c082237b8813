// The parameters of a host function for a later message, or in a later process. They come from the core, which has those of the
// spawn (J2).

import type { Key } from '../boundary/key.js';
import { optional } from '../boundary/view-bytes.js';
import { spec } from '../generated/fact-readers.js';
import type { EventSpec } from '../generated/facts.js';
import { SPAWN_OPTIONS } from '../options/generated/spawn.js';
import type { Budget } from '../options/values.js';
import type { Reading } from '../reading/lookup.js';

/** The parts of a run that its parameters need. */
interface LaterRun extends Key {
  readonly runtime: Reading;
  /** The text that it answers. */
  prompt(): string;
}

/** What the spawn of a run's task gave; undefined if the task is gone. */
export function givenOf({ runtime, index, generation }: LaterRun): EventSpec | undefined {
  return runtime.view((core) => core.given(index, generation), optional(spec));
}

/** The parameters of a run that was not spawned here. Its budget is the present one. */
export function laterParams(run: LaterRun): object {
  const params: Record<string, unknown> = {};
  const given = givenOf(run);
  if (given !== undefined) {
    for (const { name, staged } of SPAWN_OPTIONS) if (staged !== undefined && given[staged] !== null) params[name] = given[staged];
    if (given.json) params.format = 'json';
    if (given.originChannel !== null) params.origin = { channel: given.originChannel, chatId: given.originChatId };
  }
  const { budget: account, tools, systemPrompt, maxTurns, background } = run.runtime.lookup.snapshot(run.index, run.generation);
  const caps = Object.entries(account).flatMap(([name, { cap }]) => (Number.isFinite(cap) ? [[name, cap] as const] : []));
  if (caps.length > 0) {
    const budget: Budget = Object.fromEntries(caps);
    params.budget = budget;
    // Two names of one cap.
    if (budget.costUsd !== undefined) params.maxCost = budget.costUsd;
  }
  const now = { instructions: run.prompt(), maxTurns, background, ...(tools && { tools }), ...(systemPrompt && { systemPrompt }) };
  return { ...params, ...now };
}
