// The adapters as files: what importing one loads.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { adkTools } from '../../../dist/adapters/adk.js';
import { toolLoopAgent } from '../../../dist/adapters/ai-sdk.js';
import { anthropicTools } from '../../../dist/adapters/anthropic.js';
import { claudeServer, claudeToolNames } from '../../../dist/adapters/claude.js';
import { langchainTools, langgraphAgent } from '../../../dist/adapters/langchain.js';
import { mastraAgent } from '../../../dist/adapters/mastra.js';
import { registerTools } from '../../../dist/adapters/mcp.js';
import { openaiAgent, openaiTools } from '../../../dist/adapters/openai.js';
import { piAgent } from '../../../dist/adapters/pi.js';
import { strandsTools } from '../../../dist/adapters/strands.js';
import { SubAgentManager, TOOL_PRESETS, type ToolCallOptions } from '../../../dist/index.js';
import { served } from '../../support/mcp.js';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'dist/adapters');
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.d.cts'))
  .map((name) => name.replace(/\.d\.cts$/, ''));

describe('what is no agent', () => {
  const nothing = undefined as never;
  const runner = { config: {}, run: async () => undefined };
  const made: [string, (given: never) => ReturnType<typeof toolLoopAgent>][] = [
    ['toolLoopAgent takes a ToolLoopAgent of the AI SDK 6 or 7', (given) => toolLoopAgent(given)],
    ['mastraAgent takes an Agent of Mastra', (given) => mastraAgent(given)],
    ['openaiAgent takes a Runner and an Agent of OpenAI Agents', (given) => openaiAgent(runner, given)],
    ['langgraphAgent takes a compiled graph or an agent', (given) => langgraphAgent(given)],
  ];

  test.each(made)('%s: another thing is refused at once', (says, adapter) => {
    expect(() => adapter(nothing)).toThrow(`${says}, or a function that returns one; it got undefined`);
    expect(() => adapter({} as never)).toThrow(/it got something without `\w+`$/);
    expect(() => adapter(nothing)).toThrow(expect.objectContaining({ details: expect.objectContaining({ argument: 'agent' }) }));
  });

  test('openaiAgent: an agent in place of the runner is refused with the call as it is meant', () => {
    const agent = { instructions: '', tools: [], clone: () => agent };
    expect(() => openaiAgent(agent as never, undefined as never)).toThrow(
      expect.objectContaining({
        message: 'openaiAgent: `runner` must be a Runner of OpenAI Agents, as in openaiAgent(new Runner(), agent)',
        details: expect.objectContaining({ argument: 'runner' }),
      }),
    );
  });

  test.each([...made, ['piAgent takes an Agent of pi', (given: never) => piAgent(given)] as (typeof made)[0]])(
    '%s: a function that forgets to return it fails the run with these words',
    async (says, adapter) => {
      const manager = new SubAgentManager({ spawnSubAgent: adapter((() => undefined) as never) });
      const { status, error } = await manager.spawn({ instructions: 'x' }).wait();
      expect([status, error]).toEqual(['failed', `${says}, or a function that returns one; it got undefined`]);
      manager.dispose();
    },
  );

  test('an agent of pi, given as it is, would have one conversation for all', () => {
    expect(() => piAgent({ prompt() {} } as never)).toThrow('piAgent takes a function that makes an agent for each run');
  });
});

describe('MCP', () => {
  const tool = (execute: (args: unknown, options?: ToolCallOptions) => Promise<string>) => ({
    name: 'slow',
    description: 'slow',
    parameters: { type: 'object' as const, properties: {}, required: [] },
    execute,
  });
  async function call(execute: (received: () => number) => Promise<string>, progressToken: number | undefined, gone?: () => never) {
    const reported: { params: { progress: number; progressToken: number; message?: string } }[] = [];
    const notify = async (notification: (typeof reported)[number]): Promise<void> => {
      reported.push(notification);
    };
    const client = served(
      tool(() => execute(() => reported.length)),
      { keepAliveMs: 10 },
      { notify: gone ?? notify, ...(progressToken !== undefined && { progressToken }) },
    );
    return { result: (await client.call('slow')).result, told: reported };
  }
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const slow = (): Promise<string> => pause(100).then(() => 'DONE');
  // Timers of a busy machine come late, and then fewer: so it lasts until enough was received.
  const slowUntilHeard = async (received: () => number): Promise<string> => {
    while (received() < 3) await pause(10);
    return 'DONE';
  };

  test('a client that asked for progress is notified of a slow call again and again, so that it waits', async () => {
    const { result, told } = await call(slowUntilHeard, 7);
    expect(result?.content[0]?.text).toBe('DONE');
    expect(told.length).toBeGreaterThan(2);
    expect(told.map(({ params }) => params.progress)).toEqual(told.map((_, index) => index + 1));
    expect(new Set(told.map(({ params }) => params.progressToken))).toEqual(new Set([7]));
    const count = told.length;
    await pause(30);
    expect(told).toHaveLength(count);
  });

  test('a client that did not ask gets nothing', async () => {
    expect((await call(slow, undefined)).told).toEqual([]);
  });

  test('a connection that throws at once when it gets progress harms no call', async () => {
    const uncaught = vi.fn();
    process.on('uncaughtException', uncaught);
    const gone = (): never => {
      throw new Error('the connection is closed');
    };
    try {
      expect((await call(slow, 7, gone)).result?.content[0]?.text).toBe('DONE');
    } finally {
      process.off('uncaughtException', uncaught);
    }
    expect(uncaught).not.toHaveBeenCalled();
  });

  test('a tool that throws is an error of the tool, in a line', async () => {
    const { result } = await call(() => Promise.reject(new Error('the manager has been disposed')), undefined);
    expect(result).toEqual({ content: [{ type: 'text', text: 'the manager has been disposed' }], isError: true });
  });
});

describe('OpenAI Agents', () => {
  test('arguments that are no JSON come back as text', async () => {
    using manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });
    const [tool] = openaiTools(manager.createSubAgentTool());
    expect(await tool?.invoke(undefined, '{"instructions":')).toContain("can't be read");
  });
});

describe('LangGraph', () => {
  interface Callbacks {
    handleChatModelStart(model: unknown, messages: unknown[][]): Promise<void>;
    handleLLMEnd(result: unknown): void;
  }
  /** A graph that calls its model once. */
  const graph = (message: object, more: object = {}) => ({
    async invoke({ messages }: { messages: unknown[] }, { callbacks: [model] }: { callbacks: [Callbacks] }) {
      await model.handleChatModelStart({}, [messages]);
      model.handleLLMEnd({ generations: [[{ message }]], ...more });
      return { messages: [...messages, message] };
    },
  });
  const used = { content: 'DONE', usage_metadata: { input_tokens: 90, output_tokens: 10, total_tokens: 100 } };

  test('A2 the context hint goes beside the text, once in a conversation', async () => {
    const seen: unknown[][] = [];
    const { invoke } = graph(used);
    const watched = (state: { messages: unknown[] }, config: never) => {
      seen.push(state.messages.map((message) => (message as { content: string }).content));
      return invoke(state, config);
    };
    using manager = new SubAgentManager({ spawnSubAgent: langgraphAgent({ invoke: watched }) });
    const handle = manager.spawn({ instructions: 'count them', contextHint: 'they are in tests/', systemPrompt: 'SYSTEM' });
    await handle.wait();
    handle.send('and again');
    await handle.wait();
    const first = ['SYSTEM', 'count them\n\n## Context\nthey are in tests/'];
    expect(seen).toEqual([first, [...first, 'DONE', 'and again']]);
  });

  test('usage that a model reports beside its message is booked', async () => {
    const more = { llmOutput: { tokenUsage: { promptTokens: 30, completionTokens: 12, totalTokens: 42 } } };
    using manager = new SubAgentManager({ spawnSubAgent: langgraphAgent(graph({ content: 'DONE' }, more)) });
    const { usage } = await manager.spawn({ instructions: 'x' }).wait();
    expect(usage).toMatchObject({ tokens: 42, unknown: ['costUsd'] });
    using untold = new SubAgentManager({ spawnSubAgent: langgraphAgent(graph({ content: 'DONE' }, { llmOutput: {} })) });
    expect((await untold.spawn({ instructions: 'x' }).wait()).usage.unknown).toContain('tokens');
  });

  test('a total that is no number is a usage that is not known, in its turn alone', async () => {
    const none = { content: 'DONE', usage_metadata: { total_tokens: Number.NaN } };
    using manager = new SubAgentManager({ spawnSubAgent: langgraphAgent(graph(none)) });
    const { usage } = await manager.spawn({ instructions: 'x' }).wait();
    expect(usage).toMatchObject({ tokens: 0, unknown: ['tokens', 'costUsd'], invalid: [] });
    const parts = { content: 'DONE', usage_metadata: { input_tokens: 7, output_tokens: 5, total_tokens: Number.NaN } };
    using added = new SubAgentManager({ spawnSubAgent: langgraphAgent(graph(parts)) });
    expect((await added.spawn({ instructions: 'x' }).wait()).usage).toMatchObject({ tokens: 12, invalid: [] });
  });

  test('a `costUsd` that throws ends the run; what the model used is booked all the same', async () => {
    const costUsd = (): number => {
      throw new Error('no price is known');
    };
    using manager = new SubAgentManager({ spawnSubAgent: langgraphAgent(graph(used), { costUsd }) });
    const { status, error, usage } = await manager.spawn({ instructions: 'x' }).wait();
    expect({ status, error }).toEqual({ status: 'failed', error: 'no price is known' });
    expect(usage.tokens).toBe(100);
    expect(manager.stats().tokensSpent).toBe(100);
  });
});

describe('ADK and LangChain', () => {
  /** The fields of a schema of Gemini's that a tool of ours may need; it refuses a request with any other. */
  const known = ['type', 'description', 'properties', 'required', 'items', 'enum', 'minLength', 'minimum', 'maximum'];
  const keywords = (schema: object): string[] =>
    Object.entries(schema).flatMap(([key, value]) => {
      if (key === 'properties') return [key, ...Object.values(value as object).flatMap(keywords)];
      return key === 'items' ? [key, ...keywords(value as object)] : [key];
    });

  test('their schemas are such as Gemini takes', () => {
    class FunctionTool {
      readonly parameters: object;
      constructor({ parameters }: { parameters: object }) {
        this.parameters = parameters;
      }
    }
    using manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }), agents: { reader: { description: 'reads' } } });
    for (const preset of TOOL_PRESETS) {
      const tools = [...manager.createTools({ preset }), manager.createSubAgentTool()] as Parameters<typeof adkTools>[1];
      for (const { parameters } of adkTools(FunctionTool, tools)) {
        expect(keywords(parameters).filter((keyword) => !known.includes(keyword))).toEqual([]);
        expect(parameters).toHaveProperty('properties');
      }
      const schemas = langchainTools((_, { schema }) => schema['~standard'].jsonSchema.input() as object, tools);
      for (const schema of schemas) expect(keywords(schema).filter((keyword) => !known.includes(keyword))).toEqual([]);
    }
  });

  test('the tool keeps its own schema, and says what is too little', async () => {
    using manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });
    const { spawn_agent } = manager.createTools();
    expect(spawn_agent?.parameters.properties.max_cost_usd).toHaveProperty('exclusiveMinimum', 0);
    expect(await spawn_agent?.execute({ instructions: 'x', max_cost_usd: -1 })).toContain('above 0');
  });
});

describe('an adapter', () => {
  test('an option of another name is refused at once: costs would stay unbooked without a word', () => {
    const wrong = { costUSD: () => 1 } as never;
    const helpers = { toolLoopAgent, mastraAgent, piAgent, langgraphAgent };
    for (const [name, helper] of Object.entries(helpers)) {
      const make = helper as (agent: never, options: never) => unknown;
      expect(() => make({} as never, wrong), name).toThrow(`${name} has no option \`costUSD\`; it has costUsd, lastTurn`);
    }
    expect(() => openaiAgent({} as never, {} as never, wrong)).toThrow('openaiAgent has no option `costUSD`');
    // The shape of the package's own errors: adapters are bundled apart.
    expect(() => openaiAgent({} as never, {} as never, wrong)).toThrow(
      expect.objectContaining({
        name: 'SubAgentError',
        code: 'invalid_argument',
        details: expect.objectContaining({ argument: 'costUSD' }),
      }),
    );
    const older = { registerCapabilities: () => undefined, setRequestHandler: () => undefined };
    const server = { registerTool: () => undefined, server: older };
    const tools = new SubAgentManager().createTools();
    expect(() => registerTools(server, tools, { keepAlive: 5 } as never)).toThrow(
      'registerTools has no option `keepAlive`; it has keepAliveMs',
    );
    expect(() => registerTools(older, tools, {} as never, { keepAlive: 5 } as never)).toThrow('registerTools has no option `keepAlive`');
  });

  test.each(names)('subagents/%s loads nothing but its parts, neither the package nor a framework', (name) => {
    const loadedBy = (file: string, reference: RegExp): string[] => {
      const named = Array.from(readFileSync(file, 'utf8').matchAll(reference), ([, from, by]) => from ?? by ?? '');
      return named.flatMap((each) => [each, ...(each.startsWith('.') ? loadedBy(join(dirname(file), each), reference) : [])]);
    };
    const loaded = [
      loadedBy(join(folder, `${name}.js`), /\bfrom\s*["']([^"']*)|\bimport\s*\(?\s*["']([^"']*)/g),
      loadedBy(join(folder, `${name}.cjs`), /\brequire\(["']([^"']*)/g),
    ];
    for (const files of loaded) {
      expect(files).not.toEqual([]);
      // Beside the adapters, or in the folder of their parts.
      expect(files.filter((file) => !/^(\.|\.\.\/parts)\/[a-z-]+\.c?js$/.test(file))).toEqual([]);
    }
  });

  test.each(names)('subagents/%s exports the same by import and by require', async (name) => {
    const script = `import('subagents/${name}').then((module) => console.log(Object.keys(module).sort().join()))`;
    const imported = execFileSync(process.execPath, ['--eval', script], { cwd: root, encoding: 'utf8' }).trim();
    const required = Object.keys(createRequire(import.meta.url)(join(folder, `${name}.cjs`)) as object);
    expect(imported).not.toBe('');
    expect(required.sort().join()).toBe(imported);
  });

  test.each(names)('the types of subagents/%s name no framework', (name) => {
    expect(readFileSync(join(folder, `${name}.d.ts`), 'utf8')).not.toMatch(/from ['"][^.]/);
  });
});

test('a delegation through an adapter shows its progress', async () => {
  class Agent {
    readonly settings: { prepareStep?: (step: object) => Promise<{ model: { doGenerate(): Promise<unknown> } }> };

    constructor(settings: Agent['settings']) {
      this.settings = settings;
    }

    async generate({ messages }: { messages: object[] }) {
      const doGenerate = async () => ({ content: [{ type: 'text', text: 'done' }], usage: { inputTokens: 1, outputTokens: 1 } });
      const step = await this.settings.prepareStep?.({ messages, model: { doGenerate } });
      await step?.model.doGenerate();
      return { text: 'done', output: undefined, steps: [], response: { messages: [] } };
    }
  }
  const manager = new SubAgentManager({ spawnSubAgent: toolLoopAgent(new Agent({}) as never) });
  const tool = manager.createSubAgentTool();
  const made = vi.fn();
  expect(await tool.execute({ instructions: 'x' }, { onUpdate: ({ text }) => made(text) })).toContain('done');
  expect(made.mock.calls.map(([text]) => text)).toEqual(['[x] is at turn 1', '[x] is at turn 1: done']);
  manager.dispose();
});

describe('what adapters are given by mistake', () => {
  const tools = new SubAgentManager({}).createTools();
  class Tool {}
  const wrong = (value: unknown): never => value as never;
  const schemas = { ListToolsRequestSchema: {}, CallToolRequestSchema: {} };
  test.each<[string, () => unknown, string]>([
    ['openaiTools', () => openaiTools(wrong(undefined)), 'tools'],
    ['openaiTools with an object', () => openaiTools(wrong({})), 'tools'],
    ['openaiTools with a number', () => openaiTools(wrong(5)), 'tools'],
    ['openaiTools with numbers', () => openaiTools(wrong([5])), 'tools'],
    ['anthropicTools', () => anthropicTools(wrong(undefined)), 'tools'],
    ['strandsTools', () => strandsTools(Tool, wrong(undefined)), 'tools'],
    ['strandsTools without the class', () => strandsTools(wrong(tools), tools), 'FunctionTool'],
    ['adkTools', () => adkTools(Tool, wrong(undefined)), 'tools'],
    ['adkTools without the class', () => adkTools(wrong(undefined), tools), 'FunctionTool'],
    ['langchainTools without tool', () => langchainTools(wrong(tools), wrong(undefined)), 'tool'],
    [
      'langchainTools',
      () =>
        langchainTools(
          wrong(() => 1),
          wrong(undefined),
        ),
      'tools',
    ],
    ['registerTools', () => registerTools(wrong(undefined), tools), 'server'],
    ['registerTools without tools', () => registerTools(wrong({ registerTool: () => 1 }), wrong(undefined)), 'tools'],
    ['registerTools without schemas', () => registerTools(wrong({ setRequestHandler: () => 1 }), tools, wrong(undefined)), 'schemas'],
    ['claudeServer', () => claudeServer(wrong(undefined), tools, schemas), 'server'],
    ['claudeToolNames', () => claudeToolNames('a', wrong(undefined)), 'tools'],
  ])('%s says it as all of the package does', (_, call, argument) => {
    expect(call).toThrow(
      expect.objectContaining({ name: 'SubAgentError', code: 'invalid_argument', details: expect.objectContaining({ argument }) }),
    );
  });
});
