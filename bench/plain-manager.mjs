/**
 * A sub-agent manager in plain JavaScript: the yardstick the package is measured against.
 *
 * It is what a good engineer would write with no WebAssembly at hand: a `Map` of task objects and, around it, the
 * gates, budget and texts of the package. It is fair in both directions. It does all the work a spawn cycle
 * asks for (see the list), and it does it the fast way: fixed object shapes, no closure per task where a method will
 * do, O(1) queues, one timer for all deadlines, an `AbortController` only for the host that reads its signal.
 *
 * A cycle: consumer check; limits on depth, children, tasks and queue; reservations in tokens and dollars, for the pool
 * and for the task; FIFO slots; a deadline; the host call; its result checked; usage booked and the reservation released;
 * statistics; the texts of the last `retain` ended tasks; events, if there is a listener.
 *
 * It must never use anything from the package, and it never throws from a settled run.
 */

/** Statuses are numbers inside, so that counting them indexes an array; from `COMPLETED` on, a run is over. */
const IDLE = 0;
export const PENDING = 1;
export const RUNNING = 2;
export const COMPLETED = 3;
const FAILED = 4;
const TIMED_OUT = 5;
const CANCELLED = 6;
const STATUS = ['idle', 'pending', 'running', 'completed', 'failed', 'timed_out', 'cancelled'];
const NO_ARTIFACTS = Object.freeze([]);

/** A refusal, with a code the caller can branch on. */
export class PlainManagerError extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.name = 'PlainManagerError';
    this.code = code;
  }
}

/** What the host gets beside its parameters. The signal is made when first read: one costs microseconds. */
export class Run {
  /** @param {Task} task */
  constructor(task) {
    this.task = task;
  }

  get taskId() {
    return this.task.taskId;
  }

  /** @returns {AbortSignal} */
  get signal() {
    const { task } = this;
    if (task.controller === null) {
      task.controller = new AbortController();
      if (task.status >= COMPLETED) task.controller.abort();
    }
    return task.controller.signal;
  }
}

/** One task, which is also its handle. Every field is set here, so that all tasks share one hidden class. */
export class Task {
  /** @param {PlainManager} manager @param {string} taskId @param {object} params */
  constructor(manager, taskId, params) {
    this.manager = manager;
    this.taskId = taskId;
    this.parentId = null;
    this.label = params.label ?? null;
    this.status = IDLE;
    this.depth = 1;
    this.run = 0;
    this.params = params;
    this.instructions = params.instructions ?? null;
    this.background = params.background ?? false;
    this.output = null;
    this.error = null;
    this.stopReason = null;
    this.createdAt = 0;
    this.startedAt = null;
    this.endedAt = null;
    this.tokenCap = manager.taskTokens;
    this.tokensSpent = 0;
    this.tokensReserved = 0;
    this.costSpent = 0;
    this.turns = 0;
    this.artifacts = NO_ARTIFACTS;
    this.controller = null;
    this.promise = null;
    this.resolve = null;
    // Links of the deadline list this task's run is in.
    this.deadlines = null;
    this.dueAt = 0;
    this.earlier = null;
    this.later = null;
  }

  /** Resolves with the run's result; never rejects for a failed run. */
  wait() {
    if (this.status >= COMPLETED) return Promise.resolve(this.result());
    this.promise ??= new Promise((resolve) => {
      this.resolve = resolve;
    });
    return this.promise;
  }

  cancel() {
    return this.manager.cancel(this.taskId);
  }

  /** Made for who waits and not kept: a thousand retained ones would be copied by every young collection. */
  result() {
    return {
      taskId: this.taskId,
      run: this.run,
      status: STATUS[this.status],
      success: this.status === COMPLETED,
      stopReason: this.stopReason,
      output: this.output,
      error: this.error,
      usage: { tokens: this.tokensSpent, costUsd: this.costSpent, turns: this.turns },
      durationMs: this.startedAt === null ? 0 : this.endedAt - this.startedAt,
      artifacts: this.artifacts,
    };
  }
}

/** A FIFO over a ring that doubles when full: `shift` on a long array is linear. */
export class Fifo {
  constructor() {
    this.items = new Array(64);
    this.head = 0;
    this.length = 0;
  }

  push(item) {
    const { items } = this;
    if (this.length === items.length) {
      const grown = new Array(items.length * 2);
      for (let i = 0; i < this.length; i++) grown[i] = items[(this.head + i) & (items.length - 1)];
      this.items = grown;
      this.head = 0;
    }
    this.items[(this.head + this.length++) & (this.items.length - 1)] = item;
  }

  shift() {
    const { items, head } = this;
    const item = items[head];
    items[head] = undefined;
    this.head = (head + 1) & (items.length - 1);
    this.length--;
    return item;
  }
}

/**
 * The runs that share one time limit, in the order they started, which is the order they fall due: entering and
 * leaving are O(1), as in Node's own timer lists.
 */
class DeadlineList {
  /** @param {number} ms */
  constructor(ms) {
    this.ms = ms;
    this.first = null;
    this.last = null;
  }

  add(task, now) {
    task.deadlines = this;
    task.dueAt = now + this.ms;
    task.earlier = this.last;
    if (this.last === null) this.first = task;
    else this.last.later = task;
    this.last = task;
  }

  remove(task) {
    if (task.earlier === null) this.first = task.later;
    else task.earlier.later = task.later;
    if (task.later === null) this.last = task.earlier;
    else task.later.earlier = task.earlier;
    task.deadlines = null;
    task.earlier = null;
    task.later = null;
  }
}

/** Twelve random hex digits. */
function randomHex() {
  return Math.floor(Math.random() * 2 ** 48)
    .toString(16)
    .padStart(12, '0');
}

/** The manager. Options as in the package, flattened; every limit is a number, `Infinity` lifts it. */
export class PlainManager {
  /**
   * @param {object} options
   * @param {(params: object, run: object) => Promise<object>} options.spawnSubAgent Runs a model.
   */
  constructor({
    spawnSubAgent,
    maxConcurrent = 3,
    maxQueued = 1000,
    maxTasks = 100_000,
    maxChildren = 32,
    maxDepth = 1,
    retain = 1000,
    tokens = 50_000,
    costUsd = Infinity,
    taskTokens = 10_000,
    turnEstimate = 2000,
    timeoutMs = 1_800_000,
    checkConsumerSpawn = null,
    onError = () => {},
  }) {
    this.host = spawnSubAgent;
    this.maxConcurrent = maxConcurrent;
    this.maxQueued = maxQueued;
    this.maxTasks = maxTasks;
    this.maxChildren = maxChildren;
    this.maxDepth = maxDepth;
    this.retain = retain;
    this.tokenCap = tokens;
    this.costCap = costUsd;
    this.taskTokens = taskTokens;
    this.turnEstimate = turnEstimate;
    this.timeoutMs = timeoutMs;
    this.check = checkConsumerSpawn;
    this.onError = onError;

    this.tasks = new Map();
    this.queue = new Fifo();
    this.ended = new Fifo();
    this.listeners = [];
    this.seq = 0;
    this.active = 0;
    this.live = 0;
    this.tokensSpent = 0;
    this.tokensReserved = 0;
    this.costSpent = 0;
    this.disposed = false;
    this.counts = STATUS.map(() => 0);

    // A counter behind a random prefix: as unique as the process, and free of a random read per task. Starting where
    // it has eight hex digits, it needs no padding.
    this.prefix = `sub_${randomHex()}${randomHex()}`;
    this.counter = 0x1000_0000;

    this.deadlineLists = new Map();
    this.timer = null;
    this.timerAt = Infinity;
  }

  /** Whether a task submitted now would pass the gates. */
  canSpawn() {
    return (
      !this.disposed &&
      this.tasks.size < this.maxTasks &&
      this.live < this.maxChildren &&
      (this.active < this.maxConcurrent || this.queue.length < this.maxQueued) &&
      this.tokensSpent + this.tokensReserved + this.turnEstimate <= this.tokenCap &&
      this.costSpent < this.costCap
    );
  }

  /**
   * Admits a task, or throws. Without instructions it is idle.
   * @param {{ instructions?: string, label?: string, timeoutMs?: number }} params
   * @returns {Task}
   */
  spawn(params) {
    if (this.disposed) throw new PlainManagerError('disposed', 'The manager is disposed');
    const { instructions } = params;
    if (instructions !== undefined && (typeof instructions !== 'string' || instructions.length === 0)) {
      throw new PlainManagerError('invalid_argument', 'Expected `instructions` to be a non-empty string');
    }
    if (this.check !== null) {
      const verdict = this.check(params);
      if (!verdict.allowed) throw new PlainManagerError('consumer_denied', verdict.reason ?? 'Refused');
    }
    if (this.maxDepth < 1) throw new PlainManagerError('depth_limit', 'Too deep');
    if (this.tasks.size >= this.maxTasks) throw new PlainManagerError('task_limit', 'Too many tasks');
    if (this.live >= this.maxChildren) throw new PlainManagerError('children_limit', 'Too many children');
    const starts = this.active < this.maxConcurrent;
    if (instructions !== undefined) {
      if (!starts && this.queue.length >= this.maxQueued) throw new PlainManagerError('queue_full', 'Queue full');
      if (this.tokensSpent + this.tokensReserved + this.turnEstimate > this.tokenCap || this.costSpent >= this.costCap) {
        throw new PlainManagerError('budget_exhausted', 'Budget exhausted');
      }
    }

    const task = new Task(this, this.prefix + (++this.counter).toString(16), params);
    task.createdAt = Date.now();
    this.tasks.set(task.taskId, task);
    this.live++;
    this.counts[IDLE]++;
    if (this.listeners.length > 0) this.emit({ type: 'task_admitted', taskId: task.taskId, label: task.label });
    if (instructions === undefined) return task;

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

  /** Sets one turn's estimate aside, for the task and for the pool. */
  hold(task) {
    const held = Math.min(this.turnEstimate, task.tokenCap);
    task.tokensReserved = held;
    this.tokensReserved += held;
  }

  release(task) {
    this.tokensReserved -= task.tokensReserved;
    task.tokensReserved = 0;
  }

  become(task, status) {
    this.counts[task.status]--;
    this.counts[status]++;
    task.status = status;
  }

  start(task, now) {
    this.active++;
    this.become(task, RUNNING);
    task.startedAt = now;
    this.addDeadline(task, now);
    if (this.listeners.length > 0) {
      this.emit({ type: 'run_started', taskId: task.taskId, run: task.run });
      this.emit({ type: 'turn_started', taskId: task.taskId, run: task.run, turn: 1 });
    }
    this.drive(task);
  }

  /** What the host gets for a task. */
  runOf(task) {
    return new Run(task);
  }

  /** The one async layer: from the host's promise to the end of the run. */
  async drive(task) {
    let result;
    try {
      result = await this.host(task.params, this.runOf(task));
    } catch (error) {
      this.finish(task, FAILED, 'error', null, error);
      return;
    }
    if (task.status >= COMPLETED) return; // Cancelled or out of time: the late result is dropped.
    if (result === null || typeof result !== 'object' || typeof result.output !== 'string') {
      this.finish(task, FAILED, 'bad_result', null, new TypeError('Expected the host to return an output'));
      return;
    }
    if (result.usage !== undefined) this.book(task, result.usage);
    const completed = result.status === 'completed';
    this.finish(task, completed ? COMPLETED : FAILED, completed ? 'done' : 'host_status', result, null);
  }

  book(task, usage) {
    const tokens = usage.tokens ?? 0;
    const cost = usage.cost ?? 0;
    const turns = usage.turns ?? 0;
    if (!(tokens >= 0 && cost >= 0 && turns >= 0)) return;
    task.tokensSpent += tokens;
    task.costSpent += cost;
    task.turns += turns;
    this.tokensSpent += tokens;
    this.costSpent += cost;
    if (this.listeners.length > 0) {
      this.emit({ type: 'usage_booked', taskId: task.taskId, run: task.run, tokens, costUsd: cost, turns });
    }
  }

  /** Ends a task once, whatever ended it, and gives its slot to the next in line. */
  finish(task, status, stopReason, hostResult, error) {
    if (task.status >= COMPLETED) return;
    const now = Date.now();
    const ran = task.status === RUNNING;
    if (task.deadlines !== null) task.deadlines.remove(task);
    this.release(task);
    this.become(task, status);
    this.live--;
    task.stopReason = stopReason;
    task.output = hostResult === null ? '' : hostResult.output;
    task.error = error;
    task.endedAt = now;
    if (hostResult !== null && hostResult.artifacts !== undefined) task.artifacts = hostResult.artifacts;
    this.ended.push(task.taskId);
    if (this.ended.length > this.retain) this.forget(this.ended.shift());
    if (this.listeners.length > 0) {
      this.emit({ type: 'run_ended', taskId: task.taskId, run: task.run, status: STATUS[status], stopReason });
    }
    if (task.resolve !== null) task.resolve(task.result());
    // An ended task keeps its texts and figures, and lets go of what only a run needs.
    task.resolve = null;
    task.promise = null;
    task.params = null;
    task.controller = null;
    if (ran) {
      this.active--;
      this.startNext(now);
    }
  }

  startNext(now) {
    while (this.queue.length > 0 && this.active < this.maxConcurrent) {
      const next = this.queue.shift();
      // A task cancelled in the queue stays there until its turn: removing it would be linear.
      if (next.status === PENDING) this.start(next, now);
    }
  }

  forget(taskId) {
    const task = this.tasks.get(taskId);
    this.counts[task.status]--;
    this.tasks.delete(taskId);
  }

  addDeadline(task, now) {
    const ms = task.params.timeoutMs ?? this.timeoutMs;
    if (ms === Infinity) return;
    let list = this.deadlineLists.get(ms);
    if (list === undefined) {
      list = new DeadlineList(ms);
      this.deadlineLists.set(ms, list);
    }
    list.add(task, now);
    if (task.dueAt < this.timerAt) this.arm(task.dueAt, now);
  }

  /** The timer is never moved back: firing early and looking again is cheaper than re-arming at every end. */
  arm(at, now) {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timerAt = at;
    this.timer = setTimeout(() => this.onTimer(), Math.min(at - now, 2 ** 31 - 1));
    this.timer.unref();
  }

  onTimer() {
    const now = Date.now();
    let nextAt = Infinity;
    this.timer = null;
    this.timerAt = Infinity;
    for (const list of this.deadlineLists.values()) {
      while (list.first !== null && list.first.dueAt <= now) this.abort(list.first, TIMED_OUT, 'timeout');
      if (list.first !== null && list.first.dueAt < nextAt) nextAt = list.first.dueAt;
    }
    if (nextAt < Infinity) this.arm(nextAt, now);
  }

  abort(task, status, stopReason) {
    const { controller } = task;
    this.finish(task, status, stopReason, null, null);
    if (controller !== null) controller.abort();
  }

  /** Cancels a task that has not ended, and resolves with its result. */
  cancel(taskId) {
    const task = this.tasks.get(taskId);
    if (task === undefined) throw new PlainManagerError('unknown_task', `No task ${taskId}`);
    if (task.status < COMPLETED) this.abort(task, CANCELLED, 'cancelled');
    return task.wait();
  }

  /** A copy of a task's state. */
  get(taskId) {
    const task = this.tasks.get(taskId);
    if (task === undefined) throw new PlainManagerError('unknown_task', `No task ${taskId}`);
    return this.snapshot(task);
  }

  snapshot(task) {
    const { tokenCap, tokensSpent, tokensReserved, costSpent, turns } = task;
    const endOfRun = task.endedAt ?? task.startedAt ?? task.createdAt;
    return {
      taskId: task.taskId,
      parentId: task.parentId,
      label: task.label,
      status: STATUS[task.status],
      parked: false,
      depth: task.depth,
      run: task.run,
      background: task.background,
      instructions: task.instructions,
      output: task.output,
      error: task.error,
      stopReason: task.stopReason,
      createdAt: task.createdAt,
      startedAt: task.startedAt,
      endedAt: task.endedAt,
      updatedAt: endOfRun,
      durationMs: task.startedAt === null ? 0 : endOfRun - task.startedAt,
      budget: {
        tokens: {
          cap: tokenCap,
          spent: tokensSpent,
          reserved: tokensReserved,
          available: tokenCap - tokensSpent - tokensReserved,
        },
        costUsd: { cap: Infinity, spent: costSpent, reserved: 0, available: Infinity },
        turns: { cap: 10, spent: turns, reserved: 0, available: 10 - turns },
      },
    };
  }

  /**
   * A page of tasks, oldest first. A `Map` has no index, so a page at an offset walks to it: the price of the plain
   * design, which the growth table shows.
   */
  list({ page: { offset = 0, limit = 100 } = {} } = {}) {
    const items = [];
    let index = 0;
    for (const task of this.tasks.values()) {
      if (index++ < offset) continue;
      if (items.length === limit) break;
      items.push(this.snapshot(task));
    }
    return { items, total: this.tasks.size };
  }

  stats() {
    return {
      total: this.tasks.size,
      ...Object.fromEntries(STATUS.map((status, code) => [status, this.counts[code]])),
      tokensSpent: this.tokensSpent,
      tokensRemaining: this.tokenCap - this.tokensSpent - this.tokensReserved,
      costSpentUsd: this.costSpent,
      maxConcurrent: this.maxConcurrent,
      canSpawn: this.canSpawn(),
    };
  }

  /** @param {(event: object) => void} listener @returns {() => void} */
  subscribe(listener) {
    this.listeners.push(listener);
    return () => {
      this.listeners = this.listeners.filter((other) => other !== listener);
    };
  }

  emit(event) {
    event.seq = ++this.seq;
    event.at = Date.now();
    for (const listener of this.listeners) {
      try {
        listener(event);
      } catch (error) {
        this.onError(error);
      }
    }
  }

  dispose() {
    this.disposed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.queue = new Fifo(); // Or every slot freed below would start one more run.
    for (const task of this.tasks.values()) {
      if (task.status === RUNNING || task.status === PENDING) this.abort(task, CANCELLED, 'disposed');
    }
  }
}
