// The names of nodes in events: the id of a sub-agent, the key of a session, neither for the manager. Owns how a name
// becomes a node's index, which is the same at every moment.

import { entryOf, type Frozen } from './table.js';

/** The fields of an event that name its node. */
export interface Naming {
  readonly taskId?: string | null;
  readonly sessionKey?: string | null;
  /** The type of the event. */
  readonly type?: string;
}

/** Distinguishes sessions of one key. */
interface Session {
  readonly status: string;
  readonly forgotten: boolean;
}

export class Names {
  /** There are several, in their order, if an id was used again after `forget`. Nearly always there is one. */
  readonly #tasks = new Map<string, number | number[]>();
  /** There are several if a session was opened again while one with its key was closing. */
  readonly #sessions = new Map<string, number[]>();

  addTask(id: string, index: number): void {
    const known = this.#tasks.get(id);
    if (known === undefined) this.#tasks.set(id, index);
    // A past moment that is computed once more adds what is known.
    else if (typeof known === 'object') known.includes(index) || known.push(index);
    else if (known !== index) this.#tasks.set(id, [known, index]);
  }

  addSession(key: string, index: number): void {
    const known = this.#sessions.get(key) ?? [];
    if (!known.includes(index)) this.#sessions.set(key, [...known, index]);
  }

  /** Drops forgotten nodes. */
  drop(isGone: (index: number) => boolean): void {
    for (const [id, known] of this.#tasks) {
      const left = [known].flat().filter((index) => !isGone(index));
      if (left.length === 0) this.#tasks.delete(id);
      else if (typeof known === 'object') this.#tasks.set(id, left);
    }
    for (const [key, known] of this.#sessions) if (known.every(isGone)) this.#sessions.delete(key);
  }

  /** The sub-agent of an id at a moment, the last of several; undefined if none is known. */
  task(id: string | null | undefined, { nodes }: { readonly nodes: Frozen }): number | undefined {
    const known = this.#tasks.get(id as string);
    return typeof known === 'object' ? known.findLast((index) => index < nodes.length) : known;
  }

  /** Whether a node has this id, or had it before another one; also if the id is none or isn't known. */
  isTask(id: string | null | undefined, index: number | undefined): boolean {
    const known = this.#tasks.get(id as string) ?? index;
    return typeof known === 'object' ? known.includes(index as number) : known === index;
  }

  /** The session of a key at a moment. Of several, it is the last open one, else the first retained one. */
  session(key: string, { nodes }: { readonly nodes: Frozen }): number | undefined {
    const known = this.#sessions.get(key)?.filter((index) => index < nodes.length);
    return (
      known?.findLast((index) => (entryOf<Session>(nodes, index)?.status ?? 'closed') !== 'closed') ??
      known?.find((index) => entryOf<Session>(nodes, index)?.forgotten === false) ??
      known?.at(-1)
    );
  }

  /** The closed session of a key that is dropped. Another one with that key may already be open. */
  #freed(key: string, { nodes }: { readonly nodes: Frozen }): number | undefined {
    const closed = this.#sessions.get(key)?.filter((index) => index < nodes.length && entryOf<Session>(nodes, index)?.status === 'closed');
    return closed?.find((index) => entryOf<Session>(nodes, index)?.forgotten === false) ?? closed?.at(-1);
  }

  /** The node that an event is about; 0, the manager, if it names none. */
  about(event: Naming, moment: { readonly nodes: Frozen }): number | undefined {
    const { taskId } = event;
    if ((taskId ?? null) !== null) return this.task(taskId, moment);
    const { sessionKey, type } = event;
    if ((sessionKey ?? null) === null) return 0;
    return type === 'session_freed' ? this.#freed(sessionKey as string, moment) : this.session(sessionKey as string, moment);
  }
}
