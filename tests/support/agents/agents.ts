// The fake agent as a sub-agent of a manager, in a folder of its own. Owns what tests of agents share: its log, and who runs.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AcpAgentOptions, acpAgent } from '../../../dist/adapters/agents/index.js';
import type { SpawnSubAgent } from '../../../dist/index.js';

export const fakeAgent = fileURLToPath(new URL('fake-agent.mjs', import.meta.url));

/** What the fake agent wrote down. */
export interface LogEntry {
  pid: number;
  started?: string[];
  made?: string;
  resumed?: string;
  loaded?: string;
  mode?: string;
  configured?: [string, string];
  prompt?: string;
  cancel?: true;
  steered?: string;
  asked?: string;
  outcome?: string;
  grandchild?: number;
  cwd?: string;
  authenticated?: string;
  servers?: number;
}

export class Bench {
  readonly folder = mkdtempSync(join(tmpdir(), 'subagents-agents-'));
  readonly records = join(this.folder, 'records');
  private readonly logFile = join(this.folder, 'log');

  /** The fake agent as a host function. */
  host(options: AcpAgentOptions = {}): SpawnSubAgent {
    return acpAgent({ ...this.options, ...options, env: { ...this.options.env, ...options.env } });
  }

  get options() {
    return {
      command: [process.execPath, fakeAgent],
      cwd: this.folder,
      recordsFolder: this.records,
      env: { FAKE_LOG: this.logFile } as Record<string, string>,
      cancelMs: 1_000,
    };
  }

  get log(): LogEntry[] {
    if (!existsSync(this.logFile)) return [];
    const lines = readFileSync(this.logFile, 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as LogEntry);
  }

  /** The values of one field of the log. */
  logged<Field extends keyof LogEntry>(field: Field): NonNullable<LogEntry[Field]>[] {
    return this.log.map((entry) => entry[field]).filter((value) => value !== undefined) as NonNullable<LogEntry[Field]>[];
  }

  /** Resolves once the log has such an entry. */
  async until(field: keyof LogEntry, count = 1): Promise<void> {
    while (this.logged(field).length < count) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** Lets a fake agent go on that `waits`. */
  go(): void {
    writeFileSync(`${this.logFile}.go`, '');
  }

  /** From now on each command ends at its start, or doesn't. */
  fails(isSo: boolean): void {
    if (isSo) writeFileSync(`${this.logFile}.dies`, '');
    else rmSync(`${this.logFile}.dies`);
  }

  /** The processes of the log that still run. */
  get running(): number[] {
    return [...this.logged('pid'), ...this.logged('grandchild')].filter(isRunning);
  }

  get recorded(): string[] {
    return existsSync(this.records) ? readdirSync(this.records) : [];
  }

  remove(): void {
    // An agent that is ending may write still.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

/** A prompt that says what the fake agent does. */
export const does = (...steps: object[]): string => `DO:${JSON.stringify(steps)}`;
