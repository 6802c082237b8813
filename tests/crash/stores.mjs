// The stores that are tried: how a process comes to each, and whether this machine has what it takes.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { fileStore } from '../../dist/stores/file.js';
import { redisStore } from '../../dist/stores/redis.js';
import { sqliteStore } from '../../dist/stores/sqlite.js';

const runtimes = fileURLToPath(new URL('../runtimes/', import.meta.url));
const endsWithStarter = fileURLToPath(new URL('../support/ends-with-starter.mjs', import.meta.url));
const [major, minor] = process.versions.node.split('.').map(Number);
const node24 = `${runtimes}node_modules/node24/bin/node`;

/** `{ store, end }`: a store of this process, and what lets go of what it stands on. */
export async function storeOf(kind, folder, port, { readOnly = false }) {
  const nothing = async () => undefined;
  if (kind === 'file')
    return { store: fileStore(`${folder}/journal`, { readOnly: readOnly && existsSync(`${folder}/journal`) }), end: nothing };
  if (kind === 'sqlite') {
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(`${folder}/journal.db`);
    return { store: sqliteStore(database), end: async () => database.close() };
  }
  const { Redis } = createRequire(`${runtimes}package.json`)('ioredis');
  const client = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: null });
  client.on('error', nothing);
  // The process before this one is dead; its lease would be waited for.
  return { store: redisStore(client, { key: folder, takeOver: true }), end: async () => client.disconnect() };
}

/** The Node that has a store, or why none here has. */
export function nodeFor(kind) {
  if (kind === 'file') return { node: process.execPath };
  if (kind === 'sqlite') {
    if (major > 22 || (major === 22 && minor >= 13)) return { node: process.execPath };
    return existsSync(node24)
      ? { node: node24 }
      : { missing: 'node:sqlite is in Node 22.13 or later: `npm ci` in tests/runtimes brings one' };
  }
  if (spawnSync('redis-server', ['--version']).status !== 0) return { missing: 'no redis-server here' };
  return existsSync(`${runtimes}node_modules/ioredis`) ? { node: process.execPath } : { missing: 'no ioredis: `npm ci` in tests/runtimes' };
}

/** A Redis of its own, on a port that is free. */
export async function startRedis(folder) {
  const port = await new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
  const args = ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'everysec'];
  const watched = [endsWithStarter, 'redis-server', ...args.map(String)];
  const server = spawn(process.execPath, watched, { stdio: ['pipe', 'pipe', 'inherit'] });
  await new Promise((resolve, reject) => {
    server.stdout.setEncoding('utf8').on('data', (text) => text.includes('Ready to accept') && resolve());
    server.on('exit', () => reject(new Error('redis-server ended')));
  });
  return { port, end: () => new Promise((resolve) => server.on('exit', resolve) && server.stdin.end()) };
}
