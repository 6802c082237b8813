/** Import to first call, as an ES module: from before the import to the first result, in a fresh process. */

import { firstCall } from './startup-first-call.cjs';

const start = performance.now();
const { SubAgentManager } = await import('subagents');
const imported = performance.now();
await firstCall(SubAgentManager);
const done = performance.now();
const figures = { importMs: imported - start, firstCallMs: done - imported, ms: done - start };
process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
