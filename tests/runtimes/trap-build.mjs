// The test build with a deliberate trap: the published module, where each function first looks at a fuse.
// `trapIn` is exported and 0; set to n, the n-th call inside the module from then on traps. Never shipped.
//
// And the package around a module that opens managers from facts, which the published one can't: made by
// `cargo xtask build-journal`, bundled here from the same sources.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import binaryen from 'binaryen';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));
const made = `${root}target/journal/`;

/** The bytes of the test build. */
export function withFuse(bytes) {
  const module = binaryen.readBinary(bytes);
  const fuse = 'trap-in';
  module.addGlobal(fuse, binaryen.i32, true, module.i32.const(0));
  module.addGlobalExport(fuse, 'trapIn');
  const read = () => module.global.get(fuse, binaryen.i32);
  for (let at = 0; at < module.getNumFunctions(); at += 1) {
    const fn = module.getFunctionByIndex(at);
    const { module: imported, body, results } = binaryen.getFunctionInfo(fn);
    if (imported !== '') continue;
    const burn = module.block(null, [
      module.global.set(fuse, module.i32.sub(read(), module.i32.const(1))),
      module.if(module.i32.eqz(read()), module.unreachable()),
    ]);
    binaryen.Function.setBody(fn, module.block(null, [module.if(read(), burn), body], results));
  }
  return module.emitBinary();
}

/** Where the module that opens managers from facts lies, and the package around it. */
export async function withJournal() {
  const wasm = `${made}pkg/subagents.wasm`;
  if (!existsSync(wasm)) throw new Error('there is no test build that opens managers from facts: `cargo xtask build-journal` makes it');
  const path = `${made}dist/index.js`;
  const itsGlue = {
    name: 'its-glue',
    setup({ onResolve }) {
      onResolve({ filter: /\/pkg\/subagents\.js$/ }, () => ({ path: `${made}pkg/subagents.js` }));
      onResolve({ filter: /^\.\/host\.js$/ }, ({ resolveDir }) =>
        resolveDir.endsWith('pkg') ? { path: `${root}ts/boundary/host.ts` } : undefined,
      );
    },
  };
  await build({ entryPoints: [`${root}ts/index.ts`], bundle: true, format: 'esm', target: 'es2022', outfile: path, plugins: [itsGlue] });
  return { wasm, path };
}
