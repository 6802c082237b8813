// A process that is killed at any place: of a day's work everything after each record, or after each compaction, is thrown
// away, and a manager is opened with the rest (J1, J3). All of it comes to its end; each run ended once and reported once, and what was spent is
// what the runs reported, at every node.

import { afterEach, describe, expect, test } from 'vitest';
import { type OpenOptions, type SubAgentEvent, SubAgentManager, type TaskSnapshot } from '../../../dist/index.js';
import { readJournal } from '../../../dist/journal.js';
import { amount } from '../../support/share.js';
import { type StoreImage, watchedStore } from '../../support/stores.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));
const SESSIONS = ['agent', 'other'];

/** What one process saw of its manager. */
interface Witness {
  /** Runs that ended or were tried again, by task and number. */
  ended: string[];
  /** Notices that were acknowledged. */
  acked: string[];
}

/** A manager whose sub-agents use tokens turn by turn, fail now and then, have sub-agents of their own, and checkpoint. */
async function open(before: StoreImage | readonly Uint8Array[], options: Partial<OpenOptions>) {
  const store = watchedStore(before);
  const manager = await SubAgentManager.open({
    maxConcurrent: 2,
    maxDepth: 2,
    budget: { tokens: 1_000_000 },
    retry: { max: 2, backoffMs: 1 },
    spawnSubAgent: async (_, run) => {
      const from = Number(run.checkpointed ?? 0);
      for (let turn = from; turn < 2; turn += 1) {
        if (!(await run.beforeTurn({ tokens: 50 })).go) return { output: 'stopped', status: 'cancelled' };
        run.report({ tokens: 30, message: `turn ${turn}` });
        await run.checkpoint(turn + 1);
        await settled();
      }
      if (/fails/.test(run.prompt) && run.run === 1) throw new Error('the first time');
      if (/parent/.test(run.prompt)) await run.spawn({ instructions: 'child', background: false }).wait();
      return { output: `${run.prompt} is done`, usage: { tokens: 60 } };
    },
    ...options,
    store,
  });
  opened.push(manager);
  const seen: Witness = { ended: [], acked: [] };
  manager.subscribe((event: SubAgentEvent) => {
    if (event.type === 'run_ended' || event.type === 'run_retried') seen.ended.push(`${event.taskId}#${event.run}`);
    if (event.type === 'notice_moved' && event.delivery === 'acked') seen.acked.push(`${event.taskId}#${event.run}`);
  });
  for (const key of SESSIONS) manager.session(key);
  return { manager, store, seen };
}

/** Hands out and acknowledges all notices, of the manager and of its sessions; gives them. */
function collect(manager: SubAgentManager): string[] {
  const inboxes = [manager.inbox, ...SESSIONS.map((key) => manager.session(key).inbox)];
  return inboxes.flatMap((inbox) =>
    inbox.lease().map(({ deliveryId, taskId, run }) => {
      expect(inbox.ack(deliveryId)).toBe(true);
      return `${taskId}#${run}`;
    }),
  );
}

const isOpen = ({ status, waitingFor }: TaskSnapshot): boolean =>
  waitingFor !== 'program' && (status === 'pending' || status === 'running');

/** The last runs of those that are over, by task and number. */
const overIn = (tasks: readonly TaskSnapshot[]): string[] =>
  tasks.filter((task) => !isOpen(task)).map(({ taskId, run }) => `${taskId}#${run}`);

/** The sub-agents that a store has. */
async function tasksOf(image: StoreImage): Promise<TaskSnapshot[]> {
  await using journal = await readJournal(watchedStore(image));
  for await (const _ of journal);
  return journal.view.list().items;
}

/** Waits until nothing is open any more. */
async function allEnded(manager: SubAgentManager): Promise<void> {
  for (let round = 0; round < 2_000 && manager.list().items.some(isOpen); round += 1) await settled();
  expect(manager.list().items.filter(isOpen)).toEqual([]);
}

/** A day's work: all of it is begun, some is cancelled, closed, sent to, leased. */
async function day(manager: SubAgentManager): Promise<void> {
  const agent = manager.session('agent');
  manager.spawn({ instructions: 'parent', background: true, label: 'top' });
  manager.spawn({ instructions: 'fails', background: true });
  manager.spawn({ instructions: 'foreground', nickname: 'ann', idempotencyKey: 'once' });
  agent.spawn({ instructions: 'of a session', background: true });
  manager.session('other').spawn({ instructions: 'fails, too', background: true });
  const cancelled = manager.spawn({ instructions: 'to be cancelled', background: true });
  const talked = manager.spawn({ instructions: 'talked to', background: true });
  await manager.flush();
  manager.send(talked, 'a second message');
  await settled();
  await manager.flush();
  void cancelled.cancel({ graceMs: 0 }).catch(() => undefined);
  collect(manager);
  await manager.flush();
  await settled();
  manager.spawn({ drive: 'program', instructions: 'by hand' });
  await manager.flush();
  await allEnded(manager);
  collect(manager);
}

describe.each([
  ['sync', 'fail', 'never'],
  ['sync', 'requeue', 'never'],
  ['batched', 'resume', 'never'],
  ['sync', 'resume', 'always'],
  ['batched', 'requeue', 'always'],
] as const)('J3 killed after each record, %s, %s, compacted %s', (durability, onHostLost, compacted) => {
  const compactBytes = compacted === 'always' ? 1 : Number.POSITIVE_INFINITY;
  const options = { durability, flushMs: 1, onHostLost, compactBytes };

  test('all comes to its end, once, is reported once, and the ledger is conserved', async () => {
    const first = await open([], options);
    await day(first.manager);
    await first.manager[Symbol.asyncDispose]();
    const { images } = first.store;
    expect(images.length).toBeGreaterThan(durability === 'sync' ? 15 : 4);
    expect(images.some(({ snapshot }) => snapshot !== undefined)).toBe(compacted === 'always');

    const step = Math.max(1, amount(1, Math.ceil(images.length / 12)));
    for (let kept = 1; kept < images.length; kept += step) {
      const place = `after step ${kept} of ${images.length}`;
      const killed = await tasksOf(images[kept] as StoreImage);
      const before = await open(images[kept] as StoreImage, options);
      // What had ended when it was killed must not end again, and what ended as it was opened is reported.
      const known = new Map(before.manager.list().items.map((task) => [task.taskId, task]));
      const over = overIn(killed);
      const lost = overIn([...known.values()]).filter((run) => !over.includes(run));
      await settled();
      expect(before.seen.ended, place).toEqual(expect.arrayContaining(lost));
      await allEnded(before.manager);
      expect(new Set(before.seen.ended).size, place).toBe(before.seen.ended.length);
      for (const end of before.seen.ended) expect(over, place).not.toContain(end);
      const reported = collect(before.manager);
      expect(new Set(reported).size, place).toBe(reported.length);
      expect(collect(before.manager), place).toEqual([]);

      const { manager } = before;
      const tasks = manager.list().items;
      for (const { taskId } of known.values())
        expect(
          tasks.map((task) => task.taskId),
          place,
        ).toContain(taskId);
      expect(manager.budget().tokens.reserved, place).toBe(0);
      // What is spent at the top is what its tasks spent, each with all that is below it.
      const top = tasks.filter(({ parentId }) => parentId === null).reduce((sum, { budget }) => sum + budget.tokens.spent, 0);
      expect(manager.budget().tokens.spent, place).toBe(top);
      expect((await manager.spawn({ instructions: 'fresh' }).wait()).status, place).toBe('completed');
      // A third process finds all as the second left it.
      const left = manager.list().items.map(({ taskId, status, run }) => [taskId, status, run]);
      await manager[Symbol.asyncDispose]();
      const after = await open(before.store.images.at(-1) as StoreImage, options);
      expect(
        after.manager.list().items.map(({ taskId, status, run }) => [taskId, status, run]),
        place,
      ).toEqual(left);
      await settled();
      expect(after.seen.ended, place).toEqual([]);
      expect(collect(after.manager), place).toEqual([]);
      await after.manager[Symbol.asyncDispose]();
    }
  });
});
