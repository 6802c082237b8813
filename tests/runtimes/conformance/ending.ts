// The end of a manager: disposing rejects what is pending, fires the signals, and refuses what comes later.

import { type Run, SubAgentManager } from '../../../dist/index.js';
import { type Book, codeOf } from './book.js';

export async function ending(book: Book): Promise<void> {
  const runs: Run[] = [];
  const manager = new SubAgentManager({
    maxConcurrent: 1,
    spawnSubAgent: (_, run) => {
      runs.push(run);
      // Made now: a signal is made when it is first read.
      void run.signal;
      return new Promise(() => undefined);
    },
  });
  const [first, second] = ['first', 'second'].map((instructions) => manager.spawn({ instructions }));
  if (first === undefined || second === undefined) return;
  const pending = [
    first.wait(),
    second.wait(),
    manager.wait([first, second], { timeoutMs: 60_000 }),
    manager.cancel(second, { graceMs: 60_000 }).then(() => first.wait()),
    manager.drain(),
  ];
  const codes = Promise.all(pending.map((promise) => codeOf(() => promise)));
  manager.dispose();
  book.note('what was pending', await codes);
  book.expect('its signal', runs[0]?.signal.aborted, true);
  const later: Readonly<Record<string, () => unknown>> = {
    spawn: () => manager.spawn({ instructions: 'late' }),
    wait: () => first.wait(),
    get: () => manager.get(first),
    list: () => manager.list(),
    stats: () => manager.stats(),
    canSpawn: () => manager.canSpawn(),
    session: () => manager.session('late'),
    subscribe: () => manager.subscribe(() => undefined),
    drain: () => manager.drain(),
    cancelAll: () => manager.cancelAll(),
    beforeTurn: () => runs[0]?.beforeTurn(),
    tool: () => manager.createSubAgentTool(),
  };
  for (const [name, body] of Object.entries(later)) book.expect(`${name} after it`, await codeOf(body), 'disposed');
  manager.dispose();

  const graceful = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });
  void graceful.spawn({ instructions: 'last' });
  book.note('drained', await graceful.drain({ timeoutMs: Number.POSITIVE_INFINITY }));
  book.expect('a draining manager', await codeOf(() => graceful.spawn({ instructions: 'late' })), 'draining');
  graceful.dispose();
}
