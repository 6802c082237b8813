// One agent as a process in its own group. Owns that it is recorded before it becomes the agent and that its whole group ends
// with it. Owns that all groups end when a signal stops the program.

import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import process from 'node:process';
import { mistake } from '../mistake.js';
import { isSame, LeftProcesses, newMark, recordProcess } from './process-records.js';
import { groupRuns, MARK, markedProcesses, type SystemProcess, signalTo } from './system-processes.js';

/** Waits for the word that it is recorded, then becomes the agent: the pid stays the same. If the host dies first, it ends. */
const SHIM = 'IFS= read -r word && [ "$word" = go ] && exec "$@"';
/** Characters retained of an agent's standard error. */
const ERROR_CHARS = 4_000;
/** Characters of one line; an agent that sends a longer one is ended. */
const LINE_CHARS = 32 * 1024 * 1024;
const POLL_MS = 25;
/** How long processes that an agent left may take to end, in milliseconds. */
const LEFT_MS = 1_000;
/** How long an agent may take to end once its input has ended, before it gets a signal. */
const END_OF_INPUT_MS = 150;

/** How an agent is started. */
export interface ProcessOptions {
  /** Its name, for errors. */
  readonly agent: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly recordsFolder: string;
  /** Called with each line of its standard output. */
  readonly onLine: (line: string) => void;
}

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it could not be started, or was ended by this side. */
  readonly error?: Error;
}

/** Everything that ends with the program. */
const running = new Set<{ kill(): void }>();
/** The searches for processes of killed hosts, by folder: one for each, before the first agent starts. */
const searches = new Map<string, Promise<unknown>>();
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The file that a command names; undefined if it isn't installed. */
export function fileOf(command: string, env: Readonly<Record<string, string | undefined>>, cwd: string): string | undefined {
  const folders = command.includes('/') ? [''] : (env.PATH ?? '').split(delimiter);
  const paths = folders.map((folder) => (folder === '' ? resolve(join(isAbsolute(command) ? '/' : cwd, command)) : join(folder, command)));
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return statSync(path).isFile();
    } catch {
      return false;
    }
  });
}

/** Ends the processes that killed hosts left: once for each folder of records. */
export function endLeft(recordsFolder: string): Promise<unknown> {
  let search = searches.get(recordsFolder);
  if (search === undefined) {
    const left = new LeftProcesses(recordsFolder);
    endsWithProgram(left);
    search = left.end().finally(() => endsBefore(left));
    searches.set(recordsFolder, search);
  }
  return search;
}

function endsWithProgram(part: { kill(): void }): void {
  running.add(part);
  if (running.size === 1) watchSignals(true);
}

function endsBefore(part: { kill(): void }): void {
  if (running.delete(part) && running.size === 0) watchSignals(false);
}

export class AgentProcess {
  readonly pid: number;
  /** Resolves once its process has ended and its output is read. */
  readonly closed: Promise<ProcessEnd>;
  /** The last part of its standard error. */
  errors = '';
  private readonly child: ChildProcess;
  private readonly mark: string;
  private forget: () => void = () => undefined;
  private failure: Error | undefined;
  private isClosed = false;
  private ending: Promise<void> | undefined;

  /** Starts an agent. Processes that killed hosts left end first. */
  static async start(options: ProcessOptions): Promise<AgentProcess> {
    await endLeft(options.recordsFolder);
    return new AgentProcess(options);
  }

  private constructor({ agent, command, cwd, env, recordsFolder, onLine }: ProcessOptions) {
    this.mark = newMark();
    const child = spawn('/bin/sh', ['-c', SHIM, 'sh', ...command], {
      cwd,
      env: { ...env, PWD: cwd, [MARK]: this.mark },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child = child;
    this.pid = child.pid ?? 0;
    this.closed = new Promise((close) => {
      child.on('error', (error) => this.fail(error));
      // Processes that the agent left in its group may hold its output open.
      child.on('exit', () => void this.end(LEFT_MS));
      child.on('close', (code, signal) => {
        this.isClosed = true;
        close({ code, signal, ...(this.failure && { error: this.failure }) });
      });
    });
    const read = (line: string): void => {
      try {
        onLine(line);
      } catch (error) {
        // A profile of the program's own may throw; an error thrown here would end the program.
        this.fail(error instanceof Error ? error : new Error(String(error)));
      }
    };
    child.stdin.on('error', () => undefined);
    child.stderr.setEncoding('utf8').on('data', (text) => {
      this.errors = (this.errors + text).slice(-ERROR_CHARS);
    });
    child.stdout.setEncoding('utf8').on(
      'data',
      linesOf(read, () => this.fail(mistake(`a line of ${agent} is longer than 32 MB`))),
    );
    if (this.pid === 0) return;
    endsWithProgram(this);
    try {
      this.forget = recordProcess(recordsFolder, this.pid, this.mark, agent);
    } catch (error) {
      void this.end(0);
      throw error;
    }
    child.stdin.write('go\n');
  }

  write(text: string): void {
    if (this.child.stdin.writable) this.child.stdin.write(text);
  }

  /** Ends its input, which some agents wait for. */
  endInput(): void {
    this.child.stdin.end();
  }

  /** Sends its group a signal. */
  signal(signal: 'SIGINT' | 'SIGTERM'): void {
    if (!this.isClosed) signalTo(-this.pid, signal);
  }

  /** Ends it with an error. */
  fail(error: Error): void {
    this.failure ??= error;
    void this.end(LEFT_MS);
  }

  /** Sets whether the program stays alive for it. */
  hold(isHeld: boolean): void {
    const { child } = this;
    for (const part of [child, child.stdin, child.stdout, child.stderr]) {
      if (isHeld) part.ref?.();
      else part.unref?.();
    }
  }

  /** Ends the agent and all that it started: by the end of its input, then SIGTERM, then SIGKILL after `graceMs`. */
  end(graceMs: number): Promise<void> {
    this.ending ??= this.endGroup(graceMs);
    return this.ending;
  }

  /** Kills it at once, without waiting. */
  kill(): void {
    signalTo(-this.pid, 'SIGKILL');
    for (const { pid } of markedProcesses(this.mark)) signalTo(pid, 'SIGKILL');
    this.forget();
  }

  private async endGroup(graceMs: number): Promise<void> {
    if (this.pid === 0) return;
    this.hold(true);
    this.child.stdin.end();
    const until = Date.now() + graceMs;
    // A process that is ending loses its mark before it is gone.
    const known = new Map<number, SystemProcess>();
    const isLeft = (): boolean => {
      for (const each of markedProcesses(this.mark)) known.set(each.pid, each);
      return groupRuns(this.pid) || [...known.values()].some(isSame);
    };
    const gone = async (last: number): Promise<boolean> => {
      while (isLeft() && Date.now() < last) await new Promise<void>((next) => setTimeout(next, POLL_MS));
      return !isLeft();
    };
    if (!(await gone(Math.min(until, Date.now() + END_OF_INPUT_MS)))) {
      signalTo(-this.pid, 'SIGTERM');
      await gone(until);
    }
    this.kill();
    // SIGKILL takes time too. This finds processes that were forked just before it.
    if (!(await gone(Date.now() + LEFT_MS))) this.kill();
    endsBefore(this);
    // A process that can't be found here may hold its output open.
    const closing = setTimeout(() => {
      this.child.stdout.destroy();
      this.child.stderr.destroy();
    }, LEFT_MS);
    await this.closed;
    clearTimeout(closing);
  }
}

/** Cuts output into lines. */
function linesOf(onLine: (line: string) => void, onTooLong: () => void): (text: string) => void {
  let parts: string[] = [];
  let length = 0;
  return (text) => {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      parts.push(text.slice(start, end));
      const line = parts.join('');
      [parts, length, start] = [[], 0, end + 1];
      onLine(line);
    }
    parts.push(text.slice(start));
    length += text.length - start;
    if (length <= LINE_CHARS) return;
    [parts, length] = [[], 0];
    onTooLong();
  };
}

/** Sets whether all groups end with the program, which still ends as it would have. */
function watchSignals(isOn: boolean): void {
  for (const signal of SIGNALS) {
    if (isOn) process.on(signal, stopped);
    else process.off(signal, stopped);
  }
  if (isOn) process.on('exit', killAll);
  else process.off('exit', killAll);
}

function stopped(signal: string): void {
  killAll();
  // The program's own listeners decide whether this signal ends it; if it has none, it ends.
  if (process.listenerCount(signal) > 1) return;
  process.off(signal, stopped);
  process.kill(process.pid, signal);
}

function killAll(): void {
  for (const part of running) part.kill();
}
