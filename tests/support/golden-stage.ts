// The stage on which a transcript plays: a manager of the built package, host functions whose ends the
// transcript says, virtual time, the names. Owns what each verb means in TypeScript, as `golden/stage.rs`
// does for the core. Where the package has no such operation it says so below.

import {
  type Handle,
  type HostResult,
  type Run,
  type Session,
  SubAgentError,
  type SubAgentEvent,
  SubAgentManager,
  type SubAgentManagerOptions,
  type TurnPermit,
} from '../../dist/index.js';
import { Cast } from './golden-cast.js';
import { accountOf, type Line, lookOf, refusalOf } from './golden-lines.js';
import { Log } from './golden-log.js';
import { budgetOf, readings, settingsOf, spawnOf } from './golden-options.js';
import { Command, given, numberOf } from './golden-transcript.js';
import { Waiting } from './golden-waiting.js';
import { type Deferred, deferred } from './hosts.js';
import { flush, pass } from './virtual-time.js';

/** Parts behind a manager that no public operation reaches. */
interface Inside {
  readonly runtime: {
    ask(body: (core: { configure(now: number, settings: object): boolean }) => boolean): void;
    call(body: (core: { tick(now: number): void }) => void): void;
  };
}

interface Named {
  readonly ref: Handle | { readonly taskId: string };
  /** Who spawned it: `a#1`, a session's name, or nothing for the program. */
  readonly by: string;
  readonly manual: boolean;
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
  /** Host functions that were called, by id and number of the run. */
  readonly #runs = new Map<string, { run: Run; end: Deferred<HostResult> }>();

  /** What a command line makes, or an error where TypeScript can't play it. */
  async perform(text: string): Promise<Line[]> {
    const command = new Command(text);
    if (SETTINGS.includes(command.verb) && this.#made === undefined) return this.#choose(command);
    const read = this.#read(command);
    if (read !== undefined) {
      command.expectRead();
      return [read];
    }
    const at = this.#cast.now();
    this.#cast.speaking = '';
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
      const manager = new SubAgentManager({ ...this.#settings, spawnSubAgent: (_, run) => this.#start(run) });
      manager.subscribe((event) => this.#heard(event));
      this.#made = manager;
    }
    return this.#made;
  }

  get #inside(): Inside['runtime'] {
    return (this.#manager as unknown as Inside).runtime;
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
    this.#inside.ask((core) => core.configure(Date.now(), settings));
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

  #read(command: Command): Line | undefined {
    switch (command.verb) {
      case 'info': {
        const { active, queued, parked, abandoned } = this.#manager.getConcurrencyInfo();
        return `active=${active} queued=${queued} parked=${parked} abandoned=${abandoned}`;
      }
      case 'can-spawn':
        return `canSpawn=${this.#speaker(command).scope.canSpawn()}`;
      case 'look':
        return this.#look(command.word(0));
      default:
        return undefined;
    }
  }

  #look(name: string): Line {
    if (name === 'manager') return accountOf(this.#manager.stats());
    if (name === 'session' || this.#sessions.has(name)) return { pattern: new RegExp(`^${name} spent=`), kind: 'account of a session' };
    try {
      return lookOf(name, this.#manager.get(this.#task(name).ref));
    } catch (error) {
      if (error instanceof SubAgentError && error.code === 'forgotten') return `${name} is forgotten`;
      throw error;
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

  #name(name: string, ref: Named['ref'], by: string, manual = false): void {
    this.#named.set(name, { ref, by, manual });
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
      case 'open-session':
        this.#sessions.set(command.word(0), manager.session(command.word(0)));
        return undefined;
      case 'spawn': {
        const { scope, name } = this.#speaker(command);
        this.#name(command.word(0), scope.spawn(spawnOf(command)), name);
        return undefined;
      }
      case 'settle':
        if (this.#task(command.word(0)).manual) this.#markEnded(command);
        else this.#settle(command);
        return undefined;
      case 'turn':
        return this.#turn(command);
      case 'report': {
        const { tokens, costUsd, turns } = readings(command);
        if (turns !== undefined) throw new Error("a run of TypeScript's reports no turns");
        const said = { tokens, costUsd, contextTokens: command.number('contextTokens'), message: command.option('message') };
        this.#run(command, command.word(0)).run.report(given(said));
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
      case 'send':
        this.#speaker(command).scope.send(target(), command.text ?? '');
        return undefined;
      case 'forget':
        this.#speaker(command).scope.forget(target());
        return undefined;
      case 'add-budget':
        manager.addBudget(budgetOf(command), command.word(0) === 'manager' ? undefined : target());
        return undefined;
      case 'drain':
        this.#waiting.drain(manager, command.number('timeoutMs'));
        return undefined;
      case 'create': {
        const options = given({ tokenBudget: command.number('tokens'), maxTurns: command.number('maxTurns') });
        this.#name(command.word(0), manager.createTask({ ...options, goal: command.text ?? '' }), '', true);
        return undefined;
      }
      case 'mark-running':
        manager.markRunning(target());
        return undefined;
      case 'mark-ended':
        this.#markEnded(command);
        return undefined;
      case 'allocate':
        return `= ${manager.allocateBudget(numberOf(command.word(0)))} tokens`;
      case 'release':
        manager.releaseBudget(numberOf(command.word(0)));
        return { pattern: /^= \d+ tokens$/, kind: 'answer to release' };
      default:
        throw new Error(`there is no command \`${command.verb}\``);
    }
  }

  async #tick(ms: number): Promise<undefined> {
    // A timer takes a millisecond at least; what is due without one is met by asking.
    if (ms === 0) this.#inside.call((core) => core.tick(Date.now()));
    await pass(ms);
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
    const status = { ok: 'completed', failed: 'failed', cancelled: 'cancelled', timed_out: 'timed_out' }[how];
    // `invalid` is not among them: the text of its error is the package's own.
    if (status === undefined) throw new Error(`no host function of TypeScript's ends \`${how}\``);
    end.resolve({ output: command.text ?? '', status, usage: given({ tokens, cost, turns }), ...given({ error }) });
  }

  #markEnded(command: Command): void {
    const { ref } = this.#task(command.word(0));
    const { tokens: tokensUsed, costUsd, turns: stepsTaken } = readings(command);
    const options = given({ tokensUsed, costUsd, stepsTaken });
    const how = command.word(1);
    if (how === 'failed') this.#manager.markFailed(ref, command.option('error') ?? '', options);
    else if (how !== 'ok') throw new Error(`no manual task ends \`${how}\` in TypeScript`);
    else {
      if (tokensUsed === undefined || stepsTaken === undefined) this.#cast.completed.add(ref.taskId);
      this.#manager.markCompleted(ref, command.text ?? '', options);
    }
  }

  async #turn(command: Command): Promise<Line> {
    const tokens = command.number('estimate');
    let permit: TurnPermit | undefined;
    let error: unknown;
    this.#run(command, command.word(0))
      .run.beforeTurn(given({ tokens }))
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
    if (permit.go) return `= go turn=${permit.turn}${permit.wrapUp === true ? ` wrapUp=${permit.reason}` : ''}`;
    return permit.reason === 'actor_ended' ? '! actor_ended' : `= stop ${permit.reason}`;
  }

  #wait(command: Command): Promise<Line | undefined> {
    const { scope, name } = this.#speaker(command);
    const [any, all] = [command.says('any'), command.says('all')];
    const names = command.rest();
    const timeoutMs = command.number('timeoutMs') ?? Number.POSITIVE_INFINITY;
    const targets = names.map((target) => this.#task(target));
    const [first] = targets;
    const end = new AbortController();
    const { signal } = end;
    const alone = targets.length === 1 && !any && !all && first?.by === name && !first.manual;
    // Each of the two ways to wait has its transcripts: the handle's, which gives the run's result, is for one.
    if (alone) return this.#waiting.until(() => this.#waiting.untilEnd(first.ref as Handle, timeoutMs, signal), end);
    const refs = targets.map(({ ref }) => ref);
    return this.#waiting.until(
      () => scope.wait(refs, { mode: any ? 'any' : 'all', timeoutMs, signal }).then(({ timedOut }) => timedOut),
      end,
    );
  }
}
