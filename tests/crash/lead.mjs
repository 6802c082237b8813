// A program with a manager and a store, to be killed at any moment: it goes on with what the last one left, and has
// random work done. Owns what it does, and that it writes down what it is about to do and what it got, in a log of
// its own. What is written stays, whatever kills the process; only a machine that goes down could take it.
//
// Marks on its standard output say when a kill would hit something: `s` started, `o` opened, `a` an append begins, `c` a
// compaction, `e` a host function is about to return, `f` finished.

import { openSync, writeSync } from 'node:fs';
import { readJournal } from '../../dist/journal.js';
import { SubAgentManager } from '../../dist/node.js';
import { Dice } from '../support/dice.mjs';
import { storeOf } from './stores.mjs';

const { folder, kind, seed, life, durability, onHostLost, cap, compactBytes, isLast, since, keys, port } = JSON.parse(process.argv[2]);
const file = openSync(`${folder}/log`, 'a');
const log = (what, entry = {}) => writeSync(file, `${JSON.stringify({ what, life, ...entry })}\n`);
const mark = (letter) => writeSync(1, letter);
const dice = new Dice(`${seed}.${life}`);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A store that writes down what it is asked for. */
function watched(store) {
  let appends = 0;
  let compactions = 0;
  return {
    journal: store.journal,
    open: () => store.open(),
    close: () => store.close(),
    async append(record) {
      appends += 1;
      const number = appends;
      log('append', { number });
      mark('a');
      await store.append(record);
      log('appended', { number });
    },
    async compact(snapshot, through) {
      compactions += 1;
      const number = compactions;
      log('compact', { number, through });
      mark('c');
      await store.compact(snapshot, through);
      log('compacted', { number });
    },
  };
}

/** What of an event is held against the program's log. */
function told({
  type,
  seq,
  taskId = null,
  run = null,
  status,
  stopReason: reason,
  usage,
  notice,
  delivery,
  deliveryId,
  parentId,
  background,
  spec,
}) {
  return {
    type,
    seq,
    taskId,
    run,
    status,
    reason,
    tokens: usage?.tokens,
    notice,
    delivery,
    deliveryId,
    parentId,
    background,
    key: spec?.metadata?.key,
  };
}

/** Writes down the events of the journal that are not known yet, as it lies in the store. */
async function checkJournal() {
  const { store, end } = await storeOf(kind, folder, port, { readOnly: true });
  const journal = await readJournal(store);
  log('journal', { from: journal.snapshotSeq });
  for await (const { seq, event } of journal) {
    if (seq <= since.seq) continue;
    log('found', told(event));
    since.seq = seq;
  }
  await journal[Symbol.asyncDispose]();
  await end();
}

mark('s');
await checkJournal();
const { store, end } = await storeOf(kind, folder, port, {});

/** Host functions go by what stands in their instructions. */
async function spawnSubAgent(_, run) {
  const task = JSON.parse(run.prompt);
  const about = { taskId: run.taskId, run: run.run };
  const from = run.checkpointed?.turn ?? 0;
  log('host', { ...about, key: task.key, checkpointed: run.checkpointed ?? null });
  let used = 0;
  for (let turn = from; turn < task.turns; turn += 1) {
    const { go } = await run.beforeTurn({ tokens: 50 });
    if (!go) return { output: 'stopped', status: 'cancelled' };
    log('turn', { ...about, used });
    await pause(task.ms);
    used += task.tokens;
    log('report', { ...about, used });
    run.report({ tokens: task.tokens, message: `turn ${turn}` });
    if (task.checkpoints) {
      log('checkpoint', { ...about, turn: turn + 1 });
      await run.checkpoint({ turn: turn + 1 });
      log('checkpointed', { ...about, turn: turn + 1 });
    }
  }
  for (const [at, child] of task.children.entries()) {
    const key = `${task.key}/${at}#${run.run}`;
    const handle = run.spawn({ ...spawnOf({ ...child, key }), background: child.background });
    if (!child.background) await handle.wait();
  }
  if (task.fails && run.run === 1) throw new Error('the first time');
  log('ending', { ...about, used });
  mark('e');
  return { output: `${task.key} is done`, usage: { tokens: used } };
}

function taskOf(depth) {
  const children = depth === 0 ? [] : Array.from({ length: dice.chance(0.3) ? 1 + dice.below(2) : 0 }, () => taskOf(depth - 1));
  return {
    turns: 1 + dice.below(3),
    tokens: 10 + dice.below(40),
    ms: dice.below(4),
    checkpoints: dice.chance(0.5),
    fails: dice.chance(0.1),
    background: dice.chance(0.5),
    children,
  };
}

function spawnOf(task) {
  return {
    instructions: JSON.stringify(task),
    idempotencyKey: task.key,
    metadata: { key: task.key },
    ...(task.cap && { budget: { tokens: task.cap } }),
  };
}

const manager = await SubAgentManager.open({
  store: watched(store),
  durability,
  flushMs: 3,
  compactBytes: compactBytes ?? Number.POSITIVE_INFINITY,
  onHostLost,
  maxConcurrent: 3,
  maxDepth: 3,
  retain: 100_000,
  maxDeliveries: 10_000,
  graceMs: 200,
  retry: { max: 1, backoffMs: 1, on: ['host_threw'] },
  ...(cap !== null && { budget: { tokens: cap } }),
  spawnSubAgent,
});
const sessions = [manager, manager.session('ann'), manager.session('bob')];
manager.subscribe((event) => log('told', told(event)));
view('opened');
mark('o');

/** Writes down how all stands. */
function view(what) {
  const tasks = manager.list().items.map(({ taskId, parentId, status, run, output, background, usage, budget, metadata }) => {
    const { spent, reserved, cap } = budget.tokens;
    return {
      taskId,
      parentId,
      status,
      run,
      output,
      background,
      used: usage.tokens,
      spent,
      reserved,
      cap: Number.isFinite(cap) ? cap : null,
      key: metadata?.key,
    };
  });
  const notices = sessions.flatMap(({ inbox }) => inbox.peek()).map(({ deliveryId, taskId, run }) => ({ deliveryId, taskId, run }));
  const { spent, reserved } = manager.budget().tokens;
  log(what, { tasks, notices, spent, reserved });
}

/** Resolves once all that was decided is kept; what was delivered until then is acknowledged. */
async function flushed(what, entry) {
  flushes += 1;
  const flush = flushes;
  log('flush', { flush });
  await manager.flush();
  log(what, { ...entry, flush });
}
let flushes = 0;

const isOpen = ({ status }) => status === 'pending' || status === 'running';

function spawn(task, place) {
  log('spawn', { key: task.key, place, task });
  const { taskId } = sessions[place].spawn({ ...spawnOf(task), background: task.background });
  return flushed('spawned', { key: task.key, taskId });
}

async function collect(place) {
  for (const { deliveryId, taskId, run, attempt } of sessions[place].inbox.lease({ max: 1 + dice.below(4) })) {
    log('leased', { deliveryId, taskId, run, attempt });
    if (dice.chance(0.3)) continue;
    log('ack', { deliveryId, taskId, run });
    const isFirst = sessions[place].inbox.ack(deliveryId);
    await flushed('acked', { deliveryId, taskId, run, isFirst });
  }
}

async function cancel() {
  const open = manager.list().items.filter(isOpen);
  if (open.length === 0) return;
  const { taskId } = dice.pick(open);
  log('cancel', { taskId });
  await manager.cancel(taskId, { graceMs: 100 });
  const { status } = manager.get(taskId);
  if (durability === 'sync') log('cancelled', { taskId, status });
  else await flushed('cancelled', { taskId, status });
}

/** Not waited for: work goes on meanwhile. */
async function compact() {
  if (compactBytes === null) return;
  void manager.compact();
}

async function addBudget() {
  const capped = manager.list().items.filter((task) => isOpen(task) && Number.isFinite(task.budget.tokens.cap));
  if (capped.length === 0) return;
  const { taskId } = dice.pick(capped);
  log('raise', { taskId, tokens: 100 });
  manager.addBudget({ tokens: 100 }, taskId);
  await flushed('raised', { taskId, tokens: 100 });
}

async function send() {
  const ended = manager.list().items.filter(({ status, parentId }) => status === 'completed' && parentId === null);
  if (ended.length === 0) return;
  const { taskId, instructions } = dice.pick(ended);
  log('send', { taskId });
  manager.send(taskId, instructions);
  await flushed('sent', { taskId });
}

const ACTS = [
  ...Array(5).fill(async () => {
    if (manager.list().items.filter(isOpen).length > 10) return pause(2);
    made += 1;
    const task = { ...taskOf(2), key: `${life}.${made}` };
    return spawn(dice.chance(0.2) ? { ...task, cap: 2_000 } : task, dice.below(3));
  }),
  ...Array(3).fill(() => collect(dice.below(3))),
  cancel,
  compact,
  addBudget,
  send,
  () => pause(dice.below(5)),
];
let made = 0;

/** Random work until the process is killed; what is refused for lack of budget is no fault. */
async function work() {
  for (let acts = 0; acts < 10_000; acts += 1)
    await dice
      .pick(ACTS)()
      .catch((error) => {
        if (!['budget_exhausted', 'wrong_status', 'queue_full'].includes(error.code)) throw error;
      });
}

/** All that was ever asked for is asked for again, and comes to its end. */
async function finish() {
  for (const { key, place, task } of keys) await spawn({ ...task, key }, place).catch((error) => log('refused', { key, code: error.code }));
  while (manager.list().items.some(isOpen)) {
    for (const place of [0, 1, 2]) await collect(place);
    await pause(2);
  }
  for (const { inbox } of sessions)
    for (const { deliveryId, taskId, run } of inbox.peek())
      await flushed('acked', { deliveryId, taskId, run, isFirst: inbox.ack(deliveryId) });
  await manager.flush();
  view('ended');
  await manager[Symbol.asyncDispose]();
  await end();
  log('over');
  await checkJournal();
  mark('f');
}

await (isLast ? finish() : work());
process.exit(0);
