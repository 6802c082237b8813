// The module as text inside JavaScript: what the build writes is what the package reads.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { wasmText } from '../scripts/wasm-text.mjs';
import { readWasmText } from '../ts/wasm-text.js';

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
  ['the module', readFileSync(new URL('../pkg/subagents.wasm', import.meta.url))],
])('%s comes back', (_, bytes) => {
  expect(Buffer.from(there(bytes)).equals(Buffer.from(bytes))).toBe(true);
});
