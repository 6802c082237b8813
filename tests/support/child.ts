// A Node process of its own for what only shows there: what it collects, how it ends.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What each script begins with; `settle` lets a while pass in which all that can be collected is. */
const PRELUDE = `
import { SubAgentManager, createSubAgentTool } from './dist/index.js';
const gc = globalThis.gc;
const settle = async (isOver = () => false) => {
  for (let turn = 0; turn < 40 && !isOver(); turn += 1) { await new Promise((resolve) => setTimeout(resolve, 5)); gc?.(); }
};
const never = () => new Promise(() => undefined);
`;

export interface Ended {
  stdout: string;
  stderr: string;
  status: number | null;
}

/** Runs a script, with `gc`, in a process that has to end by itself. */
export function child(script: string): Ended {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--expose-gc', '--no-warnings=ExperimentalWarning', '--input-type=module', '--eval', PRELUDE + script],
    { cwd: root, encoding: 'utf8', timeout: 100_000 },
  );
  return { stdout, stderr, status };
}
