// Which operation comes next: a random one that makes some sense where the life stands. Operations are plain data, so that
// a life can be printed, lived again, and lived without some of them.

import { isSkipped } from './known-differences.mjs';
import { DIMENSIONS, shown } from './model/amounts.mjs';
import { awaitsProgram } from './model/driving.mjs';
import { KINDS, kindsOf, pricedOf } from './model/kinds.mjs';
import { FORBIDDEN } from './model/policies.mjs';
import { isInUse } from './model/restart.mjs';
import { isOpen, openRun } from './model/tree.mjs';
import { capOf, MODELS, pricesOf, ratesOf, retryOf, thousandths, upTo } from './options.mjs';

const WEIGHTS = {
  spawn: 26,
  host: 24,
  turn: 12,
  report: 5,
  mainReport: 2,
  setLimits: 1,
  ask: 5,
  answer: 4,
  rateLimit: 4,
  wait: 9,
  handleWait: 5,
  cancel: 5,
  close: 4,
  resume: 4,
  moveToBackground: 4,
  interrupt: 3,
  send: 9,
  pass: 9,
  lease: 3,
  ack: 3,
  forget: 2,
  session: 1,
  cancelAll: 0.3,
};

/** What is done besides where a journal is kept. */
const KEPT = { checkpoint: 5, save: 5, flush: 2, compact: 1, kill: 6, keyed: 8 };

/** What is done more often where rates are set. */
const RATED = { turn: 26, report: 9, rateLimit: 7, setLimits: 2 };

/** What is done where the program drives some. */
const DRIVEN = { start: 22, early: 1 };

/** What is done more often where dollars are capped, and nobody says what a turn costs. */
const UNSAID = { turn: 30, report: 14 };

/** What no figure can be read from. */
const UNREADABLE = 'a lot';

/** What a value has to be. */
const SCHEMA = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };

const STATUSES = [
  ...[undefined, undefined, undefined, undefined, 'done', 'End Turn', 'ok', 'killed'],
  ...['failed', 'ERROR', 'Failure', 'max-tokens', 'incomplete', 'canceled', 'aborted', 'timed_out', 'Timed-Out'],
];

function isUnsaid({ turnEstimateUsd, budget, taskBudget }) {
  return turnEstimateUsd === undefined && Number.isFinite(Math.min(budget.costUsd, taskBudget.costUsd));
}

/** Makes the operations of one life. */
export class Operations {
  #names = 0;
  #promises = 0;
  #texts = 0;

  /** @param store how its journal is kept, if it is */
  constructor(dice, world, store) {
    this.dice = dice;
    this.world = world;
    this.store = store;
    this.weights = { ...WEIGHTS, ...(store && KEPT), ...(this.#isRated() && RATED), ...(isUnsaid(world.options) && UNSAID) };
    if (world.options.isDriven) Object.assign(this.weights, DRIVEN);
  }

  get model() {
    return this.world.model;
  }

  next() {
    for (;;) {
      const kind = this.dice.weighed(this.weights);
      const made = this[kind]();
      const operation = this.#attempted() ?? (made && { do: kind, ...made });
      if (operation && !isSkipped(this.model, operation)) return operation;
    }
  }

  // ── who and what

  #tasks(test = () => true) {
    return [...this.model.tasks.values()].filter((task) => !task.forgotten && test(task));
  }

  /** Runs whose host function has not returned. */
  #hosts(test = () => true) {
    return this.model.live.filter((run) => !run.hostReturned && !run.returned && test(run));
  }

  #name(run) {
    return `${run.task.name}#${run.number}`;
  }

  #actor() {
    const { dice, model } = this;
    const runs = this.#hosts((run) => !run.end || dice.chance(0.03));
    if (runs.length > 0 && dice.chance(0.5)) return `r:${this.#name(dice.pick(runs))}`;
    const sessions = [...model.sessions.values()].filter((session) => !session.absent);
    if (sessions.length > 0 && dice.chance(0.3)) return `s:${dice.pick(sessions).key}`;
    return 'p';
  }

  /** An actor and somebody below it, nearly always. */
  #pair(test) {
    const task = this.dice.pick(this.#tasks(test));
    if (!task) return undefined;
    if (this.dice.chance(0.03)) return { by: this.#actor(), task };
    const above = ['p'];
    for (let node = task.parent; node; node = node.parent) {
      if (node.kind === 'session' && node.key !== null && !node.absent) above.push(`s:${node.key}`);
      const run = node.kind === 'task' ? openRun(node) : undefined;
      if (run?.started && !run.returned && !run.stop) above.push(`r:${this.#name(run)}`, `r:${this.#name(run)}`);
    }
    return { by: this.dice.pick(above), task };
  }

  #promise(kind) {
    return `${kind}${++this.#promises}`;
  }

  #text() {
    return `text ${++this.#texts}`;
  }

  // ── operations

  session() {
    const { sessions } = this.model;
    const absent = this.dice.pick([...sessions.values()].filter((session) => session.absent));
    if (absent) return { key: absent.key };
    return sessions.size < 2 ? { key: `s${sessions.size + 1}` } : undefined;
  }

  spawn() {
    const { dice } = this;
    if (this.model.tasks.size >= 25) return undefined;
    const made = { by: this.#actor(), name: `t${++this.#names}`, text: dice.chance(0.08) ? undefined : this.#text() };
    if (this.model.options.hasPolicies && dice.chance(0.06)) made.text = `${FORBIDDEN} ${made.text}`;
    if (dice.chance(0.45)) {
      made.background = true;
      if (dice.chance(0.3)) made.onParentEnd = dice.pick(['adopt', 'wait', 'cancel']);
    }
    const { agents } = this.model.options;
    if (agents && dice.chance(0.5)) {
      made.agent = dice.pick([...Object.keys(agents), ...Object.keys(agents), ...Object.keys(agents), 'nobody']);
      if (!made.background && dice.chance(0.3)) made.background = false;
    }
    if (dice.chance(0.3)) made.modelId = dice.pick(MODELS);
    if (dice.chance(0.1)) made.prices = pricesOf(dice);
    if (dice.chance(0.2)) made.priority = dice.int(0, 3);
    if (dice.chance(0.1)) made.maxTurns = dice.int(1, 3);
    if (dice.chance(0.1)) made.maxSpawns = dice.int(1, 3);
    if (dice.chance(0.1)) made.turnEstimate = dice.int(30, 150);
    if (dice.chance(0.1)) made.turnEstimateUsd = thousandths(dice.int(10, 90));
    if (dice.chance(0.3)) made.retry = this.model.options.retry && dice.chance(0.3) ? false : retryOf(dice, this.#names);
    if (dice.chance(0.1)) made.schema = SCHEMA;
    if (this.model.options.isDriven && dice.chance(0.6)) made.drive = 'program';
    if (dice.chance(this.#isRated() ? 0.5 : 0.2)) made.rateLimitKey = dice.pick(['one', 'other']);
    const { tokens, costUsd } = this.model.options.taskBudget;
    if (Number.isFinite(tokens + costUsd) && dice.chance(0.2))
      made.cap = capOf(upTo(dice, 0.7, 120, 700), upTo(dice, 0.7, 60, 350, thousandths));
    else if (Number.isFinite(tokens) && dice.chance(0.2)) made.cap = capOf(dice.int(120, 700), Number.POSITIVE_INFINITY);
    // No two deadlines at one moment: no rule says which of them comes first.
    const { timeoutMs, idleTimeoutMs } = this.model.options;
    if (timeoutMs < 1e6) made.timeoutMs = timeoutMs + 13 * this.#names;
    if (idleTimeoutMs < 1e6) made.idleTimeoutMs = idleTimeoutMs + 17 * this.#names;
    return made;
  }

  host() {
    const { dice } = this;
    // What a program says is said of the last run that it has taken up.
    const run = dice.pick(this.#hosts((one) => !one.task.isDriven || one === one.task.runs.findLast(({ started }) => started)));
    if (!run) return undefined;
    const made = { run: this.#name(run) };
    if (dice.chance(run.task.retry ? 0.3 : 0.1)) return { ...made, threw: 'broken' };
    if (dice.chance(run.task.isDriven ? 0 : 0.02)) return { ...made, isNone: true };
    made.output = `of ${made.run}`;
    if (dice.chance(run.task.schema ? 0.8 : 0.05)) made.value = dice.pick([{ n: 1 }, { n: 2, m: 'more' }, { n: 3 }, { n: 'none' }, {}]);
    made.status = dice.pick(STATUSES);
    if (dice.chance(0.1)) made.error = this.#text();
    if (dice.chance(0.04)) made.usage = UNREADABLE;
    else if (dice.chance(0.5)) {
      made.usage = this.#told(dice.int(0, 50), run);
      if (made.usage.inputTokens !== undefined && dice.chance(0.3)) {
        // Less than prices have booked, or more.
        const most = run.reported.costUsd + 1e7;
        made.usage.costUsd = shown('costUsd', dice.int(run.reported.costUsd - Math.ceil(pricedOf(run.of.tally) * 1.2), most));
        if (made.usage.costUsd < 0) made.usage.costUsd = 0;
      } else if (made.usage.inputTokens === undefined && dice.chance(0.7))
        made.usage.costUsd = shown('costUsd', run.reported.costUsd) + thousandths(dice.int(0, 25));
      this.#garble(made.usage);
    }
    return made;
  }

  start() {
    const waiting = this.#tasks((task) => task.isDriven && (awaitsProgram(openRun(task) ?? { task }) || this.dice.chance(0.05)));
    const task = this.dice.pick(waiting);
    return task && { target: task.name, promise: this.#promise('start') };
  }

  early() {
    const task = this.dice.pick(this.#tasks((one) => one.isDriven && one.runs.length === 1 && awaitsProgram(one.runs[0])));
    return task && { target: task.name, how: this.dice.pick(['report', 'complete', 'fail']) };
  }

  turn() {
    const run = this.dice.pick(this.#hosts((one) => !one.turnAsked && (!one.end || this.dice.chance(0.05))));
    if (!run) return undefined;
    const made = { run: this.#name(run), promise: this.#promise('turn') };
    if (this.dice.chance(0.15)) made.tokens = this.dice.int(1, 150);
    if (this.dice.chance(0.1)) made.costUsd = thousandths(this.dice.int(0, 90));
    if (this.dice.chance(0.2)) made.whole = true;
    // What becomes of a value that a policy meets is left to tests of their own.
    const isRuled = this.model.options.hasPolicies && !run.task.schema && this.dice.chance(0.4);
    return isRuled ? { ...made, ruling: { action: this.dice.pick(['inject', 'block', 'finish']), text: this.#text() } } : made;
  }

  report() {
    const { dice } = this;
    const run = dice.pick(this.#hosts());
    if (!run) return undefined;
    const made = { run: this.#name(run) };
    Object.assign(made, this.#used());
    if (dice.chance(0.5)) made.message = this.#text();
    return made;
  }

  mainReport() {
    const sessions = [...this.model.sessions.values()].filter((session) => !session.absent);
    const used = this.#used();
    return Object.keys(used).length > 0 && { by: this.dice.pick(['p', ...sessions.map(({ key }) => `s:${key}`)]), ...used };
  }

  /** What a turn has used. */
  #used() {
    const { dice } = this;
    const used = dice.chance(0.7) ? this.#told(dice.int(0, 40)) : {};
    if (dice.chance(used.inputTokens === undefined ? 0.6 : 0.2)) used.costUsd = thousandths(dice.int(0, 20));
    this.#garble(used);
    return used;
  }

  /** So many tokens more, by kind or not; of a run its total. */
  #told(more, run) {
    const { dice } = this;
    const said = dice.chance(0.1) ? { estimated: true } : {};
    if (dice.chance(0.1)) said.modelId = dice.pick(MODELS);
    if (dice.chance(0.5)) return { ...said, tokens: (run?.reported.tokens ?? 0) + more };
    const known = run ? kindsOf(run.of.tally) : {};
    const from = ([kind, most]) => [kind, (known[kind] ?? 0) + dice.int(0, most)];
    const outputTokens = from(['outputTokens', more])[1];
    // What was reported without kinds was input.
    const plain = run ? Math.max(0, run.reported.tokens - (known.inputTokens ?? 0) - (known.outputTokens ?? 0)) : 0;
    const inputTokens = (known.inputTokens ?? 0) + plain + more;
    const parts = KINDS.slice(2).map((kind) => [kind, Math.floor(more / 4)]);
    const some = Object.fromEntries(parts.filter(([kind]) => known[kind] !== undefined || dice.chance(0.5)).map(from));
    if (some.cacheWrite1hTokens !== undefined) {
      some.cacheWriteTokens ??= (known.cacheWriteTokens ?? 0) + Math.floor(more / 4);
      some.cacheWrite1hTokens = Math.min(some.cacheWrite1hTokens, some.cacheWriteTokens);
    }
    if (some.reasoningTokens !== undefined) some.reasoningTokens = Math.min(some.reasoningTokens, outputTokens);
    return { ...said, inputTokens, outputTokens, ...some };
  }

  /** Prices change, or rates, or how much may be spawned. */
  setLimits() {
    const { dice, model } = this;
    if (this.#isRated() && dice.chance(0.5)) return { rates: dice.chance(0.2) ? {} : ratesOf(dice) };
    if (Number.isFinite(model.maxSpawns) && dice.chance(0.5)) return { maxSpawns: Math.max(1, model.maxSpawns + dice.int(-1, 4)) };
    return dice.chance(0.5) && { prices: pricesOf(dice) };
  }

  /** Makes one of the reported figures invalid, now and then. */
  #garble(usage) {
    if (!this.dice.chance(0.1)) return;
    const figure = this.dice.pick([...DIMENSIONS, 'inputTokens'].filter((dimension) => usage[dimension] !== undefined));
    if (figure) usage[figure] = this.dice.pick([-1, UNREADABLE]);
  }

  /** Whether the program has set rates. */
  #isRated() {
    return Object.keys(this.model.options.rates).length > 0;
  }

  /** A model's provider refuses a run for a while, or says what it has left. */
  rateLimit() {
    const { dice } = this;
    const says = this.#isRated() && dice.chance(0.6);
    const run = dice.pick(this.#hosts((one) => says || one.task.rateLimitKey !== undefined));
    if (!run) return undefined;
    const retryAfterMs = dice.pick([30, 211, 1_307]);
    if (!says) return { run: this.#name(run), retryAfterMs };
    const left = { remainingRequests: dice.pick([undefined, 0, 1, 4]), remainingTokens: dice.pick([0, 70, 400]) };
    return { run: this.#name(run), ...left, ...(dice.chance(0.2) && { retryAfterMs }) };
  }

  /**
   * Has a run end badly that was answered, or the attempt in its place ask the same again: by chance, both together come
   * to pass once in a thousand lives.
   */
  #attempted() {
    const [again] = this.#hosts((run) => !run.end && run.replies?.length > 0);
    if (again && this.dice.chance(0.4)) return { do: 'ask', ...this.#ask(again, this.dice.pick(again.replies).question) };
    const [answered] = this.#hosts((run) => !run.end && run.task.retry && run.heard?.some((one) => one.question !== undefined));
    if (answered && this.dice.chance(0.3)) return { do: 'host', run: this.#name(answered), threw: 'broken' };
    return undefined;
  }

  /** A run asks. No two times for an answer are over at one moment. */
  ask() {
    const run = this.dice.pick(this.#hosts((one) => !one.end || this.dice.chance(0.05)));
    return run && this.#ask(run, `Which, ${this.#promises % 3}?`);
  }

  #ask(run, text) {
    const timeoutMs = this.dice.chance(0.2) ? undefined : 203 + 7 * this.#promises;
    return { run: this.#name(run), text, promise: this.#promise('ask'), timeoutMs };
  }

  answer() {
    const pair = this.#pair((task) => openRun(task)?.question !== undefined);
    return pair && { ...this.send(pair), do: 'send' };
  }

  wait() {
    const { dice } = this;
    const pair = this.#pair();
    if (!pair) return undefined;
    const siblings = pair.task.parent.children.filter((task) => !task.forgotten && task !== pair.task && dice.chance(0.4));
    return {
      by: pair.by,
      targets: [pair.task, ...siblings].map((task) => task.name),
      promise: this.#promise('wait'),
      mode: dice.pick(['any', 'all']),
      timeoutMs: dice.pick([0, 53, 307, 1_009, 5_003]),
    };
  }

  handleWait() {
    const task = this.dice.pick(this.#tasks((one) => this.#spawner(one) !== undefined));
    return task && { by: this.#spawner(task), target: task.name, promise: this.#promise('handle') };
  }

  #spawner(task) {
    if (task.process !== this.model.process) return undefined;
    if (task.parent.kind === 'session') return task.parent.key === null ? 'p' : `s:${task.parent.key}`;
    return task.byRun && !task.byRun.end && !task.byRun.returned ? `r:${this.#name(task.byRun)}` : undefined;
  }

  /** No two graces end at one moment: no rule says whose end comes first. */
  #grace() {
    return this.dice.chance(0.3) ? 0 : 50 + 3 * this.#promises;
  }

  cancel() {
    const pair = this.#pair((task) => isOpen(task) || this.dice.chance(0.1));
    return pair && { by: pair.by, target: pair.task.name, promise: this.#promise('cancel'), graceMs: this.#grace() };
  }

  close() {
    const pair = this.#pair((task) => openRun(task) !== undefined || this.dice.chance(0.3));
    return pair && { by: pair.by, target: pair.task.name, promise: this.#promise('close'), graceMs: this.#grace() };
  }

  resume() {
    const pair = this.#pair((task) => task.ended === 'closed' || this.dice.chance(0.03));
    return pair && { by: pair.by, target: pair.task.name, promise: this.#promise('resume') };
  }

  moveToBackground() {
    const pair = this.#pair((task) => (!task.background && openRun(task) !== undefined) || this.dice.chance(0.05));
    return pair && { by: pair.by, target: pair.task.name, promise: this.#promise('move') };
  }

  interrupt() {
    const pair = this.#pair((task) => openRun(task)?.started || this.dice.chance(0.1));
    return pair && { by: pair.by, target: pair.task.name, promise: this.#promise('interrupt'), graceMs: this.#grace() };
  }

  send(pair = this.#pair()) {
    return (
      pair && { by: pair.by, target: pair.task.name, text: this.#text(), mode: this.dice.pick([undefined, 'queue', 'steer', 'interrupt']) }
    );
  }

  pass() {
    return { ms: this.dice.pick([1, 19, 61, 151, 397, 1_103]) };
  }

  lease() {
    return { by: this.#actor(), max: this.dice.int(1, 3) };
  }

  ack() {
    const notice = this.dice.pick(this.model.notices);
    if (!notice) return undefined;
    const { node } = notice;
    const by = node.kind === 'session' && node.key !== null && !node.absent && this.dice.chance(0.5) ? `s:${node.key}` : 'p';
    return { by, notice: `${notice.run.task.name}#${notice.run.number}` };
  }

  forget() {
    const pair = this.#pair((task) => !isOpen(task) || this.dice.chance(0.1));
    return pair && { by: pair.by, target: pair.task.name };
  }

  cancelAll() {
    return { by: 'p', promise: this.#promise('cancelAll') };
  }

  // ── where a journal is kept

  checkpoint() {
    const run = this.dice.pick(this.#hosts((one) => !one.end || this.dice.chance(0.05)));
    return run && { run: this.#name(run), data: { at: ++this.#texts }, promise: this.#promise('checkpoint') };
  }

  save() {
    const run = this.dice.pick(this.#hosts((one) => !one.end || this.dice.chance(0.05)));
    return run && { run: this.#name(run), data: ++this.#texts, promise: this.#promise('save') };
  }

  flush() {
    return {};
  }

  compact() {
    return {};
  }

  /** A spawn under a key, or one of before again, or with other words. */
  keyed() {
    const { dice } = this;
    const before = dice.pick(this.#keyed);
    if (before && dice.chance(0.6)) {
      const again = { ...before, do: 'spawn', name: `t${++this.#names}` };
      if (!this.world.driver.scopes.has(before.by)) return undefined;
      if (dice.chance(0.2)) again.text = this.#text();
      return isInUse(this.model, again) ? { ...again, label: before.name } : again;
    }
    const made = this.spawn();
    if (!made) return undefined;
    // It is of one process, and not a part of what is asked for.
    made.schema = undefined;
    const keyed = { ...made, idempotencyKey: `key${this.#names}` };
    this.#keyed.push(keyed);
    return { ...keyed, do: 'spawn' };
  }

  #keyed = [];

  /** The process is killed, now or while something is kept, and the next one opens the journal. */
  kill() {
    const { dice } = this;
    const made = { lost: dice.pick(['fail', 'requeue', 'resume']), downMs: dice.pick([0, 0, 7, 400, 3_001]), sessions: [] };
    if (made.lost !== 'fail' && !this.model.options.isDriven) made.outlives = dice.chance(0.5);
    for (const key of this.model.sessions.keys()) if (dice.chance(0.6)) made.sessions.push(key);
    const { agents } = this.model.options;
    if (agents) made.agents = Object.keys(agents).filter(() => dice.chance(0.7));
    if (dice.chance(0.4)) {
      const during = this.next();
      if (during.do !== 'kill' && during.do !== 'flush' && during.do !== 'compact')
        Object.assign(made, { during, isKept: dice.chance(0.6) });
    }
    return made;
  }
}
