// Records agents' processes in a folder before they become agents. Owns the records, and the search for processes that a killed
// host left. It ends the processes that carry a record's mark and the group of a recorded leader, nothing else.

import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { mistake } from '../mistake.js';
import { allProcesses, markedProcesses, type Place, placeHere, processOf, type SystemProcess, signalTo } from './system-processes.js';

/** One recorded process. */
interface ProcessRecord {
  readonly pid: number;
  readonly startTime: string | undefined;
  readonly mark: string;
  readonly agent: string;
  readonly place: Place | undefined;
  /** The process that started it. */
  readonly host: { readonly pid: number; readonly startTime: string | undefined };
}

/** How long a left process may take to end by itself, in milliseconds. */
const LEFT_GRACE_MS = 2_000;
const POLL_MS = 25;

/** This package's folder in the user's state directory. */
export function stateFolder(): string {
  return join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'subagents');
}

/** The default folder of records. */
export function defaultRecords(): string {
  return join(stateFolder(), 'processes');
}

/** A mark that no other process has. */
export function newMark(): string {
  return randomBytes(16).toString('hex');
}

/** Records a process that waits for this. Returns the function that removes the record. */
export function recordProcess(folder: string, pid: number, mark: string, agent: string): () => void {
  const host = { pid: process.pid, startTime: processOf(process.pid)?.startTime };
  const record: ProcessRecord = { pid, startTime: processOf(pid)?.startTime, mark, agent, place: placeHere(), host };
  const path = join(folder, `${mark}.json`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Whole or not at all: another process may read it at any time.
    writeFileSync(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw mistake(`agents aren't started, because their processes can't be recorded in ${folder} (${why}); give \`recordsFolder\``, {
      argument: 'recordsFolder',
    });
  }
  return () => removed(path);
}

/** The processes that killed hosts left. */
export class LeftProcesses {
  private readonly records = new Map<string, ProcessRecord>();
  // A process that is ending loses its mark before it is gone.
  private readonly known = new Map<number, SystemProcess>();

  constructor(folder: string) {
    const here = placeHere();
    if (here === undefined) return;
    for (const [path, record] of recordsIn(folder)) {
      // Processes of another machine, or of a container with its own pids, are not this one's to end.
      if (record.place?.machine !== here.machine) continue;
      if (record.place.boot !== here.boot) removed(path);
      else if (record.place.pids === here.pids && !isSame(record.host)) this.records.set(path, record);
    }
  }

  /** Ends them: by SIGTERM, then SIGKILL. */
  async end(): Promise<void> {
    for (const { pid } of this.remaining()) signalTo(pid, 'SIGTERM');
    await this.gone();
    this.kill();
    await this.gone();
  }

  /** Kills them at once, without waiting. */
  kill(): void {
    for (const { pid } of this.remaining()) signalTo(pid, 'SIGKILL');
    for (const path of this.records.keys()) removed(path);
  }

  private remaining(): SystemProcess[] {
    for (const each of [...this.records.values()].flatMap(membersOf)) this.known.set(each.pid, each);
    return [...this.known.values()].filter(isSame);
  }

  private async gone(): Promise<void> {
    const until = Date.now() + LEFT_GRACE_MS;
    while (this.remaining().length > 0 && Date.now() < until) await new Promise<void>((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** The processes that belong to a record and still run. */
function membersOf(record: ProcessRecord): SystemProcess[] {
  // While a group exists, no other process gets its number. So its leader, if it still runs, shows whose group it is.
  const leads = isSame(record);
  const members = leads ? allProcesses().filter(({ group }) => group === record.pid) : [];
  return [...members, ...markedProcesses(record.mark, true)];
}

/** Whether a process still runs. Another one may already have its id. */
export function isSame({ pid, startTime }: { pid: number; startTime: string | undefined }): boolean {
  return startTime !== undefined && processOf(pid)?.startTime === startTime;
}

function* recordsIn(folder: string): Generator<[path: string, record: ProcessRecord]> {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return;
  }
  for (const name of names) {
    const path = join(folder, name);
    try {
      const record = JSON.parse(readFileSync(path, 'utf8')) as ProcessRecord;
      if (Number.isSafeInteger(record.pid) && record.pid > 1 && `${record.mark}.json` === name) yield [path, record];
    } catch {
      // Already removed, or none of ours.
    }
  }
}

function removed(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Another host removed it.
  }
}
