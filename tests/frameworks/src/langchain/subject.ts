import assert from 'node:assert/strict';
import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { tool } from '@langchain/core/tools';
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { createDeepAgent } from 'deepagents';
import { createAgent } from 'langchain';
import { type SpawnSubAgent, SubAgentManager } from 'subagents';
import { langchainTools, langgraphAgent } from 'subagents/langchain';
import { createLead } from './example.js';
import { FakeModel } from './fake.js';
import { type Framework, type LeadOptions, PATH_SCHEMA, type PlainTool, type Said, type Think, untilAborted } from './framework.js';

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
          if (event.type === 'run_retried') ends.push(event.reason);
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
    lead: (options) => run(createDeepAgent({ model: new FakeModel(options.think), tools: langchainTools(tool, options.tools) }), options),
    host: ({ think, tools, delegates }) =>
      langgraphAgent((_, run, { middleware, responseFormat }) => {
        const own = tools.map(native);
        const all = delegates ? [...own, ...langchainTools(tool, run.createTools({ ask: true }))] : own;
        return createDeepAgent({ model: new FakeModel(think(run)), tools: all, middleware: [middleware], responseFormat }) as never;
      }),
  },
];
