// Makes `pkg/host.js`: the functions that the wasm glue imports, `ts/entries/glue.ts` with its own imports, in one file, so
// that `pkg/` works alone. The package's own modules import them from there. Run by itself, it prints the file.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const GLUE = 'ts/entries/glue.ts';

/** The paths of a module and of all modules that it imports. */
export async function modulesOf(path) {
  const [made] = await generated(path, []);
  return new Set(Object.keys(made.modules));
}

/** The paths of the modules in `pkg/host.js`. */
export const hostModules = (root) => modulesOf(join(root, GLUE));

/** Makes its text: the exports of the glue, and those that other modules of the package import. */
export async function makeHost(root) {
  const glue = `export * from ${JSON.stringify(join(root, GLUE))};\n`;
  const all = glue + takenFrom(await hostModules(root), root);
  const [made] = await generated('all', [
    { name: 'all', resolveId: (id) => (id === 'all' ? id : undefined), load: (id) => (id === 'all' ? all : undefined) },
  ]);
  return made.code;
}

/** Exports the names that modules outside of these import from them. */
function takenFrom(modules, root) {
  const files = ['ts', 'inspector', 'command'].flatMap((folder) => {
    const found = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    return found.filter((file) => /\.tsx?$/.test(file)).map((file) => join(root, folder, file));
  });
  const taken = new Map();
  for (const file of files.filter((each) => !modules.has(each))) {
    for (const [, names, from] of readFileSync(file, 'utf8').matchAll(/^(?:import|export) \{([^}]*)\} from '(\.[^']*)\.js';/gm)) {
      const path = `${join(dirname(file), from)}.ts`;
      if (!modules.has(path)) continue;
      const values = names.split(',').map((name) => name.trim().split(' as ')[0]);
      for (const name of values.filter((each) => each !== '' && !each.startsWith('type '))) taken.set(name, path);
    }
  }
  const lines = [...taken].map(([name, path]) => `export { ${name} } from ${JSON.stringify(path)};`);
  return lines.sort().join('\n');
}

async function generated(input, plugins) {
  const onLog = (_, { message }) => {
    // For example, two modules of the core export the same name.
    throw new Error(message);
  };
  const made = await rolldown({
    input,
    plugins,
    platform: 'neutral',
    external: /\/pkg\//,
    transform: { target: 'es2022' },
    // Leaves out the module of each part, which takes a kilobyte (gzip).
    experimental: { attachDebugInfo: 'none' },
    logLevel: 'warn',
    onLog,
  });
  const { output } = await made.generate({ format: 'esm', comments: { legal: false, annotation: true, jsdoc: false } });
  return output;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.stdout.write(await makeHost(fileURLToPath(new URL('..', import.meta.url))));
