// The system's data about processes: when one started, the machine's boot, who carries a mark. Reads Linux's /proc, or the
// output of `ps` elsewhere, as on macOS.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import process from 'node:process';

/** The environment variable that marks the processes of an agent; they pass it on to their children. */
export const MARK = 'SUBAGENTS_PROCESS';

const HAS_PROC = existsSync('/proc/self/stat');

/** One process. */
export interface SystemProcess {
  readonly pid: number;
  /** The process group that it belongs to. */
  readonly group: number;
  /** When it began, in ticks since the boot or as a date; with the pid it names one process of a boot. */
  readonly startTime: string;
}

/** The process with this id; undefined if none with it still runs. */
export function processOf(pid: number): SystemProcess | undefined {
  if (!HAS_PROC) return listed(['-p', String(pid)])[0];
  const text = readOrNothing(`/proc/${pid}/stat`);
  // The name, in brackets, may hold blanks and brackets itself.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, , group, startTime] = [fields?.[0], fields?.[1], fields?.[2], fields?.[19]];
  if (group === undefined || startTime === undefined || state === 'Z' || state === 'X') return undefined;
  return { pid, group: Number(group), startTime };
}

/** Every process of the machine that this one can see. */
export function allProcesses(): SystemProcess[] {
  if (!HAS_PROC) return listed(['-ax']);
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.map((name) => processOf(Number(name))).filter((found) => found !== undefined);
  } catch {
    return [];
  }
}

/** The processes that `ps` lists with this text in their lines. */
export function listed(which: readonly string[], holds = ''): SystemProcess[] {
  const lines = said('ps', '-o', 'pid=,pgid=,state=,lstart=,command=', ...which)?.split('\n') ?? [];
  return lines.flatMap((line) => {
    const found = /^\s*(\d+)\s+(\d+)\s+[^ZX\s]\S*\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s/.exec(`${line} `);
    const [, pid, group, startTime] = found ?? [];
    return startTime === undefined || !line.includes(holds) ? [] : [{ pid: Number(pid), group: Number(group), startTime }];
  });
}

/** The arguments of `ps` for all processes with their environments. */
const WITH_ENVIRONMENT = process.platform === 'linux' ? ['axeww'] : ['-axEww'];

/** The processes that carry a mark, wherever they went. If only `ps` can find them, searches only if there is `time`. */
export function markedProcesses(mark: string, time = false): SystemProcess[] {
  if (HAS_PROC) return allProcesses().filter(({ pid }) => hasMark(pid, mark));
  return time ? listed(WITH_ENVIRONMENT, `${MARK}=${mark}`) : [];
}

/** Whether a process carries this mark, its own or inherited. */
export function hasMark(pid: number, mark: string): boolean {
  const environment = readOrNothing(`/proc/${pid}/environ`);
  return environment?.split('\0').includes(`${MARK}=${mark}`) ?? false;
}

/** Identifies this boot of this machine, and the pids that are counted here. */
export interface Place {
  readonly machine: string;
  readonly boot: string;
  readonly pids: string;
}

/** This place; undefined if the system doesn't say. */
export function placeHere(): Place | undefined {
  const boot = (HAS_PROC ? readOrNothing('/proc/sys/kernel/random/boot_id') : said('sysctl', '-n', 'kern.bootsessionuuid'))?.trim();
  try {
    return boot ? { machine: hostname(), boot, pids: HAS_PROC ? readlinkSync('/proc/self/ns/pid') : '' } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process of the group still runs. */
export function groupRuns(group: number): boolean {
  const processes = HAS_PROC ? allProcesses() : [];
  if (processes.length > 0) return processes.some((each) => each.group === group);
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

/** Sends a signal to one process, or with a negative id to a group; a process that is gone is no error. */
export function signalTo(pid: number, signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone, or another user's.
  }
}

/** A command's output, the same in each language and place; undefined if it fails. */
function said(command: string, ...args: string[]): string | undefined {
  try {
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    return execFileSync(command, args, { env, encoding: 'latin1', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 << 20 });
  } catch {
    return undefined;
  }
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
