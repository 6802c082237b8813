// A core that fails, at any place inside it: the published module with a fuse (`runtimes/trap-build.mjs`).
// Whatever was under way comes to an end with code `internal`; nobody else notices.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSubAgentTool, SubAgentManager as Plain, SubAgentError, type SubAgentManager } from '../../../dist/index.js';
import { trapping } from '../../runtimes/conformance/traps.js';
import { withFuse } from '../../runtimes/trap-build.mjs';
import { amount } from '../../support/share.js';

type Make = ReturnType<typeof trapping>;
let make: Make;
beforeAll(async () => {
  const bytes = readFileSync(new URL('../../../pkg/subagents.wasm', import.meta.url));
  make = trapping({ trapModule: await WebAssembly.compile(withFuse(bytes)) });
});

const FAR = 1_000_000_000;

/** What became of everything that was asked: `ok`, or the code of what was thrown. */
type Outcomes = Record<string, string>;

/** A bit of everything; whatever fails, the rest is asked all the same. */
async function day(manager: SubAgentManager, outcomes: Outcomes): Promise<void> {
  const note = (name: string, body: () => unknown): Promise<unknown> =>
    (async () => body())().then(
      (value) => {
        outcomes[name] = 'ok';
        return value;
      },
      (error: unknown) => {
        outcomes[name] = error instanceof SubAgentError ? error.code : `a stranger: ${String(error)}`;
        return undefined;
      },
    );
  await note('subscribe', () => manager.subscribe(() => undefined));
  const parent = await note('spawn', () => manager.spawn({ instructions: 'parent', label: 'p', tools: ['read'] }));
  const waits = [
    note('wait', () => (parent as { wait(): unknown } | undefined)?.wait()),
    note('wait for several', () => (parent === undefined ? undefined : manager.wait([parent as never], { timeoutMs: 60_000 }))),
    note('tool', () => manager.createSubAgentTool().execute({ instructions: 'by the tool' })),
  ];
  await note('session', () =>
    manager
      .session('agent')
      .spawn({ instructions: 'of a session', budget: { tokens: 100 } })
      .wait(),
  );
  await note('look', () => [manager.list(), manager.stats(), manager.getConcurrencyInfo(), manager.canSpawn()]);
  await note('background', () => manager.spawn({ instructions: 'in the background', background: true }));
  await note('send', () => (parent as { send(text: string): unknown } | undefined)?.send('once more'));
  await note('question', () =>
    manager
      .spawn({ instructions: 'asks' })
      .wait()
      // As it should be: whoever waits gets the question.
      .catch((error: SubAgentError) => (error.code === 'needs_input' ? undefined : Promise.reject(error))),
  );
  await note('inbox', () => {
    for (const { deliveryId } of manager.inbox.lease()) manager.inbox.ack(deliveryId);
  });
  const slow = await note('spawn slow', () => manager.spawn({ instructions: 'slow' }));
  await note('cancel', () => (slow as { cancel(): unknown } | undefined)?.cancel());
  await note('driven', async () => {
    const task = manager.spawn({ drive: 'program', instructions: 'by hand' });
    await task.start();
    task.complete({ output: 'done', usage: { tokens: 7 } });
  });
  await Promise.all(waits);
  await note('drain', () => manager.drain({ timeoutMs: 1_000 }));
  // Whether the process may sleep is looked at once the drain is over: where that fails, this is notified.
  await note('look at the end', () => manager.stats());
}

function busy(): { manager: SubAgentManager; fuse: { value: number } } {
  return make({
    maxConcurrent: 2,
    maxDepth: 2,
    graceMs: 0,
    abandonMs: 1,
    onError: () => undefined,
    onWake: () => undefined,
    spawnSubAgent: async ({ instructions }, run) => {
      if (instructions === 'slow') await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
      if (instructions === 'asks') await run.ask('which one?', { timeoutMs: 5 });
      if (instructions === 'parent') {
        await run.beforeTurn();
        run.report({ tokens: 10, message: 'begun' });
        run.session.set('kept', true);
        await run.spawn({ instructions: 'child', budget: { tokens: 100 } }).wait();
        await run.beforeTurn();
      }
      return { output: `${instructions} is done`, usage: { tokens: 10, turns: 1, cost: 0 } };
    },
  });
}

/** The scenario must end; a promise that nobody settles is the failure that is looked for here. */
async function ends(body: Promise<void>, outcomes: Outcomes): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`hangs after ${JSON.stringify(outcomes)}`)), 60_000);
  });
  await Promise.race([body, late]).finally(() => clearTimeout(timer));
}

/** Collects what can be, and calls its listeners. */
async function collect(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  for (let turn = 0; turn < 10; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    gc();
  }
}

describe('a core that fails', () => {
  test('without a failure the day is as usual', async () => {
    const { manager } = busy();
    const outcomes: Outcomes = {};
    await ends(day(manager, outcomes), outcomes);
    expect(new Set(Object.values(outcomes))).toEqual(new Set(['ok']));
    manager.dispose();
  });

  test('at any place: all that was asked ends, with `internal` where it failed, and nobody else notices', {
    timeout: 600_000,
  }, async () => {
    const bystander = new Plain({ spawnSubAgent: async () => ({ output: 'goes on' }) });
    const counted = busy();
    counted.fuse.value = FAR;
    await day(counted.manager, {});
    const calls = FAR - counted.fuse.value;
    expect(calls).toBeGreaterThan(1_000);
    for (let at = 1; at <= calls; at += amount(1, 25)) {
      const { manager, fuse } = busy();
      const outcomes: Outcomes = {};
      fuse.value = at;
      await ends(day(manager, outcomes), outcomes);
      const place = `a failure at call ${at} of ${calls}`;
      // How many calls there are depends a little on the moment; nearly always it failed.
      if (fuse.value > 0) continue;
      expect(
        Object.values(outcomes).filter((code) => code !== 'ok' && code !== 'internal'),
        place,
      ).toEqual([]);
      expect(Object.values(outcomes), place).toContain('internal');
      expect(() => manager.stats(), place).toThrow(expect.objectContaining({ code: 'internal' }));
      manager.dispose();
      expect((await bystander.spawn({ instructions: 'x' }).wait()).output, place).toBe('goes on');
    }
    bystander.dispose();
  });

  test('in a timer or a signal, where nobody asked: whoever waits is notified', async () => {
    for (const start of ['timer', 'signal of a spawn', 'signal of a wait']) {
      const { manager, fuse } = make({ timeoutMs: 10, graceMs: 5, spawnSubAgent: () => new Promise(() => undefined) });
      const [ofSpawn, ofWait] = [new AbortController(), new AbortController()];
      const handle = manager.spawn({ instructions: 'x', signal: ofSpawn.signal });
      const first = handle.wait();
      const second = handle.wait({ signal: ofWait.signal });
      second.catch(() => undefined);
      fuse.value = 1;
      if (start === 'signal of a spawn') ofSpawn.abort();
      if (start === 'signal of a wait') ofWait.abort();
      await expect(first, start).rejects.toMatchObject({ code: 'internal' });
      expect(() => manager.stats(), start).toThrow(expect.objectContaining({ code: 'internal' }));
    }
  });

  test('R6 all tools that stand alone in its instance end their calls, and begin the next ones in another', async () => {
    const bytes = readFileSync(new URL('../../../pkg/subagents.wasm', import.meta.url));
    const trapModule = await WebAssembly.compile(withFuse(bytes));
    // With it the module itself is compiled.
    const bystander = new Plain({ spawnSubAgent: async () => ({ output: 'goes on' }) });
    const { Instance } = WebAssembly;
    let fuse: { value: number } | undefined;
    WebAssembly.Instance = class extends Instance {
      constructor(_: WebAssembly.Module, imports?: WebAssembly.Imports) {
        super(trapModule, imports);
        fuse = this.exports.trapIn as unknown as typeof fuse;
      }
    } as typeof Instance;
    const signals: AbortSignal[] = [];
    const tools = [1, 2, 3].map((which) =>
      createSubAgentTool({
        spawnSubAgent: ({ instructions }, run) => {
          signals.push(run.signal);
          return instructions === 'hangs' ? new Promise(() => undefined) : { output: `output of ${which}` };
        },
      }),
    );
    WebAssembly.Instance = Instance;
    const codes = tools.slice(1).map((tool) => tool.execute({ instructions: 'hangs' }).catch((error: SubAgentError) => error.code));
    await new Promise((resolve) => setTimeout(resolve, 0));
    const failing = fuse as { value: number } | undefined;
    if (failing === undefined) throw new Error('the test build has no fuse');
    failing.value = 1;
    await expect(tools[0]?.execute({ instructions: 'fails' })).rejects.toMatchObject({ code: 'internal' });
    expect(await Promise.all(codes)).toEqual(['internal', 'internal']);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    // From here on each call of the failed instance would fail.
    failing.value = 1;
    for (const [at, tool] of tools.entries()) expect(await tool.execute({ instructions: 'x' })).toContain(`output of ${at + 1}`);
    expect((await bystander.spawn({ instructions: 'x' }).wait()).output).toBe('goes on');
    bystander.dispose();
    await collect();
    expect(failing.value).toBe(1);
  });

  test('what has failed is collected, and frees nothing', async () => {
    const kept: WeakRef<object>[] = [];
    for (let round = 0; round < 50; round += 1) {
      const { manager, fuse } = busy();
      fuse.value = 3;
      expect(() => manager.spawn({ instructions: 'x' })).toThrow(expect.objectContaining({ code: 'internal' }));
      kept.push(new WeakRef(manager));
    }
    await collect();
    // An error in a finalizer would be an uncaught one, and fail this file.
    expect(kept.filter((ref) => ref.deref() !== undefined).length).toBeLessThan(5);
  });
});
