// S5.02: the main agent itself runs under policies and limits, in the default session and in others.

import '../../support/virtual-time.js';

import { describe, expect, it, vi } from 'vitest';
import type { Policy, PolicyContext, Session, SubAgentError, SubAgentManager } from '../../../dist/index.js';
import { refusal } from '../../support/hosts.js';
import { manager } from '../../support/policies.js';
import { flush, isPending, pass as passTime } from '../../support/virtual-time.js';

describe('N3 S4.10 notices come with the turns of a main agent', () => {
  const texts = async (agent: SubAgentManager | Session): Promise<string[]> => {
    const permit = await agent.beforeTurn();
    if (!permit.go) throw new Error(permit.reason);
    return (permit.inject ?? []).map((text) => text.slice(0, text.indexOf(']') + 1));
  };

  it.each(['manager', 'session'])('of the %s: leased by the turn, acknowledged by the next one', async (whose) => {
    const made = manager();
    const agent = whose === 'manager' ? made : made.session('s');
    expect(await texts(agent)).toEqual([]);
    for (const label of ['one', 'two']) agent.spawn({ instructions: 'x', label, background: true });
    await passTime(10);
    expect(await texts(agent)).toEqual(["[Subagent 'one' completed]", "[Subagent 'two' completed]"]);
    await passTime(1_000_000);
    expect(agent.inbox.lease()).toEqual([]);
    expect(agent.inbox.peek()).toMatchObject([
      { label: 'one', delivery: 'leased', leasedUntil: null, attempt: 1 },
      { label: 'two', delivery: 'leased', leasedUntil: null, attempt: 1 },
    ]);
    expect(await texts(agent)).toEqual([]);
    expect(agent.inbox.peek()).toEqual([]);
  });

  it('an allowed end acknowledges them; one that a policy refuses does not', async () => {
    const once: Policy = { beforeEnd: ({ turns }) => (turns === 1 ? { action: 'force_turn', text: 'go on' } : undefined) };
    const made = manager({ policies: { main: [once] } });
    made.spawn({ instructions: 'x', label: 'one', background: true });
    await passTime(10);
    expect(await texts(made)).toEqual(["[Subagent 'one' completed]"]);
    expect(await made.beforeEnd('done')).toMatchObject({ end: false });
    expect(made.inbox.peek()).toHaveLength(1);
    made.spawn({ instructions: 'x', label: 'two', background: true });
    await passTime(10);
    expect(await texts(made)).toEqual(["[Subagent 'two' completed]"]);
    expect(await made.beforeEnd('done')).toMatchObject({ end: true });
    expect(made.inbox.peek()).toEqual([]);
  });

  it('a turn that is refused is given none; what it is asked anew acknowledges too', async () => {
    const made = manager({ mainLimits: { maxTurns: 1 } });
    expect(await made.beforeTurn()).toMatchObject({ go: true });
    made.spawn({ instructions: 'x', label: 'one', background: true });
    await passTime(10);
    expect(await made.beforeTurn()).toEqual({ go: false, reason: 'max_turns' });
    expect(made.inbox.peek()).toMatchObject([{ delivery: 'pending' }]);
    expect(await made.beforeTurn({ prompt: 'next' })).toMatchObject({ go: true, inject: [expect.stringContaining("'one' completed")] });
    expect(await made.beforeTurn({ prompt: 'after that' })).toEqual({ go: true, turn: 1 });
    expect(made.inbox.peek()).toEqual([]);
  });

  it('those that somebody took before come with no turn', async () => {
    const woken: number[] = [];
    const made = manager({
      onWake: ({ inbox }, { pending }) => {
        woken.push(pending);
        for (const { deliveryId } of inbox.lease()) inbox.ack(deliveryId);
      },
    });
    await made.beforeTurn();
    made.spawn({ instructions: 'x', background: true });
    await passTime(10);
    expect(woken).toEqual([1]);
    expect(await texts(made)).toEqual([]);
  });
});

describe('S5.02 S4.08 what bounds a main agent', () => {
  it('nothing, unless it is configured', async () => {
    const made = manager();
    for (let turn = 1; turn <= 50; turn += 1) expect(await made.beforeTurn()).toEqual({ go: true, turn });
    await passTime(10_000_000);
    expect(await made.beforeTurn()).toEqual({ go: true, turn: 51 });
  });

  it('turns: until it has answered, or is asked something new', async () => {
    const made = manager({ mainLimits: { maxTurns: 2 } });
    const full = { go: false, reason: 'max_turns' };
    for (let round = 0; round < 2; round += 1) {
      expect([await made.beforeTurn(), await made.beforeTurn(), await made.beforeTurn()]).toEqual([
        { go: true, turn: 1 },
        { go: true, turn: 2 },
        full,
      ]);
      expect(await made.beforeEnd('the answer')).toEqual({ end: true, output: 'the answer' });
    }
    expect(await made.beforeTurn({ prompt: 'one' })).toEqual({ go: true, turn: 1 });
    expect(await made.beforeTurn()).toEqual({ go: true, turn: 2 });
    expect(await made.beforeTurn({ prompt: 'two' })).toEqual({ go: true, turn: 1 });
  });

  it('context: as reported', async () => {
    const made = manager({ mainLimits: { maxContextTokens: 1_000 } });
    made.report({ contextTokens: 999 });
    expect(await made.beforeTurn()).toMatchObject({ go: true });
    made.report({ contextTokens: 1_001 });
    expect(await made.beforeTurn()).toEqual({
      go: false,
      reason: 'policy',
      message: 'the context has 1001 tokens, the limit is 1000',
    });
    made.report({ contextTokens: 10 });
    expect(await made.beforeTurn()).toMatchObject({ go: true });
  });

  it('time: from its first turn; then one turn to sum up, of which policies may report', async () => {
    const timeout: Policy = { onTimeout: ({ reason, agent }) => ({ action: 'finish', report: `${agent} ${reason}` }) };
    const made = manager({ mainLimits: { timeoutMs: 1_000 }, policies: { main: [timeout] } });
    await passTime(5_000);
    expect(await made.beforeTurn()).toMatchObject({ go: true, turn: 1 });
    await passTime(999);
    expect(await made.beforeTurn()).toEqual({ go: true, turn: 2 });
    await passTime(1);
    expect(await made.beforeTurn()).toEqual({ go: true, turn: 3, wrapUp: true, reason: 'timeout', report: 'main timeout' });
    expect(await made.beforeTurn()).toEqual({ go: false, reason: 'timeout' });
    await made.beforeEnd('');
    expect(await made.beforeTurn()).toEqual({ go: true, turn: 1 });
  });

  it('an inject on a timeout reaches the turn that sums up', async () => {
    const made = manager({
      mainLimits: { timeoutMs: 10 },
      policies: { main: [{ onTimeout: () => ({ action: 'inject', text: 'sum up' }) }] },
    });
    await made.beforeTurn();
    await passTime(10);
    expect(await made.beforeTurn()).toMatchObject({ go: true, wrapUp: true, inject: ['sum up'] });
  });
});

describe('sessions', () => {
  it('each has its own turns; limits of its own stand over those of the manager', async () => {
    const made = manager({ mainLimits: { maxTurns: 1, maxContextTokens: 100 } });
    const [a, b] = [made.session('a'), made.session('b', { limits: { maxTurns: 2 } })];
    for (const scope of [made, a]) {
      expect(await scope.beforeTurn()).toMatchObject({ go: true });
      expect(await scope.beforeTurn()).toMatchObject({ go: false, reason: 'max_turns' });
    }
    expect(await b.beforeTurn()).toMatchObject({ go: true });
    expect(await b.beforeTurn()).toMatchObject({ go: true, turn: 2 });
    expect(await b.beforeTurn()).toMatchObject({ go: false });
    await b.beforeEnd('');
    b.report({ contextTokens: 100 });
    expect(await b.beforeTurn()).toMatchObject({ go: false, reason: 'policy' });
  });

  it.each([0, 60_000])('C4 a closed one has no turns, and says why; its hosts have %d ms', async (graceMs) => {
    const made = manager({ spawnSubAgent: () => new Promise(() => undefined) });
    const session = made.session('a');
    session.spawn({ instructions: 'x' });
    made.closeSession('a', { graceMs }).catch(() => undefined);
    for (let round = 0; round < 2; round += 1) {
      await expect(session.beforeTurn()).rejects.toMatchObject({ code: 'actor_ended' });
      await flush();
    }
  });

  it('policies of its own stand in place of the manager’s, and see their own agent', async () => {
    const seen: unknown[] = [];
    const look = (name: string): Policy => ({
      name,
      beforeTool: ({ agent, taskId, run, prompt, openTodos, recentMessages }: PolicyContext) => {
        seen.push([name, agent, taskId, run, prompt, openTodos, recentMessages]);
      },
      beforeSpawn: () => ({ action: 'block', reason: name }),
    });
    const made = manager({ policies: { main: [look('shared')] } });
    const own = made.session('own', { policies: [look('own')] });
    const other = made.session('other');
    await own.beforeTurn({ prompt: 'what is up?' });
    own.report({ message: 'looking', todos: [{ content: 'x' }] });
    for (const scope of [own, other, made]) await scope.beforeTool('read');
    expect(seen).toEqual([
      ['own', 'main', null, 0, 'what is up?', 1, ['looking']],
      ['shared', 'main', null, 0, '', 0, []],
      ['shared', 'main', null, 0, '', 0, []],
    ]);
    expect([own, other, made].map((scope) => refusal(() => scope.spawn({ instructions: 'x' })).message)).toEqual([
      'own',
      'shared',
      'shared',
    ]);
  });

  it('counts are kept for each agent, and begin anew when it has answered', async () => {
    const once: Policy = { beforeTool: (context) => (context.count(1) === 'counted' ? undefined : { action: 'block', reason: 'used' }) };
    const made = manager({ policies: { main: [once] } });
    const session = made.session('a');
    for (let round = 0; round < 2; round += 1) {
      for (const scope of [made, session]) {
        expect((await scope.beforeTool('search')).allowed).toBe(true);
        expect((await scope.beforeTool('search')).allowed).toBe(false);
        await scope.beforeEnd('');
      }
    }
  });
});

describe('gates of a main agent', () => {
  it('before it starts a policy may refuse or answer, once a prompt', async () => {
    const beforeStart = vi.fn(async ({ prompt }: PolicyContext) => {
      if (prompt === 'bad') return { action: 'block', reason: 'no' } as const;
      return prompt === 'known' ? ({ action: 'finish', report: '42' } as const) : undefined;
    });
    const made = manager({ policies: { main: [{ beforeStart }] } });
    expect(await made.beforeTurn({ prompt: 'bad' })).toEqual({ go: false, reason: 'policy', message: 'no' });
    expect(await made.beforeTurn({ prompt: 'known' })).toEqual({ go: false, reason: 'policy', report: '42' });
    expect(await made.beforeTurn({ prompt: 'good' })).toEqual({ go: true, turn: 1 });
    expect(await made.beforeTurn()).toEqual({ go: true, turn: 2 });
    expect(beforeStart).toHaveBeenCalledTimes(3);
  });

  it('a policy that never answers is given up after approvalTimeoutMs', async () => {
    const made = manager({ approvalTimeoutMs: 500, policies: { main: [{ beforeTool: () => new Promise<undefined>(() => undefined) }] } });
    const permit = made.beforeTool('rm');
    await passTime(500);
    expect(await permit).toMatchObject({ allowed: false, reason: expect.stringContaining('took too long') });
  });

  it('each policy has its own time: one that is given up takes none along that was asked later, and none after it waits for ever', async () => {
    const [never, later] = [new Promise<undefined>(() => undefined), new Promise<undefined>((resolve) => setTimeout(resolve, 800))];
    const main: Policy[] = [
      { beforeTool: ({ tool }) => (tool === 'never' ? never : later), afterTool: () => never },
      { afterTool: () => never },
    ];
    const made = manager({ approvalTimeoutMs: 500, policies: { main }, onError: () => undefined });
    const lost = made.beforeTool('never');
    await passTime(400);
    const permit = made.beforeTool('later');
    await passTime(100);
    expect(await lost).toMatchObject({ allowed: false });
    expect(await isPending(permit)).toBe(true);
    await passTime(300);
    expect(await permit).toEqual({ allowed: true });
    const verdict = made.afterTool('later');
    await passTime(1_000);
    expect(await verdict).toEqual({ withheld: false });
  });

  it.each(['beforeStart', 'beforeTurn', 'onTimeout'] as const)(
    'closing its session ends its wait for `%s`: `actor_ended`',
    async (point) => {
      const policies = [{ [point]: () => new Promise<undefined>(() => undefined) }];
      const session = manager({ graceMs: 0 }).session('chat', { policies, limits: { timeoutMs: 100 } });
      if (point === 'onTimeout') {
        await session.beforeTurn();
        await passTime(100);
      }
      const turn = session.beforeTurn().catch((error: SubAgentError) => error.code);
      await flush();
      expect(await isPending(turn)).toBe(true);
      await session.close();
      expect(await turn).toBe('actor_ended');
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it('closing its session ends its waits for `beforeTool` and `beforeEnd`, and later calls wait for none', async () => {
    const never = (): Promise<undefined> => new Promise(() => undefined);
    const made = manager({ policies: { main: [{ beforeTool: never, beforeEnd: never, beforeTurn: never }] } });
    const session = made.session('chat');
    const [tool, end] = [session.beforeTool('read'), session.beforeEnd('done')];
    await session.close();
    expect(await tool).toMatchObject({ allowed: false });
    expect(await end).toMatchObject({ end: true, output: '' });
    for (const _ of ['while its place is free', 'while another session has it']) {
      await expect(session.beforeTurn()).rejects.toMatchObject({ code: expect.stringMatching('actor_ended|forgotten') });
      expect(await session.beforeTool('read')).toMatchObject({ allowed: false });
      made.session('next');
    }
  });

  it('a policy that answers for a closed session changes nothing: `actor_ended`', async () => {
    const block = (): { action: 'block'; reason: string } => ({ action: 'block', reason: 'no' });
    const session = manager({ policies: { main: [{ beforeStart: block, beforeTurn: block }] } }).session('chat');
    await session.close();
    await expect(session.beforeTurn()).rejects.toMatchObject({ code: 'actor_ended' });
  });

  it('its own tools are its own business: what sub-agents may not have, it may', async () => {
    const made = manager({ tools: ['SubAgent', 'message'] });
    for (const tool of ['SubAgent', 'message', 'anything']) expect(await made.beforeTool(tool)).toEqual({ allowed: true });
    expect(await made.afterTool('message', 'sent')).toEqual({ withheld: false });
  });

  it('two turns at once, wrong options and a disposed manager are errors', async () => {
    const made = manager({ policies: { main: [{ beforeTurn: () => new Promise<undefined>(() => undefined) }] } });
    const pending = made.beforeTurn();
    await expect(made.beforeTurn()).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(made.session('a').beforeTurn({ prompt: 5 as never })).rejects.toMatchObject({ code: 'invalid_argument' });
    for (const report of [null, { message: 5 }, { todos: 5 }])
      expect(refusal(() => made.report(report as never)).code).toBe('invalid_argument');
    made.dispose();
    await expect(pending).rejects.toMatchObject({ code: 'disposed' });
    await expect(made.beforeTurn()).rejects.toMatchObject({ code: 'disposed' });
    await expect(made.beforeTool('x')).rejects.toMatchObject({ code: 'disposed' });
    await expect(made.beforeEnd('x')).rejects.toMatchObject({ code: 'disposed' });
    expect(made.report({ message: 'late' })).toBeUndefined();
  });
});
