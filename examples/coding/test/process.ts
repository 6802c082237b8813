// Runs the built command line as a process of its own, bounded.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
/** Only so that a hang ends; no test depends on how long anything takes. */
const LIMIT_MS = 120_000;

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  /** Resolves when stdout holds the text. */
  seen(text: string): Promise<void>;
}

/** Why a test is left out that ends the program by a signal, if it is. */
export const noSignals = process.platform === 'win32' ? 'Windows ends a process without a word' : false;

export function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
  return startProcess(process.execPath, [MAIN, ...args], env);
}

export function hasTerminal(): boolean {
  const version = spawnSync('script', ['--version'], { encoding: 'utf8' });
  return version.status === 0 && version.stdout.includes('util-linux');
}

/** The same in a terminal; what is written to stdin is typed there. */
export function startInTerminal(args: readonly string[]): Running {
  const words = [process.execPath, MAIN, ...args].map((each) => `'${each}'`);
  return startProcess('script', ['-qec', `stty cols 80 rows 24; exec ${words.join(' ')}`, '/dev/null'], { TERM: 'xterm' });
}

function startProcess(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Running {
  const child = spawn(command, args, { env: { ...process.env, ...env }, timeout: LIMIT_MS, killSignal: 'SIGKILL' });
  let stdout = '';
  let stderr = '';
  let look = (): void => {};
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    look();
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const ended = new Promise<Awaited<Running['ended']>>((resolve, reject) => {
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
