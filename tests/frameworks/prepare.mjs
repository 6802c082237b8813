// The packages of the frameworks, pinned: installing what their lock files name, and bundling sources that use
// one of them. Owns the list of the frameworks, and which Node each asks for.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { blocksOf, pagesOf } from '../../scripts/doc-blocks.mjs';
import { install, root } from '../../scripts/run.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Every framework: its package, the source that drives it, the Node that it asks for. */
export const FRAMEWORKS = [
  { name: 'ai-6', source: ['ai-mock', 'ai', 'ai-6'], node: 20 },
  { name: 'ai-7', source: ['ai-mock', 'ai', 'ai-7'], node: 22 },
  { name: 'mastra', source: ['ai-mock', 'mastra'], node: 22 },
  { name: 'pi-0.73', source: ['pi', 'pi-0.73'], node: 20 },
  { name: 'pi-0.87', source: ['pi', 'pi-0.87'], node: 22 },
  { name: 'openai', source: ['openai'], node: 20 },
  { name: 'langchain', source: ['langchain'], node: 20 },
  { name: 'anthropic', source: ['anthropic'], node: 20 },
  { name: 'mcp-1', source: ['mcp-1'], node: 20 },
  { name: 'mcp-2', source: ['mcp-2'], node: 20 },
  { name: 'claude', source: ['claude'], node: 20 },
  { name: 'strands', source: ['strands'], node: 22 },
  { name: 'adk', source: ['adk'], node: 20 },
];

/** What npm needs beside the lock file. */
const FLAGS = { claude: ['--ignore-scripts', '--omit=optional'], strands: ['--ignore-scripts', '--legacy-peer-deps'] };

/** What keeps the frameworks quiet and offline. */
export const ENVIRONMENT = {
  NODE_NO_WARNINGS: '1',
  AI_SDK_LOG_WARNINGS: 'false',
  MASTRA_TELEMETRY_DISABLED: '1',
  LANGSMITH_TRACING: 'false',
};

/** A Node that is new enough: this one, or version 22 from npm. */
export function nodeOf(version) {
  if (Number(process.versions.node.split('.')[0]) >= version) return process.execPath;
  install(`${here}packages/node22`);
  const packages = `${here}packages/node22/node_modules/`;
  const found = readdirSync(packages).find((name) => name.startsWith('node-'));
  if (found === undefined)
    throw new Error(`there is no Node ${version} for ${process.platform} ${process.arch} on npm; run this with Node ${version}`);
  return `${packages}${found}/bin/node${process.platform === 'win32' ? '.exe' : ''}`;
}

/** Where a framework's own sources are: its fake model among them. */
export const sourcesOf = ({ source }) => source.map((part) => `${here}src/${part}`);
/** What they all use. */
export const SHARED = ['framework.ts', 'finishes.ts', 'page-think.ts', 'page-stream.ts'].map((file) => `${here}src/${file}`);

/** The blocks of the documentation that use a framework's packages: they are compiled with those. */
const documented = (name) => pagesOf(root).flatMap((page) => blocksOf(root, page).filter(({ framework }) => framework === name));

/**
 * Copies files and folders beside a framework's packages, so that they and their types are found there, and checks
 * the types.
 * @returns The folder.
 */
export function checkTypes({ name }, purpose, sources) {
  const folder = `${here}packages/${name}`;
  install(folder, FLAGS[name] ?? ['--ignore-scripts']);
  const work = `${folder}/.work/${purpose}`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  for (const source of sources) cpSync(source, source.endsWith('.ts') ? `${work}/${basename(source)}` : work, { recursive: true });
  for (const { page, line, given, code } of purpose === 'tests' ? documented(name) : []) {
    writeFileSync(`${work}/${page.replaceAll(/\W/g, '-')}-${line}.ts`, `${given}\n${code}`);
  }
  const types = { typeRoots: [`${root}node_modules/@types`], types: ['node'] };
  const options = {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'esnext.disposable', 'dom'],
    strict: true,
    exactOptionalPropertyTypes: true,
    moduleDetection: 'force',
    noEmit: true,
    skipLibCheck: true,
    ...types,
  };
  writeFileSync(`${work}/tsconfig.json`, JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));
  writeFileSync(`${work}/package.json`, JSON.stringify({ type: 'module' }));
  execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', work], { stdio: ['ignore', 'inherit', 'inherit'] });
  return work;
}

/**
 * Copies files and folders beside a framework's packages, checks their types, and bundles `main.ts`.
 * @returns The bundle's path.
 */
export async function prepare(framework, purpose, sources) {
  const work = checkTypes(framework, purpose, sources);
  return bundled(work, 'main');
}

/** The programs of a page that are run: which block each is, and the file that has what it declares. */
const PROGRAMS = {
  page: { parts: 'page-parts', isIt: ({ given, code }) => /declare const (?:model|client)\b/.test(given) && code.includes('onWake') },
  stream: { parts: 'stream-parts', isIt: ({ code }) => code.includes("'SIGINT'") },
};

/**
 * Bundles a program of a framework's page: what it declares are the parts beside its sources, and `readMail` is that of
 * the page of all frameworks.
 * @returns The bundle's path; undefined if there are no parts for it.
 */
export async function preparePage({ name }, kind) {
  const { parts, isIt } = PROGRAMS[kind];
  const work = `${here}packages/${name}/.work/tests`;
  if (!existsSync(`${work}/${parts}.ts`)) return undefined;
  const program = documented(name).find(isIt);
  const mail = blocksOf(root, 'docs/frameworks/README.md').find(({ code }) => code.includes('function readMail'));
  writeFileSync(
    `${work}/read-mail.ts`,
    mail.code.slice(0, mail.code.indexOf('\nconst manager')).replace('async function', 'export async function'),
  );
  const given = program.given
    .replace(/^declare function readMail.*$/m, "import { readMail } from './read-mail.js';")
    .replaceAll(/^declare const (\w+):.*$/gm, `import { $1 } from './${parts}.js';`);
  writeFileSync(`${work}/${kind}.ts`, `${given}\n${program.code}`);
  return bundled(work, kind);
}

async function bundled(work, name) {
  const outfile = `${work}/${name}.js`;
  await build({
    entryPoints: [`${work}/${name}.ts`],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    target: 'node20',
    platform: 'node',
    logLevel: 'warning',
  });
  return outfile;
}
