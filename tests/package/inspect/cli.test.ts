// `npx subagents inspect`: what is printed of a journal, at any moment, and what is said of a damaged one.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SubAgentManager } from '../../../dist/index.js';
import { serveInspector } from '../../../dist/inspector-server.js';
import { fileStore } from '../../../dist/stores/file.js';
import { isPosix } from '../../support/system.js';

const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'subagents-cli-'));
const journal = join(folder, 'agents.journal');
const exported = join(folder, 'events.jsonl');
const KINDS = {
  ...{ inputTokens: 140, cacheReadTokens: 120, cacheWriteTokens: 8, cacheWrite1hTokens: 4 },
  ...{ outputTokens: 10, reasoningTokens: 2 },
};
const HOSTILE = '\u001b[31mred\u202e\u0007\u009b2J\nnext';

/** How it ends by a signal; Windows ends a process without a word. */
async function endedBy(child: ChildProcess, signal: 'SIGINT' | 'SIGTERM'): Promise<unknown[]> {
  child.kill(signal);
  const end = await once(child, 'exit');
  return isPosix ? end : [0, null];
}
const hasTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;

function inspect(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'inspect', ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

beforeAll(async () => {
  const manager: SubAgentManager = await SubAgentManager.open({
    store: fileStore(journal),
    maxDepth: 2,
    maxConcurrent: 1,
    budget: { tokens: 100_000 },
    spawnSubAgent: async ({ instructions }, run) => {
      if (instructions === 'lead') await run.spawn({ instructions: 'child', label: HOSTILE }).wait();
      if (instructions === 'fails') throw new Error(HOSTILE);
      return { output: HOSTILE, usage: { ...KINDS, costUsd: 0.25 } };
    },
  });
  manager.subscribe((event) => appendFileSync(exported, `${JSON.stringify(event)}\n`));
  const session = manager.session('of ann', { budget: { tokens: 9_000 } });
  const handles = [manager.spawn({ instructions: 'lead' }), session.spawn({ instructions: 'fails' })];
  await Promise.allSettled(handles.map((handle) => handle.wait()));
  await manager[Symbol.asyncDispose]();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('tree, timeline and ledger at the end, and before', () => {
  const { status, stdout, stderr } = inspect(journal);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toMatch(/✔ lead +completed/);
  expect(stdout).toMatch(/▸ of ann +session/);
  expect(stdout).toContain('300 of 100,000 tokens');
  expect(stdout).toContain('280 in (240 read from the cache, 16 written to it, 8 of these for an hour), 20 out (4 to reason)');
  expect(stdout).toContain('timeline, ');
  expect(stdout).toMatch(/^budgets$/m);
  const events = inspect(journal, '--events', '--json')
    .stdout.trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const parked = events.find(({ type }) => type === 'run_parked');
  const before = inspect(journal, '--at', String(parked.seq)).stdout;
  expect(before).toMatch(/lead +parked .*children/);
  expect(before).toMatch(/fails +queued .* slot/);
  expect(inspect(journal, '--at', new Date(parked.at - 3_600_000).toISOString()).stdout).toContain('event 0 of');
  const json = JSON.parse(inspect(journal, '--json', '--at', String(parked.seq)).stdout);
  expect(json).toMatchObject({ kind: 'file', seq: parked.seq, damage: null, slots: { limit: 1 } });
  expect(json.nodes.find(({ label }: { label: string }) => label === 'lead')).toMatchObject({
    status: 'running',
    obstacle: { for: 'children' },
  });
});

test('a compacted journal is shown as it stood when it was compacted, with the time that its work took', async () => {
  const compacted = join(folder, 'compacted.journal');
  const spawnSubAgent = async (): Promise<{ output: string }> => {
    await new Promise((resolve) => setTimeout(resolve, 120));
    return { output: '' };
  };
  const manager = await SubAgentManager.open({ store: fileStore(compacted), spawnSubAgent });
  const handle = manager.spawn({ instructions: 'a job' });
  const { durationMs } = await handle.wait();
  const { endedAt } = manager.get(handle);
  await manager.compact();
  await manager[Symbol.asyncDispose]();
  const { at, nodes } = JSON.parse(inspect(compacted, '--json').stdout);
  expect(at).toBe(endedAt);
  expect(nodes).toMatchObject([{ label: 'a job', times: { working: durationMs, subtree: durationMs } }]);
});

test('a compaction loses no session, no budget, no notice, and not what a run waits for', async () => {
  const path = join(folder, 'of-sessions.journal');
  const manager = await SubAgentManager.open({
    store: fileStore(path),
    budget: { tokens: 50_000 },
    maxDepth: 2,
    spawnSubAgent: async ({ instructions }, run) => {
      if (instructions === 'parent') await run.spawn({ instructions: 'slow' }).wait();
      if (instructions === 'slow') await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
      return { output: '', usage: { tokens: 100, turns: 1 } };
    },
  });
  const alice = manager.session('alice', { budget: { tokens: 9_000 }, onWake: () => undefined });
  manager.session('empty', { budget: { tokens: 7 } });
  for (const scope of [alice, manager]) scope.spawn({ instructions: 'tells', background: true });
  alice.spawn({ instructions: 'parent' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  await manager.flush();
  const shown = () => JSON.parse(inspect(path, '--json').stdout);
  const [before, text] = [shown(), inspect(path).stdout];
  await manager.compact();
  const [after, compacted] = [shown(), inspect(path).stdout];
  const ofNodes = ({ nodes }: typeof before) =>
    nodes.map(({ label, cap, spent, reserved, obstacle, index, parent }: Record<string, unknown>) => {
      const above = nodes.find((node: { index: number }) => node.index === parent)?.label;
      return {
        label,
        cap,
        spent,
        reserved,
        above,
        waits: (obstacle as { for: string; tasks?: string[] } | null) ?? null,
        isFirst: index === 0,
      };
    });
  const byLabel = (one: { label: string }, other: { label: string }) => one.label.localeCompare(other.label);
  expect(ofNodes(after).sort(byLabel)).toEqual(ofNodes(before).sort(byLabel));
  const ofNotices = ({ inbox }: typeof before) =>
    inbox.map(({ label, sessionKey, delivery }: Record<string, unknown>) => `${label} ${sessionKey} ${delivery}`).sort();
  expect(ofNotices(after)).toEqual(ofNotices(before));
  expect(ofNotices(after)).toHaveLength(2);
  const budgetOf = (printed: string, name: string) =>
    printed.split('\n').find((line) => line.startsWith(name) && line.includes('tokens ('));
  for (const name of ['all', 'alice', 'empty']) expect(budgetOf(compacted, name)).toBe(budgetOf(text, name));
  expect(compacted).toMatch(/parent +parked .* children slow\n/);
  expect(compacted).toMatch(/timeline, .* only the last run of each is known\n/);
  // On a slow machine the whole of it is less than a column.
  expect(compacted).toMatch(/^tells +[=|]/mu);
  await manager.cancelAll({ graceMs: 10 });
  await manager[Symbol.asyncDispose]();
});

test('a timeline of which nothing is known says since when', async () => {
  const path = join(folder, 'nothing.journal');
  const manager = await SubAgentManager.open({ store: fileStore(path), spawnSubAgent: async () => ({ output: '' }) });
  manager.session('of nobody');
  await manager.compact();
  await manager[Symbol.asyncDispose]();
  const { stdout } = inspect(path);
  expect(stdout).toMatch(/^timeline: nothing since the snapshot of /mu);
  expect(stdout).toMatch(/^▸ of nobody +session/mu);
});

test('--rows bounds each part, which says how many are left out', async () => {
  const path = join(folder, 'many.journal');
  const manager = await SubAgentManager.open({ store: fileStore(path), spawnSubAgent: async () => ({ output: '' }) });
  for (let each = 0; each < 60; each += 1) {
    const session = manager.session(`s${each}`, { onWake: () => undefined });
    await session.spawn({ instructions: 'work' }).wait();
    session.spawn({ instructions: 'tells', background: true });
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
  await manager[Symbol.asyncDispose]();
  const lines = (rows: string) => inspect(path, '--rows', rows).stdout.split('\n');
  expect(lines('0').length).toBeLessThan(20);
  expect(lines('0')).toEqual(expect.arrayContaining(['… 180 more (--rows)', 'timeline: 120 sub-agents (--rows)', '… 60 more (--rows)']));
  expect(lines('2')).toEqual(expect.arrayContaining(['… 178 more (--rows)', '… 118 more (--rows)', '… 58 more (--rows)']));
});

test('--at past the ends of a journal says so', async () => {
  const last = JSON.parse(inspect(journal, '--json').stdout).last;
  expect(inspect(journal, '--at', String(last)).stderr).toBe('');
  expect(inspect(journal, '--at', '1').stderr).toBe('');
  expect(inspect(journal, '--at', '0').stderr).toBe('');
  expect(inspect(journal, '--at', String(last + 1)).stderr).toMatch(new RegExp(`^--at ${last + 1} is after the last event, ${last}, of `));
  expect(inspect(journal, '--at', '2999-01-01').stderr).toMatch(/^--at 2999-01-01 is after the last event, /);
  expect(inspect(journal, '--at', '2001-01-01').stderr).toMatch(/^--at 2001-01-01 is before the first event, 1, of /);
  const cut = join(folder, 'middle.jsonl');
  const lines = readFileSync(exported, 'utf8').split('\n').slice(3);
  writeFileSync(cut, lines.join('\n'));
  const first = JSON.parse(lines[0] as string).seq;
  expect(inspect(cut, '--at', '2').stderr).toMatch(new RegExp(`^--at 2 is before the first event, ${first}, of `));
  const compacted = join(folder, 'ends.journal');
  const manager = await SubAgentManager.open({ store: fileStore(compacted), spawnSubAgent: async () => ({ output: '' }) });
  await manager.spawn({ instructions: 'a job' }).wait();
  await manager.compact();
  const { events } = manager.stats();
  await manager[Symbol.asyncDispose]();
  expect(inspect(compacted, '--at', '1', '--events').stderr).toMatch(
    new RegExp(`^--at 1 is before the snapshot of .*Z: what is shown is the snapshot, after event ${events}\n`),
  );
});

test('where nothing answers that is said, and no token is asked for', () => {
  expect(inspect('http://127.0.0.1:1/')).toMatchObject({
    status: 3,
    stderr: expect.stringMatching(/^Nothing answers at http:\/\/127.0.0.1:1: /),
  });
});

test('events that were exported are a journal too', () => {
  const { status, stdout } = inspect(exported);
  expect(status).toBe(0);
  expect(stdout).toMatch(/✔ lead +completed/);
});

test('no text of a sub-agent moves the cursor, changes a colour or turns a line around', () => {
  for (const args of [
    [journal],
    [journal, '--events'],
    [journal, '--json'],
    [journal, '--events', '--json'],
    [exported],
    [join(folder, '\u001b[31m')],
    ['--\u001b[31m'],
  ]) {
    const { stdout, stderr } = inspect(...args);
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u);
  }
  expect(inspect(journal).stdout).toContain('\\u{1b}[31mred\\u{202e}');
  // The value is the same.
  const events = inspect(journal, '--events', '--json').stdout.trim().split('\n');
  expect(events.map((line) => JSON.parse(line).label)).toContain(HOSTILE);
});

test('a forged list of events prints nothing raw, and ends with a clear line', () => {
  const path = join(folder, 'forged.jsonl');
  const [first, ...rest] = readFileSync(exported, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const forged = (...args: [object, ...string[]]) => {
    const [changes, ...options] = args;
    writeFileSync(path, `${[{ ...first, ...changes }, ...rest].map((event) => JSON.stringify(event)).join('\n')}\n`);
    return inspect(path, ...options);
  };
  const type = forged({ type: `${HOSTILE}task_admitted` }, '--events');
  expect(type.stdout).toContain('\\u{1b}[31mred');
  expect(type.stdout + type.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u);
  for (const name of ['label', 'taskId', 'parentId', 'sessionKey'])
    for (const args of [[], ['--events'], ['--json']])
      expect(forged({ [name]: { a: 1 } }, ...args)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining(`line 1: \`${name}\` is no text`),
      });
  for (const args of [[], ['--json']]) {
    const { status, stderr } = forged({ type: 'task_admitted' }, ...args);
    expect(status).toBe(3);
    expect(stderr).toMatch(/^these events can't be shown.*\n$/);
  }
});

test('of a damaged journal what stands before the damage is shown, and where it is is said', () => {
  const bytes = readFileSync(journal);
  const damaged = join(folder, 'damaged.journal');
  let trusted = 0;
  for (const at of [Math.floor(bytes.length / 2), Math.floor(bytes.length * 0.8)]) {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] as number) ^ 0xff;
    writeFileSync(damaged, copy);
    const { status, stdout, stderr } = inspect(damaged);
    expect(status).toBe(1);
    expect(stderr).toMatch(/DAMAGED: .* damaged at byte \d+/);
    expect(stderr).not.toContain('torn');
    const last = Number(/ends with event (\d+)/.exec(stderr)?.[1]);
    expect(stdout).toContain(`event ${last} of ${last}`);
    expect(last).toBeGreaterThanOrEqual(trusted);
    trusted = last;
    expect(JSON.parse(inspect(damaged, '--json').stdout).damage).toMatchObject({ code: 'store_damaged', lastSeq: last });
  }
  expect(trusted).toBeGreaterThan(0);
  // A torn tail is what a crash leaves: no damage.
  writeFileSync(damaged, bytes.subarray(0, bytes.length - 3));
  const torn = inspect(damaged);
  expect(torn.status).toBe(0);
  expect(torn.stderr).toContain('torn');
  const lines = readFileSync(exported, 'utf8').split('\n');
  const gap = join(folder, 'gap.jsonl');
  writeFileSync(gap, [...lines.slice(0, 5), ...lines.slice(6)].join('\n'));
  expect(inspect(gap)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/line 6: event \d+ stands after event \d+: some are missing/),
  });
});

test('what is no store is said to be none, however short it is', () => {
  const text = join(folder, 'notes.txt');
  for (const length of [1, 12, 5_000]) {
    writeFileSync(text, 'x'.repeat(length));
    const { status, stdout, stderr } = inspect(text);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('it is not the file of a store: leave it as it is, and give another path');
  }
  writeFileSync(text, readFileSync(journal).subarray(0, 12));
  expect(inspect(text).stderr).toContain('it ends after 12 bytes, within its header');
});

test.skipIf(!existsSync('/dev/full'))('output that can not be written is said', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [cli, 'inspect', journal], { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' });
  closeSync(full);
  expect({ status, stderr }).toEqual({ status: 3, stderr: "the output can't be written: ENOSPC\n" });
});

test.skipIf(!hasTerminal)('a line is as long as the terminal is wide, and elsewhere as it is', () => {
  const inTerminal = (columns: number): string[] =>
    spawnSync('script', ['-qec', `stty cols ${columns}; exec '${process.execPath}' '${cli}' inspect '${journal}'`, '/dev/null'], {
      encoding: 'utf8',
      env: { ...process.env, TERM: 'xterm' },
    })
      .stdout.trimEnd()
      .split('\r\n');
  const whole = inspect(journal).stdout.trimEnd().split('\n');
  expect(Math.max(...whole.map((line) => [...line].length))).toBeGreaterThan(100);
  expect(whole.find((line) => line.includes('✘ fails'))).toMatch(/next\)$/);
  for (const columns of [20, 80]) {
    const lines = inTerminal(columns);
    expect(lines.length).toBe(whole.length);
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(columns);
    // What is cut says so.
    expect(lines.find((line) => line.includes('✘ fails'))?.at(-1)).toBe('…');
  }
});

test('B15 what is an estimate says so', async () => {
  const file = join(folder, 'estimated.jsonl');
  const manager = await SubAgentManager.open({
    store: fileStore(file),
    budget: { tokens: 100_000 },
    spawnSubAgent: async ({ instructions }) => ({
      output: 'x',
      usage: { tokens: 500, costUsd: 0.5, estimated: instructions === 'guesses' },
    }),
  });
  for (const instructions of ['guesses', 'knows']) await manager.spawn({ instructions, budget: { tokens: 9_000 } }).wait();
  await manager[Symbol.asyncDispose]();
  const lines = inspect(file).stdout.split('\n');
  expect(lines.filter((line) => /✔ guesses/.test(line)).join()).toMatch(/ ~500 +~\$0\.50/);
  expect(lines.filter((line) => /✔ knows/.test(line)).join()).toMatch(/ 500 +\$0\.50/);
  expect(lines).toContain('~ an estimate');
  expect(lines.find((line) => /^guesses .*reserved/.test(line))).toMatch(/ ~500 of 9,000 tokens.*~\$0\.50/);
  expect(inspect(journal).stdout).not.toContain('estimate');
});

test('what is no journal, and what is no call, have exit codes of their own', () => {
  expect(inspect(join(folder, 'nothing'))).toMatchObject({ status: 3, stdout: '' });
  expect(inspect(folder)).toMatchObject({ status: 3, stdout: '' });
  expect(inspect('redis://localhost')).toMatchObject({ status: 3 });
  expect(inspect(journal, '--at', 'yesterday')).toMatchObject({ status: 2 });
  expect(inspect(journal, '--nothing')).toMatchObject({
    status: 2,
    stderr: "Unknown option '--nothing'\nsubagents inspect --help says what there is\n",
  });
  expect(inspect(join(folder, 'nothing')).stderr).toBe(`there is no file ${join(folder, 'nothing')}\n`);
  expect(inspect(folder).stderr).toContain('is a folder');
  // It lists the journals of `subagents mcp`.
  expect(inspect()).toMatchObject({ status: 0 });
  expect(inspect('--help')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/subagents inspect URL \[options\] +shows a manager that runs\n.*exit codes/s),
  });
});

test('an option that says nothing here, and a time that is none, are wrong calls', () => {
  const help = '\nsubagents inspect --help says what there is\n';
  for (const at of ['1.5', '-1', '=-1', '1e3', 'Jan 5', '2026-99-01'])
    expect(inspect(journal, ...(at.startsWith('=') ? [`--at${at}`] : ['--at', at])), at).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^--at takes (?:the number of an event or a time, such as .*Z|a value, and none begins with a dash)\n.*\n$/,
      ),
    });
  for (const [args, said] of [
    [[journal, '--port', '7777'], '--port is of --web alone'],
    [[journal, '--table', 'agents'], `--table is of a SQLite database alone, and ${journal} is none`],
    [[exported, '--table', 'agents'], `--table is of a SQLite database alone, and ${exported} is none`],
    [[journal, '--web', '--table', 'agents'], `--table is of a SQLite database alone, and ${journal} is none`],
    [['http://127.0.0.1:1', '--table', 'agents'], '--table is of a SQLite database alone'],
    [[journal, '--web', '--port', '99999'], '--port takes a whole number from 0 to 65535'],
    [[journal, '--json', '--rows', '3'], '--rows goes with neither --events nor --json, which show all'],
    [[journal, '--web', '--rows', '3'], '--web goes with --port, --table and --key alone'],
  ] as const)
    expect(inspect(...args)).toEqual({ status: 2, stdout: '', stderr: `${said}${help}` });
});

test('--follow shows what comes, until it is interrupted', async () => {
  const live = join(folder, 'live.jsonl');
  const lines = readFileSync(exported, 'utf8').trim().split('\n');
  writeFileSync(live, `${lines.slice(0, 4).join('\n')}\n`);
  const child = spawn(process.execPath, [cli, 'inspect', live, '--follow', '--json', '--events'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let reported = '';
  child.stdout.setEncoding('utf8').on('data', (part) => {
    reported += part;
  });
  const until = async (count: number): Promise<void> => {
    while (reported.trim().split('\n').filter(Boolean).length < count) await once(child.stdout, 'data');
  };
  await until(4);
  appendFileSync(live, `${lines.slice(4).join('\n')}\n`);
  await until(lines.length);
  const values = (each: string[]) => each.map((line) => JSON.parse(line));
  expect(values(reported.trim().split('\n'))).toEqual(values(lines));
  expect(await endedBy(child, 'SIGINT')).toEqual([0, null]);
});

test('--web serves the journal', async () => {
  const child = spawn(process.execPath, [cli, 'inspect', journal, '--web'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [address] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const url = new URL(address.trim());
  const headers = { authorization: `Bearer ${url.hash.replace('#token=', '')}` };
  expect(await (await fetch(new URL('/api/info', url), { headers })).json()).toMatchObject({ live: false, calls: [] });
  const stream = await (await fetch(new URL('/api/events?from=0', url), { headers })).text();
  expect(stream).toContain('event: batch');
  expect(stream).toContain('event: end');
  expect(await endedBy(child, 'SIGTERM')).toEqual([0, null]);
});

test('a port that another has is a wrong call', async () => {
  const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: '' }) });
  await using server = await serveInspector(manager);
  const { status, stderr } = inspect(journal, '--web', '--port', String(server.port));
  expect([status, stderr]).toEqual([2, expect.stringContaining(`port ${server.port} can't be had (EADDRINUSE): --port takes another one`)]);
  manager.dispose();
});

test('the address of a server is read as a journal is, and followed', async () => {
  const manager: SubAgentManager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x', usage: { tokens: 5 } }) });
  const server = await serveInspector(manager, { allow: ['spawn'] });
  const reported = (...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [cli, 'inspect', ...args], { env: { ...process.env, SUBAGENTS_TOKEN: '' } });
      const said = { stdout: '', stderr: '' };
      child.stdout.on('data', (part) => {
        said.stdout += part;
      });
      child.stderr.on('data', (part) => {
        said.stderr += part;
      });
      child.on('close', (code) => resolve({ code, ...said }));
    });
  try {
    expect(await reported(server.url)).toMatchObject({ code: 0, stdout: expect.stringContaining('event 0 of 0') });
    await manager.spawn({ instructions: 'first' }).wait();
    expect(await reported(server.url)).toMatchObject({ code: 0, stdout: expect.stringMatching(/✔ first +completed/), stderr: '' });
    const { port } = server;
    // What was before the server is missed only if it was a sub-agent's.
    const late = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });
    late.session('ann');
    await using early = await serveInspector(late);
    expect(await reported(early.url)).toMatchObject({ code: 0, stderr: '' });
    await late.spawn({ instructions: 'before' }).wait();
    await using after = await serveInspector(late);
    expect((await reported(after.url)).stderr).toMatch(
      /^the server began to record when it was started: of the events up to \d+ only their outcome is shown\n$/,
    );
    expect(await reported(`http://127.0.0.1:${port}/#token=${'x'.repeat(43)}`)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('is not the token'),
    });
    expect(await reported(`http://127.0.0.1:${port}`, '--web')).toMatchObject({ code: 3, stderr: expect.stringContaining('#token=') });
    const child = spawn(process.execPath, [cli, 'inspect', server.url, '--follow', '--json', '--events'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let lines = '';
    child.stdout.setEncoding('utf8').on('data', (part) => {
      lines += part;
    });
    const until = async (): Promise<void> => {
      while (lines.split('\n').length - 1 < manager.stats().events) await once(child.stdout, 'data');
    };
    await until();
    await manager.spawn({ instructions: 'second' }).wait();
    await until();
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).seq),
    ).toEqual(Array.from({ length: manager.stats().events }, (_, at) => at + 1));
    expect(await endedBy(child, 'SIGINT')).toEqual([0, null]);
  } finally {
    await server.close();
    manager.dispose();
  }
  expect(await reported(server.url)).toMatchObject({ code: 3, stderr: expect.stringContaining('Nothing answers at') });
});
