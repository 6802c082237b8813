// A process with Vercel's edge runtime that answers one request: `node edge-host.mjs <project> <bundle>`.

import { readFileSync } from 'node:fs';
import { EdgeRuntime } from 'edge-runtime';
import { MARK } from './process.mjs';

const [folder, bundle] = process.argv.slice(2);
const compiled = (file) => new WebAssembly.Module(readFileSync(`${folder}/${file}`));
const runtime = new EdgeRuntime({
  initialCode: readFileSync(`${folder}/${bundle}`, 'utf8'),
  // As Next's sandbox does: modules of this realm, as globals of the other one.
  extend: (context) =>
    Object.assign(context, {
      wasm_subagents: compiled('node_modules/subagents/pkg/subagents.wasm'),
      wasm_trap: compiled('trap.wasm'),
    }),
});
const response = await runtime.dispatchFetch('http://localhost/');
process.stdout.write(`${MARK}${await response.text()}${MARK}`, () => {
  // Timers of the sandbox are numbers, and keep the process whatever they are for.
  process.exit(0);
});
