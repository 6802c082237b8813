// Results in pages, results let go of, token counting. Rules R1, L8, X2; S1.28, S4.17.

import '../../support/virtual-time.js';

import { inspect } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { SubAgentError, SubAgentManager, type SubAgentManagerOptions } from '../../../dist/index.js';
import { done, expectSums, type Host, managerWith, manualHost, refusal, refusesUnchanged, rejects } from '../../support/hosts.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

function open(host: Host, options: SubAgentManagerOptions = {}): SubAgentManager {
  const { manager } = managerWith(host, options);
  opened.push(manager);
  return manager;
}

const TEXT = 'Zwölf Boxkämpfer jagen 🦊 über den großen Sylter Deich. '.repeat(500);

test('R1 pages put together are the result, whatever their size, and the host is called once', async () => {
  let calls = 0;
  const manager = open(() => {
    calls += 1;
    return done(TEXT);
  });
  const handle = manager.spawn({ instructions: 'write' });
  await handle.wait();
  for (const limit of [1_000, 7_777, 100_000, Number.POSITIVE_INFINITY]) {
    const pages: string[] = [];
    let offset: number | null = 0;
    while (offset !== null) {
      const page: ReturnType<typeof handle.readResult> = handle.readResult({ offset, limit });
      expect(page).toMatchObject({ offset, total: [...TEXT].length, cut: false });
      expect([...page.text].length).toBeLessThanOrEqual(limit);
      pages.push(page.text);
      offset = page.nextOffset;
    }
    expect(pages.join('')).toBe(TEXT);
  }
  const first = manager.readResult(handle);
  expect([...first.text].length).toBe(16_000);
  expect(first.nextOffset).toBe(16_000);
  expect(manager.readResult(handle.taskId, { offset: 1e9 })).toMatchObject({ text: '', nextOffset: null, offset: [...TEXT].length });
  expect(calls).toBe(1);
});

test('R1 S4.17 what was cut at `maxResultBytes` says so', async () => {
  const manager = open(() => done(TEXT), { maxResultBytes: 100 });
  const handle = manager.spawn({ instructions: 'write' });
  await handle.wait();
  const page = handle.readResult();
  expect(page).toMatchObject({ cut: true, nextOffset: null });
  expect(new TextEncoder().encode(page.text).length).toBeLessThanOrEqual(100);
  expect(TEXT.startsWith(page.text)).toBe(true);
});

test('L8 a released result is gone, the sub-agent is not; its next run has one again', async () => {
  const manager = open((_, run) => ({ ...done(run.prompt), artifacts: [{ file: 'a' }] }));
  const handle = manager.spawn({ instructions: 'one' });
  await handle.wait();
  expect(handle.snapshot()).toMatchObject({ output: 'one', artifacts: [{ file: 'a' }], released: false });
  manager.forget(handle, { resultOnly: true });
  manager.forget(handle, { resultOnly: true });
  expect(handle.snapshot()).toMatchObject({ status: 'completed', output: '', artifacts: [], released: true });
  refusesUnchanged(manager, 'released', () => handle.readResult());
  expect(manager.stats().tokensSpent).toBe(10);
  handle.send('two');
  await handle.wait();
  expect(handle.readResult().text).toBe('two');
  expect(handle.snapshot()).toMatchObject({ released: false, artifacts: [{ file: 'a' }] });
  manager.forget(handle);
  refusesUnchanged(manager, 'forgotten', () => handle.readResult());
  refusesUnchanged(manager, 'forgotten', () => manager.forget(handle.taskId, { resultOnly: true }));
  expectSums(manager);
});

test('A1 whose result it is: a session reads its own, a run its sub-agents’', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, { maxDepth: 2 });
  const [session, other] = [manager.session('s'), manager.session('other')];
  const handle = session.spawn({ instructions: 'a' });
  const run = runs[0]?.run;
  const child = run?.spawn({ instructions: 'b' });
  refusesUnchanged(manager, 'wrong_status', () => session.forget(handle, { resultOnly: true }));
  runs[1]?.end.resolve(done('of the child'));
  await child?.wait();
  expect(run?.readResult(child as { taskId: string }).text).toBe('of the child');
  expect(session.readResult(child as { taskId: string }).text).toBe('of the child');
  refusesUnchanged(manager, 'not_reachable', () => run?.readResult(handle));
  refusesUnchanged(manager, 'not_reachable', () => other.readResult(handle));
  refusesUnchanged(manager, 'not_reachable', () => other.forget(handle, { resultOnly: true }));
  runs[0]?.end.resolve(done());
  await handle.wait();
  refusesUnchanged(manager, 'actor_ended', () => run?.readResult(child as { taskId: string }));
});

test.each([{ offset: -1 }, { offset: 1.5 }, { offset: '0' }, { limit: 0 }, { limit: Number.NaN }, { limit: null }, null, 5])(
  'wrong options (%#)',
  async (options) => {
    const manager = open(() => done());
    const handle = manager.spawn({ instructions: 'a' });
    await handle.wait();
    refusesUnchanged(manager, 'invalid_argument', () => manager.readResult(handle, options as never));
  },
);

test('unknown ids and disposed managers', async () => {
  const manager = open(() => done());
  const handle = manager.spawn({ instructions: 'a' });
  await handle.wait();
  refusesUnchanged(manager, 'unknown_task', () => manager.readResult('sub_0'));
  refusesUnchanged(manager, 'unknown_task', () => manager.forget('nobody', { resultOnly: true }));
  for (const wrong of [null, 5, { resultOnly: 1 }, { result: true }])
    refusesUnchanged(manager, 'invalid_argument', () => manager.forget(handle, wrong as never));
  manager.dispose();
  for (const use of [
    () => manager.readResult(handle),
    () => handle.readResult(),
    () => manager.forget(handle, { resultOnly: true }),
    () => manager.budget(),
  ])
    expect(refusal(use).code).toBe('disposed');
});

test('W4 an end that retention takes as soon as it is collected still reaches who waits', async () => {
  const manager = open(() => done('here'), { retain: 0 });
  const handle = manager.spawn({ instructions: 'a' });
  expect(await handle.wait()).toMatchObject({ output: 'here', status: 'completed' });
  await rejects(
    Promise.resolve().then(() => handle.wait()),
    'forgotten',
  );
});

/** What a run counts in its host function. */
async function counted(text: unknown, options: SubAgentManagerOptions = {}): Promise<unknown> {
  const counting = open((_, run) => ({ output: String(run.countTokens(text as never)) }), options);
  const { output, error } = await counting.spawn({ instructions: 'count' }).wait();
  return error ?? Number(output);
}

test('X2 a run counts tokens as UTF-8 bytes divided by 4, unless the program counts', async () => {
  expect(await Promise.all(['', 'abcd', 'abcde', 'ääää'].map((text) => counted(text)))).toEqual([0, 1, 2, 2]);
  const countTokens = (text: string): number => text.split(' ').length - 0.5;
  expect(await counted('one two three', { countTokens })).toBe(3);
  expect(await counted(5)).toContain('the text must be a string');
  expect(refusal(() => open(() => done(), { countTokens: 5 } as never)).code).toBe('invalid_argument');
});

test.each([() => -1, () => Number.NaN, () => 'many', () => undefined, () => Number.POSITIVE_INFINITY])(
  'X2 a count that is none is replaced and reported (%#)',
  async (countTokens) => {
    const errors: unknown[] = [];
    expect(await counted('abcdefgh', { countTokens: countTokens as never, onError: (error) => errors.push(error) })).toBe(2);
    expect(errors).toHaveLength(1);
  },
);

test('X2 a count that throws is replaced and reported', async () => {
  const errors: unknown[] = [];
  const broken = new Error('no tokenizer');
  const countTokens = (): number => {
    throw broken;
  };
  expect(await counted('abcdefgh', { countTokens, onError: (error) => errors.push(error) })).toBe(2);
  expect(errors).toEqual([broken]);
});

test('X2 statistics: the states sum to the total through every kind of end', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, { maxConcurrent: 2, graceMs: 0 });
  manager.spawn({});
  const handles = ['a', 'b', 'c', 'd'].map((instructions) => manager.spawn({ instructions }));
  expect(manager.stats()).toMatchObject({ total: 5, idle: 1, running: 2, pending: 2 });
  expectSums(manager);
  runs[0]?.end.resolve({ output: '', status: 'failed' });
  await handles[0]?.wait();
  await handles[3]?.cancel();
  runs[1]?.end.resolve(done());
  await handles[1]?.wait();
  runs[2]?.end.resolve({ output: '', status: 'timeout' });
  await handles[2]?.wait();
  manager.spawn({ drive: 'program', instructions: 'by hand' });
  expect(manager.stats()).toMatchObject({
    total: 6,
    idle: 1,
    failed: 1,
    cancelled: 1,
    completed: 1,
    timedOut: 1,
    pending: 1,
    runsEnded: 3,
  });
  expectSums(manager);
});

test('L3 a host function that lost the process which carried the run out ends it `host_lost`, with what it last reported', async () => {
  const lost = new SubAgentError('worker_lost', 'its worker was lost 4 times', { losses: 4 });
  const manager = new SubAgentManager({
    spawnSubAgent: (_, run) => {
      run.report({ message: 'half way' });
      throw lost;
    },
  });
  const result = await manager.spawn({ instructions: 'x' }).wait();
  expect(result).toMatchObject({ status: 'failed', stopReason: 'host_lost', partial: true, output: 'half way', cause: lost });
  expect(result.error).toBe('its worker was lost 4 times');
  manager.dispose();
});

test('a result keeps every field when it is spread, cloned or made JSON of', async () => {
  const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'o' }) });
  const handle = manager.spawn({ instructions: 'x' });
  const result = await handle.wait();
  const expected = { taskId: handle.taskId, success: true, backgrounded: false, status: 'completed', output: 'o', run: 1 };
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  for (const { get } of Object.values(Object.getOwnPropertyDescriptors(result))) expect(get).toBeUndefined();
  for (const copy of [{ ...result }, structuredClone(result)]) expect(copy).toStrictEqual(result);
  for (const whole of [result, JSON.parse(JSON.stringify(result))]) expect(whole).toMatchObject(expected);
  expect(inspect(result)).toMatch(/^\{\n {2}taskId: 'sub_[\s\S]*\braisedBy: null\n\}$/);
  expect(JSON.parse(JSON.stringify(handle))).toEqual({ taskId: handle.taskId });
  manager.dispose();
});

test('what a host function threw is a field of the result that copies and JSON leave out, as with an error', async () => {
  const thrown = { loop: null as unknown, call: () => 1 };
  thrown.loop = thrown;
  const manager = new SubAgentManager({
    spawnSubAgent: () => {
      throw thrown;
    },
  });
  const result = await manager.spawn({ instructions: 'x' }).wait();
  expect(result.cause).toBe(thrown);
  for (const copy of [{ ...result }, structuredClone(result), JSON.parse(JSON.stringify(result))]) {
    expect(copy).toMatchObject({ status: 'failed', error: result.error });
    expect(copy).not.toHaveProperty('cause');
  }
  manager.dispose();
});

test('`console.log` shows a manager by its figures, a session by its key, a handle by its id and status', async () => {
  const { manager } = managerWith(async () => done());
  const handle = manager.spawn({ instructions: 'x', label: 'reader' });
  await handle.wait();
  const { taskId } = handle;
  expect(inspect(manager)).toMatch(/^SubAgentManager \{[\s\S]*\bcompleted: 1\b/);
  expect(inspect(manager.session('ada'))).toBe("Session { key: 'ada', tasks: 0 }");
  expect(inspect(handle, { breakLength: Number.POSITIVE_INFINITY })).toBe(
    `Handle { taskId: '${taskId}', label: 'reader', status: 'completed' }`,
  );
  expect(inspect({ deep: { handle } })).toContain("status: 'completed'");
  manager.forget(handle);
  expect(inspect(handle, { breakLength: Number.POSITIVE_INFINITY })).toBe(`Handle { taskId: '${taskId}', forgotten: true }`);
  manager.dispose();
  expect(inspect(manager)).toBe('SubAgentManager { disposed: true }');
  expect(inspect(handle)).toContain('disposed: true');
});

test('an error keeps its message as JSON', () => {
  const manager = new SubAgentManager();
  try {
    manager.get('none');
    expect.unreachable();
  } catch (error) {
    const { code, message, details } = error as SubAgentError;
    expect(JSON.parse(JSON.stringify(error))).toEqual({ name: 'SubAgentError', code, message, details });
    expect(code).toBe('unknown_task');
  }
  manager.dispose();
});
