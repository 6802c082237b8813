// The types of Node's modules that the entry for Node uses.

declare module 'node:module' {
  export function createRequire(url: string): import('./files.js').NodeRequire;
}
