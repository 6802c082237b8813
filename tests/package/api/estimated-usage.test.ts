// Usage that is an estimate, and says so wherever it is shown. Rule B15.

import { expect, test } from 'vitest';
import { type Run, SubAgentManager } from '../../../dist/index.js';
import { baseOf, View } from '../../../dist/view/index.js';

/** Says that its second turn is an estimate, unless it is asked to know all. */
async function host({ instructions }: { instructions: string }, run: Run) {
  run.report({ inputTokens: 100, outputTokens: 20, costUsd: 0.01 });
  if (instructions === 'guesses') run.report({ tokens: 200, estimated: true });
  run.report({ inputTokens: 10, outputTokens: 2 });
  if (instructions === 'guesses in all') return { output: 'x', usage: { tokens: 500, estimated: true } };
  if (instructions === 'lead') await run.spawn({ instructions: 'guesses' }).wait();
  return { output: 'x' };
}

test('B15 a run that reports an estimate says so in its result, snapshot, notice and sums, and the others do not', async () => {
  const manager = new SubAgentManager({ maxDepth: 2, agents: { a: { description: 'x', prompt: 'x' } }, spawnSubAgent: host });
  const whole = new View();
  whole.begin(baseOf(manager));
  manager.subscribe((event) => whole.add(event));
  for (const [instructions, estimated, tokens] of [
    ['guesses', true, 332],
    ['guesses in all', true, 500],
    ['knows', false, 132],
  ] as const) {
    const handle = manager.spawn({ instructions, agent: estimated ? 'a' : null });
    const { usage } = await handle.wait();
    expect(usage).toMatchObject({ estimated, tokens });
    expect(manager.get(handle)?.usage).toMatchObject({ estimated, tokens });
    expect(handle.resultText().includes(`about ${tokens} tokens`)).toBe(estimated);
    expect(handle.resultText()).toContain(`${tokens} tokens`);
  }
  const behind = manager.spawn({ instructions: 'guesses', background: true });
  const notice = await manager.inbox.next();
  expect(notice).toMatchObject({ taskId: behind.taskId, usage: { estimated: true, tokens: 332 } });
  expect(notice?.text).toContain('about 332 tokens');
  const { byAgent, byModel } = manager.costs();
  expect(byAgent.map(({ name, estimated }) => [name, estimated])).toEqual(expect.arrayContaining([['a', true]]));
  expect(byModel.some(({ estimated }) => estimated)).toBe(true);
  const late = new View();
  late.begin(baseOf(manager));
  for (const view of [whole, late]) expect(view.now.node({ taskId: behind.taskId })?.kinds.estimated).toBe(true);
  expect(whole.now.costs).toEqual(manager.costs());
  // Another run of it is another matter.
  manager.send(behind, 'knows');
  expect((await behind.wait()).usage).toMatchObject({ estimated: false, tokens: 132 });
  manager.dispose();
});

test('B15 a tool says it of what its sub-agent took with all below it', async () => {
  const manager = new SubAgentManager({ maxDepth: 2, spawnSubAgent: host });
  const said = async (instructions: string): Promise<{ text: string; details: unknown }> => {
    let details: unknown;
    const tool = manager.createSubAgentTool({ onDetails: (given) => (details = given) });
    return { text: String(await tool.execute({ instructions })), details };
  };
  const lead = await said('lead');
  expect(lead.details).toMatchObject({ estimated: true });
  expect(lead.text).toContain('132 tokens');
  expect(lead.text).not.toContain('about 132 tokens');
  expect(lead.text).toContain('in all: about 464 tokens');
  const knows = await said('knows');
  expect(knows.details).not.toHaveProperty('estimated');
  expect(knows.text).not.toContain('about');
  manager.dispose();
});

test('B15 a main agent may estimate, and what is no yes or no is refused', async () => {
  const manager = new SubAgentManager({ spawnSubAgent: host });
  const session = manager.session('s');
  session.report({ tokens: 7, estimated: true });
  manager.report({ tokens: 5 });
  expect(manager.costs().mainAgents).toMatchObject([
    { name: 's', tokens: 7, estimated: true },
    { name: null, tokens: 5, estimated: false },
  ]);
  expect(() => manager.report({ tokens: 1, estimated: 'yes' as never })).toThrow(/`estimated`/);
  expect(manager.budget().tokens.spent).toBe(12);
  manager.dispose();
});
