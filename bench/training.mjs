#!/usr/bin/env node
/**
 * The program that the module is compiled for: ordinary work, in the shares of ordinary programs. `cargo xtask profile` runs it
 * where `dist/` has a module that counts which ways its functions take, and compiles by what it writes.
 *
 *   node bench/training.mjs COUNTS.txt
 *
 * The counts are written in the text form of `llvm-profdata`: for each function its name, the hash of its branches, how many
 * counters there are, and these.
 */

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { SubAgentManager } from '../dist/index.js';
import { memoryStore } from '../dist/stores/memory.js';
import { burst } from './loops/burst.mjs';
import { workers } from './loops/workers.mjs';
import { freshTexts } from './texts.mjs';

const [, , counts] = process.argv;
const IN_FLIGHT = 100;
/** The bytes of the record that LLVM has for each function on 32 bits (`INSTR_PROF_DATA`), and where its fields are. */
const RECORD = { size: 48, name: 0, hash: 8, counters: 16, count: 32 };

const instances = countedInstances();
await plainWork();
await delegations();
await background();
await stored();
writeFileSync(counts, profileOf(instances));
process.exit(0);

/** Sub-agents of a program, with caps on what they use and without, which wait for a slot and which don't, told to a listener or nobody. */
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

/** Every instance that is made of a counting module, from now on. */
function countedInstances() {
  const made = [];
  const { Instance } = WebAssembly;
  WebAssembly.Instance = function counted(...of) {
    const instance = new Instance(...of);
    // Node has modules of its own.
    if ('__start___llvm_prf_data' in instance.exports) made.push(instance.exports);
    return instance;
  };
  return made;
}

/** What all of them counted, added up. */
function profileOf(counted) {
  const sums = new Map();
  for (const exports of counted) {
    const memory = new DataView(exports.memory.buffer);
    const names = namesOf(exports);
    const [start, end] = sectionOf(exports, 'data');
    for (let at = start; at < end; at += RECORD.size) {
      const name = names.get(memory.getBigUint64(at + RECORD.name, true));
      const count = memory.getUint32(at + RECORD.count, true);
      if (name === undefined || count === 0) throw new Error(`the record at ${at} is none: LLVM has changed its form`);
      const from = at + memory.getInt32(at + RECORD.counters, true);
      const key = `${name}\n${memory.getBigUint64(at + RECORD.hash, true)}\n${count}`;
      const before = sums.get(key);
      sums.set(
        key,
        Array.from({ length: count }, (_, index) => memory.getBigUint64(from + 8 * index, true) + (before?.[index] ?? 0n)),
      );
    }
  }
  const functions = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  return `:ir\n${functions.map(([key, each]) => `${key}\n${each.join('\n')}\n`).join('\n')}`;
}

/** The names of functions by their hash, as records refer to them. */
function namesOf(exports) {
  const [start, end] = sectionOf(exports, 'names');
  const bytes = Buffer.from(exports.memory.buffer, start, end - start);
  const names = new Map();
  let at = 0;
  const number = () => {
    let [value, shift, byte] = [0, 0, 0];
    do {
      byte = bytes[at++];
      value += (byte & 0x7f) * 2 ** shift;
      shift += 7;
    } while (byte & 0x80);
    return value;
  };
  while (at < bytes.length) {
    const [length, compressed] = [number(), number()];
    const size = compressed || length;
    const text = bytes.subarray(at, at + size);
    at += size;
    for (const name of (compressed ? inflateSync(text) : text).toString('latin1').split('\x01')) {
      names.set(createHash('md5').update(name, 'latin1').digest().readBigUInt64LE(0), name);
    }
  }
  return names;
}

function sectionOf(exports, name) {
  return ['start', 'stop'].map((end) => exports[`__${end}___llvm_prf_${name}`].value);
}
