// The model and the manager behind the programs of the frameworks' pages that stream. Owns what they say: the lead delegates, the
// sub-agent reports and answers, and the lead says that it is done.

import { type HostResult, type Run, SubAgentManager } from 'subagents';
import type { Think } from './framework.js';

const RESULT = 'two faults found';

let calls = 0;
/** What the lead says, and its sub-agents, where they have the same model. */
export const think: Think = async ({ seen, signal }) => {
  calls += 1;
  if (calls === 1) return { calls: [{ name: 'spawn_agent', args: { instructions: 'Read every file.' } }] };
  if (!seen.includes(RESULT)) await pressed(signal);
  return { text: seen.includes(RESULT) ? 'The review is done.' : RESULT };
};

/**
 * If that is what is tested, the user presses Ctrl-C: the sub-agent is asked to stop. The program listens on, else OpenAI's SDK would
 * end the process.
 */
async function pressed(signal: AbortSignal | undefined): Promise<void> {
  if (process.env.CTRL_C === undefined || signal === undefined) return;
  const listeners = process.listenerCount('SIGINT');
  const stopped = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => {
      if (process.listenerCount('SIGINT') === listeners) console.log('It is told to stop.');
      resolve();
    }),
  );
  process.kill(process.pid, 'SIGINT');
  await stopped;
}

export const manager = new SubAgentManager({
  spawnSubAgent: async (_: unknown, run: Run): Promise<HostResult> => {
    run.report({ tokens: 1, message: 'one half is read' });
    await pressed(run.signal);
    return { output: RESULT };
  },
});
