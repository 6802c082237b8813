// `npx subagents inspect --follow` as a process of its own. Owns what it has said, and that none outlives its test file.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const children = new Set<ChildProcess>();
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

export interface Following {
  readonly said: { shown: string; errors: string };
  /** The events that it has shown. */
  lines(): string[];
  /** Resolves once that much has come; rejects where the process ends before. */
  until(isEnough: () => boolean): Promise<void>;
  /** Its exit code, once it has ended by itself. */
  over(): Promise<number | null>;
  /** Ends it, and gives its exit code. What it has said is all there by then. */
  end(): Promise<number | null>;
}

/** Follows a journal, by its path or address and further options, as events in JSON. */
export function follow(node: string, ...args: string[]): Following {
  const child = spawn(node, [`${root}dist/cli.js`, 'inspect', ...args, '--follow', '--json', '--events'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: root,
  });
  children.add(child);
  const said = { shown: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (part) => {
    said.shown += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part) => {
    said.errors += part;
  });
  const over = once(child, 'close').then(() => {
    throw new Error(`it ended: ${said.errors}`);
  });
  over.catch(() => undefined);
  return {
    said,
    lines: () => said.shown.trim().split('\n').filter(Boolean),
    async until(isEnough) {
      while (!isEnough()) await Promise.race([once(child.stdout, 'data'), over]);
    },
    async over() {
      await over.catch(() => undefined);
      return child.exitCode;
    },
    async end() {
      child.kill('SIGINT');
      await over.catch(() => undefined);
      return child.exitCode;
    },
  };
}
