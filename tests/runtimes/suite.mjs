// The conformance suite as one file of JavaScript: it imports the package by its name and nothing else, so
// that every runtime and bundler takes it. Owns how it is put together.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const golden = fileURLToPath(new URL('../golden/', import.meta.url));

/** The text of the suite, which exports `conform`; `name` is what it imports the package as. */
export async function suite(format, name = 'subagents') {
  const { outputFiles } = await build({
    entryPoints: [`${here}conformance/index.ts`],
    bundle: true,
    write: false,
    format,
    target: 'es2022',
    plugins: [parts(name)],
    logLevel: 'warning',
  });
  return outputFiles[0].text;
}

/** What the suite uses of the tests of Node, without what only Node has. */
function parts(name) {
  return {
    name: 'parts',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^subagents$|\/dist\/index\.js$/ }, () => ({ path: name, external: true }));
      onResolve({ filter: /\/virtual-time\.js$/ }, () => ({ path: `${here}conformance/virtual-time.ts` }));
      // Named by files of which the suite uses other parts.
      onResolve({ filter: /^vitest$/ }, ({ path }) => ({ path, external: true, sideEffects: false }));
      onLoad({ filter: /conformance\/transcripts\.ts$/ }, () => {
        const files = readdirSync(golden).filter((file) => file.endsWith('.txt'));
        const texts = files.sort().map((file) => [file.slice(0, -4), readFileSync(golden + file, 'utf8')]);
        return { contents: `export default ${JSON.stringify(Object.fromEntries(texts))};`, loader: 'js' };
      });
    },
  };
}
