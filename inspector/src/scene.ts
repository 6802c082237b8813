// One moment for the page: a frame of the view, and values that several parts of the page derive from it, computed
// once. Owns that unchanged parts are not computed again.

import type { WaitingFor } from 'subagents';
import type { Frame, NodeView, NoticeView, RefusalView, View } from 'subagents/view';
import { type State, stateOf } from './agent.js';
import { line } from './format.js';
import { Outline } from './outline.js';
import type { Lane } from './timeline-draw.js';

export type SceneNode = NodeView;

/** The key to choose a node and to link to it: the id of a sub-agent, or the key of a session. */
export function keyOf(node: NodeView): string {
  return node.id ?? `session:${node.sessionKey ?? ''}`;
}

/** Drawn lanes, by the state of their node: a changed node is another object. */
const drawn = new WeakMap<NodeView, Lane>();

export class Scene {
  readonly frame: Frame;
  /** The time up to which running work is counted. */
  readonly now: number;
  /** The time of the first event. */
  readonly startedAt: number;
  readonly outline: Outline;
  /** The indexes of nodes that need a person, and of all above them; the same object while they are the same. */
  readonly needy: ReadonlySet<number>;
  readonly attention: number;
  readonly #needs = new Set<number>();
  readonly #view: View;
  readonly #states = new Map<number, State>();

  /** @param before the previous scene, of the same view */
  constructor(view: View, frame: Frame, now: number, startedAt: number, before: Scene | null) {
    this.#view = view;
    this.frame = frame;
    this.now = now;
    this.startedAt = startedAt;
    const known = before !== null && before.#view === view ? before : undefined;
    this.outline = known?.outline.structure === frame.structure ? known.outline : new Outline(frame);
    const needy = new Set<number>();
    const attention = frame.attention(now);
    for (const { node } of attention) {
      this.#needs.add(node.index);
      for (let each: NodeView | undefined = node; each !== undefined && !needy.has(each.index); each = this.above(each))
        needy.add(each.index);
    }
    const isSame = known?.needy.size === needy.size && [...needy].every((index) => known.needy.has(index));
    this.needy = isSame ? known.needy : needy;
    this.attention = attention.length;
  }

  get seq(): number {
    return this.frame.seq;
  }

  get manager(): NodeView {
    return this.frame.manager;
  }

  /** Every sub-agent, by age. */
  get tasks(): readonly NodeView[] {
    return this.frame.tasks();
  }

  get roots(): readonly NodeView[] {
    return this.outline.roots.map((index) => this.node(index));
  }

  /** The node at an index of the outline. */
  node(index: number): NodeView {
    return this.frame.node(index) as NodeView;
  }

  byKey(key: string): NodeView | undefined {
    return key.startsWith('session:') ? this.frame.node({ sessionKey: key.slice('session:'.length) }) : this.frame.task(key);
  }

  above(node: NodeView): NodeView | undefined {
    return node.parent <= 0 ? undefined : this.frame.node(node.parent);
  }

  childrenOf(index: number): readonly NodeView[] {
    return this.outline.below(index).map((child) => this.node(child));
  }

  stateOf(node: NodeView): State {
    const known = this.#states.get(node.index);
    if (known !== undefined) return known;
    const state = stateOf(node, this.#waitsFor(node), this.#needs.has(node.index));
    this.#states.set(node.index, state);
    return state;
  }

  #waitsFor(node: NodeView): WaitingFor | null {
    const obstacle = this.frame.obstacle(node);
    return obstacle?.kind === 'waiting' ? obstacle.for : null;
  }

  get notices(): readonly NoticeView[] {
    return this.frame.inbox();
  }

  get refusals(): readonly RefusalView[] {
    return this.#view.refusals(this.seq);
  }

  lane(node: NodeView): Lane {
    const known = drawn.get(node);
    if (known !== undefined) return known;
    const { segments, marks } = this.#view.lane(node.index, this.seq);
    const lane: Lane = {
      id: keyOf(node),
      label: line(node.label || keyOf(node), 60),
      depth: node.depth,
      over: node.run === null,
      segments,
      marks,
    };
    drawn.set(node, lane);
    return lane;
  }
}
