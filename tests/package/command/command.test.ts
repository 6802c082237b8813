// `subagents mcp` and `subagents doctor` as a user calls them.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { does } from '../../support/agents/agents.js';
import { processesWith, type Served, User } from '../../support/mcp-command.js';

const root = join(import.meta.dirname, '../../..');
const users: User[] = [];
afterEach(() => {
  for (const { home } of users.splice(0)) rmSync(home, { recursive: true, force: true });
});
function user(): User {
  const made = new User();
  users.push(made);
  return made;
}
function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}
const hasTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;
const onUnix = test.skipIf(process.platform === 'win32');

describe('what a user does wrong', () => {
  onUnix.each([
    ['{"agnets":{}}', 'it has no agnets; it has $schema, agents,'],
    ['{"agents":{"x":{"profle":"codex"}}}', 'agents.x has no profle; it has profile, how,'],
    ['{"agents":{"x":{"profile":"codx"}}}', 'agents.x.profile is wrong: Invalid option: expected one of "codex"'],
    ['{"agents":{"x":{}}}', 'agents.x has neither a `profile` (codex, claude, opencode, gemini) nor a `command`'],
    ['{"agents":{"x":{"command":["sh"],"how":"command"}}}', 'agents.x needs a `profile` with `how: command`'],
    ['{"agents":{"x":{"command":["no-such-program"]}}}', "the agent x can't be started: there is no no-such-program"],
    ['{"agents":{"codex":{}}}', "the agent codex isn't installed: npm install -g @openai/codex"],
    ['{"agents":{"x":{"command":["sh"],"permission":[{"title":"(","answer":"allow"}]}}}', 'is no regular expression'],
    ['{"agents":{"x":{"command":["sh"],"cwd":"nowhere"}}}', '`cwd` must be the path of a folder'],
    ['{"agents":{"x":{"command":["sh"]}},"default":"y"}', 'default is y, and there is no such agent; there are x'],
    ['{"agents":{"x":{"command":["sh"]}},"limits":{"maxConcurrent":0}}', '`maxConcurrent` must be a whole number of at least 1'],
    ['{"agents":{}}', 'agents is empty: name one, or leave it out'],
    ['{"agents":{"a b":{"command":["sh"]}}}', 'agents.a b is wrong: a name has letters, digits, _ and - alone, at most 64'],
    [
      '{"permission":"alow"}',
      'permission is wrong: it takes allow, reject, ask, or a list of { kind, title, answer }; kinds are read, edit,',
    ],
    ['{"permission":[{"kind":["read","exec"],"answer":"allow"}]}', 'permission is wrong: it takes allow, reject, ask, or a list'],
    ['{"agents":{"x":{"command":["sh"]}},"http":{"port":0,"tokens":{}}}', 'http.tokens names no user'],
    ['{"limits":{"maxConcurent":3}}', 'limits has no maxConcurent; it has maxConcurrent,'],
    ['{"budget":{"costUsd":"1"}}', 'budget.costUsd is wrong: Invalid input: expected number'],
    ['{"agents":{},}', 'is no JSON: '],
    ['{"dayBudget":{"cost":1}}', 'dayBudget has no cost; it has tokens, costUsd'],
    ['{"rates":{"*":{"requests":1}}}', 'rates.* has no requests; it has requestsPerMinute, tokensPerMinute'],
    ['{"isolation":"container"}', 'isolation is wrong: Invalid input: expected "worktree"'],
    [
      '{"models":{"m":{"api":"gemini","baseUrl":"http://x/v1","model":"m"}}}',
      'models.m.api is wrong: Invalid option: expected one of "openai"',
    ],
    ['{"models":{"m":{"api":"openai","baseUrl":"x","model":"m"}}}', 'models.m.baseUrl is wrong: Invalid URL'],
    [
      '{"models":{"m":{"api":"openai","baseUrl":"http://x/v1","model":"m"}}}',
      'the model m takes ai and @ai-sdk/openai-compatible: npm install ai',
    ],
    [
      '{"agents":{"m":{"command":["sh"]}},"models":{"m":{"api":"openai","baseUrl":"http://x/v1","model":"m"}}}',
      'm is the name of an agent and of a model',
    ],
    ['{"agents":{"x":{"command":["sh"]}},"http":{"port":0,"tokens":{"me":"NO_SUCH"}}}', 'NO_SUCH holds no token'],
  ])('%s', (config, said) => {
    const one = user();
    const { code, out, err } = one.run(['mcp', ...one.configuredBy(config)]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(said);
    expect(err).not.toMatch(/(the agent \w+: ).*\1/);
    expect(err.trim().split('\n').at(-1)).toMatch(/^subagents mcp: /);
  });

  onUnix('tokens that are no tokens, a default that is not there, and a folder that is none', () => {
    const one = user();
    const agents = { x: { command: ['sh'] } };
    const said = (config: object, args: string[] = [], env: Record<string, string> = {}): string =>
      one.run(['mcp', ...one.configuredBy(JSON.stringify(config)), ...args], env).err;
    const http = { port: 0, tokens: { me: 'MINE', you: 'YOURS' } };
    const [token, spaced] = ['0123456789abcdef', 'a token of several words'];
    expect(said({ agents, http }, [], { MINE: token, YOURS: token })).toContain('http.tokens: me and you have the same token');
    expect(said({ agents, http }, [], { MINE: spaced, YOURS: token })).toContain('MINE holds no token of at least 16 characters of ASCII');
    expect(said({ agents }, ['--cwd', 'nowhere'])).toContain(`--cwd ${join(one.project, 'nowhere')} is no folder`);
    writeFileSync(join(one.home, 'bin/opencode'), '#!/bin/sh\n');
    chmodSync(join(one.home, 'bin/opencode'), 0o755);
    expect(said({ default: 'y' })).toContain('default is y, and there is no such agent; there are opencode');
    const state = join(one.home, 'elsewhere');
    expect(one.run(['doctor', ...one.configuredBy(JSON.stringify({ state }))]).out).toContain(`ok       journals: ${state}`);
  });

  onUnix.each([
    [['mcp'], 'no agent was found on this machine: install Codex'],
    [['mcp', '--agent', 'a=nope'], 'there is no profile nope; there are codex, claude, opencode, gemini'],
    [['mcp', '--agent', 'a b=codex'], 'a name has letters, digits, _ and - alone'],
    [['mcp', '--print', 'emacs'], '--print takes one of codex, claude, opencode, vscode, cursor, zed'],
    [['mcp', '--frob'], "subagents mcp: Unknown option '--frob'; subagents mcp --help says what there is\n"],
    [['mcp', '--config', 'none.json'], "--config none.json can't be read"],
    [['doctor', 'x'], "Unexpected argument 'x'"],
    [['doctor', '--frob'], "subagents doctor: Unknown option '--frob'; subagents doctor --help says what there is\n"],
    [['doctor', '--config', 'none.json'], "--config none.json can't be read"],
    [['frob'], 'it has `inspect`, `mcp` and `doctor`'],
  ])('%j', (args, said) => {
    const { code, out, err } = user().run(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(said);
  });
});

describe('what is printed', () => {
  test('the version of the package, and the usage names how to ask for it', () => {
    const one = user();
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    for (const args of [['--version'], ['-v'], ['inspect', '--version'], ['mcp', '-v'], ['doctor', '--version']])
      expect(one.run(args), args.join(' ')).toEqual({ code: 0, out: `${version}\n`, err: '' });
    for (const args of [[], ['--help'], ['-h'], ['inspect', '-h'], ['mcp', '--help'], ['mcp', '-h'], ['doctor', '-h']]) {
      const { code, out } = one.run(args);
      expect([code, out], args.join(' ')).toEqual([0, expect.stringMatching(/^ {2}-v, --version +the version of this package$/m)]);
    }
    expect(one.run(['--help']).out).toMatch(new RegExp(`^subagents ${version}\n`));
  });

  test.each([
    ['claude', '.mcp.json'],
    ['opencode', 'opencode.json'],
    ['vscode', '.vscode/mcp.json'],
    ['cursor', '.cursor/mcp.json'],
    ['zed', 'settings.json'],
  ])('--print %s is JSON alone, and names the file beside it', (client, file) => {
    const { code, out, err } = user().run(['mcp', '--print', client, '--agent', 'a=codex']);
    expect(code).toBe(0);
    expect(JSON.stringify(JSON.parse(out))).toContain('"mcp","--agent","a=codex"');
    expect(err).toContain(file);
  });

  test('--print codex is TOML with the time-outs of Codex', () => {
    const one = user();
    const { out, err } = one.run(['mcp', '--print', 'codex', '--cwd', 'a b']);
    expect(err).toContain('~/.codex/config.toml');
    expect(out).toContain(`args = ["-y","subagents","mcp","--cwd","${join(one.project, 'a b')}"]`);
    expect(out).toContain('tool_timeout_sec = 300');
  });

  onUnix('doctor names what is there and what is missing', () => {
    const one = user();
    expect(one.run(['doctor'])).toMatchObject({ code: 1, out: expect.stringContaining('missing  opencode: npm install -g opencode-ai') });
    writeFileSync(join(one.home, 'bin/opencode'), '#!/bin/sh\n');
    chmodSync(join(one.home, 'bin/opencode'), 0o755);
    const { code, out } = one.run(['doctor']);
    expect(code).toBe(0);
    expect(out).toContain(`ok       opencode: ${join(one.home, 'bin/opencode')}; if it isn't logged in, run \`opencode auth login\``);
    expect(out).toContain('missing  codex: npm install -g @openai/codex');
  });

  onUnix('doctor says how it is called, and what the agents and models of a configuration need', () => {
    const one = user();
    expect(one.run(['doctor', '--help'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('usage: subagents doctor [--config FILE]'),
    });
    const model = (key: string): object => ({ api: 'anthropic', baseUrl: 'http://127.0.0.1:9/v1', model: 'm', key });
    const command = [process.execPath, join(root, 'tests/support/agents/fake-agent.mjs')];
    const config = { agents: { fake: { command }, codex: {} }, models: { large: model('LARGE_KEY') } };
    const lacks = one.run(['doctor', ...one.configuredBy(JSON.stringify(config))]).out;
    expect(lacks).toContain(`missing  the model large takes ai and @ai-sdk/anthropic: npm install ai @ai-sdk/anthropic in ${one.project}`);
    expect(lacks).toContain('missing  the model large takes its key from the variable LARGE_KEY, which is not set');
    expect(lacks).toContain(`ok       fake: ${process.execPath} (acp)`);
    expect(lacks).toContain("missing  the agent codex isn't installed: npm install -g @openai/codex");
    for (const name of ['ai', '@ai-sdk/anthropic']) {
      mkdirSync(join(one.project, 'node_modules', name), { recursive: true });
      writeFileSync(join(one.project, 'node_modules', name, 'package.json'), '{"exports":{".":{"import":"./index.js"}}}');
    }
    const has = one.run(['doctor', ...one.configuredBy(JSON.stringify(config))], { LARGE_KEY: 'k' });
    expect(has).toMatchObject({ code: 0, out: expect.stringContaining('ok       large: the model m at http://127.0.0.1:9/v1') });
  });

  test('the schema of the configuration is packed, and the command loads no package but this one', () => {
    const schema = JSON.parse(readFileSync(join(root, 'dist/mcp.schema.json'), 'utf8')) as { properties: Record<string, object> };
    expect(Object.keys(schema.properties)).toEqual(
      expect.arrayContaining(['agents', 'models', 'budget', 'dayBudget', 'rates', 'isolation', 'limits', 'permission', 'http']),
    );
    const command = readFileSync(join(root, 'dist/command.js'), 'utf8');
    const imported = Array.from(command.matchAll(/(?:from|import)\s?\(?"([^"]+)"/g), ([, name = '']) => name);
    expect(imported.filter((name) => !/^(node:|subagents(\/|$)|\.\/|process$)/.test(name))).toEqual([]);
    const licences = readFileSync(join(root, 'dist/command.licences.txt'), 'utf8');
    for (const name of ['@modelcontextprotocol/server', '@agentclientprotocol/sdk', 'zod']) expect(licences).toContain(name);
  });
});

describe.skipIf(process.platform === 'win32')('a server', { timeout: 60_000 }, () => {
  test('caps what is used in a day, over servers, and begins anew with the next day', async () => {
    const one = user();
    const args = one.configured({ dayBudget: { costUsd: 1 } });
    const spend = async (server: Served, last: object = { say: 'spent' }): Promise<string> => {
      await server.initialize();
      const said = await server.call('spawn_agent', { instructions: does({ used: 10, cost: 0.6 }, last) });
      server.child.stdin?.end();
      await server.ended;
      return said;
    };
    expect(await spend(one.serve(args))).toContain('spent');
    expect(await spend(one.serve(args), { untilCancelled: true })).toMatch(/budget/);
    expect(await spend(one.serve(args))).toMatch(/budget/);
    const [path] = filesUnder(join(one.home, 'state')).filter((name) => name.endsWith('.day.json'));
    const begun = JSON.parse(readFileSync(path as string, 'utf8')) as { costUsd: number };
    expect(begun.costUsd).toBe(0);
    writeFileSync(path as string, JSON.stringify({ ...begun, day: '2020-01-01' }));
    expect(await spend(one.serve(args))).toContain('spent');
  });

  test('gives each sub-agent a worktree of its own where the configuration says so', async () => {
    const one = user();
    const git = (...rest: string[]): string =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...rest], { cwd: one.project, encoding: 'utf8' });
    git('init', '--quiet');
    git('commit', '--quiet', '--allow-empty', '-m', 'first');
    const server = await one.serve(one.configured({ isolation: 'worktree' })).initialize();
    const said = await server.call('spawn_agent', { instructions: does({ write: 'a.txt' }, { say: 'wrote' }) });
    expect(said).toMatch(/wrote[\s\S]*Changed on the branch subagents\/sub_[0-9a-f]{32}, in .*: 1 new file/);
    expect(git('status', '--porcelain')).toBe('');
    expect(git('branch', '--list', 'subagents/*')).toContain('subagents/sub_');
    server.child.stdin?.end();
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });

  test('takes the worktree of an agent from the repository of its own folder', async () => {
    const one = user();
    const elsewhere = join(one.home, 'elsewhere');
    const git = (cwd: string, ...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd, encoding: 'utf8' });
    mkdirSync(elsewhere);
    for (const cwd of [one.project, elsewhere]) {
      git(cwd, 'init', '--quiet');
      git(cwd, 'commit', '--quiet', '--allow-empty', '-m', 'first');
    }
    const agents = { fake: { ...one.fake, cwd: elsewhere } };
    const server = one.serve(one.configured({ isolation: 'worktree', agents }));
    await server.initialize('test');
    await server.call('spawn_agent', { instructions: does({ write: 'new.txt' }, { say: 'x' }) });
    const branches = [one.project, elsewhere].map((cwd) => git(cwd, 'branch', '--list', 'subagents/*').trim());
    expect(branches).toEqual(['', expect.stringContaining('subagents/sub_')]);
    server.child.stdin?.end();
    await server.ended;
  });

  test('offers the agents of this machine and the roles of .claude/agents', async () => {
    const one = user();
    mkdirSync(join(one.project, '.claude/agents'), { recursive: true });
    const role = '---\nname: reviewer\ndescription: Reads a change for mistakes.\ntools: Read, Grep\n---\nYou are a reviewer.\n';
    writeFileSync(join(one.project, '.claude/agents/reviewer.md'), role);
    writeFileSync(join(one.project, '.claude/agents/broken.md'), '---\nname: [\n');
    writeFileSync(join(one.home, 'bin/opencode'), '#!/bin/sh\n');
    chmodSync(join(one.home, 'bin/opencode'), 0o755);
    const server = await one.serve([]).initialize('some client');
    const { tools } = (await server.request('tools/list')) as { tools: { name: string; description: string; inputSchema: object }[] };
    const spawn = JSON.stringify(tools.find(({ name }) => name === 'spawn_agent'));
    expect(spawn).toContain('opencode: reads and changes code');
    expect(spawn).toContain('reviewer: Reads a change for mistakes.');
    expect(server.said).toMatch(/left out: .*broken\.md/);
    expect(server.said).toMatch(/agents: opencode \(acp, .*\/bin\/opencode\)/);
    server.child.stdin?.end();
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(server.strange).toEqual([]);
  });

  test('ends with its client, and its agents with it; what ran in the background goes on in the next', async () => {
    const one = user();
    const args = one.configured();
    const server = await one.serve(args).initialize();
    await server.call('spawn_agent', { instructions: does({ waits: true, say: 'went on' }), background: true });
    void server.call('spawn_agent', { instructions: does({ say: 'begun' }, { untilCancelled: true }) }).catch(() => undefined);
    while ((await server.call('list_agents')).match(/running/g)?.length !== 2);
    server.child.stdin?.end();
    expect(await server.ended).toEqual({ code: 0, signal: null });
    await expect.poll(() => processesWith(one.home)).toEqual([]);
    writeFileSync(`${one.log}.go`, '');
    const next = await one.serve(args).initialize();
    const reported = await next.call('wait_agents');
    expect(reported).toContain('went on');
    expect(await next.call('wait_agents')).toMatch(/^None of your sub-agents is running/);
    expect(await next.call('list_agents')).toMatch(/ cancelled \(/);
    next.child.stdin?.end();
    await next.ended;
  });

  test('lets background work go on for lingerMs', async () => {
    const one = user();
    const args = one.configured({ lingerMs: 60_000 });
    const server = await one.serve(args).initialize();
    await server.call('spawn_agent', { instructions: does({ waits: true, say: 'lingered' }), background: true });
    server.child.stdin?.end();
    writeFileSync(`${one.log}.go`, '');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    rmSync(`${one.log}.go`);
    const next = await one.serve(args).initialize();
    expect(await next.call('wait_agents')).toContain('lingered');
    next.child.stdin?.end();
    await next.ended;
  });

  test.each([['SIGTERM', 143] as const, ['SIGINT', 130] as const, ['SIGHUP', 129] as const, ['SIGKILL', null] as const])(
    '%s leaves no process, and the next server goes on',
    async (signal, code) => {
      const one = user();
      const args = one.configured();
      const server = await one.serve(args).initialize();
      await server.call('spawn_agent', { instructions: does({ waits: true, say: 'went on' }), background: true });
      await expect.poll(() => processesWith(one.log).length).toBeGreaterThan(0);
      server.child.kill(signal);
      expect(await server.ended).toMatchObject({ code });
      writeFileSync(`${one.log}.go`, '');
      const next = await one.serve(args).initialize();
      expect(await next.call('wait_agents')).toContain('went on');
      next.child.stdin?.end();
      await next.ended;
      await expect.poll(() => processesWith(one.home)).toEqual([]);
    },
  );

  test('keeps a journal for each client and folder that no other user reads, and inspect lists them', async () => {
    const one = user();
    const args = one.configured();
    const [first, second, other] = [
      await one.serve(args).initialize('Some Client'),
      await one.serve(args).initialize('Some Client'),
      await one.serve(args).initialize('other'),
    ];
    // Of names without a letter of ASCII, too, each client has its own.
    const [third, fourth] = [await one.serve(args).initialize('клиент'), await one.serve(args).initialize('другой')];
    for (const server of [third, fourth]) await server.call('list_agents');
    const paths = [(await third.says(/journal: (.*)/))[1], (await fourth.says(/journal: (.*)/))[1]];
    expect(new Set(paths.map((of) => dirname(of ?? ''))).size).toBe(2);
    await first.call('spawn_agent', { instructions: does({ say: 'mine' }), background: true });
    for (const server of [second, other]) expect(await server.call('list_agents')).toBe('There are no sub-agents.');
    const [, path = ''] = await first.says(/journal: (.*)/);
    expect(path).toMatch(/\/subagents\/mcp\/Some-Client-[0-9a-f]{12}\/1\.journal$/);
    expect((await second.says(/journal: (.*)/))[1]).toBe(path.replace('1.journal', '2.journal'));
    expect((statSync(join(path, '..')).mode & 0o777).toString(8)).toBe('700');
    const { code, out } = one.run(['inspect']);
    expect(code).toBe(0);
    expect(out).toContain(path);
    expect(out).toContain(`Some Client  ${one.project}  in use`);
    expect(out.match(/\.journal$/gm)).toHaveLength(5);
    // What a killed server leaves is an old lock.
    utimesSync(`${path}.lock`, 0, 0);
    expect(one.run(['inspect']).out.match(/in use$/gm)).toHaveLength(4);
    utimesSync(`${path}.lock`, new Date(), new Date());
    expect(one.run(['inspect', path]).out).toContain('mine');
    if (hasTerminal) {
      // One in use is followed, until Ctrl-C.
      const terminal = one.inTerminal(['inspect']);
      const [list] = await terminal.says(/^[\s\S]*Which one\? /);
      const at = list.split('\r\n').findIndex((line) => line.includes(path));
      terminal.child.stdin?.write(`${(at + 1) / 2}\n`);
      await terminal.says(/Which one\? [\s\S]*mine[\s\S]*budgets/);
      await first.call('spawn_agent', { instructions: does({ say: 'x' }), label: 'later' });
      await terminal.says(/later/);
      terminal.child.stdin?.write('\u0003');
      await terminal.ended;
    }
    for (const server of [first, second, other, third, fourth]) {
      server.child.stdin?.end();
      await server.ended;
    }
  });

  test('offers no tools inside of a sub-agent, on Linux also if the client hands no variables on', async () => {
    const one = user();
    const args = one.configured();
    const inside = await one.serve(args, { SUBAGENTS_DEPTH: '1' }).initialize();
    expect(await inside.request('tools/list')).toMatchObject({ tools: [] });
    inside.child.stdin?.end();
    await inside.ended;
    if (process.platform === 'linux') {
      // What started the client that starts the server says it.
      const bare = await one.serveUnder('env -u SUBAGENTS_DEPTH "$@"; exit', args, { SUBAGENTS_DEPTH: '1' }).initialize();
      expect(await bare.request('tools/list')).toMatchObject({ tools: [] });
      bare.child.stdin?.end();
      await bare.ended;
    }
    const deeper = await one.serve(one.configured({ limits: { maxDepth: 2 } }), { SUBAGENTS_DEPTH: '1' }).initialize();
    expect(((await deeper.request('tools/list')) as { tools: object[] }).tools.length).toBeGreaterThan(5);
    deeper.child.stdin?.end();
    await deeper.ended;
  });

  test('over HTTP answers those who have a token, each with sub-agents of their own, and no page of a browser', async () => {
    const one = user();
    const tokens = { me: 'TOKEN_OF_ME', you: 'TOKEN_OF_YOU' };
    const env = { TOKEN_OF_ME: 'a-token-of-some-length', TOKEN_OF_YOU: 'another-token-of-some-length' };
    const server = one.serve(one.configured({ http: { port: 0, tokens } }), env);
    const [, address = ''] = await server.says(/(http:\/\/127\.0\.0\.1:\d+\/mcp)/);
    const post = (method: string, params: object, headers: Record<string, string>): Promise<Response> =>
      fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
    const as = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
    for (const headers of [{}, as('wrong-token-of-some-length'), { ...as(env.TOKEN_OF_ME), origin: 'https://example.com' }])
      expect((await post('tools/list', {}, headers as Record<string, string>)).status).toBe(401);
    const call = async (name: string, args: object, token: string): Promise<string> =>
      (await post('tools/call', { name, arguments: args }, as(token))).text();
    expect(await call('spawn_agent', { instructions: does({ say: 'mine' }) }, env.TOKEN_OF_ME)).toContain('mine');
    expect(await call('list_agents', {}, env.TOKEN_OF_ME)).toContain('sub_');
    expect(await call('list_agents', {}, env.TOKEN_OF_YOU)).toContain('There are no sub-agents.');
    server.child.kill('SIGTERM');
    await server.ended;
  });

  describe('tasks', () => {
    const META = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } },
    };
    interface Task {
      resultType?: string;
      taskId: string;
      status: string;
      result?: { content: { text: string }[]; isError?: boolean };
      inputRequests?: Record<string, { method: string; params: { message: string } }>;
    }
    /** A client of 2026-07-28, which opens no session. */
    const newer = (server: ReturnType<User['serve']>) => async (method: string, params: object) =>
      (await server.request(method, { ...params, _meta: META })) as unknown as Task;
    const until = async (ask: ReturnType<typeof newer>, taskId: string, status: string): Promise<Task> => {
      for (;;) {
        const task = await ask('tasks/get', { taskId });
        if (task.status === status) return task;
        if (task.status !== 'working') throw new Error(JSON.stringify(task));
      }
    };

    test('of 2026-07-28 stand under the id of the sub-agent, and a result counts as delivered by the next request', async () => {
      const one = user();
      const args = one.configured();
      const server = one.serve(args);
      const ask = newer(server);
      const task = await ask('tools/call', { name: 'spawn_agent', arguments: { instructions: does({ say: 'of a task' }) } });
      expect(task).toMatchObject({ resultType: 'task', taskId: expect.stringMatching(/^sub_[0-9a-f]{32}$/), status: 'working' });
      const ended = await until(ask, task.taskId, 'completed');
      expect(ended.result?.content[0]?.text).toContain('of a task');
      expect(ended.result?.isError).toBeUndefined();
      // The connection is lost: the client may not have got it.
      server.child.kill('SIGKILL');
      await server.ended;
      const next = one.serve(args);
      expect(JSON.stringify(await newer(next)('tools/call', { name: 'wait_agents', arguments: {} }))).toContain('of a task');
      expect(JSON.stringify(await newer(next)('tools/call', { name: 'wait_agents', arguments: {} }))).toContain('None of your sub-agents');
      const again = await newer(next)('tools/call', { name: 'spawn_agent', arguments: { instructions: does({ say: 'told' }) } });
      await until(newer(next), again.taskId, 'completed');
      expect(JSON.stringify(await newer(next)('tools/call', { name: 'wait_agents', arguments: {} }))).toContain('None of your sub-agents');
      next.child.stdin?.end();
      await next.ended;
    });

    test('of 2026-07-28 over HTTP are delivered by the next request of the same user, and by none of another', async () => {
      const one = user();
      const env = { TOKEN_OF_ME: 'a-token-of-some-length', TOKEN_OF_YOU: 'another-token-of-some-length' };
      const server = one.serve(one.configured({ http: { port: 0, tokens: { me: 'TOKEN_OF_ME', you: 'TOKEN_OF_YOU' } } }), env);
      const [, address = ''] = await server.says(/(http:\/\/127\.0\.0\.1:\d+\/mcp)/);
      const by = (token: string) => async (method: string, params: object) => {
        const { taskId, name = taskId } = params as { taskId?: string; name?: string };
        const headers = {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
          ...(typeof name === 'string' && { 'mcp-name': name }),
          authorization: `Bearer ${token}`,
        };
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } });
        const text = await (await fetch(address, { method: 'POST', headers, body })).text();
        const { result, error } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as { result?: Task; error?: { message: string } };
        if (result === undefined) throw new Error(error?.message ?? text);
        return result;
      };
      const [me, you] = [by(env.TOKEN_OF_ME), by(env.TOKEN_OF_YOU)];
      const spawned = (): Promise<Task> =>
        me('tools/call', { name: 'spawn_agent', arguments: { instructions: does({ say: 'of a task' }) } });
      const waited = async (ask: typeof me): Promise<string> =>
        JSON.stringify(await ask('tools/call', { name: 'wait_agents', arguments: {} }));
      const first = await spawned();
      expect((await until(me, first.taskId, 'completed')).result?.content[0]?.text).toContain('of a task');
      // Who asks for the same once more may not have got it.
      await me('tasks/get', { taskId: first.taskId });
      expect(await waited(you)).toContain('None of your sub-agents');
      expect(await waited(me)).toContain('None of your sub-agents');
      server.child.kill('SIGTERM');
      await server.ended;
    });

    test('of 2026-07-28 ask the person at the client, and end when they are cancelled', async () => {
      const one = user();
      const command = JSON.parse(readFileSync(one.configured()[1] as string, 'utf8')) as { agents: { fake: object } };
      const server = one.serve(one.configured({ agents: { fake: { ...command.agents.fake, permission: 'ask' } } }));
      const ask = newer(server);
      const spawn = (...steps: object[]) => ask('tools/call', { name: 'spawn_agent', arguments: { instructions: does(...steps) } });
      const asking = await spawn({ ask: 'rm -rf /', kind: 'delete' }, { say: 'went on' });
      const { inputRequests } = await until(ask, asking.taskId, 'input_required');
      expect(inputRequests?.answer).toMatchObject({ method: 'elicitation/create', params: { message: expect.stringContaining('rm -rf') } });
      const inputResponses = { answer: { action: 'accept', content: { answer: 'allow' } } };
      await ask('tasks/update', { taskId: asking.taskId, inputResponses });
      expect((await until(ask, asking.taskId, 'completed')).result?.content[0]?.text).toContain('went on');
      const long = await spawn({ say: 'begun' }, { untilCancelled: true });
      await ask('tasks/cancel', { taskId: long.taskId });
      expect(await until(ask, long.taskId, 'cancelled')).toMatchObject({ status: 'cancelled' });
      await expect(ask('tasks/get', { taskId: 'none' })).rejects.toThrow();
      server.child.stdin?.end();
      await server.ended;
    });

    test('of 2026-07-28 whose client can ask no person leave the question to the model', async () => {
      const one = user();
      const server = one.serve(one.configured({ agents: { fake: { ...one.fake, permission: 'ask' } } }));
      const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
      const ask = async (method: string, params: object): Promise<Task> =>
        (await server.request(method, {
          ...params,
          _meta: { ...META, 'io.modelcontextprotocol/clientCapabilities': capabilities },
        })) as unknown as Task;
      const instructions = does({ ask: 'rm -rf /', kind: 'delete' }, { say: 'went on' });
      const { taskId } = await ask('tools/call', { name: 'spawn_agent', arguments: { instructions } });
      expect((await until(ask, taskId, 'completed')).result?.content[0]?.text).toMatch(/rm -rf \/[\s\S]*send_message answers it/);
      await ask('tools/call', { name: 'send_message', arguments: { agent_id: taskId, message: 'allow' } });
      expect(JSON.stringify(await ask('tools/call', { name: 'wait_agents', arguments: {} }))).toContain('went on');
      server.child.stdin?.end();
      await server.ended;
    });

    test('of 2025-11-25 are there for a call that asks for one', async () => {
      const server = await user().serve(user().configured()).initialize('test', '2025-11-25');
      const { tools } = (await server.request('tools/list')) as { tools: { name: string; execution?: object }[] };
      expect(tools.find(({ name }) => name === 'spawn_agent')?.execution).toEqual({ taskSupport: 'optional' });
      const params = { name: 'spawn_agent', arguments: { instructions: does({ say: 'of a task' }) }, task: { ttl: 60_000 } };
      const { task } = (await server.request('tools/call', params)) as { task: Task };
      expect(task).toMatchObject({ taskId: expect.stringMatching(/^sub_/), status: 'working', ttl: null });
      const result = (await server.request('tasks/result', { taskId: task.taskId })) as unknown as NonNullable<Task['result']>;
      expect(result.content[0]?.text).toContain('of a task');
      expect(await server.request('tasks/get', { taskId: task.taskId })).toMatchObject({ status: 'completed' });
      expect(await server.call('wait_agents')).toContain('None of your sub-agents');
      server.child.stdin?.end();
      await server.ended;
    });

    test('of 2025-11-25 whose result was given up while it was waited for are delivered later', async () => {
      const one = user();
      const server = await one.serve(one.configured()).initialize('test', '2025-11-25');
      const params = { name: 'spawn_agent', arguments: { instructions: does({ waits: true, say: 'of a task' }) }, task: {} };
      const { taskId } = ((await server.request('tools/call', params)) as { task: Task }).task;
      const id = server.next();
      server.send({ id, method: 'tasks/result', params: { taskId } });
      await server.request('tasks/get', { taskId });
      server.send({ method: 'notifications/cancelled', params: { requestId: id } });
      one.go();
      while ((await server.request('tasks/get', { taskId })).status === 'working');
      expect(await server.call('list_agents')).toContain('completed');
      expect(await server.call('wait_agents')).toContain('of a task');
      server.child.stdin?.end();
      await server.ended;
    });

    test('of 2025-11-25 ask the person within the request for their result, and the model at a client without one', async () => {
      for (const [elicits, text] of [
        [true, 'went on'],
        [false, 'rm -rf /'],
      ] as const) {
        const one = user();
        const server = one.serve(one.configured({ agents: { fake: { ...one.fake, permission: 'ask' } } }));
        const asked: string[] = [];
        if (elicits)
          server.elicit = ({ message }) => {
            asked.push(message);
            return { action: 'accept', content: { answer: 'allow' } };
          };
        await server.initialize('test', '2025-11-25');
        const instructions = does({ ask: 'rm -rf /', kind: 'delete' }, { say: 'went on' });
        const params = { name: 'spawn_agent', arguments: { instructions }, task: {} };
        const { taskId } = ((await server.request('tools/call', params)) as { task: Task }).task;
        expect(JSON.stringify(await server.request('tasks/result', { taskId }))).toContain(text);
        expect(asked).toEqual(elicits ? [expect.stringContaining('rm -rf /')] : []);
        if (elicits) expect(await server.call('wait_agents')).toContain('None of your sub-agents');
        else {
          await server.call('send_message', { agent_id: taskId, message: 'allow' });
          expect(await server.call('wait_agents')).toContain('went on');
        }
        server.child.stdin?.end();
        await server.ended;
      }
    });
  });

  test('asks the person of a client of 2026-07-28 between two requests, and leaves a question that is declined to the model', async () => {
    const one = user();
    const server = one.serve(one.configured({ agents: { fake: { ...one.fake, permission: 'ask' } } }));
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    };
    type Answer = {
      resultType: string;
      content: { text: string }[];
      inputRequests: Record<string, { method: string; params: { message: string } }>;
    };
    const call = async (name: string, args: object, inputResponses?: object): Promise<Answer> => {
      const params = { name, arguments: args, ...(inputResponses && { inputResponses }), _meta };
      return (await server.request('tools/call', params)) as unknown as Answer;
    };
    const asks = { instructions: does({ ask: 'rm -rf /', kind: 'delete' }, { say: 'went on' }) };
    for (const [name, more] of [
      ['spawn_agent', {}],
      ['wait_agents', { background: true }],
    ] as const) {
      let args: object = { ...asks, ...more };
      if (name === 'wait_agents') {
        await call('spawn_agent', args);
        args = {};
      }
      const first = await call(name, args);
      const [[id = '', form] = []] = Object.entries(first.inputRequests);
      expect([first.resultType, form?.method, form?.params.message]).toEqual([
        'input_required',
        'elicitation/create',
        expect.stringMatching(/rm -rf \//),
      ]);
      const declined = await call(name, args, { [id]: { action: 'decline' } });
      expect(declined.content[0]?.text).toContain('rm -rf /');
      const second = await call(name, args, { [id]: { action: 'accept', content: { answer: 'allow' } } });
      expect(second.content[0]?.text).toContain('went on');
    }
    expect((await call('wait_agents', {}, { sub_none: { action: 'accept', content: { answer: 'x' } } })).content[0]?.text).toMatch(
      /sub_none/,
    );
    expect((await call('wait_agents', {})).content[0]?.text).toContain('None of your sub-agents');
    server.child.stdin?.end();
    await server.ended;
  });
});
