// Tools that stand alone, many of them: they share an instance of the module and nothing else (R6, D6).

import { describe, expect, test } from 'vitest';
import { createSubAgentTool, type SubAgentDetails, type SubAgentToolConfig } from '../../../dist/index.js';
import { child } from '../../support/child.js';
import { amount } from '../../support/share.js';

const MANY = amount(20_000, 2_000);

const never = (): Promise<never> => new Promise(() => undefined);

/** How many instances are made meanwhile. */
async function instancesIn(body: () => Promise<void>): Promise<number> {
  const { Instance } = WebAssembly;
  let made = 0;
  WebAssembly.Instance = class extends Instance {
    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      super(module, imports);
      made += 1;
    }
  } as typeof Instance;
  try {
    await body();
  } finally {
    WebAssembly.Instance = Instance;
  }
  return made;
}

function alone(config: Partial<SubAgentToolConfig> = {}) {
  const details: SubAgentDetails[] = [];
  const errors: unknown[] = [];
  const tool = createSubAgentTool({
    spawnSubAgent: async ({ instructions }) => ({ output: instructions }),
    onDetails: (of) => details.push(of),
    onError: (error) => errors.push(error),
    ...config,
  });
  return { tool, details, errors };
}

describe('many tools that stand alone', () => {
  test('R6 two hundred of them at work share one instance', async () => {
    const first = alone().tool;
    const made = await instancesIn(async () => {
      const tools = Array.from({ length: 200 }, () => alone().tool);
      const answers = await Promise.all(tools.map((tool, at) => tool.execute({ instructions: `task ${at}.` })));
      expect(answers.filter((answer, at) => !answer.includes(`\ntask ${at}.\n`))).toEqual([]);
    });
    expect([made, await first.execute({ instructions: 'goes on' })]).toEqual([0, expect.stringContaining('goes on')]);
  });

  test('R6 twenty thousand of them live in one chain of microtasks, each called', { timeout: 300_000 }, () => {
    const { stdout, status } = child(`
      let turns = 0;
      setImmediate(() => { turns += 1; });
      const tools = [];
      for (let at = 0; at < ${MANY}; at += 1) {
        const tool = createSubAgentTool({ spawnSubAgent: async () => ({ output: 'output ' + at }) });
        if (!(await tool.execute({ instructions: 'x' })).includes('output ' + at)) throw new Error('another output');
        tools.push(tool);
      }
      console.log(tools.length, turns);`);
    expect({ stdout, status }).toEqual({ stdout: `${MANY} 0\n`, status: 0 });
  });

  test('R6 what is collected of them gives its memory back, and keeps no process', { timeout: 300_000 }, () => {
    const { stdout, status } = child(`
      // The module is compiled from now on.
      new SubAgentManager().dispose();
      const memories = new Set();
      const { Instance } = WebAssembly;
      WebAssembly.Instance = class extends Instance {
        constructor(...given) { super(...given); memories.add(Object.values(this.exports).find((each) => each instanceof WebAssembly.Memory)); }
      };
      const held = createSubAgentTool({ spawnSubAgent: never, graceMs: 0, abandonMs: 90_000 });
      held.execute({ instructions: 'x' }, { signal: AbortSignal.timeout(1) });
      const bytes = () => [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
      const round = async () => {
        for (let at = 0; at < ${amount(500, 100)}; at += 1)
          await createSubAgentTool({ spawnSubAgent: async () => ({ output: 'x' }) }).execute({ instructions: 'x' });
      };
      await round();
      await settle();
      const before = bytes();
      for (let at = 0; at < 10; at += 1) {
        await round();
        await settle(() => false);
      }
      console.log(memories.size, bytes() < 2 * before, held.name);`);
    expect({ stdout, status }).toEqual({ stdout: '1 true SubAgent\n', status: 0 });
  });

  test('D6 what stops one of them, or is said to it, stops no other', async () => {
    const controller = new AbortController();
    const full = alone({ spawnSubAgent: never, maxAbandoned: 1, graceMs: 0, abandonMs: 1, canSpawn: () => true });
    const other = alone({ spawnBackgroundSubAgent: async () => ({ taskId: 'host-1' }) });
    const stopped = full.tool.execute({ instructions: 'hangs' }, { signal: controller.signal });
    const runs = other.tool.execute({ instructions: 'goes on' });
    controller.abort();
    await stopped;
    expect(await runs).toContain('goes on');
    await expect.poll(() => full.errors.length).toBe(1);
    expect(await full.tool.execute({ instructions: 'refused' })).toContain('1 sub-agent that was stopped has not returned');
    expect(await other.tool.execute({ instructions: 'starts' })).toContain('starts');
    expect(await other.tool.execute({ instructions: 'elsewhere', background: true })).toContain('host-1');
    // An id of one is unknown to another, whichever made it.
    expect(() => full.tool.reportSettled('host-1', { output: 'x' })).toThrow(expect.objectContaining({ code: 'unknown_task' }));
    const ours = other.details.at(-1)?.taskId ?? '';
    expect(() => full.tool.reportSettled(ours, { output: 'x' })).toThrow(expect.objectContaining({ code: 'unknown_task' }));
    other.tool.reportSettled(ours, { output: 'done' });
    await expect.poll(() => other.details.at(-1)).toMatchObject({ taskId: ours, status: 'completed' });
    expect(other.errors).toEqual([]);
    const ids = [full, other].map(({ details }) => details.flatMap(({ taskId }) => taskId || []));
    expect(ids[0]?.filter((id) => ids[1]?.includes(id))).toEqual([]);
  });
});
