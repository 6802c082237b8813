// Which events concern a node: links from each to the one before, in flat arrays, since most nodes have a handful. Owns
// these links; they say positions in the log, and end where the log was cut.

/** A link: the position of its event, the link before of the same node (0 is none), and the node. */
const WIDTH = 3;

export class Concerns {
  #links = new Uint32Array(WIDTH << 12);
  #last = new Map<number, number>();
  #end = WIDTH;

  add(node: number | undefined, position: number): void {
    if (node === undefined) return;
    const before = this.#last.get(node) ?? 0;
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
    this.#last.set(node, link);
    this.#end += WIDTH;
  }

  has(node: number): boolean {
    return this.#last.has(node);
  }

  /** Positions of what concerns a node, oldest first: before an end, and from a position on. */
  of(node: number, end: number, from = 0): number[] {
    const found: number[] = [];
    for (let link = this.#last.get(node) ?? 0; link > 0; link = this.#links[link + 1] as number) {
      const position = this.#links[link] as number;
      if (position < from) break;
      if (position < end) found.push(position);
    }
    return found.reverse();
  }

  /** The log has let go of so many events: what is left stands that much further to the front. */
  cut(count: number): void {
    const links = this.#links;
    const end = this.#end;
    this.#last = new Map();
    this.#end = WIDTH;
    for (let link = WIDTH; link < end; link += WIDTH) {
      const position = links[link] as number;
      if (position >= count) this.add(links[link + 2], position - count);
    }
  }
}
