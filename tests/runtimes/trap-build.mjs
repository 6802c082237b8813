// The test build with a deliberate trap: the published module, where each function first looks at a fuse.
// `trapIn` is exported and 0; set to n, the n-th call inside the module from then on traps. Never shipped.

import binaryen from 'binaryen';

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
