/** Import to first call, through `require`: from before it to the first result, in a fresh process. */

'use strict';

const { firstCall } = require('./startup-first-call.cjs');

const start = performance.now();
const { SubAgentManager } = require('subagents');
const imported = performance.now();
firstCall(SubAgentManager).then(() => {
  const done = performance.now();
  process.stdout.write(
    `${JSON.stringify({ importMs: imported - start, firstCallMs: done - imported, ms: done - start })}\n`,
  );
  process.exit(0);
});
