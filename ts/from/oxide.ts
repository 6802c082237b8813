// Oxide's delegation: its tool with the JSON report, its hooks with their lists, its numbers. Owns the form of that
// report, and the lists and texts of the hooks; the package runs the sub-agents under these policies.

import type { AgentReport, Policy, SpawnSubAgent } from 'subagents';
import { isSubAgentError, SubAgentManager as Manager } from 'subagents';
import { completionCheck, SEARCH_TOOLS, safetyLimits, searchBudget, timeoutReport } from 'subagents/policies';

/** Iterations of a sub-agent. */
export const SUB_AGENT_MAX_ITERATIONS = 60;
/** The size of a sub-agent's context, in tokens. */
export const SUB_AGENT_MAX_TOKENS = 64_000;
/** Sub-agents at once. */
export const SUB_AGENT_MAX_JOBS = 5;
/** The tools that no sub-agent gets. */
export const BLOCKED_SUB_AGENT_TOOLS: readonly string[] = Object.freeze(['delegate_to_sub_agent', 'send_file_to_user']);
/** Limits of the main agent: iterations, tokens of its context, seconds. */
export const AGENT_MAX_ITERATIONS = 1_000;
export const AGENT_MAX_TOKENS = 200_000;
export const AGENT_TIMEOUT_SECS = 600;

/** The searches that are counted, and that the main agent leaves to sub-agents. */
const SEARCHES = [...new Set([...SEARCH_TOOLS, 'searxng', 'searxng_search', 'tavily_search'])];
const CRAWLS = ['deep_crawl', 'web_markdown', 'web_pdf'];
/** The main agent gets the notice if its prompt has one of these stems, 60 words, or three ends of sentences. */
const HEAVY_STEMS = `исслед сравн обзор анализ отчет подбор репозитор код файлы сканир изучи compare research analysis overview
report benchmark repo codebase scan investigate`.split(/\s+/);
const NOTICE = `[SYSTEM NOTICE: High Complexity Detected]
You must SPLIT your workflow to handle this request efficiently:
1. 🟢 DELEGATE retrieval tasks (git clone, grep, find, cat, deep_crawl, web_markdown) to \`delegate_to_sub_agent\`.
- Goal: Get raw data/files/web content.
- Forbidden for sub-agent: analysis, reasoning, explaining "why".
2. 🧠 RETAIN analysis tasks for yourself.
- Goal: Read the files/content returned by the sub-agent and perform high-level reasoning.
Example of GOOD delegation: "Use deep_crawl to find news about X".
Example of BAD delegation: "Analyze why project X is failing".`;
/** The beginnings of a retrieval task, which the guard doesn't check; and the words that it refuses in others. */
const RETRIEVAL = inWords(
  `find search grep locate list ls cat read get fetch download clone collect gather compile extract retrieve найти найди
  поиск искать перечисли список покажи скачай загрузи прочитай выведи собери`,
  '^\\s*(?:(?:please|kindly)\\s+)?',
);
const ANALYTICAL = inWords(`why analyz* explain* review* opinion* reason* evaluate* compare* почему анализ* проанализ* объясн* обзор*
  мнени* оцени* процени* сравни* просравни* выясни* причин* эффективн*`);

/** Finds one of these words, whole; `*` matches more letters. */
function inWords(words: string, before = '(?<![\\p{L}\\p{N}_])'): RegExp {
  const any = words.replaceAll(/\s+/g, '|').replaceAll('*', '[\\p{L}\\p{N}_]*');
  return new RegExp(`${before}(${any})(?![\\p{L}\\p{N}_])`, 'iu');
}

/** Oxide's name for the heavy command in a tool's arguments, which may be JSON. */
function heavyCommand(args: unknown): string | undefined {
  let command = '';
  try {
    command = `${((typeof args === 'string' ? JSON.parse(args) : args) as { command?: unknown }).command}`.trim();
  } catch {
    // Without a command there is none to refuse.
  }
  const git = /^git (?:clone|fetch)/.exec(command)?.[0];
  return git ?? (/grep -[rR]/.test(command) ? 'recursive grep' : /^find.*-(?:exec|name)/s.test(command) ? 'find search' : undefined);
}

const block = (reason: string | undefined) => (reason ? ({ action: 'block', reason } as const) : undefined);

/** A hook of an agent: one of the package's policies. */
const Hook = class {
  constructor(policy: Policy) {
    Object.assign(this, policy);
  }
} as { new (policy: Policy): Policy };

/** Has an agent finish its to-dos. Main agent and sub-agents. */
export class CompletionCheckHook extends Hook {
  constructor() {
    super(completionCheck());
  }
}

/** Has the main agent delegate heavy work, and refuses heavy commands, crawls and searches of its own. */
export class WorkloadDistributorHook extends Hook {
  constructor() {
    super({
      name: 'workload_distributor',
      beforeStart({ prompt }) {
        const text = prompt.toLowerCase();
        const isLong = text.trim().split(/\s+/).length >= 60 || text.split(/[?!.]/).length > 3;
        return isLong || HEAVY_STEMS.some((stem) => text.includes(stem)) ? { action: 'inject', text: NOTICE } : undefined;
      },
      beforeTool({ tool, args }) {
        if (SEARCHES.includes(tool) || CRAWLS.includes(tool))
          return block(
            `⛔ DIRECT SEARCH BLOCKED: You are trying to use '${tool}' directly. For efficiency and context saving, you MUST delegate web crawling/extraction to a sub-agent. ACTION REQUIRED: Use \`delegate_to_sub_agent\` with tool '${tool}' in the whitelist.`,
          );
        const command = tool === 'execute_command' ? heavyCommand(args) : undefined;
        return block(
          command &&
            `⛔ MANUAL LABOR DETECTED: You are trying to run a heavy operation ('${command}') yourself. This wastes your context window. ACTION REQUIRED: Use \`delegate_to_sub_agent\` to run this command and summarize the results.`,
        );
      },
    });
  }
}

/** Refuses to delegate analysis. Main agent. */
export class DelegationGuardHook extends Hook {
  constructor() {
    super({
      name: 'delegation_guard',
      beforeSpawn({ task = '' }) {
        const word = RETRIEVAL.test(task) ? undefined : ANALYTICAL.exec(task)?.[1];
        return block(
          word &&
            `⛔ Delegation Blocked: The task contains an analytical keyword ('${word}'). Sub-agents are restricted to raw data retrieval (cloning, grep, list files). Please split the task: delegate the retrieval, but perform the analysis yourself.`,
        );
      },
    });
  }
}

/** Options of `SubAgentSafetyHook`. */
export interface SubAgentSafetyConfig {
  maxIterations: number;
  maxTokens: number;
  blockedTools: Iterable<string>;
}

/** Bounds a sub-agent's iterations and context, and blocks tools. */
export class SubAgentSafetyHook extends Hook {
  constructor({ maxIterations, maxTokens, blockedTools }: SubAgentSafetyConfig) {
    super(safetyLimits({ maxTurns: maxIterations, maxContextTokens: maxTokens, blockedTools: [...blockedTools] }));
  }
}

/** Bounds the searches of an agent. Main agent and sub-agents. */
export class SearchBudgetHook extends Hook {
  constructor(limit: number) {
    super(searchBudget({ limit, tools: SEARCHES }));
  }
}

/** Reports what an agent had done when its time ran out. Main agent and sub-agents. */
export class TimeoutReportHook extends Hook {
  constructor() {
    super(timeoutReport());
  }
}

/** Options of the provider. */
export interface DelegationOptions {
  /**
   * Runs a sub-agent: your runner, or an adapter's.
   *
   * It gets the task, the context and the tools, and asks the hooks by `run`.
   */
  spawnSubAgent: SpawnSubAgent;
  /** Names of the existing tools. Default: unknown, so any name is accepted. */
  tools?: readonly string[];
  /** Tools that no sub-agent gets, besides `BLOCKED_SUB_AGENT_TOOLS`. */
  blockedTools?: readonly string[];
  /** Searches of an agent. @default 10 */
  searchLimit?: number;
  /** Seconds that a sub-agent has; half a minute later it is ended. @default 600 */
  timeoutSecs?: number;
  /** Called with errors of hooks. Default: as for any manager. */
  onError?: (error: unknown) => void;
}

/** The report of a sub-agent. */
export interface SubAgentReport {
  status: 'success' | 'error' | 'timeout';
  task_id: string | null;
  /** Its result; partial if it did not finish. */
  result: string;
  error: string | null;
  /** Why it ended; null if none was started. */
  termination_reason: string | null;
  /** Only if it did not finish. */
  note?: string;
  timeout_secs: number;
  /** Tokens that it spent. */
  tokens: number | null;
  stats: { iterations: number | null; continuation_count: number; tokens_used: number | null; max_tokens: number };
  todos: { items: { description: string; status: string }[] };
  /** Its last messages, at most six. */
  recent_messages: { role: 'assistant'; content: string }[];
}

/** A tool for the main agent's model. */
export interface DelegationTool {
  name: 'delegate_to_sub_agent';
  description: string;
  parameters: { type: 'object'; properties: Record<'task' | 'tools' | 'context', object>; required: string[] };
  execute(args: unknown): Promise<string>;
}

const UNFINISHED = 'Sub-agent did not finish the task. Use partial results below.';
const TASK = { type: 'string', description: 'Task for sub-agent' };
const TOOLS = { type: 'array', description: 'Whitelist of allowed tools', items: { type: 'string' } };
const CONTEXT = { type: 'string', description: 'Additional context (optional)' };

/**
 * Oxide's provider of `delegate_to_sub_agent`. Its `manager` asks the main agent's hooks: `beforeTurn`, `beforeTool`,
 * `beforeEnd`.
 */
export class DelegationProvider {
  /** The package's manager behind this provider. */
  readonly manager: Manager;
  readonly #timeoutSecs: number;

  constructor({ spawnSubAgent, tools, blockedTools = [], searchLimit = 10, timeoutSecs = 600, onError }: DelegationOptions) {
    this.#timeoutSecs = timeoutSecs;
    const safety = {
      maxIterations: SUB_AGENT_MAX_ITERATIONS,
      maxTokens: SUB_AGENT_MAX_TOKENS,
      blockedTools: [...BLOCKED_SUB_AGENT_TOOLS, ...blockedTools],
    };
    const search = new SearchBudgetHook(searchLimit);
    this.manager = new Manager({
      spawnSubAgent,
      maxConcurrent: SUB_AGENT_MAX_JOBS,
      maxTurns: SUB_AGENT_MAX_ITERATIONS,
      timeoutMs: timeoutSecs * 1_000,
      graceMs: 30_000,
      mainLimits: { maxTurns: AGENT_MAX_ITERATIONS, maxContextTokens: AGENT_MAX_TOKENS, timeoutMs: AGENT_TIMEOUT_SECS * 1_000 },
      policies: {
        subAgents: [new CompletionCheckHook(), new SubAgentSafetyHook(safety), search, new TimeoutReportHook()],
        main: [new CompletionCheckHook(), new WorkloadDistributorHook(), new DelegationGuardHook(), search, new TimeoutReportHook()],
      },
      ...(tools && { tools }),
      ...(onError && { onError }),
    });
  }

  /**
   * Delegates a task: the guard checks it, the tools are filtered, a sub-agent runs under its hooks. Resolves to a
   * `SubAgentReport` as JSON, also if the task is refused or fails.
   *
   * @param context further context for the task; null for none
   * @param tools the tools that it may use, at least one
   * @param signal the parent's: the sub-agent ends when it fires
   */
  async delegateToSubAgent(task: string, context: string | null | undefined, tools: readonly string[], signal?: AbortSignal) {
    try {
      if (typeof task !== 'string' || task.trim() === '') return this.#refused('Sub-agent task cannot be empty');
      if (!Array.isArray(tools) || tools.length === 0) return this.#refused('Sub-agent tools whitelist cannot be empty');
      const taskId = `sub-${crypto.randomUUID()}`;
      const hint = context ? { contextHint: context } : {};
      const handle = this.manager.spawn({ instructions: task, tools, taskId, format: 'json', signal, ...hint });
      await handle.wait();
      return this.#reported(JSON.parse(handle.resultText()) as AgentReport);
    } catch (error) {
      if (isSubAgentError(error) && error.code !== 'disposed') return this.#refused(error.message);
      throw error;
    }
  }

  /** The same as a tool for the main agent's model. Its arguments may be JSON. */
  get tool(): DelegationTool {
    return {
      name: 'delegate_to_sub_agent',
      description: `Delegates rough work to a sub-agent. Pass a short, clear task and the tools that it may use, and context if it needs some. If it doesn't finish, a partial report comes back.`,
      parameters: { type: 'object', properties: { task: TASK, tools: TOOLS, context: CONTEXT }, required: ['task', 'tools'] },
      execute: async (args) => {
        const given = (typeof args === 'string' ? JSON.parse(args) : (args ?? {})) as { task: string; context?: string; tools: string[] };
        return this.delegateToSubAgent(given.task, given.context, given.tools);
      },
    };
  }

  #refused(error: string): string {
    const none = { turns: null, tokens: null, costUsd: null, durationMs: null, contextTokens: null, openTodos: 0, counts: {} };
    const nothing = { taskId: null, reason: null, partial: false, output: '', stats: none, todos: [], recentMessages: [] };
    return this.#reported({ ...nothing, status: 'refused', error });
  }

  #reported({ taskId, status, reason, output, error, stats, todos, recentMessages }: AgentReport): string {
    const isDone = status === 'completed';
    const report: SubAgentReport = {
      status: isDone ? 'success' : status === 'timed_out' ? 'timeout' : 'error',
      task_id: taskId,
      result: output,
      error,
      termination_reason: reason,
      ...(!isDone && { note: UNFINISHED }),
      timeout_secs: this.#timeoutSecs,
      tokens: stats.tokens,
      stats: {
        iterations: stats.turns,
        continuation_count: stats.counts.completion_check ?? 0,
        tokens_used: stats.contextTokens ?? stats.tokens,
        max_tokens: SUB_AGENT_MAX_TOKENS,
      },
      todos: { items: todos.map((todo) => ({ description: todo.content, status: todo.status ?? 'pending' })) },
      recent_messages: recentMessages.slice(-6).map((content) => ({ role: 'assistant', content })),
    };
    return JSON.stringify(report, null, 2);
  }
}
