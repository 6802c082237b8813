// The stage on which a transcript plays: a manager of the built package, host functions whose ends the
// transcript says, virtual time, the names. Owns what each verb means in TypeScript, as `golden/stage.rs`
// does for the core. Where the package has no such operation it says so below.

import {
  type AskAnswer,
  type DrivenHandle,
  type Handle,
  type HostResult,
  type Notice,
  type Run,
  type Session,
  SubAgentError,
  type SubAgentEvent,
  SubAgentManager,
  type SubAgentManagerOptions,
  type TurnPermit,
} from '../../dist/index.js';
import type { Command as ManagerCommand, Reply } from '../../ts/boundary/generated/commands.js';
import { DEFAULT_SESSION, PROGRAM } from '../../ts/boundary/key.js';
import type { ViewBytes } from '../../ts/boundary/view-bytes.js';
import { readBudgetAccount } from '../../ts/snapshots/generated/task-readers.js';
import { Cast } from './golden-cast.js';
import { accountOf, type Line, lookOf, refusalOf } from './golden-lines.js';
import { Log } from './golden-log.js';
import { budgetOf, dollarsOf, pricesOf, readings, settingsOf, spawnOf, tokensOf } from './golden-options.js';
import { Command, given, numberOf } from './golden-transcript.js';
import { Waiting } from './golden-waiting.js';
import { coreOf, type Deferred, deferred, runtimeOf } from './hosts.js';
import { flush, pass } from './virtual-time.js';

/** Parts behind a manager that no public operation reaches. */
interface Inside {
  mutateOrThrow(body: (core: InsideCore) => boolean): void;
  perform(actor: Actor, command: ManagerCommand): Reply;
  performIf(actor: Actor, command: ManagerCommand): Reply | undefined;
  commandIf(actor: Actor, command: ManagerCommand): Reply | undefined;
  mutate<T>(body: (core: InsideCore) => T): T;
  call<T>(body: (core: InsideCore) => T): T;
  view<T>(show: (core: InsideCore) => number, read: (from: ViewBytes) => T): T;
  readonly lookup: {
    resolve(actor: { index: number; generation: number; run: number }, id: string): { index: number; generation: number };
  };
  write(text: string): number;
  refusal(): SubAgentError;
  readonly waits: { keep(...waiting: unknown[]): void; abortCall(call: object, task: object): Promise<void> };
  readonly readers: { isRead: (actor: Actor) => boolean };
}

/** Where the core keeps a session. */
interface InsideCore {
  configure(now: number, settings: object): boolean;
  tick(now: number): void;
  budget(index: number): number;
}

interface Actor {
  readonly index: number;
  readonly generation: number;
  readonly run: number;
}

interface Named {
  readonly ref: Handle | { readonly taskId: string };
  /** Who spawned it: `a#1`, a session's name, or nothing for the program. */
  readonly by: string;
}

/** A manager whose ids and draws are those of a core that was given no randomness. */
class Unseeded extends SubAgentManager {
  static random(): (bytes: Uint8Array) => void {
    return (bytes) => bytes.fill(0);
  }
}

type Speaker = { readonly scope: SubAgentManager | Session | Run; readonly name: string };

const SETTINGS = ['set', 'budget', 'task-budget', 'on-limit'];

export class Stage {
  readonly #cast = new Cast();
  readonly #log = new Log();
  readonly #waiting = new Waiting(this.#cast, this.#log);
  readonly #settings: SubAgentManagerOptions = {};
  #made: SubAgentManager | undefined;
  #shownAt = 0;

  readonly #named = new Map<string, Named>();
  readonly #sessions = new Map<string, Session>();
  readonly #deliveries = new Map<string, string>();
  /** Host functions that were called, by id and number of the run. */
  readonly #runs = new Map<string, { run: Run; end: Deferred<HostResult> }>();

  /** What a command line makes, or an error where TypeScript can't play it. */
  async perform(text: string): Promise<Line[]> {
    const command = new Command(text);
    if (SETTINGS.includes(command.verb) && this.#made === undefined) return this.#choose(command);
    const read = this.#read(command);
    if (read !== undefined) {
      command.expectRead();
      return Array.isArray(read) ? read : [read];
    }
    const at = this.#cast.now();
    this.#cast.speaking = '';
    this.#cast.capping = '';
    this.#cast.closes = false;
    let answer: Line | undefined;
    try {
      answer = await this.#do(command);
    } catch (error) {
      if (!(error instanceof SubAgentError)) throw error;
      answer = refusalOf(error);
    }
    command.expectRead();
    await flush();
    const lines = this.#log.take();
    return this.#timed(answer === undefined ? lines : [{ at, line: answer }, ...lines]);
  }

  dispose(): void {
    this.#made?.dispose();
  }

  #timed(lines: readonly { at: number; line: Line }[]): Line[] {
    return lines.flatMap(({ at, line }) => {
      if (at === this.#shownAt) return [line];
      this.#shownAt = at;
      return [`@${at}`, line];
    });
  }

  // ─── the manager and its settings ───────────────────────────────────────────────────────────────

  get #manager(): SubAgentManager {
    if (this.#made === undefined) {
      const onWake = (session: SubAgentManager | Session): void =>
        this.#log.add('settled', this.#cast.now(), () => `> wake ${'key' in session ? session.key : 'session'}`);
      // What is reported beside events is no part of a transcript.
      const onError = (): void => undefined;
      const manager = new Unseeded({ onError, ...this.#settings, spawnSubAgent: (_, run) => this.#start(run), onWake });
      // Transcripts have no agent that is woken, and so no time in which it takes its notices (tests/package/api/waking.test.ts).
      const inside = runtimeOf<Inside>(manager);
      const commandIf = inside.commandIf.bind(inside);
      inside.commandIf = (actor, command) => (command.type === 'woken' ? undefined : commandIf(actor, command));
      manager.subscribe((event) => this.#heard(event));
      // No event says that a wait began: whoever keeps the promises knows.
      const { waits } = runtimeOf<Inside>(manager);
      const keep = waits.keep.bind(waits);
      waits.keep = (...waiting) => {
        this.#cast.waitOpened();
        keep(...waiting);
      };
      this.#made = manager;
    }
    return this.#made;
  }

  get #inside(): Inside {
    return runtimeOf(this.#manager);
  }

  /** In whose name a manager, session or run speaks: it asks the core whether it may spawn, and that is watched. */
  #actorOf(scope: { canSpawn(): boolean }): Actor {
    let actor: Actor | undefined;
    const core = coreOf(this.#manager) as unknown as { canSpawn(...given: [number, number, number, number]): boolean };
    core.canSpawn = (index, generation, run) => {
      actor = { index, generation, run };
      return true;
    };
    scope.canSpawn();
    Reflect.deleteProperty(core, 'canSpawn');
    return actor as Actor;
  }

  /** Settings at the beginning are the constructor's options. */
  #choose(command: Command): Line[] {
    Object.assign(this.#settings, settingsOf(command));
    return command.verb === 'budget' ? [{ pattern: /^cap_set manager cap=/, kind: 'cap of the constructor' }] : [];
  }

  /** The package takes settings once, in the constructor. Later ones go where the constructor sends its own. */
  #set(command: Command): void {
    const { budget = {}, taskBudget, onLimit, ...limits } = settingsOf(command);
    const settings = { limits: Object.entries(limits), budget, taskBudget, onLimit };
    this.#inside.mutateOrThrow((core) => core.configure(Date.now(), settings));
    // The constructor's way sets the cap anew in any case.
    if (command.verb !== 'budget') this.#log.drop('cap_set');
  }

  // ─── what comes of it ───────────────────────────────────────────────────────────────────────────

  /** The host function: it is called, and ends when the transcript says so. */
  #start(run: Run): Promise<HostResult> {
    const { taskId, run: number, signal } = run;
    const end = deferred<HostResult>();
    this.#runs.set(`${taskId}#${number}`, { run, end });
    const tell = (line: (name: string) => string): void =>
      this.#log.add('calls', this.#cast.now(), () => line(`${this.#cast.nameOf(taskId)}#${number}`));
    tell((name) => `> start ${name}`);
    signal.addEventListener('abort', () => {
      const { reason } = (signal.reason as SubAgentError).details;
      tell((name) => `> abort ${name} ${reason}`);
    });
    return end.promise;
  }

  #heard(event: SubAgentEvent): void {
    this.#cast.hear(event);
    this.#log.add('events', event.at - this.#cast.origin, () => this.#cast.lineOf(event), event.type);
  }

  // ─── reading ────────────────────────────────────────────────────────────────────────────────────

  #read(command: Command): Line | Line[] | undefined {
    switch (command.verb) {
      case 'peek':
        return this.#speaker(command)
          .scope.inbox.peek()
          .map((notice) => this.#lineOf(notice));
      case 'info': {
        const { active, queued, parked, abandoned } = this.#manager.getConcurrencyInfo();
        return `active=${active} queued=${queued} parked=${parked} abandoned=${abandoned}`;
      }
      case 'can-spawn':
        return `canSpawn=${this.#speaker(command).scope.canSpawn()}`;
      case 'look':
        return this.#look(command.word(0));
      case 'read':
        return this.#readPage(command);
      default:
        return undefined;
    }
  }

  #lineOf({ taskId, run, status, output, delivery, attempt, reroutedFrom }: Notice): Line {
    const from = reroutedFrom === null ? '' : ` reroutedFrom=${this.#cast.nameOf(reroutedFrom)}`;
    return `${this.#cast.nameOf(taskId)}#${run} ${status} output="${output}" delivery=${delivery} attempt=${attempt}${from}`;
  }

  /** A notice's id is known from a look at all inboxes; one that is acknowledged was seen before. */
  #deliveryId(taskId: string, run: number): string {
    const scopes = [this.#manager, ...this.#sessions.values(), ...[...this.#runs.values()].map(({ run }) => run)];
    for (const scope of scopes) {
      try {
        for (const notice of scope.inbox.peek()) this.#deliveries.set(`${notice.taskId}#${notice.run}`, notice.deliveryId);
      } catch (error) {
        // A run that has ended has no inbox any more.
        if (!(error instanceof SubAgentError && error.code === 'actor_ended')) throw error;
      }
    }
    return this.#deliveries.get(`${taskId}#${run}`) ?? 'none';
  }

  #look(name: string): Line {
    if (name === 'manager') return accountOf(name, this.#manager.budget());
    // The program's own session has no name in the package.
    if (name === 'session')
      return accountOf(
        name,
        this.#inside.view((core) => core.budget(DEFAULT_SESSION.index), readBudgetAccount),
      );
    const session = this.#sessions.get(name);
    if (session !== undefined) return accountOf(name, this.#manager.budget(session));
    try {
      return lookOf(name, this.#manager.get(this.#task(name).ref));
    } catch (error) {
      if (error instanceof SubAgentError && error.code === 'forgotten') return `${name} is forgotten`;
      throw error;
    }
  }

  #readPage(command: Command): Line {
    const name = command.word(0);
    const [offset, limit] = [command.number('offset') ?? 0, command.number('limit') ?? Number.POSITIVE_INFINITY];
    const { scope } = this.#speaker(command);
    try {
      const page = scope.readResult(name === 'session' ? '' : this.#task(name).ref, { offset, limit });
      const next = page.nextOffset === null ? '' : ` next=${page.nextOffset}`;
      return `"${page.text}" at=${page.offset}${next} total=${page.total}${page.cut ? ' cut' : ''}`;
    } catch (error) {
      if (!(error instanceof SubAgentError)) throw error;
      return `! ${error.code}`;
    }
  }

  // ─── who is meant ───────────────────────────────────────────────────────────────────────────────

  #task(name: string): Named {
    const named = this.#named.get(name);
    if (named === undefined) throw new Error(`nothing is called ${name}`);
    return named;
  }

  /** A task's run, as its host function got it: the last one, unless `run=` says another. */
  #run(command: Command, name: string): { run: Run; end: Deferred<HostResult> } {
    const { taskId } = this.#task(name).ref;
    const number = command.number('run') ?? this.#manager.get(taskId).run;
    const found = this.#runs.get(`${taskId}#${number}`);
    if (found === undefined) throw new Error(`the host function of ${name}#${number} was not called, so TypeScript can't speak for it`);
    return found;
  }

  /** The program speaks for the default session: the package has no other object for it. */
  #speaker(command: Command): Speaker {
    const name = command.option('by');
    if (name === undefined || name === 'session') return { scope: this.#manager, name: '' };
    const session = this.#sessions.get(name);
    if (session !== undefined) {
      this.#cast.speaking = name;
      return { scope: session, name };
    }
    const { run } = this.#run(command, name);
    return { scope: run, name: `${name}#${run.run}` };
  }

  #name(name: string, ref: Named['ref'], by: string): void {
    this.#named.set(name, { ref, by });
    this.#cast.call(ref.taskId, name);
  }

  // ─── the commands ───────────────────────────────────────────────────────────────────────────────

  async #do(command: Command): Promise<Line | undefined> {
    const target = (): Named['ref'] => this.#task(command.word(0)).ref;
    const manager = this.#manager;
    switch (command.verb) {
      case 'tick':
        return this.#tick(numberOf(command.word(0)));
      case 'set':
      case 'budget':
      case 'task-budget':
      case 'on-limit':
        this.#set(command);
        return undefined;
      case 'prices':
        manager.setLimits({ prices: pricesOf(command) });
        return undefined;
      case 'open-session':
        this.#sessions.set(command.word(0), manager.session(command.word(0)));
        return undefined;
      case 'spawn': {
        const { scope, name } = this.#speaker(command);
        const called = command.word(0);
        const answers = command.option('answers');
        if (answers !== undefined) {
          await this.#spawnByModel(command, called, answers);
          return undefined;
        }
        const handle = scope.spawn(spawnOf(command));
        if (this.#cast.knows(handle.taskId)) return `= again ${this.#cast.nameOf(handle.taskId)}`;
        this.#name(called, handle, name);
        return undefined;
      }
      case 'rate-limited':
        this.#run(command, command.word(0)).run.reportRateLimit({ retryAfterMs: command.number('retryAfterMs') ?? 0 });
        return undefined;
      case 'release-result':
        this.#speaker(command).scope.forget(target(), { resultOnly: true });
        return undefined;
      case 'session-budget':
        this.#capSession(command);
        return undefined;
      case 'settle':
        this.#settle(command);
        return undefined;
      case 'turn':
        return this.#turn(command);
      case 'tool':
      case 'tool-done':
      case 'rule':
      case 'count':
      case 'todos':
      case 'await':
      case 'approved':
      case 'main-turn':
      case 'main-end':
        return this.#policy(command);
      case 'block-tools':
        this.#inside.performIf(PROGRAM, { type: 'block_tools', tools: command.rest() });
        return undefined;
      case 'report': {
        const { tokens, costUsd, turns } = readings(command);
        if (turns !== undefined) throw new Error("a run of TypeScript's reports no turns");
        const said = {
          ...tokensOf(command),
          tokens,
          costUsd,
          contextTokens: command.number('contextTokens'),
          message: command.option('message'),
        };
        const name = command.word(0);
        const session = this.#sessions.get(name);
        if (session !== undefined) this.#cast.speaking = name;
        const scope = name === 'session' ? manager : (session ?? this.#run(command, name).run);
        scope.report(given(said));
        return undefined;
      }
      case 'wait':
        return this.#wait(command);
      case 'end-wait': {
        const wait = this.#cast.waits.find(({ name }) => name === command.word(0));
        if (wait?.end === undefined) throw new Error(`there is no wait ${command.word(0)} that could be aborted`);
        wait.end();
        return undefined;
      }
      case 'cancel': {
        const { scope } = this.#speaker(command);
        const graceMs = command.number('graceMs');
        return this.#waiting.until(() => scope.cancel(target(), given({ graceMs })).then(() => false));
      }
      case 'host': {
        const task = this.#inside.lookup.resolve(PROGRAM, (target() as Handle).taskId);
        const { run } = manager.get(target());
        const called = command.says('called');
        if (!called) command.says('awaited');
        this.#inside.performIf(PROGRAM, { type: 'note_host', task, run, called });
        return undefined;
      }
      case 'abort-call': {
        const { lookup, waits, readers } = this.#inside;
        const actor = { ...DEFAULT_SESSION, generation: 0 };
        const reads = command.says('reads');
        // The stage itself has `onWake`, so that it is read in any case.
        readers.isRead = () => reads;
        const task = lookup.resolve({ index: 0, generation: 0, run: 0 }, (target() as { taskId: string }).taskId);
        const call = { wait: undefined, isAborted: false, actor };
        return this.#waiting.until(() => waits.abortCall(call, task).then(() => false));
      }
      case 'background':
        await this.#speaker(command).scope.moveToBackground(target());
        return undefined;
      case 'take-run':
        await this.#takeRun(manager.drive(target()));
        return undefined;
      case 'close': {
        const { scope } = this.#speaker(command);
        const graceMs = command.number('graceMs');
        return this.#waiting.until(() => scope.close(target(), given({ graceMs })).then(() => false));
      }
      case 'close-session': {
        const session = this.#sessions.get(command.word(0));
        if (session === undefined) throw new Error(`there is no session ${command.word(0)}`);
        const graceMs = command.number('graceMs');
        this.#cast.closing = session.key;
        this.#cast.closes = true;
        return this.#waiting.until(() => manager.closeSession(session.key, given({ graceMs })).then(() => false));
      }
      case 'resume':
        await this.#speaker(command).scope.resume(target());
        return undefined;
      case 'lease': {
        const options = given({ max: command.number('max'), leaseMs: command.number('leaseMs') });
        return `= ${this.#speaker(command).scope.inbox.lease(options).length} notices`;
      }
      case 'ack': {
        const { taskId } = target();
        const run = command.number('run') ?? manager.get(taskId).run;
        const acked = this.#speaker(command).scope.inbox.ack(this.#deliveryId(taskId, run));
        return `= ${acked ? 'acked' : 'not acked'}`;
      }
      case 'send': {
        const { scope } = this.#speaker(command);
        const mode = command.says('interrupt') ? 'interrupt' : command.says('steer') ? 'steer' : 'queue';
        const { receipt, taskId } = scope.send(this.#target(command), command.text ?? '', { mode });
        if (taskId !== manager.get(taskId).taskId) throw new Error('the receipt names another task');
        return `= ${receipt}`;
      }
      case 'interrupt': {
        const { scope } = this.#speaker(command);
        const graceMs = command.number('graceMs');
        return this.#waiting.until(() => scope.interrupt(this.#target(command), given({ graceMs })).then(() => false));
      }
      case 'ask':
        return this.#ask(command);
      case 'tools': {
        const names = (command.text ?? '').split(' ');
        command.word(0);
        this.#inside.perform(PROGRAM, { type: 'set_tools', session: DEFAULT_SESSION, tools: names });
        return undefined;
      }
      case 'forget':
        this.#speaker(command).scope.forget(target());
        return undefined;
      case 'add-budget':
        this.#addBudget(command);
        return undefined;
      case 'drain':
        this.#waiting.drain(manager, command.number('timeoutMs'));
        return undefined;
      default:
        throw new Error(`there is no command \`${command.verb}\``);
    }
  }

  #addBudget(command: Command): void {
    const name = command.word(0);
    const session = this.#sessions.get(name);
    this.#cast.capping = session === undefined ? '' : name;
    this.#manager.addBudget(budgetOf(command), name === 'manager' ? undefined : (session ?? this.#task(name).ref));
  }

  /** The package caps a session when it opens it; this is the way that goes. */
  #capSession(command: Command): void {
    const { tokens = Number.POSITIVE_INFINITY, costUsd = Number.POSITIVE_INFINITY, turns = Number.POSITIVE_INFINITY } = readings(command);
    const name = command.word(0);
    const session = this.#sessions.get(name);
    const capped = (session && this.#actorOf(session)) ?? this.#inside.lookup.resolve(PROGRAM, this.#task(name).ref.taskId);
    this.#cast.capping = session === undefined ? '' : name;
    this.#inside.perform(PROGRAM, { type: 'set_session_budget', session: capped, cap: { tokens, costUsd, turns } });
  }

  /** The task that a command names; none where the one that changed last is meant. */
  #target(command: Command): Named['ref'] | undefined {
    const [name] = command.rest();
    return name === undefined ? undefined : this.#task(name).ref;
  }

  /** What a model spawns, by the tool: in the background, so that the call returns at once. */
  async #spawnByModel(command: Command, task: string, answers: string): Promise<void> {
    if (!command.says('background')) throw new Error("a model's call returns at once only for background work");
    const tool = this.#manager.createSubAgentTool(answers === 'no' ? { canAnswer: false } : {});
    const { details } = await tool.execute('call', { instructions: command.text ?? '', background: true });
    this.#name(task, { taskId: details.taskId }, '');
  }

  async #ask(command: Command): Promise<Line | undefined> {
    const name = command.word(0);
    const timeoutMs = command.number('timeoutMs');
    const { run } = this.#run(command, name);
    let answer: Line | undefined;
    const asking = run.ask(command.text ?? '', given({ timeoutMs }));
    const waits = this.#log.count('question_asked') > 0;
    const tell = (ended: AskAnswer): void => {
      const how = ended.answered ? `"${ended.answer}"` : ended.reason;
      if (!waits) answer = `= unanswered ${how}`;
      else this.#log.add('settled', this.#cast.now(), () => `> answer ${name}#${run.run} ${how}`);
    };
    asking.then(tell, (error: SubAgentError) => {
      if (error.code !== 'disposed') answer = refusalOf(error);
    });
    await flush();
    return answer;
  }

  /** What policies ask and answer goes to the core as the package's own gates send it. */
  #policy(command: Command): Line | undefined {
    const inside = this.#inside;
    const name = command.word(0);
    const session = this.#sessions.get(name);
    if (session !== undefined) this.#cast.speaking = name;
    const speaker = name === 'session' ? this.#manager : (session ?? this.#run(command, name).run);
    const actor = this.#actorOf(speaker);
    const refused = (reply: Reply | undefined): Line | undefined => (reply === undefined ? refusalOf(inside.refusal()) : undefined);
    switch (command.verb) {
      case 'tool':
        return refused(inside.performIf(actor, { type: 'begin_tool', name: command.word(1) }));
      case 'tool-done': {
        const reply = inside.performIf(actor, { type: 'end_tool', listens: command.says('listens') });
        return reply?.type === 'steered' && reply.texts.length > 0 ? `= steered ${reply.texts.join('|')}` : undefined;
      }
      case 'rule': {
        const [point, answer] = [command.word(1) as 'before_turn', command.word(2) as 'block'];
        const ruling = { point, answer, reason: 'policy', policy: 'p', text: command.text ?? '' } as const;
        return refused(inside.performIf(actor, { type: 'rule', ruling }));
      }
      case 'count': {
        const [limit, todos] = [command.number('limit') ?? Number.POSITIVE_INFINITY, command.says('todos')];
        const reply = inside.performIf(actor, { type: 'count', policy: command.word(1), limit, todos });
        if (reply === undefined) return refused(reply);
        return reply.type === 'counted' ? `= counted ${reply.count}` : '= exhausted';
      }
      case 'todos':
        inside.performIf(actor, { type: 'todos', open: command.number('open') ?? 0, todos: command.text ?? '' });
        return undefined;
      case 'await':
        return refused(inside.performIf(actor, { type: 'await_approval' }));
      case 'approved': {
        const reply = inside.performIf(actor, { type: 'approved', starting: command.says('starting') });
        return reply?.type === 'later' ? '= later' : refused(reply);
      }
      case 'main-turn': {
        const bound = (name: string): number => command.number(name) ?? Number.POSITIVE_INFINITY;
        const bounds = { turns: bound('maxTurns'), contextTokens: bound('maxContextTokens'), ms: bound('timeoutMs') };
        const reply = inside.perform(actor, { type: 'begin_main_turn', bounds });
        if (reply.type !== 'go') return `= stop ${(reply as { reason: string }).reason}`;
        return `= go turn=${reply.turn}${reply.wrapUp === undefined ? '' : ` wrapUp=${reply.wrapUp}`}`;
      }
      default:
        inside.performIf(actor, { type: 'end_main' });
        return undefined;
    }
  }

  async #tick(ms: number): Promise<undefined> {
    // A timer takes a millisecond at least; what is due without one is met by asking.
    if (ms === 0) this.#inside.mutate((core) => core.tick(Date.now()));
    await pass(ms);
  }

  /** The program takes up a run, and ends it as a host function does; what is refused at once throws. */
  async #takeRun(handle: DrivenHandle<unknown, Run>): Promise<void> {
    let refusal: unknown;
    const begun = (run: Run): void => {
      if (this.#runs.has(`${run.taskId}#${run.run}`)) return;
      const ended = this.#start(run);
      ended.then(
        (result) => handle.complete(result),
        (error: unknown) => handle.fail(error),
      );
    };
    handle.start().then(begun, (error: unknown) => {
      refusal = error;
    });
    for (let round = 0; round < 10; round++) await null;
    if (refusal !== undefined) throw refusal;
  }

  #settle(command: Command): void {
    const { end } = this.#run(command, command.word(0));
    const error = command.option('error');
    const { tokens, costUsd: cost, turns } = readings(command);
    const how = command.word(1);
    if (how === 'threw') {
      if (error === undefined) throw new Error('what a host function throws has a text: give error=');
      end.reject(error);
      return;
    }
    const status = { ok: 'completed', failed: 'failed', incomplete: 'incomplete', cancelled: 'cancelled', timed_out: 'timed_out' }[how];
    // `invalid` is not among them: the text of its error is the package's own.
    if (status === undefined) throw new Error(`no host function of TypeScript's ends \`${how}\``);
    end.resolve({ output: command.text ?? '', status, usage: given({ ...tokensOf(command), tokens, cost, turns }), ...given({ error }) });
  }

  async #turn(command: Command): Promise<Line> {
    const [tokens, costUsd] = [command.number('estimate'), dollarsOf(command, 'nanos')];
    let permit: TurnPermit | undefined;
    let error: unknown;
    this.#run(command, command.word(0))
      .run.beforeTurn(given({ tokens, costUsd, whole: command.number('whole') === 1 || undefined }))
      .then(
        (answer) => {
          permit = answer;
        },
        (refused: unknown) => {
          error = refused;
        },
      );
    await flush();
    if (error !== undefined) throw error;
    // The package asks again by itself: its answer would come with the batch that made it possible.
    if (permit === undefined) throw new Error('a turn that has to wait is not played in TypeScript yet');
    if (permit.go) {
      // Notices are reported by the facts of their leases; their text is the package's.
      const said = permit.inject?.filter((text) => !text.includes('<subagent-output')) ?? [];
      const inject = said.length === 0 ? '' : ` inject=${said.map((text) => `"${text}"`).join(',')}`;
      return `= go turn=${permit.turn}${permit.wrapUp === true ? ` wrapUp=${permit.reason}` : ''}${inject}`;
    }
    return permit.reason === 'actor_ended' ? '! actor_ended' : `= stop ${permit.reason}`;
  }

  #wait(command: Command): Promise<Line | undefined> {
    const { scope, name } = this.#speaker(command);
    const [any, all, idle] = [command.says('any'), command.says('all'), command.says('idle')];
    const names = command.rest();
    const timeoutMs = command.number('timeoutMs') ?? Number.POSITIVE_INFINITY;
    const isOwn = names[0] === 'own';
    const targets = isOwn ? [] : names.map((target) => this.#task(target));
    const [first] = targets;
    const end = new AbortController();
    const { signal } = end;
    const alone = targets.length === 1 && !any && !all && !idle && first?.by === name;
    // Each of the two ways to wait has its transcripts: the handle's, which gives the run's result, is for one.
    if (alone) return this.#waiting.until(() => this.#waiting.untilEnd(first.ref as Handle, timeoutMs, signal), end);
    const refs = isOwn ? undefined : targets.map(({ ref }) => ref);
    return this.#waiting.until(async () => {
      const { timedOut, needsInput } = await scope.wait(refs, {
        mode: any ? 'any' : 'all',
        until: idle ? 'idle' : 'ended',
        timeoutMs,
        signal,
      });
      if (needsInput.length > 0) throw new SubAgentError('needs_input', 'one of them asks');
      return timedOut;
    }, end);
  }
}
