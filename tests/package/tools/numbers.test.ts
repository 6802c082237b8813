// Numbers beside nouns in what users and models read: one of a thing is no plural.

import { describe, expect, test } from 'vitest';
import { type SubAgentError, SubAgentManager, type SubAgentManagerOptions } from '../../../dist/index.js';

/** What the call that is refused says, of as many as it takes. */
function refusal(options: SubAgentManagerOptions, body: (manager: SubAgentManager, at: number) => unknown): string {
  const manager = new SubAgentManager({ spawnSubAgent: () => new Promise(() => undefined), ...options });
  try {
    for (let at = 0; at < 10; at += 1) body(manager, at);
  } catch (error) {
    return (error as SubAgentError).message;
  } finally {
    manager.dispose();
  }
  return 'none was refused';
}

describe('a number and its noun', () => {
  test.each([
    [1, '1 sub-agent is already queued', '1 session is open', '1 message already waits', '1 token of', 'remains', '1 turn and 1 second'],
    [
      2,
      '2 sub-agents are already queued',
      '2 sessions are open',
      '2 messages already wait',
      '2 tokens of',
      'remain',
      '2 turns and 2 seconds',
    ],
  ])('D1 agree, for %i', async (limit, queued, open, waiting, left, verb, each) => {
    const instructions = 'x';
    expect(refusal({ maxConcurrent: 1, maxQueued: limit }, (manager) => manager.spawn({ instructions }))).toContain(`${queued};`);
    expect(refusal({ maxSessions: limit }, (manager, at) => manager.session(`s${at}`))).toContain(`${open};`);
    const message = refusal({ maxMessages: limit }, (manager, at) =>
      manager.send(at === 0 ? manager.spawn({ instructions }) : undefined, instructions),
    );
    expect(message).toContain(`${waiting} for this sub-agent;`);
    const budget = refusal({ budget: { tokens: limit }, turnEstimate: 10 }, (manager) => manager.spawn({ instructions }));
    expect(budget).toMatch(new RegExp(`^${left} .+ budget ${verb}, one turn needs`));
    const manager = new SubAgentManager({ maxTurns: limit, timeoutMs: limit * 1_000, maxConcurrent: limit, onLimit: 'reject' });
    const described = [...manager.createTools()].map(({ description }) => description);
    expect(described.filter((text) => text.includes(`Each has ${each} unless`))).toHaveLength(1);
    manager.dispose();
  });

  test.each([
    [1, '1 of 1 sub-agent is running'],
    [2, '2 of 2 sub-agents are running'],
  ])('D6 agree in the answer of a full host, for %i', async (limit, full) => {
    const manager = new SubAgentManager({
      canSpawn: () => false,
      getConcurrencyInfo: () => ({ active: limit, limit }),
      spawnSubAgent: async () => ({ output: 'x' }),
    });
    expect(await manager.createSubAgentTool().execute({ instructions: 'x' })).toContain(full);
    manager.dispose();
  });
});
