/** Import to first call, through `require`: from before it to the first result, in a fresh process. */

'use strict';

const { firstCall } = require('./startup-first-call.cjs');

const start = performance.now();
const { SubAgentManager } = require('subagents');
const imported = performance.now();
firstCall(SubAgentManager).then(() => {
  const done = performance.now();
  const figures = { importMs: imported - start, firstCallMs: done - imported, ms: done - start };
  process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
});
