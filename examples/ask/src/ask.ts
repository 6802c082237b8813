// One question, from the documents to the report: makes the manager, runs the lead as its first task, cancels on request.
import { SUB_AGENT_TOOL_NAME, SubAgentManager } from 'subagents';
import { spawnWith } from './agents.js';
import { type Options, TURN_ESTIMATE } from './cli.js';
import type { Library } from './documents.js';
import type { ChosenModel } from './endpoint.js';
import { makeReport, type Report } from './report.js';
import { oneLine } from './terminal.js';
import { createDocumentTools } from './tools.js';
import { showTree } from './view.js';

/** A sub-agent may use this much, or an equal share of the budget if that is more. */
const MIN_TASK_TOKENS = 10_000;
/** So many turns for each document, and a few to list and to answer: a model may delegate one by one. */
const [LEAD_TURNS_PER_DOCUMENT, LEAD_EXTRA_TURNS] = [2, 4];

/** Once `stop` is aborted, the whole tree is cancelled and the report says what was done. */
export async function ask(
  { question, budget, maxConcurrent }: Options,
  library: Library,
  chosen: ChosenModel,
  out: NodeJS.WriteStream,
  stop: AbortSignal,
): Promise<Report> {
  const startedAt = Date.now();
  const count = library.documents.length;
  const documentTools = createDocumentTools(library);
  /** What each agent did last, in words. */
  const calls = new Map<string, string>();
  await using manager: SubAgentManager = new SubAgentManager({
    spawnSubAgent: spawnWith({ ...chosen, documentTools, reservedFor: (taskId) => manager.get(taskId).budget.tokens.reserved }),
    // The lead is a task as well: one budget holds for all, one cancel ends all. It gives up its slot while it waits.
    maxDepth: 2,
    maxConcurrent,
    maxChildren: Math.max(32, count),
    tools: [...Object.keys(documentTools), SUB_AGENT_TOOL_NAME],
    budget: { tokens: budget },
    taskBudget: { tokens: Math.max(MIN_TASK_TOKENS, Math.floor(budget / (count + 1))) },
    turnEstimate: TURN_ESTIMATE,
    policies: { subAgents: [{ beforeTool: ({ taskId, tool, args }) => void calls.set(taskId ?? '', callOf(tool, args)) }] },
  });
  let mostAtOnce = 0;
  manager.subscribe(() => {
    mostAtOnce = Math.max(mostAtOnce, manager.getConcurrencyInfo().active);
  });
  const view = showTree(manager, calls, out);
  const lead = manager.spawn({
    label: 'lead',
    instructions: `Question: ${question}`,
    maxTurns: count * LEAD_TURNS_PER_DOCUMENT + LEAD_EXTRA_TURNS,
    budget: { tokens: budget },
  });
  const cancel = (): void => {
    view.note('Cancelling; once more to exit at once.');
    void manager.cancel(lead);
  };
  stop.addEventListener('abort', cancel);
  try {
    await lead.wait();
  } finally {
    stop.removeEventListener('abort', cancel);
    view.stop();
  }
  const figures = { mostAtOnce, maxConcurrent, durationMs: Date.now() - startedAt };
  const ending = { question, model: chosen.description, budget, cancelled: stop.aborted, refusals: view.refusals, ...figures };
  return await makeReport(manager, library, ending);
}

/** A call in a few words: `search a.md "harbour crane"`, `read a.md from line 3`. */
function callOf(tool: string, given: unknown): string {
  if (tool === SUB_AGENT_TOOL_NAME) return 'delegates';
  const { path, query, from } = { ...(given as Record<string, unknown>) };
  return oneLine([tool, path, query && `"${query}"`, from && `from line ${from}`].filter(Boolean).join(' '));
}
