// One life: a manager, random operations, and after each the comparison; at the end everything is let end.

import * as clock from './clock.mjs';
import { differences } from './compare.mjs';
import { Driver, UNSEEN } from './driver.mjs';
import { isSkipped } from './known-differences.mjs';
import { Model } from './model/model.mjs';
import { Operations, optionsOf } from './operations.mjs';
import { Rng } from './rng.mjs';

/** Makes and lives the life of a seed. Gives `{ operations, difference }`; without a difference it went well. */
export async function live(SubAgentManager, seed, tell) {
  const rng = new Rng(seed);
  const options = optionsOf(rng);
  const length = rng.int(10, 70);
  const world = begin(SubAgentManager, options);
  const source = new Operations(rng, world.model);
  const operations = [];
  let difference;
  for (let number = 0; number < length && !difference; number++) {
    const operation = source.next();
    operations.push(operation);
    difference = await step(world, operation, tell);
  }
  if (!difference) difference = await finish(world, operations, tell);
  world.driver.manager.dispose();
  return { options, operations, difference };
}

/** Lives given operations again. Those that make no sense any more are left out. */
export async function replay(SubAgentManager, options, operations, tell) {
  const world = begin(SubAgentManager, options);
  let difference;
  for (const operation of operations) {
    if (!possible(world, operation) || isSkipped(world.model, operation)) continue;
    difference = await step(world, operation, tell);
    if (difference) break;
  }
  world.driver.manager.dispose();
  return difference;
}

function begin(SubAgentManager, options) {
  clock.restart();
  return { model: new Model(options), driver: new Driver(SubAgentManager, options) };
}

function possible({ model, driver }, operation) {
  const { by, target, targets = [], run, do: kind } = operation;
  if (by && !driver.scopes.has(by)) return false;
  if ([target, ...targets].some((name) => name !== undefined && !model.tasks.has(name))) return false;
  if (run === undefined) return true;
  const [task, number] = run.split('#');
  const found = model.tasks.get(task)?.runs[Number(number) - 1];
  return Boolean(found?.started && !found.hostReturned && !found.returned && !(kind === 'turn' && found.turnAsked));
}

async function step({ model, driver }, operation, tell) {
  tell?.(JSON.stringify(operation));
  const real = await driver.step(operation);
  if (real.value === UNSEEN) return undefined;
  model.seenCalls = driver.calls;
  model.seenCode = real.code;
  model.seenLease = operation.do === 'lease' ? real.value : undefined;
  const expected = model.step(operation);
  if (real.code !== expected.code) return [`the call: ${shown(real)}, must be ${shown(expected)}`];
  if (JSON.stringify(real.value) !== JSON.stringify(expected.value)) return [`the call: ${shown(real)}, must be ${shown(expected)}`];
  if (model.isDue()) {
    await driver.step({ do: 'pass', ms: 1 });
    model.step({ do: 'pass', ms: 1 });
  }
  const found = differences(model, driver);
  return found.length > 0 ? found : undefined;
}

function shown({ code, message, value }) {
  return code ? `refused with ${code}${message ? ` (${message})` : ''}` : `gives ${JSON.stringify(value) ?? 'undefined'}`;
}

/** Everything ends: hosts return, time passes, and no promise may be left open. */
async function finish(world, operations, tell) {
  const { model, driver } = world;
  const all = [{ do: 'drain', promise: 'drain0', timeoutMs: 500 }];
  const go = async (operation) => {
    operations.push(operation);
    return step(world, operation, tell);
  };
  for (const operation of all) {
    if (isSkipped(model, operation)) continue;
    const difference = await go(operation);
    if (difference) return difference;
  }
  for (let round = 0; round < 200; round++) {
    const run = model.live.find((one) => !one.hostReturned && !one.returned);
    if (!run) break;
    const difference = await go({ do: 'host', run: `${run.task.name}#${run.number}`, output: 'the end' });
    if (difference) return difference;
  }
  const difference = await go({ do: 'pass', ms: 20_000 });
  if (difference) return difference;
  const left = [...driver.promises].filter(([, kept]) => kept.state === 'open').map(([name]) => name);
  return left.length > 0 ? [`promises that never settled: ${left.join(', ')}`] : undefined;
}
