// Builds the program of `npx subagents mcp`: one bundle with its SDKs, which runs in an empty folder. Builds also the schema of
// its configuration and the licences of the bundled packages.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { licences } from './inspector.mjs';

/** The bundled packages. */
const BUNDLED = ['@modelcontextprotocol/server', '@modelcontextprotocol/core', '@agentclientprotocol/sdk', 'zod'];

/** @param {string} root The folder of the package, with a slash at its end; dist/ already has all other files. */
export async function buildCommand(root, version) {
  execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}command`], { stdio: 'inherit' });
  await build({
    absWorkingDir: root,
    entryPoints: { command: `${root}command/main.ts` },
    outdir: `${root}dist`,
    chunkNames: 'parts/command-[name]',
    bundle: true,
    // Code that both SDKs use is there once; the agents' SDK is loaded with the first agent.
    splitting: true,
    format: 'esm',
    target: 'es2022',
    platform: 'node',
    external: ['subagents', 'subagents/*'],
    define: { VERSION: JSON.stringify(version) },
    alias: {
      '@modelcontextprotocol/server/_shims': `${root}command/shims.ts`,
      'subagents/agents': `${root}ts/adapters/agents/index.ts`,
    },
    minify: true,
    // Node shows the whole line of an uncaught error.
    lineLimit: 400,
    legalComments: 'none',
    logLevel: 'warning',
  });
  writeFileSync(`${root}dist/command.licences.txt`, licences(root, 'dist/command.js and what it loads', BUNDLED));
  const { configSchema } = await import(pathToFileURL(`${root}dist/command.js`).href);
  writeFileSync(`${root}dist/mcp.schema.json`, `${JSON.stringify(configSchema(), null, 1)}\n`);
}
