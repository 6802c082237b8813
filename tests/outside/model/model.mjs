// The reference model: what the package must do, written from the rules alone. Owns the whole state of one life and how
// an operation changes it. It is told nothing of the package but its choices where a rule leaves several open (`seenCalls`).

import { isNothing, units } from './amounts.mjs';
import { canHold, isSpent, isStuck, mayHoldTurn } from './budget.mjs';
import { awaitsCooldown, cools, reportRateLimit } from './cooldowns.mjs';
import { fireDue, nextMoment } from './deadlines.mjs';
import { cancelUnneeded, drain, finishDrain } from './drain.mjs';
import { endRun, hasToWaitFor, hostReturns } from './ends.mjs';
import { newMessage, newRun, take } from './messages.mjs';
import { ack, lease, nameOf, rerouteFrom, waiting } from './notices.mjs';
import { answer, open, refuse } from './promises.mjs';
import { lookUp, missingSessions, registerAgain, remember, reopen } from './restart.mjs';
import { abandonedHosts, goOn, mayStart, park, priorityOf, pump, reenter, slotsHeld } from './slots.mjs';
import { hasSettled, stopRun, stopTask } from './stops.mjs';
import {
  actorOf,
  below,
  hasEnded,
  isBelow,
  isOpen,
  lastRun,
  newSession,
  newTask,
  openRun,
  reaches,
  spentNothing,
  statusOf,
} from './tree.mjs';
import { askTurn, report } from './turns.mjs';
import { openWait, returnWaits, stillWaits, tellAll, tellEnd } from './waits.mjs';

/** A call that the package must refuse with this code. */
export class Refused extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}

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
  /** Until when each rate limit cools down. */
  cooldowns = new Map();
  /** Promises of stops whose asking run has ended since. */
  loose = new Set();

  /** @param isStored whether it keeps a journal, for another process to go on */
  constructor(options, isStored = false) {
    this.options = options;
    this.isStored = isStored;
    this.taskCap = units(options.taskBudget, Number.POSITIVE_INFINITY);
    /** What one turn is expected to take. */
    this.estimate = units({ tokens: options.turnEstimate, costUsd: options.turnEstimateUsd });
    this.root = { kind: 'root', spent: spentNothing(), cap: units(options.budget, Number.POSITIVE_INFINITY), children: [] };
    this.home = newSession(null);
    this.root.children.push(this.home);
    this.home.parent = this.root;
  }

  get live() {
    const found = [];
    for (const task of this.tasks.values()) for (const run of task.runs) if (run.started && !(run.end && run.hostReturned)) found.push(run);
    return found;
  }

  /** Does one operation; gives `{ value }` or `{ code }`, as the call itself answers. */
  step(operation) {
    this.begun = [];
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
      for (let before = -1; before !== this.#progress(); ) {
        before = this.#progress();
        returnWaits(this);
        this.endReturned();
        this.finishStops();
      }
      pump(this);
      this.endStarved();
      this.breakDeadlock();
      finishDrain(this);
      again = before !== this.#progress();
    }
    tellAll(this);
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

  /** Queued work whose budget is spent, or never comes free, ends without being called (B5). */
  endStarved() {
    if (slotsHeld(this) >= this.options.maxConcurrent || abandonedHosts(this) >= this.options.maxAbandoned) return;
    const awaited = (run) => this.waits.some((wait) => wait.run && wait.pins.some((pin) => pin.run === run));
    const ready = this.queue.filter((run) => !run.end && mayStart(this, run));
    // What is spent never comes back; what is stuck may go on once another of its kind has ended.
    const run =
      this.queue.find((one) => !one.end && isSpent(this, one.task)) ??
      ready.sort((a, b) => awaited(b) - awaited(a) || priorityOf(this, b) - priorityOf(this, a)).find((one) => isStuck(this, one));
    if (!run) return;
    if (!run.tried) run.task.unheard = [...(run.task.unheard ?? []), run.text];
    endRun(this, run, { status: 'failed', reason: 'budget_exhausted', output: '', partial: false });
  }

  /** Turns that wait for what only each other hold: the first in line has its last answer, so that the rest can go on (B6). */
  breakDeadlock() {
    const [first] = this.reentries;
    if (awaitsCooldown(this)) return;
    if (!first?.turnAsked || slotsHeld(this) > 0 || abandonedHosts(this) >= this.options.maxAbandoned) return;
    if (this.live.some((run) => run.end && !run.abandoned && !isNothing(run.hold)) || mayHoldTurn(this, first)) return;
    this.reentries.shift();
    first.told ??= { status: 'failed', reason: 'budget_exhausted' };
    reenter(this, first);
  }

  finishStops() {
    for (const stop of [...this.stops]) {
      if (!stop.over()) continue;
      this.stops.splice(this.stops.indexOf(stop), 1);
      if (stop.promise) answer(this, stop.promise, stop.tell());
      if (stop.run?.parked === 'children' && !stillWaits(this, stop.run)) goOn(this, stop.run);
    }
    for (const task of this.tasks.values()) {
      if (task.closing && !openRun(task)) {
        task.closing = false;
        task.closed = true;
      }
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

  spawn({ by, name, text, ...given }) {
    const actor = this.actor(by);
    if (!given.background && actor.run?.stop) throw new Refused('aborted');
    const refuse = (code) => {
      throw new Refused(code);
    };
    const first = given.idempotencyKey && lookUp(this, actor.node, { name, text, ...given }, refuse);
    if (first) return first.name;
    if (this.sealed(actor.node)) throw new Refused('actor_ended');
    if (this.draining) throw new Refused('draining');
    if (actor.node.cancelRequested && actor.run) throw new Refused('actor_ended');
    const depth = actor.node.kind === 'task' ? actor.node.depth + 1 : 1;
    if (depth > this.options.maxDepth) throw new Refused('depth_limit');
    if (given.nickname && actor.node.children.some((child) => child.nickname === given.nickname && isOpen(child)))
      throw new Refused('nickname_taken');
    if (isSpent(this, actor.node, [{ cap: given.cap ? units(given.cap, Number.POSITIVE_INFINITY) : this.taskCap, spent: spentNothing() }]))
      throw new Refused('budget_exhausted');
    const task = newTask(this, name, actor.node, actor.run, given);
    if (text !== undefined) this.admit(task, newRun(this, task, newMessage(text, 'queue')), actor);
    task.born = this.now;
    task.process = this.process;
    if (given.idempotencyKey) remember(this, actor.node, { name, text, ...given }, task);
    return undefined;
  }

  checkpoint({ run: name, data, promise }) {
    open(this, promise);
    const run = this.runOf(name);
    if (run.end) return refuse(this, promise, 'actor_ended');
    run.checkpoint = data;
    run.lost = 0;
    return answer(this, promise, {});
  }

  /** What is kept of it all is said by `life.mjs`. */
  flush() {}

  compact() {}

  /** A process is gone, and the next one begins. */
  reopen(lost) {
    this.begun = [];
    this.onHostLost = lost;
    reopen(this, lost);
    this.missing = missingSessions(this);
  }

  /** So many host functions were given up that nothing starts. */
  isClogged() {
    return abandonedHosts(this) >= this.options.maxAbandoned;
  }

  /** Refuses what may neither start nor wait. */
  admit(task, run, actor) {
    const { length } = this.calls;
    pump(this);
    if (run.started) return;
    const ahead = this.queue.filter((one) => one !== run && mayStart(this, one) && canHold(this, one)).length;
    const free =
      this.options.maxConcurrent - slotsHeld(this) + 1 - this.reentries.filter((one) => !one.turnAsked || mayHoldTurn(this, one)).length;
    const given = this.isClogged();
    const poor = this.options.onLimit === 'reject' && !canHold(this, run);
    const own = actor.run?.slot && canHold(this, run) && (free > ahead || (free > 0 && this.seenCode === undefined));
    const cooling = cools(this, task);
    if (!cooling && !given && !poor && ((slotsHeld(this) < this.options.maxConcurrent && canHold(this, run)) || own)) return;
    const clogged = given && this.options.onLimit === 'reject' && this.seenCode === 'abandoned_limit';
    const refused =
      poor && !clogged
        ? 'budget_exhausted'
        : given && (this.options.onLimit === 'reject' || this.queue.length > this.options.maxQueued)
          ? 'abandoned_limit'
          : this.options.onLimit === 'reject'
            ? 'concurrency_limit'
            : this.queue.length > this.options.maxQueued
              ? 'queue_full'
              : undefined;
    const limited = this.options.onLimit === 'reject' && cooling && (this.seenCode === 'rate_limited' || (!poor && !given));
    const code = limited ? 'rate_limited' : refused;
    if (!code) return;
    if (this.calls.length !== length) throw new Error('a refused spawn started others');
    this.queue.splice(this.queue.indexOf(run), 1);
    task.runs.pop();
    if (task.runs.length === 0 && task.born === undefined) {
      this.tasks.delete(task.name);
      task.parent.children.splice(task.parent.children.indexOf(task), 1);
    }
    throw new Refused(code);
  }

  /** A message's run is refused like a spawn; the message is then not taken. */
  admitMessage(task, run, before, actor) {
    try {
      this.admit(task, run, actor);
    } catch (error) {
      Object.assign(task, before);
      throw error;
    }
  }

  host({ run: name, ...result }) {
    hostReturns(this, this.runOf(name), result);
  }

  runOf(name) {
    const [task, number] = name.split('#');
    return this.tasks.get(task)?.runs[Number(number) - 1];
  }

  turn({ run: name, promise }) {
    open(this, promise);
    askTurn(this, this.runOf(name), promise);
  }

  report({ run: name, ...said }) {
    report(this, this.runOf(name), said);
  }

  rateLimit({ run: name, retryAfterMs }) {
    const run = this.runOf(name);
    if (run.end) throw new Refused('actor_ended');
    reportRateLimit(this, run, retryAfterMs);
  }

  wait({ by, targets, promise, mode, timeoutMs }) {
    open(this, promise);
    this.asked(promise, () => {
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
    this.asked(promise, () => {
      const actor = this.actor(by);
      openWait(this, actor, promise, [this.target(actor, target)], { mode: 'all', single: true });
    });
  }

  /** A refusal of an asynchronous call is a rejection. */
  asked(promise, body) {
    try {
      body();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refuse(this, promise, error.code);
    }
  }

  cancel({ by, target, promise, graceMs }) {
    open(this, promise);
    this.asked(promise, () => {
      const actor = this.actor(by);
      const task = this.target(actor, target);
      actor.acked = [];
      stopTask(this, task, {
        status: 'cancelled',
        reason: 'cancelled',
        below: 'ancestor_cancelled',
        grace: graceMs ?? this.options.graceMs,
        by: actor,
      });
      this.whenSettled(
        actor,
        promise,
        () => hasSettled(task),
        () => {
          if (lastRun(task)?.end && !task.background) lastRun(task).collected = true;
          return { status: statusOf(task), acked: actor.acked.length };
        },
        task,
      );
    });
  }

  interrupt({ by, target, promise, graceMs }) {
    open(this, promise);
    this.asked(promise, () => {
      const actor = this.actor(by);
      const task = this.target(actor, target);
      const run = openRun(task);
      const stopped = task.children
        .filter((child) => run && !child.background && openRun(child)?.caller === run)
        .flatMap((child) => [...below(child), child].flatMap((one) => openRun(one) ?? []));
      if (run) {
        task.held = true;
        stopRun(this, run, 'interrupted', 'interrupted', graceMs ?? this.options.graceMs, { ...actor, interrupts: promise });
      }
      this.whenSettled(
        actor,
        promise,
        () => !run || (run.end !== undefined && stopped.every((one) => one.end)),
        () => {
          for (const notice of this.notices)
            if (
              notice.run === run &&
              notice.delivery !== 'acked' &&
              (notice.heldBy !== undefined || (run.started && notice.node === actor.node && !actor.run?.end))
            )
              ack(notice);
          if (run?.started && !actor.run?.end) tellEnd(run, actor);
          if (run?.started && task.parent === actor.node) run.collected = true;
          return {};
        },
        undefined,
        [run, ...stopped],
      );
    });
  }

  cancelAll({ by, promise }) {
    open(this, promise);
    this.asked(promise, () => {
      const actor = this.actor(by);
      const tops = [this.home, ...this.sessions.values()].flatMap((session) => session.children).filter((task) => !task.forgotten);
      actor.acked = [];
      actor.covers = this.root;
      const ended = tops.flatMap((top) => [...below(top), top]).flatMap((task) => openRun(task) ?? []);
      for (const task of tops)
        stopTask(this, task, {
          status: 'cancelled',
          reason: 'ancestor_cancelled',
          below: 'ancestor_cancelled',
          grace: this.options.graceMs,
          by: actor,
        });
      this.whenSettled(
        actor,
        promise,
        () => tops.every(hasSettled),
        () => {
          for (const run of ended) if (run.end && !run.task.background) run.collected = true;
          return {};
        },
        this.root,
      );
    });
  }

  /** `root` is what is sealed meanwhile, `interrupts` the runs whose ends an interrupt will have told. */
  whenSettled(actor, promise, over, tell, root, interrupts) {
    if (over()) {
      answer(this, promise, tell());
      return;
    }
    this.stops.push({ run: actor.run, asker: actor, promise, over, tell, root, interrupts });
    if (actor.run && !actor.run.end && actor.run.parked !== 'children') park(this, actor.run, 'children');
  }

  send({ by, target, text, mode }) {
    const actor = this.actor(by);
    const task = this.target(actor, target);
    if (this.draining) throw new Refused('draining');
    if (this.sealed(task) || task.closed || task.closing || (task.cancelRequested && openRun(task))) throw new Refused('wrong_status');
    if (
      statusOf(task) === 'cancelled' &&
      task.endedBy &&
      task.endedBy !== actor.node &&
      !isBelow(task.endedBy, actor.node) &&
      !actor.program
    )
      throw new Refused('wrong_status');
    const next = !openRun(task) || (mode === 'interrupt' && !openRun(task).started);
    const reasons = [];
    if (next && isSpent(this, task)) reasons.push('budget_exhausted', ...(this.isClogged() ? ['abandoned_limit'] : []));
    if (task.queue.length >= this.options.maxMessages) reasons.push('messages_limit');
    // Where several hold, no rule says which is told.
    if (reasons.length > 0) throw new Refused(reasons.includes(this.seenCode) ? this.seenCode : reasons[0]);
    const open = openRun(task);
    const { held, queue, endedBy } = task;
    task.queue = [...queue];
    const receipt = take(this, task, text, mode ?? 'queue');
    const made = openRun(task);
    if (!open && made) this.admitMessage(task, made, { held, queue, endedBy }, actor);
    if (mode === 'interrupt' && open) stopRun(this, open, 'interrupted', 'interrupted', this.options.graceMs, undefined);
    return openRun(task)?.message.text === text && openRun(task) !== open ? 'started' : receipt;
  }

  forget({ by, target }) {
    const actor = this.actor(by);
    const task = this.target(actor, target);
    const all = [...below(task), task];
    if (all.some((one) => openRun(one) || one.runs.some((run) => run.started && !run.hostReturned))) throw new Refused('wrong_status');
    for (const one of all) {
      one.forgotten = true;
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
