// `npm run test:frameworks`: the real packages of every framework, pinned and offline, through the same
// scenarios. Installs what its lock files name, checks the types, runs each in a process of its own, prints
// the table. An empty cell is a failure. `npm run test:frameworks -- ai-7 cancel` runs one, and one scenario.

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { install, root } from '../../scripts/run.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Every framework: its package, the source that drives it, the Node that it asks for. */
const FRAMEWORKS = [
  { name: 'ai-6', source: ['ai', 'ai-6'], node: 20 },
  { name: 'ai-7', source: ['ai', 'ai-7'], node: 22 },
  { name: 'mastra', source: 'mastra', node: 22 },
  { name: 'pi-0.73', source: 'pi-0.73', node: 20 },
  { name: 'pi-0.87', source: 'pi-0.87', node: 22 },
  { name: 'openai', source: 'openai', node: 20 },
  { name: 'langchain', source: 'langchain', node: 20 },
  { name: 'anthropic', source: 'anthropic', node: 20 },
  { name: 'mcp-1', source: 'mcp-1', node: 20 },
  { name: 'mcp-2', source: 'mcp-2', node: 20 },
  { name: 'claude', source: 'claude', node: 20 },
  { name: 'strands', source: 'strands', node: 22 },
  { name: 'adk', source: 'adk', node: 20 },
];

const [wanted, scenario] = process.argv.slice(2);
const chosen = FRAMEWORKS.filter(({ name }) => wanted === undefined || name === wanted);
if (chosen.length === 0) throw new Error(`there is no ${wanted}; there are ${FRAMEWORKS.map(({ name }) => name).join(', ')}`);

/** A Node that is new enough: this one, or version 22 from npm. */
function nodeOf(version) {
  if (Number(process.versions.node.split('.')[0]) >= version) return process.execPath;
  install(`${here}packages/node22`);
  const packages = `${here}packages/node22/node_modules/`;
  const found = readdirSync(packages).find((name) => name.startsWith('node-'));
  if (found === undefined)
    throw new Error(`there is no Node ${version} for ${process.platform} ${process.arch} on npm; run this with Node ${version}`);
  return `${packages}${found}/bin/node${process.platform === 'win32' ? '.exe' : ''}`;
}

/** Copies the sources beside the framework's packages, so that they and their types are found there. */
async function prepare({ name, source }) {
  const folder = `${here}packages/${name}`;
  install(folder, FLAGS[name] ?? ['--ignore-scripts']);
  const work = `${folder}/.work`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work);
  for (const file of ['framework.ts', 'mcp-client.ts', 'scenarios.ts', 'main.ts']) cpSync(`${here}src/${file}`, `${work}/${file}`);
  for (const part of [source].flat()) cpSync(`${here}src/${part}`, work, { recursive: true });
  const types = { typeRoots: [`${root}node_modules/@types`], types: ['node'] };
  const options = {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'esnext.disposable', 'dom'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    ...types,
  };
  writeFileSync(`${work}/tsconfig.json`, JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));
  writeFileSync(`${work}/package.json`, JSON.stringify({ type: 'module' }));
  execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', work], { stdio: ['ignore', 'inherit', 'inherit'] });
  await build({
    entryPoints: [`${work}/main.ts`],
    outfile: `${work}/main.js`,
    bundle: true,
    packages: 'external',
    format: 'esm',
    target: 'node20',
    platform: 'node',
    logLevel: 'warning',
  });
}

/** What npm must be told beside the lock file. */
const FLAGS = { claude: ['--ignore-scripts', '--omit=optional'], strands: ['--ignore-scripts', '--legacy-peer-deps'] };

function runOne(framework) {
  return new Promise((resolve) => {
    const cells = [];
    let noise = '';
    const env = {
      ...process.env,
      NODE_NO_WARNINGS: '1',
      AI_SDK_LOG_WARNINGS: 'false',
      MASTRA_TELEMETRY_DISABLED: '1',
      LANGSMITH_TRACING: 'false',
    };
    const args = [`${here}packages/${framework.name}/.work/main.js`, ...(scenario === undefined ? [] : [scenario])];
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

install();
execFileSync(process.execPath, [`${root}scripts/build.mjs`], { stdio: 'inherit' });
const failures = [];
const cells = [];
const waiting = [...chosen];
async function work() {
  for (let framework = waiting.shift(); framework !== undefined; framework = waiting.shift()) {
    try {
      await prepare(framework);
    } catch (error) {
      failures.push(`${framework.name}: could not be prepared: ${error.message}`);
      continue;
    }
    const done = await runOne(framework);
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
for (const failure of failures) console.error(`${failure}\n`);
console.log(`frameworks: ${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
