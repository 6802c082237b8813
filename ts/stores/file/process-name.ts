// Which process one is, so that another can tell later whether it still lives: a number alone is given again. Owns what
// each platform tells about that.

import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { kill, pid } from 'node:process';

export interface ProcessName {
  readonly pid: number;
  /** When it began, as its platform counts; empty where that can't be told. */
  readonly started: string;
  /** Where its number means something: a boot of a machine and a container on it. */
  readonly place: string;
  readonly host: string;
}

/** The name of this process. */
export async function ownName(): Promise<ProcessName> {
  const host = hostOf();
  const [boot, container] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ]);
  return { pid, started: (await startOf(pid)) ?? '', place: boot === '' ? host : `${boot.trim()} ${container}`, host };
}

/** Whether the process of this name lives, as far as `me` can tell. */
export async function lifeOf(name: ProcessName, me: ProcessName): Promise<'alive' | 'dead' | 'unknown'> {
  if (name.place !== me.place) return 'unknown';
  if (areStartsKnown(name, me)) return (await startOf(name.pid)) === name.started ? 'alive' : 'dead';
  // Whether one of this number runs. It may be a later one, and then its lock has to be removed by hand; its refusal says so.
  try {
    kill(name.pid, 0);
    return 'alive';
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ESRCH') return 'dead';
    // Another user's process lives; Deno without the right to ask tells nothing.
    return code === 'EPERM' ? 'alive' : 'unknown';
  }
}

/** Whether a process can be told from a later one of its number. */
export function areStartsKnown(name: ProcessName, me: ProcessName): boolean {
  return name.started !== '' && me.started !== '';
}

/** When a process began, in ticks since the machine did; `undefined` where none of this number runs, or nothing tells. */
async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program stands in brackets and may hold any character.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie holds nothing any more.
  return state === 'Z' ? undefined : rest[18];
}

function hostOf(): string {
  try {
    return hostname();
  } catch {
    // Deno without the right to ask.
    return 'an unnamed machine';
  }
}
