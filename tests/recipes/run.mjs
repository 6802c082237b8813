// `npm run test:recipes`: the recipes of docs/guides (restate, durable-objects, harness-agent) with the real packages, each
// in processes that are killed in mid-work. Installs what their lock files name, checks their types, bundles and runs them.
// Each is skipped where what it needs isn't there; `-- --all` fails then. `npm run test:recipes -- restate` runs one.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildPackage, install, misused, root } from '../../scripts/run.mjs';
import { nodeOf } from '../frameworks/prepare.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
/** Each has a folder: `test.mjs`, what it installs, and the programs that it bundles. */
const RECIPES = { restate: ['program'], harness: ['lead', 'worker', 'redis'], 'durable-object': [] };
/** The packages of all of them want it. */
const NODE = 22;
const LATE_MS = 300_000;

const [wanted, ...rest] = process.argv.slice(2).filter((one) => one !== '--all');
const isAll = process.argv.includes('--all');
const chosen = Object.entries(RECIPES).filter(([name]) => wanted === undefined || name === wanted);
if (chosen.length === 0 || rest.length > 0)
  misused(`There is no ${wanted}; there are ${Object.keys(RECIPES).join(', ')}`, 'npm run test:recipes -- [--all] [NAME]');

install();
buildPackage();
let failed = 0;
for (const [name, programs] of chosen) {
  const own = `${here}${name}`;
  const recipe = await import(`${own}/test.mjs`);
  const why = recipe.missing?.();
  if (why !== undefined) {
    console.log(`skipped  ${recipe.name}: ${why}`);
    if (isAll) failed += 1;
    continue;
  }
  const from = performance.now();
  const folder = mkdtempSync(join(tmpdir(), `subagents-${name}-`));
  try {
    install(own, ['--ignore-scripts']);
    const out = await prepare(own, programs, recipe.compilerOptions);
    await within(recipe.run({ packages: `${own}/node_modules`, program: `${out}/${programs[0]}.js`, out, folder, node: nodeOf(NODE) }));
    console.log(`ok       ${recipe.name} (${((performance.now() - from) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED   ${recipe.name}\n${error.stack ?? error}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.exit(failed === 0 ? 0 : 1);

/** Checks the types of a recipe and bundles its programs beside its packages. */
async function prepare(own, programs, others = {}) {
  const out = `${own}/.work`;
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out);
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'esnext.disposable', 'dom'],
    types: ['node'],
    typeRoots: [`${root}node_modules/@types`],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
    ...others,
  };
  writeFileSync(`${out}/tsconfig.json`, JSON.stringify({ compilerOptions, include: ['../*.ts'] }));
  const compiler = `${root}node_modules/typescript/bin/tsc`;
  if (!existsSync(compiler)) throw new Error('TypeScript is not installed');
  execFileSync(process.execPath, [compiler, '-p', out], { stdio: 'inherit' });
  if (programs.length === 0) return out;
  await build({
    entryPoints: programs.map((program) => `${own}/${program}.ts`),
    outdir: out,
    bundle: true,
    packages: 'external',
    format: 'esm',
    target: 'node20',
    platform: 'node',
    logLevel: 'warning',
  });
  return out;
}

/** Only so that a hang ends. */
async function within(work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing after ${LATE_MS / 1_000} s`)), LATE_MS);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
