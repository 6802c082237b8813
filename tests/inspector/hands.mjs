// Each hand, as a person uses it, over a manager that runs in the page: what the manager then says is what counts.

import { findings } from './looks.mjs';

/** A manager in the page, whose sub-agents do as their instructions say. */
async function live(page, { allow = true } = {}) {
  await page.evaluate((isAllowed) => {
    const { SubAgentManager } = globalThis.subagents;
    const heard = [];
    const manager = new SubAgentManager({
      maxConcurrent: 4,
      maxDepth: 2,
      budget: { tokens: 10_000 },
      graceMs: 50,
      maxTurns: 1_000_000,
      policies: {
        subAgents: [
          {
            name: 'approval',
            beforeTool: ({ tool, taskId }) =>
              tool === 'publish'
                ? new Promise((resolve) => {
                    globalThis.inspector.approvals = new Map([[taskId, 'It wants to publish a notice']]);
                    globalThis.inspector.approve = (_id, allowed) => resolve(allowed ? undefined : { action: 'block', reason: 'no' });
                  })
                : undefined,
          },
        ],
      },
      spawnSubAgent: async (_params, run) => {
        const turn = await run.beforeTurn();
        for (const text of turn.inject ?? []) heard.push(text);
        if (run.prompt === 'ask') return { output: JSON.stringify(await run.ask('Which one?')) };
        if (run.prompt === 'publish') return { output: JSON.stringify(await run.beforeTool('publish', {})) };
        if (run.prompt === 'steered') {
          for (;;) {
            run.report({ tokens: 1 });
            const next = await run.beforeTurn();
            if (next.inject !== undefined) return { output: next.inject.join() };
            await new Promise((resolve) => setTimeout(resolve, 10));
          }
        }
        if (run.prompt === 'wait') {
          await new Promise((_resolve, reject) => run.signal.addEventListener('abort', () => reject(new Error('stopped'))));
        }
        return { output: `heard ${run.prompt}`, usage: { tokens: 5 } };
      },
    });
    globalThis.manager = manager;
    globalThis.heard = heard;
    globalThis.inspector.toggleAttribute('allow', isAllowed);
    globalThis.inspector.approve = () => undefined;
    globalThis.inspector.manager = manager;
  }, allow);
}

const spawn = (page, instructions) =>
  page.evaluate(
    (text) => globalThis.manager.spawn({ instructions: text, label: `the ${text} one`, background: true }).taskId,
    instructions,
  );
const choose = (page, name) => page.getByRole('treeitem', { name }).click();
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
/** Waits until the manager says so. */
const until = (page, id, field, value) =>
  page.waitForFunction(([task, name, wanted]) => globalThis.manager.get(task)[name] === wanted, [id, field, value]);

const HANDS = {
  async spawn(page) {
    await press(page, 'Spawn');
    await page.getByLabel('Instructions').fill('anything');
    await page.getByLabel('Label').fill('mine');
    const found = await findings(page);
    if (found.length > 0) throw new Error(found.join('\n'));
    await page.getByRole('dialog').getByRole('button', { name: 'Spawn' }).click();
    await page.getByRole('treeitem', { name: /^mine completed/ }).waitFor();
  },
  async send(page) {
    const id = await spawn(page, 'anything');
    await choose(page, 'the anything one');
    await press(page, 'Send');
    await page.getByLabel('Message').fill('once more');
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await until(page, id, 'output', 'heard once more');
  },
  async steer(page) {
    const id = await spawn(page, 'steered');
    await choose(page, 'the steered one');
    await press(page, 'Send');
    await page.getByLabel('Message').fill('to the left');
    await page.getByLabel(/Steer the run/).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Steer' }).click();
    await until(page, id, 'status', 'completed');
    const { output } = await page.evaluate((task) => globalThis.manager.get(task), id);
    if (!output.includes('to the left')) throw new Error(output);
  },
  async answer(page) {
    const id = await spawn(page, 'ask');
    await page.getByRole('button', { name: '1 needs a person' }).click();
    await page.getByText('Which one?', { exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'Answer' }).fill('the second');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await until(page, id, 'output', '{"answered":true,"answer":"the second"}');
  },
  async approve(page) {
    const id = await spawn(page, 'publish');
    await choose(page, 'the publish one');
    await page.getByText('It wants to publish a notice').waitFor();
    await press(page, 'Approve');
    await until(page, id, 'output', '{"allowed":true}');
  },
  async refuse(page) {
    const id = await spawn(page, 'publish');
    await choose(page, 'the publish one');
    await press(page, 'Refuse');
    await until(page, id, 'output', '{"allowed":false,"reason":"no"}');
  },
  async interrupt(page) {
    const id = await spawn(page, 'wait');
    await choose(page, 'the wait one');
    await press(page, 'Interrupt');
    await until(page, id, 'status', 'interrupted');
  },
  async cancel(page) {
    const id = await spawn(page, 'wait');
    await choose(page, 'the wait one');
    await press(page, 'Cancel');
    await until(page, id, 'status', 'cancelled');
    await page.getByRole('treeitem', { name: /the wait one cancelled/ }).waitFor();
  },
  async 'close and resume'(page) {
    const id = await spawn(page, 'wait');
    await choose(page, 'the wait one');
    await press(page, 'Close');
    await until(page, id, 'status', 'closed');
    await press(page, 'Resume');
    await until(page, id, 'status', 'idle');
  },
  async 'raise a cap'(page) {
    await spawn(page, 'wait');
    await page.getByRole('tab', { name: 'Budgets' }).click();
    await press(page, 'Raise the cap of all');
    await page.getByRole('dialog').getByLabel('Tokens').fill('2500');
    await page.getByRole('dialog').getByRole('button', { name: 'Raise' }).click();
    await page.waitForFunction(() => globalThis.manager.budget().tokens.cap === 12_500);
  },
};

export function hands() {
  const each = Object.entries(HANDS).map(([name, act]) => ({
    name: `hand: ${name}`,
    async run(opened) {
      const { page, said, close } = await opened.inspector();
      try {
        await live(page);
        await act(page);
        if (said.length > 0) throw new Error(said.join('\n'));
      } finally {
        await close();
      }
    },
  }));
  return [
    ...each,
    {
      name: 'hand: what the manager refuses is said in the form, and nothing is lost',
      async run(opened) {
        const { page, close } = await opened.inspector();
        try {
          await live(page);
          await page.evaluate(() => globalThis.manager.drain({ timeoutMs: 0 }));
          await spawn(page, 'anything').catch(() => undefined);
          await press(page, 'Spawn');
          await page.getByLabel('Instructions').fill('anything');
          await page.getByRole('dialog').getByRole('button', { name: 'Spawn' }).click();
          await page.getByRole('dialog').getByText('(draining)').waitFor();
          if ((await page.getByLabel('Instructions').inputValue()) !== 'anything') throw new Error('the text is gone');
        } finally {
          await close();
        }
      },
    },
    {
      name: 'hand: there is none where the page does not allow it',
      async run(opened) {
        const { page, close } = await opened.inspector();
        try {
          await live(page, { allow: false });
          await spawn(page, 'wait');
          await choose(page, 'the wait one');
          for (const name of ['Spawn', 'Cancel', 'Close', 'Send', 'Interrupt'])
            if ((await page.getByRole('button', { name, exact: true }).count()) > 0) throw new Error(`there is ${name}`);
        } finally {
          await close();
        }
      },
    },
  ];
}
