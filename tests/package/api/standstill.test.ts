// T4: time in which the process stood still counts against nothing that is promised. The programs here are processes of their
// own, which stop themselves by SIGSTOP; this one lets them go on.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { type SubAgentEvent, SubAgentManager } from '../../../dist/index.js';
import { isPosix } from '../../support/system.js';

afterEach(() => {
  vi.useRealTimers();
});

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** How long a program stands still; each of its deadlines is shorter, and longer than what it has to do. */
const STILL_MS = 6_000;

const PRELUDE = `
import { SubAgentManager } from './dist/index.js';
import { writeSync } from 'node:fs';
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const never = () => new Promise(() => undefined);
const freeze = () => { writeSync(1, 'freezes\\n'); process.kill(process.pid, 'SIGSTOP'); };
const say = (what) => writeSync(1, JSON.stringify(what) + '\\n');
const DEADLINE = 4_000;
`;

/** Runs a program, which is let go on whenever it has stood still for long enough, and gives what it said. */
function stopped(script: string): Promise<unknown[]> {
  const program = spawn(process.execPath, ['--input-type=module', '--eval', PRELUDE + script], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  program.stdout.on('data', (data: Buffer) => {
    said += data;
    if (String(data).includes('freezes')) setTimeout(() => program.kill('SIGCONT'), STILL_MS);
  });
  return new Promise((resolve) => {
    program.on('close', () =>
      resolve(
        said
          .split('\n')
          .filter((line) => line.startsWith('{'))
          .map((line) => JSON.parse(line)),
      ),
    );
  });
}

test.runIf(isPosix)(
  'T4 deadlines, silence, questions, waits and the lease of a notice don’t count it, and its event says how long it was',
  async () => {
    const [said] = await stopped(`
    const events = [];
    const manager = new SubAgentManager({
      maxConcurrent: 10, maxDepth: 1, leaseMs: DEADLINE, graceMs: 50, onWake: () => undefined,
      spawnSubAgent: async ({ instructions }, run) => {
        if (instructions === 'asks') return { output: JSON.stringify(await run.ask('which?', { timeoutMs: DEADLINE })) };
        if (instructions === 'tells') return { output: 'told' };
        for (let turn = 0; turn < 30; turn += 1) { await sleep(50); run.report({ tokens: 1 }); }
        return { output: 'done' };
      },
    });
    manager.subscribe((event) => events.push(event));
    const works = manager.spawn({ instructions: 'works', timeoutMs: DEADLINE });
    const speaks = manager.spawn({ instructions: 'speaks', idleTimeoutMs: DEADLINE });
    const asks = manager.spawn({ instructions: 'asks' });
    const tells = manager.spawn({ instructions: 'tells', background: true });
    const waits = manager.wait([works], { timeoutMs: DEADLINE });
    await sleep(200);
    const [notice] = manager.inbox.lease();
    // Its time comes while the process stands still: the answer is there before anything fires.
    let ended;
    setTimeout(() => { manager.send(asks, 'this one'); ended = asks.wait(); }, 300);
    setTimeout(freeze, 100);
    const ends = [await works.wait(), await speaks.wait(), await ended];
    const waited = await waits;
    const moved = events.filter((event) => event.delivery === 'leased').length;
    say({
      statuses: ends.map(({ status }) => status), answer: JSON.parse(ends[2].output), timedOut: waited.timedOut, leases: moved,
      acked: manager.inbox.ack(notice.deliveryId), stood: events.filter((event) => event.type === 'stood_still').map(({ ms }) => ms),
    });
    manager.dispose();
  `);
    expect(said).toMatchObject({
      statuses: ['completed', 'completed', 'completed'],
      answer: { answered: true, answer: 'this one' },
      timedOut: false,
      leases: 1,
      acked: true,
    });
    const { stood } = said as { stood: number[] };
    expect(stood.length).toBeGreaterThan(0);
    expect(stood.reduce((sum, ms) => sum + ms)).toBeGreaterThan(STILL_MS - 1_000);
  },
);

test.runIf(isPosix)('T4 a policy of a main agent has its time', async () => {
  const [said] = await stopped(`
    const manager = new SubAgentManager({
      approvalTimeoutMs: DEADLINE, spawnSubAgent: never,
      policies: { main: [{ name: 'slow', async beforeTurn() { await sleep(1_000); return { action: 'inject', text: 'answered' }; } }] },
    });
    setTimeout(freeze, 100);
    const permit = await manager.session('a').beforeTurn();
    say({ inject: permit.inject });
    manager.dispose();
  `);
  expect(said).toEqual({ inject: ['answered'] });
});

test.runIf(isPosix)('T4 backoffs and cooldowns go by real time', async () => {
  const [said] = await stopped(`
    const manager = new SubAgentManager({
      retry: { max: 1, backoffMs: DEADLINE / 2 },
      spawnSubAgent: async (_, run) => { if (run.run === 1) throw new Error('broken'); return { output: 'done' }; },
    });
    const events = [];
    manager.subscribe((event) => events.push(event));
    setTimeout(freeze, 100);
    await manager.spawn({ instructions: 'x' }).wait();
    const [stood, queued] = ['stood_still', 'run_queued'].map((type) => events.findLast((event) => event.type === type));
    say({ ms: queued.at - stood.at });
    manager.dispose();
  `);
  // It is tried again as soon as the process goes on, give or take how busy the machine is.
  expect((said as { ms: number }).ms).toBeLessThan(1_500);
});

test.runIf(isPosix)('T4 the processor time of a process that was busy is none in which it stood still', async () => {
  const [said] = await stopped(`
    const events = [];
    const manager = new SubAgentManager({ timeoutMs: 1_000, graceMs: 50, spawnSubAgent: never });
    manager.subscribe((event) => events.push(event));
    const waiting = manager.spawn({ instructions: 'x' }).wait();
    const [began, before] = [performance.now(), process.cpuUsage()];
    const used = () => { const { user, system } = process.cpuUsage(before); return (user + system) / 1_000; };
    do for (let turn = 0; turn < 3e7; turn += 1); while (used() < 3_000);
    const idle = performance.now() - began - used();
    const { status } = await waiting;
    say({ status, idle, stood: events.filter(({ type }) => type === 'stood_still').reduce((sum, { ms }) => sum + ms, 0) });
    manager.dispose();
  `);
  const { status, idle, stood } = said as { status: string; idle: number; stood: number };
  expect(status).toBe('timed_out');
  // On a busy machine a process does stand still: for as long as others have the processor.
  expect(stood).toBeLessThan(idle + 1_500);
});

test.runIf(isPosix)('T4 R6 no process lives for the beat', async () => {
  const [said] = await stopped(`
    const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'done' }), onWake: () => undefined });
    await manager.spawn({ instructions: 'x', background: true }).wait();
    manager.spawn({ instructions: 'y', background: true, timeoutMs: 3_600_000 });
    say({ open: manager.inbox.lease({ leaseMs: 3_600_000 }).length });
  `);
  expect(said).toMatchObject({ open: expect.any(Number) });
});

test('T4 T3 a jump of a test’s clock is no standstill, and no timer of a test is the beat’s', async () => {
  vi.useFakeTimers();
  const events: SubAgentEvent[] = [];
  const manager = new SubAgentManager({ timeoutMs: 60_000, graceMs: 0, spawnSubAgent: () => new Promise<never>(() => undefined) });
  manager.subscribe((event) => events.push(event));
  const handle = manager.spawn({ instructions: 'x' });
  expect(vi.getTimerCount()).toBe(1);
  vi.setSystemTime(Date.now() + 3_600_000);
  await vi.advanceTimersByTimeAsync(61_000);
  expect(handle.status).toBe('timed_out');
  await vi.runAllTimersAsync();
  expect(vi.getTimerCount()).toBe(0);
  expect(events.map(({ type }) => type)).not.toContain('stood_still');
  manager.dispose();
});
