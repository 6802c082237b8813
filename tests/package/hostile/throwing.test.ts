// biome-ignore-all lint/suspicious/noThenProperty: thenables are among what is tested

// No function of a program's ends the manager by throwing, wherever it was handed in, and nothing of the manager's own is in
// the program's hands where it could be misused: what isn't public is not reachable.

import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { type Run, SubAgentManager, type SubAgentManagerOptions, type SubAgentTool } from '../../../dist/index.js';
import { memoryStore } from '../../../dist/stores/memory.js';
import { done } from '../../support/hosts.js';

const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);
process.on('unhandledRejection', note);
process.on('uncaughtException', note);

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));

const opened: SubAgentManager[] = [];
afterEach(async () => {
  for (const manager of opened.splice(0)) manager.dispose();
  await later();
  expect(unhandled.splice(0)).toEqual([]);
});

function keep<M extends SubAgentManager>(manager: M): M {
  opened.push(manager);
  return manager;
}

/** A proxy each of whose traps throws. */
function thorny(): object {
  const trap = (): never => {
    throw new Error('thorn');
  };
  const traps = ['get', 'has', 'ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor', 'set', 'defineProperty'];
  return new Proxy({}, Object.fromEntries(traps.map((name) => [name, trap])));
}

const thornyError = (): Error =>
  Object.defineProperties(new Error('x'), {
    message: { get: () => thorny() },
    stack: { get: () => Object.assign(Object, thorny()) },
    name: { value: { toString: () => thorny() } },
  });

/** What a function of a program's may do instead of its work. */
const DEEDS: Record<string, () => unknown> = {
  'throws an error': () => {
    throw new Error('mine');
  },
  'throws a proxy whose traps throw': () => {
    throw thorny();
  },
  'throws an error whose getters throw': () => {
    throw thornyError();
  },
  'gives a proxy whose traps throw': thorny,
  'gives a promise that rejects': () => Promise.reject(new Error('mine')),
  'gives a thenable that throws': () => ({
    then: () => {
      throw new Error('mine');
    },
  }),
  'gives what throws when its `then` is read': () => ({
    get then() {
      throw new Error('mine');
    },
  }),
  'gives what throws as JSON and as a primitive': () => ({
    toJSON: () => {
      throw new Error('mine');
    },
    valueOf: () => {
      throw new Error('mine');
    },
    toString: () => {
      throw new Error('mine');
    },
  }),
};

type Deed = () => unknown;
type Way = (deed: never) => SubAgentManagerOptions;

/** What the sub-agent of each way does: it reads and asks all that calls back. */
const busy = async (_: unknown, run: Run): Promise<never> => {
  const tries = [
    () => run.modelId,
    () => run.systemPrompt,
    () => run.countTokens('text'),
    () => run.beforeTurn(),
    () => run.beforeTool('read', { path: 'x' }),
    () => run.afterTool('read', 'y'),
    () => run.report({ message: 'busy', contextTokens: 5 }),
    () => run.beforeEnd('o'),
    () => run.checkpoint({ at: 1 }),
    () => run.spawn({ instructions: 'below' }).wait(),
  ];
  if (run.depth === 1)
    for (const body of tries)
      await Promise.resolve()
        .then(body)
        .catch(() => undefined);
  return { output: 'o', value: 5, artifacts: [] } as never;
};

const WAYS: Record<string, Way> = {
  spawnSubAgent: (spawnSubAgent) => ({ spawnSubAgent }),
  spawnBackgroundSubAgent: (spawnBackgroundSubAgent) => ({ spawnBackgroundSubAgent }),
  canSpawn: (canSpawn) => ({ canSpawn }),
  getConcurrencyInfo: (getConcurrencyInfo) => ({ getConcurrencyInfo, canSpawn: () => false }),
  checkConsumerSpawn: (checkConsumerSpawn) => ({ checkConsumerSpawn }),
  getModelId: (getModelId) => ({ getModelId }),
  countTokens: (countTokens) => ({ countTokens }),
  onError: (onError) => ({ onError, countTokens: DEEDS['throws an error'] as never }),
  onWake: (onWake) => ({ onWake }),
  profiles: (minimal) => ({ profiles: { minimal } }),
  ...Object.fromEntries(
    ['beforeSpawn', 'beforeStart', 'beforeTurn', 'beforeTool', 'afterTool', 'beforeEnd', 'onTimeout'].map((point) => [
      `policy ${point}`,
      (deed: Deed): SubAgentManagerOptions => ({ policies: { subAgents: [{ name: 'p', [point]: deed }] } }) as never,
    ]),
  ),
};

/** Has everything called back that a program can hand in, and sees that another session goes on as if nothing were. */
async function lives(manager: SubAgentManager, deed: Deed): Promise<void> {
  const events: string[] = [];
  manager.subscribe(deed as never);
  manager.onRefused(deed as never);
  manager.subscribe(({ type }) => void events.push(type));
  const tries: (() => unknown)[] = [
    () => manager.spawn({ instructions: 'hostile' }).wait({ timeoutMs: 20 }),
    () => manager.spawn({ instructions: 'behind', background: true }).wait({ timeoutMs: 20 }),
    () =>
      manager
        .spawn({ instructions: 'checked', schema: { '~standard': { version: 1, vendor: 'v', validate: deed as never } } })
        .wait({ timeoutMs: 20 }),
    () => manager.spawn({ nothing: 1 } as never),
    () => manager.session('hostile', { onWake: deed, policies: [{ name: 'q', beforeTurn: deed as never }] }).beforeTurn({ prompt: 'x' }),
    () => manager.session('hostile').spawn({ instructions: 'in a session', background: true }).wait({ timeoutMs: 20 }),
    () => toolOf(manager, deed).execute({ instructions: 'by a tool' }, { onUpdate: deed } as never),
    () => toolOf(manager, deed).execute({ instructions: 'by a tool', background: true }),
    () => toolOf(manager, deed).execute({ wrong: 1 } as never),
  ];
  for (const body of tries)
    await Promise.resolve()
      .then(body)
      .catch(() => undefined);
  await later();
  expect(manager.stats().total).toBeGreaterThanOrEqual(0);
  expect(() => manager.spawn({ instructions: '' })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  const session = manager.session('other', { policies: [] });
  const { code, status } = (await Promise.resolve()
    .then(() => session.spawn({ instructions: 'sound' }).wait({ timeoutMs: 1_000 }))
    .catch((error: unknown) => error)) as { code?: string; status?: string };
  // Its own gate may refuse it; the manager stands.
  if (status === undefined) expect(code).toMatch(/^(?!internal|disposed)\w/);
  else expect(['completed', 'failed', 'timed_out']).toContain(status);
  expect(manager.stats().events).toBeGreaterThan(0);
}

function toolOf(manager: SubAgentManager, deed: Deed): SubAgentTool {
  const texts = { started: deed, completed: deed, failed: deed, limitReached: deed, refused: deed } as never;
  return manager.createSubAgentTool({
    onDetails: deed,
    idempotencyKey: deed as never,
    metadata: deed as never,
    origin: deed as never,
    texts,
  });
}

describe.each(Object.entries(WAYS))('a function of a program that is handed in as %s', (_, way) => {
  test.each(Object.entries(DEEDS))('and %s ends no manager', async (_, deed) => {
    const manager = keep(new SubAgentManager({ graceMs: 5, onError: () => undefined, spawnSubAgent: busy, ...way(deed as never) }));
    await lives(manager, deed);
  });
});

describe('a store whose functions misbehave', () => {
  test.each(Object.entries(DEEDS))('%s: the manager ends with an error of the store, or goes on', async (_, deed) => {
    for (const name of ['append', 'compact', 'close'] as const) {
      const errors: unknown[] = [];
      const inner = memoryStore();
      const store = new Proxy(inner, {
        get: (target, key) => (key === name ? deed : Reflect.get(target, key).bind?.(target)),
      });
      const manager = keep(await SubAgentManager.open({ store, spawnSubAgent: () => done(), onError: (error) => void errors.push(error) }));
      const ended = await manager
        .spawn({ instructions: 'x' })
        .wait({ timeoutMs: 1_000 })
        .catch((error: { code: string }) => error);
      if ('code' in ended) expect(ended.code).toBe('store_failed');
      await manager.compact().catch(() => undefined);
      await manager[Symbol.asyncDispose]().catch(({ code }) => expect(code).toBe('store_failed'));
    }
  });
});

test('a signal in the hands of a host function, which that has spoilt, stops no one else', async () => {
  const errors: unknown[] = [];
  const manager = keep(
    new SubAgentManager({
      graceMs: 5,
      onError: (error) => void errors.push(error),
      spawnSubAgent: async ({ instructions }, run) => {
        if (instructions !== 'evil') return done('sound');
        const thorn = (): never => {
          throw new Error('thorn');
        };
        for (const name of ['dispatchEvent', 'onabort', 'aborted', 'reason', 'throwIfAborted', 'addEventListener']) {
          Object.defineProperty(run.signal, name, { get: () => thorn, configurable: true });
        }
        return new Promise<never>(() => undefined);
      },
    }),
  );
  const evil = manager.spawn({ instructions: 'evil' });
  expect((await evil.cancel()).status).toBe('cancelled');
  expect((await manager.session('other').spawn({ instructions: 'x' }).wait()).output).toBe('sound');
  unhandled.splice(0);
});

test('an error that no one can show ends nothing', async () => {
  const manager = keep(new SubAgentManager({ spawnSubAgent: () => done('sound') }));
  manager.subscribe(() => {
    throw new Error('mine');
  });
  const shown = Object.getOwnPropertyDescriptor(globalThis, 'console') as PropertyDescriptor;
  Object.defineProperty(globalThis, 'console', {
    configurable: true,
    get: () => {
      throw new Error('no console');
    },
  });
  try {
    expect((await manager.spawn({ instructions: 'x' }).wait()).output).toBe('sound');
  } finally {
    Object.defineProperty(globalThis, 'console', shown);
  }
});

test('A1 what is not public is not reachable on a run, a session, a manager or a handle', async () => {
  const types = ['api/scope', 'api/main-agent', 'api/manager', 'api/session', 'api/run', 'api/handle', 'api/inbox']
    .map((name) => readFileSync(new URL(`../../../dist/${name}.d.ts`, import.meta.url), 'utf8'))
    .join('\n');
  expect(types).not.toMatch(/^\s+protected (?!constructor)/m);
  const isPublic = (name: string): boolean =>
    new RegExp(`^\\s+(?:static |readonly |abstract |get )*${name}[(<:?]`, 'm').test(types) || name === 'constructor';
  const found: unknown[] = [];
  const manager = keep(
    new SubAgentManager({
      spawnSubAgent: async (_, run) => {
        found.push(run);
        return done();
      },
    }),
  );
  const session = manager.session('s');
  const handle = session.spawn({ instructions: 'x' });
  await handle.wait();
  const hidden: string[] = [];
  for (const object of [...found, session, manager, handle, manager.inbox] as object[]) {
    for (let level = object; level !== Object.prototype; level = Object.getPrototypeOf(level) as object) {
      for (const name of Object.getOwnPropertyNames(level)) if (!isPublic(name)) hidden.push(`${object.constructor.name}.${name}`);
    }
  }
  expect(found).toHaveLength(1);
  expect(hidden).toEqual([]);
});
