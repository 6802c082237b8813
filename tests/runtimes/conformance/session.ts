// A working day of a manager: parallel work over the limit, budget, deadlines, cancelling, waiting, nested
// delegation, the tool, work that the program drives, work elsewhere. In real time: timers are part of it.

import { createSubAgentTool, type Run, type SubAgentEvent, SubAgentManager } from '../../../dist/index.js';
import { type Book, type Deferred, deferred, sleep } from './book.js';

/** A host whose runs end when the story says so, with how many were running at most. */
function stage() {
  const open = new Map<string, Deferred<string>>();
  const seen = { now: 0, most: 0 };
  const host = async (params: { instructions: string }, run: Run) => {
    const end = deferred<string>();
    open.set(params.instructions, end);
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    run.signal.addEventListener('abort', () => end.resolve('stopped'));
    const output = await end.promise;
    seen.now -= 1;
    return { output, status: run.signal.aborted ? 'cancelled' : 'completed', usage: { tokens: 100, turns: 1, cost: 0.25 } };
  };
  const end = async (name: string, output = `${name} is done`): Promise<void> => {
    while (!open.has(name)) await sleep(1);
    open.get(name)?.resolve(output);
  };
  return { host, end, seen };
}

/** What depends on the instant, and what says nothing. */
const isUntold = (name: string, value: unknown): boolean =>
  value === null || value === '' || /At$|until|durationMs|rank|round|wait/.test(name);

/** What an event says, at any depth, without instants and what is made by chance. */
function heard(event: SubAgentEvent): string {
  const { seq, type, at: _, ...fields } = event as SubAgentEvent & Record<string, unknown>;
  return `${seq} ${type} ${JSON.stringify(fields, (name, value) => (isUntold(name, value) ? undefined : value))}`;
}

export async function session(book: Book): Promise<void> {
  await parallel(book);
  await budget(book);
  await deadlines(book);
  await cancelling(book);
  await waiting(book);
  await nested(book);
  await tools(book);
  await elsewhere(book);
  await notices(book);
  await driven(book);
}

async function parallel(book: Book): Promise<void> {
  const { host, end, seen } = stage();
  const events: SubAgentEvent[] = [];
  const manager = new SubAgentManager({ maxConcurrent: 2, spawnSubAgent: host });
  manager.subscribe((event) => events.push(event));
  const names = ['one', 'two', 'three', 'four', 'five'];
  const handles = names.map((instructions) => manager.spawn({ instructions, label: instructions }));
  handles.forEach((handle, at) => {
    book.call(handle.taskId, names[at] as string);
  });
  const { active, queued } = manager.getConcurrencyInfo();
  book.expect('two of five run', [active, queued, manager.canSpawn()], [2, 3, false]);
  for (const name of names) {
    await end(name);
    await handles[names.indexOf(name)]?.wait();
  }
  const results = await Promise.all(handles.map((handle) => handle.wait()));
  book.expect(
    'their results',
    results.map(({ output, status, usage }) => [output, status, usage.tokens, usage.costUsd, usage.turns]),
    names.map((name) => [`${name} is done`, 'completed', 100, 0.25, 1]),
  );
  book.expect('two at most ran at once', seen.most, 2);
  const { tokensSpent, completed, total } = manager.stats();
  book.expect('what they spent', [tokensSpent, completed, total], [500, 5, 5]);
  for (const event of events) book.note(heard(event));
  book.expect('ids are unguessable', new Set(handles.map(({ taskId }) => taskId.length)).size, 1);
  manager.dispose();
}

async function budget(book: Book): Promise<void> {
  const manager = new SubAgentManager({
    maxConcurrent: 1,
    budget: { tokens: 1_000, costUsd: 1 },
    turnEstimate: 100,
    spawnSubAgent: async (_, run) => {
      const permit = await run.beforeTurn({ tokens: 400 });
      run.report({ tokens: 400, costUsd: 0.1, message: 'half way' });
      return { output: permit.go ? 'went' : permit.reason, usage: { tokens: 400, turns: 1, cost: 0.1 } };
    },
  });
  const outcomes: unknown[] = [];
  for (let round = 0; round < 4; round += 1) {
    outcomes.push(
      await (async () => {
        const { output, status, usage } = await manager.spawn({ instructions: `round ${round}` }).wait();
        return [output, status, usage.tokens];
      })().catch((error: { code: string }) => error.code),
    );
  }
  book.note('rounds', outcomes);
  book.expect('the budget is spent, then spawns are refused', outcomes.at(-1), 'budget_exhausted');
  const { tokensSpent, tokensReserved } = manager.stats();
  book.note('spent', tokensSpent, 'reserved', tokensReserved);
  manager.addBudget({ tokens: 1_000 });
  book.expect('more budget, more work', (await manager.spawn({ instructions: 'again' }).wait()).status, 'completed');
  manager.dispose();
}

async function deadlines(book: Book): Promise<void> {
  const manager = new SubAgentManager({
    timeoutMs: 20,
    graceMs: 10,
    abandonMs: 10,
    spawnSubAgent: (_, run) => {
      run.report({ message: 'what there is' });
      return new Promise(() => undefined);
    },
  });
  const { status, stopReason, partial, output } = await manager.spawn({ instructions: 'for ever' }).wait();
  book.expect('a run out of time', [status, stopReason, partial, output], ['timed_out', 'timeout', true, 'what there is']);
  while (manager.getConcurrencyInfo().abandoned === 0) await sleep(2);
  book.expect('its slot is free', manager.getConcurrencyInfo().active, 0);
  manager.dispose();
}

async function cancelling(book: Book): Promise<void> {
  const { host } = stage();
  const manager = new SubAgentManager({ maxConcurrent: 1, maxDepth: 2, spawnSubAgent: host });
  const running = manager.spawn({ instructions: 'running' });
  const queued = manager.spawn({ instructions: 'queued' });
  const controller = new AbortController();
  const signalled = manager.spawn({ instructions: 'signalled', signal: controller.signal });
  controller.abort();
  await Promise.all([manager.cancel(running), manager.cancel(queued)]);
  const results = await Promise.all([running, queued, signalled].map((handle) => handle.wait()));
  book.note(
    'cancelled',
    results.map(({ status, stopReason, started, output }) => [status, stopReason, started, output]),
  );
  book.expect(
    'all three',
    results.map(({ status }) => status),
    ['cancelled', 'cancelled', 'cancelled'],
  );
  book.expect('nothing is reserved', [manager.stats().tokensReserved, manager.getConcurrencyInfo().active], [0, 0]);
  manager.dispose();
}

async function waiting(book: Book): Promise<void> {
  const { host, end } = stage();
  const manager = new SubAgentManager({ spawnSubAgent: host });
  const [quick, slow] = ['quick', 'slow'].map((instructions) => manager.spawn({ instructions }));
  if (quick === undefined || slow === undefined) return;
  book.call(quick.taskId, 'quick');
  book.call(slow.taskId, 'slow');
  book.expect('a wait whose time runs out', (await manager.wait([quick, slow], { timeoutMs: 5 })).timedOut, true);
  const any = manager.wait([quick, slow], { mode: 'any', timeoutMs: Number.POSITIVE_INFINITY });
  await end('quick');
  const first = await any;
  book.note('any', first.unknown, first.timedOut);
  book.expect('the slow one is pending', [first.completed.length, first.pending.length], [1, 1]);
  const all = manager.wait([quick, slow], { timeoutMs: Number.POSITIVE_INFINITY });
  await end('slow');
  book.expect('all', (await all).completed.length, 2);
  manager.dispose();
}

/** A tree three deep with one slot: each waits for its child, and gives its slot up meanwhile. */
async function nested(book: Book): Promise<void> {
  const manager = new SubAgentManager({
    maxConcurrent: 1,
    maxDepth: 3,
    turnEstimate: 100,
    budget: { tokens: 100_000 },
    spawnSubAgent: async (params, run) => {
      if (run.depth === 3) return { output: `leaf of ${params.instructions}`, usage: { tokens: 1, turns: 1, cost: 0 } };
      const byHandle = run.spawn({ instructions: `${params.instructions}.a`, budget: { tokens: run.depth === 1 ? 20_000 : 1_000 } });
      const text = await run.createSubAgentTool().execute({ instructions: `${params.instructions}.b` });
      const { output } = await byHandle.wait();
      const reported = /leaf of [\w.]+|node [\w.]+ \(.*\)/.exec(text)?.[0];
      return { output: `node ${params.instructions} (${output}; ${reported})`, usage: { tokens: 2, turns: 1, cost: 0 } };
    },
  });
  const { output, status } = await manager.spawn({ instructions: 'root', budget: { tokens: 50_000 } }).wait();
  book.note(output);
  book.expect('the tree has ended', [status, manager.stats().total, manager.stats().tokensSpent], ['completed', 7, 10]);
  manager.dispose();
}

async function tools(book: Book): Promise<void> {
  const plain = (text: string): string => text.replaceAll(/[0-9a-f]{12,}/g, '…').replaceAll(/\d+(\.\d+)? s\b/g, '… s');
  const tool = createSubAgentTool({
    spawnSubAgent: async ({ instructions }) => ({ output: `did ${instructions}`, usage: { tokens: 5, turns: 2, cost: 0.5 } }),
    spawnBackgroundSubAgent: async () => ({ taskId: 'job 1' }),
    canSpawn: () => true,
    getConcurrencyInfo: () => ({ active: 0, limit: 1 }),
    getModelId: () => 'model',
  });
  book.note(tool.name, tool.description, tool.parameters);
  book.note(plain(await tool.execute({ instructions: 'it' })));
  book.note(plain(await tool.execute({ instructions: 'it', background: true })));
  book.note(plain(await tool.execute({ instructions: 7, colour: 'red' })));
  const { content, details } = await tool.execute('call 1', { instructions: 'pi' });
  book.note(plain(content[0]?.text ?? ''), details.status, details.turns, details.cost, details.modelId);
}

async function elsewhere(book: Book): Promise<void> {
  const manager = new SubAgentManager({ spawnBackgroundSubAgent: async () => ({ taskId: 'job 7' }) });
  const handle = manager.spawn({ instructions: 'far away', background: true });
  await sleep(1);
  manager.reportSettled('job 7', { output: 'came back', usage: { tokens: 3, turns: 1, cost: 0 } });
  const { output, status } = await handle.wait();
  book.expect('work elsewhere', [output, status], ['came back', 'completed']);
  manager.dispose();
}

/** Background work notifies an idle main agent, and a running sub-agent with its next turn. */
async function notices(book: Book): Promise<void> {
  const woken = deferred<number>();
  const manager = new SubAgentManager({
    maxDepth: 2,
    onWake: (_, { pending }) => woken.resolve(pending),
    spawnSubAgent: async ({ instructions }, run) => {
      if (instructions !== 'leads') return { output: `${instructions}, done`, usage: { tokens: 9, turns: 1, cost: 0 } };
      await run.beforeTurn();
      const helper = run.spawn({ instructions: 'helps', background: true });
      while (helper.status !== 'completed') await sleep(1);
      const permit = await run.beforeTurn();
      const reported = permit.go ? (permit.inject ?? []) : [];
      return { output: `told: ${reported.length}, of the helper: ${reported.some((text) => text.includes('helps, done'))}` };
    },
  });
  const handle = manager.spawn({ instructions: 'quietly', background: true, origin: { channel: 'mail', chatId: '7' } });
  book.call(handle.taskId, 'quiet');
  book.expect('the main agent is woken', await woken.promise, 1);
  const [notice, ...others] = manager.inbox.lease();
  book.expect('one notice', [others.length, notice?.output, notice?.status, notice?.attempt], [0, 'quietly, done', 'completed', 1]);
  book.note(notice?.taskId, notice?.origin, notice?.sessionKey, notice?.usage);
  const id = notice?.deliveryId ?? '';
  book.expect('it is acknowledged once', [manager.inbox.ack(id), manager.inbox.ack(id), manager.inbox.peek().length], [true, false, 0]);
  const { output } = await manager.spawn({ instructions: 'leads' }).wait();
  book.expect('a running one is told with its turn', output, 'told: 1, of the helper: true');
  manager.dispose();
}

async function driven(book: Book): Promise<void> {
  const manager = new SubAgentManager({ maxConcurrent: 1, budget: { tokens: 10_000 } });
  const task = manager.spawn({ drive: 'program', instructions: 'count the words', budget: { tokens: 1_000 } });
  book.call(task.taskId, 'task');
  book.note((await task.start()).prompt);
  task.complete({ output: 'forty-two', usage: { tokens: 321, turns: 3 } });
  book.expect('a task that the program drives', [task.status, manager.stats().tokensSpent], ['completed', 321]);
  manager.dispose();
}
