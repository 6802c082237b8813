// Receipts: what a result says that its agent's tool calls did, by the API of the built package (R9).

import { expect, test } from 'vitest';
import { type HostResult, type Notice, type Receipt, SubAgentManager } from '../../../dist/index.js';
import { memoryStore } from '../../../dist/stores/memory.js';

const RECEIPTS: Receipt[] = [
  { path: 'src/a.ts', kind: 'update' },
  { command: 'npm test', exitCode: 1 },
];

function managed(result: HostResult): SubAgentManager {
  return new SubAgentManager({ spawnSubAgent: async () => result });
}

test('R9: they stand in the result, the snapshot, the notice, the event, and in the text for a model', async () => {
  using manager = managed({ output: 'All tests pass.', receipts: RECEIPTS });
  const events: (string | null)[] = [];
  manager.subscribe((event) => {
    if (event.type === 'run_ended') events.push(event.receipts);
  });
  const task = manager.spawn('x');
  const result = await task.wait();
  expect(result.receipts).toEqual(RECEIPTS);
  expect(task.snapshot()?.receipts).toEqual(RECEIPTS);
  expect(JSON.parse(events[0] ?? '')).toEqual(RECEIPTS);
  const shown =
    /<subagent-receipts id="\S+" nonce="(\S+)">\n\[\{"path":"src\/a\.ts","kind":"update"\},\n\{"command":"npm test","exitCode":1\}\]\n<\/subagent-receipts nonce="\1">/;
  expect(task.resultText()).toMatch(shown);
  const background = manager.spawn({ instructions: 'y', background: true });
  const notice = (await manager.inbox.next()) as Notice;
  expect(notice.receipts).toEqual(RECEIPTS);
  expect(notice.text).toMatch(shown);
  const { read_agent_result: read } = manager.createTools();
  expect(String(await read?.execute({ agent_id: background.taskId }))).toMatch(shown);
});

test('R9: a result without them has none, and its text says nothing of them', async () => {
  using manager = managed({ output: 'done' });
  const task = manager.spawn('x');
  expect((await task.wait()).receipts).toEqual([]);
  expect(task.snapshot()?.receipts).toEqual([]);
  expect(task.resultText()).not.toContain('receipts');
});

test('R9: what is none is dropped and named, and costs no other field', async () => {
  const receipts = [RECEIPTS[0], { path: 'x', kind: 'made' }, { command: 'ls', exitCode: 'no' }, null] as Receipt[];
  using manager = managed({ output: 'done', receipts });
  const { output, error, receipts: kept } = await manager.spawn('x').wait();
  expect({ output, kept }).toEqual({ output: 'done', kept: RECEIPTS.slice(0, 1) });
  expect(error).toContain('a receipt must be { path, kind } or { command, exitCode }');
  using other = managed({ output: 'done', receipts: 'none' as never });
  expect((await other.spawn('x').wait()).error).toBe('the result\'s receipts must be a list, got "none"');
});

test('R9: those that a class of the host makes are read', async () => {
  class Result implements HostResult {
    output = 'done';
    get receipts(): Receipt[] {
      return RECEIPTS;
    }
  }
  using manager = managed(new Result());
  expect((await manager.spawn('x').wait()).receipts).toEqual(RECEIPTS);
});

test('R9: the last 500 are kept, and the result says how many are not', async () => {
  const receipts = Array.from({ length: 600 }, (_, at): Receipt => ({ command: `${at} ${'x'.repeat(2_000)}`, exitCode: 0 }));
  using manager = managed({ output: 'done', receipts: [{ omitted: 7 }, ...receipts] });
  const { receipts: kept } = await manager.spawn('x').wait();
  expect(kept).toHaveLength(501);
  expect(kept[0]).toEqual({ omitted: 107 });
  expect((kept[1] as { command: string }).command).toMatch(/^100 x+…$/);
  expect(kept.every((receipt) => !('command' in receipt) || receipt.command.length === 1_000)).toBe(true);
});

test('R9: they are stored, and released with the result', async () => {
  const store = memoryStore();
  const spawnSubAgent = async (): Promise<HostResult> => ({ output: 'done', receipts: RECEIPTS });
  const first = await SubAgentManager.open({ store, spawnSubAgent });
  const { taskId } = first.spawn('x');
  await first.wait([taskId]);
  await first[Symbol.asyncDispose]();
  const second = await SubAgentManager.open({ store, spawnSubAgent });
  expect(second.get(taskId).receipts).toEqual(RECEIPTS);
  second.forget(taskId, { resultOnly: true });
  expect(second.get(taskId).receipts).toEqual([]);
  await second[Symbol.asyncDispose]();
});
