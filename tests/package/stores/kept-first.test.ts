// J1 in `sync`, call by call: nothing that a caller, a host or a listener gets comes before the store has kept all that
// was decided until then. A method that gives a promise and is not in this table fails the last test.

import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import type { OpenOptions, Policy, Run, Session } from '../../../dist/index.js';
import { HeldRun } from '../../../ts/workers/held.js';
import { Case, pause, prove, type Row } from '../../support/kept-first.js';

const gone = 'sub_00000000000000000000000000000000';

/** By class: each method that gives a promise, under its name, and more where it has several ways. */
const CALLS: Record<string, Record<string, Row>> = {
  scope: {
    wait: { before: (c) => c.over('a', { background: true }), call: (c) => c.manager.wait() },
    'wait, of none': { call: (c) => c.manager.wait([]) },
    'wait, that only looks': { before: (c) => c.begun('a'), call: (c) => c.manager.wait(undefined, { timeoutMs: 0 }) },
    'wait, for an end': {
      before: (c) => c.begun('a', { nickname: 'ann' }),
      call: (c) => {
        const waiting = c.manager.wait(['ann']);
        c.end('a');
        return waiting;
      },
    },
    'wait, until its time is over': {
      before: (c) => c.begun('a', { nickname: 'ann' }),
      call: (c) => c.manager.wait(['ann'], { timeoutMs: 1 }),
    },
    'wait, refused': { call: (c) => c.manager.wait([gone]) },
    'wait, aborted': {
      before: (c) => c.begun('a', { nickname: 'ann' }),
      call: (c) => c.manager.wait(['ann'], { signal: AbortSignal.abort() }),
    },
    'wait, of a run that gives its slot up, aborted': {
      before: async (c) => {
        await c.begun('a');
        await c.begun('b', { nickname: 'ben' }, c.run('a'));
      },
      call: (c) => c.run('a').wait(['ben'], { signal: AbortSignal.abort() }),
    },
    interrupt: { before: (c) => c.begun('a', { nickname: 'ann' }), call: (c) => c.manager.interrupt('ann') },
    'interrupt, of what does not run': { before: (c) => c.over('a', { nickname: 'ann' }), call: (c) => c.manager.interrupt('ann') },
    cancel: { before: (c) => c.begun('a', { nickname: 'ann' }), call: (c) => c.manager.cancel('ann') },
    'cancel, without grace': { before: (c) => c.begun('a', { nickname: 'ann' }), call: (c) => c.manager.cancel('ann', { graceMs: 0 }) },
    'cancel, of what is idle': { before: (c) => c.over('a', { nickname: 'ann' }), call: (c) => c.manager.cancel('ann') },
    'cancel, refused': { call: (c) => c.manager.cancel(gone) },
    'cancel, by a run': {
      before: async (c) => {
        await c.begun('a');
        await c.begun('b', { nickname: 'ben' }, c.run('a'));
      },
      call: (c) => c.run('a').cancel('ben'),
    },
    close: { before: (c) => c.begun('a', { nickname: 'ann' }), call: (c) => c.manager.close('ann') },
    'close, of what is idle': { before: (c) => c.over('a', { nickname: 'ann' }), call: (c) => c.manager.close('ann') },
    resume: {
      before: async (c) => {
        await c.over('a', { nickname: 'ann' });
        await c.manager.close('ann');
      },
      call: (c) => c.manager.resume('ann'),
    },
    'resume, of what is open': { before: (c) => c.over('a', { nickname: 'ann' }), call: (c) => c.manager.resume('ann') },
    moveToBackground: { before: (c) => c.begun('a', { nickname: 'ann' }), call: (c) => c.manager.moveToBackground('ann') },
    'moveToBackground, refused': { call: (c) => c.manager.moveToBackground(gone) },
  },

  handle: {
    wait: {
      before: (c) => c.begun('a', { nickname: 'ann' }),
      call: (c) => {
        const waiting = c.handle.wait();
        c.end('a');
        return waiting;
      },
    },
    'wait, for what ended before': {
      before: (c) => c.over('a'),
      call: (c) => c.handle.wait(),
    },
    'wait, for an end of this moment': { call: (c) => c.manager.spawn({ instructions: 'x', signal: abortedSoon() }).wait() },
    'wait, until its time is over': { before: (c) => c.begun('a'), call: (c) => c.handle.wait({ timeoutMs: 1 }) },
    'wait, that only looks': { before: (c) => c.begun('a'), call: (c) => c.handle.wait({ timeoutMs: 0 }) },
    'wait, aborted': { before: (c) => c.begun('a'), call: (c) => c.handle.wait({ signal: AbortSignal.abort() }) },
    'wait, for one that asks': { before: (c) => c.asking('a'), call: (c) => c.handle.wait() },
    'wait, for one that asks now': {
      before: (c) => c.begun('a'),
      call: (c) => {
        const waiting = c.handle.wait();
        void c
          .run('a')
          .ask('which one?')
          .catch(() => undefined);
        return waiting;
      },
    },
    'wait, for one that moves to the background': {
      before: (c) => c.begun('a', { nickname: 'ann' }),
      call: (c) => {
        const waiting = c.handle.wait();
        void c.manager.moveToBackground('ann');
        return waiting;
      },
    },
    'wait, for one that is forgotten': {
      before: (c) => c.over('a', { nickname: 'ann' }),
      call: (c) => {
        const handle = c.handle;
        c.manager.forget('ann');
        return handle.wait();
      },
    },
    interrupt: { before: (c) => c.begun('a'), call: (c) => c.handle.interrupt() },
    cancel: { before: (c) => c.begun('a'), call: (c) => c.handle.cancel() },
    close: { before: (c) => c.over('a'), call: (c) => c.handle.close() },
    resume: {
      before: async (c) => {
        await c.over('a');
        await c.handle.close();
      },
      call: (c) => c.handle.resume(),
    },
  },

  'main-agent': {
    beforeTurn: { call: (c) => c.manager.beforeTurn({ prompt: 'hello' }) },
    'beforeTurn, of a session': { before: (c) => c.manager.session('s'), call: (c) => c.manager.session('s').beforeTurn() },
    'beforeTurn, with notices': { before: (c) => c.over('a', { background: true }), call: (c) => c.manager.beforeTurn() },
    'beforeTurn, refused by a limit': {
      options: { mainLimits: { maxTurns: 1 } },
      before: (c) => c.manager.beforeTurn(),
      call: (c) => c.manager.beforeTurn(),
    },
    'beforeTurn, of a session that is closed': {
      before: async (c) => {
        closed = c.manager.session('s');
        await c.manager.closeSession('s');
      },
      call: () => closed.beforeTurn(),
    },
    beforeTool: { call: (c) => c.manager.beforeTool('read', {}) },
    afterTool: { before: (c) => c.manager.beforeTool('read'), call: (c) => c.manager.afterTool('read', 'x') },
    beforeEnd: { before: (c) => c.manager.beforeTurn(), call: (c) => c.manager.beforeEnd('an answer') },
    ...policed('main'),
  },

  session: {
    cancelAll: { before: (c) => c.begun('a', {}, c.manager.session('s')), call: (c) => c.manager.session('s').cancelAll() },
    close: { before: (c) => c.begun('a', {}, c.manager.session('s')), call: (c) => c.manager.session('s').close() },
    'close, again': {
      before: async (c) => {
        closed = c.manager.session('s');
        await c.manager.closeSession('s');
      },
      call: () => closed.close(),
    },
  },

  manager: {
    closeSession: { before: (c) => c.begun('a', {}, c.manager.session('s')), call: (c) => c.manager.closeSession('s') },
    'closeSession, of none': { call: (c) => c.manager.closeSession('nobody') },
    cancelAll: { before: (c) => c.begun('a'), call: (c) => c.manager.cancelAll() },
    'cancelAll, of nothing': { call: (c) => c.manager.cancelAll() },
    drain: {
      before: (c) => c.begun('a'),
      call: (c) => {
        const drained = c.manager.drain();
        c.end('a');
        return drained;
      },
    },
    'drain, of nothing': { call: (c) => c.manager.drain({ timeoutMs: 0 }) },
    flush: { call: (c) => c.manager.flush() },
    compact: { call: (c) => c.manager.compact() },
  },

  run: {
    beforeTurn: { before: (c) => c.begun('a'), call: (c) => c.run('a').beforeTurn() },
    'beforeTurn, after a cooldown': {
      before: async (c) => {
        await c.begun('a', { rateLimitKey: 'k' });
        c.run('a').reportRateLimit({ retryAfterMs: 20 });
      },
      call: (c) => c.run('a').beforeTurn(),
    },
    'beforeTurn, that waits for a slot': {
      options: { maxConcurrent: 1 },
      before: async (c) => {
        await c.begun('a', {});
        await c.run('a').beforeTurn();
        c.manager.spawn({ instructions: 'b' });
        c.run('a').spawn({ instructions: 'c', nickname: 'cid' });
        void c.run('a').wait(['cid'], { timeoutMs: 10 });
        await c.manager.flush();
        await pause();
      },
      call: (c) => {
        const turn = c.run('a').beforeTurn();
        for (const prompt of ['b', 'c']) c.end(prompt);
        return turn;
      },
    },
    'beforeTurn, of a run that is cancelled': {
      options: { stubborn: true },
      before: (c) => c.begun('a', { nickname: 'ann' }),
      call: (c) => {
        void c.manager.cancel('ann', { graceMs: 60_000 });
        return c.run('a').beforeTurn();
      },
    },
    beforeTool: { before: (c) => c.begun('a'), call: (c) => c.run('a').beforeTool('read') },
    'beforeTool, refused': { before: (c) => c.begun('a', { tools: ['write'] }), call: (c) => c.run('a').beforeTool('read') },
    afterTool: {
      before: async (c) => {
        await c.begun('a');
        await c.run('a').beforeTool('read');
      },
      call: (c) => c.run('a').afterTool('read', 'x'),
    },
    'afterTool, that is steered': {
      before: async (c) => {
        await c.begun('a', { nickname: 'ann' });
        await c.run('a').beforeTool('read');
        c.manager.send('ann', 'the other one', { mode: 'steer' });
      },
      call: (c) => c.run('a').afterTool('read', 'x'),
    },
    steers: {
      before: async (c) => {
        await c.begun('a', { nickname: 'ann' });
        c.manager.send('ann', 'the other one', { mode: 'steer' });
      },
      call: (c) => c.run('a').steers(),
    },
    beforeEnd: { before: (c) => c.begun('a'), call: (c) => c.run('a').beforeEnd('an answer') },
    checkpoint: { before: (c) => c.begun('a'), call: (c) => c.run('a').checkpoint({ page: 7 }) },
    save: { before: (c) => c.begun('a'), call: (c) => c.run('a').save({ page: 7 }) },
    'checkpoint, refused': { before: (c) => c.begun('a'), call: (c) => c.run('a').checkpoint(undefined as never) },
    'ask, which nobody can answer': {
      async before(c) {
        const call = c.manager.createSubAgentTool({ canAnswer: false }).execute({ instructions: 'a' });
        call.catch(() => undefined);
        await c.settled();
      },
      call: (c) => c.run('a').ask('which one?'),
    },
    ask: {
      before: (c) => c.begun('a', { nickname: 'ann' }),
      call: (c) => {
        const answer = c.run('a').ask('which one?');
        c.manager.send('ann', 'the first');
        return answer;
      },
    },
    ended: {
      before: (c) => c.begun('a'),
      call: (c) => {
        const ended = c.run('a').ended();
        c.end('a');
        return ended;
      },
    },
    ...policed('subAgents'),
  },
};

let closed: Session;

function abortedSoon(): AbortSignal {
  const controller = new AbortController();
  queueMicrotask(() => controller.abort());
  return controller.signal;
}

/** The points of policies that a call asks at, each with an answer that stands and one that takes its time. */
function policed(who: 'main' | 'subAgents'): Record<string, Row> {
  const policy = (point: keyof Policy, answer: object | undefined, soon: boolean): Partial<OpenOptions> => ({
    policies: { [who]: [{ name: 'p', [point]: () => (soon ? pause().then(() => answer) : answer) } as Policy] },
  });
  const before = async (c: Case): Promise<void> => {
    if (who === 'subAgents') await c.begun('a');
  };
  const agent = (c: Case): Pick<Run, 'beforeTool' | 'afterTool' | 'beforeEnd'> & { beforeTurn(): Promise<unknown> } =>
    who === 'main' ? c.manager : c.run('a');
  const block = { action: 'block', reason: 'no' };
  const inject = { action: 'inject', text: 'mind this' };
  const rows: Record<string, Row> = {};
  for (const soon of [false, true]) {
    const when = soon ? ', later' : '';
    for (const [said, answer] of [
      ['blocked', block],
      ['with a text', inject],
      ['let go', undefined],
    ] as const) {
      rows[`beforeTurn, ${said} by a policy${when}`] = {
        options: policy('beforeTurn', answer, soon),
        before,
        call: (c) => agent(c).beforeTurn(),
      };
      rows[`beforeTool, ${said} by a policy${when}`] = {
        options: policy('beforeTool', answer, soon),
        before,
        call: (c) => agent(c).beforeTool('read'),
      };
      rows[`afterTool, ${said} by a policy${when}`] = {
        options: policy('afterTool', answer, soon),
        before,
        call: (c) => agent(c).afterTool('read', 'x'),
      };
      rows[`beforeEnd, ${said} by a policy${when}`] = {
        options: policy('beforeEnd', answer, soon),
        before,
        call: (c) => agent(c).beforeEnd('an answer'),
      };
    }
  }
  return rows;
}

/** What a model calls. */
const TOOLS: Record<string, Row> = {
  'SubAgent, in the foreground': {
    call(c) {
      c.whenCalled('a', () => setTimeout(() => c.end('a')));
      return c.manager.createSubAgentTool().execute({ instructions: 'a' });
    },
  },
  'SubAgent, in the background': { call: (c) => c.manager.createSubAgentTool().execute({ instructions: 'a', background: true }) },
  'SubAgent, refused': {
    options: { checkConsumerSpawn: ({ instructions }) => ({ allowed: instructions !== 'a', reason: 'no' }) },
    call: (c) => c.manager.createSubAgentTool().execute({ instructions: 'a' }),
  },
  'SubAgent, with wrong arguments': { call: (c) => c.manager.createSubAgentTool().execute({}) },
  'SubAgent, called by pi': { call: (c) => c.manager.createSubAgentTool().execute('call-1', { instructions: 'a', background: true }) },
  'SubAgent, of a sub-agent that asks': {
    call(c) {
      c.whenCalled('a', () => setTimeout(() => c.ask('a')));
      return c.manager.createSubAgentTool().execute({ instructions: 'a' });
    },
  },
  'its details': {
    call(c, reported) {
      void c.manager.createSubAgentTool({ onDetails: reported }).execute({ instructions: 'a', background: true });
    },
  },
  'its progress, of a report': {
    before: watched,
    call(c, reported) {
      c.heard = reported;
      c.run('a').report({ message: 'half way' });
    },
  },
  'its progress, of a turn': {
    before: watched,
    call(c, reported) {
      c.heard = reported;
      void c.run('a').beforeTurn();
    },
  },
  spawn: { call: (c) => model(c, 'spawn', { instructions: 'a', background: true }) },
  'spawn, that goes on with another': {
    before: (c) => c.over('a', { nickname: 'ann' }),
    call: (c) => model(c, 'spawn', { instructions: 'more', continues: 'ann', background: true }),
  },
  wait: { before: (c) => c.over('a', { nickname: 'ann' }), call: (c) => model(c, 'wait', { targets: ['ann'] }) },
  send: { before: (c) => c.over('a', { nickname: 'ann' }), call: (c) => model(c, 'send', { target: 'ann', message: 'more' }) },
  interrupt: { before: (c) => c.begun('a', { nickname: 'ann' }), call: (c) => model(c, 'interrupt', { target: 'ann' }) },
  cancel: { before: (c) => c.begun('a', { nickname: 'ann' }), call: (c) => model(c, 'cancel', { target: 'ann' }) },
  close: { before: (c) => c.over('a', { nickname: 'ann' }), call: (c) => model(c, 'close', { target: 'ann' }) },
  resume: {
    async before(c) {
      await c.over('a', { nickname: 'ann' });
      await c.handle.close();
    },
    call: (c) => model(c, 'resume', { target: 'ann' }),
  },
  list: { before: (c) => c.over('a', { nickname: 'ann' }), call: (c) => model(c, 'list', {}) },
  read: { before: (c) => c.over('a', { nickname: 'ann' }), call: (c) => model(c, 'read', { target: 'ann' }) },
  'read, refused': { call: (c) => model(c, 'read', { target: 'nobody' }) },
  ask: {
    before: (c) => c.begun('a', { nickname: 'ann' }),
    call(c) {
      const tools = c.run('a').createTools({ ask: true, names: { ask: 'ask' } });
      const answer = tools.ask?.execute({ question: 'which one?' });
      c.manager.send('ann', 'the first');
      return answer;
    },
  },
};

/** Calls one of the tools of `createTools`, by its operation. */
function model(
  c: Case,
  operation: 'spawn' | 'wait' | 'send' | 'interrupt' | 'cancel' | 'close' | 'resume' | 'list' | 'read',
  args: object,
) {
  const [tool] = c.manager.createTools({ include: [operation] });
  return tool?.execute(args);
}

/** A call of the tool waits for `a`, and gets its progress. */
async function watched(c: Case): Promise<void> {
  const call = c.manager.createSubAgentTool().execute({ instructions: 'a' }, { onUpdate: () => c.heard?.() });
  call.catch(() => undefined);
  await c.settled();
}

/** What the program and its hosts are called with, and when signals fire. */
const CALLED: Record<string, Row> = {
  'a host function': { call: called },
  'a host function, of a start that a policy gives a text to': {
    options: { policies: { subAgents: [{ name: 'p', beforeStart: () => ({ action: 'inject', text: 'mind this' }) }] } },
    call: called,
  },
  'a host function, of a start that a policy lets go later': {
    options: { policies: { subAgents: [{ name: 'p', beforeStart: () => pause().then(() => undefined) }] } },
    call: called,
  },
  'a host that starts work elsewhere': {
    options: {
      spawnBackgroundSubAgent: async () => {
        elsewhere();
        return { taskId: 'theirs' };
      },
    },
    call(c, reported) {
      elsewhere = reported;
      c.manager.spawn({ instructions: 'a', background: true });
    },
  },
  'a listener': {
    call(c, reported) {
      c.manager.subscribe(reported);
      c.manager.spawn({ instructions: 'a' });
    },
  },
  onWake: {
    options: { onWake: () => woken() },
    before: (c) => c.begun('a', { background: true }),
    call(c, reported) {
      woken = reported;
      c.end('a');
    },
  },
  'the signal of a run': {
    before: (c) => c.begun('a'),
    call(c, reported) {
      c.run('a').signal.addEventListener('abort', reported);
      void c.handle.cancel();
    },
  },
};
/** What a worker in another process asks of the lead, and gets as an answer. */
const WORKER: Record<string, Row> = Object.fromEntries(
  [
    ['report', { tokens: 5 }],
    ['beforeTurn'],
    ['checkpoint', { page: 7 }],
    ['spawn', { instructions: 'b' }],
    ['inbox.ack', 'none'],
    ['get', 'nobody'],
  ].map(([name, ...args]): [string, Row] => [
    name as string,
    {
      before: (c) => c.begun('a'),
      call(c, reported) {
        const parts = {
          maxLosses: 3,
          beginsAnew: false,
          reply: reported,
          replyApart: reported,
          refuse: () => undefined,
          over: () => undefined,
        };
        const held = new HeldRun(c.run('a') as never, {}, 'job', 1, parts);
        held.take({ job: 'job', by: 'w', fence: [1, 1], losses: 0, from: 0, requests: [{ seq: 0, call: name as string, args }] });
      },
    },
  ]),
);

let woken: () => void;
let elsewhere: () => void;

function called(c: Case, reported: () => void): void {
  c.whenCalled('a', reported);
  c.manager.spawn({ instructions: 'a' });
}

describe('J1 what is reported is persisted by then', () => {
  for (const [kind, rows] of Object.entries({ ...CALLS, tools: TOOLS, called: CALLED, worker: WORKER })) {
    for (const [name, row] of Object.entries(rows)) test(`J1 ${kind}: ${name}`, () => prove(row));
  }

  test('J1 a lease hands out no end before it is kept; acknowledged is what was so before a flush', async () => {
    const c = new Case();
    await c.open({});
    await c.over('a', { background: true });
    await c.begun('b', { background: true });
    c.store.held = true;
    c.end('b');
    await pause();
    expect(c.manager.inbox.peek().map(({ output }) => output)).toEqual(['a is done', 'b is done']);
    expect(c.manager.inbox.lease({ max: 1 }).map(({ output }) => output)).toEqual(['a is done']);
    expect(c.manager.inbox.lease()).toEqual([]);
    for (const _ of [1, 2]) {
      c.store.release();
      await pause();
    }
    const [notice] = await vi.waitFor(() => {
      const leased = c.manager.inbox.lease();
      expect(leased).toHaveLength(1);
      return leased;
    });
    expect(notice).toMatchObject({ output: 'b is done', attempt: 1 });
    expect(c.manager.inbox.ack(notice?.deliveryId ?? '')).toBe(true);
    let flushed = false;
    const flush = c.manager.flush().then(() => {
      flushed = true;
    });
    await pause();
    expect(flushed).toBe(false);
    c.store.held = false;
    c.store.release();
    await flush;
    await c.manager[Symbol.asyncDispose]();
  });

  // Nothing else reports that end: it was collected by the wait, and a wait after it doesn't show it.
  test.each<[string, (c: Case, signal: AbortSignal) => Promise<unknown> | undefined]>([
    ['wait', async (c, signal) => (await c.manager.wait(['ann'], { signal })).completed[0]?.output],
    ['wait of a handle', async (c, signal) => (await c.handle.wait({ signal }))?.output],
    ['the tool that waits', (c, signal) => c.manager.createTools().wait_agents?.execute({}, { signal })],
  ])('J1 W4 an end that was collected is told, though the signal of the wait fires while the store keeps it: %s', async (_, wait) => {
    const c = new Case();
    await c.open({});
    await c.begun('a', { nickname: 'ann', background: true });
    const controller = new AbortController();
    const answer = wait(c, controller.signal);
    await pause();
    c.store.held = true;
    c.end('a');
    await pause();
    controller.abort();
    await pause();
    c.store.held = false;
    c.store.release();
    expect(await answer).toContain('a is done');
    expect(c.manager.inbox.peek()).toEqual([]);
    await c.manager[Symbol.asyncDispose]();
  });

  test('J1 each method that gives a promise is here', () => {
    for (const [kind, rows] of Object.entries(CALLS)) {
      const types = readFileSync(new URL(`../../../dist/api/${kind}.d.ts`, import.meta.url), 'utf8');
      const methods = [...types.matchAll(/^ {4}(?!static )(?:override )?(\w+)(?:<[^(]*>)?\([^;]*\): Promise</gm)].map(([, name]) => name);
      expect(methods.length, kind).toBeGreaterThan(0);
      for (const method of methods) expect(Object.keys(rows), `${kind}.${method}`).toContain(method);
    }
  });
});
