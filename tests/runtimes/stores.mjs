// The stores where they run: each goes through `subagents/store/conformance` as the package has it. Owns the programs.

import { MARK, reportIn, run } from './process.mjs';
import { binary, node } from './shells.mjs';

/** Runs the checks of a store one after the other; the report has the names of those that passed, and the first failure. */
const CONFORM = `
import { storeConformance } from 'subagents/store/conformance';
export async function conform(makeStore, options) {
  const passed = [];
  for (const { name, run } of storeConformance(makeStore, options)) {
    try {
      await run();
      passed.push(name);
    } catch (error) {
      return { passed, failure: name + ': ' + (error.stack ?? error) };
    }
  }
  return { passed, failure: null };
}
`;
const told = `console.log(${JSON.stringify(MARK)} + JSON.stringify(report) + ${JSON.stringify(MARK)});`;
const inFolder = "mkdtempSync(join(tmpdir(), 'subagents-store-'))";
const imports = `import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conform } from './store-conform.js';
`;

export const storeFiles = {
  'store-conform.js': CONFORM,
  'store-file.js': `${imports}import { fileStore } from 'subagents/store/file';
const folder = ${inFolder};
const report = await conform((place) => fileStore(join(folder, place)));
rmSync(folder, { recursive: true });
${told}
`,
};

function passed({ passed, failure }) {
  if (failure !== null) throw new Error(failure);
  return `${passed.length} checks`;
}

/** `{ name, missing?, run(projects) }`: gives what to say beside the name. */
export function stores() {
  const deno = binary('@deno', 'deno');
  const bun = binary('@oven', 'bun');
  const shells = [
    [`Node ${process.versions.node.split('.')[0]}`, process.execPath, []],
    ['Node 22', node(22), []],
    ['Node 24', node(24), []],
    ['Deno', deno, ['run', '--no-prompt', '--allow-all']],
    // What else it wants to know, such as the name of the machine, it does without.
    ['Deno with files alone', deno, ['run', '--no-prompt', '--allow-read', '--allow-write', '--allow-env']],
    ['Bun', bun, []],
  ];
  return shells.map(([name, file, args]) => ({
    name: `${name}, the file store`,
    missing: file === undefined ? 'its package has no binary for this platform' : undefined,
    async run({ esm }) {
      const env = { DENO_DIR: `${esm}/.deno`, DENO_NO_UPDATE_CHECK: '1' };
      return passed(reportIn(await run(file, [...args, 'store-file.js'], { cwd: esm, env })));
    },
  }));
}
