// One question, from the documents to the report: makes the manager, runs the lead as its first task, cancels on request, or
// leaves the work to the next process.
import { SUB_AGENT_TOOL_NAME, SubAgentError, SubAgentManager, type SubAgentManagerOptions } from 'subagents';
import { fileStore } from 'subagents/store/file';
import { spawnWith } from './agents.js';
import { askedOf, expectSame } from './asked.js';
import { type Options, UsageError } from './cli.js';
import type { Library } from './documents.js';
import type { ChosenModel } from './endpoint.js';
import { makeReport, type Report } from './report.js';
import { number, oneLine, printable } from './terminal.js';
import { createDocumentTools } from './tools.js';
import { showTree } from './view.js';

/** A sub-agent may use this much, or an equal share of the budget where that is more. */
const MIN_TASK_TOKENS = 10_000;
/** So much is set aside for a turn, unless the one before has used more; a smaller budget is refused at once. */
const TURN_ESTIMATE = 2_000;
/** The lead without sub-agents needs two turns a document, and one each to list and to answer. */
const LEAD_TURNS_PER_DOCUMENT = 2;
const LEAD_EXTRA_TURNS = 4;
/** How long a process that is to stop lets run what runs. */
const DRAIN_MS = 3_000;
const OPEN: readonly string[] = ['pending', 'running', 'idle'];

/**
 * Once `stop` is aborted, the tree is cancelled and the report says what was done. Once `leave` is, what runs may end for a
 * while and the rest stays in the journal: no report, unless it came to its end.
 */
export async function ask(
  options: Options,
  library: Library,
  chosen: ChosenModel,
  out: NodeJS.WriteStream,
  stop: AbortSignal,
  leave: AbortSignal = new AbortController().signal,
): Promise<Report | undefined> {
  const startedAt = Date.now();
  const { journal, question, budget, delegate, maxConcurrent } = options;
  const count = library.documents.length;
  const asked = askedOf(options, library, chosen.description);
  if (journal !== undefined) await expectSame(journal, asked, library);

  const documentTools = createDocumentTools(library);
  /** What each agent did last, in words. */
  const calls = new Map<string, string>();
  // With a journal, that is kept and let go at the end.
  await using manager: SubAgentManager = await openManager(journal, {
    spawnSubAgent: spawnWith({
      ...chosen,
      documentTools,
      delegate,
      leaving: leave,
      heldFor: (taskId) => manager.get(taskId).budget.tokens.held,
    }),
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
  const off = manager.subscribe(() => {
    mostAtOnce = Math.max(mostAtOnce, manager.getConcurrencyInfo().active);
  });
  const refusals: { name: string; why: string }[] = [];
  manager.onRefused(({ by, label, message }) => {
    if (by !== null && !leave.aborted)
      refusals.push({ name: printable((label ?? '').replace(/^Document: |\n[\s\S]*/gu, '')), why: message });
  });
  const before = manager.list().items.filter(({ parentId }) => parentId !== null);
  if (manager.list().total > 0) {
    const ended = before.filter(({ status }) => !OPEN.includes(status));
    out.write(printable(`Going on where ${journal} stopped: ${ended.length} of ${before.length} sub-agents have ended.\n\n`));
  }
  const view = showTree(manager, calls, refusals, out);
  let refused: string | undefined;
  const over = new AbortController();
  try {
    const lead = manager.spawn({
      label: 'lead',
      // With a journal it is the lead of before, where there was one.
      idempotencyKey: 'lead',
      metadata: asked,
      instructions: `Question: ${question}`,
      maxTurns: count * LEAD_TURNS_PER_DOCUMENT + LEAD_EXTRA_TURNS,
      budget: { tokens: budget },
    });
    on(stop, over.signal, () => {
      view.note('Cancelling; once more to exit at once.');
      void manager.cancel(lead);
    });
    const left = new Promise<void>((resolve, reject) => {
      on(leave, over.signal, () => {
        view.note(`Stopping within ${DRAIN_MS / 1_000} s; once more to cancel.`);
        manager.drain({ timeoutMs: DRAIN_MS }).then(() => resolve(), reject);
      });
    });
    await Promise.race([lead.wait(), left]);
    if (leave.aborted && OPEN.includes(lead.status)) return undefined;
  } catch (error) {
    if (!(error instanceof SubAgentError) || error.code !== 'budget_exhausted') throw error;
    refused = `a budget of ${number(budget)} tokens is too small for one turn of ${number(TURN_ESTIMATE)}; --budget raises it`;
  } finally {
    over.abort();
    view.stop();
    off();
  }
  const figures = { mostAtOnce, maxConcurrent, durationMs: Date.now() - startedAt };
  const ending = { question, model: chosen.description, cancelled: stop.aborted, refusals, refused, budget, ...figures };
  return await makeReport(manager, library, ending);
}

async function openManager(journal: string | undefined, settings: SubAgentManagerOptions): Promise<SubAgentManager> {
  if (journal === undefined) return new SubAgentManager(settings);
  try {
    return await SubAgentManager.open({ ...settings, store: fileStore(journal), onHostLost: 'resume' });
  } catch (error) {
    throw error instanceof SubAgentError ? new UsageError(`--journal ${journal}: ${error.message}`) : error;
  }
}

/** Calls back once `signal` is aborted, now if it is, and not once it is over. */
function on(signal: AbortSignal, over: AbortSignal, call: () => void): void {
  if (signal.aborted) call();
  else signal.addEventListener('abort', call, { once: true, signal: over });
}

/** A call in a few words: `search a.md "harbour crane"`, `read a.md from line 3`. */
function callOf(tool: string, given: unknown): string {
  if (tool === SUB_AGENT_TOOL_NAME) return 'delegates';
  const { path, query, from } = { ...(given as Record<string, unknown>) };
  return oneLine([tool, path, query && `"${query}"`, from && `from line ${from}`].filter(Boolean).join(' '));
}
