// A program whose sub-agents run in a handler of Restate is killed in mid-work, and the next one goes on: turns that had
// ended are not taken again.

import assert from 'node:assert/strict';
import { fork, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

export const name = 'Restate: a program is killed in mid-work, and the next one goes on at the turn';

/** @param place what is installed, the bundle, an empty folder, and the Node that runs it: the SDK wants 22 */
export async function run({ packages, program, folder, node: execPath }) {
  const [port, ingress, admin, node] = await freePorts(4);
  const scope = join(packages, '@restatedev');
  const binary = readdirSync(scope).find((one) => one.startsWith('restate-server-'));
  if (binary === undefined) throw new Error(`@restatedev/restate-server has no binary for ${process.platform} ${process.arch}`);
  const server = spawn(join(scope, binary, 'bin/restate-server'), ['--base-dir', join(folder, 'restate'), '--no-logo'], {
    env: {
      PATH: process.env.PATH,
      RESTATE_LISTEN_MODE: 'tcp',
      RESTATE_BIND_IP: '127.0.0.1',
      RESTATE_BIND_PORT: String(node),
      RESTATE_INGRESS__BIND_PORT: String(ingress),
      RESTATE_ADMIN__BIND_PORT: String(admin),
      RESTATE_DISABLE_TELEMETRY: 'true',
      DO_NOT_TRACK: '1',
      RUST_LOG: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const serverEnded = new Promise((resolve) => server.once('exit', resolve));
  const log = join(folder, 'log');
  const lines = () => {
    try {
      return readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    } catch {
      return [];
    }
  };
  const children = [];
  const start = async () => {
    const env = {
      ...process.env,
      RECIPE_LOG: log,
      RECIPE_PORT: String(port),
      RECIPE_INGRESS: `http://127.0.0.1:${ingress}`,
      RECIPE_JOURNAL: join(folder, 'journal'),
      RESTATE_LOGGING: 'ERROR',
    };
    const child = fork(program, { env, execPath, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    children.push(child);
    const said = (wanted) =>
      new Promise((resolve, reject) => {
        child.on('message', (message) => message.what === wanted && resolve(message));
        child.once('exit', (code, signal) => reject(new Error(`the program ended with ${code ?? signal} before it was ${wanted}`)));
      });
    const done = said('done');
    done.catch(() => undefined);
    await said('serves');
    return { child, done };
  };
  try {
    const first = await start();
    await registered(admin, port, server);
    first.child.send('go');
    while (!lines().some(({ what, turn }) => what === 'asked' && turn === 3)) await new Promise((resolve) => setTimeout(resolve, 10));
    const gone = new Promise((resolve) => first.child.once('exit', resolve));
    first.child.kill('SIGKILL');
    await gone;
    const before = lines();
    const second = await start();
    second.child.send('go');
    const { results, turns, notices } = await second.done;

    for (const { status, output } of results) assert.deepEqual([status, output], ['completed', '1.2.3.4.5.']);
    assert.ok(
      results.some(({ run }) => run > 1),
      'a run was taken over',
    );
    assert.equal(notices, 0);
    // A turn that another one followed had ended, and Restate has it.
    const asked = lines().filter(({ what }) => what === 'asked');
    for (const { text, turn, pid } of asked) {
      const again = asked.filter((one) => one.text === text && one.turn === turn && one.pid !== pid);
      const hasEnded = before.some((one) => one.text === text && one.turn === turn + 1);
      if (hasEnded) assert.equal(again.length, 0, `${text} ${turn} was asked again`);
    }
    // Five turns for each text, and what was under way when the program was killed is booked, too.
    const lost = asked.length - 20;
    assert.ok(lost >= 1 && lost <= 4, `${lost} turns were lost`);
    assert.ok(turns >= 20, `${turns} turns are booked`);
  } finally {
    for (const child of children) child.kill('SIGKILL');
    server.kill('SIGKILL');
    await serverEnded;
  }
}

/** Registers the program with the server, once the server is up. */
async function registered(admin, port, server) {
  const body = JSON.stringify({ uri: `http://127.0.0.1:${port}` });
  for (;;) {
    if (server.exitCode !== null) throw new Error(`restate-server ended with ${server.exitCode}`);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`http://127.0.0.1:${admin}/deployments`, { method: 'POST', headers, body }).catch(() => undefined);
    if (answer?.ok) return;
    if (answer !== undefined && answer.status < 500) throw new Error(`restate-server refuses the program: ${await answer.text()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once('listening', resolve))));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
