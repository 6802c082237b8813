// The manager that the hands are tried at: in the page, or in another process. Its sub-agents do as their instructions say.

/**
 * Stands alone, so that it can be handed to a page as a text.
 * @param {{ SubAgentManager: any }} subagents The package.
 * @param {(taskId: string) => Promise<boolean>} approval Decides what a run waits for.
 */
export function manage({ SubAgentManager }, approval) {
  const policy = {
    name: 'approval',
    beforeTool: ({ tool, taskId }) =>
      tool === 'publish' ? approval(taskId).then((isAllowed) => (isAllowed ? undefined : { action: 'block', reason: 'no' })) : undefined,
  };
  const manager = new SubAgentManager({
    maxConcurrent: 4,
    maxDepth: 2,
    budget: { tokens: 10_000 },
    prices: { 'mini*': { input: 1_000, output: 10_000, cacheRead: 100 } },
    agents: { reader: { description: 'Reads.', prompt: 'Read.', model: 'mini-2' } },
    graceMs: 50,
    maxTurns: 1_000_000,
    // It gets models without a price.
    onError: () => undefined,
    policies: { subAgents: [policy] },
    spawnSubAgent: async (_params, run) => {
      await run.beforeTurn();
      if (run.prompt === 'ask') return { output: JSON.stringify(await run.ask('Which one?')) };
      if (run.prompt === 'publish') return { output: JSON.stringify(await run.beforeTool('publish', {})) };
      if (run.prompt === 'steered') {
        for (;;) {
          run.report({ tokens: 1 });
          const next = await run.beforeTurn();
          if (next.inject !== undefined) return { output: next.inject.join() };
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      }
      if (run.prompt === 'wait') {
        await new Promise((_resolve, reject) => run.signal.addEventListener('abort', () => reject(new Error('stopped'))));
      }
      if (run.prompt === 'tested') {
        const receipts = [
          { path: 'src/a.ts', kind: 'update' },
          { command: 'npm test', exitCode: 1 },
        ];
        return { output: 'All tests pass.', receipts };
      }
      if (run.prompt === 'priced') {
        run.report({
          inputTokens: 100,
          cacheReadTokens: 60,
          cacheWriteTokens: 30,
          cacheWrite1hTokens: 10,
          outputTokens: 20,
          reasoningTokens: 5,
        });
        return { output: 'read', usage: { modelId: 'other', inputTokens: 150, outputTokens: 25 } };
      }
      return { output: `heard ${run.prompt}`, usage: { tokens: 5 } };
    },
  });
  /** What the tests ask of it, by name, with what JSON can hold. */
  return {
    spawn: (instructions) => {
      const agent = instructions === 'priced' ? 'reader' : undefined;
      return manager.spawn({ instructions, agent, label: `the ${instructions} one`, background: true }).taskId;
    },
    get: (taskId) => manager.get(taskId),
    cap: () => manager.budget().tokens.cap,
    stats: () => manager.stats(),
    drain: () => manager.drain({ timeoutMs: 0 }),
    manager,
  };
}
