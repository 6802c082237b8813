// The state of the page: the source, the moment, the selection, the open tab. Owns the way from a source to scenes: it
// folds events with the frames of the page. It makes at most one scene a frame, fewer if a scene takes long.

import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import {
  type CallAnswer,
  type CallName,
  type InspectorCall,
  type InspectorSource,
  type SourceInfo,
  type SubAgentEvent,
  View,
  type ViewBase,
} from 'subagents/view';
import { Intake } from './intake.js';
import { type Place, readLink, type Tab, writeLink } from './link.js';
import { PackedLog } from './packed-log.js';
import { Samples } from './samples.js';
import { keyOf, Scene } from './scene.js';
import { ServerTrouble } from './server-source.js';
import { type EventRows, rowsUpTo, Sifted } from './sift.js';
import { textOf } from './words.js';

export type { Place, Tab } from './link.js';
export { keyOf, Scene, type SceneNode } from './scene.js';

export type Only = 'all' | 'needs' | 'working' | 'waiting' | 'over';
export type DetailTab = 'about' | 'transcript' | 'output' | 'events';
/** `locked`: the source wants a token that was not given yet. */
export type Phase = 'empty' | 'loading' | 'ready' | 'lost' | 'locked';

const newView = (): View => new View({ maxEvents: MAX_EVENTS, log: () => new PackedLog() });

/** The request of a dialog. */
export type Asked = { readonly kind: 'spawn' | 'send' | 'budget'; readonly target: string | null };

/** The interval of a running clock. */
const TICK_MS = 250;
/** Making scenes may take one part in this many of the time. */
const IDLE_SHARE = 4;
/** Maximum number of retained events: packed, they take a few hundred megabytes. */
const MAX_EVENTS = 4_000_000;
const RETRY_MS = 1_000;
const AGAIN = ' It is tried again by itself.';
const LONGEST_RETRY_MS = 15_000;

export class InspectorState {
  readonly phase: Signal<Phase> = signal('empty');
  readonly info: Signal<SourceInfo | null> = signal(null);
  /** The last mistake, until the user closes it. */
  readonly wrong: Signal<string | null> = signal(null);
  /** The effect of a command. */
  readonly toast: Signal<string | null> = signal(null);
  /** The announcement for a screen reader. */
  readonly announced: Signal<string> = signal('');
  readonly scene: Signal<Scene | null> = signal(null);
  /** The number of the event whose moment is shown; null follows the last one. */
  readonly at: Signal<number | null> = signal(null);
  readonly last: Signal<number> = signal(0);
  /** The part of the past events that has been read, from 0 to 1; null if nothing is being read. */
  readonly progress: Signal<number | null> = signal(null);
  readonly first: Signal<number> = signal(0);
  readonly selected: Signal<string | null> = signal(null);
  readonly collapsed: Signal<ReadonlySet<string>> = signal(new Set<string>());
  readonly query: Signal<string> = signal('');
  readonly only: Signal<Only> = signal('all');
  readonly tab: Signal<Tab> = signal('timeline');
  readonly detail: Signal<DetailTab> = signal('about');
  readonly place: Signal<Place> = signal('tree');
  readonly narrow: Signal<boolean> = signal(false);
  readonly isDark: Signal<boolean> = signal(false);
  readonly asked: Signal<Asked | null> = signal(null);
  /** The calls that sub-agents want approved, by their id, if the page knows more than the events. */
  readonly approvals: Signal<ReadonlyMap<string, string>> = signal(new Map<string, string>());
  readonly kinds: Signal<readonly string[]> = signal([]);
  readonly isLive: ReadonlySignal<boolean> = computed(() => this.at.value === null);
  readonly calls: ReadonlySignal<ReadonlySet<CallName>> = computed(() => new Set(this.info.value?.calls ?? []));
  readonly samples = new Samples();

  view = newView();
  /** The view's base, if it lacks the beginning. */
  base: ViewBase | undefined;
  #intake = this.#newIntake();
  #source: InspectorSource | null = null;
  #unlock: ((token: string) => void) | undefined;
  #stopped = new AbortController();
  #scheduled = false;
  #isAsked = false;
  /** The number of the current step: earlier steps have no effect. */
  #turn = 0;
  #cost = 0;
  #madeAt = 0;
  #ticking: ReturnType<typeof setInterval> | undefined;
  #sifted = new Map<string, Sifted>();
  readonly #known = new Set<string>();
  #linked = false;

  readonly host: HTMLElement;

  constructor(host: HTMLElement) {
    this.host = host;
  }

  /** Shows another source, or none. `unlock` gets a token that the user typed, if a source wants one. */
  connect(source: InspectorSource | null, unlock?: (token: string) => void): void {
    this.#stopped.abort();
    this.#stopped = new AbortController();
    this.#source = source;
    this.#unlock = unlock;
    this.view = newView();
    this.#intake = this.#newIntake();
    this.base = undefined;
    this.#sifted = new Map();
    this.#known.clear();
    this.samples.clear();
    batch(() => {
      this.phase.value = source === null ? 'empty' : 'loading';
      this.info.value = null;
      this.wrong.value = null;
      this.progress.value = null;
      this.scene.value = null;
      this.at.value = null;
      this.last.value = 0;
      this.first.value = 0;
      this.selected.value = null;
      this.collapsed.value = new Set();
      this.kinds.value = [];
      this.asked.value = null;
    });
    if (this.#linked) this.readLink();
    if (source !== null) void this.#follow(source, this.#stopped.signal);
  }

  async #follow(source: InspectorSource, signal: AbortSignal): Promise<void> {
    for (let retryMs = RETRY_MS; !signal.aborted; retryMs = Math.min(LONGEST_RETRY_MS, retryMs * 2)) {
      try {
        const info = await source.info();
        if (signal.aborted) return;
        const before = this.info.peek();
        if (before !== null && before.id !== info.id) {
          // The server has restarted: its events are another manager's.
          this.again();
          return;
        }
        batch(() => {
          this.info.value = info;
          this.phase.value = info.last === 0 || info.live ? 'ready' : this.phase.value;
          this.wrong.value = null;
        });
        this.#schedule();
        const intake = this.#intake;
        const from = Math.max(info.first, intake.last + 1);
        intake.connect(from);
        for await (const batch of source.events(from, signal)) {
          if (signal.aborted) return;
          if (batch.base !== undefined) this.base = batch.base;
          retryMs = RETRY_MS;
          this.#schedule();
          await intake.put(batch);
        }
        await intake.done();
        if (signal.aborted) return;
        this.phase.value = 'ready';
        this.#schedule();
        if (!info.live) return;
      } catch (error) {
        if (signal.aborted) return;
        const text = error instanceof Error ? error.message : String(error);
        const isOver = this.info.peek()?.live === false;
        const isLocked = error instanceof ServerTrouble && error.trouble === 'token';
        batch(() => {
          this.phase.value = isLocked ? 'locked' : 'lost';
          this.wrong.value =
            isLocked || isOver ? text : `${error instanceof ServerTrouble ? '' : 'The connection was lost: '}${text}${AGAIN}`;
        });
        if (isLocked || isOver) return;
      }
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }

  #newIntake(): Intake {
    const intake: Intake = new Intake(this.view, ({ events, damage }) => {
      for (const { type } of events) this.#known.add(type);
      if (damage !== undefined) this.wrong.value = `The journal is damaged here, and nothing after it is shown: ${damage.message}`;
    });
    return intake;
  }

  /** Connects once more. */
  again(): void {
    const source = this.#source;
    if (source !== null) this.connect(source, this.#unlock);
  }

  /** Takes the token that the source wants. */
  unlock(token: string): void {
    this.#unlock?.(token);
  }

  disconnect(): void {
    this.#stopped.abort();
    clearInterval(this.#ticking);
    this.#ticking = undefined;
  }

  /** Takes the received events with the next frame of the page, and makes a scene then, or later if scenes take long. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const isLoading = this.info.peek()?.live === false && !this.#intake.isEmpty;
    const wait = this.#madeAt + this.#cost * IDLE_SHARE - performance.now();
    this.#turn += 1;
    const turn = this.#turn;
    const step = (): void => {
      if (turn !== this.#turn) return;
      this.#scheduled = false;
      this.#intake.take(isLoading || document.hidden);
      const isDue = this.#isAsked || performance.now() >= this.#madeAt + this.#cost * IDLE_SHARE;
      if (isDue) this.#make();
      if (!isDue || !this.#intake.isEmpty) this.#schedule();
    };
    // Past events are read between the frames too, since a page in the background has no frames.
    if (isLoading) setTimeout(step);
    else if (document.hidden) setTimeout(step, 500);
    else if (wait > 20 && this.#intake.isEmpty && !this.#isAsked) setTimeout(step, wait);
    else requestAnimationFrame(step);
  }

  /** The reader has requested a moment: its scene is made at the next step, even if scenes take long. */
  #show(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#scheduled = false;
    this.#schedule();
  }

  #make(): void {
    this.#isAsked = false;
    const began = performance.now();
    const { view } = this;
    const at = this.at.peek();
    const frame = at === null ? view.now : view.at(at);
    const isMoving = at === null && this.info.peek()?.live === true && frame.slots.active + frame.slots.queued + frame.slots.parked > 0;
    const now = isMoving ? Math.max(frame.at, Date.now()) : frame.at;
    batch(() => {
      this.first.value = view.first;
      this.last.value = view.last;
      this.scene.value = new Scene(view, frame, now, view.eventAt(0)?.at ?? frame.at, this.scene.peek());
      if (this.phase.peek() === 'loading' && view.last > 0) this.phase.value = 'ready';
      if (this.#known.size !== this.kinds.peek().length) this.kinds.value = [...this.#known].sort();
      this.progress.value = this.#progress();
    });
    if (at === null) this.samples.take(frame, now);
    this.#announce();
    if (isMoving) this.#ticking ??= setInterval(() => this.#schedule(), TICK_MS);
    else {
      clearInterval(this.#ticking);
      this.#ticking = undefined;
    }
    this.#madeAt = performance.now();
    this.#cost = this.#madeAt - began;
  }

  #progress(): number | null {
    const info = this.info.peek();
    if (info === null || info.live || this.#intake.isEmpty || info.last <= info.first) return null;
    return Math.min(1, Math.max(0, (this.view.last - info.first) / (info.last - info.first)));
  }

  #needed = 0;
  #announce(): void {
    const scene = this.scene.peek();
    if (scene === null || !this.isLive.peek()) return;
    if (scene.attention > this.#needed) this.announced.value = `${scene.attention} need a person`;
    this.#needed = scene.attention;
  }

  /** Events up to the moment that is shown: all, or those that concern a sub-agent, of a type, with a text. */
  eventsUpTo(query: string, kind: string, key?: string): EventRows {
    const scene = this.scene.value;
    if (scene === null) return [];
    const wanted = query.trim().toLowerCase();
    if (key !== undefined) {
      const node = scene.byKey(key);
      const events = node === undefined ? [] : this.view.eventsOf(node.index, scene.seq);
      return wanted === '' && kind === '' ? events : events.filter((event) => fits(event, wanted, kind));
    }
    if (wanted === '' && kind === '') return rowsUpTo(this.view, scene.seq);
    const name = `${kind} ${wanted}`;
    let sifted = this.#sifted.get(name);
    if (sifted === undefined) {
      sifted = new Sifted((event) => fits(event, wanted, kind));
      this.#sifted = new Map([[name, sifted]]);
    }
    if (!sifted.look(this.view)) this.#schedule();
    return sifted.upTo(this.view, scene.seq);
  }

  /** The number of the event by which the selected sub-agent was forgotten before the shown moment; null if there is none. */
  forgottenAt(): number | null {
    const [scene, taskId] = [this.scene.value, this.selected.value];
    if (scene === null || taskId === null) return null;
    return this.view.eventsOf({ taskId }, scene.seq).findLast(({ type }) => type === 'task_forgotten')?.seq ?? null;
  }

  /** Chooses a node, and opens the rows that hide it in the tree. */
  select(key: string | null): void {
    this.selected.value = key;
    const scene = this.scene.peek();
    const hidden = new Set(this.collapsed.peek());
    const node = key === null ? undefined : scene?.byKey(key);
    for (let above = node && scene?.above(node); above !== undefined; above = scene?.above(above)) hidden.delete(keyOf(above));
    if (hidden.size !== this.collapsed.peek().size) this.collapsed.value = hidden;
    this.#writeLink();
  }

  toggle(key: string): void {
    const collapsed = new Set(this.collapsed.peek());
    if (!collapsed.delete(key)) collapsed.add(key);
    this.collapsed.value = collapsed;
  }

  showTab(tab: Tab): void {
    this.tab.value = tab;
    this.#writeLink();
  }

  showDetail(tab: DetailTab): void {
    this.detail.value = tab;
  }

  /** Shows the moment of an event. */
  goTo(seq: number): void {
    const wanted = Math.max(this.view.first, Math.min(this.view.last, Math.round(seq)));
    if (this.at.peek() === wanted) return;
    this.at.value = wanted;
    this.#show();
    this.#writeLink();
  }

  /** One event back or forward. */
  step(by: 1 | -1): void {
    this.goTo((this.at.peek() ?? this.view.last) + by);
  }

  goLive(): void {
    this.at.value = null;
    this.#show();
    this.#writeLink();
  }

  open(asked: Asked): void {
    this.asked.value = asked;
  }

  /** Calls the manager. Resolves to null, or to the reason of a refusal. */
  async ask(call: InspectorCall, done: string): Promise<string | null> {
    const source = this.#source;
    if (source === null) return 'there is no manager';
    const { value, error }: CallAnswer = await source.call(call).catch((thrown: unknown) => ({
      error: { code: 'unreachable', message: thrown instanceof Error ? thrown.message : String(thrown) },
    }));
    if (error !== undefined) return `${error.message} (${error.code ?? 'error'})`;
    this.toast.value = done;
    this.announced.value = done;
    if (call.call === 'spawn') this.select((value as { taskId: string }).taskId);
    return null;
  }

  /** The same for a command without a form: the page shows a refusal. */
  async act(call: InspectorCall, done: string): Promise<boolean> {
    const refused = await this.ask(call, done);
    if (refused !== null) this.wrong.value = refused;
    return refused === null;
  }

  /** Sets whether the address of the page has the moment, the sub-agent and the tab. */
  link(isLinked: boolean): void {
    this.#linked = isLinked;
    if (isLinked) this.readLink();
  }

  readLink(): void {
    const link = readLink(location.hash);
    batch(() => {
      this.selected.value = link.task;
      this.tab.value = link.tab;
      if (this.at.peek() !== link.at) this.at.value = link.at;
    });
    if (this.#source !== null) this.#schedule();
  }

  #writeLink(): void {
    if (!this.#linked) return;
    const hash = writeLink({ at: this.at.peek(), task: this.selected.peek(), tab: this.tab.peek() });
    if (location.hash !== hash) history.replaceState(history.state, '', hash === '' ? location.pathname + location.search : hash);
  }

  /** The address of the moment that is shown. */
  address(): string {
    const hash = writeLink({ at: this.at.peek() ?? this.view.last, task: this.selected.peek(), tab: this.tab.peek() });
    return `${location.href.split('#', 1)[0]}${hash}`;
  }
}

function fits(event: SubAgentEvent, wanted: string, kind: string): boolean {
  if (kind !== '' && event.type !== kind) return false;
  if (wanted === '') return true;
  const id = 'taskId' in event ? (event.taskId ?? '') : '';
  return `${event.type} ${id} ${textOf(event)}`.toLowerCase().includes(wanted);
}

export function isChosen(state: InspectorState, node: Parameters<typeof keyOf>[0]): boolean {
  return state.selected.value === keyOf(node);
}
