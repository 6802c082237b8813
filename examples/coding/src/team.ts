// The team: a main agent that delegates, sub-agents that edit, one manager over them. Everything that the library is
// there for stands in this file.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type AgentTools, type Json, type Policy, SubAgentManager, type SubAgentManagerOptions } from 'subagents';
import { fileStore } from 'subagents/store/file';

import { runAgent, type Tool } from './loop.js';
import type { Message, Model, ToolCall } from './model.js';
import type { Workspace } from './workspace.js';

const LEAD_SYSTEM = `You lead the work on a small repository. Read TASKS.md. Start one sub-agent for each task with spawn_agent,
all in one step, with background: true and the task's own words as instructions. Then call wait_agents with mode "any" until
only the one that watches the tests is still running. Answer a question with send_message: choose what fits the conventions in TASKS.md.
Then stop the watcher with cancel_agent, run the tests, and say in a few sentences what was done and what was not.`;
const SUB_AGENT_SYSTEM = `You do one task in a small repository with the tools you have, and nothing else. Read a file before you edit it.
If the task leaves something open, ask with ask_parent. If something is refused, leave it, and name it at the end.`;

const MAX_CONCURRENT = 3;
const BUDGET = 200_000;
const MAX_LEAD_TURNS = 100;
/** How long a process that is to stop lets run what runs. */
const DRAIN_MS = 3_000;

/** The files in the folder `state`. */
export const KEPT = ['journal', 'journal.lock', 'lead.json', 'repository'];

export interface Team {
  readonly model: Model;
  readonly workspace: Workspace;
  /** Asks a person. */
  readonly approve: (question: string) => Promise<boolean>;
  /** Told what happens: who, and what. */
  readonly say: (who: string, what: string) => void;
  /** Stops everything. */
  readonly stop: AbortSignal;
  /** Lets run what runs for a while, and leaves the rest to the next process with the same `state`. */
  readonly leave: AbortSignal;
  /** A folder in which the journal and the main agent's conversation are kept. */
  readonly state: string | undefined;
}

export interface Outcome {
  /** The main agent's answer; undefined where it was stopped before. */
  readonly answer: string | undefined;
  /** The next process goes on. */
  readonly isLeft: boolean;
  readonly agents: readonly { readonly label: string; readonly status: string; readonly tokens: number; readonly output: string }[];
}

export async function work({ model, workspace, approve, say, stop, leave, state }: Team): Promise<Outcome> {
  const tools = workspace.tools();
  const stopped = AbortSignal.any([stop, leave]);

  /** A person approves: meanwhile the run holds no slot, and its clocks stand still. */
  const approval: Policy = {
    name: 'approval',
    async beforeTool({ tool, args }) {
      if (tool !== 'delete_file') return undefined;
      const isAllowed = await approve(`May a sub-agent delete ${(args as { path?: unknown }).path}?`);
      return isAllowed ? undefined : { action: 'block', reason: 'the user said no' };
    },
  };

  const settings: SubAgentManagerOptions = {
    maxConcurrent: MAX_CONCURRENT,
    budget: { tokens: BUDGET },
    mainLimits: { maxTurns: MAX_LEAD_TURNS },
    policies: { subAgents: [approval] },
    spawnSubAgent: async (_, run) => {
      const answer = await runAgent({
        gates: {
          beforeTurn: () => run.beforeTurn(),
          beforeTool: (name, args) => run.beforeTool(name, args),
          afterTool: (name, result) => run.afterTool(name, result),
          beforeEnd: (output) => run.beforeEnd(output),
          used: (tokens, message) => run.report({ tokens, ...(message !== '' && { message }) }),
        },
        model,
        tools: [...Object.values(tools), ...toolsOf(run.createTools({ include: [], ask: true }))],
        messages: (run.checkpointed as Message[] | undefined) ?? conversation(SUB_AGENT_SYSTEM, run.prompt),
        keep: (messages) => run.checkpoint(messages as unknown as Json),
        signal: run.signal,
        onCall: (call) => say(run.label, describe(call)),
      });
      return answer === undefined ? { status: 'failed', output: '' } : { output: answer };
    },
  };
  // The sub-agents are in the journal; the main agent is this program's own, and so is its conversation.
  const kept = state === undefined ? undefined : path.join(state, 'lead.json');
  const before = kept !== undefined && existsSync(kept) ? readConversation(kept) : undefined;
  const manager =
    state === undefined
      ? new SubAgentManager(settings)
      : await SubAgentManager.open({ ...settings, store: fileStore(path.join(state, 'journal')), onHostLost: 'resume' });
  if (before !== undefined) say('lead', `continues from ${state}`);
  const off = manager.subscribe((event) => {
    if ((event.type !== 'run_started' && event.type !== 'run_ended') || event.taskId === null) return;
    const { label, status, error, output } = manager.get(event.taskId);
    say(label, event.type === 'run_started' ? 'started' : `${status}${error || output ? `: ${error || output}` : ''}`);
  });
  // Cancels what runs, the leaves first; the main agent's own call of its model ends with the same signal.
  const cancelAll = (): void => void manager.cancelAll();
  stop.addEventListener('abort', cancelAll);
  try {
    // What the main agent is asked is told with its first turn; ends of background work come with the later ones.
    let prompt: string | undefined = 'Do what TASKS.md says.';
    const messages = before ?? conversation(LEAD_SYSTEM, prompt);
    if (before !== undefined) prompt = undefined;
    const answer = await runAgent({
      gates: {
        beforeTurn: () => {
          const options = prompt === undefined ? {} : { prompt };
          prompt = undefined;
          return manager.beforeTurn(options);
        },
        beforeTool: (name, args) => manager.beforeTool(name, args),
        afterTool: (name, result) => manager.afterTool(name, result),
        beforeEnd: (output) => manager.beforeEnd(output),
        used: () => {},
      },
      model,
      tools: [tools.read_file, tools.run_tests, ...toolsOf(manager.createTools({ idempotencyKey: (callId) => callId }))].filter(
        (tool) => tool !== undefined,
      ),
      messages,
      keep: (messages) => {
        if (kept === undefined) return;
        writeFileSync(`${kept}.new`, JSON.stringify(messages));
        renameSync(`${kept}.new`, kept);
      },
      signal: stopped,
      onCall: (call) =>
        say(
          'lead',
          describe(call).replace(/sub_\w+/gu, (id) => manager.get(id).label),
        ),
    }).catch((error: unknown) => {
      if (stopped.aborted) return undefined;
      throw error;
    });
    const isLeft = answer === undefined && leave.aborted && !stop.aborted;
    if (isLeft) {
      say('lead', `stops within ${DRAIN_MS / 1_000} s; once more to cancel`);
      await manager.drain({ timeoutMs: DRAIN_MS });
      if (!stop.aborted) return { answer, isLeft, agents: [] };
    }
    // Nothing is left running behind the answer.
    await manager.cancelAll();
    const agents = manager.list().items.map(({ label, status, usage, output }) => ({ label, status, tokens: usage.tokens, output }));
    return { answer, isLeft: false, agents };
  } finally {
    stop.removeEventListener('abort', cancelAll);
    off();
    await manager[Symbol.asyncDispose]();
  }
}

function readConversation(file: string): Message[] {
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Said below.
  }
  if (Array.isArray(read)) return read as Message[];
  throw new Error(`${file} is broken, so the work can't continue: another --state begins anew`);
}

function conversation(system: string, prompt: string): Message[] {
  return [
    { role: 'system', content: system },
    { role: 'user', content: prompt },
  ];
}

function toolsOf(tools: AgentTools): Tool[] {
  return [...tools];
}

function describe({ name, args }: ToolCall): string {
  const values = Object.values(args).filter((value) => typeof value === 'string');
  return `${name} ${values.map((value) => JSON.stringify(value)).join(' ')}`.trim();
}
