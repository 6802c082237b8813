// `npm run playground`: the inspector over an agent that runs in the page, served on loopback.
//
//   --port N      serves there; default: any free port
//   --build       writes static files, which any server can host, into playground/dist, and ends
//   --out FOLDER  writes them there: into a new or empty folder, or over an earlier playground

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { INSPECTOR_OPTIONS } from './inspector.mjs';
import { buildPackage, install, misused, readOptions, root, whole } from './run.mjs';

/**
 * Allows only the page's own scripts, and wasm. An endpoint may have any address. A GGUF file runs in a worker that its library
 * makes from a text.
 */
export const CSP = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "font-src 'self'",
  'img-src data:',
  "connect-src 'self' http: https: blob:",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

const TITLE = '<title>Playground · subagents</title>';

/** The reason why a playground can't be written into a folder; undefined if it can. Other files there stay. */
function whyNotInto(folder) {
  if (!existsSync(folder)) return undefined;
  if (!statSync(folder).isDirectory()) return `${folder} is not a folder`;
  if (readdirSync(folder).length === 0) return undefined;
  const page = `${folder}/index.html`;
  if (existsSync(page) && readFileSync(page, 'utf8').includes(TITLE)) return undefined;
  return `${folder} has something else in it than a playground: name a new or an empty folder`;
}

/** Writes the playground into a folder: a page, a script in parts, a stylesheet, fonts. */
export async function buildPlayground(folder) {
  const why = whyNotInto(folder);
  if (why !== undefined) throw new Error(why);
  mkdirSync(folder, { recursive: true });
  // Other files are overwritten; the names of the parts change with their contents.
  for (const name of readdirSync(folder)) if (/^part-\w+\.js$/.test(name)) rmSync(`${folder}/${name}`);
  // Written first: it identifies the folder, even if the rest fails.
  writeFileSync(`${folder}/index.html`, readFileSync(`${root}playground/index.html`, 'utf8').replace('{{csp}}', CSP));
  await build({
    ...INSPECTOR_OPTIONS,
    absWorkingDir: root,
    entryPoints: { main: `${root}playground/src/main.tsx` },
    outdir: folder,
    // The code for a GGUF file is loaded when it is needed.
    splitting: true,
    chunkNames: 'part-[hash]',
    minify: true,
    alias: { 'subagents/view': `${root}ts/view/index.ts` },
  });
  const fonts = `${root}node_modules/@fontsource-variable`;
  copyFileSync(`${fonts}/inter/files/inter-latin-wght-normal.woff2`, `${folder}/inter.woff2`);
  copyFileSync(`${fonts}/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2`, `${folder}/jetbrains-mono.woff2`);
  copyFileSync(`${root}node_modules/@wllama/wllama/esm/wasm/wllama.wasm`, `${folder}/wllama.wasm`);
  copyFileSync(`${root}playground/src/page.css`, `${folder}/page.css`);
  copyFileSync(`${root}dist/inspector.licences.txt`, `${folder}/licences.txt`);
}

/** Serves a folder on loopback; resolves to its address and a function that ends it. */
export async function serve(folder, port = 0) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = join(folder, normalize(pathname === '/' ? '/index.html' : pathname));
    if (!file.startsWith(folder) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': CSP,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    response.end(readFileSync(file));
  });
  await new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', done);
  });
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

async function main() {
  const known = { build: { type: 'boolean' }, out: { type: 'string' }, port: { type: 'string' } };
  const usage = 'npm run playground -- [--port N] [--out FOLDER]\nnpm run playground -- --build [--out FOLDER]';
  const options = readOptions(known, usage);
  if (options.build && options.port !== undefined) misused('--build serves nothing, so that it has no --port', usage);
  const port = whole('port', options.port ?? '0', usage, { to: 65_535 });
  const folder = options.out === undefined ? `${root}playground/dist` : resolve(process.env.INIT_CWD ?? '.', options.out);
  const why = whyNotInto(folder);
  if (why !== undefined) misused(why, usage);
  try {
    mkdirSync(folder, { recursive: true });
  } catch ({ code }) {
    misused(`${folder} can't be made: ${code}`, usage);
  }
  // Before the build, which takes longer than finding out that the port is taken.
  const served = options.build
    ? undefined
    : await serve(folder, port).catch(({ code }) =>
        misused(`port ${port} can't be had (${code}): --port takes another one, or none`, usage),
      );
  install();
  buildPackage();
  await buildPlayground(folder);
  if (served === undefined) {
    console.log(`The playground is in ${folder}: any server can host these files.`);
    return;
  }
  console.log(`The playground is at ${served.address}\nCtrl-C ends it.`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
