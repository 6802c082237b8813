// `npm run test:inspector`: a browser does what a person does with the inspector and the playground.
//
//   --all          nothing may be skipped: for continuous integration
//   --only WORDS   only what has one of these words in its name, comma between them
//   --update       writes the screenshots anew: look at them before they are committed

import { buildPackage, install, readOptions } from '../../scripts/run.mjs';

const known = { all: { type: 'boolean' }, only: { type: 'string' }, update: { type: 'boolean' } };
const { all, only, update } = readOptions(known, 'npm run test:inspector -- [--all] [--only WORDS] [--update]');
const words = only?.toLowerCase().split(',');

install();
buildPackage();

// Only now: what they import was just installed.
const { stage } = await import('./page.mjs');
const { hands } = await import('./hands.mjs');
const { looks } = await import('./looks.mjs');
const { playground } = await import('./playground.mjs');
const { travel } = await import('./travel.mjs');
const { hostile } = await import('./hostile.mjs');
const { server } = await import('./server.mjs');

const opened = await stage();
if (opened.missing !== undefined) {
  console.log(`skipped: ${opened.missing}`);
  process.exit(all ? 1 : 0);
}
console.log(`Chromium ${opened.version}`);
const failures = [];
let met = 0;
try {
  for (const { name, run } of [...looks(update === true), ...hands(), ...server(), ...travel(), ...hostile(), ...playground()]) {
    if (words !== undefined && !words.some((word) => name.toLowerCase().includes(word))) continue;
    met += 1;
    const began = performance.now();
    try {
      const said = await run(opened);
      console.log(`ok      ${name}${said ? `: ${said}` : ''} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failures.push(name);
      console.log(`FAILED  ${name}\n${error.stack ?? error}`);
    }
  }
} finally {
  await opened.close();
}
if (met === 0) failures.push(`nothing has one of these words in its name: ${only}`);
console.log(failures.length === 0 ? `\nall ${met} passed` : `\n${failures.length} failed:\n  ${failures.join('\n  ')}`);
process.exit(failures.length === 0 ? 0 : 1);
