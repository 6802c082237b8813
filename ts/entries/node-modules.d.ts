// As much of Node's own modules as the entry for Node uses.

declare module 'node:fs' {
  export function readFileSync(path: URL | string): Uint8Array<ArrayBuffer>;
}

declare module 'node:module' {
  export function createRequire(url: string): { resolve(name: string): string };
}
