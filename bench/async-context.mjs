// What an async context costs: an `await` in this runtime without one, and within `AsyncLocalStorage.run`. `node
// bench/async-context.mjs`. If it is less than a twentieth, managers follow their runs (`asyncContext`).

import { AsyncLocalStorage } from 'node:async_hooks';

const AWAITS = 1e6;
const ROUNDS = 9;

const leaf = async (value) => value;

/** Nanoseconds for each `await` of a call, in the middle of several rounds. */
async function measured() {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    for (let turn = 0; turn < AWAITS; turn += 1) await leaf(turn);
    rounds.push(((performance.now() - began) / AWAITS) * 1e6);
  }
  return rounds.sort((a, b) => a - b)[ROUNDS >> 1];
}

const without = await measured();
const within = await new AsyncLocalStorage().run({}, measured);
const more = Math.round((within / without - 1) * 100);
console.log(`${process.version}: an await takes ${without.toFixed(0)} ns, in a context ${within.toFixed(0)} ns: ${more} % more`);
