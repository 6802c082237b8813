// Each action that the inspector offers (a *hand*), as a person takes it, over a manager in the page or in another process:
// what the manager then says is what counts.

import assert from 'node:assert/strict';
import { findings } from './looks.mjs';
import { manage } from './manager.mjs';
import { inspecting, serving } from './process.mjs';

/** A manager in the page. */
async function inPage(opened, { allow = true } = {}) {
  const made = await opened.inspector();
  const { page } = made;
  await page.evaluate(`globalThis.manage = ${manage}`);
  await page.evaluate((isAllowed) => {
    const { inspector, subagents } = globalThis;
    const approval = (taskId) =>
      new Promise((resolve) => {
        inspector.approvals = new Map([[taskId, 'It wants to publish a notice']]);
        inspector.approve = (_id, allowed) => resolve(allowed);
      });
    globalThis.asks = globalThis.manage(subagents, approval);
    inspector.toggleAttribute('allow', isAllowed);
    inspector.approve = () => undefined;
    inspector.manager = globalThis.asks.manager;
  }, allow);
  const ask = (name, ...args) => page.evaluate(([method, given]) => globalThis.asks[method](...given), [name, args]);
  return { ...made, ask };
}

/** A manager in another process, and the page that its server serves. */
async function elsewhere(opened, { allow = true } = {}) {
  const served = await serving({ allow });
  return over(opened, served, served.url);
}

/** The same through `subagents inspect --web URL`, which stands between. */
async function between(opened, { allow = true } = {}) {
  const served = await serving({ allow });
  const { url, end } = await inspecting([served.url]);
  return over(opened, served, url, end);
}

async function over(opened, served, url, end = async () => undefined) {
  const made = await opened.at(url);
  const close = async () => {
    await made.close();
    await end();
    await served.end();
  };
  return { ...made, ask: served.ask, close };
}

const spawn = ({ ask }, instructions) => ask('spawn', instructions);
const choose = ({ page }, name) => page.getByRole('treeitem', { name }).click();
const press = ({ page }, name) => page.getByRole('button', { name, exact: true }).click();
/** Waits until the manager says so: its word counts, wherever it is. */
async function until({ ask }, id, field, value) {
  let is;
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await new Promise((resolve) => setTimeout(resolve, 20))) {
    is = (await ask('get', id))[field];
    if (is === value) return;
  }
  throw new Error(`${field} is ${is}, not ${value}`);
}

const HANDS = {
  async spawn(it) {
    await press(it, 'Spawn');
    await it.page.getByLabel('Instructions').fill('anything');
    await it.page.getByLabel('Label').fill('mine');
    const found = await findings(it.page);
    if (found.length > 0) throw new Error(found.join('\n'));
    await it.page.getByRole('dialog').getByRole('button', { name: 'Spawn' }).click();
    await it.page.getByRole('treeitem', { name: /^mine completed/ }).waitFor();
  },
  async receipts(it) {
    await spawn(it, 'tested');
    await choose(it, 'the tested one');
    await it.page.getByRole('tab', { name: 'Output' }).click();
    const block = it.page.getByRole('group', { name: 'What its tool calls did' });
    await block.waitFor();
    const said = await block.textContent();
    if (said !== 'update src/a.ts\n$ npm test  → 1') throw new Error(`it shows ${said}`);
  },
  async costs(it) {
    await until(it, await spawn(it, 'priced'), 'status', 'completed');
    await choose(it, 'the priced one');
    const read = '60 read from the cache, 30 written to it, 10 of these for an hour';
    const tokens = `150 in (${read}), 25 out (5 to reason)`;
    await it.page.getByText(tokens, { exact: true }).waitFor();
    await it.page.getByRole('tab', { name: 'Budgets' }).click();
    const lists = it.page.locator('.section', { has: it.page.locator('.costs') });
    const reported = await lists.evaluateAll((all) =>
      all.map((list) => [...list.querySelectorAll('h3, dt, dd')].map((each) => each.textContent)),
    );
    const model = ['mini-2', `$0.25, 120 tokens (100 in (${read}), 20 out (5 to reason)), 1 turn, 0 runs`];
    const unpriced = ['other', '$0 and more: no price, 55 tokens (50 in, 5 out), 0 turns, 1 run'];
    const agent = ['reader', `$0.25 and more: no price, 175 tokens (${tokens}), 1 turn, 1 run`];
    assert.deepEqual(reported, [
      ['By model', ...model, ...unpriced],
      ['By agent', ...agent],
    ]);
  },
  async send(it) {
    const id = await spawn(it, 'anything');
    await choose(it, 'the anything one');
    await press(it, 'Send');
    await it.page.getByLabel('Message').fill('once more');
    await it.page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await until(it, id, 'output', 'heard once more');
  },
  async steer(it) {
    const id = await spawn(it, 'steered');
    await choose(it, 'the steered one');
    await press(it, 'Send');
    await it.page.getByLabel('Message').fill('to the left');
    await it.page.getByLabel(/Steer the run/).check();
    await it.page.getByRole('dialog').getByRole('button', { name: 'Steer' }).click();
    await until(it, id, 'status', 'completed');
    const { output } = await it.ask('get', id);
    if (!output.includes('to the left')) throw new Error(output);
  },
  async answer(it) {
    const id = await spawn(it, 'ask');
    await it.page.getByRole('button', { name: '1 needs a person' }).click();
    await it.page.getByText('Which one?', { exact: true }).waitFor();
    await it.page.getByRole('textbox', { name: 'Answer' }).fill('the second');
    await it.page.getByRole('button', { name: 'Answer', exact: true }).click();
    await until(it, id, 'output', '{"answered":true,"answer":"the second"}');
  },
  async approve(it) {
    const id = await spawn(it, 'publish');
    await choose(it, 'the publish one');
    // What it wants is known to a page that has the policy itself.
    if (it.tellsApprovals) await it.page.getByText('It wants to publish a notice').waitFor();
    await press(it, 'Approve');
    await until(it, id, 'output', '{"allowed":true}');
  },
  async refuse(it) {
    const id = await spawn(it, 'publish');
    await choose(it, 'the publish one');
    await press(it, 'Refuse');
    await until(it, id, 'output', '{"allowed":false,"reason":"no"}');
  },
  async interrupt(it) {
    const id = await spawn(it, 'wait');
    await choose(it, 'the wait one');
    await press(it, 'Interrupt');
    await until(it, id, 'status', 'interrupted');
  },
  async cancel(it) {
    const id = await spawn(it, 'wait');
    await choose(it, 'the wait one');
    await press(it, 'Cancel');
    await until(it, id, 'status', 'cancelled');
    await it.page.getByRole('treeitem', { name: /the wait one cancelled/ }).waitFor();
  },
  async 'close and resume'(it) {
    const id = await spawn(it, 'wait');
    await choose(it, 'the wait one');
    await press(it, 'Close');
    await until(it, id, 'status', 'closed');
    await press(it, 'Resume');
    await until(it, id, 'status', 'idle');
  },
  async 'raise a cap'(it) {
    await spawn(it, 'wait');
    await it.page.getByRole('tab', { name: 'Budgets' }).click();
    await press(it, 'Raise the cap of all');
    await it.page.getByRole('dialog').getByLabel('Tokens').fill('2500');
    await it.page.getByRole('dialog').getByRole('button', { name: 'Raise' }).click();
    await it.page.getByRole('dialog').waitFor({ state: 'detached' });
    const cap = await it.ask('cap');
    if (cap !== 12_500) throw new Error(`the cap is ${cap}`);
  },
};

/** Where the manager is, and for how many of the hands that is tried. */
const PLACES = [
  ['hand', inPage, Object.keys(HANDS)],
  ['hand in another process', elsewhere, Object.keys(HANDS)],
  ['hand through inspect --web', between, ['spawn', 'approve']],
];

export function hands() {
  const each = PLACES.flatMap(([place, live, names]) =>
    names.map((name) => ({
      name: `${place}: ${name}`,
      async run(opened) {
        const it = await live(opened);
        try {
          await HANDS[name]({ ...it, tellsApprovals: live === inPage });
          if (it.said.length > 0) throw new Error(it.said.join('\n'));
        } finally {
          await it.close();
        }
      },
    })),
  );
  return [
    ...each,
    {
      name: 'hand: what the manager refuses is said in the form, and nothing is lost',
      async run(opened) {
        const it = await inPage(opened);
        try {
          await it.ask('drain');
          await press(it, 'Spawn');
          await it.page.getByLabel('Instructions').fill('anything');
          await it.page.getByRole('dialog').getByRole('button', { name: 'Spawn' }).click();
          await it.page.getByRole('dialog').getByText('(draining)').waitFor();
          if ((await it.page.getByLabel('Instructions').inputValue()) !== 'anything') throw new Error('the text is gone');
        } finally {
          await it.close();
        }
      },
    },
    ...[inPage, elsewhere].map((live) => ({
      name: `${live === inPage ? 'hand' : 'hand in another process'}: there is none where it is not allowed`,
      async run(opened) {
        const it = await live(opened, { allow: false });
        try {
          await spawn(it, 'wait');
          await choose(it, 'the wait one');
          for (const name of ['Spawn', 'Cancel', 'Close', 'Send', 'Interrupt'])
            if ((await it.page.getByRole('button', { name, exact: true }).count()) > 0) throw new Error(`there is ${name}`);
        } finally {
          await it.close();
        }
      },
    })),
  ];
}
