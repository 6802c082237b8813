// As much of Node's own modules as the entry for Node uses. Owns the types of that.

declare module 'node:module' {
  interface Require {
    (name: 'node:fs'): import('./random.js').NodeFiles;
    resolve(name: string): string;
  }
  export function createRequire(url: string): Require;
}
