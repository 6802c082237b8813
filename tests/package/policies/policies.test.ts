// P1: policies at the seven points: their order, their answers, what fails closed and what open, answers that
// take their time.

import '../../support/virtual-time.js';

import { describe, expect, it, test, vi } from 'vitest';
import { type Policy, type PolicyPoint, SubAgentError, type SubAgentEvent } from '../../../dist/index.js';
import { POLICY_POINTS } from '../../../dist/policies/index.js';
import { deferred, done, refusal, runtimeOf } from '../../support/hosts.js';
import { at, METHODS, manager, openRun, pass } from '../../support/policies.js';
import { flush, isPending, pass as passTime } from '../../support/virtual-time.js';

const OBSERVERS: readonly PolicyPoint[] = ['after_tool', 'on_timeout'];
const GATES = POLICY_POINTS.filter((point) => !OBSERVERS.includes(point));
const block = (reason: string) => ({ action: 'block', reason }) as const;
const inject = (text: string) => ({ action: 'inject', text }) as const;
const finish = (report: string) => ({ action: 'finish', report }) as const;

describe('P1 every point asks its policies in registered order, and the first answer wins', () => {
  it.each(POLICY_POINTS)('%s: a policy that answers nothing, null or continue is passed', async (point) => {
    const asked: string[] = [];
    const silent = [undefined, null, { action: 'continue' }].map((answer, index) =>
      at(point, () => {
        asked.push(String(index));
        return answer;
      }),
    );
    expect(await pass(point, silent)).toEqual({ free: true, text: undefined });
    expect(asked).toEqual(['0', '1', '2']);
  });

  it.each(POLICY_POINTS)('%s: the first that answers wins, and nobody is asked after it', async (point) => {
    const last = vi.fn();
    const policies = [
      at(point, () => undefined),
      at(point, () => inject('the first')),
      at(point, () => finish('the second')),
      at(point, last),
    ];
    expect(await pass(point, policies)).toEqual({ free: false, text: 'the first' });
    expect(last).not.toHaveBeenCalled();
  });

  it.each(POLICY_POINTS)('%s: a report finishes', async (point) => {
    const passed = await pass(point, [at(point, () => finish('the report'))]);
    expect(passed.free).toBe(false);
    expect(passed.text).toBe(point === 'after_tool' ? 'finished' : 'the report');
  });

  it.each(POLICY_POINTS.filter((point) => point !== 'on_timeout'))('%s: a block says why', async (point) => {
    expect(await pass(point, [at(point, () => block('not this'))])).toEqual({ free: false, text: 'not this' });
  });

  it('P1 before_end: another turn is forced, with a text or without', async () => {
    expect(await pass('before_end', [at('before_end', () => ({ action: 'force_turn', text: 'and the rest?' }))])).toEqual({
      free: false,
      text: 'and the rest?',
    });
    expect(await pass('before_end', [at('before_end', () => ({ action: 'force_turn' }))])).toEqual({
      free: false,
      text: 'Take another turn before you end.',
    });
  });

  it('a policy is asked as a method of its own object', async () => {
    class Counting {
      asked = 0;
      beforeTurn(): undefined {
        this.asked += 1;
      }
    }
    const policy = new Counting();
    await pass('before_turn', [policy as Policy]);
    expect(policy.asked).toBe(1);
  });
});

describe('P1 answers may take their time, but before a spawn', () => {
  const asynchronous = POLICY_POINTS.filter((point) => point !== 'before_spawn');

  it.each(asynchronous)('%s: later answers keep the order', async (point) => {
    const policies = [
      at(point, async () => undefined),
      at(point, () => undefined),
      at(point, async () => inject('the third')),
      at(point, () => inject('the fourth')),
    ];
    expect(await pass(point, policies)).toEqual({ free: false, text: 'the third' });
  });

  it.each(asynchronous)('%s: a foreign thenable is tamed', async (point) => {
    const then = (resolve: (answer: unknown) => void): void => {
      resolve(inject('once'));
      resolve(inject('twice'));
    };
    expect(await pass(point, [at(point, () => Object.assign(Object.create(null), { then }))])).toEqual({ free: false, text: 'once' });
  });

  it('before_spawn: a promise refuses, also one that would be rejected', async () => {
    for (const promise of [() => Promise.resolve(undefined), () => Promise.reject(new Error('late'))]) {
      const { free, text } = await pass('before_spawn', [at('before_spawn', promise)], () => undefined);
      expect(free).toBe(false);
      expect(text).toMatch(/the policy p failed: it has to answer at once here/);
    }
  });
});

const FAILURES: readonly [string, () => unknown][] = [
  [
    'throws',
    () => {
      throw new Error('broken');
    },
  ],
  ['answers a text', () => 'no'],
  ['answers an action that is not there', () => ({ action: 'explode' })],
  ['answers a text that is none', () => ({ action: 'inject', text: 5 })],
  [
    'answers an object that throws',
    () => ({
      get action() {
        throw new Error('trap');
      },
    }),
  ],
];

describe('P1 gates fail closed, and onError is notified', () => {
  for (const [name, body] of FAILURES) {
    it.each(GATES)(`%s: a policy that ${name} blocks`, async (point) => {
      const [after, onError] = [vi.fn(), vi.fn()];
      const { free, text } = await pass(point, [at(point, body, 'guard'), at(point, after)], onError);
      expect(free).toBe(false);
      expect(text).toMatch(/^the policy guard failed: /);
      expect(after).not.toHaveBeenCalled();
      expect(onError).toHaveBeenCalledTimes(1);
    });
  }

  it.each(GATES.filter((point) => point !== 'before_spawn'))('%s: a policy that rejects blocks', async (point) => {
    const [error, onError] = [new Error('broken'), vi.fn()];
    const { free, text } = await pass(point, [at(point, () => Promise.reject(error))], onError);
    expect([free, text]).toEqual([false, 'the policy p failed: broken']);
    expect(onError.mock.calls).toEqual([[error]]);
  });

  it('without onError it goes where the errors of listeners go, and ends nothing', async () => {
    const shown = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const error = new Error('broken');
    await pass('before_tool', [at('before_tool', () => Promise.reject(error))]);
    expect(shown.mock.calls).toEqual([[error]]);
    shown.mockRestore();
  });

  it('one that has not answered in time is no error; what it throws after that is reported', async () => {
    const [onError, late] = [vi.fn(), deferred<void>()];
    const subAgents = [at('before_tool', () => late.promise)];
    const { run } = await openRun({ approvalTimeoutMs: 1_000, onError, policies: { subAgents } });
    const asked = run.beforeTool('read', {});
    await passTime(1_000);
    expect(await asked).toMatchObject({ allowed: false, reason: 'the policy p failed: it took too long to answer' });
    expect(onError).not.toHaveBeenCalled();
    const error = new Error('broken');
    late.reject(error);
    await flush();
    expect(onError.mock.calls).toEqual([[error]]);
  });

  it('one that stops its own run and rejects is reported, and nothing is left unhandled', async () => {
    const [error, onError] = [new Error('broken'), vi.fn()];
    const stopping = async (): Promise<never> => {
      void opened.handle.cancel();
      throw error;
    };
    const opened = await openRun({ onError, policies: { subAgents: [at('before_tool', stopping)] } });
    expect(await opened.run.beforeTool('read', {})).toMatchObject({ allowed: false });
    await flush();
    expect(onError.mock.calls).toEqual([[error]]);
  });

  it.each(GATES.filter((point) => point !== 'before_end'))('%s: an answer that the point does not take blocks', async (point) => {
    const { free, text } = await pass(point, [at(point, () => ({ action: 'force_turn' }))], () => undefined);
    expect(free).toBe(false);
    expect(text).toMatch(/here it may answer continue, inject, block, finish/);
  });
});

describe('P1 observers fail open, and onError is notified', () => {
  for (const [name, body] of [...FAILURES, ['rejects', () => Promise.reject(new Error('broken'))] as const]) {
    it.each(OBSERVERS)(`%s: a policy that ${name} is left out, and the next is asked`, async (point) => {
      const onError = vi.fn();
      expect(await pass(point, [at(point, body), at(point, () => inject('the next'))], onError)).toEqual({ free: false, text: 'the next' });
      expect(onError).toHaveBeenCalledTimes(1);
    });
  }

  it('a block on a timeout is not taken', async () => {
    const onError = vi.fn();
    expect((await pass('on_timeout', [at('on_timeout', () => block('no'))], onError)).free).toBe(true);
    expect(onError).toHaveBeenCalledTimes(1);
  });
});

describe('what follows from an answer', () => {
  it('before_spawn: a refused spawn throws policy_blocked, names the policy, and makes no task', () => {
    const made = manager({ policies: { main: [at('before_spawn', () => block('not now'), 'guard')] } });
    const error = refusal(() => made.spawn({ instructions: 'x' }));
    expect([error.code, error.message, error.details]).toEqual(['policy_blocked', 'not now', { policy: 'guard' }]);
    expect(made.stats().total).toBe(0);
  });

  it('before_spawn: the tool gives the model the reason; a report stands for the answer', async () => {
    const blocked = manager({ policies: { main: [at('before_spawn', () => block('not now'))] } }).createSubAgentTool();
    expect(await blocked.execute({ instructions: 'x' })).toBe('No sub-agent was started: not now.');
    const finished = manager({ policies: { main: [at('before_spawn', () => finish('42'))] } }).createSubAgentTool();
    expect(await finished.execute({ instructions: 'x' })).toBe('42');
  });

  it('before_spawn: a text goes beside the context hint that was given', () => {
    const made = manager({ policies: { main: [at('before_spawn', () => inject('mind the gap'))] } });
    const handle = made.spawn({ instructions: 'x', contextHint: 'in docs/' });
    expect(made.get(handle).contextHint).toBe('in docs/\n\nmind the gap');
  });

  it('before_start: a run that is blocked is let go of, whatever the grace', async () => {
    const blocked = manager({ graceMs: 0, policies: { subAgents: [at('before_start', () => block('closed'))] } });
    await blocked.spawn({ instructions: 'one' }).wait();
    const { endedOpen } = runtimeOf<{ runs: { endedOpen: Map<string, unknown> } }>(blocked).runs;
    expect(endedOpen.size).toBe(0);
  });

  it('before_start: a block ends the run as failed without its host; a report as completed (L4)', async () => {
    const spawnSubAgent = vi.fn(() => done());
    const blocked = manager({ spawnSubAgent, policies: { subAgents: [at('before_start', () => block('closed'))] } });
    expect(await blocked.spawn({ instructions: 'x' }).wait()).toMatchObject({
      status: 'failed',
      stopReason: 'policy',
      error: 'closed',
      partial: true,
    });
    const finished = manager({ spawnSubAgent, policies: { subAgents: [at('before_start', async () => finish('known'))] } });
    expect(await finished.spawn({ instructions: 'x' }).wait()).toMatchObject({
      status: 'completed',
      stopReason: 'policy',
      output: 'known',
      partial: false,
      usage: { tokens: 0, turns: 0 },
    });
    expect(spawnSubAgent).not.toHaveBeenCalled();
    expect(finished.stats()).toMatchObject({ completed: 1, running: 0, tokensReserved: 0 });
  });

  it('before_turn: a block refuses every later turn, and the run ends failed with what it returns', async () => {
    const { run, handle, end } = await openRun({ policies: { subAgents: [at('before_turn', () => block('enough'))] } });
    expect(await run.beforeTurn()).toEqual({ go: false, reason: 'policy', message: 'enough' });
    expect(await run.beforeTurn()).toMatchObject({ go: false, reason: 'policy' });
    end.resolve(done('half'));
    expect(await handle.wait()).toMatchObject({ status: 'failed', stopReason: 'policy', partial: true, output: 'half', error: 'enough' });
  });

  it('before_turn: a run that a policy finished has its report, whatever the host returns, and is aborted after its grace', async () => {
    const { run, handle, end } = await openRun({ graceMs: 50, policies: { subAgents: [at('before_turn', () => finish('the report'))] } });
    const { signal } = run;
    expect(await run.beforeTurn()).toEqual({ go: false, reason: 'policy', report: 'the report' });
    expect(signal.aborted).toBe(false);
    await passTime(50);
    expect(signal.aborted).toBe(true);
    end.resolve(done('its own words'));
    expect(await handle.wait()).toMatchObject({ status: 'completed', stopReason: 'policy', partial: false, output: 'the report' });
  });

  it('before_tool: a block keeps the tool from running and nothing else', async () => {
    const { run, handle, end } = await openRun({ policies: { subAgents: [at('before_tool', () => block('not that'))] } });
    expect(await run.beforeTool('rm')).toEqual({ allowed: false, reason: 'not that' });
    expect(await run.beforeTurn()).toMatchObject({ go: true, turn: 1 });
    end.resolve(done('fine'));
    expect(await handle.wait()).toMatchObject({ status: 'completed', output: 'fine' });
  });

  it('before_tool and after_tool: a report ends the run', async () => {
    for (const point of ['before_tool', 'after_tool'] as const) {
      const { run, handle, end } = await openRun({ policies: { subAgents: [at(point, () => finish('seen enough'))] } });
      if (point === 'before_tool') expect(await run.beforeTool('read')).toEqual({ allowed: false, reason: 'seen enough', finished: true });
      else expect(await run.afterTool('read', 'x')).toEqual({ withheld: false, finished: true });
      expect(await run.beforeTurn()).toMatchObject({ go: false, reason: 'policy' });
      end.resolve(done('other'));
      expect(await handle.wait()).toMatchObject({ status: 'completed', output: 'seen enough' });
    }
  });

  it('before_end: a refused output reaches nobody', async () => {
    const { run, handle, end } = await openRun({ policies: { subAgents: [at('before_end', () => block('it holds a secret'))] } });
    run.report({ message: 'the secret is near' });
    expect(await run.beforeEnd('the secret is zanzibar')).toEqual({ end: true, output: '', reason: 'it holds a secret' });
    end.resolve({ ...done('the secret is zanzibar'), artifacts: [{ secret: 'zanzibar' }] });
    const result = await handle.wait();
    expect(result).toMatchObject({ status: 'failed', stopReason: 'policy', output: '', error: 'it holds a secret', artifacts: [] });
    expect(JSON.stringify(handle.snapshot?.() ?? result)).not.toContain('zanzibar');
  });

  it.each([
    ['a refused output', 'before_end', block('it holds a secret'), undefined],
    ['an output that a report stands in for', 'before_end', finish('as reported'), undefined],
    ['an output of a run that was told to end before', 'before_turn', block('no'), { secret: 'zanzibar' }],
  ] as const)('R7 the value of %s is the same in the result and in the snapshot', async (_, point, answer, value) => {
    const {
      manager: made,
      run,
      handle,
      end,
    } = await openRun({ policies: { subAgents: [at(point, () => answer)] } }, { instructions: 'work', schema: { type: 'object' } });
    if (point === 'before_end') await run.beforeEnd('the secret is zanzibar');
    else await run.beforeTurn();
    end.resolve({ ...done('the secret is zanzibar'), value: { secret: 'zanzibar' } });
    const result = await handle.wait();
    expect(result.stopReason).toBe('policy');
    expect([result.value, made.get(handle).value]).toEqual([value, value ?? null]);
  });

  it('on_timeout: a report stands where the run leaves no output; its own output comes first (T1, L4)', async () => {
    for (const output of ['', 'as far as I came']) {
      const policies = { subAgents: [at('on_timeout', ({ reason }: { reason: string }) => finish(`report of ${reason}`))] };
      const { manager: made, handle, end } = await openRun({ timeoutMs: 100, policies });
      await passTime(100);
      end.resolve(done(output));
      expect(await handle.wait()).toMatchObject({
        status: 'timed_out',
        stopReason: 'timeout',
        partial: true,
        output: output || 'report of timeout',
      });
      expect(made.get(handle).report).toBe('report of timeout');
    }
  });

  it('on_timeout: silence counts too, and a report is kept also without any grace', async () => {
    const policies = { subAgents: [at('on_timeout', ({ reason }: { reason: string }) => finish(`report of ${reason}`))] };
    const { manager: made, run, handle } = await openRun({ idleTimeoutMs: 100, graceMs: 0, policies });
    await run.beforeTurn();
    await passTime(100);
    expect(await handle.wait()).toMatchObject({ status: 'timed_out', stopReason: 'idle_timeout' });
    expect(made.get(handle).report).toBe('report of idle_timeout');
  });

  it('L4 the first reason stands: a policy changes nothing about a run that timed out', async () => {
    const { run, handle, end } = await openRun({ timeoutMs: 100, policies: { subAgents: [at('before_turn', () => block('no'))] } });
    await passTime(100);
    await run.beforeTurn();
    end.resolve(done('half'));
    expect(await handle.wait()).toMatchObject({ status: 'timed_out', stopReason: 'timeout', output: 'half' });
  });

  it('every answer is an event', async () => {
    const events: SubAgentEvent[] = [];
    const policies = { subAgents: [at('before_tool', () => block('no'), 'guard')] };
    const { manager: made, run, handle } = await openRun({ policies });
    made.subscribe((event) => events.push(event));
    await run.beforeTool('rm');
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'policy_answered',
        taskId: handle.taskId,
        run: 1,
        point: 'before_tool',
        answer: 'block',
        policy: 'guard',
        text: 'no',
        until: null,
      }),
    );
  });
});

describe('a run that a policy ends, where ended ones are not retained', () => {
  test('R7 L8 the value that the policy leaves is there, also where the task is forgotten in the step of its end', async () => {
    const values = [];
    for (const retain of [0, 10]) {
      for (const point of ['before_turn', 'before_end'] as const) {
        const made = manager({
          retain,
          policies: { subAgents: [at(point, () => block('no'))] },
          spawnSubAgent: async (_, run) => {
            if (point === 'before_turn') await run.beforeTurn();
            else await run.beforeEnd('the output');
            return { ...done(), value: null, artifacts: [{ made: 1 }] };
          },
        });
        const { value, artifacts, error } = await made.spawn({ instructions: 'work', schema: { type: 'null' } }).wait();
        values.push([value, artifacts, error]);
      }
    }
    const [kept, refused] = [
      [null, [{ made: 1 }], 'no'],
      [undefined, [], 'no'],
    ];
    expect(values).toEqual([kept, refused, kept, refused]);
  });

  const ends: [string, Partial<Policy>, object][] = [
    ['blocks its turn', { beforeTurn: () => ({ action: 'block', reason: 'no turn' }) }, { status: 'failed', error: 'no turn' }],
    [
      'finishes it',
      { beforeTurn: () => ({ action: 'finish', report: 'as reported' }) },
      { status: 'completed', output: 'as reported', error: undefined },
    ],
    [
      'blocks a tool before its end',
      { beforeTool: () => ({ action: 'block', reason: 'no tool' }), beforeEnd: () => ({ action: 'block', reason: 'not so' }) },
      { status: 'failed', error: 'not so' },
    ],
  ];

  // Whoever waits has collected the end when it comes, and nothing else keeps the task.
  test.each(ends)('L8 one that %s: it is reported, and the manager goes on', async (_, policy, expected) => {
    const made = manager({
      retain: 0,
      policies: { subAgents: [policy] },
      spawnSubAgent: async (_, run) => {
        await run.beforeTurn();
        await run.beforeTool('read');
        const permit = await run.beforeEnd('the output');
        return done(permit.end ? permit.output : 'more');
      },
    });
    const result = await made.spawn({ instructions: 'work' }).wait();
    expect(result).toMatchObject({ stopReason: 'policy', ...expected });
    expect(made.stats().total).toBe(0);
    expect(made.canSpawn()).toBe(true);
  });
});

describe('P1 C3 a run that a policy finished waits for its background work', () => {
  async function waiting() {
    const { run, handle, end } = await openRun({ maxDepth: 2, policies: { subAgents: [at('before_turn', () => finish('as reported'))] } });
    await run.beforeTurn();
    const below = run.spawn({ drive: 'program', instructions: 'below', background: true, onParentEnd: 'wait' });
    await below.start();
    end.resolve({ output: 'its own words', error: 'its own error', artifacts: [{ a: 1 }] });
    await flush();
    expect(handle.snapshot()).toMatchObject({ status: 'running', parked: 'children' });
    return { handle, below };
  }

  it('and then ends as any that a policy finished', async () => {
    const { handle, below } = await waiting();
    below.complete('done');
    const end = { status: 'completed', stopReason: 'policy', output: 'as reported', artifacts: [{ a: 1 }] };
    expect(await handle.wait()).toMatchObject({ ...end, error: undefined });
    expect(handle.snapshot()).toMatchObject({ ...end, error: null });
  });

  it('and has its report as output if it is cancelled', async () => {
    const { handle } = await waiting();
    void handle.cancel();
    const end = { status: 'cancelled', stopReason: 'cancelled', partial: true, output: 'as reported', artifacts: [{ a: 1 }] };
    expect(await handle.wait()).toMatchObject({ ...end, error: undefined });
    expect(handle.snapshot()).toMatchObject({ ...end, error: null });
  });
});

describe('a reason that is too long', () => {
  it.each([0, 10])('R1 is cut, `retain` is %i', async (retain) => {
    const made = manager({
      retain,
      maxResultBytes: 7,
      policies: { subAgents: [at('before_turn', () => block('é'.repeat(1_000)))] },
      spawnSubAgent: async (_, run) => {
        await run.beforeTurn();
        return done();
      },
    });
    expect(await made.spawn({ instructions: 'work' }).wait()).toMatchObject({ status: 'failed', error: 'ééé' });
  });
});

describe('a policy that takes its time', () => {
  it('S1 T1 the run gives its slot up meanwhile, and its clock stands', async () => {
    const leave = deferred<undefined>();
    const policies = { subAgents: [at('before_tool', () => leave.promise)] };
    const { manager: made, run, handle, end } = await openRun({ maxConcurrent: 1, timeoutMs: 1_000, policies });
    await run.beforeTurn();
    const permit = run.beforeTool('rm');
    expect(made.get(handle).parked).toBe('approval');
    expect(made.getConcurrencyInfo()).toMatchObject({ active: 0, parked: 1 });
    await passTime(5_000);
    leave.resolve(undefined);
    expect(await permit).toEqual({ allowed: true });
    expect(made.getConcurrencyInfo()).toMatchObject({ active: 1, parked: 0 });
    end.resolve(done('in time'));
    expect(await handle.wait()).toMatchObject({ status: 'completed' });
  });

  it('several tools may wait at once; the run goes on after the last', async () => {
    const leaves = [deferred<undefined>(), deferred<undefined>()];
    let asked = 0;
    const policies = { subAgents: [at('before_tool', () => leaves[asked++]?.promise)] };
    const { manager: made, run, handle } = await openRun({ policies });
    const permits = [run.beforeTool('a'), run.beforeTool('b')];
    leaves[0]?.resolve(undefined);
    expect(await permits[0]).toEqual({ allowed: true });
    expect(made.get(handle).parked).toBe('approval');
    leaves[1]?.resolve(undefined);
    expect(await permits[1]).toEqual({ allowed: true });
    expect(made.get(handle).parked).toBeNull();
  });

  it('a gate that gets no answer in approvalTimeoutMs refuses, an observer lets go', async () => {
    const never = new Promise<undefined>(() => undefined);
    const onError = vi.fn();
    const policies = { subAgents: [{ name: 'slow', beforeTool: () => never, afterTool: () => never }] };
    const { run } = await openRun({ approvalTimeoutMs: 1_000, onError, policies });
    const permit = run.beforeTool('rm');
    await passTime(999);
    expect(await isPending(permit)).toBe(true);
    await passTime(1);
    expect(await permit).toEqual({ allowed: false, reason: 'the policy slow failed: it took too long to answer' });
    const verdict = run.afterTool('rm', 'x');
    await passTime(1_000);
    expect(await verdict).toEqual({ withheld: false });
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it('one that is given up takes none along that was asked later, and none after it waits for ever', async () => {
    const [never, later] = [new Promise<undefined>(() => undefined), new Promise<undefined>((resolve) => setTimeout(resolve, 1_400))];
    const subAgents: Policy[] = [
      { beforeTool: ({ tool }) => (tool === 'never' ? never : later), afterTool: () => never },
      { afterTool: () => never },
    ];
    const { manager: made, run, handle } = await openRun({ approvalTimeoutMs: 1_000, onError: () => undefined, policies: { subAgents } });
    const lost = run.beforeTool('never');
    await passTime(900);
    const permit = run.beforeTool('later');
    await passTime(100);
    expect(await lost).toMatchObject({ allowed: false });
    expect(await isPending(permit)).toBe(true);
    expect(made.get(handle).parked).toBe('approval');
    await passTime(400);
    expect(await permit).toEqual({ allowed: true });
    expect(made.get(handle).parked).toBeNull();
    const verdict = run.afterTool('later');
    await passTime(2_000);
    expect(await verdict).toEqual({ withheld: false });
    expect(made.get(handle).parked).toBeNull();
  });

  it('P1 a gate that has not answered when its run is asked to stop stays closed', async () => {
    const never = new Promise<undefined>(() => undefined);
    const reason = 'the run had to stop before its policies had answered';
    for (const how of ['cancel', 'interrupt', 'close'] as const) {
      const { run, handle, end } = await openRun({ policies: { subAgents: [{ beforeTool: () => never, beforeEnd: () => never }] } });
      const [permit, over] = [run.beforeTool('rm'), run.beforeEnd('what nobody has read')];
      const stopped = handle[how]();
      expect(await permit).toEqual({ allowed: false, reason });
      expect(await over).toEqual({ end: true, output: '', reason });
      end.resolve({ output: '' });
      await stopped;
    }
  });

  it('L5 a cancel does not wait for it', async () => {
    const policies = { subAgents: [at('before_turn', () => new Promise(() => undefined))] };
    const { run, handle, end } = await openRun({ policies });
    const permit = run.beforeTurn();
    const cancelled = handle.cancel();
    expect(await permit).toEqual({ go: false, reason: 'cancelled' });
    end.resolve(done());
    await cancelled;
    expect(handle.status).toBe('cancelled');
  });

  it('a turn asked for twice is refused while a policy thinks', async () => {
    const { run } = await openRun({ policies: { subAgents: [at('before_turn', () => new Promise(() => undefined))] } });
    run.beforeTurn().catch(() => undefined);
    await expect(run.beforeTurn()).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('before_start: the host is called once the run has a slot again, and never after a cancel', async () => {
    const leave = deferred<undefined>();
    const called: string[] = [];
    const others: (() => void)[] = [];
    let first = true;
    const made = manager({
      maxConcurrent: 1,
      policies: {
        subAgents: [
          at('before_start', () => {
            const waits = first;
            first = false;
            return waits ? leave.promise : undefined;
          }),
        ],
      },
      spawnSubAgent: (params) => {
        called.push(params.instructions);
        return new Promise((resolve) => others.push(() => resolve(done())));
      },
    });
    made.spawn({ instructions: 'slow', background: true });
    made.spawn({ instructions: 'quick', background: true });
    await flush();
    expect(called).toEqual(['quick']);
    leave.resolve(undefined);
    await flush();
    expect(called).toEqual(['quick']);
    others[0]?.();
    await flush();
    expect(called).toEqual(['quick', 'slow']);
    others[1]?.();
    await flush();
    expect(made.stats()).toMatchObject({ completed: 2, running: 0, tokensReserved: 0 });
  });

  it('before_start: a cancel while a policy thinks, or while the slot is waited for, ends it without its host', async () => {
    const leave = deferred<undefined>();
    const called: string[] = [];
    const made = manager({
      maxConcurrent: 1,
      policies: { subAgents: [at('before_start', ({ prompt }: { prompt: string }) => (prompt === 'quick' ? undefined : leave.promise))] },
      spawnSubAgent: (params) => {
        called.push(params.instructions);
        return new Promise(() => undefined);
      },
    });
    const [thinking, waiting] = [made.spawn({ instructions: 'thinking' }), made.spawn({ instructions: 'waiting' })];
    made.spawn({ instructions: 'quick' });
    await flush();
    await thinking.cancel();
    expect(thinking.status).toBe('cancelled');
    leave.resolve(undefined);
    await flush();
    expect(made.get(waiting).parked).toBe('reentry');
    await waiting.cancel();
    expect(waiting.status).toBe('cancelled');
    expect(called).toEqual(['quick']);
    expect(made.getConcurrencyInfo()).toMatchObject({ active: 1, parked: 0, abandoned: 0 });
  });

  it('disposing rejects what waits for a policy', async () => {
    const { manager: made, run } = await openRun({ policies: { subAgents: [at('before_turn', () => new Promise(() => undefined))] } });
    const permit = run.beforeTurn();
    made.dispose();
    await expect(permit).rejects.toMatchObject({ code: 'disposed' });
  });
});

describe('what a policy gets', () => {
  it('the agent, its task, its turns, its context, its to-dos, its last messages', async () => {
    const seen: unknown[] = [];
    const policies = {
      subAgents: [
        at('before_tool', (context: Record<string, unknown>) => {
          const { agent, taskId, run, prompt, turns, contextTokens, openTodos, todos, recentMessages, tool, args } = context;
          seen.push({ agent, taskId, run, prompt, turns, contextTokens, openTodos, todos, recentMessages, tool, args });
        }),
      ],
    };
    const { run, handle } = await openRun({ policies });
    await run.beforeTurn();
    for (let at = 1; at <= 12; at += 1) run.report({ message: `message ${at}` });
    const todos = [{ content: 'a', status: 'completed' }, { content: 'b' }, { content: 'c', status: 'in_progress' }];
    run.report({ contextTokens: 900, todos, message: 'é'.repeat(600) });
    await run.beforeTool('read', { path: 'x' });
    expect(seen).toEqual([
      {
        agent: 'sub',
        taskId: handle.taskId,
        run: 1,
        prompt: 'work',
        turns: 1,
        contextTokens: 900,
        openTodos: 2,
        todos: [
          { content: 'a', status: 'completed' },
          { content: 'b', status: 'pending' },
          { content: 'c', status: 'in_progress' },
        ],
        recentMessages: [...Array.from({ length: 9 }, (_, at) => `message ${at + 4}`), 'é'.repeat(500)],
        tool: 'read',
        args: { path: 'x' },
      },
    ]);
  });

  it('P3 what it counts is counted by the core: a number for each policy and run', async () => {
    const limited: Policy = { name: 'limited', beforeTool: (context) => (context.count(1) === 'counted' ? undefined : block('used up')) };
    const { run, manager: made } = await openRun({ policies: { subAgents: [limited, limited] } });
    expect(await run.beforeTool('a')).toEqual({ allowed: true });
    expect(await run.beforeTool('a')).toEqual({ allowed: false, reason: 'used up' });
    const other = made.spawn({ instructions: 'another' });
    expect(other.status).toBe('running');
  });

  it('its to-do list is bounded, all are counted, and a wrong one is refused', async () => {
    const seen: [number, number][] = [];
    const policies = {
      subAgents: [
        at('before_tool', ({ openTodos, todos }: { openTodos: number; todos: unknown[] }) => void seen.push([openTodos, todos.length])),
      ],
    };
    const { run } = await openRun({ policies });
    run.report({ todos: Array.from({ length: 150 }, () => ({ content: 'x' })) });
    await run.beforeTool('read');
    expect(seen).toEqual([[150, 100]]);
    for (const todos of ['x', [5], [{ content: 5 }], [{ content: 'x', status: 5 }], [null]]) {
      expect(refusal(() => run.report({ todos: todos as never })).code).toBe('invalid_argument');
    }
  });
});

describe('T2 a tool may take longer than silence', () => {
  it('between beforeTool and afterTool nothing counts as silence', async () => {
    const { run, handle, end } = await openRun({ idleTimeoutMs: 1_000 });
    await run.beforeTurn();
    await run.beforeTool('build');
    await passTime(60_000);
    await run.afterTool('build', 'ok');
    await passTime(999);
    expect(handle.status).toBe('running');
    end.resolve(done());
    expect(await handle.wait()).toMatchObject({ status: 'completed' });
  });

  it('after it silence counts again', async () => {
    const { run, handle } = await openRun({ idleTimeoutMs: 1_000, graceMs: 10 });
    await run.beforeTurn();
    await run.beforeTool('build');
    await passTime(5_000);
    await run.afterTool('build');
    await passTime(1_010);
    expect(handle.status).toBe('timed_out');
  });
});

describe('P2 the tools of a run', () => {
  it('S4.07 S5.11 S5.12 S5.13 refused are tools that it was not given, and those that no sub-agent gets', async () => {
    const { run } = await openRun({ tools: ['read', 'write', 'shell'] }, { instructions: 'x', tools: ['read', 'shell'] });
    expect(await run.beforeTool('read')).toEqual({ allowed: true });
    expect(await run.beforeTool('write')).toEqual({ allowed: false, reason: '`write` is no tool of this sub-agent; it has: read, shell' });
    const { run: free } = await openRun();
    for (const tool of ['message', 'spawn', 'delegate_to_sub_agent', 'send_file_to_user', 'SubAgent']) {
      expect(await free.beforeTool(tool)).toEqual({ allowed: false, reason: `\`${tool}\` is no tool of this sub-agent` });
    }
    expect(await free.beforeTool('anything')).toEqual({ allowed: true });
  });

  it('a policy is not asked about a tool that is refused anyway, and the refusal is an event', async () => {
    const asked = vi.fn();
    const { run, manager: made } = await openRun({ policies: { subAgents: [at('before_tool', asked)] } });
    const events: SubAgentEvent[] = [];
    made.subscribe((event) => events.push(event));
    await run.beforeTool('message');
    expect(asked).not.toHaveBeenCalled();
    expect(events).toContainEqual(expect.objectContaining({ type: 'policy_answered', policy: 'tools', answer: 'block' }));
  });

  it('blockedTools of a policy are filtered from run.tools', async () => {
    const policies = { subAgents: [{ blockedTools: ['shell'] }] };
    const { run } = await openRun({ tools: ['read', 'shell'], policies });
    expect(run.tools).toEqual(['read']);
    expect(await run.beforeTool('shell')).toMatchObject({ allowed: false });
  });

  it('an ended run learns it', async () => {
    const { run, handle, end } = await openRun({ policies: { subAgents: [{ beforeTool: () => undefined, beforeEnd: () => undefined }] } });
    end.resolve(done());
    await handle.wait();
    expect(await run.beforeTool('read')).toMatchObject({ allowed: false });
    expect(await run.afterTool('read')).toEqual({ withheld: false });
    expect(await run.beforeEnd('x')).toEqual({ end: true, output: 'x' });
    expect(await run.beforeTurn()).toEqual({ go: false, reason: 'actor_ended' });
  });
});

describe('wrong input', () => {
  test.each([
    ['policies that are no object', { policies: 5 }],
    ['a set of another name', { policies: { children: [] } }],
    ['a set that is no list', { policies: { subAgents: {} } }],
    ['a policy that is no object', { policies: { main: [null] } }],
    ['a method that is none', { policies: { main: [{ beforeTurn: 5 }] } }],
    ['a method that is misspelt', { policies: { main: [{ beforeTurns: () => undefined }] } }],
    ['a field that is misspelt', { policies: { subAgents: [{ name: 'no shell', blockTools: ['shell'] }] } }],
    ['a method in another case', { policies: { subAgents: [{ beforetool: () => block('no') }] } }],
    ['blocked tools that are no list', { policies: { subAgents: [{ blockedTools: 'shell' }] } }],
    ['limits of another name', { mainLimits: { turns: 5 } }],
    ['a limit of 0', { mainLimits: { maxTurns: 0 } }],
    ['a limit that is no number', { mainLimits: { timeoutMs: 'soon' } }],
  ])('%s', (_, options) => {
    expect(refusal(() => manager(options as never)).code).toBe('invalid_argument');
  });

  it('a misspelt field of a policy is named, with the one that was meant, or those that there are', () => {
    const { message, details } = refusal(() => manager({ policies: { main: [{ before_tool: () => block('no') } as Policy] } }));
    expect(message).toBe('a policy has no `before_tool`; did you mean `beforeTool`?');
    const other = refusal(() => manager({ policies: { main: [{ colour: 'red' } as Policy] } }));
    expect(other.message).toBe(`a policy has no \`colour\`; it has name, blockedTools, ${Object.values(METHODS).join(', ')}`);
    expect(details.argument).toBe('before_tool');
  });

  it('gates take names and texts', async () => {
    const { run } = await openRun();
    for (const name of [undefined, '', 5]) {
      await expect(run.beforeTool(name as never)).rejects.toMatchObject({ code: 'invalid_argument' });
      await expect(run.afterTool(name as never)).rejects.toMatchObject({ code: 'invalid_argument' });
    }
    await expect(run.beforeEnd(5 as never)).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('a session with wrong options opens nothing', () => {
    const made = manager({ maxSessions: 2 });
    for (const options of [{ policies: 5 }, { policies: [{ beforeTurns: () => undefined }] }, { limits: { maxTurns: 0.5 } }]) {
      expect(() => made.session('a', options as never)).toThrow(SubAgentError);
    }
    expect(made.session('a', { limits: { maxTurns: 1 } }).key).toBe('a');
  });

  it('every method of a policy stands for a point', () => {
    expect(Object.keys(METHODS)).toEqual([...POLICY_POINTS]);
  });
});

test('P1 a policy without any point is refused, with the list of points; one whose points are undefined now is not', () => {
  const make = (policy: Policy): void => manager({ policies: { subAgents: [policy] } }).dispose();
  for (const policy of [{}, { name: 'does nothing' }])
    expect(refusal(() => make(policy))).toMatchObject({
      code: 'invalid_argument',
      message: expect.stringMatching(/blockedTools, beforeSpawn, .*onTimeout/),
    });
  for (const policy of [{ beforeTurn: undefined }, { blockedTools: [] }]) make(policy as Policy);
});
