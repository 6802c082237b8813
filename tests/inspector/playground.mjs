// Each scenario of the playground, to its end, as a person sees it; faults, documents, a crash.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/run.mjs';
import { SENTENCE, tinyModel } from './gguf.mjs';
import { findings } from './looks.mjs';
import { KEY, MODEL, openAi } from './openai.mjs';
import { dropOn } from './travel.mjs';

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
    // Subscribed from its first event on.
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

const FAULTS = {
  'The host fails': (page) =>
    row(page, /failed: .*this is the fault that was injected/)
      .first()
      .waitFor(),
  'The host hangs, and heeds no signal': (page) =>
    row(page, /timed out/)
      .first()
      .waitFor(),
  // The first of them is still at it when the second has ended, which was started after it.
  'The host is slow': async (page) => {
    await page.waitForFunction(() => {
      const rows = [...document.querySelector('subagents-inspector').shadowRoot.querySelectorAll('[role=treeitem]')];
      const has = (name, state) => rows.some(({ textContent }) => textContent.includes(`Document: ${name}`) && textContent.includes(state));
      return has('crane-rules.md', 'running') && has('safety.md', 'completed');
    });
    await row(page, /^Document: crane-rules.md completed/).waitFor();
  },
  // All that share the endpoint wait, and then go on.
  'The endpoint asks for a pause': async (page) => {
    await row(page, /waits for a rate limit/)
      .nth(1)
      .waitFor();
    await row(page, /^Document: .* completed/)
      .nth(5)
      .waitFor();
    await page.getByRole('tab', { name: 'Events' }).first().click();
    await page.getByLabel('Type of event').selectOption('cooldown_set');
  },
};

async function placeOfDrop(page) {
  const place = page.getByText('Drop texts of yours here');
  await place.scrollIntoViewIfNeeded();
  const { x, y } = await place.boundingBox();
  return { x: x + 5, y: y + 5 };
}

/** Chooses the tiny model, and sees that it answers. */
async function withTinyModel(page) {
  await page.getByLabel('Model', { exact: true }).selectOption('file');
  const file = { name: 'tiny.gguf', mimeType: 'application/octet-stream', buffer: tinyModel() };
  await page.locator('input[accept=".gguf"]').setInputFiles(file);
  const reported = page.getByText(/tiny\.gguf (?:answers from now on|could not be loaded)/);
  await reported.waitFor({ timeout: 60_000 }).catch(async (error) => {
    throw new Error(`${error.message}\nthe page says: ${await page.getByRole('status').first().textContent()}`);
  });
  const text = await reported.textContent();
  if (!text.includes('answers')) throw new Error(text);
  await row(page, /^lead completed/).click();
  await page.getByRole('tab', { name: 'Output' }).click();
  await page.getByText(SENTENCE).first().waitFor();
  // Counted by llama.cpp, not guessed.
  await page.getByRole('tab', { name: 'About' }).click();
}

async function within(opened, query, act, { mayFail = false } = {}) {
  const { page, said, close } = await opened.playground({ width: 1440, height: 900 }, query);
  try {
    await act(page, said);
    if (said.length > 0 && !mayFail) throw new Error(said.join('\n'));
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
    ...Object.entries(FAULTS).map(([fault, act]) => ({
      name: `playground: fault: ${fault}`,
      run: (opened) =>
        within(opened, fault === 'The host is slow' ? '?pace=150' : '?pace=30', async (page) => {
          await page.getByLabel('What breaks').selectOption({ label: fault });
          await page.getByLabel('For which sub-agents').selectOption('3');
          await page.getByRole('button', { name: 'Start again' }).click();
          await act(page);
          await row(page, /^lead completed/).waitFor();
        }),
    })),
    ...['the button', 'drag and drop'].map((way) => ({
      name: `playground: documents of the person’s own, by ${way}`,
      run: (opened) =>
        within(opened, '?pace=0', async (page) => {
          const folder = mkdtempSync(join(tmpdir(), 'subagents-documents-'));
          try {
            const [text, picture] = ['lighthouse.md', 'picture.png'].map((name) => join(folder, name));
            writeFileSync(text, 'The lighthouse crane needs a permit when it snows.\n');
            writeFileSync(picture, Buffer.from([0x89, 0x50, 0xff, 0]));
            if (way === 'the button') await page.getByLabel('Drop texts of yours here').setInputFiles([text, picture]);
            else {
              await dropOn(page, [text, picture], await placeOfDrop(page));
            }
            await page.getByText('Left out: picture.png: not UTF-8 text').waitFor();
            await page.getByRole('list').filter({ hasText: 'lighthouse.md' }).waitFor();
            await row(page, /^lead completed/).click();
            await page.getByRole('tab', { name: 'Output' }).click();
            await page.getByText('The lighthouse crane needs a permit when it snows.').first().waitFor();
            if (way === 'drag and drop') {
              await dropOn(page, [folder], await placeOfDrop(page));
              await page.getByText('a folder: drop the texts in it').waitFor();
            }
          } finally {
            rmSync(folder, { recursive: true, force: true });
          }
        }),
    })),
    {
      name: 'playground: a GGUF file of the person’s own runs in the page',
      run: (opened) => within(opened, '?pace=0', withTinyModel),
    },
    {
      name: 'playground: a file that is no model is said, and what runs goes on',
      run: (opened) =>
        within(opened, '?pace=0', async (page) => {
          await page.getByLabel('Model', { exact: true }).selectOption('file');
          const nothing = { name: 'none.gguf', mimeType: 'application/octet-stream', buffer: Buffer.alloc(4_096, 7) };
          await page.locator('input[accept=".gguf"]').setInputFiles(nothing);
          await page.getByText('none.gguf could not be loaded: it is no GGUF file').waitFor();
          await row(page, /^lead completed/).waitFor();
        }),
    },
    {
      name: 'playground: light and dark are one choice for the whole page',
      run: (opened) =>
        within(opened, '?pace=0', async (page) => {
          const grounds = () =>
            page.evaluate(() => {
              const root = document.querySelector('subagents-inspector').shadowRoot;
              return [document.querySelector('#panel'), root.querySelector('.bar')].map((each) => {
                for (let at = each; at !== null; at = at.parentElement ?? at.getRootNode().host ?? null) {
                  const colour = getComputedStyle(at).backgroundColor;
                  if (colour !== 'rgba(0, 0, 0, 0)') return Number(/\d+/.exec(colour)[0]) > 127 ? 'light' : 'dark';
                }
                return 'none';
              });
            });
          const expect = async (wanted) => {
            const is = (await grounds()).join();
            if (is !== `${wanted},${wanted}`) throw new Error(`panel and inspector are ${is}, not ${wanted}`);
          };
          await expect('light');
          await page.getByRole('button', { name: 'Dark colours' }).click();
          await expect('dark');
          const found = await findings(page);
          if (found.length > 0) throw new Error(found.join('\n'));
          await page.emulateMedia({ colorScheme: 'dark' });
          await page.getByRole('button', { name: 'Light colours' }).click();
          await expect('light');
        }),
    },
    {
      name: 'playground: the static files work below any address, on another server, under their own policy',
      run: async (opened) => {
        const folder = mkdtempSync(join(tmpdir(), 'subagents-static-'));
        execFileSync(process.execPath, [`${root}scripts/playground.mjs`, '--build', '--out', join(folder, 'some', 'where')]);
        const child = spawn('python3', ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1', '--directory', folder]);
        try {
          const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
          const port = /port (\d+)/.exec(line)[1];
          const { page, said, close } = await opened.at(`http://127.0.0.1:${port}/some/where/?pace=0`);
          const asked = [];
          page.on('request', (request) => asked.push(request.url()));
          try {
            await row(page, /^lead completed/).waitFor();
            await withTinyModel(page);
            if (said.length > 0) throw new Error(said.join('\n'));
            const foreign = asked.filter((url) => !/^(?:blob|data):/.test(url) && !url.startsWith(`http://127.0.0.1:${port}/some/where/`));
            if (foreign.length > 0) throw new Error(`it asked for ${foreign}`);
            // The policy stands in the page itself.
            const ran = await page.evaluate(() => {
              const script = document.createElement('script');
              script.textContent = 'globalThis.pwned = true';
              document.body.append(script);
              document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="globalThis.pwned = true">');
              return new Promise((resolve) => setTimeout(() => resolve(globalThis.pwned === true), 200));
            });
            if (ran) throw new Error('a script of the page’s text ran');
          } finally {
            await close();
          }
        } finally {
          child.kill();
          rmSync(folder, { recursive: true, force: true });
        }
      },
    },
    {
      name: 'playground: an endpoint that speaks OpenAI’s protocol, by address and key',
      run: (opened) =>
        within(
          opened,
          '?pace=0',
          async (page, said) => {
            const { url, asked, close } = await openAi();
            const use = async (key) => {
              await page.getByLabel('Key, which stays in this tab').fill(key);
              await page.getByRole('button', { name: 'Use it' }).click();
            };
            try {
              await page.getByLabel('Model', { exact: true }).selectOption('endpoint');
              await page.getByLabel('Address, up to /v1').fill(url);
              await page.getByRole('textbox', { name: 'Model' }).fill(MODEL);
              await use('sk-wrong');
              // What is wrong is said, without the key.
              await row(page, /^lead failed: .*HTTP 401.*Incorrect API key provided: Bearer \(key\)/).waitFor();
              if (asked.length > 0) throw new Error('it was answered');
              said.length = 0;
              await use(KEY);
              await row(page, /^lead completed/).click();
              await row(page, /^Document: safety.md completed/).waitFor();
              await page.getByRole('tab', { name: 'Output' }).click();
              await page.getByText('The crane needs a permit when a load exceeds 12 tonnes.').first().waitFor();
              if (asked.length !== 7) throw new Error(`it was asked ${asked.length} times`);
              if (page.url().includes('sk-')) throw new Error('the key stands in the address');
              const kept = await page.evaluate(() => [JSON.stringify(localStorage), document.cookie].join());
              if (kept.includes('sk-')) throw new Error('the key is kept beyond this tab');
              if (said.length > 0) throw new Error(said.join('\n'));
            } finally {
              close();
            }
          },
          { mayFail: true },
        ),
    },
  ];
}
