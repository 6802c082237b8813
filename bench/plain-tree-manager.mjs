/**
 * The plain JavaScript manager with sub-agents of sub-agents: the yardstick of the `tree` cell.
 *
 * What it adds to `plain-manager.mjs` is what the package does for a tree, and no more: a depth and a count of children
 * for each parent, caps and reservations on the whole path to the root, turns, and slots given up while a parent waits, so
 * that any tree finishes with any number of slots: re-entries go before new starts. It stands apart, so that the flat
 * manager of the other cells does not pay for it.
 *
 * What it leaves out, as the flat one does: the reservation of a whole run that lends to its children (it reserves one turn's
 * estimate throughout), priorities and ageing, cancelling a subtree.
 */

import { COMPLETED, Fifo, PENDING, PlainManager, PlainManagerError, RUNNING, Run, Task } from './plain-manager.mjs';

/** A run's place among the slots. */
const HAS_SLOT = 0;
const WAITS_FOR_CHILDREN = 1;
const WAITS_FOR_SLOT = 2;

class TreeTask extends Task {
  /** @param {PlainTreeManager} manager @param {string} taskId @param {object} params @param {TreeTask | null} parent */
  constructor(manager, taskId, params, parent) {
    super(manager, taskId, params);
    this.parent = parent;
    this.parentId = parent === null ? null : parent.taskId;
    this.depth = parent === null ? 1 : parent.depth + 1;
    this.tokenCap = params.budget?.tokens ?? manager.taskTokens;
    this.liveChildren = 0;
    // Its own and all below it; `tokensSpent` and `tokensReserved` are its own alone.
    this.pathSpent = 0;
    this.pathHeld = 0;
    this.tokensReported = 0;
    this.turnsTaken = 0;
    this.place = HAS_SLOT;
    this.openWaits = 0;
    this.awaited = false;
    this.resolveTurn = null;
  }

  /** A parent that waits gives its slot up. */
  wait() {
    const { parent } = this;
    if (parent !== null && !this.awaited && this.status < COMPLETED && parent.status === RUNNING) {
      this.awaited = true;
      this.manager.park(parent);
    }
    return super.wait();
  }
}

class TreeRun extends Run {
  spawn(params) {
    return this.task.manager.spawnUnder(this.task, params);
  }

  /** @returns {Promise<{ go: boolean, turn?: number, reason?: string }>} Once the run has a slot. */
  beforeTurn() {
    const { task } = this;
    if (task.place === HAS_SLOT) return Promise.resolve(task.manager.takeTurn(task));
    return new Promise((resolve) => {
      task.resolveTurn = resolve;
    });
  }

  /** @param {{ tokens?: number }} report What was used since the last report. */
  report({ tokens = 0 }) {
    this.task.manager.bookReport(this.task, tokens);
  }
}

/** Options as in the flat manager; `spawn({ budget: { tokens } })` caps a task and all below it. */
export class PlainTreeManager extends PlainManager {
  constructor(options) {
    super(options);
    this.reentries = new Fifo();
    this.liveRoots = 0;
    this.turnsSpent = 0;
  }

  spawn(params) {
    return this.spawnUnder(null, params);
  }

  /**
   * Admits a task below `parent`, or throws.
   * @param {TreeTask | null} parent Null for the program's own.
   * @returns {TreeTask}
   */
  spawnUnder(parent, params) {
    if (this.disposed) throw new PlainManagerError('disposed', 'The manager is disposed');
    if (parent !== null && parent.status !== RUNNING) throw new PlainManagerError('actor_ended', 'The parent has ended');
    const { instructions } = params;
    if (typeof instructions !== 'string' || instructions.length === 0) {
      throw new PlainManagerError('invalid_argument', 'Expected `instructions` to be a non-empty string');
    }
    if (this.check !== null) {
      const verdict = this.check(params);
      if (!verdict.allowed) throw new PlainManagerError('consumer_denied', verdict.reason ?? 'Refused');
    }
    if (parent !== null && parent.depth >= this.maxDepth) throw new PlainManagerError('depth_limit', 'Too deep');
    if (this.tasks.size >= this.maxTasks) throw new PlainManagerError('task_limit', 'Too many tasks');
    const siblings = parent === null ? this.liveRoots : parent.liveChildren;
    if (siblings >= this.maxChildren) throw new PlainManagerError('children_limit', 'Too many children');
    const starts = this.active < this.maxConcurrent;
    if (!starts && this.queue.length >= this.maxQueued) throw new PlainManagerError('queue_full', 'Queue full');
    if (!this.affords(parent, this.turnEstimate)) throw new PlainManagerError('budget_exhausted', 'Budget exhausted');

    const task = new TreeTask(this, this.prefix + (++this.counter).toString(16), params, parent);
    task.createdAt = Date.now();
    this.tasks.set(task.taskId, task);
    this.live++;
    if (parent === null) this.liveRoots++;
    else parent.liveChildren++;
    this.counts[task.status]++;
    if (this.listeners.length > 0) this.emit({ type: 'task_admitted', taskId: task.taskId, label: task.label });
    this.hold(task);
    task.run = 1;
    if (starts) {
      this.start(task, task.createdAt);
    } else {
      this.become(task, PENDING);
      this.queue.push(task);
      if (this.listeners.length > 0) this.emit({ type: 'run_queued', taskId: task.taskId, run: 1 });
    }
    return task;
  }

  runOf(task) {
    return new TreeRun(task);
  }

  /** Whether every cap on the path to the root leaves room for so many tokens. */
  affords(task, tokens) {
    for (let node = task; node !== null; node = node.parent) {
      if (node.pathSpent + node.pathHeld + tokens > node.tokenCap) return false;
    }
    return this.tokensSpent + this.tokensReserved + tokens <= this.tokenCap && this.costSpent < this.costCap;
  }

  hold(task) {
    const held = Math.min(this.turnEstimate, task.tokenCap);
    task.tokensReserved = held;
    for (let node = task; node !== null; node = node.parent) node.pathHeld += held;
    this.tokensReserved += held;
  }

  release(task) {
    const held = task.tokensReserved;
    for (let node = task; node !== null; node = node.parent) node.pathHeld -= held;
    this.tokensReserved -= held;
    task.tokensReserved = 0;
  }

  /** The turn's number, and its hold if the last turn's has been booked; or why there is none. */
  takeTurn(task) {
    if (task.status !== RUNNING) return { go: false, reason: 'actor_ended' };
    if (task.tokensReserved === 0) {
      if (!this.affords(task, this.turnEstimate)) return { go: false, reason: 'budget_exhausted' };
      this.hold(task);
    }
    task.turnsTaken++;
    if (this.listeners.length > 0 && task.turnsTaken > 1) {
      this.emit({ type: 'turn_started', taskId: task.taskId, run: task.run, turn: task.turnsTaken });
    }
    return { go: true, turn: task.turnsTaken };
  }

  /** A report books its delta and ends the turn's hold. */
  bookReport(task, tokens) {
    if (task.status !== RUNNING || !(tokens >= 0)) return;
    this.release(task);
    task.tokensReported += tokens;
    this.spend(task, tokens);
    if (this.listeners.length > 0) {
      this.emit({ type: 'usage_booked', taskId: task.taskId, run: task.run, tokens, costUsd: 0, turns: 0 });
    }
  }

  /** The run's own total at its end: what was not reported yet is booked. */
  book(task, { tokens = 0, cost = 0, turns = 0 }) {
    if (!(tokens >= 0 && cost >= 0 && turns >= 0)) return;
    const rest = Math.max(0, tokens - task.tokensReported);
    const booked = Math.max(turns, task.turnsTaken);
    this.spend(task, rest);
    task.costSpent += cost;
    task.turns += booked;
    this.costSpent += cost;
    this.turnsSpent += booked;
    if (this.listeners.length > 0) {
      this.emit({ type: 'usage_booked', taskId: task.taskId, run: task.run, tokens: rest, costUsd: cost, turns: booked });
    }
  }

  spend(task, tokens) {
    task.tokensSpent += tokens;
    for (let node = task; node !== null; node = node.parent) node.pathSpent += tokens;
    this.tokensSpent += tokens;
  }

  /** One more open wait; the first takes the slot away. */
  park(task) {
    task.openWaits++;
    if (task.place !== HAS_SLOT) {
      task.place = WAITS_FOR_CHILDREN;
      return;
    }
    task.place = WAITS_FOR_CHILDREN;
    this.active--;
    this.startNext(Date.now());
  }

  finish(task, status, stopReason, hostResult, error) {
    if (task.status >= COMPLETED) return;
    const { parent } = task;
    if (parent === null) {
      this.liveRoots--;
    } else {
      parent.liveChildren--;
      // In line before the slot is given on: a re-entry goes before a new start.
      if (task.awaited && --parent.openWaits === 0 && parent.status === RUNNING) {
        parent.place = WAITS_FOR_SLOT;
        this.reentries.push(parent);
      }
    }
    if (task.status === RUNNING && task.place !== HAS_SLOT) this.active++; // It has none to give back.
    super.finish(task, status, stopReason, hostResult, error);
    if (this.reentries.length > 0) this.startNext(task.endedAt); // A task that never ran gives no slot on.
    if (task.resolveTurn !== null) {
      task.resolveTurn({ go: false, reason: 'actor_ended' });
      task.resolveTurn = null;
    }
  }

  startNext(now) {
    while (this.reentries.length > 0 && this.active < this.maxConcurrent) {
      const task = this.reentries.shift();
      if (task.status !== RUNNING || task.place !== WAITS_FOR_SLOT) continue;
      this.active++;
      task.place = HAS_SLOT;
      if (task.resolveTurn === null) continue;
      task.resolveTurn(this.takeTurn(task));
      task.resolveTurn = null;
    }
    super.startNext(now);
  }

  stats() {
    return { ...super.stats(), turnsSpent: this.turnsSpent };
  }
}
