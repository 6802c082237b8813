// What the build makes of the imports of the wasm file. Owns the types of these imports.

/** A file of the deployment, compiled. */
declare module '*.wasm' {
  const module: object;
  export default module;
}

/** The same, as Vercel names it. */
declare module '*.wasm?module' {
  const module: object;
  export default module;
}

/** What makes it of the plain module, as text inside JavaScript; see `scripts/wasm-delta.mjs`. */
declare module '*.wasm?delta' {
  const delta: { readonly text: string; readonly frequent: string };
  export default delta;
}

/** Text inside JavaScript; see `scripts/wasm-text.mjs`. */
declare module '*.wasm?text' {
  const wasm: { readonly text: string; readonly frequent: string };
  export default wasm;
}
