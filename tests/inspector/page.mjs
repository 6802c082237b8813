// The page that the tests of the inspector look at: served on loopback under a strict Content-Security-Policy, with fonts
// of its own, so that a picture is the same on every machine. Owns the browser.

import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { buildPlayground, serve } from '../../scripts/playground.mjs';
import { root } from '../../scripts/run.mjs';

const PLACES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
  '--disable-font-subpixel-positioning',
  '--disable-lcd-text',
];

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Inspector</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="test.css">
<subagents-inspector></subagents-inspector>
<script type="module" src="test.js"></script>
`;
const STYLE = `
@font-face { font-family: "Inter"; src: url("inter.woff2"); font-weight: 100 900; }
@font-face { font-family: "JetBrains Mono"; src: url("jetbrains-mono.woff2"); font-weight: 100 800; }
html, body { height: 100%; margin: 0; }
subagents-inspector { --subagents-font: "Inter"; --subagents-mono: "JetBrains Mono"; }
`;
const SCRIPT = `
import * as subagents from './dist/index.js';
import './dist/inspector.js';
globalThis.subagents = subagents;
globalThis.inspector = document.querySelector('subagents-inspector');
await document.fonts.load('13px Inter');
await document.fonts.load('12px "JetBrains Mono"');
globalThis.ready = true;
`;

/** The server and the browser; what is missing is said. */
export async function stage() {
  const executablePath = PLACES.find((place) => place !== undefined && existsSync(place));
  if (executablePath === undefined) return { missing: 'no Chromium here: install it, or name it in CHROMIUM' };
  const folder = mkdtempSync(join(tmpdir(), 'subagents-inspector-'));
  await buildPlayground(`${folder}/playground`);
  mkdirSync(`${folder}/test`);
  for (const font of ['inter.woff2', 'jetbrains-mono.woff2']) cpSync(`${folder}/playground/${font}`, `${folder}/test/${font}`);
  for (const part of ['dist', 'pkg']) cpSync(`${root}${part}`, `${folder}/test/${part}`, { recursive: true });
  writeFileSync(`${folder}/test/index.html`, PAGE);
  writeFileSync(`${folder}/test/test.css`, STYLE);
  writeFileSync(`${folder}/test/test.js`, SCRIPT);
  const [test, playground] = await Promise.all([serve(`${folder}/test`), serve(`${folder}/playground`)]);
  const browser = await chromium.launch({ executablePath, args: ARGS });
  const open = async (address, { width = 1280, height = 760, colorScheme = 'light', ready = true } = {}) => {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme,
      timezoneId: 'UTC',
      locale: 'en-GB',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const said = [];
    page.on('pageerror', (error) => said.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') said.push(message.text());
    });
    await page.goto(address);
    if (ready) await page.waitForFunction(() => globalThis.ready === true);
    return { page, said, close: () => context.close() };
  };
  return {
    version: browser.version(),
    /** The address of the page that has the element, and nothing else. */
    address: test.address,
    inspector: (options) => open(test.address, options),
    /** A page that something else serves. */
    at: (address, options) => open(address, { ...options, ready: false }),
    playground: (options, query = '') => open(`${playground.address}${query}`, { ...options, ready: false }),
    async close() {
      await browser.close();
      test.close();
      playground.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
