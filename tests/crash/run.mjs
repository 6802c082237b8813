// `npm run test:crash`: programs with a manager and a store are killed at random, while an append, a compaction or an end
// is in flight, and go on. After each kill the next process's findings and the program's own log are held against the
// rules; at last all that was asked for has to be done.
//
//   --kills N        how many processes are killed over a file; SQLite and Redis take a tenth each. Default: 500
//   --store WORDS    only these stores, comma between them: file, sqlite, redis
//   --seed TEXT      the same dice again; what the system does in between it doesn't repeat
//   --keep           leaves what was written, and says where

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, misused, readOptions, whole } from '../../scripts/run.mjs';
import { Dice } from '../support/dice.mjs';
import { faultsOf, inFlight } from './check.mjs';
import { nodeFor, startRedis } from './stores.mjs';

/** How many processes of one store are killed, one after the other. */
const LIVES = 25;
const lead = fileURLToPath(new URL('lead.mjs', import.meta.url));
const runtimes = fileURLToPath(new URL('../runtimes', import.meta.url));
const usage = 'npm run test:crash -- [--kills N] [--store WORDS] [--seed TEXT] [--keep]';
const strings = { kills: { type: 'string' }, store: { type: 'string' }, seed: { type: 'string' } };
const given = readOptions({ ...strings, keep: { type: 'boolean' } }, usage);
const { store, seed = String(Date.now()), keep } = given;
const kills = whole('kills', given.kills ?? '500', usage, { from: 1 });
const shares = { file: kills, sqlite: Math.ceil(kills / 10), redis: Math.ceil(kills / 10) };
const unknown = store?.split(',').find((kind) => !Object.hasOwn(shares, kind));
if (unknown !== undefined) misused(`There is no store ${unknown}; there are ${Object.keys(shares).join(', ')}`, usage);
const kinds = Object.keys(shares).filter((kind) => store === undefined || store.split(',').includes(kind));
const folder = mkdtempSync(join(tmpdir(), 'subagents-crash-'));
const began = Date.now();

/** What the processes of a world have logged. A kill may tear the last line (a write ends at the edge of a page): it is cut off. */
function linesOf(world) {
  const path = `${world.folder}/log`;
  const text = readFileSync(path, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole !== text) truncateSync(path, Buffer.byteLength(whole));
  return whole
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** One process: it is killed as the plan says, or runs to its end. Rejects where it ends by itself before. */
function live(world, life, isLast) {
  const known = linesOf(world);
  const since = { seq: Math.max(0, ...known.filter(({ what }) => what === 'found').map(({ seq }) => seq)) };
  const keys = isLast ? known.filter(({ what }) => what === 'spawn') : [];
  const told = JSON.stringify({ ...world.told, folder: world.folder, life, isLast, since, keys });
  const child = spawn(world.node, [lead, told], { stdio: ['ignore', 'pipe', 'pipe'] });
  const dice = new Dice(`${world.told.seed}.${life}.kill`);
  const when = isLast ? '' : dice.pick(['s', ...'ooo', ...'aaaaa', ...'eeee', ...(world.told.compactBytes === null ? '' : 'cccccc')]);
  let left = 'soc'.includes(when) ? 1 : 1 + dice.below(when === 'a' ? 20 : 3);
  let timer;
  let [said, errors] = ['', ''];
  const kill = () => child.kill('SIGKILL');
  const killIn = (ms) => {
    timer ??= setTimeout(kill, ms);
  };
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  child.stdout.setEncoding('utf8').on('data', (marks) => {
    said += marks;
    for (const mark of marks) {
      if (mark === when) left -= 1;
      if (left > 0 || mark !== when) continue;
      if (when === 's' || when === 'o') killIn(dice.below(when === 's' ? 30 : 60));
      else kill();
    }
    // What was to be killed in may not come.
    if (!isLast && said.includes('o') && when !== 'o') killIn(120);
  });
  const late = setTimeout(kill, 120_000);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      clearTimeout(late);
      if (isLast ? code === 0 : signal === 'SIGKILL') resolve();
      else reject(new Error(`${world.name}, life ${life}: it ended by itself with ${code ?? signal}: ${errors}`));
    });
  });
}

/** A store's world: so many processes that are killed, and a last one that finishes. */
async function run(world, count) {
  for (let life = 0; life <= count; life += 1) {
    await live(world, life, life === count);
    const lines = linesOf(world);
    const faults = faultsOf(lines, world.told);
    if (faults.length > 0) throw new Error(`${world.name}, after ${life + 1} processes:\n  ${faults.slice(0, 10).join('\n  ')}`);
    if (life < count) for (const kind of inFlight(lines, life)) world.flights[kind] = (world.flights[kind] ?? 0) + 1;
    if (life < count && inFlight(lines, life).some((kind) => kind !== 'opening')) world.hits += 1;
  }
  const lines = linesOf(world);
  const { tasks } = lines.findLast(({ what }) => what === 'ended');
  world.tasks = tasks.length;
  world.events = lines.filter(({ what }) => what === 'found').length;
}

if (kinds.some((kind) => kind !== 'file')) install(runtimes, ['--ignore-scripts']);
console.log(`seed ${seed}`);
let isGood = kinds.length > 0;
for (const kind of kinds) {
  const { node, missing } = nodeFor(kind);
  if (missing !== undefined) {
    console.log(`skipped  ${kind}: ${missing}`);
    continue;
  }
  const redis = kind === 'redis' ? await startRedis(folder) : undefined;
  const from = Date.now();
  const worlds = Array.from({ length: Math.ceil(shares[kind] / LIVES) }, (_, at) => {
    const name = `${kind} ${at}`;
    const turn = at + 3 * Object.keys(shares).indexOf(kind);
    const durability = turn % 4 === 3 ? 'batched' : 'sync';
    const onHostLost = ['resume', 'requeue', 'fail'][turn % 3];
    const cap = turn % 5 === 4 ? 1_000_000_000 : null;
    const place = join(folder, name.replace(' ', '-'));
    mkdirSync(place);
    writeFileSync(`${place}/log`, '');
    const compactBytes = turn % 2 === 0 ? 2_000 * (1 + (at % 7)) : null;
    const told = { kind, seed: `${seed}.${name}`, durability, onHostLost, cap, compactBytes, capped: cap !== null, port: redis?.port };
    return { name, node, folder: place, told, flights: {}, hits: 0, lives: Math.min(LIVES, shares[kind] - at * LIVES) };
  });
  const waiting = [...worlds];
  const failures = [];
  await Promise.all(
    Array.from({ length: Math.min(4, availableParallelism()) }, async () => {
      for (let world = waiting.shift(); world !== undefined; world = waiting.shift())
        await run(world, world.lives).catch((error) => failures.push(error));
    }),
  );
  await redis?.end();
  const total = (what) => worlds.reduce((sum, world) => sum + (what(world) ?? 0), 0);
  const flights = ['append', 'compaction', 'end', 'opening'].map((what) => `${total(({ flights }) => flights[what])} ${what}`).join(', ');
  const hits = total(({ hits }) => hits);
  const done = total(({ lives }) => lives);
  console.log(
    `${kind}: ${done} kills, ${hits} of them with an append, a compaction or an end in flight (${flights}); ${total(({ tasks }) => tasks)} tasks, ${total(({ events }) => events)} events; ${Math.round((Date.now() - from) / 1000)} s`,
  );
  for (const { message } of failures) console.error(`FAILED   ${message}`);
  if (failures.length === 0 && hits * 2 < done) console.error(`FAILED   ${kind}: fewer than half of the kills hit something in flight`);
  isGood &&= failures.length === 0 && hits * 2 >= done;
}
if (keep || !isGood) console.log(`what was written is in ${folder}`);
else rmSync(folder, { recursive: true, force: true });
console.log(`${Math.round((Date.now() - began) / 1000)} s`);
process.exit(isGood ? 0 : 1);
