// A host in a process of its own, with agents at work, that waits to be stopped, or for their end: `node host-child.mjs OPTIONS COUNT PROMPT`.
// After a SIGUSR2 it stands still once it gets a SIGTERM.

import { acpAgent } from '../../../dist/adapters/agents/index.js';
import { SubAgentManager } from '../../../dist/index.js';

const [options = '{}', count = '1', prompt = ''] = process.argv.slice(2);
const manager = new SubAgentManager({ maxConcurrent: Number(count), spawnSubAgent: acpAgent(JSON.parse(options)) });
for (let at = 0; at < Number(count); at += 1) manager.spawn({ instructions: prompt, background: true });
process.stdout.write('started\n');
process.on('SIGUSR2', () => {
  process.on('SIGTERM', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000));
  process.stdout.write('stands\n');
});
// It ends by itself, should its test be gone.
setTimeout(() => process.exit(9), 90_000).unref();
