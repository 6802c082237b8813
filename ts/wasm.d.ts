// The bundler hands a wasm file over as base64.
declare module '*.wasm' {
  const base64: string;
  export default base64;
}
