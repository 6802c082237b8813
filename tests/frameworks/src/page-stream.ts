// The model and the manager behind the programs of the frameworks' pages that stream. Owns what they say: the lead delegates, the
// sub-agent reports and answers, and the lead says that it is done.

import { type HostResult, type Run, SubAgentManager } from 'subagents';
import type { Think } from './framework.js';

const RESULT = 'two faults found';

let calls = 0;
/** What the lead says, and its sub-agents, where they have the same model. */
export const think: Think = async ({ seen }) => {
  calls += 1;
  if (calls === 1) return { calls: [{ name: 'spawn_agent', args: { instructions: 'Read every file.' } }] };
  return { text: seen.includes(RESULT) ? 'The review is done.' : RESULT };
};

export const manager = new SubAgentManager({
  spawnSubAgent: async (_: unknown, run: Run): Promise<HostResult> => {
    run.report({ tokens: 1, message: 'one half is read' });
    return { output: RESULT };
  },
});
