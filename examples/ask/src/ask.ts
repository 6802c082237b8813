// One question, from the documents to the report: makes the manager, runs the lead as its first task, cancels on request, or
// leaves the work to the next process.
import { existsSync } from 'node:fs';

import { readJournal, SubAgentError, SubAgentManager, type SubAgentManagerOptions } from 'subagents';
import { fileStore } from 'subagents/store/file';

import { Activity } from './activity.js';
import { spawnWith } from './agents.js';
import { type Asked, askedOf, differences } from './asked.js';
import { type Options, UsageError } from './cli.js';
import type { Library } from './documents.js';
import type { ChosenModel } from './endpoint.js';
import { makeReport, type Report } from './report.js';
import { number, printable } from './terminal.js';
import { createDocumentTools, DOCUMENT_TOOL_NAMES } from './tools.js';
import { showTree } from './view.js';

/** A sub-agent may use this much, or an equal share of the budget where that is more. */
const MIN_TASK_TOKENS = 10_000;
/** The first turn of a lead needs about this much; a smaller budget is refused at once. */
const TURN_ESTIMATE = 1_000;
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
  const count = library.documents.length;
  const cutOff = new Set<string>();
  const activity = new Activity();
  let delegations = 0;
  let mostAtOnce = 0;
  const asked = askedOf(options, library, chosen.description);
  if (options.journal !== undefined) await expectSame(options.journal, asked, library);

  const manager: SubAgentManager = await openManager(options.journal, {
    spawnSubAgent: spawnWith({
      model: chosen.model,
      apiKey: chosen.apiKey,
      documentTools: createDocumentTools(library),
      delegate: options.delegate,
      documents: count,
      heldFor: (taskId) => manager.get(taskId).budget.tokens.held,
      activity,
      leaving: leave,
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
  const before = manager.list().items.filter(({ parentId }) => parentId !== null);
  if (manager.list().total > 0) {
    const ended = before.filter(({ status }) => !OPEN.includes(status));
    out.write(printable(`Going on where ${options.journal} stopped: ${ended.length} of ${before.length} sub-agents have ended.\n\n`));
  }
  try {
    const refused = await runLead(manager, activity, options, asked, count, out, stop, leave);
    if (leave.aborted && OPEN.includes(leadOf(manager)?.status ?? '')) return undefined;
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
    // The journal is kept and let go.
    await manager[Symbol.asyncDispose]();
  }
}

/** A journal answers what it was made for. It is only read here: what is refused leaves it as it is. */
async function expectSame(journal: string, asked: Asked, library: Library): Promise<void> {
  if (!existsSync(journal)) return;
  try {
    await using kept = await readJournal(fileStore(journal, { readOnly: true }));
    for await (const _ of kept);
    const lead = kept.view.list().items.find(({ parentId }) => parentId === null);
    const said = lead === undefined ? [] : differences(lead.metadata ?? {}, asked, library);
    if (said.length > 0)
      throw new UsageError(`--journal ${journal} is of ${said.join(', and of ')}: name another file, or delete this one`);
  } catch (error) {
    throw error instanceof SubAgentError ? new UsageError(`--journal ${journal}: ${error.message}`) : error;
  }
}

async function openManager(journal: string | undefined, settings: SubAgentManagerOptions): Promise<SubAgentManager> {
  if (journal === undefined) return new SubAgentManager(settings);
  try {
    return await SubAgentManager.open({ ...settings, store: fileStore(journal), onHostLost: 'resume' });
  } catch (error) {
    throw error instanceof SubAgentError ? new UsageError(`--journal ${journal}: ${error.message}`) : error;
  }
}

const leadOf = (manager: SubAgentManager) => manager.list().items.find(({ parentId }) => parentId === null);

/** Runs the lead to its end, whatever that is; a string says why it was not even started. */
async function runLead(
  manager: SubAgentManager,
  activity: Activity,
  options: Options,
  asked: Asked,
  documents: number,
  out: NodeJS.WriteStream,
  stop: AbortSignal,
  leave: AbortSignal,
): Promise<string | undefined> {
  const view = showTree(manager, activity, out);
  let cancel = (): void => {};
  let drain = (): void => {};
  try {
    const lead = manager.spawn({
      label: 'lead',
      // With a journal it is the lead of before, where there was one.
      idempotencyKey: 'lead',
      metadata: asked,
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
    const left = new Promise<void>((resolve, reject) => {
      drain = () => {
        view.note(`Stopping within ${DRAIN_MS / 1_000} s; once more to cancel.`);
        manager.drain({ timeoutMs: DRAIN_MS }).then(() => resolve(), reject);
      };
    });
    if (leave.aborted) drain();
    leave.addEventListener('abort', drain, { once: true });
    await Promise.race([lead.wait(), left]);
    return undefined;
  } catch (error) {
    if (!(error instanceof SubAgentError) || error.code !== 'budget_exhausted') throw error;
    return `a budget of ${number(options.budget)} tokens is too small for one turn of ${number(TURN_ESTIMATE)}; --budget raises it`;
  } finally {
    stop.removeEventListener('abort', cancel);
    leave.removeEventListener('abort', drain);
    view.stop();
  }
}
