// The events that concern each node: links from each to the previous one, in flat arrays, since most nodes have a
// handful. Owns these links: positions in the log, which end where the log was cut.

/** A link: the position of its event, the previous link of the same node (0 is none), and the node. */
const WIDTH = 3;
/** Each array has the last links of 2 ** PART nodes. */
const PART = 12;
const MASK = (1 << PART) - 1;

export class Concerns {
  #links = new Uint32Array(WIDTH << 12);
  /** Arrays in place of a map, which each event would query twice. */
  #last: (Uint32Array | undefined)[] = [];
  #end = WIDTH;

  add(node: number | undefined, position: number): void {
    if (node === undefined) return;
    this.#last[node >>> PART] ??= new Uint32Array(1 << PART);
    const before = this.#lastOf(node);
    const link = this.#end;
    if (before > 0 && this.#links[before] === position) return;
    if (link === this.#links.length) {
      const links = new Uint32Array(link * 2);
      links.set(this.#links);
      this.#links = links;
    }
    this.#links[link] = position;
    this.#links[link + 1] = before;
    this.#links[link + 2] = node;
    (this.#last[node >>> PART] as Uint32Array)[node & MASK] = link;
    this.#end += WIDTH;
  }

  has(node: number): boolean {
    return this.#lastOf(node) > 0;
  }

  #lastOf(node: number): number {
    return this.#last[node >>> PART]?.[node & MASK] ?? 0;
  }

  /** Positions of a node's events, oldest first: before an end, and from a position on. */
  of(node: number, end: number, from = 0): number[] {
    const found: number[] = [];
    for (let link = this.#lastOf(node); link > 0; link = this.#links[link + 1] as number) {
      const position = this.#links[link] as number;
      if (position < from) break;
      if (position < end) found.push(position);
    }
    return found.reverse();
  }

  /** The log has dropped this many events: the others move forward by as many places. */
  cut(count: number): void {
    const links = this.#links;
    const end = this.#end;
    this.#last = [];
    this.#end = WIDTH;
    for (let link = WIDTH; link < end; link += WIDTH) {
      const position = links[link] as number;
      if (position >= count) this.add(links[link + 2], position - count);
    }
  }
}
