// biome-ignore-all lint/suspicious/noThenProperty: thenables are among what hosts return

// What a monkey's functions do when the manager calls them: hosts, policies, gates, listeners. Most behave now and
// then, none always. Owns the misbehaviour.

import type { Policy, PolicyContext, PolicyPoint, Run } from '../../dist/index.js';
import {
  completionCheck,
  delegationGuard,
  safetyLimits,
  searchBudget,
  timeoutReport,
  workloadDistributor,
} from '../../dist/policies/index.js';
import { MonkeyError, type World } from './monkey-world.js';
import { METHODS } from './policies.js';

const never = new Promise<never>(() => undefined);

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** Something to throw. */
export function thrown(world: World): unknown {
  const kind = world.dice.below(8);
  if (kind < 4) return new MonkeyError('a monkey threw this');
  return [undefined, 'monkey', { code: 1 }, revoked()][kind - 4];
}

/** What a host function gives back, right or wrong. */
export function resultOf(world: World): unknown {
  const { dice } = world;
  if (dice.chance(0.12)) {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    return dice.pick<unknown>([
      undefined,
      null,
      5,
      'text',
      {},
      { output: 5 },
      revoked(),
      { output: 'x', artifacts: [circular] },
      {
        get output() {
          throw new MonkeyError('a monkey threw this');
        },
      },
    ]);
  }
  const amount = (): unknown => dice.pick<unknown>([0, 1, 10, 500, 4_000, 1.5, -1, Number.NaN, 'x', Number.POSITIVE_INFINITY]);
  return {
    output: dice.pick(['', 'done', 'a much longer output, '.repeat(dice.below(20)), 'half a pair \ud800', '🐒'.repeat(30)]),
    ...dice.some<Record<string, unknown>>(0.3, {
      status: () => dice.pick<unknown>(['completed', 'failed', 'error', 'cancelled', 'timed_out', 'partial', 5]),
      error: () => dice.pick<unknown>(['it went wrong', 7]),
      taskId: () => hostId(world),
      receipts: () => dice.pick<unknown>([[{ command: 'npm test', exitCode: 1 }], [{ file: 'a', change: 'edited' }], [], 'x']),
      artifacts: () => dice.pick<unknown>([[{ file: 'a' }], [], 'x', [{ odd: undefined }]]),
    }),
    ...(dice.chance(0.7) && {
      usage: dice.some<Record<string, unknown>>(0.7, {
        tokens: () => (dice.chance(0.7) ? dice.below(800) : amount()),
        cost: () => (dice.chance(0.7) ? dice.below(100) / 1_000 : amount()),
        turns: () => (dice.chance(0.7) ? dice.below(4) : amount()),
        durationMs: () => amount(),
      }),
    }),
  };
}

function hostId(world: World): string {
  const id = `job${world.dice.below(6)}`;
  world.hostIds.push(id);
  return id;
}

/** A promise of `make()` some time from now, or never until the world is cleaned up. */
export function later(world: World, make: () => unknown): Promise<unknown> {
  const { dice } = world;
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      try {
        resolve(make());
      } catch (error) {
        reject(error);
      }
    };
    if (dice.chance(0.3)) world.strays.push(settle);
    else setTimeout(settle, dice.pick([0, 1, 5, 20, 100, 400, 1_500]));
  });
}

/** Waits for a time, or for nothing to happen any more. */
function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A host function. */
export function host(world: World, run: Run): unknown {
  const { dice } = world;
  world.runs.push(run);
  if (!world.wild) return { output: 'tame' };
  const kind = dice.weighed({
    atOnce: 5,
    busy: 9,
    deaf: 2,
    obedient: 3,
    throwing: 1,
    rejecting: 1,
    later: 3,
    thenable: 1,
    twice: 1,
    reenter: 2,
  });
  world.count(`host: ${kind}`);
  if (dice.chance(0.25)) listenToAbort(world, run);
  if (dice.chance(0.15)) world.act();
  switch (kind) {
    case 'atOnce':
      return resultOf(world);
    case 'busy':
      return busy(world, run);
    case 'deaf':
      return new Promise((resolve) => world.strays.push(() => resolve(resultOf(world))));
    case 'obedient':
      return new Promise((resolve, reject) => {
        const stop = (): void => (dice.chance(0.5) ? reject(run.signal.reason) : resolve(resultOf(world)));
        if (run.signal.aborted) stop();
        else run.signal.addEventListener('abort', stop);
        world.strays.push(() => resolve(resultOf(world)));
      });
    case 'throwing':
      throw thrown(world);
    case 'rejecting':
      return Promise.reject(thrown(world));
    case 'later':
      return later(world, () => {
        if (dice.chance(0.2)) throw thrown(world);
        return resultOf(world);
      });
    case 'thenable':
      return {
        then(resolve: (value: unknown) => void, reject: (error: unknown) => void) {
          if (dice.chance(0.2)) throw thrown(world);
          resolve(resultOf(world));
          resolve(resultOf(world));
          reject(thrown(world));
        },
      };
    case 'twice': {
      const promise = Promise.resolve();
      // A promise whose `then` calls back twice, and at once.
      return Object.assign(promise, {
        then(resolve: (value: unknown) => unknown) {
          resolve(resultOf(world));
          resolve(resultOf(world));
          return promise;
        },
      });
    }
    case 'reenter':
      for (let times = dice.int(1, 3); times > 0; times -= 1) world.act(dice.chance(0.6) ? run : undefined);
      return dice.chance(0.5) ? resultOf(world) : later(world, () => resultOf(world));
  }
}

function listenToAbort(world: World, run: Run): void {
  run.signal.addEventListener('abort', () => {
    world.count('abort listener');
    if (world.dice.chance(0.5)) world.act(world.dice.chance(0.5) ? run : undefined);
  });
}

/** A host that takes turns, uses tools, asks, delegates. */
async function busy(world: World, run: Run): Promise<unknown> {
  const { dice } = world;
  for (let steps = dice.below(7); steps > 0; steps -= 1) {
    switch (dice.weighed({ turn: 8, report: 4, tool: 3, ask: 1, delegate: 4, act: 4, sleep: 4, rate: 0.4, look: 2 })) {
      case 'turn': {
        const permit = await world.track('run.beforeTurn', () =>
          run.beforeTurn(
            dice.chance(0.2)
              ? { tokens: dice.int(1, 900), costUsd: dice.pick([undefined, 0, 0.001]), whole: dice.pick([undefined, false, true]) }
              : undefined,
          ),
        );
        if (permit !== undefined) world.count(permit.go ? (permit.wrapUp ? 'turn: the last' : 'turn') : 'turn: refused');
        if (permit?.go !== true && dice.chance(0.8)) return resultOf(world);
        break;
      }
      case 'report':
        world.attempt('run.report', () =>
          run.report({
            ...(dice.chance(0.8) && { tokens: dice.below(600) }),
            ...(dice.chance(0.4) && { message: 'half way' }),
            ...(dice.chance(0.2) && { todos: [{ content: 'more', status: dice.pick(['pending', 'completed']) }] }),
          }),
        );
        break;
      case 'tool': {
        const permit = await world.track('run.beforeTool', () =>
          run.beforeTool(dice.pick(['read', 'web_search', 'spawn', '']), { path: 'x' }),
        );
        if (permit?.allowed === true) await world.track('run.afterTool', () => run.afterTool('read', 'text'));
        break;
      }
      case 'ask': {
        const answer = await world.track('run.ask', () =>
          run.ask('Which one?', dice.chance(0.3) ? { timeoutMs: dice.int(1, 300) } : undefined),
        );
        if (answer !== undefined) world.count(answer.answered ? 'question answered' : `question: ${answer.reason}`);
        break;
      }
      case 'delegate': {
        const child = world.attempt('run.spawn', () =>
          run.spawn({ instructions: 'a part', ...(dice.chance(0.3) && { background: true }) }),
        );
        if (child === undefined) break;
        world.handles.push(child);
        if (dice.chance(0.8))
          await world.track(
            'child.wait',
            () => child.wait(),
            (result) => world.sawResult(result),
          );
        break;
      }
      case 'act':
        world.act(dice.chance(0.7) ? run : undefined);
        break;
      case 'sleep':
        await sleep(dice.pick([0, 1, 10, 60, 300]));
        break;
      case 'rate':
        world.attempt('run.reportRateLimit', () => run.reportRateLimit({ retryAfterMs: dice.pick([0, 5, 100]) }));
        break;
      case 'look':
        world.attempt('run.…', () => {
          void [run.taskId, run.run, run.depth, run.label, run.prompt, run.limits, run.tools, run.systemPrompt, run.contextHint];
          run.session.set('seen', run.run);
        });
        await world.track('run.save', () => run.save({ seen: run.run, before: run.saved ?? null }));
        break;
    }
    if (dice.chance(0.04)) throw thrown(world);
    if (run.signal.aborted && dice.chance(0.5)) break;
  }
  if (dice.chance(0.3)) await world.track('run.beforeEnd', () => run.beforeEnd('so far'));
  return resultOf(world);
}

/** A start somewhere else. */
export function elsewhere(world: World): unknown {
  const { dice } = world;
  if (!world.wild) return { taskId: 'tame' };
  if (dice.chance(0.15)) world.act();
  const kind = dice.weighed({ soon: 6, later: 3, early: 1, throwing: 1, rejecting: 1, nonsense: 1, actThenReject: 1 });
  world.count(`elsewhere: ${kind}`);
  const started = (): unknown => ({ taskId: hostId(world) });
  switch (kind) {
    case 'soon':
      return Promise.resolve(started());
    case 'later':
      return later(world, started);
    case 'early': {
      const id = `early${world.hostIds.length}`;
      world.hostIds.push(id);
      world.attempt('reportSettled from within the start', () => world.manager.reportSettled(id, resultOf(world) as never));
      return Promise.resolve({ taskId: id });
    }
    case 'throwing':
      throw thrown(world);
    case 'rejecting':
      return Promise.reject(thrown(world));
    case 'nonsense':
      return dice.pick<unknown>([undefined, {}, 5, Promise.resolve(null), Promise.resolve({ taskId: '' })]);
    case 'actThenReject':
      world.act();
      return Promise.reject(thrown(world));
  }
}

/** A policy's answer at a point: at once, later, wrong, or never. */
function answerAt(world: World, point: PolicyPoint, context: PolicyContext): unknown {
  const { dice } = world;
  if (!world.wild) return undefined;
  world.count(`policy: ${point}`);
  if (point === 'before_spawn') world.policiesAsked += 1;
  if (dice.chance(0.06)) world.act();
  if (dice.chance(0.2)) look(world, context);
  if (dice.chance(0.1)) setTimeout(() => look(world, context), dice.below(500));
  const say = (): unknown => {
    const kind = dice.weighed({ nothing: 30, inject: 2, block: 1.5, finish: 1.5, force: 1, nonsense: 0.7, throwing: 0.7 });
    switch (kind) {
      case 'nothing':
        return dice.pick<unknown>([undefined, null, { action: 'continue' }]);
      case 'inject':
        return { action: 'inject', text: 'mind this' };
      case 'block':
        return { action: 'block', reason: 'a policy says no', ...(dice.chance(0.3) && { stopReason: 'max_turns' }) };
      case 'finish':
        return { action: 'finish', report: 'a policy reports' };
      case 'force':
        return { action: 'force_turn', text: 'once more' };
      case 'nonsense':
        return dice.pick<unknown>([5, { action: 'dance' }, { action: 'block' }, { action: 'block', reason: 'x', stopReason: 'whim' }]);
      case 'throwing':
        throw thrown(world);
    }
  };
  const soon = point === 'before_spawn' ? 0.03 : 0.35;
  return dice.chance(soon) ? later(world, say) : say();
}

/** What a policy asks of its agent, while it is asked and later. */
function look(world: World, context: PolicyContext): void {
  if (!world.wild) return;
  world.attempt('context', () => {
    const { turns, contextTokens, todos, openTodos, recentMessages, prompt } = context;
    if (typeof prompt !== 'string' || !(turns >= 0) || openTodos > todos.length) world.fault(`a policy is told ${turns} ${openTodos}`);
    if (contextTokens !== undefined && !(contextTokens >= 0)) world.fault(`a policy is told of ${contextTokens} tokens`);
    JSON.stringify([recentMessages, context.report('running', 'looked at')]);
  });
  const counted = world.attempt('context.count', () =>
    context.count(world.dice.pick([0, 1, 3]), { openTodosOnly: world.dice.chance(0.3) }),
  );
  if (counted !== undefined) world.count(`counted: ${counted}`);
}

/** The policies that come with the package. */
function builtIn(world: World): Policy {
  const { dice } = world;
  world.count('built-in policy');
  const policy = dice.pick([
    () => safetyLimits({ maxTurns: dice.int(1, 3), maxContextTokens: 500, blockedTools: ['web_search'] }),
    () => searchBudget({ limit: dice.int(0, 2), tools: ['read'] }),
    () => completionCheck({ maxForcedTurns: dice.int(1, 3) }),
    () => timeoutReport(),
    () => delegationGuard(),
    () => workloadDistributor({ minWords: 2 }),
  ])();
  if (policy.beforeSpawn === undefined) return policy;
  return {
    ...policy,
    beforeSpawn(context) {
      world.policiesAsked += 1;
      return policy.beforeSpawn?.(context);
    },
  };
}

export function policies(world: World): Policy[] {
  const { dice } = world;
  return Array.from({ length: dice.int(1, 2) }, (_, number) => {
    if (dice.chance(0.25)) return builtIn(world);
    const policy: Record<string, unknown> = { name: dice.pick(['p', 'q', `p${number}`]) };
    for (const point of Object.keys(METHODS) as PolicyPoint[])
      if (dice.chance(0.4)) policy[METHODS[point]] = (context: PolicyContext) => answerAt(world, point, context);
    // One that does nothing is refused.
    if (dice.chance(0.2) || Object.keys(policy).length === 1) policy.blockedTools = ['web_search'];
    return policy as Policy;
  });
}

/** The consumer's gate. */
export function gate(world: World): unknown {
  const { dice } = world;
  if (!world.wild) return { allowed: true };
  world.count('gate');
  if (dice.chance(0.08)) world.act();
  if (dice.chance(0.85)) return { allowed: true };
  switch (dice.below(6)) {
    case 0:
      throw thrown(world);
    case 1:
      return Promise.reject(thrown(world));
    case 2:
      return never;
    case 3:
      return { allowed: 'yes' };
    case 4:
      return { allowed: false };
    default:
      return { allowed: false, reason: 'the host says no' };
  }
}

/** Somebody who is notified, and may do anything. */
export function told(world: World, kind: string, often: number): unknown {
  const { dice } = world;
  if (!world.wild) return undefined;
  if (dice.chance(often)) {
    world.count(`${kind} acts`);
    world.act();
  }
  if (dice.chance(0.01)) throw new MonkeyError('a monkey threw this');
  return dice.chance(0.01) ? Promise.reject(new MonkeyError('a monkey threw this')) : undefined;
}

/** Somebody who is asked something, and may do anything before the answer. */
export function asked<T>(world: World, kind: string, often: number, answer: T): T {
  const { dice } = world;
  if (!world.wild) return answer;
  if (dice.chance(often)) {
    world.count(`${kind} acts`);
    world.act();
  }
  if (dice.chance(0.01)) throw thrown(world);
  return answer;
}
