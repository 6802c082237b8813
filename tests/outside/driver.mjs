// The package's side of a life: does an operation through the public API and keeps what could be seen of it.
// Its host functions do nothing by themselves: they return when an operation says so.

import * as clock from './clock.mjs';
import { FORBIDDEN } from './model/policies.mjs';
import { callAs } from './said.mjs';

/** An acknowledgement of what nobody could see: there is nothing to compare. */
export const UNSEEN = 'unseen';

export class Driver {
  /** What no process takes with it: ids by name and names by id. */
  ids = new Map();
  names = new Map();
  /** How long the attempt after a run waits, by the run's name. */
  waits = new Map();
  errors = [];
  /** The sub-agents that the program drives. */
  isDriven = new Set();
  /** Models that were reported to this process to have no price. */
  unpriced = [];

  /** @param disk where the manager keeps its journal, if it does */
  constructor(SubAgentManager, options, disk) {
    Object.assign(this, { SubAgentManager, options, disk });
    if (disk) clock.waitFor(() => disk.pending === 0);
    else this.#begin(new SubAgentManager(this.#given()));
  }

  #begin(manager) {
    this.manager = manager;
    this.hosts = new Map();
    this.handles = new Map();
    this.scopes = new Map([['p', manager]]);
    this.promises = new Map();
    this.calls = [];
    this.aborts = [];
    /** Runs that the program carries out, as they began. */
    this.driven = [];
    this.unpriced = [];
    manager.subscribe((event) => {
      if (event.type === 'run_started' && this.isDriven.has(this.nameOf(event.taskId)))
        this.driven.push(`${this.nameOf(event.taskId)}#${event.run}`);
      // What is queued again without having failed waits for nothing.
      if (event.type !== 'run_retried' || event.until === event.at) return;
      this.waits.set(`${this.nameOf(event.taskId)}#${event.run}`, event.until - event.at);
    });
  }

  /**
   * @param outlives whether its hosts are other processes, which go on where this one ends
   * @param agents the names of the definitions that this process has; all without them
   */
  #given(outlives, agents) {
    const host = (_params, run) => this.#host(run);
    const { hasPolicies, isDriven: _, ...options } = this.options;
    const defined = Object.entries(options.agents ?? {}).filter(([name]) => agents?.includes(name) ?? true);
    const said = new Set();
    /** Each manager says once of a word that has no meaning, and of a usage that is none. */
    const isExpected = ({ code, message, details }) => {
      if (code === 'no_price') return this.unpriced.push(details.modelId ?? null);
      if (code === 'abandoned_limit' || code === 'stalled' || code === 'cost_unknown') return true;
      if (code === 'invalid_argument' && message.includes('in a report of a main agent')) return true;
      return code === 'invalid_argument' && /^(status|usage)$/.test(details.argument) && !said.has(message) && said.add(message);
    };
    return {
      ...options,
      agents: Object.fromEntries(defined),
      ...(hasPolicies && { policies: { main: [this.#guard], subAgents: [this.#guard, this.#judge] } }),
      onError: (error) => isExpected(error) || this.errors.push(`onError: ${error?.message ?? error}`),
      spawnSubAgent: outlives ? Object.assign(host, { [Symbol.for('subagents.outlives')]: true }) : host,
    };
  }

  /** Refuses to delegate what is forbidden. */
  #guard = {
    name: 'guard',
    beforeSpawn: ({ task }) => (task?.includes(FORBIDDEN) ? { action: 'block', reason: 'forbidden' } : undefined),
  };

  /** Answers at a turn what the operation says. */
  #judge = {
    name: 'judge',
    beforeTurn: () => {
      if (this.ruling === undefined) return undefined;
      const { action, text } = this.ruling;
      return action === 'inject' ? { action, text } : action === 'block' ? { action, reason: text } : { action, report: text };
    },
  };

  /** A process begins, with what the last one has kept, and registers these sessions at once. */
  async open(settings, sessions = [], outlives = false, agents = undefined) {
    this.#begin(await this.SubAgentManager.open({ ...this.#given(outlives, agents), ...settings, store: this.disk.next() }));
    this.missing = this.manager.restored.missing;
    for (const key of sessions) this.session({ key });
    await clock.advance(1);
  }

  /** The process is gone: its functions never return, its promises never settle. */
  async kill(downMs) {
    await this.disk.kill();
    clock.sleep(downMs);
  }

  /** What no process knows any more. */
  dropLost(isLost) {
    for (const [name, id] of this.ids) {
      if (!isLost(name)) continue;
      this.ids.delete(name);
      this.names.delete(id);
    }
  }

  #host(run) {
    const name = `${run.label}#${run.run}`;
    this.calls.push(callAs(`${name} ${run.prompt}`, run.checkpointed, run.previousError, run.saved));
    this.names.set(run.taskId, run.label);
    run.signal.addEventListener('abort', () => this.aborts.push(name));
    return new Promise((resolve, reject) => {
      this.hosts.set(name, { run, resolve, reject });
      this.scopes.set(`r:${name}`, run);
    });
  }

  /** Does one operation; gives `{ value }`, or `{ code }` where it threw. */
  async step(operation) {
    let result;
    try {
      result = { value: await this[operation.do](operation) };
    } catch (error) {
      if (error?.name !== 'SubAgentError') throw error;
      result = { code: error.code, message: error.message };
    }
    await clock.settle();
    return result;
  }

  nameOf(id) {
    return this.names.get(id) ?? id;
  }

  idOf(name) {
    return this.ids.get(name);
  }

  /** Keeps what a promise of the package comes to. */
  keep(name, promise, view) {
    const kept = { state: 'open' };
    this.promises.set(name, kept);
    promise.then(
      (value) => Object.assign(kept, kept.state === 'open' ? { state: 'told', value: view(value) } : { state: 'settled twice' }),
      (error) => Object.assign(kept, { state: 'refused', code: error?.code ?? String(error) }),
    );
  }

  // ── operations

  session({ key, cap }) {
    this.scopes.set(`s:${key}`, this.manager.session(key, cap ? { budget: cap } : {}));
  }

  spawn({ by, name, text, do: _, cap, ...given }) {
    const handle = this.scopes.get(by).spawn({ label: name, instructions: text, ...given, ...(cap ? { budget: cap } : {}) });
    const first = this.names.get(handle.taskId);
    if (given.drive) this.isDriven.add(name);
    if (first !== undefined && first !== name) return first;
    this.handles.set(name, handle);
    this.ids.set(name, handle.taskId);
    this.names.set(handle.taskId, name);
    return undefined;
  }

  /** The program takes a run up; from then on it is its host. */
  start({ target, promise }) {
    const handle = this.manager.drive(this.idOf(target));
    const begun = handle.start().then((run) => {
      const name = `${target}#${run.run}`;
      if (this.hosts.has(name)) return run;
      if (run.signal.aborted) this.aborts.push(name);
      else run.signal.addEventListener('abort', () => this.aborts.push(name));
      this.hosts.set(name, { run, resolve: (result) => handle.complete(result), reject: (error) => handle.fail(error) });
      this.scopes.set(`r:${name}`, run);
      return run;
    });
    this.keep(promise, begun, ({ run, prompt, checkpointed, previousError, saved }) =>
      callAs(`${target}#${run} ${prompt}`, checkpointed, previousError, saved),
    );
  }

  /** It is refused what it may do only once it has taken a run up. */
  early({ target, how }) {
    const handle = this.manager.drive(this.idOf(target));
    if (how === 'report') handle.report({ tokens: 7 });
    else if (how === 'fail') handle.fail(new Error('early'));
    else handle.complete('early');
  }

  checkpoint({ run, data, promise }) {
    this.keep(promise, this.hosts.get(run).run.checkpoint(data), () => ({}));
  }

  save({ run, data, promise }) {
    this.keep(promise, this.hosts.get(run).run.save(data), () => ({}));
  }

  /** All that has happened is kept. */
  async flush() {
    await this.manager.flush();
  }

  async compact() {
    await this.manager.flush();
    await this.manager.compact();
  }

  host({ run, threw, isNone, do: _, ...result }) {
    const host = this.hosts.get(run);
    if (threw) host.reject(new Error(threw));
    else host.resolve(isNone ? 7 : result);
  }

  turn({ run, promise, ruling, do: _, ...said }) {
    this.ruling = ruling;
    this.keep(promise, this.hosts.get(run).run.beforeTurn(said), (permit) => this.#permit(permit));
  }

  #permit(permit) {
    if (!permit.go) return { go: false, reason: permit.reason };
    const said = { go: true, turn: permit.turn, notices: [], steers: [], questions: [] };
    for (const text of permit.inject ?? []) {
      const notice = /^\[Subagent '(t\d+)'/.exec(text);
      const question = /^Subagent \['?(t\d+)'?\] .* asks:/.exec(text);
      if (notice) said.notices.push(notice[1]);
      else if (question) said.questions.push(question[1]);
      else said.steers.push(text);
    }
    said.notices.sort();
    if (permit.wrapUp) said.wrapUp = permit.reason;
    return said;
  }

  report({ run, do: _, ...said }) {
    this.hosts.get(run).run.report(said);
  }

  mainReport({ by, do: _, ...said }) {
    this.scopes.get(by).report(said);
  }

  setLimits({ do: _, ...limits }) {
    this.manager.setLimits(limits);
  }

  ask({ run, text, timeoutMs, promise }) {
    this.keep(promise, this.hosts.get(run).run.ask(text, { timeoutMs }), (answer) => answer);
  }

  rateLimit({ run, do: _, ...said }) {
    this.hosts.get(run).run.reportRateLimit(said);
  }

  wait({ by, targets, promise, mode, timeoutMs }) {
    const ids = targets.map((name) => this.idOf(name));
    this.keep(promise, this.scopes.get(by).wait(ids, { mode, timeoutMs }), (result) => ({
      completed: result.completed.map((task) => this.nameOf(task.taskId)),
      pending: result.pending.map((id) => this.nameOf(id)),
      unknown: result.unknown.map((id) => this.nameOf(id)),
      timedOut: result.timedOut,
      needsInput: result.needsInput.map(({ taskId, question }) => `${this.nameOf(taskId)}: ${question}`),
      moved: (result.movedToBackground ?? []).map((id) => this.nameOf(id)),
    }));
  }

  handleWait({ target, promise }) {
    this.keep(promise, this.handles.get(target).wait(), (result) =>
      result.backgrounded
        ? { run: result.run, backgrounded: true }
        : result.run === 0
          ? { run: 0, status: result.status }
          : { run: result.run, status: result.status, reason: result.stopReason, output: result.output },
    );
  }

  cancel({ by, target, promise, graceMs }) {
    this.keep(promise, this.scopes.get(by).cancel(this.idOf(target), { graceMs }), (snapshot) => ({
      status: snapshot.status,
      acked: snapshot.acked.length,
    }));
  }

  close({ by, target, promise, graceMs }) {
    this.keep(promise, this.scopes.get(by).close(this.idOf(target), { graceMs }), (snapshot) => ({
      status: snapshot.status,
      previous: snapshot.previousStatus,
      acked: snapshot.acked.length,
    }));
  }

  resume({ by, target, promise }) {
    this.keep(promise, this.scopes.get(by).resume(this.idOf(target)), ({ status }) => ({ status }));
  }

  moveToBackground({ by, target, promise }) {
    this.keep(promise, this.scopes.get(by).moveToBackground(this.idOf(target)), ({ background }) => ({ background }));
  }

  interrupt({ by, target, promise, graceMs }) {
    this.keep(promise, this.scopes.get(by).interrupt(this.idOf(target), { graceMs }), () => ({}));
  }

  cancelAll({ promise }) {
    this.keep(promise, this.manager.cancelAll(), () => ({}));
  }

  send({ by, target, text, mode }) {
    return this.scopes.get(by).send(this.idOf(target), text, { mode }).receipt;
  }

  forget({ by, target }) {
    this.scopes.get(by).forget(this.idOf(target));
  }

  lease({ by, max }) {
    return this.scopes
      .get(by)
      .inbox.lease({ max })
      .map((notice) => this.#endOf(notice));
  }

  ack({ by, notice: name }) {
    const id = this.delivery(name);
    return id === undefined ? UNSEEN : this.scopes.get(by).inbox.ack(id);
  }

  drain({ promise, timeoutMs }) {
    this.keep(promise, this.manager.drain({ timeoutMs }), (result) => ({ timedOut: result.timedOut }));
  }

  async pass({ ms }) {
    await clock.advance(ms);
  }

  // ── what can be seen

  #endOf(notice) {
    const end = `${this.nameOf(notice.taskId)}#${notice.run}`;
    this.deliveries.set(end, notice.deliveryId);
    return end;
  }

  deliveries = new Map();

  delivery(end) {
    return this.deliveries.get(end);
  }

  /** A sub-agent's snapshot, or `{ gone: code }`. */
  task(name) {
    try {
      return this.manager.get(this.idOf(name));
    } catch (error) {
      return { gone: error.code };
    }
  }

  /** The notices of an actor, or the code of the refusal. */
  inbox(by) {
    let notices;
    try {
      notices = this.scopes.get(by).inbox.peek();
    } catch (error) {
      return error.code;
    }
    return notices.map((notice) => ({
      end: this.#endOf(notice),
      delivery: notice.delivery,
      attempt: notice.attempt,
      from: notice.reroutedFrom === null ? null : this.nameOf(notice.reroutedFrom),
    }));
  }
}
