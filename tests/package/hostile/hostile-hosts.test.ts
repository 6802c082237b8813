// biome-ignore-all lint/suspicious/noThenProperty: thenables are among what is tested

// Host functions that do what they should not: each has one defined outcome, nothing hangs, and the manager
// is sound afterwards (L2, B7).

import '../../support/virtual-time.js';

import { afterEach, describe, expect, test, vi } from 'vitest';
import type {
  DrivenHandle,
  Handle,
  HostResult,
  Run,
  RunResult,
  SubAgentManager,
  SubAgentManagerOptions,
  WaitResult,
} from '../../../dist/index.js';
import {
  deferred,
  done,
  expectSound,
  expectSums,
  type Host,
  managerWith,
  refusal,
  refusesUnchanged,
  rejects,
  runtimeOf,
} from '../../support/hosts.js';
import { NO_KINDS } from '../../support/kinds.js';
import { flush, isPending, pass, settles } from '../../support/virtual-time.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

const short: SubAgentManagerOptions = { timeoutMs: 10_000, graceMs: 1_000, abandonMs: 5_000 };

function host(body: (run: Run) => unknown, options: SubAgentManagerOptions = short) {
  const made = managerWith(((_, run) => body(run)) as Host, options);
  opened.push(made.manager);
  return made;
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** A proxy each of whose traps throws. */
function thorny(target: object = {}): object {
  const trap = (): never => {
    throw new Error('thorn');
  };
  const traps = ['get', 'has', 'ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor', 'set', 'defineProperty', 'isExtensible'];
  return new Proxy(target, Object.fromEntries(traps.map((name) => [name, trap])));
}

/** Runs one such host function to its end, and then an ordinary one. */
async function outcome(body: (run: Run) => unknown): Promise<RunResult> {
  const made = host(body);
  const handle = made.manager.spawn({ instructions: 'hostile' });
  const result = await settles(handle.wait());
  await flush();
  expect(handle.status).toBe(result.status);
  expect(handle.snapshot()).toMatchObject({ status: result.status, stopReason: result.stopReason });
  expect(() => JSON.stringify(result)).not.toThrow();
  await expectSound(made);
  return result;
}

const thrown: [string, unknown, string][] = [
  ['an error', new Error('boom'), 'boom'],
  ['a TypeError', new TypeError('bad'), 'bad'],
  ['an error without a message', new RangeError(''), 'RangeError'],
  ['a string', 'boom', 'boom'],
  ['nothing', undefined, 'threw undefined'],
  ['null', null, 'threw null'],
  ['a number', 42, 'threw 42'],
  ['a bigint', 10n, 'threw a bigint'],
  ['a symbol', Symbol('s'), 'threw a symbol'],
  ['a function', () => 'x', 'threw a function'],
  ['an object', { code: 1 }, 'threw an object'],
  ['an object with a message', { message: 'from elsewhere' }, 'from elsewhere'],
  ['an object whose message is no text', { message: 5 }, 'threw an object'],
  [
    'an object with a getter that throws',
    {
      get message() {
        throw new Error('inner');
      },
    },
    'threw an object',
  ],
  ['a revoked proxy', revoked(), 'threw an object'],
  ['a proxy that throws', thorny(), 'threw an object'],
  ['an error whose message is a symbol', Object.assign(new Error('x'), { message: Symbol('m') }), 'Symbol(m)'],
];

describe('throwing', () => {
  test.each(thrown)('at once, %s: the run failed, `host_threw`', async (_, value, message) => {
    const result = await outcome(() => {
      throw value;
    });
    expect(result).toMatchObject({ status: 'failed', stopReason: 'host_threw', error: message, output: '', success: false });
  });

  test.each(thrown)('by rejecting, %s: the same', async (_, value, message) => {
    const result = await outcome(() => Promise.reject(value));
    expect(result).toMatchObject({ status: 'failed', stopReason: 'host_threw', error: message });
    expect(Object.is(result.cause, value)).toBe(true);
  });

  test.each([
    ['a symbol', Symbol('n')],
    ['a number', 5],
    ['an object that is no text', thorny()],
    ['nothing', undefined],
  ])('an error without a message whose name is %s', async (_, name) => {
    const result = await outcome(() => {
      throw Object.defineProperty(new Error(''), 'name', { value: name });
    });
    expect(result).toMatchObject({ status: 'failed', stopReason: 'host_threw' });
    expect(result.error).toBeTypeOf('string');
  });

  test('L2 the cause is reported to whoever waits after the end, too', async () => {
    const error = new Error('boom');
    const result = await outcome(() => {
      throw error;
    });
    expect(result.cause).toBe(error);
  });

  test('after an await', async () => {
    const result = await outcome(async (run) => {
      await run.beforeTurn();
      run.report({ message: 'half way', tokens: 5 });
      throw new Error('later');
    });
    expect(result).toMatchObject({ status: 'failed', stopReason: 'host_threw', error: 'later', usage: { tokens: 5, turns: 1 } });
  });

  test('no host function at all: the run failed and says so', async () => {
    const { manager } = host(() => done());
    const bare = new (manager.constructor as typeof SubAgentManager)();
    opened.push(bare);
    // A spawn with a text is refused; what is sent to one without finds nobody either.
    const handle = bare.spawn({});
    handle.send('x');
    const result = await settles(handle.wait());
    expect(result).toMatchObject({ status: 'failed', stopReason: 'host_threw' });
    expect(result.error).toContain('spawnSubAgent');
    expect(bare.getConcurrencyInfo().active).toBe(0);
  });
});

describe('returning', () => {
  test('a plain result instead of a promise counts as one', async () => {
    expect(await outcome(() => done('plain'))).toMatchObject({ status: 'completed', output: 'plain' });
  });

  const nonsense: [string, () => unknown][] = [
    ['nothing', () => undefined],
    ['null', () => null],
    ['a number', () => 7],
    ['a text', () => 'done'],
    ['a symbol', () => Symbol('x')],
    ['a function', () => () => done()],
    ['a list', () => [done()]],
    ['an empty object', () => ({})],
    ['an output that is no text', () => ({ output: 5, status: 'completed' })],
    ['an output of null', () => ({ output: null })],
    ['an output that is a String object', () => ({ output: new String('x') })],
    [
      'a getter that throws',
      () => ({
        get output(): string {
          throw new Error('thorn');
        },
      }),
    ],
    ['an error', () => new Error('returned, not thrown')],
    ['a proxy that throws', () => thorny()],
  ];

  test.each(nonsense)('by a promise, %s: failed, `invalid_result`', async (_, make) => {
    const result = await outcome(async () => make());
    // A promise that resolves to a proxy that throws rejects already when its `then` is read.
    expect(result.status).toBe('failed');
    expect(['invalid_result', 'host_threw']).toContain(result.stopReason);
    expect(result.error).not.toBe('');
    expect(result.output).toBe('');
  });

  test.each(nonsense.filter(([name]) => !name.includes('proxy')))('at once, %s: the same', async (_, make) => {
    expect(await outcome(make)).toMatchObject({ status: 'failed', stopReason: 'invalid_result' });
  });

  test('a proxy around a good result is a good result', async () => {
    expect(await outcome(async () => new Proxy(done('by proxy'), {}))).toMatchObject({ status: 'completed', output: 'by proxy' });
  });

  test('each property is read once', async () => {
    const reads: string[] = [];
    const counted = <T extends object>(target: T, prefix: string): T =>
      new Proxy(target, {
        get(of, key, receiver) {
          if (key !== 'then') reads.push(`${prefix}${String(key)}`);
          return Reflect.get(of, key, receiver);
        },
      });
    const usage = counted({ tokens: 1, cost: 1, turns: 1, durationMs: 5 }, 'usage.');
    await outcome(async () => counted({ output: 'x', status: 'completed', usage, taskId: 'h' }, ''));
    const twice = reads.filter((name, index) => reads.indexOf(name) !== index);
    expect(twice).toEqual([]);
    expect(reads).toContain('output');
  });

  test('a getter that uses the manager, or disposes it', async () => {
    // A cancelled one makes room for the next: what calls itself has to stop by itself.
    let left = 20;
    const made = host(
      async () => ({
        get output() {
          left -= 1;
          if (left < 0) return 'x';
          made.manager
            .spawn({ instructions: 'from a getter' })
            .cancel()
            .catch(() => undefined);
          return 'x';
        },
      }),
      { ...short, maxTasks: 3 },
    );
    const handle = made.manager.spawn({ instructions: 'x' });
    expect(await settles(handle.wait())).toMatchObject({ status: 'completed', output: 'x' });
    await pass(100_000);
    expectSums(made.manager);
    const ending = host(async () => ({
      get output() {
        ending.manager.dispose();
        return 'x';
      },
    }));
    await rejects(ending.manager.spawn({ instructions: 'x' }).wait(), 'disposed');
  });
});

describe('B7 what can not be read, or kept, costs no other field', () => {
  const usage = { tokens: 9_000, cost: 0.5, turns: 3 };
  const thorn = (): never => {
    throw new Error('thorn');
  };
  const throwing = (name: string, result: object): object => Object.defineProperty({ ...result }, name, { enumerable: true, get: thorn });
  const loop: Record<string, unknown> = {};
  loop.loop = loop;

  const good = { output: 'a good report', usage, taskId: 'h1', status: 'done', artifacts: [{ path: 'a' }] };
  const kept = { status: 'completed', output: 'a good report', hostTaskId: 'h1', hostStatus: 'done' };
  const left = [{ path: 'a' }];

  test.each<[string, object, object, string | undefined]>([
    ['all is well', good, { ...kept, artifacts: left }, undefined],
    [
      'no output',
      { ...good, output: undefined },
      { status: 'failed', stopReason: 'invalid_result', output: '', artifacts: left },
      'output',
    ],
    ['an output that throws', throwing('output', good), { status: 'failed', stopReason: 'invalid_result', artifacts: left }, 'output'],
    ['a bigint in an artifact', { ...good, artifacts: [{ path: 'a' }, { n: 1n }] }, { ...kept, artifacts: left }, 'artifacts[1]'],
    ['a cycle in an artifact', { ...good, artifacts: [loop, { path: 'a' }] }, { ...kept, artifacts: left }, 'artifacts[0]'],
    ['an artifact whose toJSON throws', { ...good, artifacts: [{ toJSON: thorn }] }, { ...kept, artifacts: [] }, 'artifacts[0]'],
    ['a hole among the artifacts', { ...good, artifacts: Object.assign(new Array(2), left) }, { ...kept, artifacts: left }, 'artifacts[1]'],
    ['artifacts that are no list', { ...good, artifacts: { path: 'a' } }, { ...kept, artifacts: [] }, 'artifacts'],
    ['artifacts that throw', throwing('artifacts', good), { ...kept, artifacts: [] }, 'artifacts'],
    ['a revoked list of artifacts', { ...good, artifacts: revoked() }, { ...kept, artifacts: [] }, 'artifacts'],
    ['an id that throws', throwing('taskId', good), { ...kept, hostTaskId: undefined, artifacts: left }, 'taskId'],
    ['an error that throws', throwing('error', good), { ...kept, artifacts: left }, 'error'],
    [
      'a status that throws',
      throwing('status', good),
      { status: 'failed', stopReason: 'invalid_result', output: 'a good report' },
      'status',
    ],
  ])('%s', async (_, result, expected, named) => {
    const { manager } = host(async () => result, { budget: { tokens: 10_000, costUsd: 1 } });
    const handle = manager.spawn({ instructions: 'x' });
    const came = await settles(handle.wait());
    expect(came).toMatchObject({ ...expected, usage: { tokens: 9_000, costUsd: 0.5, turns: 3, unknown: [], invalid: [] } });
    if (named === undefined) expect(came.error).toBeUndefined();
    else expect(came.error).toContain(named);
    expect(manager.stats()).toMatchObject({ tokensSpent: 9_000, costSpentUsd: 0.5 });
    expect(handle.snapshot().error).toBe(came.error ?? null);
    expect(manager.get(handle).artifacts).toEqual(came.artifacts);
    expect(refusal(() => manager.spawn({ instructions: 'past the cap' })).code).toBe('budget_exhausted');
  });

  test('artifacts without end are gone through only as far as they could be kept', async () => {
    let asked = 0;
    const list = (length: number, entry: (at: number) => unknown): unknown =>
      new Proxy([] as unknown[], {
        get: (target, name) => {
          if (name === 'length') return length;
          if (typeof name !== 'string' || !/^\d+$/.test(name)) return Reflect.get(target, name);
          asked += 1;
          return entry(Number(name));
        },
        getOwnPropertyDescriptor: () => ({ value: 1, configurable: true, enumerable: true, writable: true }),
      });
    const million = 'x'.repeat(1_000_000);
    const endless = { endless: list(10_000, () => million) };
    const unread = {
      toJSON: () => {
        asked += 1;
        throw new Error('thorn');
      },
    };
    const results = [
      { output: 'one of them', artifacts: [{ path: 'a' }, endless, { path: 'b' }] },
      { output: 'all of them', artifacts: new Array(1_000_000).fill(unread) },
      { output: 'a list', artifacts: list(10_000_000, () => ({ path: 'a' })) },
      { output: 'a value', value: endless },
    ];
    const { manager } = host(async ({ prompt }) => results[Number(prompt)]);
    const said = async (which: number, options = {}): Promise<RunResult> => {
      asked = 0;
      return settles(manager.spawn({ instructions: `${which}`, ...options }).wait());
    };
    const one = await said(0);
    expect(one).toMatchObject({ status: 'completed', artifacts: [{ path: 'a' }, { path: 'b' }] });
    expect(one.error).toBe('artifacts[1] could not be retained: the artifacts have more than 16777216 characters');
    expect(asked).toBeLessThan(20);
    const all = await said(1);
    expect(all).toMatchObject({ status: 'completed', artifacts: [] });
    expect(all.error).toMatch(/^(artifacts\[\d+\] could not be retained: thorn; ){20}999980 more artifacts could not be retained$/);
    expect(asked).toBeLessThan(50_000);
    expect((await said(2)).error).toContain('a list of at most 1048576 entries');
    expect(asked).toBe(0);
    const value = await said(3, { schema: { type: 'object' } });
    expect(value).toMatchObject({ status: 'failed', stopReason: 'invalid_result' });
    expect(value.error).toContain('it has more than 16777216 bytes as JSON, and `maxResultBytes` allows 1048576');
    expect(asked).toBeLessThan(20);
  });

  test.each([
    ['the text of its error', 'the model refused'],
    ['an error object', new Error('the model refused')],
  ])('a run that failed and has no output keeps %s and its usage', async (_, error) => {
    const { manager } = host(async () => ({ status: 'failed', error, usage }));
    const result = await settles(manager.spawn({ instructions: 'x' }).wait());
    expect(result).toMatchObject({ status: 'failed', stopReason: 'host_failed', error: 'the model refused', output: '' });
    expect(manager.stats().tokensSpent).toBe(9_000);
  });

  test('a dimension that throws is invalid, and the others are booked', async () => {
    const { manager } = host(async () => ({ output: 'x', usage: throwing('tokens', usage) }));
    const result = await settles(manager.spawn({ instructions: 'x' }).wait());
    expect(result.usage).toMatchObject({ costUsd: 0.5, turns: 3, unknown: [], invalid: ['tokens'] });
  });

  test('a background run that is reported so, too', async () => {
    const { manager } = managerWith(() => done(), { spawnBackgroundSubAgent: async () => ({ taskId: 'h' }) });
    const handle = manager.spawn({ instructions: 'x', background: true });
    await flush();
    manager.reportSettled('h', { output: 'a good report', usage, artifacts: [{ n: 1n }] });
    expect(handle.snapshot()).toMatchObject({ status: 'completed', output: 'a good report', artifacts: [] });
    expect(handle.snapshot().error).toContain('artifacts[0]');
    expect(manager.stats().tokensSpent).toBe(9_000);
    manager.dispose();
  });

  test('X6 one that the program drives, too', async () => {
    const { manager } = host(() => done());
    const handle = manager.spawn({ drive: 'program', instructions: 'x' });
    await handle.start();
    handle.complete({ output: 'a good report', usage, artifacts: [{ a: 1 }, loop] });
    expect(handle.snapshot()).toMatchObject({ status: 'completed', output: 'a good report', artifacts: [{ a: 1 }] });
    expect(handle.snapshot().error).toContain('artifacts[1]');
    expect(manager.stats().tokensSpent).toBe(9_000);
  });
});

describe('statuses and readings', () => {
  const completed = ['completed', 'finished', false] as const;
  const failed = ['failed', 'host_failed', false] as const;
  const incomplete = ['failed', 'host_failed', true] as const;
  const cancelled = ['cancelled', 'host_cancelled', false] as const;
  const timedOut = ['timed_out', 'host_timed_out', false] as const;
  const meanings: [meaning: readonly [string, string, boolean], words: string[]][] = [
    [completed, ['completed', 'Success', 'succeeded', 'OK', 'done', 'finished', 'stop', 'end_turn', 'endTurn', 'END TURN']],
    [failed, ['failed', 'Failed', 'FAILED', 'failure', 'error', 'errored']],
    [incomplete, ['incomplete', 'length', 'max_tokens', 'MAX_TOKENS', 'maxTokens', 'content_filter', 'content-filter', 'refusal']],
    [cancelled, ['cancelled', 'canceled', 'aborted', 'interrupted']],
    [timedOut, ['timed_out', 'timed-out', 'Timed Out', 'timedOut', 'timeout']],
  ];
  const words = meanings.flatMap(([meaning, all]) => all.map((word) => [word, meaning] as const));

  test.each(words)('L3 the status `%s` means the same with an error beside it and without', async (status, [ours, stopReason, partial]) => {
    for (const error of [undefined, 'why']) {
      const errors: unknown[] = [];
      const made = host(async () => ({ output: 'x', status, error }), { ...short, onError: (error) => errors.push(error) });
      const handle = made.manager.spawn({ instructions: 'x' });
      const result = await settles(handle.wait());
      expect(result).toMatchObject({ status: ours, stopReason, partial, output: 'x', success: ours === 'completed' });
      expect(handle.snapshot()).toMatchObject({ status: ours, partial });
      expect([result.error, result.hostStatus]).toEqual([error, status === 'completed' ? undefined : status]);
      expect(errors, 'it has a meaning').toEqual([]);
    }
  });

  test.each(['killed', 'exception', '__proto__', 'w'.repeat(2_000), '', undefined])(
    'L3 with a status that has no meaning, an error decides (%#)',
    async (status) => {
      const quiet = { ...short, onError: () => undefined };
      const end = (result: object): Promise<RunResult> =>
        settles(
          host(async () => result, quiet)
            .manager.spawn({ instructions: 'x' })
            .wait(),
        );
      const result = await end({ output: 'x', status, error: 'it went wrong' });
      expect(result).toMatchObject({ status: 'failed', stopReason: 'host_failed', success: false, output: 'x', error: 'it went wrong' });
      for (const error of [undefined, null, '', ' \n', false]) {
        const good = await end({ output: 'x', status, error });
        expect(good).toMatchObject({ status: 'completed', stopReason: 'finished', success: true, error: undefined });
        expect(good.hostStatus).toBe(status);
      }
    },
  );

  test('L3 a status that has no meaning is reported once a word, and so is that of a run elsewhere', async () => {
    const errors: unknown[] = [];
    const { manager } = host(async () => ({ output: 'x', status: 'needs_review' }), { ...short, onError: (error) => errors.push(error) });
    await settles(manager.spawn({ instructions: 'x' }).wait());
    await settles(manager.spawn({ instructions: 'x' }).wait());
    expect(errors).toMatchObject([{ code: 'invalid_argument', details: { argument: 'status' } }]);
    expect(String(errors[0])).toContain('needs_review');
    const elsewhere = managerWith(undefined as never, {
      spawnBackgroundSubAgent: async () => ({ taskId: 'job-1' }),
      onError: (error) => errors.push(error),
    });
    opened.push(elsewhere.manager);
    const handle = elsewhere.manager.spawn({ instructions: 'x', background: true });
    await flush();
    elsewhere.manager.reportSettled('job-1', { output: 'x', status: 'weird' });
    expect(handle.snapshot()).toMatchObject({ status: 'completed', hostStatus: 'weird' });
    expect(errors).toHaveLength(2);
    expect(String(errors[1])).toContain('weird');
  });

  test('L3 a host that makes up words reports a bounded number of them', async () => {
    const errors: unknown[] = [];
    let words = 0;
    const { manager } = host(
      async () => {
        words += 1;
        return { output: 'x', status: `word ${words}` };
      },
      { ...short, maxConcurrent: 300, onError: (error) => errors.push(error) },
    );
    await settles(Promise.all(Array.from({ length: 300 }, () => manager.spawn({ instructions: 'x' }).wait())));
    expect(words).toBe(300);
    expect(errors).toHaveLength(100);
  });

  test.each(['', ' ', '\n\t \u00a0'])('L3 an output of white space alone is no output (%j)', async (output) => {
    expect(await outcome(async () => ({ output }))).toMatchObject({ status: 'completed', output: '' });
    const bare = host(async () => ({ output })).manager.spawn({ instructions: 'x' });
    await settles(bare.wait());
    expect(bare.resultText()).toContain('It left no output.');
    const valued = host(async () => ({ output, value: { n: 1 } }));
    const { value, output: told } = await settles(
      valued.manager.spawn({ instructions: 'x', schema: { type: 'object', required: ['n'] } }).wait(),
    );
    expect([value, told]).toEqual([{ n: 1 }, '{"n":1}']);
  });

  test.each([5, null, {}, Symbol('s'), thorny()])('L3 a status that is no text (%#) is completed, and said', async (status) => {
    const result = await outcome(async () => ({ output: 'x', status }));
    expect(result).toMatchObject({ status: 'completed', hostStatus: undefined });
    expect(result.error).toEqual(status === null ? undefined : expect.stringContaining('status'));
  });

  const wrong = [
    Number.NaN,
    -1,
    -0.5,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    1e300,
    Number.MAX_VALUE,
    '5',
    {},
    [],
    true,
    5n,
    Symbol('5'),
  ];
  test.each(wrong)('B7 usage of %s books the hold, is marked, and is no harm to the sums', async (value) => {
    const made = host(async () => ({ output: 'x', usage: { tokens: value, cost: value, turns: value, durationMs: value } }));
    const handle = made.manager.spawn({ instructions: 'x', budget: { tokens: 2_000, costUsd: 1, turns: 3 } });
    const { usage, status, durationMs } = await settles(handle.wait());
    expect(status).toBe('completed');
    expect(usage).toEqual({ tokens: 2_000, costUsd: 1, turns: 3, ...NO_KINDS, unknown: [], invalid: ['tokens', 'costUsd', 'turns'] });
    expect(Number.isFinite(durationMs)).toBe(true);
    expect(durationMs).toBeGreaterThanOrEqual(0);
    expect(made.manager.stats()).toMatchObject({ tokensSpent: 2_000, costSpentUsd: 1, turnsSpent: 3, tokensReserved: 0 });
    await expectSound(made);
  });

  test.each([1e300, Number.POSITIVE_INFINITY, Number.NaN])('B7 a cost of %s without a cap on cost stays a number', async (cost) => {
    const made = host(async () => ({ output: 'x', usage: { tokens: 1, turns: 1, cost } }));
    const { usage } = await settles(made.manager.spawn({ instructions: 'x' }).wait());
    expect(usage.invalid).toEqual(['costUsd']);
    expect(Number.isFinite(usage.costUsd)).toBe(true);
    expect(Number.isFinite(made.manager.stats().costSpentUsd)).toBe(true);
    await expectSound(made);
  });

  test.each([null, undefined, {}])('a usage of %s is unknown', async (usage) => {
    const result = await outcome(async () => ({ output: 'x', usage }));
    expect(result.usage).toMatchObject({ tokens: 0, unknown: ['tokens', 'costUsd', 'turns'], invalid: [] });
    expect(result.error).toBeUndefined();
  });

  test.each<[string, () => unknown]>([
    ['a number', () => 5],
    ['a text', () => 'x'],
    ['a list', () => [9_000]],
    ['a function', () => () => ({ tokens: 9_000 })],
    ['a promise that nobody awaited', async () => ({ tokens: 9_000 })],
    ['a revoked proxy', () => revoked()],
  ])('B7 a usage that is %s books the hold, and says so', async (_, make) => {
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const { manager } = host(async () => ({ output: 'x', usage: make() }), { budget: { tokens: 10_000 }, onError });
    const result = await settles(manager.spawn({ instructions: 'x' }).wait());
    expect(result).toMatchObject({ status: 'completed', output: 'x', usage: { unknown: [], invalid: ['tokens', 'costUsd', 'turns'] } });
    expect(result.error).toBeUndefined();
    expect(errors).toEqual([expect.objectContaining({ code: 'invalid_argument', details: { argument: 'usage' } })]);
    expect(manager.stats().tokensSpent).toBeGreaterThan(0);
  });

  test.each<[object, { tokens: number; costUsd: number }, string[]]>([
    [{ total_tokens: 900, details: undefined }, { tokens: 900, costUsd: 0 }, ['costUsd']],
    [{ tokens: 5, cost_usd: 0.9 }, { tokens: 5, costUsd: 0.9 }, []],
    [{ tokens: 5, totalCost: 0.9 }, { tokens: 5, costUsd: 0.9 }, []],
    [{ turns: 1, total_tokens: 99 }, { tokens: 99, costUsd: 0 }, ['costUsd']],
    [{ tokens: 5, costUsd: 0.1, total_tokens: 9, cost_usd: 9 }, { tokens: 5, costUsd: 0.1 }, []],
    [{ tokens: 5, cachedTokens: 3, model: 'm' }, { tokens: 5, costUsd: 0 }, ['costUsd']],
  ])('B7 usage under its usual names is booked, our own names first: %o', async (usage, booked, unknown) => {
    const { manager } = host(async () => ({ output: 'x', usage }), { budget: { tokens: 10_000, costUsd: 8 } });
    const result = await settles(manager.spawn({ instructions: 'x' }).wait());
    expect(result.usage).toMatchObject({ ...booked, invalid: [] });
    expect(result.usage.unknown.filter((name) => name !== 'turns')).toEqual(unknown);
    expect(result.error).toBeUndefined();
  });

  test("B7 what names no figure is unknown, and so is one whose names can't be read", async () => {
    const proxy = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no');
        },
      },
    );
    for (const usage of [{ durationMs: 5 }, { inputTokens: undefined }, proxy]) {
      const result = await outcome(async () => ({ output: 'x', usage }));
      expect([result.error, result.usage.invalid, result.usage.unknown.length]).toEqual([undefined, [], 3]);
    }
  });

  test('B6 the cost goes by `costUsd`, as everywhere, or by `cost`', async () => {
    const costs = [{ costUsd: 0.5 }, { cost: 0.5 }, { costUsd: 0.5, cost: 9 }].map(async (usage) =>
      outcome(async () => ({ output: 'x', usage })),
    );
    expect((await Promise.all(costs)).map(({ usage }) => [usage.costUsd, usage.unknown])).toEqual(
      Array(3).fill([0.5, ['tokens', 'turns']]),
    );
  });

  test('a usage far past the cap is booked, and refuses the next', async () => {
    const { manager } = host(async () => ({ output: 'x', usage: { tokens: 9_007_199_254_740_000, cost: 9_000_000, turns: 1 } }), {
      budget: { tokens: 50_000 },
    });
    const first = await settles(manager.spawn({ instructions: 'x' }).wait());
    expect(first.usage.tokens).toBe(9_007_199_254_740_000);
    expect(refusal(() => manager.spawn({ instructions: 'y' })).code).toBe('budget_exhausted');
    expect(manager.stats().tokensRemaining).toBe(0);
    expectSums(manager);
  });

  test.each([
    ['taskId', 5],
    ['taskId', ''],
    ['taskId', null],
    ['artifacts', {}],
    ['artifacts', 'x'],
  ])('a wrong `%s` is left out: %s', async (name, value) => {
    const result = await outcome(async () => ({ output: 'x', [name as string]: value }));
    expect(result).toMatchObject({ status: 'completed', hostTaskId: undefined, artifacts: [] });
  });

  test('artifacts travel along as JSON values', async () => {
    const artifacts = [{ file: 'a.txt', lines: 3 }, { nested: { list: [1, null, 'x'] } }];
    const made = host(async () => ({ output: 'x', taskId: 'host-1', artifacts }));
    const handle = made.manager.spawn({ instructions: 'x' });
    expect(await handle.wait()).toMatchObject({ artifacts, hostTaskId: 'host-1' });
    expect(handle.snapshot()).toMatchObject({ artifacts, hostTaskId: 'host-1' });
  });
});

describe('thenables', () => {
  const result = done('thenable');
  const cases: [string, () => unknown, string][] = [
    ['one that calls back at once', () => ({ then: (yes: (value: unknown) => void) => yes(result) }), 'completed'],
    [
      'one that calls back later',
      () => ({ then: (yes: (value: unknown) => void) => void Promise.resolve().then(() => yes(result)) }),
      'completed',
    ],
    ['one that rejects', () => ({ then: (_: unknown, no: (error: unknown) => void) => no(new Error('no')) }), 'failed'],
    [
      'one that calls both, first good',
      () => ({
        then: (yes: (value: unknown) => void, no: (error: unknown) => void) => {
          yes(result);
          no(new Error('no'));
        },
      }),
      'completed',
    ],
    [
      'one that calls both, first bad',
      () => ({
        then: (yes: (value: unknown) => void, no: (error: unknown) => void) => {
          no(new Error('no'));
          yes(result);
        },
      }),
      'failed',
    ],
    [
      'one that calls back twice',
      () => ({
        then: (yes: (value: unknown) => void) => {
          yes(result);
          yes(done('second'));
        },
      }),
      'completed',
    ],
    [
      'one that calls back, then throws',
      () => ({
        then: (yes: (value: unknown) => void) => {
          yes(result);
          throw new Error('no');
        },
      }),
      'completed',
    ],
    [
      'one that throws',
      () => ({
        then: () => {
          throw new Error('no');
        },
      }),
      'failed',
    ],
    [
      'a getter `then` that throws',
      () => ({
        get then(): never {
          throw new Error('no');
        },
      }),
      'failed',
    ],
    [
      'one that resolves to another',
      () => ({ then: (yes: (value: unknown) => void) => yes({ then: (deep: (value: unknown) => void) => deep(result) }) }),
      'completed',
    ],
    [
      'a promise of a subclass',
      () => {
        class Sub extends Promise<unknown> {}
        return Sub.resolve(result);
      },
      'completed',
    ],
  ];
  test.each(cases)('%s', async (_, make, status) => {
    const ended = await outcome(make);
    expect(ended.status).toBe(status);
    if (status === 'completed') expect(ended.output).toBe('thenable');
    else expect(ended).toMatchObject({ stopReason: 'host_threw', error: 'no' });
  });

  // Even looking at these runs their code, while the core's call is still on the stack.
  const poisonous: [string, () => unknown][] = [
    ['a revoked proxy', () => revoked()],
    ['a proxy that throws', () => thorny()],
    ['a proxy around a promise', () => new Proxy(Promise.resolve(result), {})],
    [
      'a promise with a throwing `constructor`',
      () =>
        Object.defineProperty(Promise.resolve(result), 'constructor', {
          get() {
            throw new Error('no');
          },
        }),
    ],
    [
      'a promise with a throwing `then`',
      () =>
        Object.assign(Promise.resolve(result), {
          then() {
            throw new Error('no');
          },
        }),
    ],
  ];
  test.each(poisonous)('L2 returned at once, %s has a defined end and harms nobody', async (_, make) => {
    const made = host(make);
    const ended = await settles(made.manager.spawn({ instructions: 'x' }).wait());
    expect(ended.run).toBe(1);
    await expectSound(made);
  });

  // The same place: an own `then` is called directly, so that it may call back at once, or twice.
  test.each([
    ['at once', (yes: (value: unknown) => void) => yes(result)],
    [
      'twice',
      (yes: (value: unknown) => void) => {
        yes(result);
        yes(done('second'));
      },
    ],
  ])('L2 a promise whose own `then` calls back %s ends its run once', async (_, then) => {
    const ended = await outcome(() => Object.assign(Promise.resolve(result), { then }));
    expect(ended).toMatchObject({ status: 'completed', output: 'thenable' });
  });
});

describe('never settling', () => {
  test('T1 L5 S4 soft timeout, abort, end without its host, abandoned: each in its turn', async () => {
    let run: Run | undefined;
    const made = host((given) => {
      run = given;
      return new Promise(() => undefined);
    });
    const handle = made.manager.spawn({ instructions: 'x' });
    const waiting = handle.wait();
    await pass(9_999);
    expect(handle.snapshot()).toMatchObject({ status: 'running', stopReason: null });
    await pass(2);
    expect(run?.signal.aborted).toBe(false);
    expect(await isPending(waiting)).toBe(true);
    await pass(1_000);
    expect(run?.signal.aborted).toBe(true);
    const result = await settles(waiting);
    expect(result).toMatchObject({ status: 'timed_out', stopReason: 'timeout', hostStillRunning: true, output: '' });
    expect(made.manager.getConcurrencyInfo()).toMatchObject({ active: 1, abandoned: 0 });
    expect(made.manager.stats()).toMatchObject({ timedOut: 1, running: 0 });
    await pass(5_001);
    expect(made.manager.getConcurrencyInfo()).toMatchObject({ active: 0, abandoned: 1 });
    expect(made.manager.stats().tokensReserved).toBe(0);
    await expectSound(made, 1);
  });

  test('cancelling a host that ignores the abort: hostStillRunning, then its late result is kept (L2)', async () => {
    const end = deferred<HostResult>();
    const made = host(() => end.promise);
    const handle = made.manager.spawn({ instructions: 'x' });
    const waiting = handle.wait();
    await settles(handle.cancel());
    expect(await waiting).toMatchObject({ status: 'cancelled', hostStillRunning: true });
    end.resolve({ output: 'late', usage: { tokens: 77, turns: 2, cost: 0.5 } });
    await flush();
    expect(handle.snapshot()).toMatchObject({ status: 'cancelled', stopReason: 'cancelled', output: '', lateResult: 'late' });
    expect(made.manager.stats()).toMatchObject({ tokensSpent: 77, costSpentUsd: 0.5, cancelled: 1 });
    await expectSound(made);
  });

  test('a late rejection changes no end', async () => {
    const end = deferred<HostResult>();
    const made = host(() => end.promise);
    const handle = made.manager.spawn({ instructions: 'x' });
    await settles(handle.cancel());
    end.reject(new Error('late'));
    await flush();
    expect(handle.snapshot()).toMatchObject({ status: 'cancelled', stopReason: 'cancelled' });
    await expectSound(made);
  });

  test('L6 the next run starts when the last host function has returned, at the latest at `abandonMs`', async () => {
    let calls = 0;
    const made = host((run) => {
      calls += 1;
      if (run.run > 1) return done('second');
      // It holds one turn only, so that its task has budget left when the hold is booked.
      void run.beforeTurn({ tokens: 100 });
      return new Promise(() => undefined);
    });
    const handle = made.manager.spawn({ instructions: 'one' });
    handle.send('two');
    await pass(12_010);
    expect(calls).toBe(1);
    expect(handle.snapshot()).toMatchObject({ status: 'pending', queueSize: 0 });
    await pass(5_010);
    expect(calls).toBe(2);
    expect(handle.snapshot()).toMatchObject({ status: 'completed', output: 'second', run: 2 });
    expect(made.manager.getConcurrencyInfo()).toMatchObject({ active: 0, abandoned: 1 });
  });

  test('many at once: all end, and the queue behind them goes on', async () => {
    const made = host((run) => (run.prompt === 'deaf' ? new Promise(() => undefined) : done()), {
      ...short,
      maxConcurrent: 2,
      budget: { tokens: 1_000_000 },
    });
    const deaf = Array.from({ length: 6 }, () => made.manager.spawn({ instructions: 'deaf' }));
    const good = made.manager.spawn({ instructions: 'good' });
    expect((await settles(good.wait())).status).toBe('completed');
    expect(deaf.map((handle) => handle.status)).toEqual(Array.from({ length: 6 }, () => 'timed_out'));
    await pass(10_000);
    await expectSound(made, 6);
  });

  test('disposing with hosts that never return lets them be', async () => {
    const made = host(() => new Promise(() => undefined));
    const waiting = made.manager.spawn({ instructions: 'x' }).wait();
    made.manager.dispose();
    await rejects(waiting, 'disposed');
    await pass(1_000_000);
  });
});

describe('calling back while being called', () => {
  test('spawning at once, also beyond the slots, and much', async () => {
    let left = 50;
    const made = host(
      (run) => {
        if (left > 0) {
          left -= 1;
          made.manager.spawn({ instructions: `from ${run.prompt}` });
          made.manager.spawn({});
        }
        return done();
      },
      { maxConcurrent: 2 },
    );
    await settles(made.manager.spawn({ instructions: 'x' }).wait());
    await flush();
    expect(made.manager.stats()).toMatchObject({ completed: 51, idle: 50, running: 0, pending: 0 });
    await expectSound(made);
  });

  test('a nested spawn keeps apart which parameters are whose', async () => {
    const seen: string[] = [];
    const made = host((run) => {
      seen.push(`${run.prompt} ${run.label}`);
      if (run.prompt === 'outer') {
        made.manager.spawn({ instructions: 'inner', label: 'I' });
        made.manager.spawn({ instructions: 'inner two', label: 'II' });
      }
      return done(run.label);
    });
    const outer = made.manager.spawn({ instructions: 'outer', label: 'O' });
    expect((await outer.wait()).output).toBe('O');
    expect(seen).toEqual(['outer O', 'inner I', 'inner two II']);
    expect(made.manager.list().items.map((task) => [task.instructions, task.label, task.output])).toEqual([
      ['outer', 'O', 'O'],
      ['inner', 'I', 'I'],
      ['inner two', 'II', 'II'],
    ]);
  });

  test('cancelling itself, before it returns', async () => {
    let cancelling: Promise<unknown> | undefined;
    const made = host((run) => {
      cancelling = made.manager.cancel(run.taskId);
      return done('was cancelled');
    });
    const handle = made.manager.spawn({ instructions: 'x' });
    expect(await settles(handle.wait())).toMatchObject({ status: 'cancelled', output: 'was cancelled', partial: true });
    await settles(cancelling as Promise<unknown>);
    await expectSound(made);
  });

  test('cancelling itself and awaiting that: it ends after the grace, without deadlock', async () => {
    const made = host(async (run) => {
      await made.manager.cancel(run.taskId);
      return done('too late');
    });
    const handle = made.manager.spawn({ instructions: 'x' });
    expect(await settles(handle.wait())).toMatchObject({ status: 'cancelled', hostStillRunning: true });
    await flush();
    expect(handle.snapshot().lateResult).toBe('too late');
    await expectSound(made);
  });

  test('cancelling everything', async () => {
    const made = host(async (run) => {
      if (run.prompt === 'bomb') await made.manager.cancelAll();
      return new Promise<HostResult>((resolve) => {
        if (run.signal.aborted) resolve(done());
        run.signal.addEventListener('abort', () => resolve(done()));
      });
    });
    const handles = ['a', 'b', 'bomb'].map((instructions) => made.manager.spawn({ instructions }));
    await settles(made.manager.wait(handles, { timeoutMs: Number.POSITIVE_INFINITY }));
    expect(handles.map((handle) => handle.status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    await flush();
    await expectSound(made);
  });

  test('disposing the manager while it is being called', async () => {
    const made = host(() => {
      made.manager.dispose();
      return done();
    });
    const handle = made.manager.spawn({ instructions: 'x' });
    await rejects(handle.wait(), 'disposed');
    const later = host(async () => {
      await Promise.resolve();
      later.manager.dispose();
      return done();
    });
    await rejects(later.manager.spawn({ instructions: 'x' }).wait(), 'disposed');
  });

  test('disposing from within a batch of several starts', async () => {
    let calls = 0;
    const made = host(
      (run) => {
        if (run.prompt === 'blocker') return new Promise((resolve) => run.signal.addEventListener('abort', () => resolve(done())));
        calls += 1;
        made.manager.dispose();
        return done();
      },
      { maxConcurrent: 1 },
    );
    const blocker = made.manager.spawn({ instructions: 'blocker' });
    const waits = ['a', 'b', 'c'].map((instructions) => made.manager.spawn({ instructions }).wait());
    for (const wait of waits) wait.catch(() => undefined);
    blocker.cancel().catch(() => undefined);
    await pass(20_000);
    for (const wait of waits) await rejects(settles(wait), 'disposed');
    expect(calls).toBe(1);
  });

  test('forgetting, listing, looking, subscribing, messaging itself while it starts', async () => {
    const made = host((run) => {
      const { manager } = made;
      expect(refusal(() => manager.forget(run.taskId)).code).toBe('wrong_status');
      expect(manager.get(run.taskId)).toMatchObject({ status: 'running', run: run.run });
      expect(manager.list().total).toBeGreaterThan(0);
      manager.subscribe(() => undefined)();
      if (run.run < 3) expect(manager.send(run.taskId, `message ${run.run}`).receipt).toBe('queued');
      return done(run.prompt);
    });
    const handle = made.manager.spawn({ instructions: 'x' });
    await settles(handle.wait());
    await flush();
    expect(handle.snapshot()).toMatchObject({ run: 3, output: 'message 2', status: 'completed' });
    await expectSound(made);
  });

  test('waiting for a sibling, and two waiting for each other: each wait ends, at the latest at its deadline', async () => {
    const handles: Handle[] = [];
    const made = host(async (run) => {
      await Promise.resolve();
      const other = handles.find((handle) => handle.taskId !== run.taskId) as Handle;
      const { timedOut } = await made.manager.wait([other], { timeoutMs: 2_000 });
      return done(`${timedOut}`);
    });
    handles.push(made.manager.spawn({ instructions: 'a' }), made.manager.spawn({ instructions: 'b' }));
    const results = await settles(Promise.all(handles.map((handle) => handle.wait())));
    expect(results.map((result) => result.status)).toEqual(['completed', 'completed']);
    expect(results.map((result) => result.output)).toContain('true');
    await expectSound(made);
  });

  // A run that is over waits for nothing any more, and what it waited for ends a moment later, or in the same step.
  test.each<[string, (run: Run) => Promise<unknown>, unknown]>([
    ['a handle', (run) => run.spawn({ instructions: 'child' }).wait(), { status: 'cancelled', stopReason: 'parent_ended' }],
    [
      'a handle, in the background',
      (run) => run.spawn({ instructions: 'child', background: true }).wait(),
      { status: 'cancelled', output: '' },
    ],
    ['a call of the tool', (run) => run.createSubAgentTool().execute({ instructions: 'child' }), /was cancelled: the run it worked for/],
  ])('its time is over while it waits by %s: that is told the real end', async (_, wait, expected) => {
    let waiting: Promise<unknown> | undefined;
    const made = host(
      (run) => {
        if (run.depth === 1) waiting = wait(run);
        return new Promise(() => undefined);
      },
      { ...short, maxDepth: 2 },
    );
    made.manager.spawn({ instructions: 'parent', timeoutMs: 1_000 });
    await pass(5_000);
    const reported = await settles(waiting as Promise<unknown>);
    if (expected instanceof RegExp) expect(reported).toMatch(expected);
    else expect(reported).toMatchObject(expected as object);
    await pass(10_000);
    await expectSound(made, 2);
  });

  test('its wait, still open when the manager is disposed, rejects', async () => {
    let waiting: Promise<unknown> | undefined;
    const made = host(
      (run) => {
        if (run.depth === 1) waiting = run.spawn({ instructions: 'child', background: true }).wait();
        return new Promise(() => undefined);
      },
      { ...short, maxDepth: 2 },
    );
    made.manager.spawn({ instructions: 'parent', timeoutMs: 1_000 });
    await pass(3_500);
    made.manager.dispose();
    await rejects(waiting as Promise<unknown>, 'disposed');
  });

  test('waiting for itself ends with its own deadline', async () => {
    const made = host(async (run) => {
      const { timedOut } = await made.manager.wait([run.taskId], { timeoutMs: 1_000 });
      return done(`${timedOut}`);
    });
    expect((await settles(made.manager.spawn({ instructions: 'x' }).wait())).output).toBe('true');
    await expectSound(made);
  });

  test.each([
    ['cancels', false],
    ['cancels', true],
    ['disposes', false],
    ['disposes', true],
  ] as const)('a turn that has to wait, and a listener that %s at once (policies: %s): it is answered', async (how, isAsked) => {
    let turn: Promise<unknown> | undefined;
    const policies = isAsked ? { subAgents: [{ beforeTurn: () => undefined }] } : {};
    const made = host(
      async (run) => {
        // Not within the call that starts it.
        await Promise.resolve();
        run.reportRateLimit({ retryAfterMs: 1_000 });
        turn = run.beforeTurn();
        turn.catch(() => undefined);
        return new Promise<HostResult>(() => undefined);
      },
      { ...short, policies },
    );
    const { manager } = made;
    const handle = manager.spawn({});
    manager.subscribe((event) => {
      if (event.type !== 'turn_delayed') return;
      if (how === 'disposes') manager.dispose();
      else handle.cancel({ graceMs: 0 }).catch(() => undefined);
    });
    handle.send('go');
    await flush();
    if (how === 'disposes') await rejects(settles(turn as Promise<unknown>), 'disposed');
    else expect(await settles(turn as Promise<unknown>)).toMatchObject({ go: false });
  });

  test('a listener that has a sub-agent go on when its end is collected: each wait gets an end', async () => {
    const made = host((run) => done(run.prompt));
    const { manager } = made;
    const handle = manager.spawn({ instructions: 'first', background: true });
    await flush();
    const unsubscribe = manager.subscribe((event) => {
      if (event.type !== 'notice_moved' || event.delivery !== 'acked') return;
      unsubscribe();
      handle.send('second');
    });
    const [one, two] = [handle.wait(), handle.wait()];
    expect(await settles(one)).toMatchObject({ run: 1, status: 'completed', output: 'first' });
    expect(await settles(two)).toMatchObject({ run: 2, status: 'completed', output: 'second' });
  });

  // What was decided within a call is reported after it: by then another may have the place of what is over.
  test('a wait that is over within a call, and one that begins there, are distinguished', async () => {
    let waits: Promise<WaitResult>[] = [];
    let leftOut: AbortController | undefined;
    let last: string | undefined;
    const made = host(
      (run) => {
        if (run.prompt !== 'outer') return done();
        const { manager } = made;
        const driven = (instructions: string): DrivenHandle => manager.spawn({ drive: 'program', instructions });
        const [one, two, three] = [driven('one'), driven('two'), driven('three')] as const;
        leftOut = new AbortController();
        waits = [manager.wait([one], { timeoutMs: 100_000, signal: leftOut.signal })];
        void one.cancel();
        waits.push(manager.wait([two], { timeoutMs: 100_000 }));
        // The first is over: its signal is nobody's any more.
        leftOut.abort();
        void two.cancel();
        waits.push(manager.wait([three], { timeoutMs: 1_000 }));
        last = three.taskId;
        return done();
      },
      { ...short, maxConcurrent: 4 },
    );
    made.manager.spawn({ instructions: 'outer' });
    const [first, second, third] = waits as [Promise<WaitResult>, Promise<WaitResult>, Promise<WaitResult>];
    expect((await settles(first)).completed.map(({ instructions }) => instructions)).toEqual(['one']);
    expect((await settles(second)).completed.map(({ instructions }) => instructions)).toEqual(['two']);
    expect(await settles(third)).toMatchObject({ timedOut: true, pending: [last] });
  });

  test('a run that ended within a call, and one that has its place by then, are distinguished', async () => {
    let other: Handle | undefined;
    const made = host((run) => {
      if (run.prompt !== 'outer') return deferred<HostResult>().promise;
      const { manager } = made;
      const task = manager.spawn({ drive: 'program', instructions: 'by hand' });
      void task.cancel();
      manager.forget(task);
      other = manager.spawn({ instructions: 'another' });
      return done();
    });
    made.manager.spawn({ instructions: 'outer' });
    const waiting = (other as Handle).wait();
    expect(await isPending(waiting)).toBe(true);
    await settles((other as Handle).cancel());
    expect(await waiting).toMatchObject({ status: 'cancelled', stopReason: 'cancelled' });
  });

  test('the end of one that has the place of another is not reported in its stead', async () => {
    const end = deferred<HostResult>();
    const made = host((run) => (run.prompt === 'last' ? end.promise : done(run.prompt)));
    const { manager } = made;
    const [first, last] = [manager.spawn({ instructions: 'first' }), manager.spawn({ instructions: 'last' })];
    const waiting = manager.wait([first, last], { timeoutMs: 100_000 });
    await flush();
    manager.forget(first);
    await settles(manager.spawn({ instructions: 'in its place' }).wait());
    end.resolve(done('last'));
    expect((await settles(waiting)).completed.map(({ output }) => output)).toEqual(['first', 'last']);
  });

  test('a run that is spawned and stopped within a call: its host is not called any more, and nothing is kept of it', async () => {
    const prompts: string[] = [];
    let stopped: Handle | undefined;
    const made = host((run) => {
      prompts.push(run.prompt);
      if (run.prompt !== 'outer') return new Promise(() => undefined);
      stopped = made.manager.spawn({ instructions: 'stopped' });
      stopped.cancel({ graceMs: 0 }).catch(() => undefined);
      // What is due by now happens with the next call.
      made.manager.spawn({});
      return done();
    });
    made.manager.spawn({ instructions: 'outer' });
    expect(await settles((stopped as Handle).wait())).toMatchObject({ status: 'cancelled', stopReason: 'cancelled' });
    await flush();
    expect(prompts).toEqual(['outer']);
    expect(runtimeOf<{ keepAlive: { count: number } }>(made.manager).keepAlive.count).toBe(0);
    await expectSound(made);
  });

  test('why a call is refused is reported, whatever else is refused within it', async () => {
    const codes: string[] = [];
    const onTimeout = (): void => void codes.push(refusal(() => made.manager.get('nobody')).code);
    const made = host(() => new Promise(() => undefined), { ...short, policies: { subAgents: [{ onTimeout }] } });
    const closed = made.manager.spawn({});
    await settles(closed.close());
    made.manager.spawn({ instructions: 'x' });
    // Its time is over, and no timer has reported it yet: the next call does.
    const clock = performance.now.bind(performance);
    const ahead = vi.spyOn(performance, 'now').mockImplementation(() => clock() + 10_500);
    codes.push(refusal(() => closed.send('x')).code);
    ahead.mockRestore();
    expect(codes).toEqual(['unknown_task', 'wrong_status']);
  });

  test('draining from within: the run itself may end', async () => {
    const made = host((run) => {
      made.manager.drain().catch(() => undefined);
      return done(run.prompt);
    });
    expect((await settles(made.manager.spawn({ instructions: 'x' }).wait())).status).toBe('completed');
    await flush();
    expect(refusal(() => made.manager.spawn({ instructions: 'y' })).code).toBe('draining');
  });

  test('recursion that would never end is stopped by the queue', async () => {
    const made = host(
      () => {
        made.manager.spawn({ instructions: 'again' });
        return new Promise(() => undefined);
      },
      { ...short, maxConcurrent: 2, maxQueued: 3, maxChildren: Number.POSITIVE_INFINITY, budget: { tokens: 1_000_000 } },
    );
    const first = made.manager.spawn({ instructions: 'x' });
    await flush();
    expect(made.manager.getConcurrencyInfo()).toMatchObject({ active: 2, queued: 1 });
    await settles(made.manager.cancelAll());
    expect(first.status).toBe('cancelled');
    expectSums(made.manager);
  });
});

describe('signals of the caller', () => {
  test('C4 what is no signal is refused', () => {
    const made = host(() => done());
    const half = { aborted: false, addEventListener: () => undefined };
    for (const signal of [half, {}, 'x', null, new EventTarget()]) {
      refusesUnchanged(made.manager, 'invalid_argument', () => made.manager.spawn({ instructions: 'x', signal: signal as never }));
    }
  });

  test('C4 a signal that throws when it is let go harms nobody', async () => {
    const made = host(() => done());
    const signal = Object.assign(new EventTarget(), {
      aborted: false,
      removeEventListener: () => {
        throw new Error('no');
      },
    });
    const handle = made.manager.spawn({ instructions: 'x', signal: signal as never });
    expect((await settles(handle.wait())).status).toBe('completed');
    await expectSound(made);
  });

  test('C4 a spawn that throws for its signal has started nothing', async () => {
    const made = host(() => done());
    const signal = {
      aborted: false,
      removeEventListener: () => undefined,
      addEventListener: () => {
        throw new Error('no');
      },
    };
    expect(() => made.manager.spawn({ instructions: 'x', signal: signal as never })).toThrow();
    expect(made.manager.stats().total).toBe(0);
  });

  // spawn (ts/api/runtime.ts) registers at the signal between writing the text and admitting it: what the signal does in
  // between goes over the scratch and the staged options (all is read before anything is encoded).
  test('C4 a signal that spawns when it is listened to mixes nothing up', async () => {
    const made = host((run) => done(`${run.prompt}, ${run.label}`));
    const signal = Object.assign(new EventTarget(), {
      aborted: false,
      addEventListener: () => void made.manager.spawn({ instructions: 'inner text', label: 'inner' }),
    });
    const handle = made.manager.spawn({ instructions: 'outer', label: 'o', contextHint: 'c', signal: signal as never });
    expect(handle.snapshot()).toMatchObject({ instructions: 'outer', label: 'o', contextHint: 'c' });
    expect((await settles(handle.wait())).output).toBe('outer, o');
  });

  test('D9 a signal that fires when it is listened to refuses', async () => {
    const made = host(() => done());
    const signal = Object.assign(new EventTarget(), { aborted: false, addEventListener: (_: string, fire: () => void) => fire() });
    refusesUnchanged(made.manager, 'aborted', () => made.manager.spawn({ instructions: 'x', signal: signal as never }));
    await expectSound(made);
  });
});

/** Fails where a rejection is left unhandled: it would end the process of a program. */
async function leavesNothingUnhandled(body: () => Promise<void>): Promise<void> {
  const unhandled: unknown[] = [];
  const keep = (error: unknown): void => void unhandled.push(error);
  const before = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', keep);
  try {
    await body();
    expect(unhandled).toEqual([]);
  } finally {
    process.removeListener('unhandledRejection', keep);
    for (const listener of before) process.on('unhandledRejection', listener as never);
  }
}

describe('background hosts (X4)', () => {
  function elsewhere(start: () => unknown, options: SubAgentManagerOptions = short) {
    const made = managerWith((_, run) => done(run.prompt), { ...options, spawnBackgroundSubAgent: start as never });
    opened.push(made.manager);
    return made;
  }

  test.each<[string, () => unknown, string]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
      'host_threw',
    ],
    ['rejects', () => Promise.reject('no'), 'host_threw'],
    ['returns nothing', () => undefined, 'invalid_result'],
    ['returns no id', async () => ({}), 'invalid_result'],
    ['returns an empty id', async () => ({ taskId: '' }), 'invalid_result'],
    ['returns a number', async () => 5, 'invalid_result'],
  ])('one that %s: the run failed', async (_, start, reason) => {
    const made = elsewhere(start);
    const handle = made.manager.spawn({ instructions: 'x', background: true });
    expect(await settles(handle.wait())).toMatchObject({ status: 'failed', stopReason: reason });
    await expectSound(made);
  });

  test('one that resolves to an id that throws: the run failed', async () => {
    const made = elsewhere(async () => ({
      get taskId(): string {
        throw new Error('no');
      },
    }));
    await leavesNothingUnhandled(async () => {
      const handle = made.manager.spawn({ instructions: 'x', background: true });
      await pass(1);
      expect(handle.status).toBe('failed');
    });
  });

  test('L2 one that threw at once can not be reported any more', async () => {
    const made = elsewhere(() => {
      throw new Error('no');
    });
    const handle = made.manager.spawn({ instructions: 'x', background: true });
    await handle.wait();
    expect(refusal(() => made.manager.reportSettled(handle.taskId, done())).code).toBe('unknown_task');
  });

  test.each(['by its own id', 'by ours'])('one that reports the end %s before it has reported its id', async (by) => {
    const made = elsewhere(() => {
      const [first] = made.manager.list().items;
      made.manager.reportSettled(by === 'by ours' ? (first?.taskId as string) : 'theirs', done('at once'));
      return Promise.resolve({ taskId: 'theirs' });
    });
    const handle = made.manager.spawn({ instructions: 'x', background: true });
    expect(await settles(handle.wait())).toMatchObject({ status: 'completed', output: 'at once' });
    await expectSound(made);
  });

  test('one that disposes the manager and then rejects leaves nothing unhandled', async () => {
    await leavesNothingUnhandled(async () => {
      const made = elsewhere(() => {
        made.manager.dispose();
        return Promise.reject(new Error('no'));
      });
      expect(refusal(() => made.manager.spawn({ instructions: 'x', background: true }).snapshot()).code).toBe('disposed');
      await pass(1);
    });
  });

  test('one that never starts ends by its deadline', async () => {
    const made = elsewhere(() => new Promise(() => undefined));
    const handle = made.manager.spawn({ instructions: 'x', background: true });
    expect((await settles(handle.wait())).status).toBe('timed_out');
    await pass(100_000);
    expectSums(made.manager);
    expect(made.manager.getConcurrencyInfo().active).toBe(0);
  });
});

test('a listener that has the first run of a spawn end within it: nothing is kept of that run', async () => {
  const { manager } = host(() => new Promise<HostResult>(() => undefined), { maxConcurrent: 1 });
  manager.spawn({ instructions: 'in the way' });
  const unsubscribe = manager.subscribe((event) => {
    if (event.type !== 'task_admitted') return;
    unsubscribe();
    manager.send(event.taskId as string, 'another', { mode: 'interrupt' });
  });
  const handle = manager.spawn({ instructions: 'first', background: true });
  expect(manager.get(handle.taskId).run).toBe(2);
  const waiting = handle.wait();
  await settles(handle.cancel());
  expect(await settles(waiting)).toMatchObject({ run: 2, status: 'cancelled' });
  const { runs } = runtimeOf<{ runs: { open: { all(): unknown[] } } }>(manager);
  expect(runs.open.all()).toHaveLength(1);
});
