// Reads the module, and random bytes for a manager's ids, for the entries of Node. The bytes come from the kernel's device. The
// first use of `crypto` makes Node load all of its cryptography: a fifth of the time from import to first result.

import { SubAgentError } from '../base/error-class.js';

/** The part of `node:fs` that the entries for Node use. */
export interface NodeFiles {
  readFileSync(path: URL | string): Uint8Array<ArrayBuffer>;
  openSync(path: string, flags: string): number;
  fstatSync(file: number): { isCharacterDevice(): boolean };
  readSync(file: number, bytes: Uint8Array, offset: number, length: number, position: null): number;
  closeSync(file: number): void;
}

/** The part of `require` that they use. */
export interface NodeRequire {
  (name: 'node:fs'): NodeFiles;
  resolve(name: string): string;
}

/** Reads the file next to the entry. If a bundler has moved the entry, reads it from the package if that is still installed. */
export function readModule(require: NodeRequire, file: string, beside: () => URL | string): Uint8Array<ArrayBuffer> {
  const { readFileSync } = require('node:fs');
  try {
    return readFileSync(beside());
  } catch (cause) {
    try {
      return readFileSync(require.resolve(`subagents/${file}`));
    } catch {
      const message = `${file} is not where the package has it: bundle with the condition \`module\`, leave \`subagents\` out of the bundle, or use subagents/slim`;
      throw new SubAgentError('not_ready', message, {}, { cause });
    }
  }
}

/** Fills the bytes from the kernel's generator if that is a device, else by `crypto`. */
export function fillRandom(files: NodeFiles, bytes: Uint8Array): void {
  if (!readDevice(files, bytes)) globalThis.crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
}

function readDevice({ openSync, fstatSync, readSync, closeSync }: NodeFiles, bytes: Uint8Array): boolean {
  try {
    const device = openSync('/dev/urandom', 'r');
    try {
      // In a jail without devices, a plain file may have this name, and would give the same bytes each time.
      return fstatSync(device).isCharacterDevice() && readSync(device, bytes, 0, bytes.length, null) === bytes.length;
    } finally {
      closeSync(device);
    }
  } catch {
    // Windows has no such device, and a program may have forbidden itself to read files.
    return false;
  }
}
