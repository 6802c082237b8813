// The types of imports of the wasm file, which the build resolves.

/** A file of the deployment, compiled. */
declare module '*.wasm' {
  const module: object;
  export default module;
}

/** The same file, as Vercel names it. */
declare module '*.wasm?module' {
  const module: object;
  export default module;
}

/** Text inside JavaScript; see `scripts/wasm-text.mjs`. */
declare module '*.wasm?text' {
  const wasm: { readonly text: string; readonly frequent: string };
  export default wasm;
}
