// A team: a lead of the AI SDK, with Codex and opencode as its sub-agents. In a folder of git:
//
//   npm install subagents ai @ai-sdk/openai-compatible @agentclientprotocol/sdk zod
//   npm install -g @agentclientprotocol/codex-acp opencode-ai        # log in to both once
//   MODEL_URL=https://host/v1 MODEL=name MODEL_KEY=… node team.mjs "Find out why the tests fail, and mend it."
//
// Codex reads and runs commands; opencode changes files, in a git worktree of its own. Each may cost a dollar, all together three.

import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { isStepCount, ToolLoopAgent } from 'ai';
import { SubAgentManager } from 'subagents';
import { acpAgent, worktrees } from 'subagents/agents';

const { MODEL_URL: baseURL = 'http://127.0.0.1:11434/v1', MODEL = 'qwen3', MODEL_KEY } = process.env;
const task = process.argv.slice(2).join(' ');
if (task === '') {
  console.error('usage: node team.mjs "The task."');
  process.exit(1);
}

const reviewer = acpAgent({
  profile: 'codex',
  permission: [
    { kind: ['read', 'search', 'execute'], answer: 'allow' },
    { kind: ['edit', 'delete', 'move'], answer: 'reject' },
  ],
});
const coder = acpAgent({ profile: 'opencode', isolation: 'worktree', permission: 'allow' });

const manager = new SubAgentManager({
  agents: {
    reviewer: { description: 'Reads the code, runs commands and says what it found. Changes nothing.' },
    coder: { description: 'Changes the code on a branch of its own. Say what to change, and how to test it.' },
  },
  spawnSubAgent: (params, run) => (run.agent === 'coder' ? coder : reviewer)(params, run),
  ...worktrees({ when: ({ agent }) => agent === 'coder' }),
  budget: { costUsd: 3 },
  taskBudget: { costUsd: 1 },
  maxSpawns: 10,
  graceMs: 10_000,
});
const stop = new AbortController();
// A second one ends the program at once.
process.on('SIGINT', () => (stop.signal.aborted ? process.exit(130) : stop.abort()));
manager.subscribe(({ type, label }) => {
  if (type === 'run_started' || type === 'run_ended') console.error(`${type}: ${label}`);
});

const lead = new ToolLoopAgent({
  model: createOpenAICompatible({ name: 'lead', baseURL, ...(MODEL_KEY && { apiKey: MODEL_KEY }) })(MODEL),
  instructions: 'You lead a team. Have the reviewer and the coder do the work, in the background where it is apart. Then report.',
  tools: manager.createTools(),
  stopWhen: isStepCount(30),
});
const { textStream } = await lead.stream({ prompt: task, abortSignal: stop.signal });
for await (const text of textStream) process.stdout.write(text);

// What they did, as their protocol says it, and not their words.
for (const { label, status, usage, receipts } of manager.list().items) {
  console.log(`\n${label}: ${status}, ${usage.tokens ?? 'unknown'} tokens`);
  for (const one of receipts) console.log(`  ${'command' in one ? `${one.command} → ${one.exitCode}` : `${one.kind} ${one.path}`}`);
}
await manager[Symbol.asyncDispose]();
