/** The bytes of the test build: `trapIn` is exported; set to n, the n-th call inside the module traps. */
export function withFuse(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
