// Every method of the bare class takes any numbers: it answers or refuses, and the module never traps.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { open } from '../../../pkg/host.js';
import { instantiate } from '../../../pkg/subagents.js';
import { Dice } from '../../support/dice.mjs';
import { isShare } from '../../support/share.js';

/** These end the object, or read bytes that the fuzzers draw. */
const LEFT_OUT = ['constructor', 'free', 'dispose', 'drain', 'restore', 'restoreSnapshot', '__destroy_into_raw'];
const INDICES = [0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 7, 100, 2 ** 32 - 1];
const NUMBERS = [...INDICES, -1, Number.NaN, Infinity, -Infinity, 1.5, 2 ** 31, 2 ** 32, 2 ** 53, 1e300, undefined];

/** Arguments that are no numbers, by the method and their place. */
const OTHERS: Record<string, (dice: Dice) => unknown[]> = {
  scratch: (dice) => [dice.pick([0, 1, 100, 5_000])],
  getMany: (dice) => [Array.from({ length: dice.below(5) }, () => dice.pick(INDICES)), dice.pick(NUMBERS)],
  lastRuns: (dice) => [Array.from({ length: dice.below(5) }, () => dice.pick(INDICES))],
  configure: (dice) => [
    0,
    dice.pick([{}, { limits: [['maxDepth', dice.pick(NUMBERS)]], budget: { tokens: dice.pick(NUMBERS) } }, null, 'x']),
  ],
  estimate: (dice) => [dice.pick([[], [{ instructions: 'x', turns: dice.pick(NUMBERS) }], {}, undefined])],
  list: (dice) => [dice.pick(INDICES), { statuses: ['running'], offset: dice.pick(NUMBERS), limit: dice.pick(NUMBERS) }, 0],
  stage: (dice) => [dice.pick([{}, { label: 'x', tools: ['a'], maxTurns: dice.pick(NUMBERS) }, undefined, 7])],
  reopen: (dice) => [dice.pick(NUMBERS), dice.pick(NUMBERS), ['a'], [], {}],
  checkConsumerSpawn: () => [{}],
  createSubAgentTool: () => [],
};

test('any numbers, in any order, on lives of any kind', async () => {
  const module = await WebAssembly.compile(readFileSync(new URL('../../../pkg/subagents.wasm', import.meta.url)));
  const called = new Set<string>();
  for (let seed = 0; seed < (isShare ? 100 : 1_000); seed += 1) {
    const dice = new Dice(seed);
    const runtime = open(instantiate(module), {
      ...{ maxConcurrent: 2, maxDepth: 3, budget: { tokens: 10_000 } },
      spawnSubAgent: () => new Promise(() => undefined),
    });
    const core = runtime.core as unknown as Record<string, (...args: unknown[]) => unknown>;
    const tool = runtime.core.createSubAgentTool();
    for (let call = 0; call < 3; call += 1) tool.execute({ instructions: `${call}` }).catch(() => undefined);
    await Promise.resolve();
    const names = Object.getOwnPropertyNames(Object.getPrototypeOf(core)).filter((name) => !LEFT_OUT.includes(name));
    for (let step = 0; step < 120; step += 1) {
      const name = dice.pick(names);
      const args = OTHERS[name]?.(dice) ?? Array.from({ length: core[name]?.length ?? 0 }, () => dice.pick(NUMBERS));
      called.add(name);
      expect(() => core[name]?.(...args), `seed ${seed}, step ${step}: ${name}(${JSON.stringify(args)})`).not.toThrow();
    }
    runtime.dispose();
  }
  expect(called.size).toBeGreaterThan(95);
});
