// The module as text inside JavaScript: what the build writes is what the package reads.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { wasmText } from '../../scripts/wasm-text.mjs';
import { readWasmText } from '../../ts/entries/wasm-text.js';

const there = (bytes: Uint8Array): Uint8Array => {
  const { text, frequent } = wasmText(bytes);
  // ASCII that no quotes, no template, no page and no escape reads otherwise.
  expect(/^[ -~]*$/.test(text)).toBe(true);
  expect(/["'`\\$<]/.test(text)).toBe(false);
  return readWasmText(text, frequent);
};

test.each([
  ['nothing', new Uint8Array(0)],
  ['every byte once', Uint8Array.from({ length: 256 }, (_, at) => at)],
  ['one byte often', new Uint8Array(10_000).fill(255)],
  ['rare bytes at the ends of parts', Uint8Array.from({ length: 5_000 }, (_, at) => (at % 1_023 === 0 ? 200 + (at % 50) : at % 80))],
  ['the module', readFileSync(new URL('../../pkg/subagents.wasm', import.meta.url))],
])('%s comes back', (_, bytes) => {
  expect(Buffer.from(there(bytes)).equals(Buffer.from(bytes))).toBe(true);
});

test('the reader is what its source gives', () => {
  const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'subagents-reader-'));
  try {
    const made = join(folder, 'reader.wasm');
    const assemble = [file('../../node_modules/binaryen/bin/wasm-opt'), '-Oz', file('../../ts/wasm-text.wat'), '-o', made];
    execFileSync(process.execPath, assemble);
    const held = readFileSync(file('../../ts/entries/wasm-text.ts'), 'utf8').match(/const READER =[^;]*;/)?.[0] ?? '';
    expect(held.replace(/[^0-9a-f']|const READER/g, '').replaceAll("'", '')).toBe(readFileSync(made).toString('hex'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
