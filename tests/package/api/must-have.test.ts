// Commands that an agent must have run, by the API of the built package (R10).

import { expect, test } from 'vitest';
import { type HostResult, type MustHave, type Receipt, type Run, SubAgentManager } from '../../../dist/index.js';
import { memoryStore } from '../../../dist/stores/memory.js';

const edit: Receipt = { path: 'a.ts', kind: 'update' };
const tests = (exitCode: number | null, command = 'npm test'): Receipt => ({ command, exitCode });
const mustHave = [{ command: /npm test/ }];

function managed(...receipts: Receipt[]): SubAgentManager {
  return new SubAgentManager({ spawnSubAgent: async () => ({ output: 'All tests pass.', receipts }) });
}

test.each([
  ['run after the last change', [edit, tests(0)]],
  ['run with nothing changed', [tests(0)]],
  ['run again with success', [edit, tests(1), tests(0)]],
  ['run with a line end behind it', [edit, tests(0, ' npm test\n')]],
])('R10: a command that was %s is enough', async (_, receipts) => {
  using manager = managed(...receipts);
  expect(await manager.spawn({ instructions: 'x', mustHave }).wait()).toMatchObject({ status: 'completed', output: 'All tests pass.' });
});

test.each<[string, Receipt[], string]>([
  ['not run', [edit], 'and it was not run as a command of its own'],
  ['run before the last change alone', [tests(0), edit], 'and it was not run after a.ts was changed'],
  ['run and failed', [edit, tests(0), tests(1)], 'and it ended with 1'],
  ['run by an agent that says no codes', [edit, tests(null)], "and this agent doesn't say what a command ended with"],
  ['run as a part of another', [edit, tests(0, 'npm test || true')], 'and it was not run as a command of its own'],
])('R10: one that was %s is an invalid result', async (_, receipts, why) => {
  using manager = managed(...receipts);
  const result = await manager.spawn({ instructions: 'x', mustHave }).wait();
  expect(result).toMatchObject({ status: 'failed', stopReason: 'invalid_result', output: 'All tests pass.', receipts });
  expect(result.error).toBe(`/npm test/ must end with exit code 0 after the last change of a file, ${why}`);
});

test('R9, R10: of a long command it is seen that it was cut', async () => {
  using manager = managed(tests(0, `npm test ${'a'.repeat(1_000)} || true`));
  const result = await manager.spawn({ instructions: 'x', mustHave: [{ command: /npm test [\w ]+/ }] }).wait();
  expect(result).toMatchObject({ stopReason: 'invalid_result', receipts: [{ command: expect.stringMatching(/^.{999}…$/) }] });
});

test('R10, X5: a retry gets the reason, and may put it right', async () => {
  const errors: (string | undefined)[] = [];
  using manager = new SubAgentManager({
    spawnSubAgent: async (_, run: Run): Promise<HostResult> => {
      errors.push(run.previousError?.error ?? undefined);
      return { output: 'done', receipts: run.previousError === undefined ? [edit] : [edit, tests(3, 'make check')] };
    },
    agents: { coder: { description: 'codes', mustHave: [{ command: 'make check', exitCode: 3 }], retry: { max: 1, backoffMs: 1 } } },
  });
  expect(await manager.spawn({ instructions: 'x', agent: 'coder' }).wait()).toMatchObject({ status: 'completed', run: 2 });
  expect(errors).toEqual([
    undefined,
    '/make check/ must end with exit code 3 after the last change of a file, and it was not run as a command of its own',
  ]);
});

test('R10: it holds beside a schema, and after a restart', async () => {
  const store = memoryStore();
  const never = new Promise<HostResult>(() => undefined);
  const first = await SubAgentManager.open({ store, spawnSubAgent: () => never });
  const { taskId } = first.spawn({ instructions: 'x', mustHave: [{ command: /npm (run )?test/i, exitCode: 0 }] });
  expect(first.get(taskId).mustHave).toEqual([{ command: 'npm (run )?test', flags: 'i', exitCode: 0 }]);
  await first[Symbol.asyncDispose]();
  const second = await SubAgentManager.open({ store, onHostLost: 'requeue', spawnSubAgent: async () => ({ output: 'done' }) });
  const { completed } = await second.wait([taskId]);
  expect(completed[0]).toMatchObject({ status: 'failed', stopReason: 'invalid_result' });
  await second[Symbol.asyncDispose]();
  using manager = managed(tests(0));
  const schema = { type: 'object' } as const;
  expect((await manager.spawn({ instructions: 'x', mustHave, schema }).wait()).error).toContain('asks for one');
});

test.each<[unknown, string]>([
  ['npm test', '`mustHave` must be a list such as'],
  [[], '`mustHave` must be a list such as'],
  [[{ command: '' }], '`mustHave[0].command` must be a text or a pattern'],
  [[{ command: 'x', exitCode: 0.5 }], '`mustHave[0].exitCode` must be a whole number'],
  [[{ command: 'x', code: 0 }], 'has no `code`'],
])('R10: %j is refused', (wrong, message) => {
  using manager = managed();
  expect(() => manager.spawn({ instructions: 'x', mustHave: wrong as MustHave[] })).toThrow(message);
});
