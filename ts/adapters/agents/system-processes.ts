// What the system knows of processes: when one began, which boot of the machine this is, who carries a mark. Owns the
// reading of Linux's /proc. Elsewhere it knows nothing, and then nothing is found.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import process from 'node:process';

/** The variable of the environment by which the processes of an agent are known; they hand it on to their children. */
export const MARK = 'SUBAGENTS_PROCESS';

/** One process as /proc shows it. */
export interface SystemProcess {
  readonly pid: number;
  /** The process group that it belongs to. */
  readonly group: number;
  /** When it began, in ticks since the boot; with the pid it names one process of a boot. */
  readonly startTime: string;
}

/** The process with this id; undefined if there is none, or none that still runs. */
export function processOf(pid: number): SystemProcess | undefined {
  const text = readOrNothing(`/proc/${pid}/stat`);
  // The name, in brackets, may hold blanks and brackets itself.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, , group, startTime] = [fields?.[0], fields?.[1], fields?.[2], fields?.[19]];
  if (group === undefined || startTime === undefined || state === 'Z' || state === 'X') return undefined;
  return { pid, group: Number(group), startTime };
}

/** Every process of the machine that this one can see. */
export function allProcesses(): SystemProcess[] {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.map((name) => processOf(Number(name))).filter((found) => found !== undefined);
  } catch {
    return [];
  }
}

/** Whether a process was started with this mark, or by one that was. */
export function hasMark(pid: number, mark: string): boolean {
  const environment = readOrNothing(`/proc/${pid}/environ`);
  return environment?.split('\0').includes(`${MARK}=${mark}`) ?? false;
}

/** What distinguishes this boot of this machine, and the pids that are counted here, from all others. */
export interface Place {
  readonly machine: string;
  readonly boot: string;
  readonly pids: string;
}

/** Undefined if the system doesn't say. */
export function placeHere(): Place | undefined {
  const boot = readOrNothing('/proc/sys/kernel/random/boot_id')?.trim();
  try {
    return boot === undefined ? undefined : { machine: hostname(), boot, pids: readlinkSync('/proc/self/ns/pid') };
  } catch {
    return undefined;
  }
}

/** Whether a process of the group still runs. */
export function groupRuns(group: number): boolean {
  const processes = allProcesses();
  if (processes.length > 0) return processes.some((each) => each.group === group);
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

/** Sends a signal to one process, or with a negative id to a group; one that is gone is no error. */
export function signalTo(pid: number, signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone, or another user's.
  }
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
