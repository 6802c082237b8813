// What a new user gets wrong first: options of another name, targets that are none, work that only waits.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createSubAgentTool,
  Handle,
  Inbox,
  isSubAgentError,
  Run,
  Session,
  type SubAgentError,
  SubAgentManager,
} from '../../../dist/index.js';
import { serveInspector } from '../../../dist/inspector-server.js';
import { parseAgentDefinition } from '../../../dist/options/agent-file.js';
import { completionCheck } from '../../../dist/policies/index.js';
import { fileStore } from '../../../dist/stores/file.js';
import { indexedDbStore } from '../../../dist/stores/indexeddb.js';
import { memoryStore } from '../../../dist/stores/memory.js';
import { redisStore } from '../../../dist/stores/redis.js';
import { sqliteStore } from '../../../dist/stores/sqlite.js';
import { bullmqWorkers, work } from '../../../dist/workers/bullmq.js';
import { refusal } from '../../support/hosts.js';

const wrong = (value: object): never => value as never;
const refused = expect.objectContaining({ code: 'invalid_argument' });

describe('mistakes in options', () => {
  it('the error of an argument of the wrong kind says what to write instead', async () => {
    const host = wrong(async () => ({ output: 'x' }));
    const manager = new SubAgentManager();
    const ways: [() => unknown, string][] = [
      [() => new SubAgentManager(host), 'an object such as { spawnSubAgent }, got a function'],
      [() => createSubAgentTool(host), 'an object such as { spawnSubAgent }, got a function'],
      [() => manager.spawn(undefined as never), "a text, or an object such as { instructions: 'Read the report' }, got undefined"],
      [
        () => (manager as unknown as { spawn(...all: unknown[]): void }).spawn('x', { background: true }),
        'spawn({ instructions, background })',
      ],
      [() => manager.subscribe('run_ended' as never), '`event.type` says which'],
      [() => manager.onRefused('spawn' as never), '`refusal.code` says why'],
      [() => manager.inbox.ack(wrong({})), 'such as `notice.deliveryId`'],
      [() => manager.session(wrong({ key: 'a' })), 'such as `session("ada")`'],
      [() => manager.get(wrong(['sub_1'])), 'one id or handle, got a list'],
    ];
    for (const [call, way] of ways) expect(refusal(() => call.call(undefined) as never).message).toContain(way);
    await expect(SubAgentManager.open(host)).rejects.toThrow('an object such as { store, spawnSubAgent }');
  });

  it('a wait takes one target as a list of one', async () => {
    const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });
    const handle = manager.spawn('x');
    for (const target of [handle, handle.taskId, [handle]]) {
      expect((await manager.wait(target)).completed).toMatchObject([{ taskId: handle.taskId }]);
    }
    expect((await manager.wait('sub_none', { timeoutMs: 0 }).catch((error) => error)).code).toBe('unknown_task');
    await expect(manager.wait(wrong({ timeoutMs: 5 }))).rejects.toThrow('`targets` must be an id, a handle or a list of them');
    manager.dispose();
  });

  it.each(['store', 'durability', 'flushMs', 'compactBytes', 'onHostLost'])('`%s` leads to `SubAgentManager.open`', (name) => {
    const error = refusal(() => new SubAgentManager(wrong({ [name]: memoryStore() })));
    expect([error.message, error.details.argument]).toEqual([expect.stringContaining('SubAgentManager.open({ store'), name]);
  });

  it('the error of a store whose `open` gives nothing says what it must give', async () => {
    const { append, compact, close } = memoryStore();
    const store = { append, compact, close, open: async () => undefined };
    await expect(SubAgentManager.open({ store: wrong(store) })).rejects.toMatchObject({
      code: 'store_failed',
      message: expect.stringContaining('`open` must resolve to { snapshot, through, records }, it resolved to undefined'),
    });
  });

  it('where there is no IndexedDB, that is said', async () => {
    await expect(indexedDbStore('a').open()).rejects.toMatchObject({
      code: 'not_ready',
      message: expect.stringContaining('there is no IndexedDB here'),
    });
  });

  it('the error of a second manager of the same process says that it is one', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'mistakes-')), 'a.journal');
    const first = await SubAgentManager.open({ store: fileStore(path) });
    await expect(SubAgentManager.open({ store: fileStore(path) })).rejects.toMatchObject({
      code: 'store_locked',
      message: expect.stringContaining('that is this very process: dispose its other manager'),
    });
    await first[Symbol.asyncDispose]();
  });
  it('a limit that is no such number is reported with what came', () => {
    expect(() => new SubAgentManager({ maxConcurrent: 0 })).toThrow(
      '`maxConcurrent` must be a whole number of at least 1, or Infinity, got 0',
    );
    expect(() => new SubAgentManager({ timeoutMs: 0.5 })).toThrow('`timeoutMs` must be a whole number of at least 1, or Infinity, got 0.5');
  });

  it('what came is reported as it is, and what other packages call an option leads to ours', () => {
    const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'done' }) });
    expect(() => new SubAgentManager({ retry: { max: 1, on: [] } })).toThrow('got an empty list');
    expect(() => new SubAgentManager({ budget: { costUsd: 1e-12 } })).toThrow('`budget.costUsd` must be at least 0.000000001');
    expect(() => new SubAgentManager(wrong({ concurrency: 3 }))).toThrow(
      'a manager has no option `concurrency`; did you mean `maxConcurrent`?',
    );
    for (const [name, field] of [
      ['maxCost', 'costUsd'],
      ['costUsd', 'costUsd'],
      ['maxTokens', 'tokens'],
    ] as const)
      expect(() => new SubAgentManager(wrong({ [name]: 1 }))).toThrow(`did you mean \`budget: { ${field} }\`?`);
    expect(() => manager.spawn(wrong({ prompt: 'x' }))).toThrow('spawn has no option `prompt`; did you mean `instructions`?');
    manager.dispose();
  });

  it.each([
    [{ budget: 5 }, 'budget: { tokens: 20_000 }'],
    [{ budget: { dollars: 5 } }, 'budget: { tokens: 20_000 }'],
    [{ tools: 'Read' }, "tools: ['Read']"],
    [{ maxTurns: 0 }, 'maxTurns: 5'],
    [{ background: 'yes' }, 'background: true'],
    [{ agent: 'nope' }, "agent: 'reader'"],
    [{ profile: 'nope' }, "profile: 'minimal'"],
    [{ timeoutMs: -1 }, 'timeoutMs: 60_000'],
    [{ schema: 5 }, 'schema: …'],
    [{ maxTurn: 5 }, 'maxTurns: 5'],
  ])('the first error of a wrong spawn shows a right one: %j', (options, right) => {
    const manager = new SubAgentManager({
      spawnSubAgent: async () => ({ output: 'x' }),
      agents: { reader: { description: 'Reads files.' } },
      tools: ['Read'],
    });
    const { message } = refusal(() => manager.spawn(wrong({ instructions: 'x', ...options })));
    expect(message).toMatch(/[^.]\. A right call is |\? A right call is /);
    expect(message.endsWith(` A right call is \`spawn({ instructions: 'Read the report', ${right} })\``)).toBe(true);
    manager.dispose();
  });

  it('an agent where there are none, and a definition, are shown no call that would be wrong', () => {
    const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });
    expect(() => manager.spawn({ agent: 'nope' })).toThrow("none is defined. A right call is `spawn({ instructions: 'Read the report' })`");
    const agents = { a: { description: 'any', maxTurns: 0 } };
    expect(refusal(() => new SubAgentManager({ agents })).message).not.toContain('spawn(');
    manager.dispose();
  });

  it('A9 D7 a taken id and a used key say what to do next', async () => {
    const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });
    manager.spawn({ instructions: 'x', taskId: 't', idempotencyKey: 'k' });
    expect(refusal(() => manager.spawn({ taskId: 't' })).message).toContain('; choose another, or `forget` that one when it has ended');
    expect(refusal(() => manager.spawn({ instructions: 'y', idempotencyKey: 'k' })).message).toContain('; use a new key for new work');
    manager.dispose();
  });

  it('D6 what is meant by a wrong option is said: how it is given, or who has it', () => {
    const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'done' }) });
    const said = (call: () => unknown): string => {
      const error = refusal(call);
      expect(error.code).toBe('invalid_argument');
      return error.message;
    };
    for (const retry of [3, true])
      expect(said(() => manager.spawn(wrong({ instructions: 'x', retry })))).toContain('such as { max: 3 }, or false');
    expect(said(() => new SubAgentManager(wrong({ retry: 3 })))).toContain('such as { max: 3 }, or false');
    expect(said(() => manager.session('a', wrong({ maxConcurrent: 2 })))).toContain('`maxConcurrent`: the manager has it');
    expect(said(() => manager.session('a', wrong({ timeoutMs: 2 })))).toContain('`limits` is for those');
    for (const name of ['only', 'exclude', 'tools'])
      expect(said(() => manager.createTools(wrong({ [name]: ['spawn'] })))).toContain('const { spawn_agent } = manager.createTools()');
    expect(said(() => manager.createTools(wrong(['spawn'])))).toContain("such as { include: ['spawn', 'wait'] }");
    expect(said(() => manager.createSubAgentTool('json' as never))).toContain("such as { format: 'json' }");
    const made: [unknown, string][] = [
      [Handle, '`manager.spawn(…)` gives one'],
      [Inbox, '`manager.inbox` is one'],
      [Run, '`spawnSubAgent(params, run)` gets one'],
      [Session, '`manager.session(key)` gives one'],
    ];
    for (const [Made, way] of made) expect(said(() => new (Made as new () => unknown)())).toContain(way);
    expect(said(() => manager.list(wrong({ colour: 5 })))).toContain('; it has filter, page');
    expect(said(() => createSubAgentTool(wrong(manager)))).toContain('`manager.createSubAgentTool()`');
    expect(said(() => manager.spawn({ metadata: wrong({ when: new Date() }) }))).toContain(
      'got a Date: give what its `toISOString()` returns',
    );
    expect(said(() => bullmqWorkers({ connection: {}, queue: '' }))).toContain('leave it out for `subagents`');
    manager.dispose();
  });

  it('L8 a result in the foreground that `maxTasks` let go says so', async () => {
    const manager = new SubAgentManager({ maxTasks: 1, spawnSubAgent: async () => ({ output: 'done' }) });
    const first = manager.spawn('first');
    await new Promise((resolve) => setTimeout(resolve));
    const second = manager.spawn('second');
    await expect(first.wait()).rejects.toMatchObject({ code: 'forgotten', message: expect.stringContaining('`maxTasks`') });
    expect((await second.wait()).output).toBe('done');
    manager.dispose();
  });

  it('a class that is called without `new` is named', () => {
    const called = (of: unknown) => () => (of as () => unknown)();
    expect(called(SubAgentManager)).toThrow(/SubAgentManager.* without 'new'/);
    expect(called(Session)).toThrow(/Session.* without 'new'/);
  });

  it('D1 a text alone is what to do', async () => {
    const given: unknown[] = [];
    const manager = new SubAgentManager({
      maxDepth: 2,
      spawnSubAgent: async (params, run) => {
        given.push(params.instructions);
        return { output: run.depth === 1 ? (await run.spawn('read').wait()).output : 'it says 4' };
      },
    });
    expect((await manager.spawn('look').wait()).output).toBe('it says 4');
    expect(given).toEqual(['look', 'read']);
    expect(manager.list().items[0]).toMatchObject({ instructions: 'look', label: 'look' });
    manager.dispose();
  });

  it('J1 the path of a folder is no store, and nothing is left beside it', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'mistakes-')), 'stores');
    mkdirSync(folder);
    for (const options of [{}, { readOnly: true }]) {
      await expect(fileStore(folder, options).open()).rejects.toMatchObject({
        code: 'store_failed',
        message: expect.stringContaining(`it is a folder: give the path of a file in it, such as ${join(folder, 'agents.journal')}`),
      });
    }
    expect(readdirSync(join(folder, '..'))).toEqual(['stores']);
  });

  it('an option of another name is refused by stores and by workers, too', async () => {
    expect(() => fileStore('x', wrong({ readonly: true }))).toThrow('fileStore has no option `readonly`; did you mean `readOnly`?');
    expect(() => sqliteStore(wrong({}), wrong({ tables: 'x' }))).toThrow('sqliteStore has no option `tables`; did you mean `table`?');
    expect(() => redisStore(wrong({}), wrong({ prefix: 'x' }))).toThrow('redisStore has no option `prefix`');
    expect(() => redisStore(wrong({}), 'x' as never)).toThrow('the options of redisStore must be an object');
    expect(() => indexedDbStore('x', wrong({ wait: 5 }))).toThrow('indexedDbStore has no option `wait`; did you mean `waitMs`?');
    expect(() => (memoryStore as (options: object) => unknown)({ readOnly: true })).toThrow('memoryStore has no option `readOnly`');
    // What reaches the database is its own affair.
    const connection = { host: '127.0.0.1', anything: 1 };
    expect(() => bullmqWorkers(wrong({ connection, maxLoss: 1 }))).toThrow(
      'bullmqWorkers has no option `maxLoss`; did you mean `maxLosses`?',
    );
    expect(() => work(wrong({ connection, spawnSubAgent() {}, concurency: 1 }))).toThrow(
      'work has no option `concurency`; did you mean `concurrency`?',
    );
    const workers = bullmqWorkers({ connection, prefix: undefined });
    await workers.close();
    await expect(serveInspector(wrong({}), wrong({ ports: 1 }))).rejects.toThrow(
      'serveInspector has no option `ports`; did you mean `port`?',
    );
  });

  it('a blank label is none', () => {
    const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'done' }) });
    for (const label of ['', ' \n']) expect(manager.spawn({ instructions: 'read a.md', label }).snapshot().label).toBe('read a.md');
    manager.dispose();
  });
});

describe('mistakes in calls', () => {
  it('an option of another name is refused by every call, and nothing has happened', async () => {
    const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'done' }) });
    const handle = manager.spawn({});
    await expect(manager.wait([handle], wrong({ timeout: 5 }))).rejects.toThrow('wait has no option `timeout`');
    await expect(handle.wait(wrong({ mode: 'any' }))).rejects.toThrow('wait has no option `mode`');
    await expect(handle.cancel(wrong({ grace: 5 }))).rejects.toThrow('cancel has no option `grace`');
    await expect(manager.beforeTurn(wrong({ promt: 'x' }))).rejects.toThrow('beforeTurn has no option `promt`');
    await expect(manager.beforeTurn(wrong(null as never))).rejects.toEqual(refused);
    await expect(manager.cancel(handle, wrong({ grace: 5 }))).rejects.toThrow('cancel has no option `grace`');
    await expect(manager.close(handle, wrong({ grace: 5 }))).rejects.toThrow('close has no option `grace`');
    await expect(manager.interrupt(handle, wrong({ grace: 5 }))).rejects.toThrow('interrupt has no option `grace`');
    await expect(manager.cancelAll(wrong({ grace: 5 }))).rejects.toThrow('cancelAll has no option `grace`');
    const { signal } = new AbortController();
    await expect(handle.interrupt(wrong({ signal }))).rejects.toThrow('interrupt has no option `signal`');
    await expect(manager.cancelAll(wrong({ signal }))).rejects.toThrow('cancelAll has no option `signal`');
    manager.session('s');
    await expect(manager.closeSession('s', wrong({ signal }))).rejects.toThrow('close has no option `signal`');
    await expect(manager.drain(wrong({ timeout: 5 }))).rejects.toThrow('drain has no option `timeout`');
    expect(() => manager.inbox.lease(wrong({ limit: 3 }))).toThrow('lease has no option `limit`');
    expect(() => manager.list(wrong({ status: ['idle'] }))).toThrow('list has no option `status`');
    expect(() => manager.list({ page: wrong({ size: 3 }) })).toThrow('`page` has no option `size`');
    expect(() => handle.readResult(wrong({ size: 3 }))).toThrow('readResult has no option `size`');
    expect(() => manager.createSubAgentTool(wrong({ onDetail() {} }))).toThrow('createSubAgentTool has no option `onDetail`');
    expect(() => manager.createTools(wrong({ formats: 'json' }))).toThrow('createTools has no option `formats`');
    expect(() => parseAgentDefinition('---\ndescription: d\n---', wrong({ strict: true }))).toThrow('has no option `strict`');
    expect(() => new SubAgentManager({ policies: wrong([]) })).toThrow(
      '`policies` must be an object such as { subAgents: [policy], main: [policy] }, got an empty list',
    );
    expect(handle.status).toBe('idle');
    manager.dispose();
  });

  it('a target of null, as it comes from a database, is no call without a target', async () => {
    const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'done' }) });
    const handle = manager.spawn({});
    const message = 'a target must be an id or a handle, got null';
    expect(() => manager.send(wrong(null as never), 'hi')).toThrow(message);
    await expect(manager.interrupt(wrong(null as never))).rejects.toThrow(message);
    await expect(manager.cancel(wrong(null as never))).rejects.toThrow(message);
    await expect(manager.wait([handle], wrong({ mode: 'first' }))).rejects.toThrow("`mode` must be 'all' or 'any', got \"first\"");
    expect(handle.status).toBe('idle');
    manager.dispose();
  });

  it('without a function that runs a sub-agent none is spawned, and none was admitted', () => {
    const manager = new SubAgentManager({ spawnBackgroundSubAgent: async () => ({ taskId: 'h' }) });
    const message =
      'the manager was made without `spawnSubAgent`, so nothing can run a sub-agent: `new SubAgentManager({ spawnSubAgent: async ({ instructions }, run) => ({ output }) })`';
    expect(() => manager.spawn({ instructions: 'x' })).toThrow(expect.objectContaining({ code: 'invalid_argument', message }));
    expect(manager.stats().total).toBe(0);
    manager.spawn({ instructions: 'x', background: true });
    manager.dispose();
  });

  it('nor does a report lose what goes by another name: it would be spent and never booked', async () => {
    let reported: unknown[] = [];
    const manager = new SubAgentManager({
      spawnSubAgent: async (_, run) => {
        const call = async (body: () => unknown): Promise<unknown> => body();
        reported = await Promise.all(
          [
            () => run.report(wrong({ costs: 5 })),
            () => run.reportRateLimit(wrong({ retryAfterMs: 5, key: 'a' })),
            () => run.beforeTurn(wrong({ token: 5 })),
            () => run.beforeTurn(wrong(5 as never)),
          ].map((body) => call(body).catch((error: SubAgentError) => error.message)),
        );
        return { output: 'done' };
      },
    });
    await manager.spawn({ instructions: 'x' }).wait();
    expect(reported).toEqual([
      'a report has no `costs`; did you mean `costUsd`?',
      'reportRateLimit has no option `key`; it has retryAfterMs, remainingRequests, remainingTokens',
      'beforeTurn has no option `token`; did you mean `tokens`?',
      'the options of beforeTurn must be an object such as { tokens }, got 5',
    ]);
    expect(() => manager.report(wrong({ turns: 5 }))).toThrow('a report of a main agent has no `turns`');
    manager.dispose();
  });

  it('of what was probably meant, wherever a name is not known, the error has the right name', () => {
    const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'done' }) });
    const host = { spawnSubAgent: async () => ({ output: 'done' }) };
    const slips: [string, string, () => unknown][] = [
      ['maxConcurency', 'maxConcurrent', () => new SubAgentManager(wrong({ maxConcurency: 2 }))],
      ['max_turns', 'maxTurns', () => new SubAgentManager(wrong({ max_turns: 2 }))],
      ['polices', 'policies', () => new SubAgentManager(wrong({ polices: {} }))],
      ['onWaken', 'onWake', () => new SubAgentManager(wrong({ onWaken() {} }))],
      ['policies.subagents', 'subAgents', () => new SubAgentManager({ policies: wrong({ subagents: [] }) })],
      ['budget.cost', 'costUsd', () => new SubAgentManager({ budget: wrong({ cost: 2 }) })],
      ['before_tool', 'beforeTool', () => new SubAgentManager({ policies: { main: [wrong({ before_tool() {} })] } })],
      ['maxForcedTurn', 'maxForcedTurns', () => completionCheck(wrong({ maxForcedTurn: 2 }))],
      ['agents.a.maxTurn', 'maxTurns', () => new SubAgentManager({ agents: { a: wrong({ description: 'd', maxTurn: 2 }) } })],
      ['instruction', 'instructions', () => manager.spawn(wrong({ instruction: 'x' }))],
      ['timeout', 'timeoutMs', () => manager.spawn(wrong({ timeout: 5 }))],
      ['text', 'instructions', () => manager.spawn(wrong({ text: 'x' }))],
      ['messages', 'instructions', () => manager.spawn(wrong({ messages: [] }))],
      ['turns', 'maxTurns', () => manager.spawn(wrong({ turns: 5 }))],
      ['maxTokens', 'budget', () => manager.spawn(wrong({ maxTokens: 5 }))],
      ['costUsd', 'budget', () => manager.spawn(wrong({ costUsd: 5 }))],
      ['id', 'taskId', () => manager.spawn(wrong({ id: 'order-42' }))],
      ['retry.backofMs', 'backoffMs', () => manager.spawn({ retry: wrong({ max: 1, backofMs: 5 }) })],
      ['outputSchema', 'schema', () => manager.spawn(wrong({ outputSchema: {} }))],
      ['attempts', 'retry', () => manager.spawn(wrong({ attempts: 3 }))],
      ['retry.attempts', 'max', () => manager.spawn({ retry: wrong({ attempts: 3 }) })],
      ['tool', 'tools', () => manager.session('s', wrong({ tool: [] }))],
      ['maxDept', 'maxDepth', () => manager.setLimits(wrong({ maxDept: 2 }))],
      ['onDetail', 'onDetails', () => manager.createSubAgentTool(wrong({ onDetail() {} }))],
      ['includes', 'include', () => manager.createTools(wrong({ includes: [] }))],
      ['graceMS', 'graceMs', () => createSubAgentTool(wrong({ ...host, graceMS: 5 }))],
      ['offset_', 'offset', () => manager.list({ page: wrong({ offset_: 5 }) })],
    ];
    for (const [argument, suggestion, body] of slips) {
      const { code, message, details } = refusal(body);
      expect({ code, ...details }, argument).toEqual({ code: 'invalid_argument', argument, suggestion });
      expect(message).toContain(`did you mean \`${suggestion}${suggestion === 'budget' ? ': { ' : '`?'}`);
    }
    const { message, details } = refusal(() => manager.spawn(wrong({ colour: 'red' })));
    expect(message).toMatch(/^spawn has no option `colour`; it has instructions(, \w+){14}, … A right call is `spawn\(.*\)`$/);
    expect(details).toEqual({ argument: 'colour' });
    manager.dispose();
  });

  it('what is no text and no object is refused with a right call', () => {
    const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'done' }) });
    const kind = "the options of spawn must be a text, or an object such as { instructions: 'Read the report' }, got";
    const text = "`instructions` must be a text, as in `spawn({ instructions: 'Read the report' })`, got";
    const mistakes: [unknown, string][] = [
      [undefined, `${kind} undefined`],
      [7, `${kind} 7`],
      [['a'], `${kind} a list`],
      [async () => 'a', `${kind} a function`],
      [Promise.resolve('a'), `${kind} a promise`],
      [{ instructions: 7 }, `${text} 7`],
      [{ instructions: ['a'] }, `${text} a list`],
      [{ instructions: Promise.resolve('a') }, `${text} a promise`],
    ];
    for (const [options, message] of mistakes) expect(refusal(() => manager.spawn(options as never)).message).toBe(message);
    expect(manager.stats().total).toBe(0);
    manager.dispose();
  });

  it('isSubAgentError knows the errors of this package by their name and code, and never throws', () => {
    const manager = new SubAgentManager({
      maxConcurrent: 1,
      maxQueued: 0,
      onLimit: 'reject',
      spawnSubAgent: () => new Promise(() => undefined),
    });
    manager.spawn({ instructions: 'x' });
    const error = refusal(() => manager.spawn({ instructions: 'y' }));
    expect([isSubAgentError(error), isSubAgentError(error, 'concurrency_limit'), isSubAgentError(error, 'disposed')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(error.details).toMatchObject({ active: 1, limit: 1 });
    const ofAnotherCopy = Object.assign(new Error('x'), { name: 'SubAgentError', code: 'aborted' });
    expect(isSubAgentError(ofAnotherCopy, 'aborted')).toBe(true);
    const { proxy, revoke } = Proxy.revocable(new Error('x'), {});
    revoke();
    for (const other of [proxy, new Error('x'), { name: 'SubAgentError', code: 'aborted' }, null, undefined, 'aborted', 5]) {
      expect(isSubAgentError(other)).toBe(false);
    }
    manager.dispose();
  });

  it('what a call cannot do without is missed, and nothing is taken for it', () => {
    const manager = new SubAgentManager();
    expect(() => manager.addBudget(wrong(undefined as never))).toThrow('`budget` must be given, got undefined');
    manager.dispose();
  });

  it('`details` name an argument without the quotes of the sentence, and an empty list is called one', () => {
    const mistake = (body: () => unknown): unknown => {
      try {
        return body();
      } catch (error) {
        return [(error as SubAgentError).message, (error as SubAgentError).details];
      }
    };
    expect(mistake(() => new SubAgentManager({ agents: wrong([]) }))).toEqual([
      '`agents` must be an object such as { reader: { description, prompt } }, got an empty list',
      { argument: 'agents', expected: 'an object such as { reader: { description, prompt } }' },
    ]);
  });

  it('`details` name the argument also where the core refuses, and where two names are given for one thing', async () => {
    const manager = new SubAgentManager({
      spawnSubAgent: async (_, run) => ({ output: await run.ask(' ').catch((error: SubAgentError) => error.details.argument) }) as never,
    });
    const mistakes: [string, () => unknown][] = [
      ['maxConcurrent', () => new SubAgentManager({ maxConcurrent: 0 })],
      ['instructions', () => manager.spawn({ instructions: ' ' })],
      ['budget.costUsd', () => manager.spawn({ maxCost: 1, budget: { costUsd: 1 } })],
      ['nickname', () => manager.spawn({ nickname: 'sub_1' })],
      ['idempotencyKey', () => manager.spawn({ idempotencyKey: '' })],
      ['message', () => manager.send(manager.spawn({}), ' ')],
    ];
    for (const [argument, body] of mistakes) expect(refusal(body)).toMatchObject({ code: 'invalid_argument', details: { argument } });
    expect(() => manager.spawn({ instructions: '' })).toThrow('`instructions` must not be empty');
    expect((await manager.spawn({ instructions: 'x' }).wait()).output).toBe('question');
    manager.dispose();
  });

  it('what is refused rejects where a promise is returned, also after the end of the manager', async () => {
    const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'done' }) });
    const handle = manager.spawn({});
    manager.dispose();
    const calls = [() => handle.wait(), () => handle.wait({}), () => handle.cancel(), () => handle.close(), () => handle.interrupt()];
    for (const call of [...calls, () => manager.cancelAll(), () => manager.drain(), () => manager.wait([handle])]) {
      await expect(call()).rejects.toEqual(expect.objectContaining({ code: 'disposed' }));
    }
  });

  it('a call after the end of the manager is found by the stack of its error', async () => {
    const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'done' }) });
    const handle = manager.spawn({ instructions: 'x' });
    await handle.wait();
    manager.dispose();
    async function tooLate(call: () => unknown): Promise<SubAgentError> {
      try {
        await call();
      } catch (error) {
        return error as SubAgentError;
      }
      throw new Error('it was not refused');
    }
    const calls = [() => manager.spawn({ instructions: 'y' }), () => handle.send('z'), () => manager.stats(), () => manager.cancelAll()];
    const errors = await Promise.all([...calls, () => handle.cancel(), () => manager.drain(), () => manager.wait([handle])].map(tooLate));
    for (const error of errors) {
      expect(error).toMatchObject({ code: 'disposed', message: 'the manager has been disposed', details: {} });
      expect(error.stack).toMatch(/at .*tooLate/);
    }
    expect(new Set(errors).size).toBe(errors.length);
  });

  it('a wrong call reads what was given and how a right one looks', async () => {
    let run: Run | undefined;
    const manager = new SubAgentManager({
      spawnSubAgent: (_, given) => {
        run = given;
        return new Promise(() => undefined);
      },
    });
    const handle = manager.spawn('x');
    const session = manager.session('s');
    const made = (options: object) => () => new SubAgentManager(wrong(options));
    const as = <T>(value: unknown): T => value as T;
    const calls: [call: () => unknown, said: string][] = [
      [made({ spawnSubAgent: 'x' }), 'a function such as async ({ instructions }, run) => ({ output }), got "x"'],
      [made({ timeoutMs: '5m' }), '`timeoutMs` must be milliseconds, such as 60_000, got "5m"'],
      [made({ agents: { a: 'x' } }), '`agents.a` must be an object such as { description, prompt }, got "x"'],
      [made({ agents: { a: {} } }), "`agents.a.description` must be a text such as 'Reads files.', got undefined"],
      [made({ policies: () => 1 }), 'such as { subAgents: [policy], main: [policy] }, got a function'],
      [made({ policies: { subAgents: [() => 1] } }), "an object such as { name: 'guard', beforeTurn }, got a function"],
      [made({ mainLimits: 5 }), '`mainLimits` must be an object such as { maxTurns: 20 }, got 5'],
      [() => manager.setLimits(as(5)), 'such as { maxConcurrent: 5 }, got 5'],
      [() => manager.session('a', as(5)), 'such as { budget: { tokens: 20_000 } }, got 5'],
      [() => manager.session('a', { signal: as(new AbortController()) }), 'an AbortSignal, such as `controller.signal`, got an object'],
      [() => manager.session(as(5)), 'such as `session("ada")`, got 5'],
      [() => manager.closeSession(as(session)), 'such as `closeSession("ada")`, got an object'],
      [() => as<(text: string) => void>(manager.send.bind(manager))('go on'), "as in `send(id, 'go on')`, got undefined"],
      [() => manager.send(handle, as({ message: 'x' })), "as in `send(id, 'go on')`, got an object"],
      [() => handle.send(as({ message: 'x' })), "as in `handle.send('go on')`, got an object"],
      [() => handle.send('x', as('steer')), 'such as { mode: \'steer\' }, got "steer"'],
      [() => manager.wait(handle, as(5_000)), 'such as { timeoutMs: 5_000 }, got 5000'],
      [() => manager.cancel(handle, as(5_000)), 'such as { graceMs: 5_000 }, got 5000'],
      [() => manager.list({ filter: as('running') }), 'such as { status: [\'running\'] }, got "running"'],
      [() => manager.list({ filter: { status: as('running') } }), "a list such as ['running', 'pending'], got \"running\""],
      [() => manager.estimate([{ count: as('5') }]), '`plan[0].count` must be a whole number of at least 1, got "5"'],
      [() => manager.createTools({ names: as(5) }), "such as { spawn: 'delegate' }, got 5"],
      [() => manager.createSubAgentTool({ texts: as(5) }), 'such as { refused }, got 5'],
      [() => manager.createSubAgentTool(wrong({ maxQueued: 5 })), 'createSubAgentTool has no option `maxQueued`'],
      [() => createSubAgentTool(wrong({})), '`spawnSubAgent` must be a function such as async ('],
      [() => manager.beforeTool(as(5)), "a tool's name must be a text such as 'read_file', got 5"],
      [() => run?.report(as(500)), 'a report must be an object such as { tokens: 500 }, got 500'],
      [() => run?.report(wrong({ usage: { tokens: 5 } })), 'a report has no `usage`'],
      [() => run?.ask(as({ question: 'x' })), "as in `ask('Which file?')`, got an object"],
      [() => fileStore(as({ path: 'x' })), "the path of a file, as in fileStore('agents.journal')"],
    ];
    const refusals: unknown[] = [];
    manager.onRefused(({ operation, code }) => refusals.push([operation, code]));
    for (const [call, said] of calls) {
      const error = await (async () => call())().catch((thrown: SubAgentError) => thrown);
      expect(error).toMatchObject({ code: 'invalid_argument', message: expect.stringContaining(said) });
    }
    expect(refusals).toEqual([1, 2, 3, 4].map(() => ['send', 'invalid_argument']));
    manager.dispose();
  });

  it('a method that was taken from its object says how to call it', async () => {
    const seen: Error[] = [];
    const reported = (call: () => unknown): Promise<unknown> => (async () => call())().catch((error) => seen.push(error));
    const manager = new SubAgentManager({
      spawnSubAgent: async (_, run) => {
        const { beforeTurn, report, idempotencyKey, ask, spawn, wait } = run;
        for (const call of [beforeTurn, () => report({}), idempotencyKey, () => ask('x'), () => spawn('x'), wait]) await reported(call);
        return { output: 'x' };
      },
    });
    const { spawn, send, cancel, dispose, budget, session, subscribe } = manager;
    const calls = [
      () => spawn('x'),
      () => send(undefined, 'x'),
      cancel,
      dispose,
      budget,
      () => session('a'),
      () => subscribe(() => undefined),
    ];
    const handle = manager.spawn({ instructions: 'x' });
    await handle.wait();
    const { close, list } = manager.session('a');
    const { wait, snapshot, toJSON, resultText } = handle;
    const { complete } = manager.spawn({ drive: 'program' });
    const { peek, next } = manager.inbox;
    const { open } = SubAgentManager;
    for (const call of [...calls, close, list, wait, snapshot, toJSON, resultText, () => complete('x'), peek, next]) await reported(call);
    await reported(() => (open as (options: object) => unknown)({ store: memoryStore() }));
    const ways = ['run.beforeTurn', 'manager.spawn', 'handle.wait', 'inbox.lease', 'SubAgentManager.open'];
    const said = (way: string): string => `a method was called without its object: call it as in \`${way}(…)\`, or bind it first`;
    expect(seen.map(({ message }) => ways.find((way) => message.startsWith(said(way))))).toEqual([
      ...Array(4).fill('run.beforeTurn'),
      ...Array(11).fill('manager.spawn'),
      ...Array(5).fill('handle.wait'),
      ...Array(2).fill('inbox.lease'),
      'SubAgentManager.open',
    ]);
    for (const error of seen) expect(error).toMatchObject({ code: 'invalid_argument', details: { argument: 'this' } });
    // What is lost is the object and not a class: another one has no such method either.
    await reported(() => spawn.call({} as never, 'x'));
    expect(seen.at(-1)?.message).toContain(said('manager.spawn'));
    manager.dispose();
  });

  it('an object without an id is no target: it never stands for the sub-agent that changed last', async () => {
    const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'done' }) });
    const handle = manager.spawn({});
    await expect(manager.cancel(wrong({}))).rejects.toEqual(refused);
    expect(() => manager.send(wrong({}), 'hello')).toThrow('a target must be an id or a handle, got an object');
    expect(() => manager.get(wrong(undefined as never))).toThrow('a target must be an id or a handle, got undefined');
    expect(handle.status).toBe('idle');
    manager.dispose();
  });

  it.each([
    [
      'that its own host function disposed',
      '{ spawnSubAgent: () => { manager.dispose(); return new Promise(() => undefined); } }',
      'disposed',
    ],
    ['whose host function runs elsewhere', "{ spawnBackgroundSubAgent: async () => ({ taskId: 'h' }) }", 'running'],
  ])('a manager %s keeps no process alive', (_, options, expected) => {
    const code = `
      import { SubAgentManager } from ${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)};
      const manager = new SubAgentManager(${options});
      try {
        console.log(manager.spawn({ instructions: 'x', background: true }).status);
      } catch (error) {
        console.log(error.code);
      }`;
    expect(execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8', timeout: 100_000 })).toBe(
      `${expected}\n`,
    );
  });

  it.each([
    ['a rate limit', "{ async spawnSubAgent(_, run) { run.reportRateLimit({ retryAfterMs: 50 }); return { output: 'done' }; } }"],
    ['staggerMs', "{ staggerMs: 50, spawnSubAgent: async () => ({ output: 'done' }) }"],
  ])('the process lives until work starts that only %s holds back', (_, options) => {
    const code = `
      import { SubAgentManager } from ${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)};
      const manager = new SubAgentManager(${options});
      await manager.spawn({ instructions: 'first' }).wait();
      console.log((await manager.spawn({ instructions: 'second' }).wait()).output);`;
    expect(execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8', timeout: 100_000 })).toBe('done\n');
  });
});

describe('a stop that nobody awaits', () => {
  it.each<[string, (manager: SubAgentManager) => Promise<unknown>]>([
    ['cancel', (manager) => manager.cancel()],
    ['handle.cancel', (manager) => manager.spawn({ instructions: 'b' }).cancel()],
    ['close', (manager) => manager.close(manager.spawn({ instructions: 'b' }))],
    ['handle.close', (manager) => manager.spawn({ instructions: 'b' }).close()],
    ['interrupt', (manager) => manager.interrupt()],
    ['handle.interrupt', (manager) => manager.spawn({ instructions: 'b' }).interrupt()],
    ['cancelAll', (manager) => manager.cancelAll()],
    ['drain', (manager) => manager.drain()],
    ['session.close', (manager) => manager.session('a').close()],
    ['closeSession', (manager) => manager.closeSession('a')],
  ])('%s: its promise is rejected when the manager is disposed, and ends no process', async (_, stop) => {
    const unhandled: unknown[] = [];
    const listen = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', listen);
    const manager = new SubAgentManager({ spawnSubAgent: () => new Promise<never>(() => undefined) });
    manager.spawn({ instructions: 'a' });
    manager.session('a').spawn({ instructions: 'a' });
    const stopped = stop(manager);
    manager.dispose();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listen);
    expect(unhandled).toEqual([]);
    await expect(stopped).rejects.toEqual(expect.objectContaining({ code: 'disposed' }));
  });
});

describe('mistakes in reports', () => {
  it('a listener that rejects later is reported to `onError`, as if it had thrown', async () => {
    const errors: unknown[] = [];
    const manager = new SubAgentManager({
      spawnSubAgent: async (_, run) => {
        run.report({ message: 'half' });
        return { output: 'done' };
      },
      // Fails itself, later: nobody is left to notify.
      onError: async (error) => {
        errors.push((error as Error).message);
        throw error;
      },
    });
    const fails = async (who: string): Promise<never> => {
      throw new Error(who);
    };
    const tool = manager.createSubAgentTool({ onDetails: () => fails('details') });
    await tool.execute({ instructions: 'x' }, { onUpdate: () => fails('update') });
    await tool.execute('call', { instructions: 'x' }, undefined, () => fails('partial'));
    const end = manager.subscribe(() => fails('listener'));
    manager.spawn({});
    end();
    await new Promise((resolve) => setImmediate(resolve));
    expect([...new Set(errors)].sort()).toEqual(['details', 'listener', 'partial', 'update']);
    manager.dispose();
  });
});

it('L8 what has not ended, and what has a host function that may still return, is forgotten by no call, and the error names the way out', async () => {
  const manager = new SubAgentManager({ graceMs: 0, abandonMs: 60_000, spawnSubAgent: () => new Promise(() => undefined) });
  const handle = manager.spawn({ instructions: 'never settles' });
  expect(() => manager.forget(handle)).toThrow(
    expect.objectContaining({ code: 'wrong_status', message: expect.stringMatching(/cancel it first/) }),
  );
  void handle.cancel();
  await handle.wait();
  expect(() => manager.forget(handle)).toThrow(
    expect.objectContaining({ code: 'wrong_status', message: expect.stringMatching(/`run\.signal` fires.*`reportSettled`/) }),
  );
  manager.dispose();
});
