// Each scenario of the playground, to its end, as a person sees it; faults, documents, a crash.

import { findings } from './looks.mjs';

const start = async (page, title) => {
  await page.getByRole('radio', { name: title }).check();
};
const row = (page, name) => page.getByRole('treeitem', { name });

const SCENARIOS = {
  'Fan-out over documents': async (page) => {
    await row(page, /^lead completed/).waitFor();
    if ((await page.getByRole('treeitem', { name: /^Document: .* completed/ }).count()) !== 6) throw new Error('not six documents');
    await row(page, /^lead/).click();
    await page.getByRole('tab', { name: 'Output' }).click();
    await page.getByText('The crane needs a permit when a load exceeds 12 tonnes.').first().waitFor();
    // Heard from its first event on.
    await page.getByRole('tab', { name: 'Transcript' }).click();
    await page.getByText('Question: When does the harbour crane need a permit?').waitFor();
  },
  'Nested teams': async (page) => {
    await row(page, /^lead of teams completed/).waitFor();
    await row(page, /^Team: Archive completed/).waitFor();
    const levels = await page.getByRole('treeitem').evaluateAll((rows) => rows.map((each) => each.getAttribute('aria-level')));
    if (!levels.includes('3')) throw new Error(`levels ${levels}`);
  },
  'A budget that is cut': async (page) => {
    await page
      .getByRole('treeitem', { name: /budget exhausted/ })
      .first()
      .waitFor();
  },
  'A cancelled subtree': async (page) => {
    await row(page, /^Team: Office cancelled/).waitFor();
    await page
      .getByRole('treeitem', { name: / cancelled: ancestor cancelled/ })
      .first()
      .waitFor();
    await row(page, /^lead of teams completed/).waitFor();
  },
  'A rate limit': async (page) => {
    await page
      .getByRole('treeitem', { name: /waits for a rate limit/ })
      .first()
      .waitFor();
    await page.waitForFunction(() => {
      const rows = [...document.querySelector('subagents-inspector').shadowRoot.querySelectorAll('[role=treeitem]')];
      return rows.length === 6 && rows.every((each) => each.textContent.includes('completed'));
    });
    await page.getByRole('tab', { name: /Inbox/ }).click();
    if ((await page.getByRole('table').getByRole('row').count()) !== 7) throw new Error('not six notices');
  },
  'A question and an approval': async (page) => {
    await row(page, /^author parked asks/).click();
    await page.getByRole('textbox', { name: 'Answer' }).fill('crews');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await row(page, /^author completed/).waitFor();
    await page.getByRole('tab', { name: 'Output' }).click();
    await page.getByText('Published "Permits for the crane" for crews.').first().waitFor();
  },
};

async function within(opened, query, act) {
  const { page, said, close } = await opened.playground({ width: 1440, height: 900 }, query);
  try {
    await act(page);
    if (said.length > 0) throw new Error(said.join('\n'));
  } finally {
    await close();
  }
}

export function playground() {
  const each = Object.entries(SCENARIOS).map(([title, act]) => ({
    name: `playground: ${title}`,
    run: (opened) =>
      within(opened, '?pace=60', async (page) => {
        await start(page, title);
        await act(page);
        const found = await findings(page);
        if (found.length > 0) throw new Error(found.join('\n'));
      }),
  }));
  return [
    ...each,
    {
      name: 'playground: a page that is lost in the middle goes on from IndexedDB, and knows what was before',
      run: (opened) =>
        within(opened, '?pace=400', async (page) => {
          await start(page, 'A crash, and what it leaves');
          await page.getByRole('treeitem', { name: /^crane-rules.md completed/ }).waitFor();
          await page.getByRole('button', { name: 'Lose the page' }).click();
          await page.getByText('The page was lost while this ran').waitFor();
          // What ended before is known from the journal; what was in flight begins anew and ends.
          await page.getByRole('treeitem', { name: /^crane-rules.md completed/ }).waitFor();
          await page.getByRole('treeitem', { name: /^history.md completed/ }).waitFor();
          const lost = page.getByRole('treeitem', { name: /^history.md/ });
          await lost.click();
          await page.getByText('2, ended').waitFor();
        }),
    },
    ...[
      ['The host fails', /failed: .*this is the fault that was injected/],
      ['The host hangs, and heeds no signal', /timed out/],
    ].map(([fault, sign]) => ({
      name: `playground: fault: ${fault}`,
      run: (opened) =>
        within(opened, '?pace=30', async (page) => {
          await page.getByLabel('What breaks').selectOption({ label: fault });
          await page.getByLabel('For which sub-agents').selectOption('3');
          await page.getByRole('button', { name: 'Start again' }).click();
          await page.getByRole('treeitem', { name: sign }).first().waitFor();
          await page.getByRole('treeitem', { name: /^lead completed/ }).waitFor();
        }),
    })),
    {
      name: 'playground: documents of the person’s own',
      run: (opened) =>
        within(opened, '?pace=0', async (page) => {
          const text = 'The lighthouse crane needs a permit when it snows.\n';
          await page.getByLabel('Drop texts of yours here').setInputFiles([
            { name: 'lighthouse.md', mimeType: 'text/plain', buffer: Buffer.from(text) },
            { name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from([0x89, 0x50, 0xff, 0]) },
          ]);
          await page.getByText('Left out: picture.png').waitFor();
          await page.getByRole('treeitem', { name: /^lead completed/ }).click();
          await page.getByRole('tab', { name: 'Output' }).click();
          await page.getByText('The lighthouse crane needs a permit when it snows.').first().waitFor();
        }),
    },
    {
      name: 'playground: an endpoint that speaks OpenAI’s protocol',
      run: (opened) =>
        within(opened, '?pace=0', async (page) => {
          const { createServer } = await import('node:http');
          const asked = [];
          const server = createServer((request, response) => {
            const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
            if (request.method === 'OPTIONS') return response.writeHead(204, headers).end();
            asked.push(request.headers.authorization);
            request.resume();
            response.writeHead(200, { ...headers, 'content-type': 'application/json' });
            return response.end(
              JSON.stringify({ choices: [{ message: { content: 'An endpoint said this.' } }], usage: { total_tokens: 42 } }),
            );
          });
          await new Promise((done) => server.listen(0, '127.0.0.1', done));
          try {
            await page.getByLabel('Model', { exact: true }).selectOption('endpoint');
            await page.getByLabel('Address, up to /v1').fill(`http://127.0.0.1:${server.address().port}/v1`);
            await page.getByRole('textbox', { name: 'Model' }).fill('any');
            await page.getByLabel('Key, kept in this tab alone').fill('secret-key');
            await page.getByRole('button', { name: 'Use it' }).click();
            await page.getByRole('treeitem', { name: /^lead completed/ }).click();
            await page.getByRole('tab', { name: 'Output' }).click();
            await page.getByText('An endpoint said this.').first().waitFor();
            if (asked[0] !== 'Bearer secret-key') throw new Error(`the key was ${asked[0]}`);
            if (page.url().includes('secret')) throw new Error('the key stands in the address');
          } finally {
            server.closeAllConnections();
            server.close();
          }
        }),
    },
  ];
}
