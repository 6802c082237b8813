// One run from end to end with a real model: a lead that delegates to sub-agents, a budget that is cut, a run
// that is cancelled while the model writes. Owns what must be true; the model's words decide nothing.

import { setTimeout as pause } from 'node:timers/promises';
import { SubAgentManager } from 'subagents';
import { createHost } from './host.mjs';
import { openModel } from './model.mjs';

const QUESTION = 'When may the harbour crane not work?';
const NOTES = [
  'The harbour crane may not work between 22:00 and 06:00.',
  'In winter the crane stops when the wind is above 70 km/h.',
  'The crane was built in 1962 and was painted green in 1990.',
];
const STORY = 'Write a very long story about a ship and its crew.';
/** Tokens of the sub-agent that runs out of them: enough for a few turns. */
const SMALL_BUDGET = 200;
const TURN_TOKENS = 32;
/** What the cancelled sub-agent's turn may write, and after how many of them it is cancelled. */
const LONG_TURN = 400;
const CANCEL_AFTER = 20;
const AT_ONCE = 2;

let failed = 0;
function check(what, holds, seen = '') {
  if (!holds) failed += 1;
  console.log(`  ${holds ? 'ok    ' : 'FAILED'}  ${what}${seen === '' ? '' : `: ${seen}`}`);
}
const short = (text) => JSON.stringify(text.length > 90 ? `${text.slice(0, 90)}…` : text);

/** What the model's meters said, by sub-agent. */
const metered = new Map();
/** How many tokens the model wrote, by sub-agent. */
const written = new Map();
const turns = [];
let onToken = (_run) => {};

const from = performance.now();
// A lead that waits keeps its conversation open.
const model = await openModel(process.argv[2], AT_ONCE + 1).catch((error) => {
  console.error(`local model: not run: the model could not be loaded: ${error.message}`);
  process.exit(3);
});
console.log(`model loaded in ${Math.round(performance.now() - from)} ms\n`);

const manager = new SubAgentManager({
  maxConcurrent: AT_ONCE,
  maxDepth: 2,
  spawnSubAgent: await createHost(
    model,
    { question: QUESTION, notes: NOTES },
    {
      turnTokens: ({ label }) => (label === 'cancelled' ? LONG_TURN : TURN_TOKENS),
      onToken: (run) => {
        written.set(run.taskId, (written.get(run.taskId) ?? 0) + 1);
        onToken(run);
      },
      onTurn: (run, turn) => turns.push({ taskId: run.taskId, ...turn }),
      onClose: (run, tokens) => metered.set(run.taskId, (metered.get(run.taskId) ?? 0) + tokens),
    },
  ),
});
const turnsOf = (taskId) => turns.filter((turn) => turn.taskId === taskId);

console.log(`a lead and ${NOTES.length} sub-agents, ${AT_ONCE} at once`);
const lead = manager.spawn({ instructions: QUESTION, label: 'lead' });
const answer = await lead.wait();
check('the lead is done', answer.status === 'completed', short(answer.output));
const helpers = manager.list().items.filter(({ depth }) => depth === 2);
check(
  'each delegation was one sub-agent, and each is done',
  helpers.filter(({ status }) => status === 'completed').length === NOTES.length,
);
for (const { taskId } of helpers) {
  const { text } = manager.readResult(taskId);
  check('it said something', text.trim() !== '', short(text));
}

console.log(`\na budget of ${SMALL_BUDGET} tokens`);
const cut = manager.spawn({ instructions: STORY, label: 'cut', budget: { tokens: SMALL_BUDGET } });
const partial = await cut.wait();
check('it was cut', partial.status === 'failed' && partial.stopReason === 'budget_exhausted', `${partial.status}, ${partial.stopReason}`);
check('its partial output is kept', partial.partial === true && partial.output !== '', short(partial.output));
check(
  'it had more than one turn, and spent no more than its budget',
  turnsOf(cut.taskId).length > 1 && partial.usage.tokens <= SMALL_BUDGET,
  `${partial.usage.tokens} tokens in ${partial.usage.turns} turns`,
);

console.log('\na cancel while the model writes');
const endless = manager.spawn({ instructions: STORY, label: 'cancelled' });
let cancelledAt = 0;
let cancelling;
onToken = ({ taskId }) => {
  if (taskId !== endless.taskId || written.get(taskId) !== CANCEL_AFTER) return;
  cancelledAt = performance.now();
  cancelling = endless.cancel();
};
const cancelled = await endless.wait();
const tookMs = Math.round(performance.now() - cancelledAt);
await cancelling;
const wrote = written.get(endless.taskId);
await pause(500);
check('its status is cancelled', cancelled.status === 'cancelled', `${cancelled.status}, ${cancelled.stopReason}`);
check('the model returned within its grace', !cancelled.hostStillRunning, `${tookMs} ms after the cancel`);
check('the turn under way was aborted', turnsOf(endless.taskId).at(-1)?.end === 'aborted');
check(
  `the model stopped at once, of ${LONG_TURN} tokens`,
  wrote < CANCEL_AFTER + 5 && written.get(endless.taskId) === wrote,
  `${wrote} written`,
);
check('what it had written is kept', cancelled.output !== '', short(cancelled.output));

console.log('\ntokens');
const views = manager.list().items;
const table = views.map(({ taskId, label, status, stopReason, usage }) => ({
  'sub-agent': label || 'helper',
  status,
  stopReason,
  turns: usage.turns,
  booked: usage.tokens,
  metered: metered.get(taskId),
}));
console.table(table);
check(
  'each booked what its sequence’s meter says',
  table.every(({ booked, metered }) => booked === metered && booked > 0),
);
check(
  'no usage is unknown or wrong',
  views.every(({ usage }) => !usage.unknown.includes('tokens') && usage.invalid.length === 0),
);
const all = [...metered.values()].reduce((sum, tokens) => sum + tokens, 0);
const stats = manager.stats();
check('the manager booked the sum', stats.tokensSpent === all, `${stats.tokensSpent} tokens`);
check('nothing is held and nothing runs', stats.tokensReserved === 0 && stats.running === 0 && manager.getConcurrencyInfo().active === 0);
console.log('\nstatistics');
console.log(stats);

manager.dispose();
await model.close();
console.log(failed === 0 ? '\nlocal model: all checks hold' : `\nlocal model: ${failed} checks failed`);
process.exitCode = failed === 0 ? 0 : 1;
