// Listing tasks: filters and pages. Owns how they are read, and the bound of a page.

import { idOf, listOf, noOtherOptions, optionsOf, readArgument, type TaskRef } from './arguments.js';
import { now } from './clock.js';
import { invalid } from './errors.js';
import { TASK_STATUSES, type TaskStatus } from './generated/names.js';
import type { Actor } from './key.js';
import { parseArtifacts } from './lookup.js';
import type { Runtime } from './runtime.js';
import type { ListOptions, TaskList } from './snapshots.js';
import { string } from './spawn-options.js';

/** The most that one page shows. */
const MOST = 1_000;

/** A listing as the core takes it. `parent` 0 stands for the program and the sessions. */
export interface Listing {
  status?: TaskStatus[];
  parent?: number;
  label?: string;
  background?: boolean;
  offset: number;
  limit: number;
}

/** A page of the tasks below an actor. */
export function listed(runtime: Runtime, actor: Actor, listing: Listing): TaskList {
  runtime.ask((core) => core.speaks(actor.slot, actor.generation, actor.run));
  const view = runtime.call((core) => core.list(actor.slot, listing, now())) as
    | { items: Parameters<typeof parseArtifacts>[0][]; total: number }
    | undefined;
  if (view === undefined) throw runtime.refusal();
  return { items: view.items.map(parseArtifacts), total: view.total };
}

/** Reads what a caller wants listed. */
export function listingOf(runtime: Runtime, actor: Actor, options: ListOptions): Listing {
  return readArgument('the options of list', () => read(runtime, actor, options));
}

function read(runtime: Runtime, actor: Actor, options: ListOptions): Listing {
  const { filter = {}, page = {}, ...others } = optionsOf('the options of list', options);
  noOtherOptions('list', others);
  const { offset = 0, limit = 100, ...rest } = optionsOf('`page`', page);
  noOtherOptions('`page`', rest);
  whole('`page.offset`', offset, 0xffff_ffff);
  whole('`page.limit`', limit, MOST);
  const listing: Listing = { offset, limit };
  const { status, parent, label, background, ...unknown } = optionsOf('`filter`', filter);
  const [stranger] = Object.keys(unknown);
  if (stranger !== undefined) throw invalid(`\`filter.${stranger}\``, 'one of status, parent, label, background', stranger);
  if (status !== undefined) listing.status = statusesOf(status);
  if (parent !== undefined) listing.parent = parentOf(runtime, actor, parent);
  if (label !== undefined) listing.label = string('`filter.label`', label) as string;
  if (background !== undefined) {
    if (typeof background !== 'boolean') throw invalid('`filter.background`', 'a boolean', background);
    listing.background = background;
  }
  return listing;
}

function whole(what: string, value: unknown, most: number): void {
  if (!Number.isSafeInteger(value) || (value as number) < 0 || (value as number) > most)
    throw invalid(what, `a whole number of 0 to ${most}`, value);
}

function statusesOf(status: unknown): TaskStatus[] {
  return listOf('`filter.status`', 'a list of statuses', status, (name, what) => {
    if (!TASK_STATUSES.includes(name as TaskStatus)) throw invalid(what, `one of ${TASK_STATUSES.join(', ')}`, name);
    return name as TaskStatus;
  });
}

function parentOf(runtime: Runtime, actor: Actor, parent: TaskRef | null): number {
  return parent === null ? 0 : runtime.lookup.resolve(actor, idOf(parent)).slot;
}
