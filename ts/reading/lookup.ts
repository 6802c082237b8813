// Translates users' ids into the core's keys, and back. Owns how ids are read.

import { now } from '../base/clock.js';
import { describe, invalid, modelTextOf, SubAgentError, withModelText } from '../base/errors.js';
import type { Subject } from '../base/fact-fields.js';
import { taskIdOf } from '../base/task-id.js';
import type { Core } from '../boundary/core.js';
import type { NodeReply } from '../boundary/generated/commands.js';
import type { Journal } from '../boundary/journal.js';
import { type Actor, type Key, keyOf, PROGRAM, packed } from '../boundary/key.js';
import type { ViewBytes } from '../boundary/view-bytes.js';
import { idOf, isWellFormed, type TaskRef } from '../options/arguments.js';
import { readTaskSnapshot } from '../snapshots/generated/task-readers.js';
import type { TaskSnapshot } from '../snapshots/types.js';

/** The parts of its manager that a lookup needs. */
interface LookupParts extends Core {
  readonly journal: Journal | undefined;
  /** The key that makes ids, once the core is gone. */
  readonly idKey: BigUint64Array | undefined;
  /** The ids that callers gave, by the packed place of the task, once the core is gone. */
  readonly ownIds: ReadonlyMap<number, string> | undefined;
}

/** The core, with the ids of users and their views of a task. */
export interface Reading extends Core {
  readonly lookup: Lookup;
}

const readId = (from: ViewBytes): string => from.idInBytes();
const readTools = (from: ViewBytes): readonly string[] => from.tools();

export class Lookup {
  /** The session that was opened last at an index, which may be gone. */
  readonly sessions = new Map<number, { readonly generation: number; readonly key: string }>();
  private readonly runtime: LookupParts;

  constructor(runtime: LookupParts) {
    this.runtime = runtime;
  }

  /** The key of the task with this id, this handle or, for `actor`, this nickname. Throws if there is none. */
  resolve(actor: Actor, target: unknown): Key {
    const id: unknown = idOf(target as TaskRef);
    this.runtime.check();
    if (typeof id !== 'string') throw invalid('a target', 'an id or a handle', id);
    // No id or nickname has so many characters, or half of a surrogate pair, which the core can't distinguish from U+FFFD.
    const length = this.runtime.write(isWellFormed(id) ? id.slice(0, 160) : '');
    const { index, generation, run } = actor;
    const found = this.runtime.call((core) => core.find(index, generation, run, length));
    if (found < 0) {
      const refusal = this.runtime.refusal();
      if (refusal.code === 'ambiguous_nickname') throw refusal;
      const isHandle = id !== target && refusal.code === 'unknown_task';
      const hint = isHandle ? '; a handle must be of this manager, and not of another one or of another copy of the package' : '';
      const error = new SubAgentError(refusal.code, `${refusal.message}: ${describe(id)}${hint}`, { ...refusal.details, taskId: id });
      throw withModelText(error, `${modelTextOf(refusal)}: ${describe(id)}`);
    }
    return keyOf(found);
  }

  /** The name of a task in calls of `actor`: its nickname if that is unique, else its id. */
  nameOf(actor: Actor, { nickname, taskId }: Pick<TaskSnapshot, 'nickname' | 'taskId'>): string {
    if (nickname === null) return taskId;
    const length = this.runtime.write(nickname);
    const means = this.runtime.call((core) => core.find(actor.index, actor.generation, actor.run, length));
    if (means < 0) return taskId;
    const { index, generation } = keyOf(means);
    return this.taskId(index, generation) === taskId ? nickname : taskId;
  }

  /** The id of the task at a place. */
  taskId(index: number, generation: number): string {
    // Also after disposing: a result that outlives its manager can still be read.
    const { idKey, ownIds } = this.runtime;
    if (idKey === undefined) return this.runtime.view((core) => core.taskId(index, generation), readId);
    return ownIds?.get(packed({ index, generation })) ?? taskIdOf(idKey, index, generation);
  }

  /** The names of the tools of the task at a place, in a shared list; throws if there is none. */
  tools(index: number, generation: number): readonly string[] {
    return this.runtime.view((core) => core.tools(index, generation), readTools);
  }

  /** A snapshot of the task at a place; throws if there is none. */
  snapshot(index: number, generation: number): TaskSnapshot {
    return this.runtime.view((core) => core.get(index, generation, now()), readTaskSnapshot);
  }

  /** The same; undefined if there is none. */
  snapshotIf(index: number, generation: number): TaskSnapshot | undefined {
    return this.runtime.viewIf((core) => core.get(index, generation, now()), readTaskSnapshot);
  }

  /** A snapshot of the task with this id. Throws if `actor` may not see it. */
  snapshotOf(actor: Actor, target: unknown): TaskSnapshot {
    const id: unknown = idOf(target as TaskRef);
    this.runtime.check();
    if (typeof id === 'string' && id.length <= 160 && isWellFormed(id)) {
      const length = this.runtime.write(id);
      const { index, generation, run } = actor;
      const view = this.runtime.viewIf((core) => core.getNamed(index, generation, run, length, now()), readTaskSnapshot);
      if (view !== undefined) return view;
    }
    // Throws the reason.
    const { index, generation } = this.resolve(actor, target);
    this.runtime.ask((core) => core.reaches(actor.index, actor.generation, actor.run, index, generation));
    return this.snapshot(index, generation);
  }

  /**
   * A sub-agent as the program sees it. Work that a call started continues, and is shown, after the calling run has ended (A1).
   */
  seen(taskId: string): TaskSnapshot {
    const { index, generation } = this.resolve(PROGRAM, taskId);
    return this.snapshot(index, generation);
  }

  /** The subject of events about the sub-agent at a place, if it is still there. */
  about(index: number, generation: number): Omit<Subject, 'taskId'> | undefined {
    const view = this.snapshotIf(index, generation);
    if (view === undefined) return undefined;
    const { label, parentId, metadata } = view;
    return { label, parentId, metadata, sessionKey: this.sessionKey(index, generation) };
  }

  /** The key of a session, or of a task's session; null for the manager's own session and for a node that is gone. */
  sessionKey(index: number, generation: number): string | null {
    return this.runtime.call((core) => core.sessionKey(index, generation)) ?? null;
  }

  /** Opens the session with this key, or finds it open. */
  openSession(key: string): Actor {
    this.runtime.check();
    const opened = this.runtime.command(PROGRAM, { type: 'open_session', key }) as NodeReply;
    this.runtime.dispatch();
    const session = { ...opened.key, run: 0 };
    this.sessions.set(session.index, { generation: session.generation, key });
    return session;
  }

  /** The id that events give a present or past sub-agent at a place; `null` for a session, even a forgotten one. */
  eventId(index: number, generation: number): string | null {
    if (this.sessions.get(index)?.generation === generation) return null;
    return this.runtime.call((core) => core.eventId(index, generation)) ?? null;
  }
}
