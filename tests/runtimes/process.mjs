// Child processes: each has its time, and what it said is in the error when it fails.

import { spawn } from 'node:child_process';

/** Runs a command to its end and gives what it printed. */
export function run(command, args, { cwd, env = {}, timeoutMs = 300_000 } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr, late] = ['', '', false];
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(stdout);
      else
        reject(
          new Error(
            `${command} ${late ? `had not ended after ${timeoutMs} ms` : `ended with ${code ?? signal}`}\n${stdout.slice(-4_000)}${stderr.slice(-4_000)}`,
          ),
        );
    });
  });
}

/** The report that a shell printed, between marks: some runtimes print more. */
export const MARK = '── report ──';

export function reportIn(stdout) {
  const [, text] = stdout.split(MARK);
  if (text === undefined) throw new Error(`no report in: ${stdout.slice(0, 2_000)}`);
  return JSON.parse(text);
}
