// Where the module comes from: its bytes stand in the package, base64 inside JavaScript, so that no
// runtime has to fetch or configure anything. Owns that it is compiled once, at the first use.

import bytes from '../pkg/subagents.wasm';

let compiled: object | undefined;

export function wasmModule(): object {
  compiled ??= new WebAssembly.Module(bytes);
  return compiled;
}
