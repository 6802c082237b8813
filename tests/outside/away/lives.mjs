// Lives over processes and a network: workers carry out what a lead has them do, all over a proxy that delays, loses and doubles
// bytes, and in mid-life the lead is killed and the next one goes on. Held against what the reference model says: each run ends
// once, as the model says, nothing that a host function returned is lost, and the ledger adds up.

import { fork, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Dice } from '../../support/dice.mjs';
import { faultsOf } from './check.mjs';
import { allOf, claimsOf, planOf } from './plan.mjs';
import { unreliable } from './proxy.mjs';

const { folder, lives, start, verbose } = JSON.parse(process.argv[2]);
const say = (line) => writeSync(1, `${line}\n`);
const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const { readJournal } = createRequire(`${folder}/package.json`)('subagents/journal');
const { fileStore } = createRequire(`${folder}/package.json`)('subagents/store/file');

/** So long the network is as it is, and so long a life may take: then all of it is ended, whatever it does. */
const UNRELIABLE_MS = 15_000;
const LONGEST_MS = 150_000;

async function startRedis() {
  const port = await new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const found = server.address().port;
      server.close(() => resolve(found));
    });
  });
  const args = ['redis-server', '--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'];
  const server = spawn(process.execPath, [pathOf('../../support/ends-with-starter.mjs'), ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  await new Promise((resolve, reject) => {
    server.stdout.setEncoding('utf8').on('data', (text) => text.includes('Ready to accept connections') && resolve());
    server.once('exit', () => reject(new Error('redis-server ended')));
  });
  return { port, stop: () => server.stdin.end() };
}

/** The processes of a life; they end with it. */
class Cast {
  #all = [];
  #given;

  constructor(given) {
    this.#given = JSON.stringify(given);
  }

  start(name) {
    const child = fork(pathOf(name), [this.#given], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const made = {
      exited: new Promise((resolve) => child.once('exit', (code) => resolve(code))),
      ready: new Promise((resolve) => child.once('message', resolve)),
      kill: () => child.kill('SIGKILL'),
    };
    this.#all.push(made);
    return made;
  }

  async end() {
    for (const { kill } of this.#all) kill();
    await Promise.all(this.#all.map(({ exited }) => exited));
  }
}

const linesOf = (place) => {
  try {
    const lines = readFileSync(`${place}/log`, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
};

/** Lives the life of a seed; gives what is wrong with it, a line each, and what happened to its network. */
async function live(seed, redis) {
  const dice = new Dice(seed * 7_919);
  const plan = planOf(seed);
  const place = `${folder}/away-${seed}`;
  mkdirSync(place);
  const proxy = await unreliable(dice, redis.port);
  const cast = new Cast({ folder, place, port: proxy.port, queue: `life-${seed}`, seed });
  const deadline = Date.now() + LONGEST_MS;
  try {
    const workers = [cast.start('worker.mjs'), cast.start('worker.mjs')];
    await Promise.race([Promise.all(workers.map(({ ready }) => ready)), pause(LONGEST_MS)]);
    const quiet = setTimeout(proxy.quiet, UNRELIABLE_MS);
    const first = cast.start('lead.mjs');
    let hasEnded = false;
    first.exited.then(() => {
      hasEnded = true;
    });
    // It dies once it has had so many called.
    const called = Math.ceil(allOf(plan).length * (0.3 + 0.5 * dice.next()));
    while (!hasEnded && Date.now() < deadline && linesOf(place).filter(({ what }) => what === 'host').length < called) await pause(10);
    const second = cast.start('lead.mjs');
    await pause(dice.int(0, 500));
    first.kill();
    const code = await Promise.race([second.exited, pause(Math.max(0, deadline - Date.now())).then(() => 'late')]);
    clearTimeout(quiet);
    if (code !== 0) return { faults: [`the second lead has not ended its work: ${code}`], happened: proxy.happened };
    const journal = await readJournal(fileStore(`${place}/journal`, { readOnly: true }));
    const events = [];
    for await (const { event } of journal) events.push(event);
    await journal[Symbol.asyncDispose]();
    return { faults: faultsOf({ claims: claimsOf(plan), lines: linesOf(place), events }), happened: proxy.happened };
  } finally {
    await cast.end();
    await proxy.close();
    if (!verbose) rmSync(place, { recursive: true, force: true });
  }
}

const redis = await startRedis();
const sums = {};
let failed = 0;
for (let seed = start; seed < start + lives; seed++) {
  const { faults, happened } = await live(seed, redis);
  for (const [what, times] of Object.entries(happened)) sums[what] = (sums[what] ?? 0) + times;
  if (faults.length === 0) continue;
  failed++;
  say(`\nseed ${seed} over workers, with ${JSON.stringify(happened)}`);
  for (const fault of faults) say(`  ✗ ${fault}`);
}
redis.stop();
for (const [what, times] of Object.entries(sums)) say(`${String(times).padStart(9)} network: ${what}`);
// A network on which nothing happens would show nothing.
const missing = Object.keys(sums).filter((what) => sums[what] === 0);
if (missing.length > 0) say(`the network did nothing of this: ${missing.join(', ')}`);
say(`${lives - failed} passed, ${failed} failed over workers`);
process.exit(failed > 0 || missing.length > 0 ? 1 : 0);
