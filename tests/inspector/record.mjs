// Records the journal that the screenshots show: `node tests/inspector/record.mjs` writes journal.jsonl anew. What the
// manager decides is its own; instants are made even, so that no machine's speed is to be seen.

import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { SubAgentManager } from '../../dist/index.js';

const STEP_MS = 37;
const BEGAN = Date.UTC(2026, 0, 15, 9, 30);
const DOCUMENTS = ['crane-rules.md', 'safety.md', 'finance-2025.md', 'staff.md', 'weather.md', 'history.md'];

const events = [];
const manager = new SubAgentManager({
  maxConcurrent: 3,
  maxDepth: 2,
  budget: { tokens: 60_000, costUsd: 1 },
  onError: () => undefined,
  spawnSubAgent: async ({ instructions }, run) => {
    let tokens = 0;
    let turns = 0;
    for (const found of ['Looking for the permit', 'Two places name a permit', 'Reading around them']) {
      const turn = await run.beforeTurn();
      if (!turn.go) break;
      turns += 1;
      await run.beforeTool('search', { query: 'permit' });
      await sleep(20);
      await run.afterTool('search', 'crane-rules.md:4: The crane needs a permit');
      const used = 420 + instructions.length * 3 + turns * 60;
      tokens += used;
      run.report({ tokens: used, costUsd: used * 3e-6, contextTokens: used, message: found });
      if (turns === 1 && instructions.startsWith('Question')) {
        await Promise.all(DOCUMENTS.map((name) => run.spawn({ instructions: `Document: ${name}`, label: name }).wait()));
      }
      if (turns === 2 && instructions.includes('weather')) throw new Error('The endpoint answered 500');
      if (turns === 1 && instructions.startsWith('Publish')) await run.ask('Who is the notice for: crews or visitors?');
    }
    return {
      output: `- "The crane needs a permit when a load exceeds 12 tonnes." (crane-rules.md:4)`,
      usage: { tokens, turns, costUsd: tokens * 3e-6 },
    };
  },
});
manager.subscribe((event) => events.push(event));
const lead = manager.spawn({ instructions: 'Question: When does the harbour crane need a permit?', label: 'lead' });
manager.spawn({ instructions: 'Publish: a notice about permits for the crane', label: 'author', background: true });
manager.spawn({ instructions: 'Check the notice', label: 'reviewer', background: true });
await lead.wait({ timeoutMs: Number.POSITIVE_INFINITY });
await sleep(100);
manager.dispose();

const first = events[0].seq;
const even = (event) => ({ ...event, at: BEGAN + (event.seq - first) * STEP_MS });
const infinite = (_name, value) => (value === Number.POSITIVE_INFINITY ? '\u221e' : value);
writeFileSync(new URL('journal.jsonl', import.meta.url), events.map((event) => `${JSON.stringify(even(event), infinite)}\n`).join(''));
console.log(`${events.length} events`);
