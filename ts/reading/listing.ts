// Listing tasks: filters and pages. Owns how they are read, and the maximum page.

import { now } from '../base/clock.js';
import { invalid } from '../base/errors.js';
import type { Actor } from '../boundary/key.js';
import { TASK_STATUSES, type TaskStatus } from '../generated/names.js';
import { knownOptions, listOf, optionsOf, readArgument, type TaskRef } from '../options/arguments.js';
import { string } from '../options/values.js';
import type { ListOptions, TaskList, TaskSnapshot } from '../snapshots/types.js';
import { readTaskPage } from './generated/page-readers.js';
import type { Reading } from './lookup.js';

/** The longest page. */
const MOST = 1_000;

/** A listing in the core's form. `parent` 0 means the program and the sessions. */
export interface Listing {
  status?: TaskStatus[];
  parent?: number;
  label?: string;
  background?: boolean;
  offset: number;
  limit: number;
}

/** The largest offset and limit. */
export const ALL = 0xffff_ffff;

/** The tasks below an actor, or a page of them. */
export function listed(runtime: Reading, actor: Actor, listing: Listing): TaskList {
  runtime.ask((core) => core.speaks(actor.index, actor.generation, actor.run));
  // The core takes an empty list as no filter.
  if (listing.status?.length === 0) return { items: [], total: 0, nextOffset: null };
  const items: TaskSnapshot[] = [];
  const at = now();
  for (let size = PORTION; ; ) {
    const offset = listing.offset + items.length;
    const limit = Math.min(size, listing.limit - items.length);
    const { items: found, total } = runtime.view((core) => core.list(actor.index, { ...listing, offset, limit }, at), readTaskPage);
    for (const item of found) items.push(item);
    const chars = found.reduce((sum, { output }) => sum + output.length, 0);
    const next = listing.offset + items.length;
    if (next >= total || next === offset) return { items, total, nextOffset: null };
    if (items.length >= listing.limit) return { items, total, nextOffset: next };
    if (chars < SHORT) size *= 4;
  }
}

/**
 * Tasks read by the first call; the next calls read more if outputs are short. They are few because the core makes what it
 * shows in its own memory, which never shrinks, and a program may list all tasks.
 */
const PORTION = 100;

/** If a portion has fewer characters, the next one is larger. */
const SHORT = 2 ** 22;

/** Reads the options of `list`. */
export function listingOf(runtime: Reading, actor: Actor, options: ListOptions): Listing {
  return readArgument('the options of list', () => read(runtime, actor, options));
}

function read(runtime: Reading, actor: Actor, options: ListOptions): Listing {
  const { filter = {}, page } = knownOptions('list', options, ['filter', 'page']);
  const listing: Listing = page === undefined ? { offset: 0, limit: ALL } : pageOf(page);
  const { status, parent, label, background, ...unknown } = optionsOf('`filter`', filter, "an object such as { status: ['running'] }");
  const [unknownName] = Object.keys(unknown);
  if (unknownName !== undefined) throw invalid(`\`filter.${unknownName}\``, 'one of status, parent, label, background', unknownName);
  if (status !== undefined) listing.status = statusesOf(status);
  if (parent !== undefined) listing.parent = parentOf(runtime, actor, parent);
  if (label !== undefined) listing.label = string('`filter.label`', label) as string;
  if (background !== undefined) {
    if (typeof background !== 'boolean') throw invalid('`filter.background`', 'a boolean', background);
    listing.background = background;
  }
  return listing;
}

function pageOf(page: NonNullable<ListOptions['page']>): { offset: number; limit: number } {
  const { offset = 0, limit = 100 } = knownOptions('`page`', page, ['offset', 'limit'], '`page`');
  whole('`page.offset`', offset, 0, ALL);
  // After a page of no tasks, a caller that continues at its `nextOffset` would loop forever.
  whole('`page.limit`', limit, 1, MOST);
  return { offset, limit };
}

function whole(what: string, value: unknown, least: number, most: number): void {
  if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > most)
    throw invalid(what, `a whole number of ${least} to ${most}`, value);
}

function statusesOf(status: unknown): TaskStatus[] {
  return listOf('`filter.status`', "a list such as ['running', 'pending']", status, (name, what) => {
    if (!TASK_STATUSES.includes(name as TaskStatus)) throw invalid(what, `one of ${TASK_STATUSES.join(', ')}`, name);
    return name as TaskStatus;
  });
}

function parentOf(runtime: Reading, actor: Actor, parent: TaskRef | null): number {
  return parent === null ? 0 : runtime.lookup.resolve(actor, parent).index;
}
