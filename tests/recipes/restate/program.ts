// One process of the program: it serves Restate, opens its manager, and has four texts worked on. It says what came of them.

import { serve } from '@restatedev/restate-sdk';
import { open, subAgent } from './recipe.js';

const { RECIPE_PORT, RECIPE_INGRESS, RECIPE_JOURNAL } = process.env as Record<string, string>;
await serve({ services: [subAgent], port: Number(RECIPE_PORT) });
process.send?.({ what: 'serves' });
await new Promise((resolve) => process.once('message', resolve));
const manager = await open(RECIPE_INGRESS as string, RECIPE_JOURNAL as string);
const handles = ['a', 'b', 'c', 'd'].map((instructions) => manager.spawn({ instructions, idempotencyKey: instructions, background: true }));
const results = [];
for (const handle of handles) {
  const { status, output, run } = await handle.wait();
  results.push({ status, output, run });
}
process.send?.({ what: 'done', results, turns: manager.budget().turns.spent, notices: manager.inbox.peek().length });
await manager[Symbol.asyncDispose]();
process.disconnect();
process.exit(0);
