// Worker processes for tests, and their log. Owns that they are ended with the test that started them.

import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkOptions } from '../../dist/workers/bullmq.js';

export interface LogLine {
  at: number;
  worker: string;
  what: string;
  task?: string;
  attempt?: string;
  number?: number;
  tokens?: number;
  costUsd?: number;
  inject?: string[];
  checkpointed?: { done: number };
  output?: string[];
  aborted?: boolean;
  message?: string;
}

/**
 * The most turns at once, by the workers' own logs, whichever lead granted them. A turn whose worker was killed or frozen is
 * over when another worker has begun the run again: until then the lead counts it as well.
 */
export function mostAtOnce(lines: readonly LogLine[]): number {
  const changes: { at: number; by: number }[] = [];
  const open = new Map<string, string>();
  const end = (task: string, at: number): void => {
    if (open.delete(task)) changes.push({ at, by: -1 });
  };
  const newest = new Map<string, string>();
  for (const { what, task = '', attempt = '', at } of lines) {
    if (what === 'started') {
      end(task, at);
      newest.set(task, attempt);
    } else if (what === 'turn' && newest.get(task) === attempt) {
      open.set(task, attempt);
      changes.push({ at, by: 1 });
    } else if (what === 'turned' && open.get(task) === attempt) end(task, at);
  }
  // What ends in the same millisecond has made room.
  changes.sort((a, b) => a.at - b.at || a.by - b.by);
  let now = 0;
  let most = 0;
  for (const { by } of changes) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}

/**
 * For a worker that its test kills or freezes, and for the one that takes over: so soon it is found lost. Others have their jobs
 * for longer than any machine is busy with something else.
 */
export const SOON_LOST = { lostAfterMs: 3_000 };

export interface TestWorker {
  readonly name: string;
  readonly child: ChildProcess;
  readonly exited: Promise<NodeJS.Signals | null>;
  signal(signal: NodeJS.Signals): void;
}

export class TestWorkers {
  readonly folder = mkdtempSync(join(tmpdir(), 'subagents-workers-'));
  readonly log = join(this.folder, 'log');
  readonly all: TestWorker[] = [];

  async start(options: Omit<WorkOptions, 'spawnSubAgent'>): Promise<TestWorker> {
    const name = `w${this.all.length + 1}`;
    const program = fileURLToPath(new URL('worker-child.mjs', import.meta.url));
    const child = fork(program, [JSON.stringify({ log: this.log, name, lostAfterMs: 30_000, ...options })]);
    const exited = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)));
    const worker = { name, child, exited, signal: (signal: NodeJS.Signals) => void child.kill(signal) };
    this.all.push(worker);
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      exited.then((signal) => reject(new Error(`the worker ended: ${signal}`)));
    });
    return worker;
  }

  lines(what?: string): LogLine[] {
    let text = '';
    try {
      text = readFileSync(this.log, 'utf8');
    } catch {
      // Nothing has happened yet.
    }
    const lines = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as LogLine);
    return what === undefined ? lines : lines.filter((line) => line.what === what);
  }

  /** Resolves once the log has such a line. */
  async until(test: (line: LogLine) => boolean): Promise<LogLine> {
    for (;;) {
      const line = this.lines().find(test);
      if (line !== undefined) return line;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async end(): Promise<void> {
    for (const { child } of this.all) child.kill('SIGKILL');
    await Promise.all(this.all.map(({ exited }) => exited));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
