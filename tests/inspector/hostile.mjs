// Hostile text in every field: it is shown, never executed, and never leaves its place.

import { eventsOf } from './journal.mjs';

const SCRIPT =
  '<script>globalThis.pwned = true</script><img src=x onerror="globalThis.pwned = true"><svg onload="globalThis.pwned = true">';
const BIDI = 'safe\u202egnp.exe\u2066\u2069\u200f\u061c';
const LONG = 'x'.repeat(1_000_000);
const CONTROL = 'a\u0000b\u001b[31mred\u0007\u2028line';

/** Every text of every event, replaced; ids, types and times stay. */
function poisoned(text) {
  const kept = new Set([
    'type',
    'taskId',
    'parentId',
    'status',
    'reason',
    'stopReason',
    'why',
    'waitingFor',
    'place',
    'point',
    'answer',
    'delivery',
    'by',
    'to',
    'limit',
    'wrapUpReason',
  ]);
  const walk = (value, name) => {
    if (typeof value === 'string') return kept.has(name) || value.startsWith('sub_') ? value : text;
    if (Array.isArray(value))
      return name === 'unknown' || name === 'invalid' || name === 'reported' || name === 'waitsFor'
        ? value
        : value.map((each) => walk(each, name));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, walk(each, key)]));
    return value;
  };
  return eventsOf().map((event) => walk({ ...event, metadata: event.metadata === undefined ? undefined : { note: text } }, ''));
}

export function hostile() {
  return Object.entries({
    'script tags': SCRIPT,
    'bidi controls': BIDI,
    'control characters': CONTROL,
    'a megabyte in one line': LONG,
  }).map(([name, text]) => ({
    name: `hostile: ${name} in every field`,
    async run(opened) {
      const { page, said, close } = await opened.inspector();
      try {
        const events = poisoned(text);
        // A megabyte in each of a hundred events would be the test's own weight: a few have it.
        const given =
          text === LONG
            ? events.map((event, at) => (at % 40 === 0 || event.type === 'task_admitted' ? event : eventsOf()[at])).slice(0, 60)
            : events;
        await page.evaluate((list) => {
          globalThis.inspector.setAttribute('title', list[0].type);
          globalThis.inspector.source = list;
        }, given);
        const rows = page.getByRole('treeitem');
        await rows.first().waitFor();
        const tabs = page.getByRole('tablist', { name: 'Views' }).getByRole('tab');
        for (let row = 0; row < Math.min(2, await rows.count()); row += 1) {
          await rows.nth(row).click();
          for (let tab = 0; tab < (await tabs.count()); tab += 1) await tabs.nth(tab).click();
          for (const detail of ['About', 'Transcript', 'Output', 'Events']) await page.getByRole('tab', { name: detail }).last().click();
        }
        await page.getByRole('tab', { name: 'About' }).click();
        const state = await page.evaluate(() => {
          const root = document.querySelector('subagents-inspector').shadowRoot;
          return {
            pwned: globalThis.pwned === true,
            injected: root.querySelectorAll('script, img, svg[onload], iframe').length,
            text: root.textContent,
            wide: document.documentElement.scrollWidth - innerWidth,
          };
        });
        if (state.pwned) throw new Error('it was executed');
        if (state.injected > 0) throw new Error('it became elements');
        if (state.wide > 0) throw new Error(`it made the page ${state.wide} pixels wider`);
        if (/[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\u0000-\u0008\u001b]/.test(state.text))
          throw new Error('a control stands in the page as it is');
        if (text === SCRIPT && !state.text.includes('<script>globalThis.pwned')) throw new Error('it is not shown');
        if (text === BIDI && !state.text.includes('\u27e8202E\u27e9')) throw new Error('it is not shown');
        if (said.length > 0) throw new Error(said.join('\n').slice(0, 500));
        return `${state.text.length} characters in the page`;
      } finally {
        await close();
      }
    },
  }));
}
