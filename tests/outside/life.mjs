// One life: a manager, random operations, and after each the comparison; at the end everything is let end. Where a journal is
// kept, the life has one process after the other.

import { Dice } from '../support/dice.mjs';
import * as clock from './clock.mjs';
import { differences } from './compare.mjs';
import { Driver, UNSEEN } from './driver.mjs';
import { isSkipped } from './known-differences.mjs';
import { adopt } from './model/budget.mjs';
import { nextStart, staggers } from './model/cooldowns.mjs';
import { awaitsProgram } from './model/driving.mjs';
import { Model } from './model/model.mjs';
import { isStartOverRate } from './model/rates.mjs';
import { isInUse } from './model/restart.mjs';
import { Disk } from './mortal-store.mjs';
import { Operations } from './operations.mjs';
import { optionsOf, storeOf } from './options.mjs';

/** Every so many-th life keeps a journal and is killed again and again. */
const KEPT_EVERY = 3;

/** Makes and lives the life of a seed. Gives `{ options, operations, difference }`; without a difference it went well. */
export async function live(pack, seed, tell) {
  const dice = new Dice(seed);
  const options = optionsOf(dice);
  const length = dice.int(10, 70);
  if (seed % KEPT_EVERY === 0) options.kept = storeOf(dice);
  const world = await begin(pack, options);
  const source = new Operations(dice, world, options.kept);
  const operations = [];
  let difference;
  for (let number = 0; number < length && !difference; number++) {
    const operation = source.next();
    operations.push(operation);
    difference = await step(world, operation, tell);
  }
  if (!difference) difference = await finish(world, operations, tell);
  await end(world);
  return { options, operations, difference, counts: world.model.counts };
}

/** Lives given operations again. Those that make no sense any more are left out. */
export async function replay(pack, options, operations, tell) {
  const world = await begin(pack, options);
  let difference;
  for (const operation of operations) {
    if (!possible(world, operation) || isSkipped(world.model, operation)) continue;
    difference = await step(world, operation, tell);
    if (difference) break;
  }
  await end(world);
  return difference;
}

async function begin({ SubAgentManager, storeIn }, { kept, ...given }) {
  clock.restart();
  const options = { ...given, ...kept?.bounds };
  const disk = kept && new Disk(storeIn(kept.kind));
  const world = {
    options,
    kept,
    disk,
    model: new Model(options, Boolean(disk)),
    driver: new Driver(SubAgentManager, options, disk),
    acts: [],
    safe: 0,
  };
  if (disk) {
    await world.driver.open(settingsOf(world));
    did(world, (model) => model.step({ do: 'pass', ms: 1 }));
    world.safe = world.acts.length;
  }
  return world;
}

/** In `batched` nothing is kept before it is asked for: what is lost is known to a life, and so is what isn't. */
function settingsOf({ kept: { durability } }, lost = 'fail') {
  return { durability, flushMs: 1e9, compactBytes: Number.POSITIVE_INFINITY, onHostLost: lost };
}

async function end({ driver, disk }) {
  driver.manager.dispose();
  await disk?.kill();
}

/** Has the model do what the package did; it can be done again. */
function did(world, act) {
  world.acts.push(act);
  return act(world.model);
}

/** What the package has decided where the rules leave it open, for the model to follow. */
function seenBy({ calls, waits, driven }, real, kind) {
  const seenDriven = [...driven];
  const [seenCalls, seenCode, seenLease] = [[...calls], real.code, kind === 'lease' ? real.value : undefined];
  return (model) => Object.assign(model, { seenCalls, seenDriven, seenCode, seenLease, seenWaits: waits });
}

function possible({ model, driver }, operation) {
  const { by, target, targets = [], run, do: kind } = operation;
  if (by && !driver.scopes.has(by)) return false;
  if (operation.label !== undefined && !isInUse(model, operation)) return false;
  if ([target, ...targets].some((name) => name !== undefined && !model.tasks.has(name))) return false;
  if (kind === 'handleWait' && !driver.handles.has(target)) return false;
  if (run === undefined) return true;
  if (!driver.hosts.has(run)) return false;
  const [task, number] = run.split('#');
  const found = model.tasks.get(task)?.runs[Number(number) - 1];
  return Boolean(found?.started && !found.hostReturned && !found.returned && !(kind === 'turn' && found.turnAsked));
}

async function step(world, operation, tell) {
  tell?.(JSON.stringify(operation));
  try {
    return await (operation.do === 'kill' ? restart(world, operation) : act(world, operation));
  } catch (error) {
    return [error.stack ?? String(error)];
  }
}

async function act(world, operation) {
  const { driver } = world;
  const real = await driver.step(operation);
  if (real.value === UNSEEN) return undefined;
  const seen = seenBy(driver, real, operation.do);
  const expected = did(world, (model) => {
    seen(model);
    return model.step(operation);
  });
  if (real.code !== expected.code) return [`the call: ${shown(real)}, must be ${shown(expected)}`];
  if (JSON.stringify(real.value) !== JSON.stringify(expected.value)) return [`the call: ${shown(real)}, must be ${shown(expected)}`];
  await fireDue(world);
  const found = compared(world);
  if (world.kept?.durability === 'sync' || operation.do === 'flush' || operation.do === 'compact') world.safe = world.acts.length;
  return found;
}

/** What is due at this very moment fires a millisecond later. */
async function fireDue(world) {
  const { driver } = world;
  if (!world.model.isDue()) return;
  await driver.step({ do: 'pass', ms: 1 });
  const seen = seenBy(driver, {});
  did(world, (model) => {
    seen(model);
    model.step({ do: 'pass', ms: 1 });
  });
}

function compared(world) {
  const { model, driver } = world;
  model.adopted = [];
  const found = differences(model, driver);
  const { adopted } = model;
  if (adopted.length > 0) {
    world.acts.push((again) => {
      for (const { run, amounts } of adopted) adopt(again, again.runOf(run), amounts);
    });
  }
  return found.length > 0 ? found : undefined;
}

/**
 * The process is killed, perhaps while what an operation decides is being kept; the next one opens the journal. `isKept`: the
 * store has it by then, and the process died before it learned of that, so that the next one has what was reported to nobody (J1).
 */
async function restart(world, { during, isKept, lost, outlives, downMs, sessions, agents }) {
  const { driver, disk, kept } = world;
  let unheard;
  if (during && possible(world, during) && !isSkipped(world.model, during)) {
    const silent = () => JSON.stringify([driver.calls, driver.aborts]);
    const before = silent();
    const keeps = Boolean(isKept) && kept.durability === 'sync' && isDetermined(world.model, during);
    disk.hang(keeps);
    const real = await driver.step(during);
    if (keeps && real.value !== UNSEEN) unheard = seenBy(driver, real, during.do);
    if (kept.durability === 'sync' && silent() !== before) return [`before ${during.do} was kept: ${silent()}, must be ${before}`];
  }
  await driver.kill(downMs);
  rollBack(world);
  if (unheard) {
    did(world, (model) => {
      unheard(model);
      return model.step(during);
    });
  }
  driver.dropLost((name) => !world.model.tasks.has(name));
  const known = sessions.filter((key) => world.model.sessions.has(key));
  // A process that begins to work in the very millisecond in which something may start asks for its timer then, which fires later.
  if (nextStart(world.model) === clock.time() + 1) clock.sleep(1);
  const at = clock.time();
  await driver.open(settingsOf(world, lost), known, outlives, agents);
  const seen = seenBy(driver, {});
  did(world, (model) => {
    seen(model);
    model.now = at;
    model.reopen(lost, outlives, agents);
    for (const key of known) model.step({ do: 'session', key });
    model.step({ do: 'begin' });
  });
  await fireDue(world);
  const found = compared(world);
  if (world.kept.durability === 'sync') world.safe = world.acts.length;
  return found;
}

/** Whether the rules leave no choice in what an operation decides: nothing could be seen of what was chosen. */
function isDetermined(model, { do: kind }) {
  return ['spawn', 'send', 'report', 'checkpoint', 'save', 'ack', 'forget'].includes(kind) && model.queue.length === 0;
}

/** What wasn't kept is lost: the model's past is what the journal holds. */
function rollBack(world) {
  if (world.acts.length > world.safe) {
    world.acts.length = world.safe;
    world.model = new Model(world.options, true);
    for (const act of world.acts) act(world.model);
  }
}

function shown({ code, message, value }) {
  return code ? `refused with ${code}${message ? ` (${message})` : ''}` : `gives ${JSON.stringify(value) ?? 'undefined'}`;
}

/** A drain is under way: some hosts return, the others are asked to stop; what is left is the next process's. */
async function handOver(world, go) {
  const running = world.model.live.filter((one) => !one.hostReturned && !one.returned);
  for (const [at, run] of running.entries()) {
    const difference = at % 2 === 0 && (await go({ do: 'host', run: `${run.task.name}#${run.number}`, output: 'before the end' }));
    if (difference) return difference;
  }
  const difference = await go({ do: 'pass', ms: 5_000 });
  if (difference) return difference;
  const left = [...world.driver.promises].filter(([, kept]) => kept.state === 'open').map(([name]) => name);
  if (left.includes('drain0')) return ['the drain never ended'];
  const sessions = [...world.model.sessions.keys()];
  return go({ do: 'kill', lost: 'requeue', downMs: 5, sessions });
}

/** Everything ends: hosts return, time passes, and no promise may be left open. */
async function finish(world, operations, tell) {
  const go = async (operation) => {
    operations.push(operation);
    return step(world, operation, tell);
  };
  const drain = { do: 'drain', promise: 'drain0', timeoutMs: 500 };
  const drained = isSkipped(world.model, drain) ? undefined : await go(drain);
  if (drained) return drained;
  if (world.disk) {
    const handedOver = await handOver(world, go);
    if (handedOver) return handedOver;
  }
  for (let round = 0; round < 200; round++) {
    const run = world.model.live.find((one) => !one.hostReturned && !one.returned);
    const rated = world.model.queue.some(({ task }) => isStartOverRate(world.model, task));
    const isDone = !run && !staggers(world.model) && !rated && world.model.queue.every((one) => one.dueAt === undefined);
    if (isDone) break;
    const name = run && `${run.task.name}#${run.number}`;
    const ms = rated ? 10_000 : 100;
    const difference = await go(run ? { do: 'host', run: name, output: 'the end', value: { n: 0 } } : { do: 'pass', ms });
    if (difference) return difference;
  }
  const difference = await go({ do: 'pass', ms: 20_000 });
  if (difference) return difference;
  const left = [...world.driver.promises].filter(([, kept]) => kept.state === 'open').map(([name]) => name);
  if (left.length > 0) return [`promises that never settled: ${left.join(', ')}`];
  const queue = world.model.queue.filter((run) => !awaitsProgram(run));
  return world.disk && queue.length > 0 ? [`work that never began: ${queue.map((run) => run.task.name).join(', ')}`] : undefined;
}
