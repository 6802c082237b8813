// The agent of the playground: the host function that runs one sub-agent as a loop of model and tools. The loop is the
// one of the example `coding`; the tools are those of the example `ask`. Owns what a run may use, and what it reports.

import type { HostResult, Run, SubAgentParamsType } from 'subagents';
import {
  COUNT_DESCRIPTION,
  LIST_DESCRIPTION,
  listing,
  READ_DESCRIPTION,
  reading,
  SEARCH_DESCRIPTION,
  searching,
} from '../../examples/ask/src/look.js';
import { field } from '../../examples/ask/src/model/evidence.js';
import { runAgent, type Tool } from '../../examples/coding/src/loop.js';
import type { Message } from '../../examples/coding/src/model.js';
import type { Library } from './documents.js';
import type { Faults } from './faults.js';
import type { Model } from './model.js';

/** What a thousand tokens cost here: so that money is to be seen. */
const USD_PER_TOKEN = 3e-6;
export const TOOLS = ['list', 'read', 'search', 'publish', 'ask'];

const LEAD = 'You answer a question over a set of documents. List them, and call SubAgent once for each, all in one step.';
const WORKER = 'Answer from the documents alone, and quote what answers with its document and line.';

export interface Team {
  readonly model: () => Model;
  readonly library: () => Library;
  readonly faults: Faults;
}

export function spawnWith(team: Team) {
  return async (_params: SubAgentParamsType, run: Run): Promise<HostResult> => {
    const given = field(run.prompt, 'Documents');
    const library = given === undefined ? team.library() : team.library().only(given.split(', '));
    const leads = field(run.prompt, 'Document') === undefined && !run.prompt.startsWith('Publish:') && run.depth < 3;
    const tools = [...documentTools(library), ...ownTools(run)].filter(({ name }) => run.tools?.includes(name) ?? true);
    if (leads) tools.push(delegation(run));
    const messages: Message[] = [
      { role: 'system', content: leads ? LEAD : WORKER },
      { role: 'user', content: run.prompt },
    ];
    let tokens = 0;
    let turns = 0;
    let said = '';
    const answer = await runAgent({
      gates: {
        beforeTurn: async () => {
          const permit = await run.beforeTurn();
          if (permit.go) turns += 1;
          return permit;
        },
        beforeTool: (name, args) => run.beforeTool(name, args),
        afterTool: (name, result) => run.afterTool(name, result),
        beforeEnd: (output) => run.beforeEnd(output),
        used: (spent, message) => {
          tokens += spent;
          if (message !== '') said = message;
          run.report({ tokens: spent, costUsd: spent * USD_PER_TOKEN, contextTokens: spent, ...(message === '' ? {} : { message }) });
        },
      },
      model: team.faults.around(team.model(), run, leads),
      tools,
      messages,
      signal: run.signal,
      onCall: () => undefined,
      keep: () => undefined,
    });
    const usage = { tokens, turns, costUsd: tokens * USD_PER_TOKEN };
    return { status: answer === undefined ? 'failed' : 'completed', output: answer ?? said, usage };
  };
}

function documentTools(library: Library): Tool[] {
  const text = { type: 'string' };
  const number = { type: 'integer', minimum: 1 };
  return [
    {
      name: 'list',
      description: LIST_DESCRIPTION,
      parameters: { type: 'object', properties: {}, required: [] },
      execute: () => listing(library.listed()),
    },
    {
      name: 'read',
      description: READ_DESCRIPTION,
      parameters: {
        type: 'object',
        properties: { path: text, from: number, count: { ...number, description: COUNT_DESCRIPTION } },
        required: ['path'],
      },
      execute: ({ path, from, count }) =>
        asText(async () => reading(await library.open(String(path)), Number(from ?? 1), count === undefined ? undefined : Number(count))),
    },
    {
      name: 'search',
      description: SEARCH_DESCRIPTION,
      parameters: { type: 'object', properties: { query: text, path: text }, required: ['query'] },
      execute: ({ query, path }) =>
        asText(() => searching(String(query), path === undefined ? library.names : [String(path)], (name) => library.open(name))),
    },
  ];
}

/** What only the author uses: to ask the person, and what the person has to approve. */
function ownTools(run: Run): Tool[] {
  if (!run.prompt.startsWith('Publish:')) return [];
  return [
    {
      name: 'ask',
      description: 'Asks the agent that gave this task.',
      parameters: { type: 'object', properties: { question: { type: 'string' } }, required: ['question'] },
      execute: async ({ question }) => {
        const answer = await run.ask(String(question));
        return answer.answered ? answer.answer : 'no answer';
      },
    },
    {
      name: 'publish',
      description: 'Publishes a notice, once a person has approved it.',
      parameters: { type: 'object', properties: { title: { type: 'string' }, audience: { type: 'string' } }, required: ['title'] },
      execute: ({ title, audience }) => `Published "${title}" for ${audience}.`,
    },
  ];
}

function delegation(run: Run): Tool {
  const tool = run.createSubAgentTool();
  return {
    name: tool.name,
    description: tool.description,
    parameters: tool.parameters,
    execute: (args, { signal, toolCallId }) => {
      const document = field(String(args.instructions), 'Document') ?? field(String(args.instructions), 'Team');
      return tool.execute({ ...args, ...(document === undefined ? {} : { label: document }) } as never, { signal, toolCallId });
    },
  };
}

/** What a document refuses is text for the model. */
async function asText(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    return `Refused: ${error instanceof Error ? error.message : String(error)}`;
  }
}
