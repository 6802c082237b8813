import * as restate from '@restatedev/restate-sdk';
import * as clients from '@restatedev/restate-sdk-clients';
import { type Run, SubAgentManager } from 'subagents';
import { fileStore } from 'subagents/store/file';
import { askModel } from './model.js';

let manager: SubAgentManager | undefined;
/** The runs of this process. */
const runs = new Map<string, Run>();

/** Restate keeps each turn that has ended, and calls this again if its process is gone. */
export const subAgent = restate.service({
  name: 'subAgent',
  handlers: {
    work: async (ctx: restate.Context, { key, taskId, instructions }: { key: string; taskId: string; instructions: string }) => {
      let text = '';
      for (let turn = 1; ; turn += 1) {
        const { said, isDone } = await ctx.run(`turn ${turn}`, () => take(key, taskId, `${instructions}\n${text}`));
        text += said;
        if (isDone) return { output: text };
      }
    },
  },
});

async function take(key: string, taskId: string, prompt: string): Promise<{ said: string; isDone: boolean }> {
  const run = runs.get(key);
  if (run === undefined) {
    // After a restart, Restate may call before the manager has begun the run again. It then repeats its call.
    if (manager === undefined || /pending|running/.test(manager.get(taskId).status)) throw new Error('not yet');
    throw new restate.TerminalError('the run is over');
  }
  const permit = await run.beforeTurn();
  if (!permit.go) return { said: '', isDone: true };
  const { said, isDone, tokens } = await askModel([prompt, ...(permit.inject ?? [])].join('\n'), run.signal);
  run.report({ tokens });
  return { said, isDone };
}

/** The manager decides who may run, and how much; `ingress` is the address of Restate's own server. */
export async function open(ingress: string, journal: string): Promise<SubAgentManager> {
  const client = clients.connect({ url: ingress });
  manager = await SubAgentManager.open({
    store: fileStore(journal),
    onHostLost: 'resume',
    async spawnSubAgent({ instructions }, run) {
      const key = run.idempotencyKey();
      runs.set(key, run);
      try {
        const { taskId } = run;
        // The same key finds the work of the process before.
        return await client.serviceClient(subAgent).work({ key, taskId, instructions }, clients.rpc.opts({ idempotencyKey: key }));
      } finally {
        runs.delete(key);
      }
    },
  });
  return manager;
}
