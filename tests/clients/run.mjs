// `npx subagents mcp` with real clients: `npm run test:clients`. Clients of both generations of the SDK and the inspector's command
// line, with an agent that does as it is told; then Codex and opencode, each as a client and as an agent, against a scripted model
// on loopback. Fetches them from npm. What can't be had is said loudly; if no real client can, this fails. Ends by itself.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm } from '../../scripts/system.mjs';
import { CLIENTS, fetched } from '../agents/fetched.mjs';
import { startModel } from '../agents/model-server.mjs';
import { killServers } from './kills.mjs';
import { load } from './load.mjs';
import { clientsOf, GENERATIONS } from './sdk-client.mjs';

/** In all; a real client takes some seconds for each run. */
const PATIENCE_MS = 900_000;
/** Servers that are killed, for each generation of the SDK; `SUBAGENTS_KILLS=300` kills more. */
const KILLS = Number(process.env.SUBAGENTS_KILLS ?? 12);
/** For each of these in all. */
const KILL_MS = 20_000;
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'subagents-clients-'));
/** `npm run test:clients -- "SDK 2.4" killed`: one generation or client, and of a generation the scenarios with this word. */
const [wanted, word = ''] = process.argv.slice(2);
/** Nothing of a generation but its client. */
const isElsewhere = wanted in CLIENTS || wanted === 'models';
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
setTimeout(
  () => {
    process.stderr.write('not done in time\n');
    process.exit(1);
  },
  PATIENCE_MS + KILLS * KILL_MS,
).unref();

// The command as a user has it: the packed package alone, in a folder without any other.
const installed = join(folder, 'installed');
mkdirSync(installed);
writeFileSync(join(installed, 'package.json'), '{"private":true}');
execFileSync(...npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]), { cwd: root });
const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
execFileSync(...npm(['install', '--no-audit', '--no-fund', '--silent', '--offline', join(folder, tarball)]), { cwd: installed });
const packages = readdirSync(join(installed, 'node_modules')).filter((name) => !name.startsWith('.'));
assert.deepEqual(packages, ['subagents']);

const project = join(folder, 'project');
mkdirSync(project);
const report = (text) => process.stderr.write(`${text}\n`);

/** A server with these agents, started as a client starts it. */
function serverWith(name, config) {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ $schema: 'https://example.com/mcp.schema.json', ...config }));
  return {
    command: join(installed, 'node_modules/.bin/subagents'),
    args: ['mcp', '--config', file],
    env: { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: join(folder, 'state', name) },
    cwd: project,
  };
}

/** Processes of this test that still run, but this one. */
function running() {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        if (!command.includes(`${folder}/`) && !environment.includes(`${folder}/`)) return [];
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return [{ pid: Number(pid), parent: Number(parent), command }];
      } catch {
        return [];
      }
    });
}

async function nothingRuns(what) {
  for (let time = 0; time < 200 && running().length > 0; time += 1) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(running(), [], `${what}: processes are left`);
}

const fake = {
  command: [process.execPath, join(root, 'tests/support/agents/fake-agent.mjs')],
  description: 'Does as it is told.',
  permission: 'ask',
};
const does = (...steps) => `DO:${JSON.stringify(steps)}`;
const idIn = (text) => /sub_[0-9a-f]{32}/.exec(text)?.[0];
/** A server with the fake agent, whose log is its own: what is killed in the middle may leave a torn file. */
function serverWithFake(name, more = {}) {
  const log = join(folder, `${name}.log`);
  return { ...serverWith(name, { agents: { fake: { ...fake, env: { FAKE_LOG: log } } }, ...more }), go: `${log}.go` };
}

/** What each client of the SDK does. */
const scenarios = {
  async 'two in the background, waited for, read'(connect, server) {
    const client = await connect(server('two'));
    const tools = await client.list();
    assert.deepEqual(tools.find(({ name }) => name === 'wait_agents').annotations.readOnlyHint, true);
    assert.match(client.instructions, /No notification comes/);
    const started = [];
    for (const word of ['first-1', 'second-2']) {
      const { text, isError } = await client.call('spawn_agent', { instructions: does({ say: word }), background: true });
      assert.equal(isError, false, text);
      started.push(idIn(text));
    }
    const { text } = await client.call('wait_agents');
    assert.match(text, /first-1[\s\S]*second-2/);
    assert.match((await client.call('read_agent_result', { agent_id: started[1] })).text, /second-2/);
    await client.close();
  },
  async 'a cancel in the middle'(connect, server) {
    const client = await connect(server('cancel'));
    const stop = new AbortController();
    const calling = client.call('spawn_agent', { instructions: does({ say: 'begun' }, { untilCancelled: true }) }, { signal: stop.signal });
    const failed = assert.rejects(calling);
    let listed = '';
    while (!/running/.test(listed)) listed = (await client.call('list_agents')).text;
    stop.abort();
    await failed;
    assert.match((await client.call('wait_agents')).text, /cancelled/);
    await client.close();
  },
  async 'a cap that is met'(connect, server) {
    const client = await connect(server('cap', { taskBudget: { costUsd: 0.5 } }));
    const { text, isError } = await client.call('spawn_agent', {
      instructions: does({ say: 'begun' }, { used: 10, cost: 0.9 }, { untilCancelled: true }),
    });
    assert.equal(isError, true, text);
    assert.match(text, /budget/);
    await client.close();
  },
  async 'a cap on spawns that is met'(connect, server) {
    const client = await connect(server('spawns', { limits: { maxSpawns: 1 } }));
    assert.match((await client.call('spawn_agent', { instructions: does({ say: 'the first' }) })).text, /the first/);
    const { text, isError } = await client.call('spawn_agent', { instructions: does({ say: 'the second' }) });
    assert.equal(isError, true, text);
    assert.match(text, /1 sub-agent has been started here, and no more may be/);
    await client.close();
  },
  async 'a question that a person answers'(connect, server) {
    const asked = [];
    const elicit = ({ message }) => {
      asked.push(message);
      return { action: 'accept', content: { answer: 'allow' } };
    };
    const client = await connect({ ...server('ask'), elicit });
    const { text } = await client.call('spawn_agent', { instructions: does({ ask: 'rm -rf /', kind: 'delete' }, { say: 'done' }) });
    assert.equal(asked.length, 1, text);
    assert.match(asked[0], /rm -rf/);
    assert.match(text, /done/);
    await client.close();
  },
  async 'a server that is killed, and the next client hears of it once'(connect, server) {
    const place = server('killed');
    const client = await connect(place);
    const { text } = await client.call('spawn_agent', { instructions: does({ waits: true, say: 'survived' }), background: true });
    process.kill(client.pid, 'SIGKILL');
    await client.close().catch(() => undefined);
    writeFileSync(place.go, '');
    const next = await connect(place);
    assert.match((await next.call('wait_agents')).text, /survived/);
    assert.match((await next.call('list_agents')).text, new RegExp(idIn(text)));
    await next.close();
    const third = await connect(place);
    const reported = (await third.call('wait_agents')).text;
    assert.match(reported, /None of your sub-agents is running/);
    assert.doesNotMatch(reported, /survived/);
    await third.close();
  },
  async 'results of tasks over HTTP, each told once'(connect, server) {
    const tokens = { me: 'TOKEN_OF_ME', you: 'TOKEN_OF_YOU' };
    const { command, args, env, cwd } = server('http', { http: { port: 0, tokens } });
    const secrets = { TOKEN_OF_ME: 'a-token-of-some-length', TOKEN_OF_YOU: 'another-token-of-some-length' };
    const child = spawn(command, args, { cwd, env: { ...env, ...secrets }, stdio: ['ignore', 'ignore', 'pipe'] });
    const url = await new Promise((resolve) => {
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text) => {
        said += text;
        const [found] = /http:\/\/\S+/.exec(said) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    const client = await connect({ url, token: secrets.TOKEN_OF_ME });
    const { text } = await client.call('spawn_agent', { instructions: does({ say: 'over HTTP' }), background: true });
    const taskId = idIn(text);
    while ((await client.request('tasks/get', { taskId })).status === 'working') await new Promise((resolve) => setTimeout(resolve, 50));
    assert.match(JSON.stringify(await client.resultOf(taskId)), /over HTTP/);
    const other = await connect({ url, token: secrets.TOKEN_OF_YOU });
    assert.match((await other.call('wait_agents')).text, /None of your sub-agents/);
    assert.match((await client.call('wait_agents')).text, /None of your sub-agents/);
    await Promise.all([client.close(), other.close()]);
    child.kill('SIGTERM');
  },
  'many servers that are killed at random moments': (connect, server) =>
    killServers({ connect, server: (more) => server('kills', more), does, installed, folder, kills: KILLS, running }),
  async 'a second window'(connect, server) {
    const place = server('windows');
    const [one, two] = [await connect(place), await connect(place)];
    await one.call('spawn_agent', { instructions: does({ say: 'of the first' }), background: true });
    assert.match((await two.call('list_agents')).text, /There are no sub-agents/);
    assert.match((await one.call('wait_agents')).text, /of the first/);
    assert.match(two.said(), /2\.journal/);
    const [state] = readdirSync(join(place.env.XDG_STATE_HOME, 'subagents/mcp'));
    assert.equal(statSync(join(place.env.XDG_STATE_HOME, 'subagents/mcp', state)).mode & 0o777, 0o700);
    await one.close();
    await two.close();
  },
  async 'what the guide of the package says'(connect, server) {
    const guide = readFileSync(join(installed, 'node_modules/subagents/docs/guides/mcp-command.md'), 'utf8');
    const config = JSON.parse(/```json\n([\s\S]*?)```/.exec(guide)[1]);
    const { env, ...place } = server('guide', config);
    const bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    for (const name of ['codex-acp', 'opencode', 'kimi'])
      writeFileSync(join(bin, name), `#!/bin/sh\nexec ${fake.command.map((part) => `'${part}'`).join(' ')}\n`, { mode: 0o755 });
    const all = { ...env, PATH: `${bin}:${env.PATH}`, FAKE_LOG: place.go.replace(/\.go$/, '') };
    const [, ...args] = place.args;
    const said = await output(place.command, ['doctor', ...args], all);
    const client = await connect({ ...place, env: all });
    for (const agent of Object.keys(config.agents)) {
      assert.match(said, new RegExp(`^ok +${agent}: `, 'm'));
      assert.match(
        (await client.call('spawn_agent', { instructions: does({ say: `by ${agent}` }), agent })).text,
        new RegExp(`by ${agent}`),
      );
    }
    await client.close();
  },
  async 'a sub-agent has no sub-agents'(connect, server) {
    const place = server('deep');
    const client = await connect({ ...place, env: { ...place.env, SUBAGENTS_DEPTH: '1' } });
    assert.deepEqual(await client.list(), []);
    await client.close();
  },
};

/** A server with agents that take little memory. */
function serverWithSmall(name, more) {
  const log = join(folder, `${name}.log`);
  const small = { command: [join(root, 'tests/support/agents/small-agent.sh')], env: { FAKE_LOG: log } };
  return { ...serverWith(name, { agents: { small }, ...more }), go: `${log}.go` };
}

let tried = 0;
let connectAny;
for (const [generation, parts] of Object.entries(GENERATIONS)) {
  if (wanted !== undefined && !generation.includes(wanted) && !isElsewhere) continue;
  const inst = join(folder, generation.replaceAll(/\W/g, '-'));
  if (!fetched(inst, parts.packages)) continue;
  const connect = await clientsOf(inst, parts);
  connectAny = connect;
  for (const [name, scenario] of Object.entries(isElsewhere ? {} : scenarios)) {
    // The kills are no matter of the era.
    if (!name.includes(word) || (parts.era && wanted === undefined && name.includes('random'))) continue;
    const from = performance.now();
    const said = await scenario(connect, (place, more) => serverWithFake(`${generation.replaceAll(/\W/g, '-')}-${place}`, more));
    await nothingRuns(`${generation}: ${name}`);
    report(`${generation}: ${name}${said ? `: ${said}` : ''} (${Math.round(performance.now() - from)} ms)`);
  }
}

if (wanted === undefined || wanted === 'load') {
  const inst = join(folder, 'load');
  const [generation = {}] = Object.values(GENERATIONS).slice(-1);
  if (fetched(inst, generation.packages)) {
    const said = await load({ connect: await clientsOf(inst, generation), server: serverWithSmall, inst });
    await nothingRuns('load');
    report(`load: ${said}`);
  }
}

if (wanted === undefined || wanted === 'inspector') {
  const inst = join(folder, 'inspector');
  if (fetched(inst, ['@modelcontextprotocol/inspector@2.12.0'])) {
    const { command, args, env } = serverWithFake('inspector');
    const servers = join(inst, 'servers.json');
    writeFileSync(servers, JSON.stringify({ mcpServers: { subagents: { command, args, env } } }));
    const inspect = (...more) =>
      output(join(inst, 'node_modules/.bin/mcp-inspector'), ['--cli', '--config', servers, '--server', 'subagents', ...more], {
        ...process.env,
        HOME: folder,
      });
    assert.match(await inspect('--method', 'tools/list'), /"spawn_agent"/);
    const given = ['--tool-name', 'spawn_agent', '--tool-arg', `instructions=${does({ say: 'inspected' })}`];
    const called = await inspect('--method', 'tools/call', ...given);
    assert.match(called, /inspected/);
    await nothingRuns('the inspector');
    report('the inspector: lists the tools, and calls one');
  }
}

/** What a command prints; rejects where it fails. */
function output(file, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      err += text;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(out) : reject(new Error(`${file} ended with ${code}: ${err.slice(-2_000)}${out.slice(-2_000)}`)),
    );
  });
}

// Models behind the two kinds of addresses, called by what the AI SDK has for them.
if (connectAny !== undefined && (wanted === undefined || wanted === 'models')) {
  const inst = join(folder, 'models');
  if (fetched(inst, ['ai@7.0.173', '@ai-sdk/openai-compatible@3.0.92', '@ai-sdk/anthropic@4.0.105'])) {
    const model = await startModel({ small: [{ text: 'the small one says small-1' }], large: [{ text: 'the large one says large-2' }] });
    const shared = { baseUrl: model.address, model: 'scripted', key: 'MODEL_KEY', prompt: 'Be brief.' };
    const models = { small: { ...shared, api: 'openai' }, large: { ...shared, api: 'anthropic' } };
    const { env, ...server } = serverWith('models', { models, prices: { scripted: { input: 1_000, output: 1_000 } } });
    const client = await connectAny({ ...server, cwd: inst, env: { ...env, MODEL_KEY: 'none' } });
    for (const [agent, said] of Object.entries({ small: /small-1/, large: /large-2/ })) {
      const { text, isError } = await client.call('spawn_agent', { instructions: `PLAY:${agent}`, agent });
      assert.equal(isError, false, text);
      assert.match(text, said);
      assert.match(text, /100 tokens/);
      assert.match(text, /\$0\.1/);
    }
    await client.close();
    model.end();
    await nothingRuns('models');
    report('models: called by OpenAI- and Anthropic-compatible addresses, and paid by their prices');
  }
}

// Real clients, whose sub-agents are real agents.
const inst = (name) => join(folder, name);
const there = Object.keys(CLIENTS).filter(
  (name) => (wanted === undefined || wanted in CLIENTS) && fetched(inst(name), CLIENTS[name].packages),
);
const plays = {
  slow: [{ text: 'slowly', slowMs: 60_000 }],
  later: [{ text: 'in the end later-3', slowMs: 4_000 }],
  one: [{ text: 'the first says first-1' }],
  two: [{ text: 'the second says second-2' }],
};
const model = await startModel(plays, true);
const agents = {};
for (const name of there) {
  const { acp, configure } = CLIENTS[name];
  const home = join(inst(name), 'agent-home');
  mkdirSync(home, { recursive: true });
  const [file, ...rest] = acp;
  agents[name] = {
    profile: name,
    command: [...model.within, join(inst(name), 'node_modules/.bin', file), ...rest],
    env: configure(home, model),
    permission: 'allow',
  };
}
for (const name of there) {
  if (wanted !== undefined && wanted !== name) continue;
  const { run, names, calls, configure } = CLIENTS[name];
  const server = serverWith(`client-${name}`, { agents });
  const home = join(inst(name), 'client-home');
  mkdirSync(home, { recursive: true });
  const env = { PATH: process.env.PATH, ...configure(home, model, server) };
  const [first, second = first] = there;
  plays.lead = [
    { tool: names.spawn, args: { instructions: 'PLAY:one', agent: first, background: true } },
    { tool: names.spawn, args: { instructions: 'PLAY:two', agent: second, background: true } },
    { tool: names.wait, args: { timeout_ms: 45_000 } },
    { tool: names.wait, args: { timeout_ms: 45_000 } },
    { tool: names.read, args: { agent_id: 'ID0' } },
    { text: 'both are done' },
  ];
  model.heard.length = 0;
  model.played.length = 0;
  const from = performance.now();
  const [bin, ...rest] = run;
  const [file, ...args] = [...model.within, join(inst(name), 'node_modules/.bin', bin), ...rest, 'PLAY:lead'];
  const said = await output(file, args, env);
  const received = model.heard.join('\n');
  assert.match(said, /both are done/, name);
  assert.match(received, /first-1/, `${name} was told: ${received.slice(0, 4_000)}`);
  assert.match(received, /second-2/, `${name} was told: ${received.slice(0, 4_000)}`);
  await nothingRuns(name);
  // The person stops the client while it waits for a sub-agent in the foreground.
  plays.lead = [{ tool: names.spawn, args: { instructions: 'PLAY:slow', agent: first } }];
  const stopped = spawn(file, args, { cwd: project, env, stdio: 'ignore' });
  const ended = new Promise((resolve) => stopped.on('close', resolve));
  while (!model.played.includes('slow')) await new Promise((resolve) => setTimeout(resolve, 50));
  stopped.kill('SIGINT');
  await ended;
  await nothingRuns(`${name}, stopped`);
  const next = await connectAny({ ...server, name: calls });
  assert.match((await next.call(names.wait)).text, /cancelled/, name);
  await next.close();
  tried += 1;
  report(
    `${name}: two real agents in the background, waited for and read; one that is stopped with its client (${Math.round(performance.now() - from)} ms)`,
  );
}
// Real agents whose client cancels in the middle, and whose server is killed.
for (const name of connectAny === undefined ? [] : there) {
  if (wanted !== undefined && wanted !== name) continue;
  const server = serverWith(`agent-${name}`, { agents: { [name]: agents[name] } });
  const works = async (client) => {
    while (!/turn 1/.test((await client.call('list_agents')).text)) await new Promise((resolve) => setTimeout(resolve, 100));
  };
  const client = await connectAny(server);
  const stop = new AbortController();
  const failed = assert.rejects(client.call('spawn_agent', { instructions: 'PLAY:slow' }, { signal: stop.signal }));
  await works(client);
  stop.abort();
  await failed;
  assert.match((await client.call('wait_agents')).text, /cancelled/, name);
  await client.close();
  await nothingRuns(`${name}, cancelled`);
  const second = await connectAny(server);
  const { text } = await second.call('spawn_agent', { instructions: 'PLAY:later', background: true });
  await works(second);
  process.kill(second.pid, 'SIGKILL');
  await second.close().catch(() => undefined);
  const third = await connectAny(server);
  let reported = '';
  while (!/later-3/.test(reported)) {
    reported = (await third.call('wait_agents')).text;
    assert.doesNotMatch(reported, /None of your sub-agents|failed/, name);
  }
  assert.match(reported, new RegExp(idIn(text)));
  assert.doesNotMatch((await third.call('wait_agents')).text, /later-3/);
  await third.close();
  await nothingRuns(`${name}, killed`);
  plays.dear = [CLIENTS[name].runs('true'), { text: 'slowly', slowMs: 60_000 }];
  // Over ACP opencode says what it used when its turn ends; its command line says it after each call of the model.
  const asCommand = { how: 'command', command: [...model.within, join(inst(name), 'node_modules/.bin', CLIENTS[name].exec[0])] };
  const agent = { ...agents[name], ...(name === 'opencode' && asCommand) };
  const capped = await connectAny(serverWith(`capped-${name}`, { agents: { [name]: agent }, taskBudget: { tokens: 90 } }));
  const dear = await capped.call('spawn_agent', { instructions: 'PLAY:dear' });
  assert.equal(dear.isError, true, `${name}: ${dear.text}`);
  assert.match(dear.text, /budget/, name);
  await capped.close();
  await nothingRuns(`${name}, capped`);
  report(`${name}, as an agent: a cancel in the middle, a server that is killed, a result told once, a cap that is met`);
}
model.end();
assert.ok(tried > 0 || (wanted !== undefined && !(wanted in CLIENTS)), 'no real client could be fetched from npm');
