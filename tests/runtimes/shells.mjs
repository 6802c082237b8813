// The runtimes that run a file: Node, Deno, Bun. Owns the two files that run the suite there, by `import`
// and by `require`, and where the binaries are.

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MARK, reportIn, run } from './process.mjs';

const modules = fileURLToPath(new URL('./node_modules/', import.meta.url));

// The process has to end by itself then: nothing that the suite leaves open may keep one alive.
const reported = `console.log(${JSON.stringify(MARK)} + JSON.stringify(report) + ${JSON.stringify(MARK)});`;
const kit = "{ trapModule: new WebAssembly.Module(readFileSync('trap.wasm')) }";

/** The files of a project of ECMAScript modules. */
export function esmFiles(suite, slimSuite) {
  return {
    'suite.js': suite,
    'slim-suite.js': slimSuite,
    'main.js': `import { readFileSync } from 'node:fs';\nimport { conform } from './suite.js';\nconst report = await conform(${kit});\n${reported}\n`,
    'slim.js': `import { readFileSync } from 'node:fs';\nimport { init } from 'subagents/slim';\nimport { conform } from './slim-suite.js';
await init(readFileSync('node_modules/subagents/pkg/subagents.wasm'));\nconst report = await conform(${kit});\n${reported}\n`,
    'both.js':
      "import { createRequire } from 'node:module';\nimport { SubAgentManager } from 'subagents';\nconsole.log(createRequire(import.meta.url)('subagents').SubAgentManager === SubAgentManager);\n",
  };
}

/** The files of a project of CommonJS modules. */
export function cjsFiles(suite) {
  const main = `const { readFileSync } = require('node:fs');\nconst { conform } = require('./suite.cjs');\nconform(${kit}).then((report) => {\n  ${reported}\n});\n`;
  return { 'suite.cjs': suite, 'main.cjs': main };
}

/** A binary of a package that has one for each platform, if it is installed. */
function binary(scope, name) {
  const folder = `${modules}${scope}`;
  const found = existsSync(folder)
    ? readdirSync(folder).flatMap((platform) => [`${folder}/${platform}/${name}`, `${folder}/${platform}/bin/${name}`])
    : [];
  return found.find((file) => existsSync(file));
}

/** The Node of a major version, if its package is installed. */
export const node = (major) => [`${modules}node${major}/bin/node`].find((file) => existsSync(file));

/** `{ name, missing?, run(projects) }` for each. */
export function shells() {
  const deno = binary('@deno', 'deno');
  const bun = binary('@oven', 'bun');
  // It may read what it is run with, and nothing else: the package needs no permission.
  const denoArgs = ['run', '--no-prompt', '--allow-read=trap.wasm'];
  const entries = [
    ...[process.execPath, node(22), node(24)].flatMap((file, at) => {
      const name = at === 0 ? `Node ${process.versions.node.split('.')[0]}` : `Node ${[22, 24][at - 1]}`;
      return [
        [`${name}, import`, file, ['main.js'], 'esm'],
        [`${name}, require`, file, ['main.cjs'], 'cjs'],
        // As in a Node before 20.19, for which the CommonJS files are there.
        [`${name}, require of CommonJS`, file, ['--no-experimental-require-module', 'main.cjs'], 'cjs'],
        [`${name}, slim`, file, ['slim.js'], 'esm'],
      ];
    }),
    ['Deno, import', deno, [...denoArgs, 'main.js'], 'esm'],
    // Looking for what is required is reading, to Deno.
    ['Deno, require', deno, ['run', '--no-prompt', '--allow-read=.', 'main.cjs'], 'cjs'],
    ['Bun, import', bun, ['main.js'], 'esm'],
    ['Bun, require', bun, ['main.cjs'], 'cjs'],
  ];
  return entries.map(([name, file, args, type]) => ({
    name,
    missing: file === undefined ? 'its package has no binary for this platform' : undefined,
    async run(projects) {
      const env = { DENO_DIR: `${projects.esm}/.deno`, DENO_NO_UPDATE_CHECK: '1' };
      return reportIn(await run(file, args, { cwd: projects[type], env }));
    },
  }));
}

/** Where `import` and `require` come to one instance: every Node that has `require` of modules, and Bun. */
export function oneInstance() {
  const files = [
    ['Node 22', node(22)],
    ['Node 24', node(24)],
    ['Bun', binary('@oven', 'bun')],
  ];
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) files.unshift([`Node ${major}`, process.execPath]);
  return files.map(([name, file]) => ({
    name: `${name}: import and require share one instance`,
    missing: file === undefined ? 'its package has no binary for this platform' : undefined,
    async check(projects) {
      const said = (await run(file, ['both.js'], { cwd: projects.esm })).trim();
      if (said !== 'true') throw new Error(`they don't: ${said}`);
    },
  }));
}

export { binary };

const COLD = `const start = performance.now();
const { SubAgentManager } = await import('subagents');
const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });
await manager.spawn({ instructions: 'x' }).wait();
console.log(performance.now() - start);
`;

/** Import to the end of the first run, the median of eleven processes: `[what, ms]`. */
export async function coldStarts({ esm }) {
  writeFileSync(`${esm}/cold.mjs`, COLD);
  const entries = [
    [`Node ${process.versions.node}`, process.execPath, []],
    ['Deno', binary('@deno', 'deno'), ['run', '--no-prompt']],
    ['Bun', binary('@oven', 'bun'), []],
  ].filter(([, file]) => file !== undefined);
  const measured = [];
  for (const [name, file, args] of entries) {
    const times = [];
    for (let round = 0; round < 11; round += 1) times.push(Number(await run(file, [...args, 'cold.mjs'], { cwd: esm })));
    measured.push([`import to first call, ${name}`, times.sort((one, other) => one - other)[5]]);
  }
  return measured;
}
