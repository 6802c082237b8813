// `npm run test:collector`: traces and metrics of a program through a real OTLP collector, and the tree of spans read
// out of what that got. Installs, builds, fetches the collector once, then runs program.mjs against it on loopback.
//
// Exit codes: 0 all checks hold, 1 a check failed, 3 it can't be run on this machine.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildPackage, install, readOptions } from '../../scripts/run.mjs';
import { fromWheel, Missing } from '../support/wheel.mjs';

readOptions({}, 'npm run test:collector: it takes no options');
const here = fileURLToPath(new URL('.', import.meta.url));
const say = (/** @type {string} */ text) => process.stderr.write(`\n── ${text}\n`);

async function main() {
  const kept = `${here}.work/`;
  const agent = fromWheel(
    { what: 'the collector (29 MB)', requirement: `${here}collector.txt`, inside: 'rotel', name: /^rotel-agent$/, kept },
    say,
  );
  chmodSync(agent, 0o755);
  install();
  buildPackage();
  install(here.slice(0, -1), ['--ignore-scripts']);
  const [http, grpc] = [await freePort(), await freePort()];
  say('a program, traced to a collector');
  const log = await collected(agent, http, grpc);
  const spans = spansIn(log);
  assert.deepEqual(
    treeOf(spans),
    tree('request', [
      tree('invoke_agent mock-model-id', [
        tree('step 1', [
          tree('chat mock-model-id'),
          tree('execute_tool SubAgent', [tree('invoke_agent', [leaf])]),
          tree('execute_tool SubAgent', [
            tree('invoke_agent', [
              tree('invoke_agent mock-model-id', [
                tree('step 1', [tree('chat mock-model-id'), tree('execute_tool SubAgent', [tree('invoke_agent', [leaf])])]),
                tree('step 2', [tree('chat mock-model-id')]),
              ]),
            ]),
          ]),
        ]),
        tree('step 2', [tree('chat mock-model-id')]),
      ]),
    ]),
    'what the collector got is one tree, in which parent and child nest through the spans of the framework',
  );
  const runs = spans.filter(({ name }) => name === 'invoke_agent');
  for (const { attributes } of runs) {
    assert.equal(attributes.get('subagents.stop_reason'), 'Str(finished)');
    assert.equal(attributes.get('subagents.usage.tokens'), 'Int(2000)');
    assert.ok(!attributes.has('gen_ai.usage.input_tokens'), 'the tokens stand on the spans of the framework alone');
  }
  assert.equal(runs.length, 3);
  for (const metric of ['subagents.run.duration', 'subagents.queue.duration', 'subagents.slots.limit', 'subagents.budget.tokens.spent'])
    assert.ok(log.includes(`Name: ${metric}\n`), `the collector got ${metric}`);
  process.stderr.write(`ok: ${spans.length} spans in one tree, and the metrics\n`);
}

/** What the collector wrote of all that it got. */
async function collected(agent, http, grpc) {
  const endpoints = ['--otlp-http-endpoint', `127.0.0.1:${http}`, '--otlp-grpc-endpoint', `127.0.0.1:${grpc}`];
  const debug = ['--debug-log', 'traces', '--debug-log', 'metrics', '--debug-log-verbosity', 'detailed'];
  const collector = spawn(agent, ['start', '--exporter', 'blackhole', ...endpoints, ...debug], { stdio: ['ignore', 'pipe', 'inherit'] });
  let log = '';
  collector.stdout.setEncoding('utf8').on('data', (text) => {
    log += text;
  });
  const closed = new Promise((resolve) => collector.on('close', resolve));
  try {
    for (let tries = 0; !(await answers(http)); tries += 1) {
      assert.ok(tries < 100 && collector.exitCode === null, 'the collector starts');
      await pause(100);
    }
    const program = spawn(process.execPath, [`${here}program.mjs`, `http://127.0.0.1:${http}`], { stdio: 'inherit', timeout: 60_000 });
    assert.equal(await new Promise((resolve) => program.on('close', resolve)), 0, 'the program ends well');
  } finally {
    // It writes out what it has before it ends.
    collector.kill('SIGTERM');
    const late = setTimeout(() => collector.kill('SIGKILL'), 10_000);
    await closed;
    clearTimeout(late);
  }
  return log;
}

async function answers(port) {
  try {
    await fetch(`http://127.0.0.1:${port}/`);
    return true;
  } catch {
    return false;
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** The spans in the collector's log. */
function spansIn(log) {
  return log
    .split(/^Span #\d+$/m)
    .slice(1)
    .map((text) => {
      const field = (name) => new RegExp(`^ +${name} *: ?(.*)$`, 'm').exec(text)?.[1]?.trim() ?? '';
      const attributes = new Map([...text.matchAll(/^ +-> (\S+): (.*)$/gm)].map(([, name, value]) => [name, value]));
      return { name: field('Name'), id: field('ID'), parent: field('Parent ID'), attributes };
    });
}

const tree = (name, children = []) => ({ name, children });
const leaf = tree('invoke_agent mock-model-id', [
  tree('step 1', [tree('chat mock-model-id'), tree('execute_tool search')]),
  tree('step 2', [tree('chat mock-model-id')]),
]);

/** The spans as one tree, children of a span in the order of their names and sizes. */
function treeOf(spans) {
  const ids = new Set(spans.map(({ id }) => id));
  const roots = spans.filter(({ parent }) => !ids.has(parent));
  assert.deepEqual(
    roots.map(({ name }) => name),
    ['request'],
    'every span but the first has one above it',
  );
  const below = (id) =>
    spans
      .filter(({ parent }) => parent === id)
      .map((span) => tree(span.name, below(span.id)))
      .sort((a, b) => a.name.localeCompare(b.name) || JSON.stringify(a).length - JSON.stringify(b).length);
  return tree(roots[0].name, below(roots[0].id));
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Missing)) throw error;
  process.stderr.write(`\ncollector: not run: ${error.message}\n`);
  process.exitCode = 3;
}
