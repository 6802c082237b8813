import { HarnessAgent, type HarnessAgentResumeSessionState } from '@ai-sdk/harness/agent';
import { work } from 'subagents/bullmq';
import { harness, sandboxOf } from './scripted.js';

const agent = new HarnessAgent({ harness, instructions: 'You repair a repository.' });
const STEPS = ['Find what is wrong', 'Repair it', 'Run the tests', 'Say what you did'];

/** How far it is: the session as its harness left it, and the steps that are done. */
interface Progress {
  session: HarnessAgentResumeSessionState;
  done: number;
  said: string;
}

export const worker = (connection: object) =>
  work({
    connection,
    queue: 'repairs',
    lostAfterMs: 2_000,
    async spawnSubAgent({ instructions }, run) {
      let progress = run.checkpointed as unknown as Progress | undefined;
      for (let step = progress?.done ?? 0; step < STEPS.length; step += 1) {
        const permit = await run.beforeTurn();
        if (!permit.go) return { output: progress?.said ?? '', status: 'failed' };
        const session = await agent.createSession({
          // One for each message: the next attempt finds the same.
          sessionId: run.idempotencyKey(),
          sandboxSession: await sandboxOf(run.taskId),
          abortSignal: run.signal,
          ...(progress && { resumeFrom: progress.session }),
        });
        const prompt = [STEPS[step], instructions, ...(permit.inject ?? [])].join('\n');
        const { text, usage } = await agent.generate({ session, prompt, abortSignal: run.signal });
        run.report({ ...usage, message: text });
        progress = { session: await session.detach(), done: step + 1, said: text };
        await run.checkpoint(progress as never);
      }
      return { output: progress?.said ?? '' };
    },
  });
