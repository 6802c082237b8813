import assert from 'node:assert/strict';
import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { tool } from '@langchain/core/tools';
import { interrupt, MemorySaver, MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { createDeepAgent } from 'deepagents';
import { createAgent } from 'langchain';
import { type SpawnSubAgent, SubAgentManager } from 'subagents';
import { langchainTools, langgraphAgent } from 'subagents/langchain';
import { createLead } from './example.js';
import { FakeModel } from './fake.js';
import { checkFinishes, type Finish } from './finishes.js';
import {
  type Framework,
  type HostOptions,
  type LeadOptions,
  PATH_SCHEMA,
  type PlainTool,
  type Said,
  type Think,
  untilAborted,
} from './framework.js';

function native({ name, description, run }: PlainTool) {
  return tool((args) => run(args as { path: string }), {
    name,
    description,
    schema: { ...PATH_SCHEMA, required: [...PATH_SCHEMA.required] },
  });
}

/** A graph as users draw it. */
function graphOf(think: Think, tools: ReturnType<typeof native>[]) {
  const model = new FakeModel(
    think,
    tools.map(({ name }) => name),
  );
  return new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }, config) => ({ messages: [await model.invoke(messages, config)] }))
    .addNode('tools', new ToolNode(tools))
    .addEdge('__start__', 'model')
    .addConditionalEdges('model', ({ messages }) =>
      (messages.at(-1) as { tool_calls?: unknown[] }).tool_calls?.length ? 'tools' : '__end__',
    )
    .addEdge('tools', 'model')
    .compile();
}

interface Graph {
  stream(input: { messages: BaseMessage[] }, config: object): Promise<AsyncIterable<unknown>>;
}

/** Runs a main agent and listens to what its tools write. */
async function run(graph: unknown, { prompt, signal, onProgress }: LeadOptions): Promise<string> {
  const input = { messages: [new HumanMessage(prompt)] };
  let last: BaseMessage | undefined;
  for await (const part of await (graph as Graph).stream(input, { streamMode: ['values', 'custom'], ...(signal && { signal }) })) {
    const [mode, chunk] = part as [string, { messages: BaseMessage[] }];
    if (mode === 'custom') onProgress(JSON.stringify(chunk));
    else last = chunk.messages.at(-1);
  }
  return String(last?.content ?? '');
}

/**
 * A sub-agent in the background whose main agent is aborted, and its result. The main agent's own `configurable` still
 * reaches the sub-agent's tools.
 */
async function abortedLead(hostOf: (think: Think, tools: PlainTool[]) => SpawnSubAgent) {
  const user = (): unknown => AsyncLocalStorageProviderSingleton.getRunnableConfig()?.configurable?.user;
  const seen: unknown[] = [];
  const aborted = new AbortController();
  const look = { name: 'look', description: 'Looks.', run: async () => String(seen.push(user())) };
  const steps: Said[] = [{ calls: [{ name: 'look', args: { path: 'a' } }] }, { text: 'the report' }];
  const think: Think = async ({ signal }) => {
    // The abort comes while this call is under way.
    if (!aborted.signal.aborted) {
      aborted.abort();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    signal?.throwIfAborted();
    return steps.shift() ?? {};
  };
  const manager = new SubAgentManager({ spawnSubAgent: hostOf(think, [look]) });
  const lead: Think = ({ seen, signal }) =>
    seen.includes('started') ? untilAborted(signal) : { calls: [{ name: 'spawn_agent', args: { instructions: 'bg', background: true } }] };
  const config = { signal: aborted.signal, configurable: { user: 'ada' } };
  const call = createLead(new FakeModel(lead), manager).invoke({ messages: [new HumanMessage('go')] }, config);
  await assert.rejects(call, { name: 'AbortError' });
  const [item] = manager.list().items;
  assert.ok(item);
  const [snapshot] = (await manager.wait([item.taskId])).completed;
  assert.ok(snapshot);
  return { status: snapshot.status, output: snapshot.output, error: snapshot.error, seen };
}

/** A graph that a host function calls itself, as the guide says. */
const ownHost =
  (think: Think, tools: PlainTool[]): SpawnSubAgent =>
  async (_, run) => {
    const input = { messages: [new HumanMessage(run.prompt)] };
    const invoke = () => graphOf(think, tools.map(native)).invoke(input, { signal: run.signal });
    const { messages } = await AsyncLocalStorageProviderSingleton.runWithConfig({}, invoke);
    return { output: String(messages.at(-1)?.content) };
  };

type Host = (options: HostOptions) => SpawnSubAgent;

/** Agents as sub-agents, with these tools beside those of the test. */
const agentOf =
  (more: object[] = []): Host =>
  ({ think, tools }) =>
    langgraphAgent((_, run, { middleware }) =>
      createAgent({ model: new FakeModel(think(run)), tools: [...tools.map(native), ...(more as never[])], middleware: [middleware] }),
    );

/** A graph that calls \`read\` alone, and ends at any other call. */
function untilTurn(think: Think, tools: ReturnType<typeof native>[]) {
  const model = new FakeModel(think);
  return new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }, config) => ({ messages: [await model.invoke(messages, config)] }))
    .addNode('tools', new ToolNode(tools))
    .addEdge('__start__', 'model')
    .addConditionalEdges('model', ({ messages }) =>
      (messages.at(-1) as { tool_calls?: { name: string }[] }).tool_calls?.some(({ name }) => name === 'read') ? 'tools' : '__end__',
    )
    .addEdge('tools', 'model')
    .compile();
}

const FINISHES = finishesOf('half of the answer');

/** What the packages of the providers leave in a message for the end of its turn. */
function finishesOf(text: string): Record<string, Finish> {
  const whole = { output: text };
  const cut = { as: 'length', error: /limit of tokens/ } as const;
  const filtered = { as: 'content_filter', error: /held back/ } as const;
  const refused = { as: 'refusal', error: /refused/ } as const;
  const broken = (error: RegExp) => ({ as: 'incomplete', error }) as const;
  const metadata = (response_metadata: object): Said => ({ text, beside: { response_metadata } });
  const beside = (additional_kwargs: object): Said => ({ text, beside: { additional_kwargs } });
  const ends = { type: 'invalid_tool_call', id: 'x', name: 'read', args: '{"path": ' };
  return {
    'nothing is said': { said: { text }, completed: whole },
    'OpenAI: stop': { said: metadata({ finish_reason: 'stop' }), completed: whole },
    'OpenAI: length': { said: metadata({ finish_reason: 'length' }), failed: cut },
    'OpenAI: content_filter': { said: metadata({ finish_reason: 'content_filter' }), failed: filtered },
    'OpenAI: a refusal': { said: { beside: { additional_kwargs: { refusal: 'I can not do that' } } }, failed: refused },
    'OpenAI: a refusal as a part': { said: { beside: { content: [{ type: 'refusal', refusal: 'no' }] } }, failed: refused },
    'OpenAI Responses: completed': { said: metadata({ status: 'completed', incomplete_details: null }), completed: whole },
    'OpenAI Responses: incomplete': {
      said: metadata({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }),
      failed: cut,
    },
    'OpenAI Responses: filtered': {
      said: metadata({ status: 'incomplete', incomplete_details: { reason: 'content_filter' } }),
      failed: filtered,
    },
    'OpenAI Responses: failed': { said: metadata({ status: 'failed' }), failed: broken(/with an error \(failed\)/) },
    'Anthropic: end_turn': { said: metadata({ stop_reason: 'end_turn' }), completed: whole },
    'Anthropic: stop_sequence': { said: metadata({ stop_reason: 'stop_sequence' }), completed: whole },
    'Anthropic: max_tokens': { said: metadata({ stop_reason: 'max_tokens' }), failed: cut },
    'Anthropic: max_tokens in a stream': { said: beside({ stop_reason: 'max_tokens' }), failed: cut },
    'Anthropic: model_context_window_exceeded': { said: metadata({ stop_reason: 'model_context_window_exceeded' }), failed: cut },
    'Anthropic: refusal': { said: metadata({ stop_reason: 'refusal' }), failed: refused },
    'Anthropic: pause_turn': { said: metadata({ stop_reason: 'pause_turn' }), failed: broken(/broke off \(pause_turn\)/) },
    'Google: STOP': { said: metadata({ finishReason: 'STOP' }), completed: whole },
    'Google: MAX_TOKENS': { said: metadata({ finishReason: 'MAX_TOKENS' }), failed: cut },
    'Google: SAFETY': { said: metadata({ finishReason: 'SAFETY' }), failed: filtered },
    'Google: RECITATION': { said: metadata({ finishReason: 'RECITATION' }), failed: filtered },
    'Google: PROHIBITED_CONTENT': { said: metadata({ finishReason: 'PROHIBITED_CONTENT' }), failed: filtered },
    'Google: MALFORMED_FUNCTION_CALL': { said: metadata({ finishReason: 'MALFORMED_FUNCTION_CALL' }), failed: broken(/with an error/) },
    'Google: OTHER': { said: metadata({ finishReason: 'OTHER' }), failed: broken(/did not say why/) },
    'Bedrock: end_turn': { said: metadata({ stopReason: 'end_turn' }), completed: whole },
    'Bedrock: guardrail_intervened': { said: metadata({ stopReason: 'guardrail_intervened' }), failed: filtered },
    'Bedrock: malformed_tool_use': { said: metadata({ stopReason: 'malformed_tool_use' }), failed: broken(/with an error/) },
    'Bedrock: max_tokens in a stream': { said: metadata({ messageStop: { stopReason: 'max_tokens' } }), failed: cut },
    'Ollama: stop': { said: metadata({ done_reason: 'stop' }), completed: whole },
    'Ollama: length': { said: metadata({ done_reason: 'length' }), failed: cut },
    'Mistral: model_length': { said: metadata({ finish_reason: 'model_length' }), failed: cut },
    'Mistral: error': { said: metadata({ finish_reason: 'error' }), failed: broken(/with an error/) },
    'DeepSeek: insufficient_system_resource': {
      said: metadata({ finish_reason: 'insufficient_system_resource' }),
      failed: broken(/with an error/),
    },
    'Cohere: ERROR_TOXIC': { said: metadata({ finish_reason: 'ERROR_TOXIC' }), failed: filtered },
    'a word that is not known': { said: metadata({ finish_reason: 'eos_7' }), completed: { ...whole, hostStatus: 'eos_7' } },
    'calls that can not be read, alone': {
      said: { beside: { invalid_tool_calls: [{ ...ends, error: 'no JSON' }] } },
      failed: broken(/calls the tool read with arguments that can't be read: no JSON/),
    },
    'such calls beside a text': { said: { text, beside: { invalid_tool_calls: [ends] } }, failed: broken(/can't be read/) },
    'no text': { said: { beside: { response_metadata: { finish_reason: 'stop' } } }, failed: broken(/has no text/) },
    'white space alone': { said: { text: ' \n' }, failed: broken(/has no text/) },
    'it throws': { said: () => Promise.reject(new Error('socket hang up')), failed: { as: 'thrown', error: /socket hang up/ } },
  };
}

const noSteering = 'a graph without the middleware decides itself what its model gets: it hears a message at its end';

export const frameworks: Framework[] = [
  {
    name: 'LangChain 1.5',
    lead: (options) =>
      run(createLead(new FakeModel(options.think), { createTools: () => options.tools } as unknown as SubAgentManager), options),
    host: ({ think, tools, delegates }) =>
      langgraphAgent((_, run, { middleware, responseFormat }) => {
        const own = tools.map(native);
        const all = delegates ? [...own, ...langchainTools(tool, run.createTools({ ask: true }))] : own;
        return createAgent({ model: new FakeModel(think(run)), tools: all, middleware: [middleware], responseFormat });
      }),
    own: {
      'a sub-agent in the background outlives the abort of the main agent': async () => {
        const done = { status: 'completed', output: 'the report', error: null };
        const agent = await abortedLead((think, tools) =>
          langgraphAgent((_, __, { middleware }) =>
            createAgent({ model: new FakeModel(think), tools: tools.map(native), middleware: [middleware] }),
          ),
        );
        assert.deepEqual(agent, { ...done, seen: ['ada'] });
        const graph = await abortedLead((think, tools) => langgraphAgent(() => graphOf(think, tools.map(native))));
        assert.deepEqual(graph, { ...done, seen: ['ada'] });
        assert.deepEqual(await abortedLead(ownHost), { ...done, seen: [undefined] });
      },
      'L3 every finish reason, in the words of each provider': () => checkFinishes(agentOf(), FINISHES),

      'L3 a turn that ends by a tool': async () => {
        const look = tool(async () => 'SEEN', {
          name: 'look',
          description: 'looks',
          schema: { type: 'object', properties: {} },
          returnDirect: true,
        });
        const calls = [{ name: 'look', args: {} }];
        await checkFinishes(agentOf([look]), {
          'its result is the answer': { said: { text: 'I look', calls }, completed: { output: 'SEEN' } },
        });
        const blind = tool(async () => '', {
          name: 'look',
          description: 'looks',
          schema: { type: 'object', properties: {} },
          returnDirect: true,
        });
        await checkFinishes(agentOf([blind]), { 'without a result': { said: { calls }, completed: { output: '' } } });
        const open = { as: 'incomplete', error: /calls the tool look, which nothing answers/ } as const;
        const oneTurn: Host = ({ think, tools }) => langgraphAgent((_, run) => untilTurn(think(run), tools.map(native)));
        await checkFinishes(oneTurn, {
          'a graph that ends before its tool': { said: { text: 'I look', calls }, failed: open },
          'without text': { said: { calls }, failed: open },
        });
      },

      'L3 a graph that stops to ask a person': async () => {
        const asks: Host = ({ think }) =>
          langgraphAgent((_, run) =>
            new StateGraph(MessagesAnnotation)
              .addNode('model', async ({ messages }, config) => ({ messages: [await new FakeModel(think(run)).invoke(messages, config)] }))
              .addNode('person', () => interrupt('may I?'))
              .addEdge('__start__', 'model')
              .addEdge('model', 'person')
              .compile({ checkpointer: new MemorySaver() })
              .withConfig({ configurable: { thread_id: '1' } }),
          );
        const think: Think = () => ({ text: 'half' });
        const manager = new SubAgentManager({ spawnSubAgent: asks({ think: () => think, tools: [], delegates: false }) });
        const { status, output, error } = await manager.spawn({ instructions: 'go' }).wait();
        assert.deepEqual([status, output], ['failed', 'half']);
        assert.match(error ?? '', /waits for an approval/);
      },

      'a provider with a way of its own to answer by a schema': async () => {
        class Native extends FakeModel {
          get profile() {
            return { structuredOutput: true };
          }
        }
        const texts = ['{"pages":"three"}', '{"pages":3}'];
        const model = new Native(() => ({ text: texts.shift() ?? '' }));
        const spawnSubAgent = langgraphAgent((_, __, { middleware, responseFormat }) =>
          createAgent({ model, tools: [], middleware: [middleware], responseFormat }),
        );
        const manager = new SubAgentManager({ retry: { max: 1, backoffMs: 1 }, spawnSubAgent });
        const ends: unknown[] = [];
        manager.subscribe((event) => {
          if (event.type === 'run_retried') ends.push(event.stopReason);
        });
        const schema = { type: 'object', properties: { pages: { type: 'integer' } }, required: ['pages'] };
        const result = await manager.spawn({ instructions: 'count', schema }).wait();
        assert.deepEqual([result.value, result.output, result.run], [{ pages: 3 }, '{"pages":3}', 2], result.error);
        assert.deepEqual(ends, ['invalid_result'], "what doesn't fit is no error of the framework");
      },
    },
  },
  {
    name: 'LangGraph 1.7',
    own: {
      'L3 every finish reason, in the words of each provider': () =>
        checkFinishes(({ think, tools }) => langgraphAgent((_, run) => graphOf(think(run), tools.map(native))), FINISHES),
    },
    noSteering,
    noSchema: 'a graph asks its model itself: its state may have a `structuredResponse`',
    lead: (options) => run(graphOf(options.think, langchainTools(tool, options.tools) as never), options),
    host: ({ think, tools, delegates }) =>
      langgraphAgent((_, run) => {
        const own = tools.map(native);
        return graphOf(think(run), delegates ? [...own, ...(langchainTools(tool, run.createTools({ ask: true })) as never[])] : own);
      }),
  },
  {
    name: 'deepagents 1.14',
    own: {
      'L3 every finish reason, in the words of each provider': () =>
        checkFinishes(
          ({ think, tools }) =>
            langgraphAgent(
              (_, run, { middleware }) =>
                createDeepAgent({ model: new FakeModel(think(run)), tools: tools.map(native), middleware: [middleware] }) as never,
            ),
          FINISHES,
        ),
    },
    lead: (options) => run(createDeepAgent({ model: new FakeModel(options.think), tools: langchainTools(tool, options.tools) }), options),
    host: ({ think, tools, delegates }) =>
      langgraphAgent((_, run, { middleware, responseFormat }) => {
        const own = tools.map(native);
        const all = delegates ? [...own, ...langchainTools(tool, run.createTools({ ask: true }))] : own;
        return createDeepAgent({ model: new FakeModel(think(run)), tools: all, middleware: [middleware], responseFormat }) as never;
      }),
  },
];
