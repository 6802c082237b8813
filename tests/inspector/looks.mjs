// How the inspector looks, light, dark and on a phone, compared with pictures that were looked at; and what axe finds.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { eventsOf } from './journal.mjs';

const shots = fileURLToPath(new URL('shots/', import.meta.url));
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** Pixels that may differ: edges of letters and curves. */
const TOLERATED = 0.004;

export const show = async (page, events = eventsOf()) => {
  await page.evaluate((given) => {
    globalThis.inspector.source = given;
  }, events);
  await page.getByRole('treeitem').first().waitFor();
};

/** Serious and critical findings of axe. */
export async function findings(page) {
  // The page's policy lets no script in; this one comes from the debugger.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) =>
        `${id}: ${help}\n  ${nodes.map(({ target, any }) => `${target.join(' ')} ${any.map(({ message }) => message).join('; ')}`).join('\n  ')}`,
    );
}

const VIEWS = [
  { name: 'light', options: { width: 1280, height: 760 } },
  { name: 'dark', options: { width: 1280, height: 760, colorScheme: 'dark' } },
  { name: 'phone', options: { width: 390, height: 780 } },
];
const PARTS = [
  { name: 'timeline', tab: 'Timeline', chosen: 'author', detail: 'About', phone: 'Sub-agents' },
  { name: 'budgets', tab: 'Budgets', chosen: 'lead', detail: 'Transcript', phone: 'Overview' },
  { name: 'events', tab: 'Events', chosen: 'weather.md', detail: 'Output', phone: 'Chosen one' },
];

export function looks(update) {
  const checks = VIEWS.flatMap(({ name, options }) =>
    PARTS.map((part) => ({
      name: `looks: ${name}, ${part.name}`,
      async run(opened) {
        const { page, said, close } = await opened.inspector(options);
        try {
          await show(page);
          await page.getByRole('treeitem', { name: part.chosen }).click();
          if (name === 'phone') await page.getByRole('button', { name: 'Overview' }).click();
          await page.getByRole('tablist', { name: 'Views' }).getByRole('tab', { name: part.tab }).click();
          if (name === 'phone') await page.getByRole('button', { name: 'Chosen one' }).click();
          await page.getByRole('tablist', { name: 'What of the sub-agent' }).getByRole('tab', { name: part.detail }).click();
          if (name === 'phone') await page.getByRole('button', { name: part.phone, exact: true }).click();
          await page.mouse.move(0, 0);
          // Two frames: the scene, and what is drawn after it.
          await page.evaluate(
            () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 60)))),
          );
          const found = await findings(page);
          if (found.length > 0) throw new Error(`axe finds:\n${found.join('\n')}`);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          if (wide > 0) throw new Error(`the page is ${wide} pixels too wide`);
          const difference = compared(`${name}-${part.name}`, await page.screenshot(), update);
          if (said.length > 0) throw new Error(said.join('\n'));
          return difference;
        } finally {
          await close();
        }
      },
    })),
  );
  return [...checks, empty(), wrong()];
}

function compared(name, taken, update) {
  const file = `${shots}${name}.png`;
  if (update || !existsSync(file)) {
    if (!update) throw new Error(`there is no ${file}: make it with --update, and look at it`);
    writeFileSync(file, taken);
    return 'written';
  }
  const [is, was] = [PNG.sync.read(taken), PNG.sync.read(readFileSync(file))];
  if (is.width !== was.width || is.height !== was.height)
    throw new Error(`it is ${is.width} × ${is.height}, it was ${was.width} × ${was.height}`);
  const marked = new PNG({ width: is.width, height: is.height });
  const different = pixelmatch(is.data, was.data, marked.data, is.width, is.height, { threshold: 0.15 });
  const share = different / (is.width * is.height);
  if (share > TOLERATED) {
    writeFileSync(`/tmp/${name}.is.png`, taken);
    writeFileSync(`/tmp/${name}.marked.png`, PNG.sync.write(marked));
    throw new Error(`${(share * 100).toFixed(2)} % of the pixels differ: see /tmp/${name}.is.png and /tmp/${name}.marked.png`);
  }
  return `${(share * 100).toFixed(2)} % of the pixels differ`;
}

function empty() {
  return {
    name: 'looks: without a source it says what to do',
    async run(opened) {
      const { page, close } = await opened.inspector();
      try {
        await page.getByText('There is nothing to inspect yet').waitFor();
        await page.getByRole('main').getByRole('button', { name: 'Open a journal' }).waitFor();
        const found = await findings(page);
        if (found.length > 0) throw new Error(found.join('\n'));
      } finally {
        await close();
      }
    },
  };
}

function wrong() {
  return {
    name: 'looks: a source that fails is said, and connected again',
    async run(opened) {
      const { page, close } = await opened.inspector();
      try {
        await page.evaluate((events) => {
          let times = 0;
          globalThis.inspector.source = {
            info: async () => {
              times += 1;
              if (times === 1) throw new Error('the server is away');
              return { title: 'back', live: false, commands: [], first: 1, last: events.length };
            },
            async *events() {
              yield { events };
            },
            command: async () => ({ ok: false, code: 'read_only', message: '' }),
          };
        }, eventsOf());
        await page.getByRole('treeitem', { name: 'lead' }).waitFor();
      } finally {
        await close();
      }
    },
  };
}
