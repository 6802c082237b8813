// The parameters that a host function gets. Owns how a spawn's tools, turns and cost are cut to the sub-agent's limits
// (D6): a host that passes them on exceeds none. Owns also those for a later message, or in a later process, which come
// from the core (J2).

import type { Core } from '../boundary/core.js';
import type { Key } from '../boundary/key.js';
import { optional } from '../boundary/view-bytes.js';
import { spec } from '../generated/fact-readers.js';
import type { EventSpec } from '../generated/facts.js';
import { SPAWN_OPTIONS } from '../options/generated/spawn.js';
import type { RequestedLimits } from '../options/spawn-options.js';
import type { Budget } from '../options/values.js';
import type { Reading } from '../reading/lookup.js';
import { readRunLimits } from '../snapshots/generated/run-readers.js';

/** The run whose parameters they are. */
interface Checked extends Key {
  readonly runtime: Core;
  /** Names of its tools, if they are known: named by its spawn, or by one above it. */
  sharedTools(): readonly string[] | undefined;
}

/**
 * The given object itself if nothing in it has to be cut, else a copy. If neither tools nor figures are known, nothing has to
 * be cut.
 */
export function allowedParams(active: Checked, given: object, asked: RequestedLimits | undefined): object {
  const cut: Record<string, unknown> = {};
  const { runtime, index, generation } = active;
  // One list for all known tools: a missing list means all tools of the parent.
  const tools = active.sharedTools();
  if (tools !== undefined && !isSame(asked?.tools, tools)) cut.tools = [...tools];
  if (asked?.maxTurns !== undefined || asked?.maxCost !== undefined) {
    const limits = runtime.viewIf((core) => core.runLimits(index, generation), readRunLimits);
    if (asked.maxTurns !== undefined && limits !== undefined && limits.maxTurns < asked.maxTurns) cut.maxTurns = limits.maxTurns;
    if (asked.maxCost !== undefined && limits !== undefined && limits.costUsd < asked.maxCost) cut.maxCost = limits.costUsd;
  }
  return Object.keys(cut).length === 0 ? given : replaced(given, cut);
}

/** A copy with other values for some fields. Runs none of the given object's getters, which are copied as they are. */
function replaced(given: object, values: Record<string, unknown>): object {
  const prototype = Object.getPrototypeOf(given) as object | null;
  const made = Object.create(prototype) as Record<PropertyKey, unknown>;
  const isPlain = prototype === Object.prototype || prototype === null;
  const set = (name: PropertyKey, field: PropertyDescriptor): void => {
    // An assignment with the same effect takes a tenth of the time.
    if (isPlain && field.enumerable === true && field.writable === true && field.configurable === true && !(name in made))
      made[name] = field.value;
    else Object.defineProperty(made, name, field);
  };
  for (const name of Reflect.ownKeys(given)) {
    const field = Object.hasOwn(values, name) ? fieldOf(values[name as string]) : Object.getOwnPropertyDescriptor(given, name);
    if (field !== undefined) set(name, field);
  }
  for (const name of Object.keys(values)) if (!Object.hasOwn(made, name)) set(name, fieldOf(values[name]));
  return made;
}

function fieldOf(value: unknown): PropertyDescriptor {
  return { value, enumerable: true, writable: true, configurable: true };
}

function isSame(asked: readonly string[] | undefined, tools: readonly string[]): boolean {
  return asked?.length === tools.length && tools.every((tool, index) => tool === asked[index]);
}

/** The parts of a run that its parameters need. */
interface LaterRun extends Key {
  readonly runtime: Reading;
  /** The text that it answers. */
  prompt(): string;
}

/** The spawn options of a run's task; undefined if the task is gone. */
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
