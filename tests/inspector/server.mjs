// A manager in another process: what the page says, and what to do, where the token is wrong, the origin is not taken, the
// server is gone or was started anew; and that the token stands nowhere that it should not.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findings } from './looks.mjs';
import { inspecting, serving } from './process.mjs';

const over =
  (act, options = {}) =>
  async (opened) => {
    const served = await serving(options);
    const made = await opened.at(served.url);
    try {
      return await act({ ...made, served, opened });
    } finally {
      await made.close();
      await served.end();
    }
  };

const row = (page, name) => page.getByRole('treeitem', { name });
/** The element in a page of another origin, bound by attribute. */
const bind = (page, src) =>
  page.evaluate((address) => {
    globalThis.inspector.setAttribute('src', address);
  }, src);

export function server() {
  return [
    {
      name: 'server: the token leaves the address, is kept for this tab alone, and stands in no link',
      run: over(async ({ page, served }) => {
        await served.ask('spawn', 'wait');
        await row(page, /the wait one/).click();
        const holds = async () => (await page.evaluate(() => location.href + document.documentElement.outerHTML)).includes(served.token);
        if (await holds()) throw new Error('the token stands in the page');
        if (!page.url().includes('task=')) throw new Error(`the link is ${page.url()}`);
        const kept = await page.evaluate(() => [Object.values(sessionStorage), Object.values(localStorage), document.cookie]);
        if (JSON.stringify(kept) !== JSON.stringify([[served.token], [], ''])) throw new Error(JSON.stringify(kept));
        // The same tab may be loaded again; another one has to be given the token.
        await page.reload();
        await row(page, /the wait one/).waitFor();
        const link = page.url();
        const other = await page.context().newPage();
        await other.goto(link);
        await other.getByLabel('Token').fill(served.token);
        await other.getByRole('button', { name: 'Connect' }).click();
        await other.getByRole('treeitem', { name: /the wait one/, selected: true }).waitFor();
      }),
    },
    {
      name: 'server: a wrong token is said, and asked for',
      run: over(async ({ page, served }) => {
        await page.goto('about:blank');
        await page.goto(`${served.address}#token=${'x'.repeat(43)}`);
        await page.getByText(`That is not the token of the server at http://127.0.0.1:${served.port}.`).waitFor();
        const found = await findings(page);
        if (found.length > 0) throw new Error(found.join('\n'));
        if (process.env.SUBAGENTS_SHOTS) await page.screenshot({ path: `${process.env.SUBAGENTS_SHOTS}/locked.png` });
        await page.getByLabel('Token').fill('another wrong one');
        await page.getByRole('button', { name: 'Connect' }).click();
        await page.getByText('That is not the token').waitFor();
        await page.getByLabel('Token').fill(served.token);
        await page.keyboard.press('Enter');
        await page.getByText('0 of 4 at work').waitFor();
        if ((await page.evaluate(() => Object.values(sessionStorage).length)) !== 1) throw new Error('a wrong token was kept');
      }),
    },
    {
      name: 'server: a page of another origin is refused, and told what to do; one that is named is not',
      async run(opened) {
        const { page, close } = await opened.inspector();
        const origin = new URL(opened.address).origin;
        const [closed, open] = await Promise.all([serving({}), serving({ origins: [origin], allow: true })]);
        try {
          await bind(page, closed.url);
          await page.getByText(`takes no pages of ${origin}. Start it with \`origins: ['${origin}']\``).waitFor();
          await bind(page, open.url);
          await page.getByRole('button', { name: 'Spawn' }).click();
          await page.getByLabel('Instructions').fill('anything');
          await page.getByRole('dialog').getByRole('button', { name: 'Spawn' }).click();
          await row(page, /^anything completed/).waitFor();
          const markup = await page.evaluate(() => document.documentElement.outerHTML);
          if (markup.includes(open.token)) throw new Error('the token stands in the markup');
          if ((await closed.ask('stats')).total !== 0) throw new Error('the closed one has heard something');
        } finally {
          await close();
          await closed.end();
          await open.end();
        }
      },
    },
    {
      name: 'server: one that is gone is said; one that comes back at its address is another manager, and is shown from its beginning',
      run: over(async ({ page, served, opened }) => {
        for (const text of ['one', 'two', 'three']) await served.ask('spawn', text);
        await row(page, /the three one completed/).waitFor();
        await served.end();
        await page.getByText(`Nothing answers at http://127.0.0.1:${served.port}`).waitFor();
        // Received events stay.
        await row(page, /the three one completed/).waitFor();
        const again = await serving({ port: served.port, token: served.token });
        try {
          await again.ask('spawn', 'new');
          await row(page, /the new one completed/).waitFor();
          const rows = await page.getByRole('treeitem').allInnerTexts();
          if (rows.length !== 1) throw new Error(`the former manager is still there: ${rows}`);
        } finally {
          await again.end();
        }
        // Nothing was ever there.
        const { page: other, close } = await opened.inspector();
        await bind(other, `http://127.0.0.1:${served.port}/#token=${served.token}`);
        await other.getByText('Nothing answers').waitFor();
        await close();
      }),
    },
    {
      name: 'server: what answers is no inspector, and an address that is none, are said',
      async run(opened) {
        const { page, close } = await opened.inspector();
        try {
          await bind(page, `${opened.address}#token=${'x'.repeat(20)}`);
          await page.getByText("is no inspector's server (404)").waitFor();
          await bind(page, 'file:///etc/passwd');
          await page.getByText("`src` can't be followed").waitFor();
        } finally {
          await close();
        }
      },
    },
    {
      name: 'server: subagents inspect --web shows a journal of each kind, to look at alone',
      async run(opened) {
        const { journals } = await import('./journals.mjs');
        const { folder, files, drop } = await journals();
        try {
          writeFileSync(join(folder, 'nothing'), '');
          for (const [kind, file] of Object.entries(files)) {
            const { url, end } = await inspecting([file]);
            const { page, said, close } = await opened.at(url);
            try {
              await row(page, /^lead completed/).waitFor();
              if ((await page.getByRole('treeitem').count()) !== 4) throw new Error(`${kind}: not four rows`);
              if ((await page.getByRole('button', { name: 'Spawn' }).count()) > 0) throw new Error(`${kind}: there are hands`);
              if (said.length > 0) throw new Error(said.join('\n'));
            } finally {
              await close();
              await end();
            }
          }
          return Object.keys(files).join(', ');
        } finally {
          drop();
        }
      },
    },
  ];
}
