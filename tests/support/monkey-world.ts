// A monkey's world: one manager, what is known of it, and what was promised. Owns the checking of every answer: that
// what is thrown is an error of ours, that a refusal changed nothing, that promises settle, that what the manager
// says of itself fits together.

import {
  type Handle,
  type Notice,
  type Run,
  type RunResult,
  type Session,
  type StandaloneSubAgentTool,
  SubAgentError,
  type SubAgentManager,
  type TaskRef,
} from '../../dist/index.js';
import type { Dice } from './dice.mjs';
import { runtimeOf, standing } from './hosts.js';
import { keyOfRun, Ledger } from './monkey-ledger.js';
import { SecondOpinion } from './monkey-view.js';

export type Scope = SubAgentManager | Session | Run;

/** What the monkey's own functions throw: it may come back as a cause, never as an answer. */
export class MonkeyError extends Error {
  override readonly name = 'MonkeyError';
}

const CODES: ReadonlySet<string> = new Set([
  ...['invalid_argument', 'actor_ended', 'unknown_task', 'forgotten', 'not_reachable', 'depth_limit', 'children_limit', 'tasks_limit'],
  ...['sessions_limit', 'concurrency_limit', 'queue_full', 'budget_exhausted', 'abandoned_limit', 'messages_limit', 'wrong_status'],
  ...['wrong_style', 'nickname_taken', 'ambiguous_nickname', 'no_tools', 'idempotency_conflict', 'idempotency_forgotten', 'rate_limited'],
  ...[
    'released',
    'notices_limit',
    'spawns_limit',
    'tool_blocked',
    'draining',
    'disposed',
    'unknown_agent',
    'unknown_profile',
    'policy_blocked',
  ],
  ...['spawn_denied', 'needs_input', 'aborted'],
]);
/** What a message must not look like: an accident of ours, or a value that was put into words by mistake. */
const ACCIDENT = /\[object |is not a function|Cannot read|is not iterable|TypeError|RangeError|NaN ms|undefined ms/;

export class World {
  readonly dice: Dice;
  readonly log: string[] = [];
  readonly faults: string[] = [];
  /** How often each kind of thing happened. */
  readonly counts = new Map<string, number>();
  readonly ledger = new Ledger((text) => this.fault(text));
  readonly opinion = new SecondOpinion((text) => this.fault(text));
  manager!: SubAgentManager;
  readonly handles: Handle[] = [];
  readonly runs: Run[] = [];
  readonly sessions: Session[] = [];
  readonly results: RunResult[] = [];
  readonly controllers: AbortController[] = [];
  alone: StandaloneSubAgentTool | undefined;
  readonly delivered = new Set<string>();
  readonly hostIds: string[] = [];
  readonly subscriptions: (() => void)[] = [];
  /** What ends the host functions, and the answers of policies, that never settle by themselves. */
  readonly strays: (() => void)[] = [];
  /** How many more things may be done. */
  left = 220;
  depth = 0;
  /** Whether the monkey's functions may do as they like; not while a world is cleaned up. */
  wild = true;
  mayDispose = false;
  gentle = false;
  /** Tokens that were set aside by hand and not given back. */
  disposed = false;
  /** How often the monkey's functions did something of their own. */
  acted = 0;
  /** How often a policy was asked before a spawn. */
  policiesAsked = 0;
  readonly #open = new Set<{ what: string }>();
  readonly #careless = new Map<object, string>();
  readonly #names = new Map<string, string>();

  /** Does one thing, as this scope or as any, unless enough has been done. */
  readonly act: (as?: Scope) => void;

  /** @param act What does it: what it calls does something in turn. */
  constructor(dice: Dice, act: (world: World, as?: Scope) => void) {
    this.dice = dice;
    this.act = (as) => act(this, as);
  }

  fault(text: string): void {
    this.faults.push(text);
    this.note(`FAULT ${text}`);
  }

  note(text: string): void {
    this.log.push(text);
  }

  count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  /** A name for an id: ids are drawn anew in each life. */
  name(id: unknown): string {
    if (typeof id !== 'string') return String(id);
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const name = id.startsWith('sub_') ? `t${this.#names.size}` : id.slice(0, 12);
    if (id.startsWith('sub_')) this.#names.set(id, name);
    return name;
  }

  // ─── answers ────────────────────────────────────────────────────────────────────────────────────

  /** A call that answers at once. Refused, it must have changed nothing. */
  attempt<T>(what: string, body: () => T): T | undefined {
    this.count(what);
    const before = this.dice.chance(0.3) ? this.#standing() : undefined;
    const { acted, policiesAsked: asked } = this;
    try {
      const value = body();
      this.note(what);
      return value;
    } catch (error) {
      const code = this.refused(what, error);
      // What a policy answered is recorded.
      if (before === undefined || asked !== this.policiesAsked || acted !== this.acted || this.disposed) return undefined;
      const after = this.#standing() ?? '';
      if (after !== before) this.fault(`${what} was refused (${code}), and changed ${difference(before, after)}`);
      return undefined;
    }
  }

  /** All that a request can change. What is due by now happens first, so that it is not taken for the request's doing. */
  #standing(): string | undefined {
    if (this.disposed) return undefined;
    runtimeOf<{ tick(): void }>(this.manager).tick();
    return this.disposed ? undefined : JSON.stringify(standing(this.manager));
  }

  /** A promise of the manager's: it has to settle, and what it rejects with has to be ours. */
  async track<T>(what: string, make: () => Promise<T>, then?: (value: T) => void): Promise<T | undefined> {
    this.count(what);
    let promise: Promise<T>;
    try {
      promise = make();
    } catch (error) {
      this.fault(`${what} threw instead of rejecting`);
      this.refused(what, error);
      return undefined;
    }
    const entry = { what };
    this.#open.add(entry);
    this.note(`${what}…`);
    try {
      const value = await promise;
      this.#open.delete(entry);
      this.note(`${what}: there`);
      then?.(value);
      return value;
    } catch (error) {
      this.#open.delete(entry);
      this.refused(what, error);
      return undefined;
    }
  }

  /** A promise that nobody looks at: what was taken and ends otherwise harms nobody. */
  careless(what: string, make: () => Promise<unknown>): void {
    this.count(`${what} unattended`);
    const { disposed } = this;
    const promise = make();
    this.note(`${what} unattended`);
    this.#careless.set(promise, disposed ? 'refused' : 'asked');
  }

  /** A rejection that nobody has taken. */
  unhandled(reason: unknown, promise: object): void {
    const state = this.#careless.get(promise);
    const code = isOf(reason, SubAgentError) ? reason.code : undefined;
    if (state === 'refused' || (state === 'asked' && code !== undefined && code !== 'disposed')) return;
    this.fault(`a rejection is left unhandled: ${describe(reason)}`);
  }

  /** An exception that nobody has taken would end the process. */
  uncaught(error: unknown): void {
    this.fault(`an exception is left uncaught: ${describe(error)}`);
  }

  /** An error of a listener or of `onError`, where nobody else asked for it: the monkey's own. */
  logged(error: unknown): void {
    if (isOf(error, MonkeyError)) this.count('logged error of a listener');
    else this.reported(error);
  }

  /** What `onError` is given. */
  reported(error: unknown): void {
    // A task that the program drives may hold the last slot while what it started is queued (S6).
    if (isOf(error, SubAgentError) && (error.code === 'stalled' || error.code === 'cost_unknown')) this.count(error.code);
    else if (isOf(error, SubAgentError)) this.refused('onError', error);
    else if (isOf(error, Error) && !isOf(error, MonkeyError) && !error.message.startsWith('it '))
      this.fault(`onError was told ${describe(error)}`);
    else this.count('reported error of the monkey');
  }

  /** Judges an error that came out of the manager. */
  refused(what: string, error: unknown): string {
    if (!isOf(error, SubAgentError)) {
      this.fault(`${what} ended with ${describe(error)}`);
      return '';
    }
    const { code, message } = error;
    this.note(`${what}: ${code}`);
    this.count(`refused: ${code}`);
    if (!CODES.has(code)) this.fault(`${what} ended with the code ${code}: ${message}`);
    if (message.length < 8 || ACCIDENT.test(message)) this.fault(`${what} ended with an odd message: ${message}`);
    if (code === 'disposed' && !this.disposed) this.fault(`${what} says that the manager is disposed`);
    return code;
  }

  /** A result that somebody waited for. */
  sawResult(result: RunResult | undefined): void {
    if (!(typeof result === 'object' && result !== null && typeof result.status === 'string')) {
      this.fault(`a wait gave ${describe(result)}`);
      return;
    }
    this.results.push(result);
    this.count(result.backgrounded ? 'result: backgrounded' : `result: ${result.status}`);
    const { length } = this.faults;
    if (!this.disposed) this.ledger.checkResult(result);
    if (this.faults.length > length) this.note(`${this.name(result.taskId)} ${JSON.stringify(result)}`);
  }

  /** A call of a tool. It rejects only where the manager is disposed, or the program was wrong. */
  async call<T>(what: string, make: () => Promise<T>, programIsWrong: boolean): Promise<void> {
    await this.track(
      what,
      () =>
        make().catch((error: unknown) => {
          const code = isOf(error, SubAgentError) ? error.code : '';
          if (code !== 'disposed' && !(programIsWrong && code === 'invalid_argument')) this.fault(`${what} rejected: ${describe(error)}`);
          throw error;
        }),
      (answer) => this.checkAnswer(answer),
    );
  }

  /** What a tool says to a model: words, whatever it was called with. */
  checkAnswer(answer: unknown): void {
    const text = typeof answer === 'string' ? answer : (answer as { content: { text: string }[] }).content[0]?.text;
    if (typeof text !== 'string' || text === '') this.fault(`a tool answered ${JSON.stringify(answer)}`);
    else if (
      /\[object |undefined|is not a function|Cannot read/.test(
        text.replace(/<subagent-output[\s\S]*?<\/subagent-output|"output":"[^"]*"|(threw|got|to|with) undefined|can't be read: .*/g, ''),
      )
    )
      this.fault(`a tool answered ${text}`);
  }

  /** A notice that somebody was given; within a call, its events may still be on their way. */
  sawNotice(notice: Notice): void {
    queueMicrotask(() => {
      if (!this.disposed) this.ledger.checkNotice(notice);
    });
  }

  // ─── whom the monkey knows ──────────────────────────────────────────────────────────────────────

  scope(): Scope {
    const kind = this.dice.weighed({ manager: 6, session: this.sessions.length > 0 ? 2 : 0, run: this.runs.length > 0 ? 3 : 0 });
    if (kind === 'session') return this.dice.pick(this.sessions);
    // The newest are likelier to be open.
    return kind === 'run' ? this.dice.pick(this.runs.slice(-6)) : this.manager;
  }

  handle(): Handle | undefined {
    return this.handles.length === 0 ? undefined : this.dice.pick(this.dice.chance(0.7) ? this.handles.slice(-6) : this.handles);
  }

  target(): TaskRef {
    const handle = this.handle();
    const odd = this.dice.chance(0.06);
    if (handle === undefined || odd)
      return this.dice.pick<unknown>(['sub_0', '', 'nick0', 'nick1', 5, null, {}, 'x'.repeat(300)]) as TaskRef;
    return this.dice.chance(0.5) ? handle : (this.attempt('handle.taskId', () => handle.taskId) ?? 'sub_1');
  }

  targetName(target: unknown): string {
    if (typeof target !== 'object' || target === null) return this.name(target);
    return this.name((target as Handle).taskId);
  }

  // ─── what fits together ─────────────────────────────────────────────────────────────────────────

  /** Statistics, listing, events and single snapshots say the same. Asked from outside of all calls only. */
  look(): void {
    if (this.disposed) return;
    const { manager } = this;
    const { items, total } = manager.list({ page: { limit: 1_000 } });
    const stats = manager.stats();
    const info = manager.getConcurrencyInfo();
    const expect = (what: string, got: unknown, wanted: unknown): void => {
      if (got !== wanted) this.fault(`${what}: ${String(got)}, expected ${String(wanted)}`);
    };
    const count = (status: string): number => items.filter((view) => view.status === status).length;
    expect('the total of stats', stats.total, total);
    for (const name of ['pending', 'running', 'idle', 'completed', 'failed', 'cancelled', 'interrupted', 'closed'] as const)
      expect(`stats say of ${name}`, stats[name], count(name));
    expect('stats say of timed_out', stats.timedOut, count('timed_out'));
    expect('how many tasks there are by their events', this.ledger.status.size, total);
    // One that ended while it was parked counts until its host function returns.
    const parked = items.filter((view) => view.parked !== null).length;
    const returning = items.filter((view) => view.hostStillRunning).length;
    if (info.parked < parked || info.parked > parked + returning) this.fault(`parked: ${info.parked}, expected ${parked}`);
    expect('queued', info.queued, items.filter((view) => view.status === 'pending').length);
    for (const view of items) {
      this.ledger.checkTask(view);
      for (const { cap, spent, reserved, available, overspent } of Object.values(view.budget))
        if (!(spent >= 0 && reserved >= 0 && available >= 0 && overspent >= 0 && available <= Math.max(0, cap - spent - reserved) + 1e-9))
          this.fault(`a budget that can't be: ${JSON.stringify(view.budget)}`);
    }
    expect('tokens spent', stats.tokensSpent, this.ledger.spent.tokens);
    expect('turns spent', stats.turnsSpent, this.ledger.spent.turns);
    const cost = Math.abs(stats.costSpentUsd - this.ledger.spent.costUsd);
    if (cost > 1e-9 * Math.max(1, stats.costSpentUsd))
      this.fault(`cost spent: ${stats.costSpentUsd}, expected ${this.ledger.spent.costUsd}`);
    this.opinion.look(manager, this.sessions);
    for (const [key, { made, acks }] of this.ledger.notices)
      if (made !== 1 || acks > 1) this.fault(`notice ${key}: made ${made}, acked ${acks}`);
  }

  /** Two waits for the same ended run give the same. */
  async waitTwice(handle: Handle): Promise<void> {
    if (this.disposed) return;
    try {
      const { status } = handle;
      if (status === 'running' || status === 'pending') return;
      const [first, second] = await Promise.all([handle.wait(), handle.wait()]);
      // The first wait collects the end, and a listener that is notified of it may have the task go on.
      if (this.disposed || first.run !== second.run) return;
      const snapshot = handle.snapshot();
      if (JSON.stringify(first) !== JSON.stringify(second))
        this.fault(`two waits differ: ${JSON.stringify(first)} and ${JSON.stringify(second)}`);
      this.ledger.checkResult(first);
      const late = this.ledger.late.has(keyOfRun(first.taskId, first.run));
      if (snapshot.run !== first.run || first.run === 0 || late) return;
      if (JSON.stringify(first.usage) !== JSON.stringify(snapshot.usage))
        this.fault(
          `usage of ${this.name(first.taskId)}: ${JSON.stringify(first.usage)} by the result, ${JSON.stringify(snapshot.usage)} by the snapshot`,
        );
      if (!snapshot.released && JSON.stringify(first.artifacts) !== JSON.stringify(snapshot.artifacts))
        this.fault(`artifacts: ${JSON.stringify(first.artifacts)} by the result, ${JSON.stringify(snapshot.artifacts)} by the snapshot`);
    } catch (error) {
      this.refused('waiting twice', error);
    }
  }

  /** Promises that have not settled. */
  get open(): string[] {
    return [...this.#open].map(({ what }) => what);
  }
}

/** `instanceof` for what may be a revoked proxy. */
function isOf<T>(value: unknown, kind: abstract new (...given: never[]) => T): value is T {
  try {
    return value instanceof kind;
  } catch {
    return false;
  }
}

export function describe(error: unknown): string {
  try {
    return error instanceof Error
      ? `${error.name}: ${error.message} ${error.stack?.split('\n').slice(1, 4).join(' ')}`
      : `${typeof error} ${String(error)}`;
  } catch {
    return 'something that can not be described';
  }
}

/** Where two texts part. */
function difference(before: string, after: string): string {
  let at = 0;
  while (before[at] === after[at]) at += 1;
  return `${before.slice(Math.max(0, at - 60), at + 60)} → ${after.slice(Math.max(0, at - 60), at + 60)}`;
}
