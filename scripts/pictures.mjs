// `npm run pictures`: takes the picture of the playground with the inspector, in docs/images/, in Chromium.

import { mkdirSync } from 'node:fs';
import { stage } from '../tests/inspector/page.mjs';
import { readOptions, root } from './run.mjs';

readOptions({}, 'npm run pictures: it takes no options');
const folder = `${root}docs/images`;
mkdirSync(folder, { recursive: true });
const opened = await stage();
if (opened.missing !== undefined) {
  console.error(opened.missing);
  process.exit(1);
}
try {
  const { page, close } = await opened.playground({ width: 1280, height: 760 }, '?pace=420');
  await page.getByRole('radio', { name: 'Nested teams' }).check();
  await page.getByRole('treeitem', { name: /^Document: history.md running/ }).waitFor();
  await page.getByRole('treeitem', { name: /^Team: Office/ }).click();
  await page.getByRole('tab', { name: 'Transcript' }).click();
  await page.mouse.move(0, 0);
  await page.screenshot({ path: `${folder}/playground.png` });
  await close();
} finally {
  await opened.close();
}
console.log(`the picture is in ${folder}`);
