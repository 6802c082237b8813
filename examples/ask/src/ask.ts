// One question, from the documents to the report: makes the manager, runs the lead as its first task, cancels on request.
import { SubAgentError, SubAgentManager } from 'subagents';

import { Activity } from './activity.js';
import { spawnWith } from './agents.js';
import type { Options } from './cli.js';
import type { Library } from './documents.js';
import type { ChosenModel } from './endpoint.js';
import { makeReport, type Report } from './report.js';
import { number } from './terminal.js';
import { createDocumentTools, DOCUMENT_TOOL_NAMES } from './tools.js';
import { showTree } from './view.js';

/** A sub-agent may use this much, or an equal share of the budget where that is more. */
const MIN_TASK_TOKENS = 10_000;
/** The first turn of a lead needs about this much; a smaller budget is refused at once. */
const TURN_ESTIMATE = 1_000;
/** The lead without sub-agents needs two turns a document, and one each to list and to answer. */
const LEAD_TURNS_PER_DOCUMENT = 2;
const LEAD_EXTRA_TURNS = 4;

/** `stop` is aborted by Ctrl-C or SIGTERM: the tree is cancelled and the report says what was done. */
export async function ask(
  options: Options,
  library: Library,
  chosen: ChosenModel,
  out: NodeJS.WriteStream,
  stop: AbortSignal,
): Promise<Report> {
  const startedAt = Date.now();
  const count = library.documents.length;
  const cutOff = new Set<string>();
  const activity = new Activity();
  let delegations = 0;
  let mostAtOnce = 0;

  const manager: SubAgentManager = new SubAgentManager({
    spawnSubAgent: spawnWith({
      model: chosen.model,
      apiKey: chosen.apiKey,
      documentTools: createDocumentTools(library),
      delegate: options.delegate,
      documents: count,
      heldFor: (taskId) => manager.get(taskId).budget.tokens.held,
      activity,
      onDelegation: () => {
        delegations += 1;
      },
      onCutOff: (taskId) => cutOff.add(taskId),
    }),
    // The lead is a task as well: one budget holds for all, one cancel ends all. It gives up its slot while it waits.
    maxDepth: 2,
    maxConcurrent: options.maxConcurrent,
    maxChildren: Math.max(32, count),
    tools: [...DOCUMENT_TOOL_NAMES],
    budget: { tokens: options.budget },
    taskBudget: { tokens: Math.max(MIN_TASK_TOKENS, Math.floor(options.budget / (count + 1))) },
    turnEstimate: TURN_ESTIMATE,
  });
  const off = manager.subscribe(() => {
    mostAtOnce = Math.max(mostAtOnce, manager.getConcurrencyInfo().active);
  });
  try {
    const refused = await runLead(manager, activity, options, count, out, stop);
    return await makeReport(manager, library, {
      question: options.question,
      model: chosen.description,
      budget: options.budget,
      cancelled: stop.aborted,
      delegations,
      cutOff,
      refusals: activity.refusals,
      mostAtOnce,
      maxConcurrent: options.maxConcurrent,
      durationMs: Date.now() - startedAt,
      refused,
    });
  } finally {
    off();
    manager.dispose();
  }
}

/** Runs the lead to its end, whatever that is; a string says why it was not even started. */
async function runLead(
  manager: SubAgentManager,
  activity: Activity,
  options: Options,
  documents: number,
  out: NodeJS.WriteStream,
  stop: AbortSignal,
): Promise<string | undefined> {
  const view = showTree(manager, activity, out);
  let cancel = (): void => {};
  try {
    const lead = manager.spawn({
      label: 'lead',
      instructions: `Question: ${options.question}`,
      maxTurns: documents * LEAD_TURNS_PER_DOCUMENT + LEAD_EXTRA_TURNS,
      budget: { tokens: options.budget },
      turnEstimate: TURN_ESTIMATE,
    });
    cancel = () => {
      view.note('Cancelling; once more to exit at once.');
      void manager.cancel(lead.taskId);
    };
    if (stop.aborted) cancel();
    stop.addEventListener('abort', cancel, { once: true });
    await lead.wait();
    return undefined;
  } catch (error) {
    if (!(error instanceof SubAgentError) || error.code !== 'budget_exhausted') throw error;
    return `a budget of ${number(options.budget)} tokens is too small for one turn of ${number(TURN_ESTIMATE)}; --budget raises it`;
  } finally {
    stop.removeEventListener('abort', cancel);
    view.stop();
  }
}
