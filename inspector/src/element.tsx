// `<subagents-inspector>`: the element that a page binds to a manager. Owns its properties and attributes, its shadow
// root and its styles, which are constructed, so that a strict Content-Security-Policy allows them.

import { render } from 'preact';
import type { SubAgentManager } from 'subagents';
import type { InspectorSource, SubAgentEvent } from 'subagents/view';
import uplotLook from 'uplot/dist/uPlot.min.css';
import { App } from './app.js';
import { listSource } from './contents.js';
import { dropped, openJournal, saved } from './files.js';
import look from './look.css';
import { readAddress, serverSource } from './server-source.js';
import { managerSource } from './sources.js';
import { InspectorState } from './state.js';
import { dropToken, keepToken, keptToken } from './token.js';

/** Decides the approval that a parked run waits for. It passes the decision to the page's own policy. */
export type Approve = (taskId: string, allow: boolean, reason?: string) => void;

/** Without a page, as on a server that renders, the class can be imported, but shows nothing. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);
const NARROW = 900;
let sheets: CSSStyleSheet[] | undefined;

function stylesheets(): CSSStyleSheet[] {
  sheets ??= [uplotLook, look].map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  return sheets;
}

/**
 * Shows the sub-agents of a manager: tree, timeline, budgets, inbox, refusals, events, at any moment.
 *
 * Attributes: `src` is the address of a manager in another process, which `serveInspector` serves. `theme` is `light` or
 * `dark`; without it the reader's own setting holds. `linked` puts the moment and the selection into the address of the page,
 * after `#`; `allow` lets the reader act on `manager`.
 */
export class SubagentsInspector extends Base {
  /** The attributes whose changes the platform reports to it. */
  static readonly observedAttributes = ['theme', 'linked', 'allow', 'src'];

  readonly #state = new InspectorState(this);
  readonly #prefersDark = matchMedia('(prefers-color-scheme: dark)');
  #manager: SubAgentManager | null = null;
  #source: InspectorSource | readonly SubAgentEvent[] | null = null;
  #token: string | undefined;
  #approve: Approve | undefined;
  #size: ResizeObserver | undefined;
  /** Unsubscribes from a manager. */
  #close = (): void => undefined;
  readonly #onTheme = (): void => this.#dress();
  readonly #onHash = (): void => this.#state.readLink();

  /** Makes one outside any page; `document.createElement('subagents-inspector')` and its tag in a page do the same. */
  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = stylesheets();
  }

  /**
   * A manager in this page; null shows nothing.
   *
   * Earlier events are known only by their outcome.
   */
  get manager(): SubAgentManager | null {
    return this.#manager;
  }

  set manager(manager: SubAgentManager | null) {
    this.#manager = manager;
    this.#source = null;
    this.#connect();
  }

  /** A list of events, or any source of events and commands; null shows nothing. */
  get source(): InspectorSource | readonly SubAgentEvent[] | null {
    return this.#source;
  }

  set source(source: InspectorSource | readonly SubAgentEvent[] | null) {
    this.#manager = null;
    this.#source = source;
    this.#connect();
  }

  /**
   * The address of a server that `serveInspector` started, in this process or another; empty shows nothing.
   *
   * The server accepts its own page, and pages of its `origins`. It also decides what the reader may do. A token behind
   * `#token=` is taken out of the address. `manager` and `source` take precedence over it.
   */
  get src(): string {
    return this.getAttribute('src') ?? '';
  }

  set src(address: string) {
    if (address === '') this.removeAttribute('src');
    else this.setAttribute('src', address);
  }

  /**
   * The token of the server at `src`; null if none was given, and then the reader types it.
   *
   * Once the server has accepted it, `sessionStorage` has it.
   */
  get token(): string | null {
    return this.#token ?? null;
  }

  set token(token: string | null) {
    this.#token = token ?? undefined;
    if (this.src !== '') this.#connect();
  }

  /** Called when the reader approves or refuses a run's request; without it, the page offers no such command. */
  get approve(): Approve | undefined {
    return this.#approve;
  }

  set approve(approve: Approve | undefined) {
    this.#approve = approve;
  }

  /** The requests of sub-agents for approval, by their id: shown beside the choice. */
  get approvals(): ReadonlyMap<string, string> {
    return this.#state.approvals.value;
  }

  set approvals(approvals: ReadonlyMap<string, string>) {
    this.#state.approvals.value = new Map(approvals);
  }

  /**
   * Opens a journal: the file of a `fileStore`, or events as JSON, one a line, as *Save* writes them. The page shows its
   * damage.
   */
  async open(file: Blob, name = 'a journal'): Promise<void> {
    try {
      this.source = await openJournal(file, name);
    } catch (error) {
      this.#refuse(name, error);
    }
  }

  #refuse(name: string, error: unknown): void {
    this.#state.wrong.value = `${name} can't be opened: ${error instanceof Error ? error.message : String(error)}`;
  }

  /** @internal */
  connectedCallback(): void {
    this.#prefersDark.addEventListener('change', this.#onTheme);
    globalThis.addEventListener('hashchange', this.#onHash);
    this.addEventListener('dragover', this.#onDrag);
    this.addEventListener('drop', this.#onDrop);
    this.#size = new ResizeObserver(([entry]) => {
      this.#state.narrow.value = (entry?.contentRect.width ?? NARROW + 1) <= NARROW;
    });
    this.#size.observe(this);
    this.#dress();
    this.#state.link(this.hasAttribute('linked'));
    if (this.shadowRoot !== null)
      render(
        <App state={this.#state} onLoad={(file) => void this.open(file, file.name)} onSave={() => void this.#save()} />,
        this.shadowRoot,
      );
    this.#connect();
  }

  /** @internal */
  disconnectedCallback(): void {
    this.#prefersDark.removeEventListener('change', this.#onTheme);
    globalThis.removeEventListener('hashchange', this.#onHash);
    this.removeEventListener('dragover', this.#onDrag);
    this.removeEventListener('drop', this.#onDrop);
    this.#size?.disconnect();
    this.#close();
    this.#state.disconnect();
    if (this.shadowRoot !== null) render(null, this.shadowRoot);
  }

  /** @internal */
  attributeChangedCallback(name: string): void {
    if (name === 'theme') this.#dress();
    else if (name === 'linked') this.#state.link(this.hasAttribute('linked'));
    else if (name === 'src') this.#bind();
    else if (this.#manager !== null) this.#connect();
  }

  /** Follows `src`; a token in it is taken out. */
  #bind(): void {
    const token = /[#&]token=([^&]*)/u.exec(this.src)?.[1];
    if (token !== undefined) {
      this.#token = decodeURIComponent(token);
      this.setAttribute('src', this.src.split('#', 1)[0] as string);
      return;
    }
    this.#connect();
  }

  #connect(): void {
    if (!this.isConnected) return;
    const title = this.getAttribute('title') ?? 'Sub-agents';
    const source = this.#source;
    this.#close();
    if (this.#manager !== null) {
      const live = managerSource(this.#manager, title, this.hasAttribute('allow'), () => this.#approve);
      this.#close = live.close;
      this.#state.connect(live);
    } else if (source !== null) this.#state.connect(isList(source) ? listSource(title, { events: source }) : source);
    else this.#connectToServer();
  }

  #connectToServer(): void {
    if (this.src === '') {
      this.#state.connect(null);
      return;
    }
    try {
      const { address } = readAddress(this.src, document.baseURI);
      const token = this.#token ?? keptToken(address);
      const source = serverSource(address, {
        token,
        accepted: () => keepToken(address, token ?? ''),
        refused: () => dropToken(address),
      });
      this.#state.connect(source, (typed) => {
        this.token = typed;
      });
    } catch (error) {
      this.#state.connect(null);
      this.#state.wrong.value = `\`src\` can't be followed: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  #dress(): void {
    const theme = this.getAttribute('theme');
    const isDark = theme === 'dark' || (theme !== 'light' && this.#prefersDark.matches);
    this.classList.toggle('dark', isDark);
    this.#state.isDark.value = isDark;
  }

  async #save(): Promise<void> {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await saved(this.#state.view, this.#state.base));
    link.download = 'subagents.jsonl';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  readonly #onDrag = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  };

  readonly #onDrop = (event: DragEvent): void => {
    const given = event.dataTransfer;
    const name = given?.files[0]?.name;
    if (given === null || name === undefined || event.defaultPrevented) return;
    event.preventDefault();
    dropped(given).then(
      (file) => file && this.open(file, file.name),
      (error: unknown) => this.#refuse(name, error),
    );
  };
}

function isList(source: InspectorSource | readonly SubAgentEvent[]): source is readonly SubAgentEvent[] {
  return Array.isArray(source);
}

if (globalThis.customElements?.get('subagents-inspector') === undefined)
  globalThis.customElements?.define('subagents-inspector', SubagentsInspector);

declare global {
  interface HTMLElementTagNameMap {
    'subagents-inspector': SubagentsInspector;
  }
}
