// `npm start`: installs, builds, and runs an example: a lead agent that delegates to sub-agents. Needs only Node; pkg/ is
// committed. It skips parts that are up to date. `npm run start:coding` and `npm run start:workers` are the same for the other
// examples.

import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { constants } from 'node:os';
import { root } from './run.mjs';
import { contentOf, isBuilt, isInstalled, PACKAGE, setBuilt } from './stamp.mjs';
import { npm } from './system.mjs';

const TICK_MS = 250;
/** Options of the examples that npm would take for its own if the -- before them is missing. */
const OPTIONS = [
  ...['question', 'max-concurrent', 'budget', 'base-url', 'model', 'api-key-env', 'pace'],
  ...['approve', 'repository', 'state', 'keep', 'kill', 'no-deploy'],
];
const ci = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];

const given = process.argv.slice(2);
const name = given[0]?.startsWith('--example=') ? given.shift().slice('--example='.length) : 'ask';
const example = `${root}examples/${name}`;
// The examples that need an install: `first` runs without one.
const examples = readdirSync(`${root}examples`).filter((each) => existsSync(`${root}examples/${each}/package.json`));
if (!examples.includes(name)) {
  console.error(`There is no example "${name}"; there are ${examples.join(', ')}.`);
  process.exit(2);
}

const parts = [
  packages('the build tools', root),
  build('the package', 'package', PACKAGE.from, PACKAGE.made, process.execPath, [`${root}scripts/build.mjs`], root),
  packages('the example', example),
  build(
    'the example',
    name,
    [`${example}/src`, `${example}/tsconfig.json`, `${example}/package-lock.json`],
    [`${example}/dist`],
    'npm',
    ['run', '--silent', 'build'],
    example,
  ),
];

function packages(what, folder) {
  return { title: `installing ${what} (npm ci)`, isDone: () => isInstalled(folder), command: 'npm', args: ci, cwd: folder };
}

function build(what, stamp, from, made, command, args, cwd) {
  let content;
  return {
    title: `building ${what}`,
    isDone: () => {
      content = contentOf(from);
      return isBuilt(stamp, from, made);
    },
    done: () => setBuilt(stamp, content, made),
    command,
    args,
    cwd,
  };
}

/** The running process: a part, or the example. Ctrl-C and SIGTERM go to it; on Windows the console sends it Ctrl-C itself. */
let running;
let stopped;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    stopped = signal;
    if (process.platform !== 'win32') running?.kill(signal);
  });
}

readNpm();
await setUp();
// The user's own folder, as the base of relative paths.
const cwd = process.env.INIT_CWD ?? process.cwd();
// From Node 22 on, the code that the example loads is compiled once.
const env = { NODE_COMPILE_CACHE: `${root}target/compile-cache`, ...process.env };
running = spawn(process.execPath, [`${example}/dist/main.js`, ...given], { cwd, env, stdio: 'inherit' });
running.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));

async function setUp() {
  const missing = parts.filter((part) => !part.isDone());
  if (missing.length === 0) return;
  const isWhole = missing.length === parts.length;
  const times = missing.length === 1 ? '1 part' : `${missing.length} parts`;
  say(isWhole ? `Setting up, once: ${times}, about a minute.` : `Something has changed: ${times} to do.`);
  for (const [at, part] of missing.entries()) {
    // An earlier part may have made it unnecessary.
    if (!part.isDone()) await carryOut(`  ${at + 1}/${missing.length}  ${part.title}`, part);
  }
  say('');
}

/** Runs one part. Its own output is shown only if it fails; a terminal shows the seconds that have passed. */
async function carryOut(title, part) {
  const began = Date.now();
  const passed = () => `${((Date.now() - began) / 1000).toFixed(1)} s`;
  const isTerminal = process.stderr.isTTY;
  const show = (end) => process.stderr.write(isTerminal ? `\r\x1b[K${title} … ${passed()}${end}` : `${title} … ${passed()}${end}`);
  if (isTerminal) show('');
  const ticking = isTerminal ? setInterval(() => show(''), TICK_MS) : undefined;
  const { code, output } = await outputOf(part);
  clearInterval(ticking);
  if (stopped !== undefined) {
    say(`${isTerminal ? '\n' : ''}Stopped while ${part.title}; the next start goes on from here.`);
    process.exit(128 + constants.signals[stopped]);
  }
  if (code !== 0) {
    show(': failed\n\n');
    say(`${output.trimEnd()}\n\n${part.title}: failed. The command was: ${part.command} ${part.args.join(' ')} (in ${part.cwd})`);
    process.exit(1);
  }
  show('\n');
  part.done?.();
}

function outputOf({ command, args, cwd }) {
  return new Promise((resolve) => {
    let output = '';
    const [program, words] = command === 'npm' ? npm(args) : [command, args];
    running = spawn(program, words, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [running.stdout, running.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (output += chunk));
    running.once('error', (error) => resolve({ code: 1, output: `${command} could not be started: ${error.message}` }));
    running.once('close', (code) => resolve({ code, output }));
  });
}

/** Refuses options that npm has taken from the example, except `--json`. Warns of lines that npm prints. */
function readNpm() {
  const { npm_lifecycle_event: script, npm_config_json: json, npm_config_loglevel: level } = process.env;
  if (!script?.startsWith('start')) return;
  const taken = OPTIONS.find((each) => {
    const value = process.env[`npm_config_${each.replace(/^no-/, '').replaceAll('-', '_')}`];
    // npm turns `--no-deploy` into an empty `deploy`.
    return each.startsWith('no-') ? value === '' : value !== undefined;
  });
  if (taken !== undefined) {
    say(`npm has taken --${taken} for itself; put -- before the options: npm ${script === 'start' ? '' : 'run '}${script} -- --${taken} …`);
    process.exit(2);
  }
  // With `npm start --json`, npm takes the option, and prints its own output on stderr.
  if (json === 'true' && !given.includes('--json')) given.push('--json');
  else if (given.includes('--json') && json !== 'true' && level !== 'silent' && !process.stdout.isTTY) {
    say('npm has written its own lines on stdout before the JSON; `npm start --silent -- --json …` leaves them out.');
  }
}

function say(line) {
  process.stderr.write(`${line}\n`);
}
