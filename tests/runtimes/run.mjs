// `npm run test:runtimes`: packs the package, installs it into empty projects, and runs the one conformance
// suite in every runtime; all must come to one digest. Then what the package keeps by itself: types, sizes,
// edge rules, memory.
//
//   --all          nothing may be skipped: for continuous integration
//   --only WORDS   only what has one of these words in its name, comma between them
//   --keep         leaves the projects, and says where

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPackage, install, readOptions } from '../../scripts/run.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const known = { all: { type: 'boolean' }, keep: { type: 'boolean' }, only: { type: 'string' } };
const options = readOptions(known, 'npm run test:runtimes -- [--all] [--only WORDS] [--keep]');
const { all, keep } = options;
const only = options.only?.toLowerCase().split(',');
const chosen = ({ name }) => only === undefined || only.some((word) => name.toLowerCase().includes(word));

install();
install(here, ['--ignore-scripts']);
// Large, and only a few checks need it.
if (all || only?.includes('next')) install(`${here}next`, ['--ignore-scripts']);
if (all || only?.includes('jest')) install(`${here}jest`, ['--ignore-scripts']);
buildPackage();

// Only now: what they import was just installed.
const { browser, browserFiles, instanceLimit, pages, wasmRefused } = await import('./browser.mjs');
const { jestChecks, jestFiles } = await import('./jest.mjs');
const { memoryChecks, memoryFiles } = await import('./memory.mjs');
const { checks, packageFiles, sizes, watchedCjs } = await import('./package-checks.mjs');
const { nextChecks, nextPages, nextProject } = await import('./next.mjs');
const { openingCjs, openingFiles, openingPages, openings } = await import('./opening.mjs');
const { pack, project } = await import('./project.mjs');
const { cjsFiles, esmFiles, oneInstance, shells, coldStarts } = await import('./shells.mjs');
const { storeFiles, storePages, stores } = await import('./stores.mjs');
const { suite } = await import('./suite.mjs');
const { withFuse } = await import('./trap-build.mjs');
const { workerFiles, workers } = await import('./workers.mjs');

const folder = mkdtempSync(join(tmpdir(), 'subagents-runtimes-'));
const failures = [];
const skipped = [];
const digests = new Map();
let reference;
let met = 0;

/** One line a check; `body` gives what to say beside its name. */
async function step(entry, body) {
  if (!chosen(entry)) return;
  met += 1;
  if (entry.missing !== undefined) {
    skipped.push(`${entry.name}: ${entry.missing}`);
    console.log(`skipped  ${entry.name}: ${entry.missing}`);
    return;
  }
  const start = performance.now();
  try {
    const said = await body();
    console.log(`ok       ${entry.name}${said ? `: ${said}` : ''} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failures.push(`${entry.name}: ${error.stack ?? error}`);
    console.log(`FAILED   ${entry.name}\n${error.stack ?? error}`);
  }
}

/** A report must be without an error, and its digest the one of the first runtime. */
function taken(name, report) {
  if (report.error !== null) throw new Error(report.error);
  digests.set(name, report.digest);
  reference ??= report;
  if (report.digest !== reference.digest) {
    const at = report.lines.findIndex((line, index) => line !== reference.lines[index]);
    throw new Error(`another digest; line ${at}:\n  ${report.lines[at]}\n  ${reference.lines[at]}`);
  }
  return `${report.digest.slice(0, 16)}, ${report.chapters.map(({ name, ms }) => `${name} ${ms}`).join(', ')} ms`;
}

const packed = pack(folder);
const [esmSuite, slimSuite, cjsSuite] = await Promise.all([suite('esm'), suite('esm', 'subagents/slim'), suite('cjs')]);
const esm = {
  ...esmFiles(esmSuite, slimSuite),
  ...browserFiles,
  ...workerFiles,
  ...packageFiles,
  ...memoryFiles,
  ...storeFiles,
  ...openingFiles,
};
const projects = {
  esm: project(`${folder}/esm`, packed.file, 'module', esm),
  cjs: project(`${folder}/cjs`, packed.file, 'commonjs', { ...cjsFiles(cjsSuite), ...watchedCjs, ...openingCjs, ...jestFiles }),
};
const trapWasm = withFuse(readFileSync(`${projects.esm}/node_modules/subagents/pkg/subagents.wasm`));
for (const name of ['esm', 'cjs']) writeFileSync(`${projects[name]}/trap.wasm`, trapWasm);

for (const entry of [...shells(), ...workers()]) await step(entry, async () => taken(entry.name, await entry.run(projects)));
if ([...nextChecks(), ...nextPages()].some((entry) => entry.missing === undefined && chosen(entry)))
  projects.next = nextProject(`${folder}/next`, packed.file);
for (const entry of [...nextChecks(), ...jestChecks()]) await step(entry, () => entry.run(projects));
const opened = [...pages(), ...storePages(), ...openingPages(), ...nextPages(), { name: 'Chromium' }].some(chosen)
  ? await browser(projects.esm)
  : undefined;
if (opened !== undefined) {
  try {
    for (const page of pages())
      await step({ ...page, missing: opened.missing }, async () => taken(page.name, await page.run(opened, projects)));
    for (const page of [...storePages(), ...openingPages()])
      await step({ ...page, missing: opened.missing }, () => page.run(opened, projects));
    for (const page of nextPages()) await step({ ...page, missing: page.missing ?? opened.missing }, () => page.run(opened, projects));
    await step({ name: 'Chromium: one manager too many is `instance_limit`, and sessions go on', missing: opened.missing }, async () => {
      return `${await instanceLimit(opened, projects)} managers at once`;
    });
    await step({ name: 'Chromium: a Content-Security-Policy without wasm is `not_ready`', missing: opened.missing }, () =>
      wasmRefused(opened, projects),
    );
  } finally {
    await opened.close?.();
  }
}
for (const entry of [...stores(), ...openings()]) await step(entry, () => entry.run(projects));
for (const entry of oneInstance()) await step(entry, () => entry.check(projects));
for (const entry of checks()) {
  await step(entry, async () => {
    await entry.check(projects, packed);
  });
}
for (const entry of memoryChecks()) await step(entry, () => entry.check(projects));

if (only === undefined) {
  console.log('\nmeasured');
  const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
  for (const [what, bytes, ceiling, brotli] of await sizes(projects, packed))
    console.log(`  ${what}: ${kB(bytes)}, at most ${ceiling / 1000} kB${brotli === undefined ? '' : `; brotli ${kB(brotli)}`}`);
  for (const [what, ms] of await coldStarts(projects)) console.log(`  ${what}: ${ms.toFixed(1)} ms`);
}

if (keep) console.log(`\nthe projects are in ${folder}`);
else rmSync(folder, { recursive: true, force: true });
console.log(`\n${digests.size} runs of the suite${reference === undefined ? '' : `, digest ${reference.digest}`}`);
if (skipped.length > 0) console.log(`skipped:\n  ${skipped.join('\n  ')}`);
/** What is wrong with the run as a whole. */
const wrong = [];
if (met === 0) wrong.push(`nothing has one of these words in its name: ${only.join(', ')}`);
if (all && skipped.length > 0) wrong.push('nothing may be skipped here');
if (wrong.length > 0) console.error(`\n${wrong.join('\n')}`);
failures.push(...wrong);
if (failures.length > 0) {
  console.error(`\n${failures.length} failed`);
  process.exit(1);
}
