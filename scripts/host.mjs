// Makes `pkg/host.js`: the functions that the wasm glue imports, `ts/entries/glue.ts` and what it needs, in one file, so that
// `pkg/` works alone. The package's own modules take what stands in it from there. Run by itself, it prints the file.

import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const GLUE = 'ts/entries/glue.ts';

/** The paths of the modules that a module comes to, itself among them. */
export async function modulesOf(path) {
  const [made] = await generated(path, []);
  return new Set(Object.keys(made.modules));
}

/** The paths of the modules that it holds. */
export const hostModules = (root) => modulesOf(join(root, GLUE));

/** Its text. */
export async function makeHost(root) {
  const modules = [...(await hostModules(root))].sort();
  const all = modules.map((path) => `export * from ${JSON.stringify(path)};`).join('\n');
  const [made] = await generated('all', [
    { name: 'all', resolveId: (id) => (id === 'all' ? id : undefined), load: (id) => (id === 'all' ? all : undefined) },
  ]);
  return made.code;
}

async function generated(input, plugins) {
  const onLog = (_, { message }) => {
    // Two modules of the core that export one name, for instance.
    throw new Error(message);
  };
  const made = await rolldown({
    input,
    plugins,
    platform: 'neutral',
    external: /\/pkg\//,
    transform: { target: 'es2022' },
    // Not which module each part was: that takes a kilobyte (gzip).
    experimental: { attachDebugInfo: 'none' },
    logLevel: 'warn',
    onLog,
  });
  const { output } = await made.generate({ format: 'esm', comments: { legal: false, annotation: true, jsdoc: false } });
  return output;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.stdout.write(await makeHost(fileURLToPath(new URL('..', import.meta.url))));
