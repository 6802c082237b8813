// The processes of agents: none is left where their host is stopped or killed, and none but them is ended.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SubAgentManager } from '../../../dist/index.js';
import { listed, processOf } from '../../../ts/adapters/agents/system-processes.js';
import { Bench, does, isRunning } from '../../support/agents/agents.js';

const hostFile = fileURLToPath(new URL('../../support/agents/host-child.mjs', import.meta.url));
let bench: Bench;
let hosts: ChildProcess[];
beforeEach(() => {
  bench = new Bench();
  hosts = [];
});
afterEach(() => {
  for (const host of hosts) host.kill('SIGKILL');
  bench.remove();
});

function started(count: number, prompt: string): ChildProcess {
  const host = spawn(process.execPath, [hostFile, JSON.stringify(bench.options), String(count), prompt], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  hosts.push(host);
  return host;
}

async function untilNoneRuns(): Promise<void> {
  while (bench.running.length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

const stubborn = does({ grandchild: true }, { grandchild: 'apart' }, { untilCancelled: 'never' });

describe.runIf(process.platform === 'linux')('the processes of agents', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s of their host ends them all, and the host as it would have ended',
    async (signal) => {
      const host = started(3, stubborn);
      await bench.until('grandchild', 6);
      expect(bench.recorded).toHaveLength(3);
      host.kill(signal);
      const [, by] = await once(host, 'exit');
      expect(by).toBe(signal);
      await untilNoneRuns();
      expect(bench.recorded).toEqual([]);
    },
  );

  test('they end before their host does anything else: Codex kills its servers 0.1 s after it has stopped them', async () => {
    const host = started(3, stubborn);
    await bench.until('grandchild', 6);
    await once(host.stdout as Readable, 'data');
    host.kill('SIGUSR2');
    await once(host.stdout as Readable, 'data');
    host.kill('SIGTERM');
    await untilNoneRuns();
    while (bench.recorded.length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isRunning(host.pid as number)).toBe(true);
  });

  test('what a killed host left is ended by the next one before its first run, and nothing else', async () => {
    const host = started(2, stubborn);
    const other = started(1, stubborn);
    await bench.until('grandchild', 6);
    const records = readdirSync(bench.records).map((name) => JSON.parse(readFileSync(join(bench.records, name), 'utf8')));
    const ofOther = records.filter((record) => record.host.pid === other.pid).map(({ pid }) => pid as number);
    expect(ofOther).toHaveLength(1);
    const markOfOther = records.find((record) => record.host.pid === other.pid).mark as string;
    host.kill('SIGKILL');
    await once(host, 'exit');

    // Processes that have nothing to do with it, and records of a dead host that name them.
    const innocent = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 90000)'], { detached: true });
    hosts.push(innocent);
    const [left] = records.filter((record) => record.host.pid === host.pid);
    const forged = { ...left, pid: innocent.pid, mark: 'f'.repeat(32) };
    writeFileSync(join(bench.records, `${forged.mark}.json`), JSON.stringify(forged));
    const elsewhere = { ...left, mark: 'e'.repeat(32), place: { ...left.place, pids: 'pid:[1]' } };
    writeFileSync(join(bench.records, `${elsewhere.mark}.json`), JSON.stringify(elsewhere));
    // Of an earlier boot, where ids and start times meant other processes.
    const earlier = { ...left, pid: innocent.pid, mark: 'd'.repeat(32), place: { ...left.place, boot: 'another' } };
    writeFileSync(join(bench.records, `${earlier.mark}.json`), JSON.stringify(earlier));
    writeFileSync(join(bench.records, 'broken.json'), '{');

    const manager = new SubAgentManager({ spawnSubAgent: bench.host({ idleProcessMs: 0 }) });
    expect(await manager.spawn(does({ say: 'after' })).wait()).toMatchObject({ output: 'after' });
    const ofOtherToo = bench.log.filter(({ pid, grandchild }) => ofOther.includes(pid) && grandchild !== undefined);
    expect(new Set(bench.running)).toEqual(new Set([...ofOther, ...ofOtherToo.map(({ grandchild }) => grandchild)]));
    expect(isRunning(innocent.pid as number)).toBe(true);
    expect(bench.recorded.sort()).toEqual(['broken.json', `${elsewhere.mark}.json`, `${markOfOther}.json`].sort());
    other.kill('SIGTERM');
    await once(other, 'exit');
    await untilNoneRuns();
  });

  test('where there is no /proc, ps says the same', () => {
    const [mark, pid] = ['a'.repeat(32), process.pid];
    const marked = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 90000)'], { env: { SUBAGENTS_PROCESS: mark }, detached: true });
    hosts.push(marked);
    const group = processOf(pid)?.group;
    const [found, ...more] = listed(['-p', String(pid)]);
    expect([found, more]).toEqual([{ pid, group, startTime: expect.stringMatching(/^\w+ \w+ +\d+ [\d:]+ \d+$/) }, []]);
    expect(listed(['-ax'])).toContainEqual(found);
    expect(listed(['-p', '4194304'])).toEqual([]);
    expect(listed(['axeww'], `SUBAGENTS_PROCESS=${mark}`).map((each) => [each.pid, each.group])).toEqual([[marked.pid, marked.pid]]);
  });

  test('a host that is stopped while it ends what another left ends that first', async () => {
    const host = started(2, stubborn);
    await bench.until('grandchild', 4);
    host.kill('SIGKILL');
    await once(host, 'exit');
    const next = started(1, stubborn);
    await once(next.stdout as Readable, 'data');
    next.kill('SIGTERM');
    expect(await once(next, 'exit')).toEqual([null, 'SIGTERM']);
    await untilNoneRuns();
    expect(bench.recorded).toEqual([]);
    expect(bench.logged('prompt')).toHaveLength(2);
  });

  test('an idle process does not keep its program, and ends with it', async () => {
    const host = started(1, does({ say: 'done' }));
    expect(await once(host, 'exit')).toEqual([0, null]);
    await untilNoneRuns();
    expect(bench.logged('prompt')).toHaveLength(1);
    expect(bench.recorded).toEqual([]);
  });

  test('an idle process is closed after `idleProcessMs`', async () => {
    const manager = new SubAgentManager({ spawnSubAgent: bench.host({ idleProcessMs: 100 }) });
    await manager.spawn(does({ say: 'done' })).wait();
    await untilNoneRuns();
    while (bench.recorded.length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  });

  test('agents are not started where their processes cannot be recorded', async () => {
    writeFileSync(join(bench.folder, 'file'), '');
    const manager = new SubAgentManager({ spawnSubAgent: bench.host({ recordsFolder: join(bench.folder, 'file', 'records') }) });
    const { error } = await manager.spawn(does({ say: 'x' })).wait();
    expect(error).toContain('give `recordsFolder`');
    expect(bench.log).toEqual([]);
  });
});
