// nanobot's manager of background sub-agents, with its names, texts and numbers. Owns the loop that nanobot runs for
// each and the form of its bus messages; the package has the sub-agents, their ends and the delivery.

import type { Notice, Run, Session } from 'subagents';
import { SubAgentManager as Manager } from 'subagents';

/** Turns that a sub-agent takes at most; the main agent takes 20. */
export const SUBAGENT_MAX_ITERATIONS = 15;
/** Characters of the task that make its label. */
const LABEL_CHARS = 30;
const NO_ANSWER = 'Task completed but no final response was generated.';

/** A call of a tool, as a model makes it. */
export interface ToolCallRequest {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
}

/** A message of a conversation, with the role `system`, `user`, `assistant` or `tool`. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  toolCalls?: ToolCallRequest[];
  toolCallId?: string;
  name?: string;
}

/** A model's answer: its text, or calls of tools; `usage.totalTokens` if it is known. */
export interface LLMResponse {
  content: string | null;
  toolCalls?: ToolCallRequest[];
  usage?: { totalTokens?: number };
}

/** The model. `temperature` is the spawn's; `signal` fires when the sub-agent has to stop. */
export interface LLMProvider {
  chat(request: {
    messages: readonly ChatMessage[];
    tools: readonly Tool[];
    model: string | undefined;
    temperature: number | undefined;
    signal: AbortSignal;
  }): Promise<LLMResponse>;
  getDefaultModel?(): string;
}

/** A tool of a sub-agent. The model gets an error of `execute` as `Error: …`. */
export interface Tool {
  name: string;
  description?: string;
  parameters?: object;
  execute(args: Record<string, unknown>): Promise<string> | string;
}

/** The end of a sub-agent, for the main agent. `chatId` is `{channel}:{chatId}` of the work's origin. */
export interface InboundMessage {
  channel: 'system';
  senderId: 'subagent';
  chatId: string;
  content: string;
  /** The message id of the spawn. */
  messageId?: string;
  /** The session of the spawn. */
  sessionKey?: string;
}

/** The bus. If `publishInbound` rejects, it is called again a minute later, at most five times in all. */
export interface MessageBus {
  publishInbound(message: InboundMessage): Promise<void> | void;
}

/** The workspace and its keys, for the tools. */
export interface ToolContext {
  workspace: string;
  braveApiKey?: string | undefined;
  execConfig?: unknown;
  restrictToWorkspace: boolean;
}

/** Options of the manager. */
export interface SubagentManagerOptions extends Partial<Omit<ToolContext, 'workspace'>> {
  provider: LLMProvider;
  workspace: string;
  bus: MessageBus;
  /** Default: the provider's. */
  model?: string | undefined;
  /** Makes the tools of sub-agents; `message` and `spawn` are never among them. Default: none. */
  tools?: (context: ToolContext) => readonly Tool[];
  /** Called with errors of the bus and of the package's manager. @default console.error */
  onError?: (error: unknown) => void;
}

/** A spawn: the task, and the chat for its end. */
export interface SpawnRequest {
  task: string;
  /** Default: the first 30 characters of the task, with "..." if it has more. */
  label?: string | null | undefined;
  /** @default 'cli' */
  originChannel?: string | undefined;
  /** @default 'direct' */
  originChatId?: string | undefined;
  sessionKey?: string | null | undefined;
  messageId?: string | null | undefined;
  temperature?: number | null | undefined;
}

const NO_LIMIT = Number.POSITIVE_INFINITY;

/** nanobot's manager: every task runs in the background at once, and its end is published on the bus. */
export class SubagentManager {
  /** The package's manager behind this one. */
  readonly manager: Manager;
  readonly #options: SubagentManagerOptions;
  readonly #report: (error: unknown) => void;
  readonly #tools: readonly Tool[];
  readonly #sessions = new Map<string, Session>();

  /** Throws `invalid_argument` for a tool's name or a model that the package refuses. */
  constructor(options: SubagentManagerOptions) {
    const { workspace, braveApiKey, execConfig, restrictToWorkspace = false, provider, model } = options;
    this.#options = options;
    this.#report = options.onError ?? console.error;
    this.#tools = options.tools?.({ workspace, braveApiKey, execConfig, restrictToWorkspace }) ?? [];
    const modelId = model ?? provider.getDefaultModel?.();
    this.manager = new Manager({
      maxConcurrent: NO_LIMIT,
      maxTurns: NO_LIMIT,
      timeoutMs: NO_LIMIT,
      idleTimeoutMs: NO_LIMIT,
      // Like a cancelled task in Python: nothing waits for the model.
      graceMs: 0,
      mainLimits: { maxTurns: 20 },
      tools: this.#tools.map(({ name }) => name),
      ...(modelId !== undefined && { modelId }),
      spawnSubAgent: ({ metadata }, run) => this.#run(run, (metadata as { temperature?: number } | undefined)?.temperature),
      onError: this.#report,
      onWake: ({ inbox }) => {
        for (const notice of inbox.lease()) this.#publish(notice).catch(this.#report);
      },
    });
  }

  /**
   * Starts a sub-agent in the background. Resolves at once to a text for the model. Rejects with `invalid_argument` for an
   * empty task.
   */
  async spawn(request: SpawnRequest): Promise<string> {
    const { task, label, originChannel = 'cli', originChatId = 'direct', sessionKey, messageId, temperature } = request;
    const characters = [...task];
    const shown = label || `${characters.slice(0, LABEL_CHARS).join('')}${characters.length > LABEL_CHARS ? '...' : ''}`;
    const taskId = crypto.randomUUID().slice(0, 8);
    const metadata = {
      ...(typeof messageId === 'string' && { messageId }),
      ...(typeof temperature === 'number' && { temperature }),
    };
    this.#scopeOf(sessionKey).spawn({
      instructions: task,
      taskId,
      label: shown,
      background: true,
      origin: { channel: originChannel, chatId: originChatId },
      metadata,
    });
    return `Subagent [${shown}] started (id: ${taskId}). I'll notify you when it completes.`;
  }

  /** How many sub-agents run. */
  getRunningCount(): number {
    return this.manager.stats().running;
  }

  /** Cancels the sub-agents of a session, whose ends are not published; resolves to their number. */
  async cancelBySession(sessionKey: string): Promise<number> {
    const session = this.#sessions.get(sessionKey);
    if (session === undefined) return 0;
    const { items } = session.list({ filter: { status: ['pending', 'running'] } });
    await session.cancelAll();
    for (const { taskId } of items) this.#forget(taskId);
    return items.length;
  }

  #scopeOf(sessionKey: string | null | undefined): Manager | Session {
    if (!sessionKey) return this.manager;
    const session = this.manager.session(sessionKey);
    this.#sessions.set(sessionKey, session);
    return session;
  }

  /** nanobot's loop: the model, then its tools, until it answers without one. */
  async #run(run: Run, temperature: number | undefined): Promise<{ output: string; error?: string }> {
    const messages: ChatMessage[] = [
      { role: 'system', content: run.systemPrompt },
      { role: 'user', content: run.prompt },
    ];
    const tools = this.#tools.filter(({ name }) => run.tools?.includes(name));
    for (let iteration = 0; iteration < SUBAGENT_MAX_ITERATIONS; iteration += 1) {
      const permit = await run.beforeTurn();
      if (!permit.go) return { output: '', error: permit.reason };
      const request = { messages: [...messages], tools, model: run.modelId, temperature, signal: run.signal };
      const { content, toolCalls = [], usage } = await this.#options.provider.chat(request);
      if (usage?.totalTokens !== undefined) run.report({ tokens: usage.totalTokens });
      if (toolCalls.length === 0) return { output: content || NO_ANSWER };
      messages.push({ role: 'assistant', content: content ?? '', toolCalls });
      for (const { id, name, arguments: args } of toolCalls)
        messages.push({ role: 'tool', toolCallId: id, name, content: await this.#call(run, tools, name, args) });
    }
    return { output: NO_ANSWER };
  }

  async #call(run: Run, tools: readonly Tool[], name: string, args: Record<string, unknown>): Promise<string> {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) return `Error: Tool '${name}' not found`;
    try {
      const permit = await run.beforeTool(name, args);
      const result = permit.allowed ? await tool.execute(args) : `Error: ${permit.reason}`;
      await run.afterTool(name, result);
      return result;
    } catch (error) {
      return `Error: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  async #publish(notice: Notice): Promise<void> {
    const { deliveryId, taskId, sessionKey, metadata } = notice;
    const { messageId } = (metadata ?? {}) as { messageId?: string };
    await this.#options.bus.publishInbound({
      channel: 'system',
      senderId: 'subagent',
      chatId: `${notice.origin.channel}:${notice.origin.chatId}`,
      content: contentOf(notice),
      ...(messageId !== undefined && { messageId }),
      ...(sessionKey !== null && { sessionKey }),
    });
    this.manager.inbox.ack(deliveryId);
    this.#forget(taskId);
  }

  /** As in nanobot, drops an ended sub-agent. */
  #forget(taskId: string): void {
    try {
      this.manager.forget(taskId);
    } catch {
      // Its model has not returned yet, or the manager is over.
    }
  }
}

/** nanobot's text of an end. It quotes who ended, how, and the task; the result stays as the sub-agent wrote it. */
function contentOf({ text, status, output, error }: Notice): string {
  const [who, task] = text.split('\n\n');
  const result = status === 'completed' ? output : `Error: ${error ?? status}`;
  return `${who}\n\n${task}\n\nResult: ${result}`;
}

/** The origin of a bus message: `chatId` split at the first colon. Without a colon it is a chat of `cli`. */
export function parseOrigin(chatId: string): { channel: string; chatId: string } {
  const at = chatId.indexOf(':');
  return at < 0 ? { channel: 'cli', chatId } : { channel: chatId.slice(0, at), chatId: chatId.slice(at + 1) };
}

/** nanobot's tool `spawn`, for the main agent's model. `setContext` sets the chat for its spawns. */
export class SpawnTool {
  readonly name = 'spawn';
  readonly description =
    "Starts a sub-agent for a task that it can do on its own, in the background. You'll get its result when it completes.";
  readonly parameters = {
    type: 'object',
    properties: {
      task: { type: 'string', description: 'The whole task.' },
      label: { type: 'string', description: 'A short label, for display.' },
    },
    required: ['task'],
  } as const;
  readonly #manager: SubagentManager;
  #origin: Pick<SpawnRequest, 'originChannel' | 'originChatId'> = {};

  /** @param manager runs the sub-agents that the model spawns */
  constructor(manager: SubagentManager) {
    this.#manager = manager;
  }

  /** Sets the chat for the ends of later spawns. */
  setContext(originChannel: string, originChatId: string): void {
    this.#origin = { originChannel, originChatId };
  }

  /** Starts a sub-agent; resolves to the text for the model. */
  execute({ task, label }: { task: string; label?: string }): Promise<string> {
    return this.#manager.spawn({ task, label, ...this.#origin });
  }
}
