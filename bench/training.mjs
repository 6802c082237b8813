#!/usr/bin/env node
/**
 * The program that the module is optimised for: ordinary work, in the proportions of ordinary programs. `cargo xtask
 * profile` runs it with a module in `dist/` that counts branches, and compiles by the counts.
 *
 *   node bench/training.mjs COUNTS.txt
 */

import { writeFileSync } from 'node:fs';
import { SubAgentManager } from '../dist/index.js';
import { memoryStore } from '../dist/stores/memory.js';
import { countedInstances, profileOf } from './counters.mjs';
import { burst } from './loops/burst.mjs';
import { workers } from './loops/workers.mjs';
import { freshTexts } from './texts.mjs';

const [, , counts] = process.argv;
const IN_FLIGHT = 100;

const instances = countedInstances();
await plainWork();
if (counts === undefined || instances.length === 0) {
  process.stderr.write('`cargo xtask profile` runs this, with a file to write and a module in `dist/` that counts\n');
  process.exit(2);
}
await delegations();
await background();
await stored();
writeFileSync(counts, profileOf(instances));
process.exit(0);

/** Sub-agents of a program, with caps on what they use and without, which wait for a slot and which don't, with a listener and without. */
async function plainWork() {
  const spawnSubAgent = async ({ instructions }) => ({ output: instructions, usage: { tokens: 10, turns: 1, cost: 0.0001 } });
  const caps = { budget: { tokens: 1e12, costUsd: 1e6 }, taskBudget: { tokens: 10_000 } };
  for (const [options, cycles] of [
    [{ maxConcurrent: IN_FLIGHT, retain: 1000, ...caps }, 20_000],
    [{ maxConcurrent: IN_FLIGHT }, 400],
    [{ maxConcurrent: IN_FLIGHT / 4, maxQueued: IN_FLIGHT }, 400],
  ]) {
    const manager = new SubAgentManager({ spawnSubAgent, maxTasks: 100_000, maxChildren: 100_000, ...options });
    const call = (text) => manager.spawn({ instructions: text }).wait();
    await burst(call, freshTexts(cycles / 2, 200), IN_FLIGHT);
    await workers(call, freshTexts(cycles / 2, 200), IN_FLIGHT);
    manager.subscribe(() => {});
    await burst(call, freshTexts(100, 200), IN_FLIGHT);
    manager.dispose();
  }
}

/** A model's delegations by the tool: sub-agents that take turns, report what they use, and have sub-agents of their own. */
async function delegations() {
  const spawnSubAgent = async ({ instructions }, run) => {
    for (let turn = 0; turn < 3; turn++) {
      const permit = await run.beforeTurn();
      if (!permit.go) break;
      run.report({ tokens: 100 * (turn + 1), cost: 0.001 });
      if (turn === 1 && run.snapshot().depth < 2) await run.spawn({ instructions: `${instructions} in part` }).wait();
    }
    return { output: instructions };
  };
  const manager = new SubAgentManager({ spawnSubAgent, budget: { tokens: 1e9 } });
  const tool = manager.createTools().spawn_agent;
  for (let i = 0; i < 10; i++) {
    await Promise.all([1, 2, 3].map((part) => tool.execute({ instructions: `Read chapter ${part} of book ${i}`, name: `reader-${part}` })));
  }
  manager.dispose();
}

/** Work whose end comes as a notice, messages to what is over, and cancelling. */
async function background() {
  const spawnSubAgent = async ({ instructions }, run) => {
    if (instructions.startsWith('Wait')) await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
    return { output: instructions };
  };
  const manager = new SubAgentManager({ spawnSubAgent });
  for (let i = 0; i < 20; i++) {
    const handle = manager.spawn({ instructions: `Look for sources of ${i}`, background: true });
    await new Promise(setImmediate);
    for (const notice of manager.inbox.lease()) manager.inbox.ack(notice.deliveryId);
    await handle.send('Now read them');
    await handle.wait();
    await manager.spawn({ instructions: `Wait for ${i}` }).cancel();
    manager.list();
  }
  manager.dispose();
}

/** The same with a store. */
async function stored() {
  const spawnSubAgent = async ({ instructions }) => ({ output: instructions });
  const manager = await SubAgentManager.open({ spawnSubAgent, store: memoryStore(), maxConcurrent: IN_FLIGHT, maxChildren: 1_000 });
  await burst((text) => manager.spawn({ instructions: text }).wait(), freshTexts(200, 200), IN_FLIGHT);
  await manager.dispose();
}
