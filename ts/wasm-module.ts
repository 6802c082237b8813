// Where the module comes from: its bytes stand in the package, base64 inside JavaScript, so that no
// runtime has to fetch or configure anything. Owns that it is decoded and compiled once, at the first use.

import base64 from '../pkg/subagents.wasm';

let compiled: object | undefined;

export function wasmModule(): object {
  compiled ??= new WebAssembly.Module(decode());
  return compiled;
}

type Decoder = { fromBase64?(text: string): Uint8Array<ArrayBuffer> };
type NodeBuffer = { Buffer?: { from(text: string, encoding: 'base64'): Uint8Array<ArrayBuffer> } };

/** The fastest way that the runtime has; the last one is there everywhere. */
function decode(): Uint8Array<ArrayBuffer> {
  const { Buffer } = globalThis as NodeBuffer;
  if (Buffer !== undefined) return Buffer.from(base64, 'base64');
  const { fromBase64 } = Uint8Array as Decoder;
  if (fromBase64 !== undefined) return fromBase64.call(Uint8Array, base64);
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
