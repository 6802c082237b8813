// Runs the built command line as a process of its own, bounded, and makes folders to run it over.
import { type ChildProcess, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
/** Only so that a hang ends; no test depends on how long anything takes. */
const LIMIT_MS = 120_000;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when stdout holds the text; rejects when the process ends without it. */
  seen(text: string): Promise<void>;
}

/** Why a test is left out that ends the program by a signal, if it is. */
export const noSignals = process.platform === 'win32' ? 'Windows ends a process without a word' : false;

export function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
  return startProcess(process.execPath, [MAIN, ...args], env);
}

/** The same with its standard output going into a file. */
export function runInto(file: string, args: readonly string[]): { code: number | null; stderr: string } {
  const stdout = openSync(file, 'w');
  const stdio: StdioOptions = ['ignore', stdout, 'pipe'];
  const ended = spawnSync(process.execPath, [MAIN, ...args], { stdio, encoding: 'utf8', timeout: LIMIT_MS, killSignal: 'SIGKILL' });
  closeSync(stdout);
  return { code: ended.status, stderr: ended.stderr };
}

/** The same in a terminal of 40 rows, by util-linux `script`; what is written to stdin is typed there. */
export function startInTerminal(args: readonly string[], env: NodeJS.ProcessEnv = {}, columns = 110): Running {
  const words = [process.execPath, MAIN, ...args].map((each) => `'${each.replaceAll("'", `'\\''`)}'`);
  return startProcess('script', ['-qec', `stty cols ${columns} rows 40; exec ${words.join(' ')}`, '/dev/null'], {
    TERM: 'xterm',
    NO_COLOR: '',
    ...env,
  });
}

export function hasTerminal(): boolean {
  const version = spawnSync('script', ['--version'], { encoding: 'utf8' });
  return version.status === 0 && version.stdout.includes('util-linux');
}

function startProcess(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Running {
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  let look = (): void => {};
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    look();
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return {
    child,
    ended,
    seen: (text) =>
      new Promise((resolve, reject) => {
        look = () => {
          if (stdout.includes(text)) resolve();
        };
        look();
        ended.then(() => reject(new Error(`ended without "${text}":\n${stdout}\n${stderr}`)), reject);
      }),
  };
}

export function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return start(args, env).ended;
}

/** A temporary folder with these files, removed when `work` is done. */
export async function withFolder(
  files: Readonly<Record<string, string | Uint8Array>>,
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ask-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), content);
    }
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
