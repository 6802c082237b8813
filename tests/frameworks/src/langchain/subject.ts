import assert from 'node:assert/strict';
import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { createDeepAgent } from 'deepagents';
import { createAgent } from 'langchain';
import { SubAgentManager } from 'subagents';
import { langchainTools, langgraphAgent } from 'subagents/langchain';
import { createLead } from './example.js';
import { FakeModel } from './fake.js';
import { type Framework, type LeadOptions, PATH_SCHEMA, type PlainTool, type Think } from './framework.js';

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
