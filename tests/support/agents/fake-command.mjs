// A command that speaks the JSON lines of `codex exec --json`, whose tokens count the whole conversation. What it does stands in
// its prompt: `DO:[{"say":"done"}]`. Each start is a line of FAKE_LOG.

import { appendFileSync, existsSync } from 'node:fs';

const { FAKE_LOG = '', FAKE_START = '' } = process.env;
const log = (entry) => appendFileSync(FAKE_LOG, `${JSON.stringify({ pid: process.pid, ...entry })}\n`);
const args = process.argv.slice(2);
log({ started: args });
setTimeout(() => process.exit(3), 90_000).unref();
if (FAKE_START === 'dies' || existsSync(`${FAKE_LOG}.dies`)) {
  process.stderr.write('no key\nfor this model\n');
  process.exit(1);
}
if (FAKE_START === 'words') {
  process.stdout.write('I am another program.\n');
  process.exit(0);
}
if (FAKE_START === 'forgets' && args.includes('resume')) {
  process.stderr.write('no rollout found for this thread\n');
  process.exit(1);
}
let prompt = '';
for await (const chunk of process.stdin) prompt += chunk;
log({ prompt });
const tell = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);
process.on('SIGINT', () => {
  log({ cancel: true });
  process.exit(130);
});
process.stdout.write('Reading prompt from stdin...\n');
tell({ type: 'thread.started', thread_id: args.includes('resume') ? args[args.indexOf('resume') + 1] : 'thread-1' });
const steps = prompt.includes('DO:') ? JSON.parse(prompt.slice(prompt.lastIndexOf('DO:') + 3).split('\n')[0]) : [];
for (const step of steps) {
  if (step.say !== undefined) tell({ type: 'item.completed', item: { type: 'agent_message', text: step.say } });
  if (step.tool !== undefined) tell({ type: 'item.started', item: { type: 'command_execution', command: step.tool } });
  if (step.takesMs !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, step.takesMs));
    tell({ type: 'item.completed', item: { type: 'command_execution', command: step.tool } });
  }
  if (step.item !== undefined) tell({ type: 'item.completed', item: step.item });
  if (step.tokens !== undefined) tell({ type: 'turn.completed', usage: { input_tokens: step.tokens - 1, output_tokens: 1 } });
  if (step.usage !== undefined) tell({ type: 'turn.completed', usage: step.usage });
  if (step.fails !== undefined) tell({ type: 'turn.failed', error: { message: step.fails } });
  if (step.waits) await new Promise((resolve) => setTimeout(resolve, 80_000));
}
