// What the file of `--config` says of agents and models, as the model of a client and the agents meet it.

import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { does } from '../../support/agents/agents.js';
import { type Served, User } from '../../support/mcp-command.js';

const users: User[] = [];
afterEach(() => {
  for (const { home } of users.splice(0)) rmSync(home, { recursive: true, force: true });
});
function user(): User {
  const made = new User();
  users.push(made);
  return made;
}
/** Starts a server with this configuration, for one body. */
async function withServer<T>(one: User, config: object, body: (server: Served) => Promise<T>): Promise<T> {
  const server = await one.serve(one.configuredBy(JSON.stringify(config))).initialize();
  try {
    return await body(server);
  } finally {
    server.child.stdin?.end();
    await server.ended;
  }
}
/** The fake agent with more said of it. */
const fakeOf = (one: User, more: object = {}): object => ({ ...one.fake, ...more });
/** The values of one field of what the fake agent wrote down. */
const logged = (one: User, field: string): unknown[] =>
  readFileSync(one.log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as Record<string, unknown>)[field])
    .filter((value) => value !== undefined);

describe.skipIf(process.platform === 'win32')('a configuration', { timeout: 60_000 }, () => {
  test('models answer by what the AI SDK has for their address', async () => {
    const one = user();
    const packages = {
      ai: `export class ToolLoopAgent {
        constructor(settings) { this.settings = settings; }
        async generate({ messages }) {
          const text = [this.settings.model, this.settings.instructions, messages.at(-1).content].join(' | ');
          return { text, finishReason: 'stop', steps: [], response: { messages: [] } };
        }
      }`,
      '@ai-sdk/openai-compatible':
        'export const createOpenAICompatible = ({ baseURL, apiKey }) => (model) => [baseURL, apiKey, model].join(" ");',
      '@ai-sdk/anthropic': 'export const createAnthropic = ({ baseURL }) => (model) => [baseURL, model].join(" ");',
    };
    for (const [name, code] of Object.entries(packages)) {
      const folder = join(one.project, 'node_modules', name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'package.json'), '{"type":"module","exports":{".":{"import":"./index.js"}}}');
      writeFileSync(join(folder, 'index.js'), code);
    }
    one.env.SMALL_KEY = 'the-key';
    const models = {
      small: { api: 'openai', baseUrl: 'http://127.0.0.1:9/v1', model: 'qwen', key: 'SMALL_KEY', prompt: 'Be brief.' },
      large: { api: 'anthropic', baseUrl: 'http://127.0.0.1:9/v2', model: 'opus' },
    };
    await withServer(one, { models }, async (server) => {
      const ask = (agent?: string): Promise<string> => server.call('spawn_agent', { instructions: 'Say so.', ...(agent && { agent }) });
      expect(await ask()).toMatch(/http:\/\/127\.0\.0\.1:9\/v1 the-key qwen \| Be brief\.[^|]* \| Say so\./);
      expect(await ask('large')).toMatch(/http:\/\/127\.0\.0\.1:9\/v2 opus \|[^|]*\| Say so\./);
    });
  });

  test('a call that names no agent gets the default with its prompt, its rate and its cap', async () => {
    const one = user();
    const agents = { other: fakeOf(one), fake: fakeOf(one, { prompt: 'You count.', taskBudget: { costUsd: 0.5 } }) };
    await withServer(one, { agents, default: 'fake' }, async (server) => {
      const spent = await server.call('spawn_agent', { instructions: does({ used: 10, cost: 0.9 }, { untilCancelled: true }) });
      expect(spent).toMatch(/budget/);
      expect(logged(one, 'prompt')[0]).toContain('You count.');
      expect(await server.call('spawn_agent', { instructions: does({ say: 'no cap', cost: 0.9, used: 10 }), agent: 'other' })).toContain(
        'no cap',
      );
    });
    const rated = { agents, default: 'fake', rates: { fake: { requestsPerMinute: 1 } } };
    await withServer(one, rated, async (server) => {
      const spawn = (more: object): Promise<string> => server.call('spawn_agent', { instructions: does({ say: 'at once' }), ...more });
      expect(await spawn({})).toContain('at once');
      expect(await spawn({ agent: 'other' })).toContain('at once');
      await spawn({ background: true });
      expect(await server.call('list_agents')).toMatch(/pending/);
    });
  });

  test('a rule for permissions may have a title, which the whole request fits', async () => {
    const one = user();
    const permission = [
      { title: 'rm .*', answer: 'reject' },
      { kind: 'execute', answer: 'allow' },
    ];
    await withServer(one, { agents: { fake: fakeOf(one, { permission }) } }, async (server) => {
      await server.call('spawn_agent', { instructions: does({ ask: 'rm -rf /' }, { ask: 'confirm it' }) });
      expect(logged(one, 'outcome')).toEqual(['no', 'yes']);
    });
  });

  test('`budget` caps all of a journal together, over its servers', async () => {
    const one = user();
    const config = { agents: { fake: fakeOf(one) }, budget: { costUsd: 1 } };
    const spend = (): Promise<string> =>
      withServer(one, config, (server) => server.call('spawn_agent', { instructions: does({ used: 10, cost: 1 }, { say: 'spent' }) }));
    expect(await spend()).toContain('spent');
    expect(await spend()).toMatch(/budget/);
  });

  test('`state` is the folder of the journals, and one that can not be written is said on standard error too', async () => {
    const one = user();
    const agents = { fake: fakeOf(one) };
    const state = join(one.home, 'elsewhere');
    await withServer(one, { agents, state }, async (server) => {
      await server.call('list_agents');
      expect((await server.says(/journal: (.*)/))[1]).toMatch(`${state}/test-`);
    });
    writeFileSync(join(one.home, 'file'), '');
    await withServer(one, { agents, state: join(one.home, 'file/state') }, async (server) => {
      const words = /no journal can be written to .*\/file\/state.*`state` of --config names another folder/;
      await expect(server.request('tools/list')).rejects.toThrow(words);
      await server.says(words);
    });
  });

  test('a damaged journal is left as it is, and said', async () => {
    const one = user();
    const config = { agents: { fake: fakeOf(one) } };
    const path = await withServer(one, config, async (server) => {
      await server.call('spawn_agent', { instructions: does({ say: 'kept' }) });
      return (await server.says(/journal: (.*)/))[1] ?? '';
    });
    const lines = readFileSync(path, 'utf8').split('\n');
    const damaged = [lines[0], 'damage', ...lines.slice(2)].join('\n');
    writeFileSync(path, damaged);
    await withServer(one, config, async (server) => {
      expect(await server.call('list_agents')).toBe('There are no sub-agents.');
      await server.says(/1\.journal is left as it is: .*`npx subagents inspect .*1\.journal` shows it/);
      await server.says(/journal: .*2\.journal/);
    });
    expect(readFileSync(path, 'utf8')).toBe(damaged);
  });

  test('a role of .claude/agents reaches the agent that plays it, and each agent gets how deep it stands', async () => {
    const one = user();
    mkdirSync(join(one.project, '.claude/agents'), { recursive: true });
    const role = '---\nname: reviewer\ndescription: Reads a change for mistakes.\n---\nYou are a reviewer.\n';
    writeFileSync(join(one.project, '.claude/agents/reviewer.md'), role);
    const fake = fakeOf(one, { prompt: 'Be kind.', taskBudget: { costUsd: 0.5 } });
    await withServer(one, { agents: { fake } }, async (server) => {
      await server.call('spawn_agent', { instructions: does({ say: 'read' }), agent: 'reviewer' });
      expect(logged(one, 'prompt')[0]).toMatch(/Be kind\.[\s\S]*You are a reviewer\./);
      expect(logged(one, 'depth')).toEqual(['1']);
      const dear = { instructions: does({ used: 10, cost: 0.9 }, { untilCancelled: true }), agent: 'reviewer' };
      expect(await server.call('spawn_agent', dear)).toMatch(/budget/);
    });
  });

  test('--agent offers one agent under a name, and no other', async () => {
    const one = user();
    for (const name of ['opencode', 'gemini']) {
      writeFileSync(join(one.home, 'bin', name), '#!/bin/sh\n');
      chmodSync(join(one.home, 'bin', name), 0o755);
    }
    const server = await one.serve(['--agent', 'mine=opencode']).initialize();
    const { tools } = (await server.request('tools/list')) as { tools: { name: string }[] };
    const spawn = JSON.stringify(tools.find(({ name }) => name === 'spawn_agent'));
    expect(spawn).toContain('- mine: opencode: reads and changes code');
    expect(spawn).not.toContain('Gemini');
    server.child.stdin?.end();
    await server.ended;
  });

  test('prices fit an agent by the model that the configuration says it has', async () => {
    const one = user();
    const config = {
      agents: { fake: fakeOf(one, { model: 'high' }) },
      prices: { high: { input: 1_000_000, output: 1_000_000 } },
      taskBudget: { costUsd: 50 },
    };
    await withServer(one, config, async (server) => {
      const used = { totalTokens: 3, inputTokens: 2, outputTokens: 1 };
      expect(await server.call('spawn_agent', { instructions: does({ say: 'dear', usage: used }) })).toMatch(/\$3/);
    });
  });
});
