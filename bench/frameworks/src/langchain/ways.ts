import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { Annotation, MessagesAnnotation, Send, StateGraph } from '@langchain/langgraph';
import { createDeepAgent } from 'deepagents';
import { createAgent } from 'langchain';
import type { SpawnSubAgent } from 'subagents';
import { langchainTools, langgraphAgent } from 'subagents/langchain';
import { type Burst, byModel, doneIn, having, managerOf, noOp, spawn, task, together, toolsOf, type Ways } from './delegation.js';
import { createLead } from './example.js';
import { FakeModel } from './fake.js';
import type { Think } from './framework.js';

interface Graph {
  invoke(input: { messages: BaseMessage[] }, config?: object): Promise<{ messages: BaseMessage[] }>;
}

/** Runs a graph and gives what was said last. */
async function ask(graph: unknown, text: string, config?: object): Promise<string> {
  const { messages } = await (graph as Graph).invoke({ messages: [new HumanMessage(text)] }, config);
  return String(messages.at(-1)?.content);
}

const oneWorker = () => createAgent({ model: new FakeModel(noOp), tools: [] });
const helper = tool((args, config) => ask(oneWorker(), (args as { task: string }).task, { signal: config.signal }), {
  name: 'helper',
  description: 'Hands a task to a helper.',
  schema: { type: 'object', properties: { task: { type: 'string' } }, required: ['task'] },
});
const tools = toolsOf(
  managerOf(langgraphAgent((_, _run, { middleware }) => createAgent({ model: new FakeModel(noOp), tools: [], middleware: [middleware] }))),
);

const model = new FakeModel(noOp);
const workerGraph = new StateGraph(MessagesAnnotation)
  .addNode('model', async ({ messages }, config) => ({ messages: [await model.invoke(messages, config)] }))
  .addEdge('__start__', 'model')
  .addEdge('model', '__end__')
  .compile();

const State = Annotation.Root({
  parts: Annotation<string[]>,
  done: Annotation<string[]>({ reducer: (all, some) => [...all, ...some], default: () => [] }),
});
const fanOut = new StateGraph(State)
  .addNode('worker', async ({ part }: { part: string }) => ({ done: [await ask(workerGraph, part)] }))
  .addConditionalEdges('__start__', ({ parts }) => parts.map((part) => new Send('worker', { part })), ['worker'])
  .addEdge('worker', '__end__')
  .compile();
const graphs = managerOf(langgraphAgent(workerGraph));
const delegating = new StateGraph(State)
  .addNode('delegate', async ({ parts }) => {
    const results = await Promise.all(parts.map((instructions) => graphs.spawn({ instructions }).wait()));
    return { done: results.map(({ output }) => output) };
  })
  .addEdge('__start__', 'delegate')
  .addEdge('delegate', '__end__')
  .compile();

/** Gives a graph all parts. */
function byGraph(graph: { invoke(input: { parts: string[] }): Promise<{ done: string[] }> }): Burst {
  return async (width) => {
    const { done } = await graph.invoke({ parts: Array.from({ length: width }, (_, part) => task(part)) });
    return doneIn(done.join(' '));
  };
}

const deep = (think: Think, more: object) => createDeepAgent({ model: new FakeModel(think), ...more });
const subagents = [{ name: 'worker', description: 'Works.', systemPrompt: 'Work.', model: new FakeModel(noOp), tools: [] }];
const deepTools = (spawnSubAgent: SpawnSubAgent) => langchainTools(tool, toolsOf(managerOf(spawnSubAgent)));
const deepWorker = deep(noOp, {});
const ofOne = deepTools(langgraphAgent(deepWorker as never));
const ofOneEach = deepTools(langgraphAgent((_, _run, { middleware }) => deep(noOp, { middleware: [middleware] }) as never));
const deepHelper = tool((args, config) => ask(deep(noOp, {}), (args as { task: string }).task, { signal: config.signal }), {
  name: 'helper',
  description: 'Hands a task to a helper.',
  schema: { type: 'object', properties: { task: { type: 'string' } }, required: ['task'] },
});

export const ways: Ways[] = [
  {
    name: 'LangChain 1.5',
    own: {
      how: 'a tool that makes an agent and runs it',
      burst: byModel(
        (part) => ({ name: 'helper', args: { task: task(part) } }),
        (think) => ask(createAgent({ model: new FakeModel(think), tools: [helper] }), 'delegate'),
      ),
    },
    ours: byModel(spawn, (think) => ask(createLead(new FakeModel(think), having(tools)), 'delegate')),
    alone: together((part) => ask(oneWorker(), task(part))),
  },
  {
    name: 'LangGraph 1.7',
    own: { how: 'a graph with `Send`', burst: byGraph(fanOut) },
    ours: byGraph(delegating),
    alone: together((part) => ask(workerGraph, task(part))),
  },
  {
    name: 'deepagents 1.14',
    own: {
      how: 'its `task` tool, one agent for all',
      burst: byModel(
        (part) => ({ name: 'task', args: { description: task(part), subagent_type: 'worker' } }),
        (think) => ask(deep(think, { subagents }), 'delegate'),
      ),
    },
    ours: byModel(spawn, (think) => ask(deep(think, { tools: ofOne }), 'delegate')),
    alone: together((part) => ask(deepWorker, task(part))),
  },
  {
    name: 'deepagents 1.14, an agent each',
    own: {
      how: 'a tool that makes an agent and runs it',
      burst: byModel(
        (part) => ({ name: 'helper', args: { task: task(part) } }),
        (think) => ask(deep(think, { tools: [deepHelper] }), 'delegate'),
      ),
    },
    ours: byModel(spawn, (think) => ask(deep(think, { tools: ofOneEach }), 'delegate')),
    alone: together((part) => ask(deep(noOp, {}), task(part))),
  },
];
