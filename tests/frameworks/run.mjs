// `npm run test:frameworks`: the real packages of every framework, pinned and offline, through the same
// scenarios. Installs what its lock files name, checks the types, those of the bench as well, runs each in a process of its own, prints
// the table. An empty cell is a failure. `npm run test:frameworks -- ai-7 cancel` runs one, and one scenario.

import { spawn, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { benchSourcesOf } from '../../bench/frameworks/sources.mjs';
import { buildPackage, install, misused } from '../../scripts/run.mjs';
import { checkTypes, ENVIRONMENT, FRAMEWORKS, nodeOf, prepare, preparePage, SHARED, sourcesOf } from './prepare.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

const OWN = ['mcp-client.ts', 'scenarios.ts', 'main.ts'].map((file) => `${here}src/${file}`);

const usage = 'npm run test:frameworks -- [NAME] [SCENARIO]';
const [wanted, scenario] = process.argv.slice(2);
const chosen = FRAMEWORKS.filter(({ name }) => wanted === undefined || name === wanted);
if (chosen.length === 0) misused(`There is no ${wanted}; there are ${FRAMEWORKS.map(({ name }) => name).join(', ')}`, usage);

function runOne(framework, bundle) {
  return new Promise((resolve) => {
    const cells = [];
    let noise = '';
    const env = { ...process.env, ...ENVIRONMENT };
    const args = [bundle, ...(scenario === undefined ? [] : [scenario])];
    const child = spawn(nodeOf(framework.node), args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      rest += text;
      const lines = rest.split('\n');
      rest = lines.pop();
      for (const line of lines) {
        if (line.startsWith('@@')) cells.push(JSON.parse(line.slice(2)));
        else noise += `${line}\n`;
      }
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      noise += text;
    });
    child.on('close', (code, signal) => {
      if (code !== 0 || cells.length === 0)
        cells.push({ subject: framework.name, scenario: 'the process', error: `it ended with ${signal ?? code}` });
      resolve({ cells, noise });
    });
  });
}

/** The programs of a page: one delivers what its main agent says of a result that came in the background, the other streams. */
function runPage(framework, bundle, { scenario, prints, env: own }) {
  const env = { ...process.env, ...ENVIRONMENT, ...own };
  const from = performance.now();
  const { status, signal, stdout, stderr } = spawnSync(nodeOf(framework.node), [bundle], { env, encoding: 'utf8', timeout: 60_000 });
  const error = prints.test(stdout) ? undefined : `it ended with ${signal ?? status} and printed:\n${stdout}${stderr}`;
  return {
    subject: `${framework.name}: alone`,
    scenario,
    ms: Math.round(performance.now() - from),
    error,
  };
}

const PAGES = {
  page: { scenario: "the page's program in the background", prints: /^It has started\.\nThe review: two faults found\.\n$/ },
  stream: { scenario: "the page's program that streams", prints: /(?:one half is read|two faults found)[\s\S]*The review is done\.$/ },
};
/** The same program as that which streams. */
const CTRL_C = { scenario: "Ctrl-C in the page's program", prints: /It is told to stop\./, env: { CTRL_C: '1' } };

install();
buildPackage();
const failures = [];
const cells = [];
const waiting = [...chosen];
async function work() {
  for (let framework = waiting.shift(); framework !== undefined; framework = waiting.shift()) {
    let bundle;
    const bench = benchSourcesOf(framework);
    try {
      if (bench !== undefined) checkTypes(framework, 'bench', bench);
    } catch (error) {
      failures.push(`${framework.name}: the types of its bench: ${error.message}`);
    }
    try {
      bundle = await prepare(framework, 'tests', [...SHARED, ...OWN, ...sourcesOf(framework)]);
    } catch (error) {
      failures.push(`${framework.name}: could not be prepared: ${error.message}`);
      continue;
    }
    const done = await runOne(framework, bundle);
    for (const [kind, page] of Object.entries(scenario === undefined ? PAGES : {})) {
      const program = await preparePage(framework, kind);
      if (program === undefined) continue;
      done.cells.push(runPage(framework, program, page));
      if (kind === 'stream') done.cells.push(runPage(framework, program, CTRL_C));
    }
    cells.push(...done.cells);
    const wrong = done.cells.filter(({ error }) => error !== undefined);
    for (const { subject, scenario: what, error } of wrong) failures.push(`${subject}: ${what}\n${error}`);
    if (wrong.length > 0 && done.noise !== '') failures.push(`${framework.name} printed:\n${done.noise.slice(-4_000)}`);
  }
}
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));

const parts = [' our tools', ' its agents'];
let passed = 0;
let failed = failures.length;
for (const part of parts) {
  const own = cells.filter(({ subject }) => subject.endsWith(`:${part}`));
  const scenarios = [...new Set(own.map((cell) => cell.scenario))];
  const subjects = [...new Set(own.map(({ subject }) => subject))];
  if (subjects.length === 0) continue;
  const table = [[part.trim(), ...scenarios]];
  for (const subject of subjects) {
    const row = scenarios.map((name) => {
      const cell = own.find((cell) => cell.subject === subject && cell.scenario === name);
      if (cell === undefined) {
        failures.push(`${subject}: ${name}: an empty cell`);
        failed += 1;
        return '';
      }
      if (cell.error !== undefined) return 'FAILED';
      passed += 1;
      return cell.note === undefined ? `${cell.ms} ms` : `none: ${cell.note}`;
    });
    table.push([subject.slice(0, -part.length - 1), ...row]);
  }
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
  console.log('');
}
const alone = cells.filter(({ subject }) => subject.endsWith(': alone'));
for (const { subject, scenario: what, ms, error } of alone) {
  if (error === undefined) passed += 1;
  console.log(`${subject.slice(0, -': alone'.length)}: ${what}  ${error === undefined ? `${ms} ms` : 'FAILED'}`);
}
if (alone.length > 0) console.log('');
for (const failure of failures) console.error(`${failure}\n`);
console.log(`frameworks: ${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
