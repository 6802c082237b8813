// Builds the inspector: one script with everything that it needs, for a page without a bundler, and its types.

import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { addLibrary } from './types.mjs';

/** Options of every bundle with the inspector's sources: styles are texts, which the element constructs. */
export const INSPECTOR_OPTIONS = {
  bundle: true,
  format: 'esm',
  target: 'es2022',
  loader: { '.css': 'text' },
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'warning',
};

/** The packages in the script: `dist/inspector.licences.txt` has their licences. */
const BUNDLED = ['preact', '@preact/signals', '@preact/signals-core', 'd3-hierarchy', '@tanstack/virtual-core', 'uplot'];

/** @param {string} root The folder of the package, with a slash at its end; dist/ already has the view. */
export async function buildInspector(root) {
  await build({
    ...INSPECTOR_OPTIONS,
    absWorkingDir: root,
    entryPoints: [`${root}inspector/src/element.tsx`],
    outfile: `${root}dist/inspector.js`,
    alias: { 'subagents/view': `${root}ts/view/index.ts` },
    minify: true,
    plugins: [lies('./stored.js', './inspector-stored.js')],
    banner: { js: '// With Preact, signals, d3-hierarchy, virtual-core and uPlot: see inspector.licences.txt.' },
  });
  // The page loads it when the file of a store is opened; the core comes from the files next to it.
  await build({
    ...INSPECTOR_OPTIONS,
    absWorkingDir: root,
    entryPoints: [`${root}inspector/src/stored.ts`],
    outfile: `${root}dist/inspector-stored.js`,
    minify: true,
    plugins: [
      lies('subagents', './index.js'),
      ...['./shared.js', '../shared.js'].map((name) => lies(name, './shared.js')),
      ...['../../base/errors.js', '../../pkg/host.js'].map((name) => lies(name, '../pkg/host.js')),
    ],
    alias: { 'subagents/view': `${root}ts/view/index.ts`, 'subagents/journal': `${root}dist/journal.js` },
  });
  writeFileSync(`${root}dist/inspector.licences.txt`, licences(root, 'dist/inspector.js', BUNDLED));
}

/** The inspector's server, its page and the program `subagents`: they load the package, and contain only its version. */
export async function buildInspectorServer(root, version) {
  const common = {
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'node',
    external: ['subagents', 'subagents/*'],
    // Names stay, for stack traces; Node shows the whole line of an uncaught error.
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 400,
    logLevel: 'warning',
  };
  const from = `${root}inspector/node/`;
  await Promise.all([
    build({ ...common, entryPoints: [`${from}server.ts`], outfile: `${root}dist/inspector-server.js`, plugins: [sharedErrors] }),
    build({
      ...common,
      entryPoints: [`${from}cli.ts`],
      outfile: `${root}dist/cli.js`,
      define: { PACKAGE_VERSION: JSON.stringify(version) },
      plugins: [lies('./server.js', './inspector-server.js'), lies('../../command/main.js', './command.js')],
    }),
    build({ ...common, platform: 'browser', entryPoints: [`${from}page.ts`], outfile: `${root}dist/inspector-page.js`, minify: true }),
  ]);
  chmodSync(`${root}dist/cli.js`, 0o755);
  for (const end of ['html', 'css']) copyFileSync(`${from}page.${end}`, `${root}dist/inspector-page.${end}`);
}

/** Makes an error of the server an instance of the class that every part shares. */
const sharedErrors = {
  name: 'shared errors',
  setup({ onResolve }) {
    onResolve({ filter: /\/error-class\.js$/ }, () => ({ path: '../pkg/host.js', external: true }));
  },
};

/** Replaces the import of a file by its place in dist/. */
function lies(name, place) {
  return {
    name: `lies ${name}`,
    setup({ onResolve }) {
      onResolve({ filter: /^/ }, ({ path }) => (path === name ? { path: place, external: true } : undefined));
    },
  };
}

/** The types of the element and of the server alone, without those of the libraries. */
export function writeInspectorTypes(root) {
  const folder = mkdtempSync(join(tmpdir(), 'subagents-inspector-'));
  try {
    const tsc = `${root}node_modules/typescript/bin/tsc`;
    const emitted = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--stripInternal', '--outDir', folder];
    execFileSync(process.execPath, [tsc, '-p', `${root}inspector`, ...emitted], { stdio: 'inherit' });
    copyFileSync(`${folder}/inspector/src/element.d.ts`, `${root}dist/inspector.d.ts`);
    execFileSync(process.execPath, [tsc, '-p', `${root}inspector/node`, ...emitted], { stdio: 'inherit' });
    copyFileSync(`${folder}/inspector/node/server.d.ts`, `${root}dist/inspector-server.d.ts`);
    addLibrary(`${root}dist/inspector-server.d.ts`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The licences of the packages in a bundle. */
export function licences(root, file, packages) {
  const parts = packages.map((name) => {
    const folder = `${root}node_modules/${name}`;
    const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    return `${name} ${version}, ${license}\n\n${readFileSync(`${folder}/LICENSE`, 'utf8').trim()}\n`;
  });
  return `${file} holds these packages.\n\n${parts.join(`\n${'-'.repeat(72)}\n\n`)}`;
}
