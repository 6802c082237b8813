// The parameters that the host gets: the spawn's own, with tools, turns and cost cut to what the sub-agent may have
// (D6). Owns these cuts: a host that passes them on exceeds no limit of the manager.

import type { Core } from '../boundary/core.js';
import { readRunLimits } from '../snapshots/generated/run-readers.js';

/** The run whose parameters they are. */
interface Checked {
  readonly runtime: Core;
  readonly index: number;
  readonly generation: number;
  /** Names of its tools, if they are known: named by its spawn, or by one above it. */
  sharedTools(): readonly string[] | undefined;
}

/** The parameters that may have to be cut, as they were read when they were checked. */
export interface RequestedLimits {
  readonly tools: readonly string[] | undefined;
  readonly maxTurns: number | undefined;
  readonly maxCost: number | undefined;
}

/**
 * The given object itself if nothing in it has to be cut, else a copy. If neither tools nor figures are known, nothing has to
 * be cut.
 */
export function allowed(active: Checked, given: object, asked: RequestedLimits | undefined): object {
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

/** A copy with other values for some fields. Runs none of the given object's getters: they stay what they are. */
function replaced(given: object, values: Record<string, unknown>): object {
  const made = Object.create(Object.getPrototypeOf(given) as object | null) as object;
  for (const name of Reflect.ownKeys(given))
    if (!Object.hasOwn(values, name)) setField(made, name, Object.getOwnPropertyDescriptor(given, name) as PropertyDescriptor);
  for (const [name, value] of Object.entries(values)) setField(made, name, { value, enumerable: true, writable: true, configurable: true });
  return made;
}

/** Defines a field. If an assignment says the same, it takes a tenth of the time. */
function setField(made: object, name: PropertyKey, field: PropertyDescriptor): void {
  if (field.enumerable === true && field.writable === true && field.configurable === true && !(name in made))
    (made as Record<PropertyKey, unknown>)[name] = field.value;
  else Object.defineProperty(made, name, field);
}

function isSame(asked: readonly string[] | undefined, tools: readonly string[]): boolean {
  return asked?.length === tools.length && tools.every((tool, index) => tool === asked[index]);
}
