// A first program: sub-agents without a model or a key. Five pages are counted, two at a time; one fails, one runs into its budget.
import { SubAgentManager } from 'subagents';

const pages = { 'home.md': 300, 'api.md': 1_400, 'lost.md': undefined, 'guide.md': 400, 'huge.md': 9_000 };

// Runs one sub-agent. This one is plain code; yours calls a model here, once for each turn.
async function spawnSubAgent({ instructions: page }, run) {
  const words = pages[page];
  if (words === undefined) throw new Error(`there is no ${page}`);
  for (let read = 0; read < words; read += 500) {
    const turn = await run.beforeTurn();
    if (!turn.go) return { status: 'failed', output: `${read} words` };
    run.report({ tokens: 500, message: `${Math.min(words, read + 500)} words` });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { output: `${words} words` };
}

const manager = new SubAgentManager({
  spawnSubAgent,
  maxConcurrent: 2,
  turnEstimate: 500,
  taskBudget: { tokens: 2_000 },
});

// The lead: code again, in place of a model that calls our tools.
for (const page of Object.keys(pages)) manager.spawn({ instructions: page, label: page, background: true });
const { active, queued } = manager.getConcurrencyInfo();
console.log(`${active} run, ${queued} wait for a slot`);

// Each end is a notice, which comes back until it is acknowledged.
for (let notice = await manager.inbox.next(); notice !== undefined; notice = await manager.inbox.next()) {
  const { label, status, stopReason, error, usage } = manager.get(notice.taskId);
  const why = error ?? stopReason;
  console.log(
    `${label.padEnd(9)} ${status.padEnd(10)} ${String(usage.tokens).padStart(5)} tokens  ${status === 'completed' ? notice.output : why}`,
  );
  manager.inbox.ack(notice.deliveryId);
}
console.log(`${manager.budget().tokens.spent} tokens in all`);
