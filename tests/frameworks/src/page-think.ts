// The model and the sub-agent behind the program of a framework's page. Owns what they say: the lead delegates in the background,
// says so, and reports the result once it has read it.

import type { HostResult } from 'subagents';
import type { Think } from './framework.js';

export const RESULT = 'two faults found';
let release!: () => void;
const answered = new Promise<void>((resolve) => {
  release = resolve;
});

/** Ends once the lead has answered for the first time. */
export const spawnSubAgent = async (): Promise<HostResult> => {
  await answered;
  return { output: RESULT };
};

let calls = 0;
export const think: Think = async ({ seen }) => {
  calls += 1;
  if (calls === 1) return { calls: [{ name: 'spawn_agent', args: { instructions: 'Read every file.', background: true } }] };
  if (seen.includes(RESULT)) return { text: `The review: ${RESULT}.` };
  setTimeout(release, 50);
  return { text: 'It has started.' };
};
