// Writes the fixture of a form of snapshots: `node tests/support/snapshot-fixture.mjs FILE`. Ran once for form 1; a later
// form gets a fixture of its own beside it.

import { SubAgentManager } from '../../dist/index.js';
import { fileStore } from '../../dist/stores/file.js';

const never = new Promise(() => undefined);
const options = {
  maxConcurrent: 1,
  onHostLost: 'resume',
  async spawnSubAgent({ instructions }, run) {
    if (instructions === 'short') return { output: 'it was short', usage: { tokens: 10 } };
    await run.checkpoint({ page: run.run });
    return never;
  },
};
const open = () => SubAgentManager.open({ ...options, store: fileStore(process.argv[2]) });

const first = await open();
await first.spawn({ instructions: 'short', label: 'ended' }).wait();
first.spawn({ instructions: 'long', label: 'in flight', background: true });
first.spawn({ instructions: 'short', label: 'queued', background: true });
await first.flush();
await first[Symbol.asyncDispose]();

// Its run is lost once, and is the second one by then.
const second = await open();
const { taskId } = second.list().items.find(({ label }) => label === 'in flight');
while (second.get(taskId).status !== 'running') await new Promise((resolve) => setTimeout(resolve, 1));
await second.flush();
await second.compact();
await second[Symbol.asyncDispose]();
