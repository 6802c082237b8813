// Stands for a harness such as Claude Code's: it keeps its conversation in its sandbox, and says how many prompts that had. The
// sandbox is a real folder, which every process sees.

import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { HarnessV1, HarnessV1PromptControl, HarnessV1ResumeSessionState, HarnessV1StartOptions } from '@ai-sdk/harness';
import { createJustBashSandbox } from '@ai-sdk/sandbox-just-bash';
import { MountableFs, ReadWriteFs, Sandbox } from 'just-bash';

const folder = process.env.RECIPE_FOLDER as string;

export async function sandboxOf(taskId: string) {
  const root = join(folder, taskId);
  mkdirSync(root, { recursive: true });
  // The commands stand in the files that a sandbox begins with.
  const fs = new MountableFs({ base: (await Sandbox.create()).bashEnvInstance.fs });
  fs.mount('/work', new ReadWriteFs({ root }));
  const sandbox = await Sandbox.create({ fs, cwd: '/work' });
  return createJustBashSandbox({ sandbox }).createSession();
}

const refuse = async (): Promise<never> => {
  throw new Error('the scripted harness can’t do that');
};

export const harness: HarnessV1 = {
  specificationVersion: 'harness-v1',
  harnessId: 'scripted',
  builtinTools: {},
  async doStart({ sessionId, sandboxSession, sessionWorkDir, resumeFrom }: HarnessV1StartOptions) {
    // A file for each prompt: one that was begun when its process was killed is empty or cut, and harms no other.
    const file = (number: number): string => `${sessionWorkDir}/prompt-${number}.txt`;
    const state = (): HarnessV1ResumeSessionState => ({
      type: 'resume-session',
      harnessId: 'scripted',
      specificationVersion: 'harness-v1',
      data: { sessionId },
    });
    return {
      sessionId,
      isResume: resumeFrom !== undefined,
      async doPromptTurn({ prompt, emit, abortSignal }): Promise<HarnessV1PromptControl> {
        const text = typeof prompt === 'string' ? prompt : JSON.stringify(prompt.content);
        const done = (async () => {
          appendFileSync(
            join(folder, 'log'),
            `${JSON.stringify({ what: 'prompted', text, isResume: resumeFrom !== undefined, pid: process.pid })}\n`,
          );
          await new Promise((resolve) => setTimeout(resolve, 200));
          abortSignal?.throwIfAborted();
          let number = 1;
          while (await sandboxSession.readTextFile({ path: file(number) })) number += 1;
          await sandboxSession.writeTextFile({ path: file(number), content: text });
          const usage = {
            inputTokens: { total: 7, noCache: 7, cacheRead: undefined, cacheWrite: undefined },
            outputTokens: { total: 3, text: 3, reasoning: undefined },
          };
          const finishReason = { unified: 'stop', raw: 'stop' } as const;
          emit({ type: 'stream-start' });
          emit({ type: 'text-start', id: '1' });
          emit({ type: 'text-delta', id: '1', delta: `${number} prompts` });
          emit({ type: 'text-end', id: '1' });
          emit({ type: 'finish-step', finishReason, usage });
          emit({ type: 'finish', finishReason, totalUsage: usage });
        })();
        return { submitToolResult: refuse, done };
      },
      doCompact: refuse,
      doContinueTurn: refuse,
      doSuspendTurn: refuse,
      doDetach: async () => state(),
      doStop: async () => state(),
      doDestroy: async () => undefined,
    };
  },
};
