// Hostile hosts: whatever a host function, a listener or a caller does has a defined end and harms nothing
// else. After each of them the manager is sound.

import { type Run, type SpawnSubAgent, SubAgentManager } from '../../../dist/index.js';
import { type Book, codeOf, sha256, sleep } from './book.js';

type Host = (params: unknown, run: Run) => unknown;

const reject =
  (reason: unknown): Host =>
  async () => {
    throw reason;
  };

const HOSTS: Readonly<Record<string, Host>> = {
  'throws at once': () => {
    throw new Error('at once');
  },
  'rejects with undefined': reject(undefined),
  'rejects with null': reject(null),
  'rejects with a symbol': reject(Symbol('why')),
  'rejects with a function': reject(() => undefined),
  'rejects with a number': reject(7),
  'rejects with an error without a message': reject(new Error('')),
  'rejects with what throws when it is read': reject({
    get message() {
      throw new Error('no');
    },
  }),
  'rejects with a revoked proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return Promise.reject(proxy);
  },
  'resolves to undefined': async () => undefined,
  'resolves to null': async () => null,
  'resolves to a text': async () => 'only text',
  'resolves to a result without output': async () => ({ status: 'completed' }),
  'resolves to an output that is no text': async () => ({ output: 42 }),
  'resolves to usage that can not be': async () => ({
    output: 'x',
    usage: { tokens: -5, turns: Number.NaN, cost: Number.POSITIVE_INFINITY },
  }),
  'resolves to usage that is no object': async () => ({ output: 'x', usage: 'much' }),
  'resolves to getters that throw': async () => ({
    get output() {
      throw new Error('read me not');
    },
  }),
  'resolves to a frozen result': async () => Object.freeze({ output: 'frozen', usage: Object.freeze({ tokens: 1 }) }),
  'resolves to an unknown status': async () => ({ output: 'x', status: 'splendid' }),
  'is a thenable that settles twice': () => ({
    // biome-ignore lint/suspicious/noThenProperty: that is the point of it
    then(yes: (value: unknown) => void, no: (error: unknown) => void) {
      yes({ output: 'first' });
      yes({ output: 'second' });
      no(new Error('third'));
    },
  }),
  'is a thenable that throws after it settled': () => ({
    // biome-ignore lint/suspicious/noThenProperty: that is the point of it
    then(yes: (value: unknown) => void) {
      yes({ output: 'settled' });
      throw new Error('late');
    },
  }),
  'returns half a character': async () => ({ output: 'a\ud800b' }),
  'returns NUL and what is beyond the first plane': async () => ({ output: 'a\0b 😀 \u{10ffff} ﷽' }),
  'returns an empty text': async () => ({ output: '' }),
  'asks for a turn twice at once': async (_, run) => {
    const codes = await Promise.all([run.beforeTurn(), run.beforeTurn()].map((turn) => codeOf(() => turn)));
    return { output: codes.join() };
  },
  'reports nonsense': async (_, run) => {
    run.report({ tokens: -1, costUsd: Number.NaN, contextTokens: Number.POSITIVE_INFINITY, message: 'still here' });
    return { output: `${await codeOf(() => run.report(null as never))}, ${await codeOf(() => run.report({ message: 7 } as never))}` };
  },
  'spawns deeper than it may': async (_, run) => ({ output: await codeOf(() => run.spawn({ instructions: 'deeper' })) }),
  'waits for itself': async (_, run) => ({ output: await codeOf(() => run.wait([run.taskId], { timeoutMs: 1 })) }),
  'cancels itself': async (_, run) => ({ output: await codeOf(() => run.cancel(run.taskId)) }),
};

export async function hostile(book: Book): Promise<void> {
  let host: Host = async () => ({ output: '' });
  const errors: unknown[] = [];
  const manager = new SubAgentManager({
    budget: { tokens: 10_000_000 },
    spawnSubAgent: ((params, run) => host(params, run)) as SpawnSubAgent,
    onError: (error) => errors.push(error),
  });
  for (const [name, hostile] of Object.entries(HOSTS)) {
    host = hostile;
    const { status, stopReason, output, error, usage } = await manager.spawn({ instructions: name }).wait();
    book.note(name, [status, stopReason, output, error ?? null, usage.unknown, usage.invalid]);
    host = async () => ({ output: 'sound', usage: { tokens: 1, turns: 1, cost: 0 } });
    const { output: after } = await manager.spawn({ instructions: 'an ordinary task' }).wait();
    const { active, queued } = manager.getConcurrencyInfo();
    book.expect(`${name}, and after it`, [after, active, queued, manager.stats().tokensReserved], ['sound', 0, 0, 0]);
  }
  await large(book);
  await listeners(book);
  await never(book);
  await wrongArguments(book, manager);
  // What no result says of them is reported: a usage that is none, and a status without a meaning.
  const reported = errors.map((error) => (error as { details?: { argument?: string } }).details?.argument);
  book.expect('no error of theirs was lost on the way', reported, ['usage', 'status']);
  manager.dispose();
}

async function large(book: Book): Promise<void> {
  const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: '€'.repeat(1_000_000) }) });
  const { output, truncated } = await manager.spawn({ instructions: 'ä'.repeat(100_000) }).wait();
  book.note('a large output', output.length, truncated, await sha256(output));
  book.expect('it was cut', truncated, true);
  manager.dispose();
}

async function listeners(book: Book): Promise<void> {
  const errors: unknown[] = [];
  const spawned: Promise<{ output: string }>[] = [];
  const manager: SubAgentManager = new SubAgentManager({
    spawnSubAgent: async ({ instructions }) => ({ output: instructions }),
    onError: (error) => errors.push((error as Error).message),
  });
  const unsubscribe = manager.subscribe((event) => {
    if (event.type === 'run_started' && spawned.length < 3) {
      spawned.push(manager.spawn({ instructions: `nested ${spawned.length}` }).wait());
      throw new Error('a listener');
    }
  });
  await manager.spawn({ instructions: 'first' }).wait();
  while (spawned.length < 3) await sleep(1);
  book.note(
    'spawned by a listener',
    (await Promise.all(spawned)).map(({ output }) => output),
    errors,
  );
  unsubscribe();
  manager.dispose();

  const leaving: SubAgentManager = new SubAgentManager({
    spawnSubAgent: () => {
      leaving.dispose();
      return { output: 'too late' };
    },
  });
  book.expect('disposed by its own host', await codeOf(() => leaving.spawn({ instructions: 'x' }).wait()), 'disposed');
}

async function never(book: Book): Promise<void> {
  const manager = new SubAgentManager({ graceMs: 5, abandonMs: 5, spawnSubAgent: () => new Promise(() => undefined) });
  const handle = manager.spawn({ instructions: 'never returns' });
  await manager.cancel(handle);
  const { status, hostStillRunning } = await handle.wait();
  book.expect('it ignores its abort', [status, hostStillRunning], ['cancelled', true]);
  manager.dispose();
}

async function wrongArguments(book: Book, manager: SubAgentManager): Promise<void> {
  const wrong: Readonly<Record<string, () => unknown>> = {
    'spawn()': () => manager.spawn(undefined as never),
    'spawn(7)': () => manager.spawn(7 as never),
    'a text that is none': () => manager.spawn({ instructions: {} as never }),
    'a negative budget': () => manager.spawn({ instructions: 'x', budget: { tokens: -1 } }),
    'a priority that is none': () => manager.spawn({ instructions: 'x', priority: 'high' as never }),
    'an id that is none': () => manager.get('sub_nobody'),
    'an id that is no text': () => manager.get(7 as never),
    'a session without a key': () => manager.session(''),
    'an unknown option': () => new SubAgentManager({ colour: 'red' } as never),
    'a limit below one': () => new SubAgentManager({ maxConcurrent: 0 }),
    'a listener that is none': () => manager.subscribe('listen' as never),
    'a wait for nobody': () => manager.wait(['sub_nobody']),
    'a grace below nothing': () => manager.cancelAll({ graceMs: -1 }),
  };
  for (const [name, body] of Object.entries(wrong)) book.note(name, await codeOf(body));
}
