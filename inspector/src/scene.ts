// One moment as the page reads it: a frame of the view, and what several parts of the page ask of it, worked out once.

import type { WaitingFor } from 'subagents';
import type { Frame, LaneView, NodeView, NoticeView, RefusalView, View } from 'subagents/view';
import { type State, stateOf } from './agent.js';
import { line, words } from './format.js';
import type { Lane, LaneMark, LaneSegment, MarkLook } from './timeline-draw.js';

export type SceneNode = NodeView;

/** How a node is chosen and linked to: the id of a sub-agent, or the key of a session. */
export function keyOf(node: NodeView): string {
  return node.id ?? `session:${node.sessionKey ?? ''}`;
}

/** Lanes that were drawn, by what is known of their node: nodes that changed are others. */
const drawn = new WeakMap<NodeView, Lane>();

export class Scene {
  readonly frame: Frame;
  /** Until when running work is counted. */
  readonly now: number;
  /** When the first event happened. */
  readonly startedAt: number;
  /** Every sub-agent, by age. */
  readonly tasks: readonly NodeView[];
  readonly roots: readonly NodeView[];
  /** The indexes of those that need a person, and of all above them. */
  readonly needy: ReadonlySet<number>;
  readonly attention: number;
  readonly #needs = new Set<number>();
  readonly #view: View;
  readonly #below = new Map<number, readonly NodeView[]>();
  readonly #states = new Map<number, State>();
  #order: readonly NodeView[] | undefined;

  constructor(view: View, frame: Frame, now: number, startedAt: number) {
    this.#view = view;
    this.frame = frame;
    this.now = now;
    this.startedAt = startedAt;
    this.tasks = frame.tasks();
    this.roots = frame.children(null).filter((node) => node.kind === 'task' || frame.children(node.index).length > 0);
    const needy = new Set<number>();
    const attention = frame.attention(now);
    for (const { node } of attention) {
      this.#needs.add(node.index);
      for (let each: NodeView | undefined = node; each !== undefined && !needy.has(each.index); each = this.above(each))
        needy.add(each.index);
    }
    this.needy = needy;
    this.attention = attention.length;
  }

  get seq(): number {
    return this.frame.seq;
  }

  get manager(): NodeView {
    return this.frame.manager;
  }

  byKey(key: string): NodeView | undefined {
    return key.startsWith('session:') ? this.frame.node({ sessionKey: key.slice('session:'.length) }) : this.frame.task(key);
  }

  above(node: NodeView): NodeView | undefined {
    return node.parent <= 0 ? undefined : this.frame.node(node.parent);
  }

  childrenOf(index: number): readonly NodeView[] {
    const known = this.#below.get(index);
    if (known !== undefined) return known;
    const found = this.frame.children(index);
    this.#below.set(index, found);
    return found;
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

  /** Every node in the order of the tree. */
  get order(): readonly NodeView[] {
    if (this.#order !== undefined) return this.#order;
    const found: NodeView[] = [];
    const walk = (nodes: readonly NodeView[]): void => {
      for (const node of nodes) {
        found.push(node);
        walk(this.childrenOf(node.index));
      }
    };
    walk(this.roots);
    this.#order = found;
    return found;
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
      segments: segments.map(segmentOf),
      marks: marks.flatMap(markOf),
    };
    drawn.set(node, lane);
    return lane;
  }
}

function segmentOf({ state, from, to, why }: LaneView['segments'][number]): LaneSegment {
  const reason = why === null ? '' : words(why);
  switch (state) {
    case 'queued':
      return { from, to, look: 'queued', says: reason === '' ? 'queued' : `queued: ${reason}` };
    case 'running':
      return { from, to, look: 'running', says: 'running' };
    case 'parked':
      return { from, to, look: 'parked', says: `parked: ${reason}` };
    case 'stopping':
      return { from, to, look: 'stopping', says: `stopping: ${reason}` };
    case 'lingering':
      return { from, to, look: 'stopping', says: 'its host function has not returned' };
  }
}

const MARKS: Record<LaneView['marks'][number]['kind'], MarkLook | undefined> = {
  message: 'message',
  answer: 'message',
  turn: 'turn',
  report: undefined,
  tool: 'tool',
  question: 'question',
  policy: 'question',
  notice: 'notice',
  spawn: undefined,
  cancel: undefined,
  end: 'good',
};

function markOf({ kind, at, text, end }: LaneView['marks'][number]): LaneMark[] {
  const look = MARKS[kind];
  if (look === undefined) return [];
  const isBad = end !== undefined && end.status !== 'completed';
  const says = end === undefined ? [kind, line(text, 80)] : [words(end.status), end.reason === 'finished' ? '' : words(end.reason)];
  return [{ at, look: isBad ? 'bad' : look, says: says.filter((part) => part !== '').join(': ') }];
}
