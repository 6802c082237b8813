// Chromium: the suite as native modules from a static server, and bundled by each bundler, under a strict
// Content-Security-Policy that allows wasm and nothing else. Owns the server, the pages and the bundling.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import { build as esbuild } from 'esbuild';

const CSP = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
/** The same without leave to compile wasm. */
const CSP_WITHOUT_WASM = CSP.replace(" 'wasm-unsafe-eval'", '');
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.wasm': 'application/wasm' };
const PLACES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const main = (suite) => `
import { conform } from '${suite}';
const trapModule = await WebAssembly.compile(await (await fetch('/trap.wasm')).arrayBuffer());
globalThis.report = await conform({ trapModule });
`;
const slimMain = `
import { init } from 'subagents/slim';
await init('/node_modules/subagents/pkg/subagents.wasm');
${main('./slim-suite.js')}`;
/** How many managers a page takes at once, and what it gets for one more. */
const limitMain = `
import { SubAgentManager } from 'subagents';
const managers = [];
try {
  for (;;) managers.push(new SubAgentManager());
} catch (error) {
  globalThis.report = { live: managers.length, code: error.code, message: error.message };
}
const [first] = managers;
globalThis.report.sessions = new Set(Array.from({ length: 1000 }, (_, at) => first.session('agent ' + at))).size;
`;

/** The error of a page whose Content-Security-Policy forgets wasm. */
const refusedMain = `
import { SubAgentManager } from 'subagents';
try {
  new SubAgentManager();
  globalThis.report = {};
} catch (error) {
  globalThis.report = { code: error.code, message: error.message };
}
`;

/** The sources of the pages, in a project of ECMAScript modules. */
export const browserFiles = {
  'page.js': main('./suite.js'),
  'slim-page.js': slimMain,
  'limit-page.js': limitMain,
  'refused-page.js': refusedMain,
};

/** Bundlers by name: each writes a bundle of a file of the project, for browsers, or for the platform that is said. */
export const BUNDLERS = {
  esbuild: (folder, entry, outfile, platform = 'browser') =>
    esbuild({
      absWorkingDir: folder,
      entryPoints: [entry],
      bundle: true,
      minify: true,
      format: 'esm',
      platform,
      outfile,
      logLevel: 'error',
    }),
  async rollup(folder, entry, outfile, platform = 'browser') {
    const { rollup } = await import('rollup');
    const { nodeResolve } = await import('@rollup/plugin-node-resolve');
    const isBrowser = platform === 'browser';
    const plugins = [nodeResolve({ browser: isBrowser, exportConditions: isBrowser ? [] : ['node'] })];
    const external = isBrowser ? [] : isBuiltin;
    const bundle = await rollup({ input: `${folder}/${entry}`, plugins, external, onwarn: fail });
    // It doesn't shrink what it bundles.
    const { output } = await bundle.generate({ format: 'es' });
    const { transform } = await import('esbuild');
    for (const [at, { fileName, code }] of output.entries()) {
      const file = at === 0 ? outfile : join(dirname(outfile), fileName);
      writeFileSync(file, (await transform(code, { minify: true, format: 'esm' })).code);
    }
  },
  async vite(folder, entry, outfile, platform = 'browser') {
    const { build } = await import('vite');
    const { output } = await build({
      root: folder,
      configFile: false,
      logLevel: 'warn',
      ...(platform === 'node' && { ssr: { noExternal: true } }),
      build: {
        write: false,
        ssr: platform === 'node',
        target: 'es2022',
        modulePreload: false,
        rollupOptions: { input: `${folder}/${entry}`, preserveEntrySignatures: 'strict' },
      },
    });
    const main = output.find(({ isEntry }) => isEntry);
    writeFileSync(outfile, main.code);
    // What is loaded only once a store is opened lies beside it.
    for (const { fileName, code } of output.filter((part) => part !== main)) {
      const file = join(dirname(outfile), relative(dirname(main.fileName), fileName));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, code);
    }
    return output.length;
  },
  async webpack(folder, entry, outfile, platform = 'browser') {
    const { default: webpack } = await import('webpack');
    const at = outfile.lastIndexOf('/');
    const stats = await new Promise((resolve, reject) => {
      webpack(
        {
          context: folder,
          mode: 'production',
          target: platform === 'node' ? 'node20' : 'web',
          entry: `./${entry}`,
          output: { path: outfile.slice(0, at), filename: outfile.slice(at + 1), module: true, library: { type: 'module' } },
          experiments: { outputModule: true },
          performance: { hints: false },
        },
        (error, stats) => (error ? reject(error) : resolve(stats)),
      );
    });
    if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString());
  },
};

function fail(warning) {
  throw new Error(warning.message);
}

function serve(folder) {
  const server = createServer(({ url }, response) => {
    const path = new URL(url, 'http://localhost').pathname;
    const file = folder + path;
    const page = /^\/(?:page|without-wasm)\/(.+)$/.exec(path);
    if (page !== null) {
      response.writeHead(200, {
        'content-type': TYPES['.html'],
        'content-security-policy': path.startsWith('/page/') ? CSP : CSP_WITHOUT_WASM,
      });
      response.end(`<!doctype html><meta charset="utf-8"><title>page</title><script type="module" src="/${page[1]}"></script>`);
    } else if (!path.includes('..') && existsSync(file)) {
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
      response.end(readFileSync(file));
    } else response.writeHead(path === '/favicon.ico' ? 204 : 404).end();
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }));
  });
}

/** A browser with its server; `open(script)` gives what the page came to, where it may store so many bytes. */
export async function browser(folder) {
  const executablePath = PLACES.find((place) => place !== undefined && existsSync(place));
  if (executablePath === undefined) return { missing: 'no Chromium here: install it, or name it in CHROMIUM' };
  const { chromium } = createRequire(import.meta.url)('playwright-core');
  const server = await serve(folder);
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
  const started = await chromium.launch({ executablePath, args: [...args, '--disable-component-update', '--disable-sync'] });
  return {
    version: started.version(),
    async open(script, { timeoutMs = 300_000, quotaBytes, under = 'page' } = {}) {
      const page = await started.newPage();
      if (quotaBytes !== undefined) {
        const session = await page.context().newCDPSession(page);
        await session.send('Storage.overrideQuotaForOrigin', { origin: server.origin, quotaSize: quotaBytes });
      }
      const said = [];
      page.on('pageerror', (error) => said.push(String(error)));
      page.on('console', (message) => said.push(message.text()));
      page.on('requestfailed', (request) => said.push(`failed: ${request.url()}`));
      try {
        await page.goto(`${server.origin}/${under}/${script}`);
        for (const end = Date.now() + timeoutMs; Date.now() < end; ) {
          // A page that loads itself again answers once it is there.
          const report = await page.evaluate('globalThis.report').catch(() => undefined);
          if (report !== undefined) return report;
          if (said.length > 0) break;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        throw new Error(`no report from ${script}: ${said.join('\n') || 'nothing was said'}`);
      } finally {
        await page.close();
      }
    },
    /** What an element of a page of another server says, once it is there. */
    async textOf(url, selector) {
      const page = await started.newPage();
      const said = [];
      page.on('pageerror', (error) => said.push(String(error)));
      page.on('console', (message) => said.push(message.text()));
      try {
        await page.goto(url);
        return await page.locator(selector).textContent({ timeout: 60_000 });
      } catch (error) {
        throw new Error(`${error.message}\n${said.join('\n')}`, { cause: error });
      } finally {
        await page.close();
      }
    },
    async close() {
      server.close();
      await started.close();
    },
  };
}

/** The pages that run the suite: `{ name, run(browser, projects) }`. */
export function pages() {
  const bundled = Object.entries(BUNDLERS).map(([name, bundle]) => ({
    name: `Chromium, bundled by ${name}`,
    async run(opened, { esm }) {
      mkdirSync(`${esm}/out`, { recursive: true });
      await bundle(esm, 'page.js', `${esm}/out/${name}.js`);
      return opened.open(`out/${name}.js`);
    },
  }));
  const native = async (esm, entry, suite, imported) => {
    // Native modules have no names of packages: the suite names the file, as a page without a bundler does.
    const named = (text) => text.replaceAll(/(from\s*["'])subagents(\/slim)?(["'])/g, `$1${imported}$3`);
    writeFileSync(`${esm}/native-${suite}`, named(readFileSync(`${esm}/${suite}`, 'utf8')));
    writeFileSync(`${esm}/native-${entry}`, named(readFileSync(`${esm}/${entry}`, 'utf8')).replace(`./${suite}`, `./native-${suite}`));
    return `native-${entry}`;
  };
  const dist = '/node_modules/subagents/dist';
  return [
    {
      name: 'Chromium, native modules',
      run: async (opened, { esm }) => opened.open(await native(esm, 'page.js', 'suite.js', `${dist}/index.js`)),
    },
    {
      name: 'Chromium, native modules, slim',
      run: async (opened, { esm }) => opened.open(await native(esm, 'slim-page.js', 'slim-suite.js', `${dist}/slim.js`)),
    },
    ...bundled,
  ];
}

/** The error of a page under a Content-Security-Policy without `wasm-unsafe-eval`. */
export async function wasmRefused(opened, { esm }) {
  await BUNDLERS.esbuild(esm, 'refused-page.js', `${esm}/out/refused.js`);
  const report = await opened.open('out/refused.js', { under: 'without-wasm' });
  if (report.code !== 'not_ready' || !report.message.includes("'wasm-unsafe-eval'"))
    throw new Error(`not as it should be: ${JSON.stringify(report)}`);
}

/** The error of a page when it asks for one manager too many. */
export async function instanceLimit(opened, { esm }) {
  await BUNDLERS.esbuild(esm, 'limit-page.js', `${esm}/out/limit.js`);
  const report = await opened.open('out/limit.js');
  if (report.code !== 'instance_limit' || !report.message.includes('session') || report.sessions !== 1_000)
    throw new Error(`not as it should be: ${JSON.stringify(report)}`);
  return report.live;
}
