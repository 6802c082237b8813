import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, handoff, type MCPServer, type Model, Runner, tool, user } from '@openai/agents';
import { OpenAIChatCompletionsModel, OpenAIResponsesModel } from '@openai/agents-openai';
import OpenAI from 'openai';
import { type SpawnSubAgent, SubAgentManager } from 'subagents';
import { openaiAgent, openaiTools } from 'subagents/openai';
import { z } from 'zod';
import { createLead } from './example.js';
import { FakeModel } from './fake.js';
import { checkFinishes, type Finish } from './finishes.js';
import { type Framework, type HostOptions, PATH_SCHEMA, type PlainTool, type Said, type Think } from './framework.js';

const runner = new Runner({ tracingDisabled: true });

function native({ name, description, run }: PlainTool) {
  const parameters = { ...PATH_SCHEMA, required: [...PATH_SCHEMA.required] };
  return tool({ name, description, parameters, strict: true, execute: (args) => run(args as { path: string }) });
}

export const frameworks: Framework[] = [
  {
    name: 'OpenAI Agents 0.20',
    written: ['{"instructions": "x', '[]', '{}', '', 'null', '"instructions"'],
    noProgress: 'a tool has no way to tell',
    async lead({ tools, think, prompt, signal }) {
      const agent = createLead(new FakeModel(think), { createTools: () => tools } as unknown as SubAgentManager);
      const result = await runner.run(agent, prompt, { ...(signal && { signal }) });
      return result.finalOutput ?? '';
    },
    host: ({ think, tools, delegates }) =>
      openaiAgent(runner, (_, run) => {
        const own = tools.map(native);
        const all = delegates ? [...own, ...openaiTools(run.createTools({ ask: true }))] : own;
        return new Agent({ name: 'worker', model: new FakeModel(think(run)), tools: all });
      }),
    own: {
      'tools of MCP servers and of agents that are handed over to are filtered and checked': async () => {
        const used: string[] = [];
        const asked: string[] = [];
        const offered: string[][] = [];
        const plain = (name: string): PlainTool => ({
          name,
          description: name,
          run: async () => {
            used.push(name);
            return 'DONE';
          },
        });
        const call = (name: string): Said => ({ calls: [{ name, args: { path: 'a.md' } }] });
        const models = (...steps: Said[]): FakeModel =>
          new FakeModel(({ tools }) => {
            offered.push(tools);
            return steps.shift() ?? { text: 'that is all' };
          });
        const other = new Agent({ name: 'other', tools: [native(plain('write'))], model: models(call('write')) });
        const worker = new Agent({
          name: 'worker',
          mcpServers: [mcpServer(used, 'search', 'delete')],
          tools: [native(plain('read'))],
          handoffs: [other, handoff(other, { toolNameOverride: 'pass_on' })],
          model: models(call('delete'), call('search'), call('pass_on')),
        });
        const manager = new SubAgentManager({
          tools: ['read', 'write', 'search', 'delete'],
          policies: { subAgents: [{ name: 'listens', beforeTool: ({ tool }) => void asked.push(tool) }] },
          spawnSubAgent: openaiAgent(runner, worker),
        });
        const result = await manager.spawn({ instructions: 'look', tools: ['read', 'search'] }).wait();
        assert.equal(result.output, 'that is all', result.error);
        assert.deepEqual(used, ['search']);
        assert.deepEqual(asked, ['search']);
        assert.deepEqual(offered, [['search', 'read'], ['search', 'read'], ['search', 'read'], [], []]);
        assert.equal(result.usage.turns, 5);
      },

      'L3 every finish reason, of Chat Completions, of the Responses API and of others': async () => {
        const text = 'half of the answer';
        const whole = { output: text };
        const cut = { as: 'length', error: /limit of tokens/ } as const;
        const filtered = { as: 'content_filter', error: /held back/ } as const;
        const broken = (error: RegExp) => ({ as: 'incomplete', error }) as const;
        const chat = (finish_reason: string, message: { content: string | null; refusal?: string } = { content: text }): Said => ({
          text: message.content ?? '',
          beside: { chat: { finish_reason, message } },
        });
        await checkFinishes(hostOf(chatModel), {
          stop: { said: chat('stop'), completed: whole },
          length: { said: chat('length'), failed: cut },
          // The framework throws, without a reason.
          'length, without text': { said: chat('length', { content: '' }), failed: { as: 'thrown', error: /truncated|length|limit/i } },
          content_filter: { said: chat('content_filter'), failed: filtered },
          'content_filter, without text': { said: chat('content_filter', { content: null }), failed: { as: 'thrown', error: /refused/ } },
          'a refusal': { said: chat('stop', { content: null, refusal: 'NOT THAT' }), failed: { as: 'thrown', error: /refused.*NOT THAT/ } },
          'a word that is not known': { said: chat('eos_7'), completed: { ...whole, hostStatus: 'eos_7' } },
          'white space alone': { said: chat('stop', { content: ' \n' }), failed: broken(/has no text/) },
          'an empty text': { said: chat('stop', { content: '' }), failed: broken(/has no text/) },
        } as Record<string, Finish>);
        const part = { type: 'output_text', text, annotations: [] };
        const responses = (more: object, content: object[] = [part]): Said => ({
          beside: { responses: { status: 'completed', content, ...more } },
        });
        await checkFinishes(hostOf(responsesModel), {
          completed: { said: responses({}), completed: whole },
          incomplete: {
            said: responses({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }),
            failed: { as: 'thrown', error: /response\.incomplete/ },
          },
          failed: { said: responses({ status: 'failed' }), failed: { as: 'thrown', error: /response\.failed/ } },
          'a refusal': { said: responses({}, [{ type: 'refusal', refusal: 'NOT THAT' }]), failed: { as: 'thrown', error: /NOT THAT/ } },
        });
        const provider = (providerData: object): Said => ({ text, beside: { providerData } });
        await checkFinishes(
          hostOf((think) => new FakeModel(think)),
          {
            'nothing is said': { said: { text }, completed: whole },
            'a model of the AI SDK: stop': { said: provider({ finishReason: { unified: 'stop', raw: 'end_turn' } }), completed: whole },
            'a model of the AI SDK: length': { said: provider({ finishReason: { unified: 'length', raw: 'max_tokens' } }), failed: cut },
            'a model of the AI SDK: error': { said: provider({ finishReason: 'error' }), failed: broken(/with an error/) },
            'a message that is incomplete': {
              said: { text, beside: { output: [{ type: 'message', role: 'assistant', status: 'incomplete', content: [part] }] } },
              failed: broken(/broke off/),
            },
            'a text and a refusal': {
              said: {
                text,
                beside: {
                  output: [
                    { type: 'message', role: 'assistant', status: 'completed', content: [part, { type: 'refusal', refusal: 'no' }] },
                  ],
                },
              },
              failed: { as: 'refusal', error: /refused/ },
            },
            'it throws': { said: () => Promise.reject(new Error('socket hang up')), failed: { as: 'thrown', error: /socket hang up/ } },
          },
        );
      },

      'L3 a turn that ends by a tool': async () => {
        const calls = [{ name: 'look', args: { path: 'a.md' } }];
        for (const seen of ['SEEN', '']) {
          const look = native({ name: 'look', description: 'looks', run: async () => seen });
          const made: Host = ({ think, tools }) =>
            openaiAgent(runner, (_, run) => {
              const behaviour = { stopAtToolNames: ['look'] };
              return new Agent({
                name: 'worker',
                model: new FakeModel(think(run)),
                tools: [...tools.map(native), look],
                toolUseBehavior: behaviour,
              });
            });
          await checkFinishes(made, { 'its result is the answer': { said: { text: 'I look', calls }, completed: { output: seen } } });
        }
      },

      'a program that asks before our tools are called is asked': async () => {
        const steps: Said[] = [{ calls: [{ name: 'spawn_agent', args: { instructions: 'x' } }] }];
        const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'DONE' }) });
        const tools = openaiTools(manager.createTools()).map((tool) => ({ ...tool, needsApproval: async () => true }));
        const lead = new Agent({ name: 'lead', model: new FakeModel(() => steps.shift() ?? { text: 'all' }), tools });
        const { interruptions } = await runner.run(lead, 'go');
        assert.equal(interruptions.length, 1);
        assert.equal(manager.stats().total, 0);
      },

      'a tool that waits for an approval': async () => {
        const parameters = { ...PATH_SCHEMA, required: [...PATH_SCHEMA.required] };
        const pay = tool({ name: 'pay', description: 'pays', parameters, strict: true, needsApproval: true, execute: async () => 'PAID' });
        const steps: Said[] = [{ text: 'I pay', calls: [{ name: 'pay', args: { path: 'a.md' } }], tokens: 70 }];
        const model = new FakeModel(() => steps.shift() ?? { text: 'DONE' });
        const manager = new SubAgentManager({ spawnSubAgent: openaiAgent(runner, new Agent({ name: 'worker', tools: [pay], model })) });
        const handle = manager.spawn({ instructions: 'pay' });
        const { status, error, usage } = await handle.wait();
        assert.equal(status, 'failed');
        assert.match(error ?? '', /The tool pay waits for an approval/);
        assert.equal(usage.tokens, 70);
        handle.send('leave it');
        assert.equal((await handle.wait()).output, 'DONE', 'its conversation goes on');
      },

      'a provider that limits the rate, and is asked by a schema, over HTTP': async () => {
        const { baseURL, asked, close } = await limitedServer();
        try {
          const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
          const agent = new Agent({ name: 'worker', model: new OpenAIChatCompletionsModel(client as never, 'any') });
          const manager = new SubAgentManager({ retry: { max: 1, backoffMs: 1 }, spawnSubAgent: openaiAgent(runner, agent) });
          const until: number[] = [];
          manager.subscribe((event) => {
            if (event.type === 'cooldown_set') until.push(event.until);
          });
          const schema = { type: 'object', properties: { pages: { type: 'integer' } }, required: ['pages'] };
          const result = await manager.spawn({ instructions: 'count', schema }).wait();
          assert.deepEqual([result.value, result.run, result.usage.tokens], [{ pages: 3 }, 2, 5], result.error);
          assert.equal(asked.length, 2);
          const { response_format: format } = JSON.parse(asked[1]?.body ?? '{}') as { response_format?: unknown };
          assert.deepEqual(format, { type: 'json_schema', json_schema: { name: 'result', strict: false, schema } });
          assert.equal(until.length, 1);
          assert.ok((asked[1]?.at ?? 0) >= (until[0] ?? Number.POSITIVE_INFINITY), 'it was asked again when the provider allowed it');
        } finally {
          close();
        }
      },

      'an agent with an output type of its own keeps it': async () => {
        const seen: unknown[] = [];
        const model = new FakeModel(({ format }) => {
          seen.push(format);
          return { text: '{"pages":3}' };
        });
        const outputType = z.object({ pages: z.number() });
        const manager = new SubAgentManager({ spawnSubAgent: openaiAgent(runner, new Agent({ name: 'worker', model, outputType })) });
        const { value } = await manager.spawn({ instructions: 'count', schema: z.object({ pages: z.number().int() }) }).wait();
        assert.deepEqual(value, { pages: 3 });
        assert.equal((seen[0] as { strict: boolean }).strict, true);
      },

      "a schema of zod's that makes something else of the value": async () => {
        const texts = ['not JSON', '{"pages":"3"}'];
        let asked: unknown;
        const model = new FakeModel(({ format }) => {
          asked = format;
          return { text: texts.shift() ?? '' };
        });
        const manager = new SubAgentManager({ spawnSubAgent: openaiAgent(runner, new Agent({ name: 'worker', model })) });
        const schema = z.object({ pages: z.string().transform(Number) });
        const wrong = await manager.spawn({ instructions: 'count', schema }).wait();
        assert.equal(wrong.stopReason, 'invalid_result', 'what is no JSON is no error of the framework');
        const { value } = await manager.spawn({ instructions: 'count', schema }).wait();
        assert.deepEqual(value, { pages: 3 });
        assert.match(JSON.stringify(asked), /"pages":\{"type":"string"\}/, 'the model is asked for what the schema takes');
      },

      "the runner's own filter of what the model is given": async () => {
        const filtering = new Runner({
          tracingDisabled: true,
          callModelInputFilter: ({ modelData }) => ({ ...modelData, input: [...modelData.input, user('ADDED BY THE FILTER')] }),
        });
        let seen = '';
        const model = new FakeModel((request) => {
          seen = request.seen;
          return { text: 'heard' };
        });
        const manager = new SubAgentManager({ spawnSubAgent: openaiAgent(filtering, new Agent({ name: 'worker', model })) });
        await manager.spawn({ instructions: 'THE TASK' }).wait();
        assert.match(seen, /THE TASK.*ADDED BY THE FILTER/);
      },
    },
  },
];

type Host = (options: HostOptions) => SpawnSubAgent;

const hostOf =
  (modelOf: (think: Think) => Model): Host =>
  ({ think, tools }) =>
    openaiAgent(runner, (_, run) => new Agent({ name: 'worker', model: modelOf(think(run)), tools: tools.map(native) }));

/** The framework's own model of Chat Completions over a client that answers as the test says. */
function chatModel(think: Think): Model {
  const create = async (): Promise<object> => {
    const { text, calls = [], beside } = await think({ seen: '', tools: [], signal: undefined });
    const tool_calls = calls.map(({ name, args }, at) => ({
      id: `call_${at}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
    const said = { content: text ?? null, ...(calls.length > 0 && { tool_calls }) };
    const { finish_reason = calls.length > 0 ? 'tool_calls' : 'stop', message = said } = (beside?.chat ?? {}) as Partial<Chat>;
    const choice = { index: 0, finish_reason, message: { role: 'assistant', ...message } };
    return { id: 'c', choices: [choice], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } };
  };
  return new OpenAIChatCompletionsModel({ baseURL: 'x', chat: { completions: { create } } } as never, 'any');
}

interface Chat {
  finish_reason: string;
  message: object;
}

/** The same of the Responses API. */
function responsesModel(think: Think): Model {
  const answer = async (): Promise<object> => {
    const { text, calls = [], beside } = await think({ seen: '', tools: [], signal: undefined });
    const { status = 'completed', content, ...more } = (beside?.responses ?? {}) as { status?: string; content?: object[] };
    const parts = content ?? (text === undefined ? [] : [{ type: 'output_text', text, annotations: [] }]);
    const output = [
      ...(parts.length === 0 ? [] : [{ id: 'm', type: 'message', role: 'assistant', status, content: parts }]),
      ...calls.map(({ name, args }, at) => ({
        id: `f${at}`,
        type: 'function_call',
        call_id: `call_${at}`,
        name,
        arguments: JSON.stringify(args),
        status: 'completed',
      })),
    ];
    return { id: 'r', status, output, usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 }, ...more };
  };
  const create = (): Promise<object> => {
    const made = answer();
    const withResponse = async (): Promise<object> => ({ data: await made, response: new Response() });
    return Object.assign(made, { withResponse });
  };
  return new OpenAIResponsesModel({ baseURL: 'x', responses: { create } } as never, 'any');
}

/** Chat completions on this machine: the first call is asked to come again, others are answered. */
async function limitedServer(): Promise<{ baseURL: string; asked: { at: number; body: string }[]; close: () => void }> {
  const asked: { at: number; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const call = { at: Date.now(), body: '' };
    asked.push(call);
    for await (const chunk of request) call.body += String(chunk);
    const json = { 'content-type': 'application/json' };
    if (asked.length === 1) {
      response.writeHead(429, { ...json, 'retry-after-ms': '60' });
      response.end(JSON.stringify({ error: { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' } }));
      return;
    }
    response.writeHead(200, json);
    response.end(
      JSON.stringify({
        id: 'one',
        object: 'chat.completion',
        created: 0,
        model: 'any',
        choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: '{"pages":3}' } }],
        usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { baseURL: `http://127.0.0.1:${port}/v1`, asked, close: () => void server.close() };
}

/** An MCP server with tools that do nothing. */
function mcpServer(used: string[], ...names: string[]): MCPServer {
  const inputSchema = { ...PATH_SCHEMA, required: [...PATH_SCHEMA.required] };
  return {
    name: 'files',
    cacheToolsList: false,
    connect: async () => undefined,
    close: async () => undefined,
    invalidateToolsCache: async () => undefined,
    listTools: async () => names.map((name) => ({ name, description: name, inputSchema })),
    callTool: async (name: string) => {
      used.push(name);
      return [{ type: 'text', text: 'DONE' }];
    },
  } as unknown as MCPServer;
}
