// By which names events speak of nodes: the id of a sub-agent, the key of a session, neither for the manager. Owns the
// way from these to a node's index, which stays the same at every moment.

import { entryOf, type Frozen } from './table.js';

/** What of an event says whom it is about. */
export interface Naming {
  readonly taskId?: string | null;
  readonly sessionKey?: string | null;
}

export class Names {
  private readonly tasks = new Map<string, number>();
  /** Several where a session was opened anew while one of its key was being closed. */
  private readonly sessions = new Map<string, number[]>();

  addTask(id: string, index: number): void {
    this.tasks.set(id, index);
  }

  addSession(key: string, index: number): void {
    const known = this.sessions.get(key);
    if (known === undefined) this.sessions.set(key, [index]);
    else if (!known.includes(index)) known.push(index);
  }

  drop(id: string | null, key: string | null, index: number): void {
    if (id !== null) this.tasks.delete(id);
    else if (key !== null) {
      const left = this.sessions.get(key)?.filter((each) => each !== index) ?? [];
      if (left.length > 0) this.sessions.set(key, left);
      else this.sessions.delete(key);
    }
  }

  /** The sub-agent of an id; undefined where none is known. */
  task(id: string | null | undefined): number | undefined {
    return id === null || id === undefined ? undefined : this.tasks.get(id);
  }

  /** The session of a key at a moment: of several the last that is open, or, among closed ones, the first that is kept. */
  session(key: string, { nodes }: { readonly nodes: Frozen }): number | undefined {
    const known = this.sessions.get(key)?.filter((index) => index < nodes.length);
    const of = (index: number): { status: string; forgotten: boolean } | undefined => entryOf(nodes, index);
    return (
      known?.findLast((index) => of(index)?.status !== 'closed') ?? known?.find((index) => of(index)?.forgotten === false) ?? known?.at(-1)
    );
  }

  /** The node that an event is about: 0, the manager, where it names none. */
  about({ taskId, sessionKey }: Naming, moment: { readonly nodes: Frozen }): number | undefined {
    if (taskId !== null && taskId !== undefined) return this.tasks.get(taskId);
    return sessionKey === null || sessionKey === undefined ? 0 : this.session(sessionKey, moment);
  }
}
