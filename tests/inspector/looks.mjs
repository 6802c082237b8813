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
  return [...checks, uncut(1280), uncut(390), unknown(), empty(), wrong()];
}

/** Events of the recorded journal, each label longer than its place. */
const longLabels = () =>
  eventsOf().map((event) => ({
    ...event,
    ...(typeof event.label === 'string' && { label: `${event.label}, which has a label that is longer than any place for it` }),
    ...(event.spec != null && { spec: { ...event.spec, label: `${event.spec.label ?? ''} ${'long '.repeat(20)}` } }),
  }));

/** States and legends stand whole beside labels that are too long. */
function uncut(width) {
  return {
    name: `looks: no state and no legend is cut at ${width} pixels`,
    async run(opened) {
      const { page, close } = await opened.inspector({ width, height: 780 });
      try {
        await show(page, longLabels());
        const cut = (selector, least) =>
          page.locator(selector).evaluateAll(
            (elements, wide) =>
              elements
                .filter((element) => element.textContent.trim() !== '')
                .filter((element) => {
                  const { left, right } = element.getBoundingClientRect();
                  const isCut = element.scrollWidth > element.clientWidth && element.clientWidth < wide;
                  return isCut || left < 0 || right > innerWidth + 1;
                })
                .map((element) => element.textContent),
            least,
          );
        const isNarrow = width < 900;
        const whys = await cut('.agent .why', 60);
        if (whys.length > 0) throw new Error(`in the tree: ${whys.join(' | ')}`);
        await page.getByRole('treeitem', { name: 'weather.md' }).click();
        const words = await cut('.pane > header .word', Number.POSITIVE_INFINITY);
        if (words.length > 0) throw new Error(`beside the label: ${words.join(' | ')}`);
        if (isNarrow) await page.getByRole('button', { name: 'Overview' }).click();
        const legends = await cut('.legend span:not(.space)', Number.POSITIVE_INFINITY);
        if (legends.length > 0) throw new Error(`in the legend: ${legends.join(' | ')}`);
      } finally {
        await close();
      }
    },
  };
}

/** A figure that the host did not report is a dash, and a 0 that it reported is 0. */
function unknown() {
  return {
    name: 'looks: a cost that is not known is a dash',
    async run(opened) {
      const { page, close } = await opened.inspector();
      try {
        const ended = (unknown) => (event) =>
          event.type === 'run_ended' || event.type === 'run_returned'
            ? { ...event, usage: { ...event.usage, costUsd: 0 }, unknown }
            : event.type === 'run_reported'
              ? { ...event, usage: { ...event.usage, costUsd: 0 } }
              : event;
        const costs = () => page.locator('.agent > .number:last-child').allTextContents();
        await show(page, eventsOf().map(ended(['costUsd'])));
        const dashes = await costs();
        // One is still at work, and reported 0 so far.
        const known = dashes.filter((text) => text !== 'cost of the subtree–');
        if (known.join() !== 'cost of the subtree$0') throw new Error(dashes.join(', '));
        await show(page, eventsOf().map(ended([])));
        const zeros = await costs();
        if (!zeros.includes('cost of the subtree$0')) throw new Error(zeros.join(', '));
      } finally {
        await close();
      }
    },
  };
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
              return { title: 'back', live: false, calls: [], first: 1, last: events.length };
            },
            async *events() {
              yield { events };
            },
            call: async () => ({ error: { code: 'read_only', message: '' } }),
          };
        }, eventsOf());
        await page.getByRole('treeitem', { name: 'lead' }).waitFor();
      } finally {
        await close();
      }
    },
  };
}
