import { DurableObject } from 'cloudflare:workers';
import { SubAgentManager } from 'subagents';
import { sqliteStore } from 'subagents/store/sqlite';

/** The longest that the work of an evicted object stands still. */
const AGAIN_MS = 30_000;

export class Agents extends DurableObject<{ MODEL: string }> {
  #manager: Promise<SubAgentManager> | undefined;

  #open(): Promise<SubAgentManager> {
    this.#manager ??= SubAgentManager.open({
      store: sqliteStore(this.ctx.storage),
      onHostLost: 'resume',
      spawnSubAgent: async ({ instructions }, run) => {
        let text = (run.checkpointed as string | undefined) ?? '';
        for (;;) {
          const permit = await run.beforeTurn();
          if (!permit.go) return { output: text };
          const body = JSON.stringify({ instructions, text });
          const answer = await fetch(this.env.MODEL, { method: 'POST', body, signal: run.signal });
          const { said, isDone, tokens } = (await answer.json()) as { said: string; isDone: boolean; tokens: number };
          run.report({ tokens });
          text += said;
          if (isDone) return { output: text };
          await run.checkpoint(text);
        }
      },
    });
    return this.#manager;
  }

  override async fetch(request: Request): Promise<Response> {
    const manager = await this.#open();
    // Each has its status, and its output once it has ended: also for a request that comes hours later.
    if (request.method === 'GET') return Response.json(manager.list().items);
    // Before the work: whatever becomes of this object, the alarm wakes it.
    await this.ctx.storage.setAlarm(Date.now() + AGAIN_MS);
    const { taskId } = manager.spawn({ instructions: await request.text(), background: true });
    await manager.flush();
    return Response.json({ taskId });
  }

  /** Cloudflare makes an evicted object again for this. Opening its journal continues its work, and sets every timer. */
  override async alarm(): Promise<void> {
    const { active, queued, parked } = (await this.#open()).getConcurrencyInfo();
    if (active + queued + parked > 0) await this.ctx.storage.setAlarm(Date.now() + AGAIN_MS);
  }
}
