// The playground: a scenario, a model, documents and faults as they are chosen, and the manager that works with them. Owns
// that manager, of which there is one at a time; everything stays in this page.

import { signal } from '@preact/signals';
import type { SubAgentManager } from 'subagents';
import { type Document, Library, readFiles, SAMPLES } from './documents.js';
import { Faults, type Injected } from './faults.js';
import { builtIn, endpoint, ggufModel, type Model } from './model.js';
import { SCENARIOS, type Scenario, type Stage } from './scenarios.js';

/** How long the built-in model takes for an answer, so that a person can watch; `?pace=0` for none. */
const PACE_MS = 420;
/** The scenario that was under way when the page was lost. */
const UNDER_WAY = 'subagents-playground-scenario';
/** What an endpoint needs is kept here, in this tab, and goes to that endpoint alone. */
const ENDPOINT = 'subagents-playground-endpoint';

export interface Endpoint {
  readonly url: string;
  readonly model: string;
  readonly key: string;
}

export type ModelKind = 'built-in' | 'endpoint' | 'file';

export class Playground {
  readonly scenario = signal<Scenario>(SCENARIOS.find(({ id }) => id === sessionStorage.getItem(UNDER_WAY)) ?? (SCENARIOS[0] as Scenario));
  readonly documents = signal<readonly Document[]>(SAMPLES);
  readonly injected = signal<Injected>({ fault: 'none', every: 1 });
  readonly modelKind = signal<ModelKind>('built-in');
  readonly endpoint = signal<Endpoint>(readEndpoint());
  readonly said = signal<string | null>(null);
  readonly isOpen = signal(innerWidth > 900);
  readonly #inspector: HTMLElementTagNameMap['subagents-inspector'];
  readonly #pace = Number(new URLSearchParams(location.search).get('pace') ?? PACE_MS);
  readonly #pending = new Map<string, { readonly text: string; readonly decide: (allow: boolean) => void }>();
  #manager: SubAgentManager | undefined;
  #file: Model | undefined;
  #started = 0;

  constructor(inspector: HTMLElementTagNameMap['subagents-inspector']) {
    this.#inspector = inspector;
    inspector.approve = (taskId, allow) => this.#pending.get(taskId)?.decide(allow);
    // A page that was lost in the middle goes on where it was.
    const reopens = sessionStorage.getItem(UNDER_WAY) === 'crash';
    void this.start(reopens);
  }

  /** Ends what runs, and starts the chosen scenario. */
  async start(reopens = false): Promise<void> {
    const scenario = this.scenario.peek();
    this.#started += 1;
    const started = this.#started;
    this.#manager?.dispose();
    this.#manager = undefined;
    for (const { decide } of this.#pending.values()) decide(false);
    this.said.value = null;
    sessionStorage.setItem(UNDER_WAY, scenario.id);
    try {
      const stage = this.#stage(reopens);
      const manager = await scenario.make(stage);
      if (started !== this.#started) {
        manager.dispose();
        return;
      }
      this.#manager = manager;
      this.#inspector.setAttribute('title', scenario.title);
      this.#inspector.manager = manager;
      scenario.work(manager, stage);
      if (reopens) this.said.value = 'The page was lost while this ran: the manager was opened from its journal, and continues.';
    } catch (error) {
      this.said.value = `The scenario could not start: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  choose(scenario: Scenario): void {
    this.scenario.value = scenario;
    this.injected.value = scenario.fault ?? { fault: 'none', every: 1 };
    void this.start();
  }

  /** Loses the page, as a crash does: nothing is told to the manager. */
  crash(): void {
    location.reload();
  }

  async take(files: Iterable<File>): Promise<void> {
    const list = [...files];
    const gguf = list.find(({ name }) => name.endsWith('.gguf'));
    if (gguf !== undefined) return this.takeModel(gguf);
    const { documents, refused } = await readFiles(list);
    if (documents.length > 0) {
      this.documents.value = documents;
      void this.start();
    }
    if (refused.length > 0) this.said.value = `Left out: ${refused.join('; ')}`;
  }

  async takeModel(file: File): Promise<void> {
    try {
      this.#file = await ggufModel(file, (text) => {
        this.said.value = text;
      });
      this.modelKind.value = 'file';
      await this.start();
      this.said.value = `${file.name} answers from now on`;
    } catch (error) {
      this.said.value = `${file.name} could not be loaded: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  useEndpoint(given: Endpoint): void {
    this.endpoint.value = given;
    sessionStorage.setItem(ENDPOINT, JSON.stringify(given));
    this.modelKind.value = 'endpoint';
    void this.start();
  }

  #stage(reopens: boolean): Stage {
    const paceMs = (): number => this.#pace;
    const library = new Library(this.documents.peek());
    return {
      library,
      paceMs,
      reopens,
      team: { library: () => library, model: () => this.#model(paceMs), faults: new Faults(() => this.injected.peek(), paceMs) },
      approve: (taskId, tool, args) => this.#approve(taskId, `${tool} ${JSON.stringify(args)}`),
    };
  }

  #model(paceMs: () => number): Model {
    const { url, model, key } = this.endpoint.peek();
    switch (this.modelKind.peek()) {
      case 'built-in':
        return builtIn(paceMs);
      case 'endpoint':
        return endpoint(url, model, key === '' ? undefined : key);
      case 'file':
        return this.#file ?? builtIn(paceMs);
    }
  }

  #approve(taskId: string, text: string): Promise<boolean> {
    return new Promise((resolve) => {
      const decide = (allow: boolean): void => {
        this.#pending.delete(taskId);
        this.#tell();
        resolve(allow);
      };
      this.#pending.set(taskId, { text, decide });
      this.#tell();
    });
  }

  #tell(): void {
    this.#inspector.approvals = new Map([...this.#pending].map(([taskId, { text }]) => [taskId, `It wants to use ${text}`]));
  }
}

function readEndpoint(): Endpoint {
  const none = { url: 'http://localhost:11434/v1', model: '', key: '' };
  try {
    return { ...none, ...(JSON.parse(sessionStorage.getItem(ENDPOINT) ?? '{}') as Partial<Endpoint>) };
  } catch {
    return none;
  }
}
