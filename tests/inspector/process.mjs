// A program of the tests that serves an inspector, as its own process. Owns how it is asked and ended.

import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { root } from '../../scripts/run.mjs';

/** Starts `served.mjs`; `ask` calls one of what `manager.mjs` offers. */
export async function serving(options = {}) {
  const child = fork(fileURLToPath(new URL('served.mjs', import.meta.url)), [JSON.stringify(options)], { execArgv: [] });
  const [{ url, token, port }] = await once(child, 'message');
  let last = 0;
  const ask = async (name, ...args) => {
    last += 1;
    const id = last;
    child.send({ id, name, args });
    for (;;) {
      const [answer] = await once(child, 'message');
      if (answer.id !== id) continue;
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer.value;
    }
  };
  return { url, token, port, address: `http://127.0.0.1:${port}/`, ask, end: () => ended(child, 'SIGKILL') };
}

/** `subagents inspect …` with --web; resolves to the address that it prints. */
export async function inspecting(args, env = {}) {
  const child = spawn(process.execPath, [`${root}dist/cli.js`, 'inspect', ...args, '--web'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { url: line.trim(), end: () => ended(child, 'SIGTERM') };
}

async function ended(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}
