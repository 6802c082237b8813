// The reference model: what the package must do, written from the rules alone. Owns the whole state of one life and how
// an operation changes it. It gets nothing from the package but its choices where a rule leaves several open (`seenCalls`).

import { spawn } from './admission.mjs';
import { isNothing, units } from './amounts.mjs';
import { ask } from './asking.mjs';
import { isSpent, isStuck, mayHoldTurn } from './budget.mjs';
import { cancel, cancelAll, interrupt } from './cancels.mjs';
import { close, finishClose, resume } from './closing.mjs';
import { awaitsTime, reportRateLimit, staggers } from './cooldowns.mjs';
import { fireDue, nextMoment } from './deadlines.mjs';
import { defineAgents } from './definitions.mjs';
import { cancelUnneeded, drain, finishDrain, isLeft } from './drain.mjs';
import { awaitsProgram, start } from './driving.mjs';
import { endRun, hasToWaitFor, hostReturns } from './ends.mjs';
import { estimateOf } from './estimates.mjs';
import { mainReport } from './main-agent.mjs';
import { send } from './messages.mjs';
import { lease, nameOf, rerouteFrom, waiting } from './notices.mjs';
import { ruleTurn } from './policies.mjs';
import { answer, asked, open, Refused, refuse } from './promises.mjs';
import { noteLeft, setRates } from './rates.mjs';
import { isAbsent, missing, registerAgain, reopen } from './restart.mjs';
import { redraw } from './retry.mjs';
import { abandonedHosts, mayStart, priorityOf, pump, reenter, slotsHeld, unpark } from './slots.mjs';
import { actorOf, below, hasEnded, isBelow, lastRun, newSession, openRun, reaches, spentNothing } from './tree.mjs';
import { askTurn, report } from './turns.mjs';
import { moveToBackground, openWait, returnWaits, stillWaits, tellAll } from './waits.mjs';

export class Model {
  now = 0;
  /** Which process it is; a journal outlives them. */
  process = 1;
  /** What becomes of what it has in flight when a drain has to stop it. */
  onHostLost = 'fail';
  changes = 0;
  noticeOrder = 0;
  sessions = new Map();
  tasks = new Map();
  queue = [];
  reentries = [];
  waits = [];
  /** Waits that are over since the step began. */
  tellings = [];
  /** Stops that are over since the step began. */
  told = [];
  /** Turns that begin when the step is done. */
  late = [];
  stops = [];
  notices = [];
  ended = [];
  promises = new Map();
  calls = [];
  /** Runs that began in this step. */
  begun = [];
  /** By how many starts each parent with queued work is behind which other. */
  passes = new Map();
  aborts = [];
  complaints = [];
  seenCalls = [];
  draining = undefined;
  /** What was spent, by agent and model. */
  costs = new Map();
  /** Models that turned out to have no price, and those of them that were reported to this process. */
  unpriced = new Set();
  toldUnpriced = [];
  /** Until when each rate limit cools down. */
  cooldowns = new Map();
  /** What has been used of the rate of each key. */
  used = new Map();
  /** What turns of each key have taken lately. */
  taken = new Map();
  /** When something last started or came back. */
  lastStart = Number.NEGATIVE_INFINITY;
  /** How many starts are still to be apart since a cooldown was over. */
  apart = 0;
  /** Promises of stops whose asking run has ended since. */
  loose = new Set();

  /** @param isStored whether it keeps a journal, for another process to go on */
  constructor(options, isStored = false) {
    this.options = options;
    this.isStored = isStored;
    this.taskCap = units(options.taskBudget, Number.POSITIVE_INFINITY);
    /** What one turn is expected to take, as far as the program says so. */
    this.estimate = estimateOf(options);
    this.root = { kind: 'root', spent: spentNothing(), cap: units(options.budget, Number.POSITIVE_INFINITY), children: [] };
    this.home = newSession(null);
    this.root.children.push(this.home);
    this.home.parent = this.root;
    this.setLimits(options);
    defineAgents(this);
  }

  /** How often what has happened, for the runner's summary. */
  counts = {};

  count(what) {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  get live() {
    const found = [];
    for (const task of this.tasks.values()) for (const run of task.runs) if (run.started && !(run.end && run.hostReturned)) found.push(run);
    return found;
  }

  /** Does one operation; gives `{ value }` or `{ code }`, as the call itself answers. */
  step(operation) {
    this.begun = [];
    redraw(this);
    try {
      const value = this[operation.do](operation);
      this.settle();
      return { value };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { code: error.code };
    }
  }

  /** What follows from a change, until nothing more does. */
  settle() {
    let rounds = 0;
    for (let again = true; again; ) {
      if (++rounds > 1_000) throw new Error('the model does not come to rest');
      const before = this.#progress();
      if (this.draining && !this.isStored) {
        this.endReturned();
        pump(this);
        cancelUnneeded(this);
      }
      // A run whose wait is over goes on before others begin, whatever ended in this step to end it (S2).
      for (let before = Number.NaN; before !== this.#progress(); ) {
        before = this.#progress();
        returnWaits(this);
        this.endReturned();
        this.finishStops();
      }
      pump(this);
      // What waited for one that ends goes on first.
      if (!staggers(this) && !this.endStarved()) this.breakDeadlock();
      finishDrain(this);
      again = before !== this.#progress();
    }
    tellAll(this);
    for (const { promise, tell } of this.told.splice(0)) answer(this, promise, tell());
    if (this.late.length > 0 && this.isDue()) {
      // What is due by now comes before a turn that begins now.
      fireDue(this);
      this.settle();
    }
    for (const tell of this.late.splice(0)) tell();
  }

  /** A sum that is another one where something has happened. */
  #progress() {
    return this.changes + this.ended.length + this.calls.length - this.waits.length - this.stops.length - this.reentries.length / 1_000;
  }

  /** Whether something is due at this very moment: timers fire a millisecond later at the earliest. */
  isDue() {
    return nextMoment(this, this.now) !== undefined;
  }

  endReturned() {
    for (const run of this.live) {
      if (run.returned && !run.end && hasToWaitFor(run).length === 0) endRun(this, run, { ...run.returned, partial: false });
    }
    for (const task of this.tasks.values()) {
      for (const run of task.runs)
        if (run.returned && !run.end && hasToWaitFor(run).length === 0) endRun(this, run, { ...run.returned, partial: false });
    }
  }

  /** Queued work whose budget is spent, or never comes free, ends without being called (B5): one at a time. */
  endStarved() {
    if (slotsHeld(this) >= this.options.maxConcurrent || abandonedHosts(this) >= this.options.maxAbandoned) return false;
    const awaited = (run) => this.waits.some((wait) => wait.run && wait.pins.some((pin) => pin.run === run));
    const ready = this.queue.filter((run) => !run.end && mayStart(this, run) && !isLeft(this, run));
    // What is spent never comes back; what is stuck may go on once another of its kind has ended.
    const run =
      this.queue.find(
        (one) =>
          !one.end &&
          one.dueAt === undefined &&
          !awaitsProgram(one) &&
          !isAbsent(one.task) &&
          !isLeft(this, one) &&
          isNothing(one.hold) &&
          isSpent(this, one.task),
      ) ?? ready.sort((a, b) => awaited(b) - awaited(a) || priorityOf(this, b) - priorityOf(this, a)).find((one) => isStuck(this, one));
    if (!run) return false;
    if (!run.tried) run.task.unheard = [...(run.task.unheard ?? []), run.text];
    // Its process died, and nothing is left to go on with (J3).
    const reason = run.previous?.reason === 'host_lost' && isSpent(this, run.task) ? 'host_lost' : 'budget_exhausted';
    endRun(this, run, { status: 'failed', reason, output: '', partial: false });
    return true;
  }

  /** Turns that wait for what only each other hold: the first in line has its last answer, so that the rest can go on (B6). */
  breakDeadlock() {
    const [first] = this.reentries;
    if (awaitsTime(this) || this.live.some((run) => run.question)) return;
    if (!first?.turnAsked || slotsHeld(this) > 0 || abandonedHosts(this) >= this.options.maxAbandoned) return;
    if (this.live.some((run) => run.end && !run.abandoned && !isNothing(run.hold)) || mayHoldTurn(this, first)) return;
    this.reentries.shift();
    first.told ??= { status: 'failed', reason: 'budget_exhausted' };
    reenter(this, first);
  }

  finishStops() {
    const closing = [...this.tasks.values()].filter((task) => task.closing);
    for (const task of closing.sort((a, b) => b.depth - a.depth)) finishClose(this, task);
    for (const stop of [...this.stops]) {
      if (!stop.over()) continue;
      this.stops.splice(this.stops.indexOf(stop), 1);
      if (stop.promise) this.told.push(stop);
      if (stop.run?.parks.has('children') && !stillWaits(this, stop.run)) unpark(this, stop.run, 'children');
    }
  }

  /** While a cancel is under way nothing may start in what it covers; `cancelAll` covers everybody. */
  sealed(node) {
    return this.stops.some(({ root }) => root === this.root || (root && (root === node || isBelow(node, root))));
  }

  actor(by) {
    const actor = actorOf(this, by);
    if (hasEnded(actor)) throw new Refused('actor_ended');
    return actor;
  }

  target(actor, name) {
    const task = this.tasks.get(name);
    if (task.forgotten) throw new Refused('forgotten');
    if (!reaches(actor, task)) throw new Refused('not_reachable');
    return task;
  }

  // ── operations

  session({ key, cap }) {
    if (this.sessions.has(key)) {
      registerAgain(this, key);
      return;
    }
    const session = newSession(key, units(cap, Number.POSITIVE_INFINITY));
    this.root.children.push(session);
    session.parent = this.root;
    this.sessions.set(key, session);
  }

  spawn(operation) {
    return spawn(this, operation);
  }

  checkpoint({ run: name, data, promise }) {
    open(this, promise);
    const run = this.runOf(name);
    if (run.end) return refuse(this, promise, 'actor_ended');
    run.checkpoint = data;
    run.lost = 0;
    // What it goes on from knows what it has got, up to what it has yet to get.
    for (const one of run.heard ?? []) {
      if (one.isUntold) break;
      one.isKept = true;
    }
    return answer(this, promise, {});
  }

  save({ run: name, data, promise }) {
    open(this, promise);
    const run = this.runOf(name);
    if (run.end) return refuse(this, promise, 'actor_ended');
    run.task.saved = data;
    return answer(this, promise, {});
  }

  /** What is kept of it all is said by `life.mjs`. */
  flush() {}

  compact() {}

  /** A process is gone, and the next one begins. */
  reopen(lost, outlived, agents) {
    this.begun = [];
    this.onHostLost = lost;
    defineAgents(this, agents);
    this.setLimits(this.options);
    this.toldUnpriced = [];
    reopen(this, lost, outlived);
    this.missing = missing(this);
    if (this.missing.agents.length > 0) this.count('restarts after which work waits for a definition');
  }

  /** A process begins to work a millisecond after it has opened its journal. */
  begin() {
    this.now++;
  }

  host({ run: name, ...result }) {
    hostReturns(this, this.runOf(name), result);
  }

  runOf(name) {
    const [task, number] = name.split('#');
    return this.tasks.get(task)?.runs[Number(number) - 1];
  }

  turn({ run: name, promise, ruling, tokens, costUsd, whole }) {
    open(this, promise);
    const run = this.runOf(name);
    run.estimate = estimateOf({ turnEstimate: tokens, turnEstimateUsd: costUsd });
    run.asksWhole = whole;
    if (!ruleTurn(this, run, promise, ruling)) askTurn(this, run, promise);
  }

  report({ run: name, ...said }) {
    report(this, this.runOf(name), said);
  }

  mainReport(operation) {
    mainReport(this, operation);
  }

  /** What the program may change, as long as its process lives. */
  setLimits({ prices = this.prices, maxSpawns = this.maxSpawns, rates = this.rates }) {
    Object.assign(this, { prices, maxSpawns });
    setRates(this, rates);
  }

  ask({ run: name, ...question }) {
    ask(this, this.runOf(name), question);
  }

  start(operation) {
    start(this, operation);
  }

  early() {
    throw new Refused('wrong_status');
  }

  rateLimit({ run: name, retryAfterMs, remainingRequests: requests, remainingTokens: tokens }) {
    const run = this.runOf(name);
    if (run.end) throw new Refused('actor_ended');
    noteLeft(this, run.task, { requests, tokens });
    if (retryAfterMs !== undefined) reportRateLimit(this, run, retryAfterMs);
  }

  wait({ by, targets, promise, mode, timeoutMs }) {
    open(this, promise);
    asked(this, promise, () => {
      const actor = this.actor(by);
      openWait(
        this,
        actor,
        promise,
        targets.map((name) => this.target(actor, name)),
        { mode, timeoutMs },
      );
    });
  }

  handleWait({ by, target, promise }) {
    open(this, promise);
    asked(this, promise, () => {
      const actor = this.actor(by);
      openWait(this, actor, promise, [this.target(actor, target)], { mode: 'all', single: true });
    });
  }

  cancel(operation) {
    cancel(this, operation);
  }

  close(operation) {
    close(this, operation);
  }

  resume(operation) {
    resume(this, operation);
  }

  moveToBackground(operation) {
    moveToBackground(this, operation);
  }

  interrupt(operation) {
    interrupt(this, operation);
  }

  cancelAll(operation) {
    cancelAll(this, operation);
  }

  send(operation) {
    return send(this, operation);
  }

  forget({ by, target }) {
    const actor = this.actor(by);
    const task = this.target(actor, target);
    const all = [...below(task), task];
    if (all.some((one) => openRun(one) || one.runs.some((run) => run.started && !run.hostReturned && !run.abandoned)))
      throw new Refused('wrong_status');
    for (const one of all) {
      one.forgotten = true;
      // Host functions that were given up go with it: what they still return is nobody's (S4).
      for (const run of one.runs.filter(({ abandoned }) => abandoned)) {
        run.abandoned = false;
        run.hostReturned = true;
      }
      rerouteFrom(this, one);
    }
    this.notices = this.notices.filter((notice) => notice.run.task !== task);
  }

  lease({ by, max }) {
    const actor = this.actor(by);
    return lease(this, actor.node, max, this.options.leaseMs).map(nameOf);
  }

  ack({ by, notice: name }) {
    const actor = this.actor(by);
    const notice = this.notices.find(
      (one) => nameOf(one) === name && one.delivery !== 'acked' && (actor.program || one.node === actor.node),
    );
    if (!notice) return false;
    notice.delivery = 'acked';
    notice.run.collected = true;
    return true;
  }

  drain({ promise, timeoutMs }) {
    open(this, promise);
    drain(this, promise, timeoutMs);
  }

  /** Time passes, moment by moment. */
  pass({ ms }) {
    const until = this.now + ms;
    let passed = false;
    for (let at = nextMoment(this, until); at !== undefined; at = nextMoment(this, until)) {
      this.now = passed ? Math.max(this.now, at) : Math.max(this.now + 1, at);
      passed = true;
      // What becomes due by what is fired is due in the same step.
      while (this.isDue()) fireDue(this);
      this.settle();
    }
    this.now = until;
  }

  inboxOf(node) {
    return waiting(this, node).map((notice) => ({
      end: nameOf(notice),
      delivery: notice.delivery,
      attempt: notice.attempt,
      from: notice.reroutedFrom,
    }));
  }
}

export { lastRun, slotsHeld };
