// Next: an app with the packed package, built by each of its bundlers and started. What routes on Node and on the edge, the
// middleware and a client component answer, and which form of the module each got. Owns the building and the server; the
// app lies in next/site.

import { deepStrictEqual } from 'node:assert';
import { spawn } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isInstalled } from '../../scripts/stamp.mjs';
import { wasmText } from '../../scripts/wasm-text.mjs';
import { run } from './process.mjs';
import { project } from './project.mjs';

/** Has packages and a lock file of its own, so that only who wants these checks has to install 340 MB for them. */
export const nextFolder = fileURLToPath(new URL('./next', import.meta.url));
const NEXT = 'node_modules/next/dist/bin/next';
const BUNDLERS = ['turbopack', 'webpack'];

const answer = (instructions, onEdge, kept) => ({ plain: `did ${instructions}`, stored: `did ${instructions}`, kept, onEdge });
/** What answers where, by path: the instructions, and whether it runs on the edge. */
const ROUTES = { '/node': ['on Node', false], '/edge': ['on the edge', true], '/middleware': ['in the middleware', true] };

/** The app and all that it needs, in a folder where the package is what users get. */
export function nextProject(folder, tarball) {
  // As Next's own apps do, it says no `type`: with `module`, Next 16.4 by webpack fails at any route on the edge, also
  // where the package isn't there.
  project(folder, tarball, undefined);
  cpSync(`${nextFolder}/site`, folder, { recursive: true });
  for (const name of readdirSync(`${nextFolder}/node_modules`))
    if (!name.startsWith('.')) cpSync(`${nextFolder}/node_modules/${name}`, `${folder}/node_modules/${name}`, { recursive: true });
  return folder;
}

/** `{ name, missing?, run(projects) }`. */
export function nextChecks() {
  // Not in development: Next's server for that asks npm's registry for newer versions, and has no switch for it.
  return BUNDLERS.flatMap((bundler) => [
    {
      name: `Next by ${bundler}: built, each place has the form of the module that it can load`,
      async run({ next }) {
        await built(next, bundler);
        checkForms(next, `.next-${bundler}`);
      },
    },
    {
      name: `Next by ${bundler}: routes on Node and the edge, and the middleware, without the package`,
      async run({ next }) {
        await built(next, bundler);
        await withoutPackage(next, () =>
          serving(next, bundler, async (origin) => {
            for (const kept of [1, 2]) await askAll(origin, kept);
          }),
        );
      },
    },
  ]).map(whereInstalled);
}

/** The pages with a client component: `{ name, missing?, run(browser, projects) }`. */
export function nextPages() {
  return BUNDLERS.map((bundler) => ({
    name: `Next by ${bundler}: a client component in Chromium`,
    async run(opened, { next }) {
      await built(next, bundler);
      const said = await serving(next, bundler, (origin) => opened.textOf(`${origin}/`, '#said'));
      if (said !== JSON.stringify(answer('in the browser', false, 1))) throw new Error(`it said: ${said}`);
    },
  })).map(whereInstalled);
}

function whereInstalled(check) {
  return isInstalled(nextFolder) ? check : { ...check, missing: 'Next is not installed: `-- --all` installs it, and `-- --only next`' };
}

/** Nothing goes out: without the last, Next asks the registry about a lock file that lacks its compilers. */
const envFor = (bundler) => ({ BUILT_IN: `.next-${bundler}`, NEXT_TELEMETRY_DISABLED: '1', NEXT_IGNORE_INCORRECT_LOCKFILE: '1' });

const builds = new Map();

/** Builds once, whichever check is the first to need it. */
function built(folder, bundler) {
  const build = builds.get(bundler) ?? run(process.execPath, [NEXT, 'build', `--${bundler}`], { cwd: folder, env: envFor(bundler) });
  builds.set(bundler, build);
  return build;
}

/** Client components have the modules as text; what runs on the edge has the files beside it, and no text. */
function checkForms(folder, dist) {
  const wasm = readFileSync(`${folder}/node_modules/subagents/pkg/subagents.wasm`);
  const { text } = wasmText(wasm);
  const chunks = `${folder}/${dist}/static/chunks`;
  const scripts = readdirSync(chunks, { recursive: true }).filter((name) => name.endsWith('.js'));
  const read = scripts.map((name) => readFileSync(`${chunks}/${name}`, 'utf8'));
  if (!read.some((script) => script.includes(text))) throw new Error('no chunk for the browser has the module as text');
  if (read.some((script) => script.includes('node:fs'))) throw new Error('a chunk for the browser has the files for Node');
  const { middleware, functions } = JSON.parse(readFileSync(`${folder}/${dist}/server/middleware-manifest.json`, 'utf8'));
  for (const [place, entry] of Object.entries({ middleware: middleware['/'], edge: functions['/edge/route'] })) {
    const files = entry.wasm.map(({ filePath }) => readFileSync(`${folder}/${dist}/${filePath}`));
    if (!files.some((file) => file.equals(wasm))) throw new Error(`${place} has no wasm file`);
    if (entry.files.some((name) => readFileSync(`${folder}/${dist}/${name}`, 'utf8').includes(text)))
      throw new Error(`${place} has the module as text, which it may not compile`);
  }
}

/** As where only what was built is deployed. */
async function withoutPackage(folder, use) {
  const [place, away] = [`${folder}/node_modules/subagents`, `${folder}/subagents-away`];
  renameSync(place, away);
  try {
    await use();
  } finally {
    renameSync(away, place);
  }
}

async function askAll(origin, kept) {
  for (const [path, [instructions, onEdge]] of Object.entries(ROUTES)) {
    const response = await fetch(`${origin}${path}`, { signal: AbortSignal.timeout(60_000) });
    const body = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${body.slice(0, 1_000)}`);
    deepStrictEqual(JSON.parse(body), answer(instructions, onEdge, kept), `${path} answered ${body}`);
  }
}

/** Next's server on a port that it finds free, for as long as `use` takes, and 2 minutes at the latest. */
async function serving(folder, bundler, use) {
  const child = spawn(process.execPath, [NEXT, 'start', '--hostname', '127.0.0.1', '--port', '0'], {
    cwd: folder,
    env: { ...process.env, ...envFor(bundler) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const late = setTimeout(() => child.kill('SIGKILL'), 120_000);
  let said = '';
  let tell;
  const listening = new Promise((resolve) => {
    tell = resolve;
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
      if (found !== null) tell(found[0]);
    });
  }
  const ended = new Promise((resolve) => {
    child.on('close', resolve);
  });
  try {
    const origin = await Promise.race([listening, ended]);
    if (typeof origin !== 'string') throw new Error('it ended before it listened');
    return await use(origin);
  } catch (error) {
    throw new Error(`${error.message}\nNext said: ${said.slice(-4_000)}`, { cause: error });
  } finally {
    child.kill();
    const deaf = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(deaf);
    clearTimeout(late);
  }
}
