// The order of the tree: the place of each node. Owns that it is computed when the tree has changed, not at every
// moment: it has indexes, and the nodes are read from the moment.

import type { Frame } from 'subagents/view';

export class Outline {
  readonly structure: number;
  /** The indexes of the top nodes: sub-agents of the program, and sessions that have some. */
  readonly roots: readonly number[];
  readonly #below = new Map<number, readonly number[]>();
  readonly #frame: Frame;
  #order: readonly number[] | undefined;

  constructor(frame: Frame) {
    this.structure = frame.structure;
    this.#frame = frame;
    this.roots = frame
      .children(null)
      .filter(({ kind, index }) => kind === 'task' || this.below(index).length > 0)
      .map(({ index }) => index);
  }

  /** The indexes of the children of a node, by age. */
  below(index: number): readonly number[] {
    let known = this.#below.get(index);
    if (known === undefined) {
      known = this.#frame.children(index).map((node) => node.index);
      this.#below.set(index, known);
    }
    return known;
  }

  /** The indexes of all nodes, each before those below it. */
  get order(): readonly number[] {
    if (this.#order !== undefined) return this.#order;
    const found: number[] = [];
    const walk = (indexes: readonly number[]): void => {
      for (const index of indexes) {
        found.push(index);
        walk(this.below(index));
      }
    };
    walk(this.roots);
    this.#order = found;
    return found;
  }
}
