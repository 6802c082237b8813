// The name of a process and thread, by which another process can check whether it still lives: the system reuses numbers. Owns
// the means of each platform for that. An error of the system, such as too many open files, is thrown: it says nothing about
// the other process.

import { readlinkSync } from 'node:fs';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { kill, pid } from 'node:process';

export interface ProcessName {
  readonly pid: number;
  /** When it began, in its platform's units; empty if unknown. */
  readonly started: string;
  /** Its thread: the number and when that began. Absent if that isn't known. */
  readonly thread?: { readonly id: number; readonly started: string } | undefined;
  /** Where its number is valid: a boot of a machine, and a container on it. */
  readonly place: string;
  readonly host: string;
}

/** The name of this thread of this process. */
export async function ownName(): Promise<ProcessName> {
  const host = hostOf();
  const [boot, container] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(unlessRefused('')),
    readlink('/proc/self/ns/pid').catch(unlessRefused('')),
  ]);
  const place = boot === '' ? host : `${boot.trim()} ${container}`;
  const thread = await ownThread();
  return { pid, started: (await statOf(`/proc/${pid}`))?.started ?? '', ...(thread && { thread }), place, host };
}

/** Whether the process and the thread of this name live, if `me` can know it. */
export async function lifeOf(name: ProcessName, me: ProcessName): Promise<'alive' | 'dead' | 'unknown'> {
  if (name.place !== me.place) return 'unknown';
  const path = `/proc/${name.pid}`;
  const process = areStartsKnown(name, me) ? await lifeAt(path, name.started) : undefined;
  // The system shows nothing: the process is gone, or another user's. If a later process has its number, the lock has to be
  // removed by hand, as the refusal says.
  if (process === undefined) return answers(name.pid, areStartsKnown(name, me) ? 'dead' : 'unknown');
  if (process === 'dead' || name.thread === undefined) return process;
  return (await lifeAt(`${path}/task/${name.thread.id}`, name.thread.started)) ?? 'dead';
}

/** Whether a process can be distinguished from a later one with its number. */
export function areStartsKnown(name: ProcessName, me: ProcessName): boolean {
  return name.started !== '' && me.started !== '';
}

/** Whether the process that began at this time lives at this place of `/proc`; `undefined` if nothing is shown there. */
async function lifeAt(path: string, started: string): Promise<'alive' | 'dead' | undefined> {
  const found = await statOf(path);
  // A zombie no longer has a lock.
  return found && (found.started === started && !/^[ZX]/.test(found.state) ? 'alive' : 'dead');
}

/** Whether a process with this number runs. @param unasked the answer if the runtime may not ask */
function answers(number: number, unasked: 'dead' | 'unknown'): 'alive' | 'dead' | 'unknown' {
  try {
    kill(number, 0);
    return 'alive';
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ESRCH') return 'dead';
    // Another user's process lives; Deno without permission to ask gives no such code.
    return code === 'EPERM' ? 'alive' : unasked;
  }
}

/** The calling thread. Only a synchronous call runs on it. */
async function ownThread(): Promise<ProcessName['thread']> {
  let path = '';
  try {
    path = readlinkSync('/proc/thread-self');
  } catch (error) {
    unlessRefused('')(error);
  }
  const id = Number(path.split('/').at(-1));
  const found = id > 0 ? await statOf(`/proc/${pid}/task/${id}`) : undefined;
  return found && { id, started: found.started };
}

/** The state of a process or thread, and its start in ticks since the machine's; `undefined` if nothing is shown. */
async function statOf(path: string): Promise<{ readonly state: string; readonly started: string } | undefined> {
  const stat = await readFile(`${path}/stat`, 'utf8').catch(unlessRefused(''));
  // The name of the program is in brackets and may contain any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, started] = [fields[0], fields[19]];
  return state === undefined || started === undefined ? undefined : { state, started };
}

/** The codes of a system that has no such file, or doesn't show it; Deno's own refusals have none. */
const REFUSALS: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ESRCH', 'EACCES', 'EPERM', 'ENOSYS', 'ENOTSUP', 'EINVAL', undefined];

function unlessRefused<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (REFUSALS.includes((error as { code?: unknown }).code)) return value;
    throw error;
  };
}

function hostOf(): string {
  try {
    return hostname();
  } catch {
    // Deno without the right to ask.
    return 'an unnamed machine';
  }
}
