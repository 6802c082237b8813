/** The bytes that make `target` of `base`. */
export function wasmDelta(base: Uint8Array, target: Uint8Array): Uint8Array;
