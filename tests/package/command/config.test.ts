// What the file of `--config` says of agents and models, as the model of a client and the agents meet it.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
const promptsOf = (one: User): string[] =>
  readFileSync(one.log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"prompt"'))
    .map((line) => (JSON.parse(line) as { prompt: string }).prompt);

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
      expect(promptsOf(one)[0]).toContain('You count.');
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
