// `npx subagents mcp`, killed at random moments while its agents work. Owns the proof of what a person expects of the next server:
// nothing of the killed one runs, each sub-agent completes and is reported once, each dollar is booked once, and each worktree is
// that of a sub-agent.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const git = (cwd, ...args) => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd, encoding: 'utf8' });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const nanos = (dollars) => Math.round(dollars * 1e9);
/** How long a killed server may have run at most once its sub-agents have started, in milliseconds. */
const LIVES_MS = 600;
/** How long what a killed server left may take to end, in milliseconds. */
const LEFT_MS = 15_000;

/**
 * Kills servers, `kills` of them.
 *
 * @param connect makes a client of a server
 * @param server the server of an agent with these options
 * @param does makes the instructions
 * @param installed the folder in which the package is installed
 * @param folder the folder of this test
 * @param running the processes of this test: their ids and their parents'
 */
export async function killServers({ connect, server, does, installed, folder, kills, running }) {
  const repository = mkdtempSync(join(folder, 'repository-'));
  git(repository, 'init', '--quiet');
  writeFileSync(join(repository, 'a.txt'), 'a\n');
  git(repository, 'add', '.');
  git(repository, 'commit', '--quiet', '-m', 'a');
  // All may wait, and stay readable; one that is killed again and again before its first checkpoint isn't given up.
  const limits = { maxChildren: 10_000, retain: 10_000, maxLost: kills };
  const place = { ...server({ isolation: 'worktree', limits, taskBudget: { costUsd: 100 } }), cwd: repository };
  writeFileSync(place.go, '');
  /** Ids, and whether each changes a file. */
  const started = new Map();
  const reported = [];
  /** What was reported of those that didn't complete. */
  const badly = [];
  const hear = (text) => {
    const ends = Array.from(text.matchAll(/^Sub-agent (sub_[0-9a-f]{32}) (\w+)/gm), ([, id, status]) => ({ id, status }));
    reported.push(...ends);
    if (ends.some(({ status }) => status !== 'completed')) badly.push(text);
    return ends.length;
  };
  const nothingIsLeft = async (pid) => {
    const until = Date.now() + LEFT_MS;
    const left = () => orphansOf(pid, running());
    while (left().length > 0 && Date.now() < until) await sleep(50);
    assert.deepEqual(left(), [], 'a killed server left processes');
  };
  let path;
  for (let kill = 0; kill < kills; kill += 1) {
    const client = await connect(place);
    for (const changes of [false, true]) {
      const work = [
        { tool: 'looks' },
        { spends: 1 },
        ...(changes ? [{ write: 'changed.txt' }] : [{ grandchild: Math.random() < 0.5 ? 'apart' : true }]),
      ];
      const instructions = does(...work, { waits: true }, { spends: 2 }, { say: 'done' });
      const { text } = await client.call('spawn_agent', { instructions, background: true });
      started.set(/sub_[0-9a-f]{32}/.exec(text)?.[0], changes);
    }
    const how = Math.random();
    if (how < 0.3) await nothingIsLeft(client.pid);
    else if (how < 0.6) hear((await client.call('wait_agents', { timeout_ms: Math.round(Math.random() * LIVES_MS) })).text);
    await sleep(Math.random() * LIVES_MS);
    path = /journal: (.*)/.exec(client.said())?.[1] ?? path;
    process.kill(client.pid, 'SIGKILL');
    await client.close().catch(() => undefined);
  }
  const last = await connect(place);
  for (let isOver = false; !isOver; ) {
    const { text } = await last.call('wait_agents', { timeout_ms: 40_000 });
    hear(text);
    isOver = /None of your sub-agents/.test(text);
  }
  await nothingIsLeft(last.pid);
  assert.deepEqual(badly, [], 'all complete');
  assert.deepEqual(reported.map(({ id }) => id).toSorted(), [...started.keys()].toSorted(), 'each end is told once');
  const worktrees = () => {
    const listed = git(repository, 'worktree', 'list', '--porcelain').matchAll(/^branch refs\/heads\/subagents\/(\S+)$/gm);
    return Array.from(listed, ([, id]) => id).toSorted();
  };
  assert.deepEqual(worktrees(), [...started.keys()].toSorted(), 'each worktree is that of a sub-agent');
  for (const id of started.keys()) await last.call('close_agent', { agent_id: id });
  // Killed while it removes them: the next server removes the others.
  process.kill(last.pid, 'SIGKILL');
  await last.close().catch(() => undefined);
  const next = await connect(place);
  await next.call('list_agents');
  const changed = [...started].flatMap(([id, changes]) => (changes ? [id] : [])).toSorted();
  // One is removed after the other: the time is for each.
  for (let left = worktrees().length, until = Date.now() + LEFT_MS; left > changed.length && Date.now() < until; await sleep(200)) {
    const now = worktrees().length;
    if (now < left) [left, until] = [now, Date.now() + LEFT_MS];
  }
  assert.deepEqual(worktrees(), changed, 'those with a change stay, and no others');
  await next.close();

  const load = (file) => import(pathToFileURL(join(installed, 'node_modules/subagents/dist', file)).href);
  const [{ SubAgentManager }, { fileStore }] = [await load('index.js'), await load('stores/file.js')];
  const manager = await SubAgentManager.open({ store: fileStore(path), ...limits });
  const { spent, reserved } = manager.budget().costUsd;
  const each = [...started.keys()].map((id) => manager.budget(id).costUsd.spent);
  const sessions = `${place.go.replace(/\.go$/, '')}.sessions`;
  const billed = readdirSync(sessions)
    .filter((name) => /^s\d+-\d+$/.test(name))
    .map((name) => JSON.parse(readFileSync(join(sessions, name), 'utf8')).spent / 1_000);
  const sum = (amounts) => nanos(amounts.reduce((one, other) => one + other, 0));
  assert.equal(reserved, 0);
  assert.equal(sum(each), nanos(spent), 'the ledger is the sum of its sub-agents');
  assert.equal(nanos(spent), sum(billed), 'what the agents used is booked once');
  await manager[Symbol.asyncDispose]();
  return `${kills} servers killed, ${started.size} sub-agents completed and told once, $${spent.toFixed(3)} booked, ${changed.length} worktrees kept`;
}

/** The processes that don't stand below one. */
function orphansOf(pid, processes) {
  const parents = new Map(processes.map((one) => [one.pid, one.parent]));
  const isBelow = (one) => one === pid || (parents.has(one) && isBelow(parents.get(one)));
  return processes.filter((one) => !isBelow(one.pid)).map((one) => `${one.pid} ${one.command}`);
}
