// Time travel, links, the keyboard, journals that are saved and opened, filters.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../scripts/run.mjs';
import { eventsOf } from './journal.mjs';
import { show } from './looks.mjs';

const journal = fileURLToPath(new URL('journal.jsonl', import.meta.url));
const equal = (is, wanted, what) => {
  if (is !== wanted) throw new Error(`${what} is ${is}, not ${wanted}`);
};
const over = (act) => async (opened) => {
  const { page, said, close } = await opened.inspector();
  try {
    await act(page);
    if (said.length > 0) throw new Error(said.join('\n'));
  } finally {
    await close();
  }
};

const cli = `${root}dist/cli.js`;

/** Drops files and folders, as the system's own drag and drop does. */
export async function dropOn(page, files, at = { x: 600, y: 400 }) {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await session.send('Input.dispatchDragEvent', { type, ...at, data });
  await session.detach();
}

/** All that a page says of a journal: its rows, its budgets, its inbox. */
async function told(page) {
  const parts = [await page.getByRole('treeitem').allInnerTexts()];
  for (const tab of ['Budgets', /^Inbox/]) {
    await page.getByRole('tablist', { name: 'Views' }).getByRole('tab', { name: tab }).click();
    parts.push(await page.getByRole('tabpanel').first().innerText());
  }
  return JSON.stringify(parts);
}

export function travel() {
  const events = eventsOf();
  const last = events.at(-1).seq;
  const of = (page) => page.getByRole('slider', { name: 'Moment' });
  return [
    {
      name: 'travel: the slider, the steps and the way back show their moments',
      run: over(async (page) => {
        await show(page);
        equal(await page.getByRole('treeitem').count(), 9, 'the number of rows');
        const admitted = events.filter(({ type }) => type === 'task_admitted').map(({ seq }) => seq);
        await of(page).fill(String(admitted[2]));
        await page.waitForFunction(
          () => document.querySelector('subagents-inspector').shadowRoot.querySelectorAll('[role=treeitem]').length === 3,
        );
        await page.getByRole('button', { name: 'One event back' }).click();
        await page.waitForFunction(
          () => document.querySelector('subagents-inspector').shadowRoot.querySelectorAll('[role=treeitem]').length === 2,
        );
        await page.getByRole('button', { name: 'One event forth' }).click();
        await page.waitForFunction(
          (wanted) => document.querySelector('subagents-inspector').shadowRoot.querySelector('input[type=range]').value === String(wanted),
          admitted[2],
        );
        await page.getByRole('button', { name: 'End', exact: true }).click();
        await page.waitForFunction(
          () => document.querySelector('subagents-inspector').shadowRoot.querySelectorAll('[role=treeitem]').length === 9,
        );
      }),
    },
    {
      name: 'travel: a moment is a link',
      run: over(async (page) => {
        await page.evaluate(() => globalThis.inspector.setAttribute('linked', ''));
        await show(page);
        await page.getByRole('treeitem', { name: 'safety.md' }).click();
        await page.getByRole('tab', { name: 'Inbox' }).click();
        await of(page).fill('60');
        const hash = await page.evaluate(() => location.hash);
        if (!/^#at=60&task=sub_\w+&tab=inbox$/.test(hash)) throw new Error(hash);
        await page.evaluate(() => {
          location.hash = '#at=40&tab=events';
        });
        await page.waitForFunction(
          () => document.querySelector('subagents-inspector').shadowRoot.querySelector('input[type=range]').value === '40',
        );
        equal(await page.getByRole('tab', { name: 'Events' }).first().getAttribute('aria-selected'), 'true', 'the tab');
      }),
    },
    {
      name: 'travel: an event that is chosen shows its moment',
      run: over(async (page) => {
        await show(page);
        await page.getByRole('tab', { name: 'Events' }).click();
        await page.getByLabel('Type of event').selectOption('question_asked');
        await page.getByRole('button', { name: /question_asked/ }).click();
        const { seq } = events.find(({ type }) => type === 'question_asked');
        await page.waitForFunction(
          (wanted) => document.querySelector('subagents-inspector').shadowRoot.querySelector('input[type=range]').value === String(wanted),
          seq,
        );
      }),
    },
    {
      name: 'travel: events are searched',
      run: over(async (page) => {
        await show(page);
        await page.getByRole('tab', { name: 'Events' }).click();
        await page.getByLabel('Search in events').fill('answered 500');
        await page
          .getByRole('group', { name: /^[\d,]+ events?$/ })
          .getByRole('button')
          .first()
          .waitFor();
        const rows = await page
          .getByRole('group', { name: /^[\d,]+ events?$/ })
          .getByRole('button')
          .allInnerTexts();
        if (rows.length === 0 || rows.some((text) => !text.includes('weather.md'))) throw new Error(rows.join('\n'));
      }),
    },
    {
      name: 'travel: what is saved can be opened, and is the same',
      run: over(async (page) => {
        await show(page);
        const download = page.waitForEvent('download');
        await page.getByRole('button', { name: 'Save what is shown' }).click();
        const file = await (await download).path();
        equal(readFileSync(file, 'utf8'), readFileSync(journal, 'utf8'), 'the file');
        await page.evaluate(() => {
          globalThis.inspector.source = null;
        });
        await page.getByLabel('Open a journal').first().setInputFiles(journal);
        await page.getByRole('treeitem', { name: 'lead' }).waitFor();
        equal(await of(page).getAttribute('max'), String(last), 'the last event');
      }),
    },
    ...['the button', 'drag and drop'].map((way) => ({
      name: `travel: journals as Node wrote them are opened by ${way}, and saved and opened again are the same`,
      run: over(async (page) => {
        const { journals } = await import('./journals.mjs');
        const { files, drop } = await journals();
        const open =
          way === 'the button' ? (file) => page.getByLabel('Open a journal').first().setInputFiles(file) : (file) => dropOn(page, [file]);
        try {
          const seen = {};
          for (const kind of ['events', 'file', 'compacted']) {
            await open(files[kind]);
            await page.getByRole('banner').getByText(basename(files[kind])).waitFor();
            await page.getByRole('treeitem', { name: /^after completed/ }).waitFor();
            seen[kind] = await told(page);
            const download = page.waitForEvent('download');
            await page.getByRole('button', { name: 'Save what is shown' }).click();
            const saved = await (await download).path();
            const copy = `${files[kind]}.saved.jsonl`;
            copyFileSync(saved, copy);
            await open(copy);
            await page.getByRole('banner').getByText(basename(copy)).waitFor();
            await page.getByRole('treeitem', { name: /^after completed/ }).waitFor();
            equal(await told(page), seen[kind], `${kind}, saved and opened again,`);
            // The terminal reads what the page saved, and says the same of it.
            const [is, was] = [copy, files[kind]].map((file) =>
              JSON.parse(execFileSync(process.execPath, [cli, 'inspect', file, '--json'])),
            );
            for (const field of ['seq', 'counts', 'ledger', 'nodes', 'limits', 'slots'])
              equal(JSON.stringify(is[field]), JSON.stringify(was[field]), `${kind}: ${field} in the terminal`);
          }
          equal(seen.file, seen.events, 'the file of the store, beside its events,');
          if (way === 'drag and drop') {
            mkdirSync(join(dirname(files.file), 'store'));
            copyFileSync(files.file, join(dirname(files.file), 'store', 'mine'));
            writeFileSync(join(dirname(files.file), 'store', 'mine.lock'), '{"a": 1}');
            await dropOn(page, [join(dirname(files.file), 'store')]);
            await page.getByRole('banner').getByText('mine').waitFor();
            await dropOn(page, [dirname(files.file)]);
            await page.getByText('there are several journals in this folder').waitFor();
          }
        } finally {
          drop();
        }
      }),
    })),
    {
      name: 'travel: of a damaged file what stands before the damage is shown, and where it is is said',
      run: over(async (page) => {
        const { journals } = await import('./journals.mjs');
        const { files, drop } = await journals();
        try {
          const bytes = readFileSync(files.file);
          bytes[Math.floor(bytes.length * 0.8)] ^= 0xff;
          writeFileSync(files.file, bytes);
          await page.getByLabel('Open a journal').first().setInputFiles(files.file);
          await page.getByText(/damaged here, and nothing after it is shown: agents\.journal is damaged at byte \d+/).waitFor();
          await page.getByRole('treeitem', { name: /^lead/ }).waitFor();
        } finally {
          drop();
        }
      }),
    },
    {
      name: 'travel: a file that is no journal is refused, and what is shown stays',
      run: over(async (page) => {
        await show(page);
        const open = (name, text) =>
          page
            .getByLabel('Open a journal')
            .first()
            .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text, 'latin1') });
        for (const [name, text, said] of [
          ['x.jsonl', 'nonsense\n{"seq":1,"at":1,"type":"reopened"}\n', "x.jsonl can't be opened: line 1: it is no JSON"],
          ['list.json', '{"name": "a"}', "list.json can't be opened: line 1: it is no event"],
          ['nothing', '', "nothing can't be opened: it is empty"],
          ['a.db', 'SQLite format 3\0 ...', 'run `npx subagents inspect --web a.db`'],
          ['b.journal', '\u0089SUB\r\n\u001a\n', "b.journal can't be opened: b.journal is damaged at byte 0"],
        ]) {
          await open(name, text);
          await page.getByText(said).waitFor();
          await page.getByRole('treeitem', { name: 'lead' }).waitFor();
        }
        await open('half.jsonl', '{"seq":1,"at":1,"type":"reopened"}\nnonsense\n{"seq":2,"at":1,"type":"reopened"}\n');
        await page.getByText('nothing after it is shown: line 2: it is no JSON').waitFor();
      }),
    },
    {
      name: 'travel: the tree, the tabs and the timeline are used with the keyboard',
      run: over(async (page) => {
        await show(page);
        const tree = page.getByRole('tree');
        const chosen = () => page.getByRole('treeitem', { selected: true }).textContent();
        await tree.focus();
        await page.keyboard.press('End');
        await page.keyboard.press('Home');
        const first = await chosen();
        await page.keyboard.press('ArrowDown');
        if ((await chosen()) === first) throw new Error('the arrow chose nothing else');
        await page.getByRole('treeitem', { name: /^lead / }).click();
        equal(await page.getByRole('treeitem', { name: /^lead / }).getAttribute('aria-expanded'), 'true', 'expanded');
        await tree.focus();
        await page.keyboard.press('ArrowLeft');
        equal(await page.getByRole('treeitem', { name: /^lead / }).getAttribute('aria-expanded'), 'false', 'expanded');
        equal(await page.getByRole('treeitem').count(), 3, 'the number of rows');
        await page.getByRole('tab', { name: 'Timeline' }).focus();
        await page.keyboard.press('ArrowRight');
        equal(await page.getByRole('tab', { name: 'Budgets' }).getAttribute('aria-selected'), 'true', 'the tab');
        await page.keyboard.press('ArrowLeft');
        await page.getByRole('group', { name: /^Timeline/ }).focus();
        await page.keyboard.press('+');
        await page.keyboard.press('ArrowDown');
        if ((await chosen()) === null) throw new Error('the timeline chose nothing');
      }),
    },
    {
      name: 'travel: a sub-agent that was forgotten is said to be, and shown as it last was',
      run: over(async (page) => {
        const ended = events.filter(({ type }) => type === 'run_ended').map(({ taskId }) => taskId);
        const { taskId, label } = events.findLast((event) => event.type === 'task_admitted' && ended.includes(event.taskId));
        const forgotten = { seq: last + 1, at: events.at(-1).at + 1, type: 'task_forgotten', taskId, parentId: null, label };
        await page.evaluate(
          (all) => {
            globalThis.inspector.source = all;
          },
          [...events, forgotten],
        );
        await page.waitForFunction(
          (wanted) => document.querySelector('subagents-inspector').shadowRoot.querySelector('input[type=range]')?.max === String(wanted),
          last + 1,
        );
        equal(await page.getByRole('treeitem').count(), 8, 'the number of rows');
        await of(page).fill(String(last));
        await page.getByRole('treeitem', { name: label }).click();
        await page.getByRole('button', { name: 'End', exact: true }).click();
        await page.getByText('It was forgotten before this moment.').waitFor();
        await page.getByRole('button', { name: 'Go to its last moment' }).click();
        await page.getByRole('treeitem', { name: label, selected: true }).waitFor();
        equal(await of(page).inputValue(), String(last), 'the moment');
      }),
    },
    {
      name: 'travel: a long journal is shown while it is read, and goes to any moment',
      run: over(async (page) => {
        const seen = await page.evaluate(async () => {
          const all = Array.from({ length: 120_000 }, (_, at) => ({
            seq: at + 1,
            at: 1_700_000_000_000 + at,
            type: 'limit_set',
            limit: 'maxConcurrent',
            value: at,
          }));
          globalThis.inspector.source = all;
          const root = globalThis.inspector.shadowRoot;
          const found = new Set();
          for (let max = ''; max !== String(all.length); await new Promise((resolve) => requestAnimationFrame(resolve))) {
            max = root.querySelector('input[type=range]')?.max ?? '';
            found.add(max);
          }
          return found.size;
        });
        if (seen < 4) throw new Error(`the page was drawn ${seen} times while it was read`);
        for (const wanted of [70_001, 3, 119_999]) {
          await of(page).fill(String(wanted));
          await page.getByText(`${wanted.toLocaleString('en-US')} of 120,000`).waitFor();
          await page.getByText(`of ${wanted - 1} at work`).waitFor();
        }
      }),
    },
    {
      name: 'travel: nothing moves while events come in',
      run: over(async (page) => {
        await page.evaluate(() => {
          globalThis.shifts = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shifts += entry.value;
          }).observe({ type: 'layout-shift', buffered: false });
        });
        await page.evaluate(async (all) => {
          let tell;
          globalThis.inspector.source = {
            info: async () => ({ title: 'Live', live: true, calls: [], first: 1, last: 1 }),
            async *events(_from, signal) {
              for (const event of all) {
                yield { events: [event] };
                await new Promise((resolve) => setTimeout(resolve, 8));
              }
              await new Promise((resolve) => {
                tell = resolve;
                signal.addEventListener('abort', resolve);
              });
            },
            call: async () => ({ error: { code: 'x', message: '' } }),
          };
          void tell;
        }, events);
        await page.waitForFunction(
          (wanted) => document.querySelector('subagents-inspector').shadowRoot.querySelector('input[type=range]')?.max === String(wanted),
          last,
        );
        const shifts = await page.evaluate(() => globalThis.shifts);
        if (shifts > 0.02) throw new Error(`the layout moved by ${shifts}`);
      }),
    },
  ];
}
