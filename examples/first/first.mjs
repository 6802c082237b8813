// A first program: three sub-agents, two at a time, without a model or a key.
import { SubAgentManager } from 'subagents';

const manager = new SubAgentManager({
  maxConcurrent: 2,
  budget: { tokens: 10_000 },
  spawnSubAgent: async ({ instructions }, run) => {
    const turn = await run.beforeTurn(); // waits for budget; `go` is false if the run must end
    if (!turn.go) return { status: 'failed', output: '' };
    const output = `${instructions}: done`; // call your model here
    run.report({ tokens: 1_200 }); // what the call used
    return { output };
  },
});

const tasks = ['a.md', 'b.md', 'c.md'].map((page) => manager.spawn({ instructions: `Read ${page}` }));
const { active, queued } = manager.getConcurrencyInfo();
console.log(`${active} running, ${queued} queued`);
for (const task of tasks) console.log((await task.wait()).output);
console.log(`${manager.budget().tokens.spent} of 10000 tokens spent`);
