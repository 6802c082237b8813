// As much of Node's own modules as the entry for Node uses. Owns the types of that.

declare module 'node:module' {
  export function createRequire(url: string): import('./files.js').NodeRequire;
}
