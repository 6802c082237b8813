// Texts with half of a surrogate pair, wherever they come in (R8).

import { afterEach, describe, expect, test } from 'vitest';
import { createSubAgentTool, type HostResult, type Run, SubAgentManager, type SubAgentManagerOptions } from '../../../dist/index.js';

const LONE = 'x\ud83d y';
const FINE = 'x\ufffd y';
const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

function open(host: (run: Run, params: object) => HostResult | Promise<HostResult>, options: SubAgentManagerOptions = {}): SubAgentManager {
  const manager = new SubAgentManager({ ...options, spawnSubAgent: async (params, run) => host(run, params) });
  opened.push(manager);
  return manager;
}

/** Every text in a value, the names of its fields among them. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [name, ...textsIn(part)]);
}

function expectWellFormed(value: unknown): void {
  const texts = textsIn(value);
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => /[\ud800-\udfff]/u.test(text))).toEqual([]);
}

describe('R8 lone surrogates become U+FFFD on the way in', () => {
  test('R8 in the parameters of a spawn, of a gate and of the host', async () => {
    const seen: unknown[] = [];
    const manager = open(
      (run, params) => {
        seen.push(params, [run.prompt, run.systemPrompt, run.label, run.contextHint, run.tools]);
        return { output: '' };
      },
      {
        checkConsumerSpawn(params) {
          seen.push(params);
          return { allowed: true };
        },
      },
    );
    const metadata = { [LONE]: [LONE, { a: LONE }] };
    const given = { instructions: LONE, systemPrompt: LONE, label: LONE, contextHint: LONE, metadata, tools: ['a', LONE] };
    await manager.spawn({ ...given, tools: ['a'] }).wait();
    await manager.spawn({ instructions: LONE }).wait();
    await manager.spawn({ instructions: LONE }).wait();
    expect(seen).toHaveLength(9);
    expectWellFormed(seen);
    expect(seen[0]).toMatchObject({ instructions: FINE, label: FINE, contextHint: FINE });
    expect(manager.list().items[0]?.metadata).toEqual({ [FINE]: [FINE, { a: FINE }] });
    // What is well formed is the very object.
    const params = { instructions: 'x', label: 'é😀', metadata: { a: '\ufffd' } };
    await manager.spawn(params).wait();
    expect(seen[10]).toBe(params);
  });

  test('R8 in the arguments of a tool, those that it does not know among them', async () => {
    const seen: unknown[] = [];
    const manager = open((_, params) => {
      seen.push(params);
      return { output: LONE };
    });
    const args = { instructions: LONE, systemPrompt: LONE, note: [{ deep: LONE }] };
    const answers = [
      await manager.createSubAgentTool().execute(args),
      await createSubAgentTool({
        spawnSubAgent: async (params) => {
          seen.push(params);
          throw new Error(LONE);
        },
      }).execute(args),
      await manager.createTools().spawn_agent?.execute({ instructions: LONE, label: LONE, name: 'n' }),
      await manager.createTools().send_message?.execute({ agent_id: 'n', message: LONE }),
    ];
    expect(seen.length).toBeGreaterThanOrEqual(3);
    expectWellFormed([seen, answers]);
    expect(seen[0]).toEqual({ instructions: FINE, systemPrompt: FINE, note: [{ deep: FINE }] });
    expect(args.note[0]?.deep).toBe(LONE);
  });

  test('R8 in outputs, errors, values, artifacts, statuses and ids of a result', async () => {
    const results: HostResult[] = [
      { output: LONE, status: LONE, taskId: LONE },
      { output: '', status: 'failed', error: LONE },
      { output: '', value: { [LONE]: [LONE] } },
      { output: 'x', artifacts: [{ [LONE]: { a: LONE } }] },
    ];
    let at = -1;
    const manager = open(
      () => {
        at += 1;
        const result = results[at];
        if (result === undefined) throw new Error(LONE);
        return result;
      },
      { onError: () => undefined },
    );
    const reported: unknown[] = [];
    for (let count = 0; count <= results.length; count += 1) {
      const schema = count === 2 ? { schema: { type: 'object' } } : {};
      const handle = manager.spawn({ instructions: 'x', ...schema });
      const result = await handle.wait();
      const { output, error, value, artifacts, text, summary, hostStatus } = result as unknown as Record<string, unknown>;
      reported.push(
        { output, error, value, artifacts, text, summary, hostStatus },
        manager.get(handle),
        await manager.readResult(handle.taskId),
      );
    }
    expectWellFormed(reported);
    expect(reported[6]).toMatchObject({ value: { [FINE]: [FINE] } });
    expect(reported[9]).toMatchObject({ artifacts: [{ [FINE]: { a: FINE } }] });
  });

  test('R8 in the value of a Standard Schema, before it is checked and transformed', async () => {
    const manager = open(() => ({ output: '', value: { name: LONE, at: '2026-01-01' } }));
    const validate = (value: unknown) => {
      const { name, at } = value as { name: string; at: string };
      return { value: { name, at: new Date(at) } };
    };
    const schema = { '~standard': { version: 1 as const, vendor: 'test', validate } };
    const { value } = await manager.spawn({ instructions: 'x', schema }).wait();
    expect(value).toEqual({ name: FINE, at: new Date('2026-01-01') });
  });

  test('R8 in reports, to-dos, questions, checkpoints and events', async () => {
    const events: string[] = [];
    const manager = open(async (run) => {
      await run.beforeTurn();
      run.report({ tokens: 1, message: LONE, todos: [{ content: LONE, status: LONE }] });
      run.checkpoint({ [LONE]: LONE });
      await run.beforeTool('read', { path: LONE });
      return { output: LONE };
    });
    manager.subscribe((event) => events.push(JSON.stringify(event)));
    await manager.spawn({ instructions: LONE, metadata: { a: LONE } }).wait();
    expect(events.length).toBeGreaterThan(3);
    expectWellFormed(events.map((event) => JSON.parse(event) as unknown));
  });
});
