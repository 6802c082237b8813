// `npx subagents mcp` with 20 clients and 200 agents at once. Owns that each client is notified of its own sub-agents, all of them, once;
// and says the memory, the processor time and the first answers of the server, which are measured and never asserted.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const CLIENTS = 20;
const AGENTS_EACH = 10;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const idsIn = (text) => Array.from(text.matchAll(/sub_[0-9a-f]{32}/g), ([id]) => id);

/**
 * Runs them.
 *
 * @param connect makes a client of a server over standard input and output
 * @param server makes the server of a configuration, whose log is its own
 * @param inst the folder with the client's SDK
 */
export async function load({ connect, server, inst }) {
  const cold = performance.now();
  const one = await connect(server('first', {}));
  await one.list();
  const coldMs = performance.now() - cold;
  await one.close();

  const users = Array.from({ length: CLIENTS }, (_, at) => `user${at}`);
  const tokens = Object.fromEntries(users.map((name) => [name, name.toUpperCase()]));
  const secrets = Object.fromEntries(users.map((name) => [name.toUpperCase(), `the-token-of-${name}`]));
  const limits = { maxConcurrent: CLIENTS * AGENTS_EACH };
  const { command, args, env, cwd, go } = server('many', { http: { port: 0, tokens }, limits });
  const child = spawn(command, args, { cwd, env: { ...env, ...secrets }, stdio: ['ignore', 'ignore', 'pipe'] });
  const address = await new Promise((resolve, reject) => {
    let said = '';
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
      const [found] = /http:\/\/\S+\/mcp/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
  });

  const { Client, StreamableHTTPClientTransport } = await import(
    pathToFileURL(`${inst}/node_modules/@modelcontextprotocol/client/dist/index.mjs`).href
  );
  const firstMs = [];
  const clients = [];
  for (const name of users) {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const headers = { authorization: `Bearer ${secrets[name.toUpperCase()]}` };
    const from = performance.now();
    await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }));
    await client.listTools();
    firstMs.push(performance.now() - from);
    clients.push(async (tool, given = {}) => {
      const { content } = await client.callTool({ name: tool, arguments: given }, { timeout: 100_000 });
      return content.map(({ text }) => text).join('');
    });
  }
  const callMs = [];
  const started = await Promise.all(
    clients.map(async (call) => {
      const ids = [];
      for (let at = 0; at < AGENTS_EACH; at += 1) {
        const from = performance.now();
        ids.push(...idsIn(await call('spawn_agent', { instructions: 'work', background: true })).slice(0, 1));
        callMs.push(performance.now() - from);
      }
      return ids;
    }),
  );
  const log = go.replace(/\.go$/, '');
  const prompts = () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0);
  for (let time = 0; time < 1_200 && prompts() < CLIENTS * AGENTS_EACH; time += 1) await sleep(50);
  assert.equal(prompts(), CLIENTS * AGENTS_EACH, 'all work at once');
  const atWork = memoryOf(child.pid, 'VmRSS');
  writeFileSync(go, '');
  const reported = await Promise.all(
    clients.map(async (call) => {
      const ids = [];
      for (;;) {
        const text = await call('wait_agents', { timeout_ms: 40_000 });
        ids.push(...Array.from(text.matchAll(/^Sub-agent (sub_[0-9a-f]{32}) completed/gm), ([, id]) => id));
        if (/None of your sub-agents/.test(text)) return ids.toSorted();
      }
    }),
  );
  assert.deepEqual(
    reported,
    started.map((ids) => ids.toSorted()),
    'each client is told of its own, once',
  );
  const [most, seconds] = [memoryOf(child.pid, 'VmHWM'), secondsOf(child.pid)];
  child.removeAllListeners('exit');
  const ended = new Promise((resolve) => child.on('exit', resolve));
  child.kill('SIGTERM');
  await ended;
  const ms = (list) => `${Math.round(list.toSorted((a, b) => a - b)[list.length >> 1])} ms, at most ${Math.round(Math.max(...list))} ms`;
  return [
    `${CLIENTS} clients, ${reported.flat().length} agents at once`,
    `the server's memory ${atWork} MB, at most ${most} MB, its processor time ${seconds.toFixed(1)} s`,
    `first answer of a server that starts ${Math.round(coldMs)} ms`,
    `of one that runs, client after client, ${ms(firstMs)}`,
    `a spawn, 20 at a time, ${ms(callMs)}`,
  ].join('; ');
}

/** In megabytes. */
function memoryOf(pid, name) {
  const [, kB] = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(kB) / 1_000);
}

/** Processor time, user and system. */
function secondsOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
