// Many: ten thousand tasks in one manager, and more managers and tools than a browser takes instances at once.

import { createSubAgentTool, type SubAgentError, SubAgentManager } from '../../../dist/index.js';
import type { Book } from './book.js';

const TASKS = 10_000;

export async function many(book: Book): Promise<void> {
  const unlimited = Number.POSITIVE_INFINITY;
  let running = 0;
  let most = 0;
  const manager = new SubAgentManager({
    maxConcurrent: 50,
    maxQueued: unlimited,
    maxChildren: unlimited,
    retain: unlimited,
    budget: { tokens: unlimited },
    spawnSubAgent: async ({ instructions }) => {
      running += 1;
      most = Math.max(most, running);
      await undefined;
      running -= 1;
      return { output: `${instructions}!`, usage: { tokens: 3, turns: 1, cost: 0.001 } };
    },
  });
  const handles = Array.from({ length: TASKS }, (_, at) => manager.spawn({ instructions: `task ${at}` }));
  const results = await Promise.all(handles.map((handle) => handle.wait()));
  book.expect(
    'each has its own output',
    results.every(({ output }, at) => output === `task ${at}!`),
    true,
  );
  book.expect('fifty at most at once', most, 50);
  const { total, completed, tokensSpent, turnsSpent, costSpentUsd } = manager.stats();
  book.expect('the sums', [total, completed, tokensSpent, turnsSpent, costSpentUsd], [TASKS, TASKS, 3 * TASKS, TASKS, 10]);
  book.expect('every id is another', new Set(handles.map(({ taskId }) => taskId)).size, TASKS);
  const { items } = manager.list({ page: { offset: TASKS - 2, limit: 10 } });
  book.note(
    'the last page',
    items.map(({ label, status }) => [label, status]),
  );
  for (const handle of handles.slice(0, TASKS / 2)) manager.forget(handle);
  book.expect('half of them forgotten', [manager.stats().total, manager.stats().tokensSpent], [TASKS / 2, 3 * TASKS]);
  let code = '';
  try {
    manager.get(handles[0]?.taskId ?? '');
  } catch (error) {
    code = (error as SubAgentError).code;
  }
  book.expect('a forgotten one', code, 'forgotten');
  manager.dispose();

  // A browser takes 124 at once: what was disposed makes room.
  for (let round = 0; round < 300; round += 1) {
    const short = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });
    const { status } = await short.spawn({ instructions: `manager ${round}` }).wait();
    if (status !== 'completed') throw new Error(`manager ${round}: ${status}`);
    short.dispose();
  }
  book.note('300 managers, one after the other');

  const shared = new SubAgentManager({
    budget: { tokens: unlimited },
    spawnSubAgent: async ({ instructions }) => ({ output: instructions }),
  });
  const outputs = await Promise.all(
    Array.from({ length: 500 }, (_, at) =>
      shared
        .session(`agent ${at}`)
        .spawn({ instructions: `of ${at}` })
        .wait(),
    ),
  );
  book.expect(
    '500 sessions of one manager',
    outputs.every(({ output }, at) => output === `of ${at}`),
    true,
  );
  shared.dispose();

  const tools = Array.from({ length: 200 }, (_, at) => createSubAgentTool({ spawnSubAgent: async () => ({ output: `of tool ${at}.` }) }));
  const answers = await Promise.all(tools.map((tool) => tool.execute({ instructions: 'x' })));
  book.expect(
    '200 tools that stand alone',
    answers.every((answer, at) => answer.includes(`of tool ${at}.`)),
    true,
  );
}
