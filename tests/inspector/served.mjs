// A program with a manager that is served to an inspector: its parent asks it by messages, and gets the address first.
// The arguments are options of `serveInspector`, as JSON.

import { root } from '../../scripts/run.mjs';
import { manage } from './manager.mjs';

const subagents = await import(`${root}dist/node.js`);
const { serveInspector } = await import(`${root}dist/inspector-server.js`);
const waiting = new Map();
const asks = manage(subagents, (taskId) => new Promise((resolve) => waiting.set(taskId, resolve)));
const given = JSON.parse(process.argv[2] ?? '{}');
const server = await serveInspector(asks.manager, { approve: (taskId, allow) => waiting.get(taskId)?.(allow), ...given });
process.on('message', async ({ id, name, args }) => {
  try {
    process.send({ id, value: (await asks[name](...args)) ?? null });
  } catch (error) {
    process.send({ id, error: String(error) });
  }
});
process.on('disconnect', () => process.exit());
process.send({ url: server.url, token: server.token, port: server.port });
