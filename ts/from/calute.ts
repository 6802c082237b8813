// Calute's manager of background sub-agents, with its names, statuses and tools. Owns how its handles use the
// package's manager, which decides what runs when, and what a message does.

import type { Handle, TaskStatus } from 'subagents';
import { SubAgentManager as Manager, SubAgentError } from 'subagents';

/** An agent of Calute. A handle works with a copy, whose `id` is the handle's. */
export interface Agent {
  id?: string | null;
  name?: string | null;
  [field: string]: unknown;
}

/**
 * The parts of Calute that the manager needs: its agents, and the function that has one answer. `signal` fires when it has to
 * stop.
 */
export interface Calute {
  orchestrator: { agents: Readonly<Record<string, Agent>>; getCurrentAgent(): Agent };
  createResponse(request: {
    prompt: string;
    agentId: Agent;
    stream: false;
    applyFunctions: true;
    signal: AbortSignal;
  }): Promise<{ content: string } | string>;
}

/** The state from which Calute reads the prompt profile of an agent: `promptProfile` is set for each handle. */
export interface RuntimeState {
  config: { agentOverrides: Record<string, { promptProfile?: string | null }> };
  getAgentOverrides?(agentId: string): { promptProfile?: string | null };
}

/** The status of a handle. */
export type HandleStatus = 'idle' | 'running' | 'completed' | 'error' | 'interrupted' | 'cancelled' | 'closed';

/** A handle as plain JSON. Instants are ISO 8601; `queuedPreview` is the message that comes next. */
export interface HandleSnapshot {
  handleId: string;
  sourceAgentId: string | null;
  status: HandleStatus;
  createdAt: string;
  updatedAt: string;
  promptProfile: string;
  lastInput: string | null;
  lastOutput: string | null;
  error: string | null;
  closed: boolean;
  queueSize: number;
  queuedPreview: string | null;
}

const STATUSES: Readonly<Record<TaskStatus, HandleStatus>> = {
  pending: 'running',
  running: 'running',
  idle: 'idle',
  completed: 'completed',
  failed: 'error',
  timed_out: 'error',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
  closed: 'closed',
};

/** A sub-agent of the manager: a cloned agent with its messages. `manager.spawn` makes one. */
export class SpawnedAgentHandle {
  /** The agent's copy, which works on the messages. */
  readonly agent: Agent;
  /** The id of the agent that was copied; null if it has none. */
  readonly sourceAgentId: string | null;
  /** The prompt profile that it works under. */
  readonly promptProfile: string;
  /** Whether it was closed. */
  closed = false;
  /** @internal Messages that waited when it was closed: they come after the next one. */
  readonly left: string[] = [];
  readonly #handle: Handle;

  /** @internal */
  constructor(handle: Handle, agent: Agent, sourceAgentId: string | null, promptProfile: string) {
    this.#handle = handle;
    this.agent = agent;
    this.sourceAgentId = sourceAgentId;
    this.promptProfile = promptProfile;
  }

  /** Its id in the package. */
  get taskId(): string {
    return this.#handle.taskId;
  }

  /** Its id in every call: the nickname of its spawn, else one that the manager made. */
  get handleId(): string {
    return this.agent.id as string;
  }

  /** Its status. */
  get status(): HandleStatus {
    return this.closed ? 'closed' : STATUSES[this.#handle.status];
  }

  /** The messages that wait, first in, first out. */
  get queue(): string[] {
    return [...this.#handle.queue, ...this.left];
  }

  /** Resolves when the work in flight has ended; null if there is none. */
  get task(): Promise<void> | null {
    return this.status === 'running' ? this.#handle.wait().then(() => undefined) : null;
  }

  /** The handle as plain JSON. */
  snapshot(): HandleSnapshot {
    const { createdAt, updatedAt, lastInput, output, error, run } = this.#handle.snapshot();
    const { handleId, sourceAgentId, status, promptProfile, closed, queue } = this;
    const last = { lastInput, lastOutput: run > 0 && output !== '' ? output : null, error };
    const times = { createdAt: createdAt ?? '', updatedAt: updatedAt ?? '' };
    const queued = { queueSize: queue.length, queuedPreview: queue[0] ?? null };
    return { handleId, sourceAgentId, status, ...times, promptProfile, ...last, closed, ...queued };
  }
}

/** A spawn: the first message, the agent to copy, its profile, and the handle's id. All may be left out. */
export interface SpawnRequest {
  message?: string | null;
  taskDescription?: string | null;
  agentId?: string | null;
  promptProfile?: string | null;
  nickname?: string | null;
}

/** An input: the message, under one of two names, and whether it stops the work in flight. */
export interface InputRequest extends Pick<SpawnRequest, 'message' | 'taskDescription'> {
  interrupt?: boolean;
}

/** A tool for the model. `execute` resolves to JSON: a snapshot, several, or `{ error }`. */
export interface OperatorTool {
  name: string;
  description: string;
  parameters: { type: 'object'; properties: Record<string, object>; required: string[] };
  execute(args: unknown): Promise<string>;
}

const NO_LIMIT = Number.POSITIVE_INFINITY;
const LIFTED = ['maxConcurrent', 'maxTasks', 'maxTurns', 'timeoutMs', 'idleTimeoutMs', 'maxMessages', 'maxAbandoned', 'retain'] as const;

/** Calute's manager: it sends handles work, waits for them, and interrupts, resumes and closes them. All may work at once. */
export class SpawnedAgentManager {
  /** The package's manager behind this one. */
  readonly manager: Manager;
  /** The handles, by their ids. */
  readonly _handles = new Map<string, SpawnedAgentHandle>();
  readonly #calute: Calute;
  readonly #state: RuntimeState | undefined;
  readonly #byTask = new Map<string, SpawnedAgentHandle>();

  /** @param runtimeState default: only the handles have their profiles */
  constructor(calute: Calute, runtimeState?: RuntimeState) {
    this.#calute = calute;
    this.#state = runtimeState;
    this.manager = new Manager({
      ...Object.fromEntries(LIFTED.map((name) => [name, NO_LIMIT])),
      spawnSubAgent: async (_, { taskId, prompt, signal }) => {
        const { agent } = this.#byTask.get(taskId) as SpawnedAgentHandle;
        const answer = calute.createResponse({ prompt, agentId: agent, stream: false, applyFunctions: true, signal });
        // Like a cancelled task in Python: the next message does not wait for it.
        const cancelled = new Promise<never>((_, reject) => signal.addEventListener('abort', reject));
        const response = await Promise.race([answer, cancelled]).catch((error: unknown) => {
          throw signal.aborted ? new Error('cancelled') : error;
        });
        return { output: typeof response === 'string' ? response : response.content };
      },
    });
  }

  /** Makes a handle, and starts on the message if there is one. Rejects with `unknown_agent` for an unregistered agent. */
  async spawn({ message, taskDescription, agentId, promptProfile, nickname }: SpawnRequest = {}): Promise<HandleSnapshot> {
    const { agents, getCurrentAgent } = this.#calute.orchestrator;
    const source = agentId ? agents[agentId] : getCurrentAgent.call(this.#calute.orchestrator);
    if (source === undefined) throw new SubAgentError('unknown_agent', `no agent is registered as ${agentId}`);
    const id = nickname || `subagent_${crypto.randomUUID().replaceAll('-', '').slice(0, 10)}`;
    const profile = promptProfile || 'minimal';
    const handle = this.manager.spawn({ ...(nickname ? { nickname } : { taskId: id }), metadata: { promptProfile: profile } });
    const made = new SpawnedAgentHandle(handle, { ...source, id, name: nickname || source.name || id }, source.id ?? null, profile);
    this._handles.set(id, made);
    this.#byTask.set(handle.taskId, made);
    const overrides = this.#state?.config.agentOverrides;
    if (overrides !== undefined) overrides[id] = { ...(overrides[id] ?? this.#state?.getAgentOverrides?.(id)), promptProfile: profile };
    const first = message ?? taskDescription;
    return first ? this.sendInput(id, { message: first }) : made.snapshot();
  }

  /**
   * Sends a message: it starts at once if nothing is in flight, else it waits; with `interrupt` it stops the work in flight.
   * Without an id it is for the open handle that changed last. Rejects with `unknown_task` and `wrong_status`.
   */
  async sendInput(handleId?: string | null, { message, taskDescription, interrupt = false }: InputRequest = {}): Promise<HandleSnapshot> {
    const text = message ?? taskDescription ?? null;
    if (text === null) throw new SubAgentError('invalid_argument', 'Spawned agent input is required');
    const named = handleId ? this.#require(handleId) : undefined;
    if (named?.closed) throw new SubAgentError('wrong_status', `Spawned agent is closed: ${handleId}`);
    const open = named ? [named] : [...this._handles.values()].filter(({ closed }) => !closed);
    if (open.length === 0) throw new SubAgentError('unknown_task', 'Spawned agent target is required because no open handles exist');
    const statuses = new Map(open.map(({ taskId, status }) => [taskId, status]));
    const { taskId } = this.manager.send(named?.taskId, text, { mode: interrupt ? 'interrupt' : 'queue' });
    const handle = this.#byTask.get(taskId) as SpawnedAgentHandle;
    const before = statuses.get(taskId) as HandleStatus;
    // As in Calute, the message has not begun when this answers.
    const answer = { ...handle.snapshot(), status: interrupt && before === 'running' ? 'interrupted' : before } as const;
    for (const later of handle.left.splice(0)) this.manager.send(taskId, later);
    return answer;
  }

  /** Waits for the handles' work. Rejects with `unknown_task`. */
  async wait(targets: readonly string[], timeoutMs = 30_000): Promise<{ completed: HandleSnapshot[]; pending: HandleSnapshot[] }> {
    const handles = [...new Set(targets.map((id) => this.#require(id)))];
    const { pending } = await this.manager.wait(handles, { timeoutMs: Math.max(timeoutMs, 0) });
    const open = new Set(pending);
    const snapshots = (isOpen: boolean) => handles.filter(({ taskId }) => open.has(taskId) === isOpen).map((handle) => handle.snapshot());
    return { completed: snapshots(false), pending: snapshots(true) };
  }

  /** Closes a handle: cancels its work, and it takes no messages. Throws `unknown_task`. */
  close(handleId: string): HandleSnapshot & { previousStatus: HandleStatus } {
    const handle = this.#require(handleId);
    const previousStatus = handle.status;
    handle.closed = true;
    handle.left.push(...handle.queue.slice(0, handle.queue.length - handle.left.length));
    this.manager.close(handle, { graceMs: 0 }).catch(() => undefined);
    return { ...handle.snapshot(), previousStatus };
  }

  /** Opens a closed handle, which is then idle; others stay unchanged. Throws `unknown_task`. */
  resume(handleId: string): HandleSnapshot {
    const handle = this.#require(handleId);
    handle.closed = false;
    this.manager.resume(handle).catch(() => undefined);
    return handle.snapshot();
  }

  /** Lists all handles, closed ones too. */
  listHandles(): HandleSnapshot[] {
    return Array.from(this._handles.values(), (handle) => handle.snapshot());
  }

  /** Makes the tools with which a model does all this, with Calute's names and arguments. */
  operatorTools(): OperatorTool[] {
    const target = { handle_id: TEXT, id: TEXT, agent_id: TEXT, nickname: TEXT };
    const message = { message: TEXT, task_description: TEXT };
    const spawned = { ...message, agent_id: TEXT, prompt_profile: TEXT, nickname: TEXT };
    const id = ({ handle_id, id, agent_id, nickname }: Args): string => (handle_id ?? id ?? agent_id ?? nickname ?? '') as string;
    return [
      tool('spawn_agent', 'Starts a sub-agent; without a message it waits for one.', spawned, (args) => this.spawn(camel(args))),
      tool('send_input', 'Sends a sub-agent a message.', { ...target, ...message, interrupt: { type: 'boolean' } }, (args) =>
        this.sendInput(id(args), camel(args)),
      ),
      tool('wait_agent', 'Waits for sub-agents.', { targets: TEXTS, timeout_ms: { type: 'integer' } }, ({ targets, timeout_ms, ...one }) =>
        this.wait((targets ?? [id(one)]) as string[], timeout_ms as number | undefined),
      ),
      tool('resume_agent', 'Opens a closed sub-agent again.', target, async (args) => this.resume(id(args))),
      tool('close_agent', 'Closes a sub-agent.', target, async (args) => this.close(id(args))),
      tool('list_agents', 'Lists all sub-agents.', {}, async () => this.listHandles()),
    ];
  }

  #require(handleId: string): SpawnedAgentHandle {
    const handle = this._handles.get(handleId);
    if (handle === undefined) throw new SubAgentError('unknown_task', `Spawned agent not found: ${handleId}`);
    return handle;
  }
}

type Args = Record<string, unknown>;
const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };

function tool(name: string, description: string, properties: Record<string, object>, run: (args: Args) => Promise<unknown>): OperatorTool {
  const snake = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const execute = async (args: unknown): Promise<string> => {
    try {
      return JSON.stringify(renamed(await run((args ?? {}) as Args), snake));
    } catch (error) {
      return JSON.stringify({ error: (error as Error).message });
    }
  };
  return { name, description, parameters: { type: 'object', properties, required: [] }, execute };
}

/** Renames a tool's arguments for the manager's methods. */
const camel = (args: Args): Args => renamed(args, (key) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())) as Args;

/** Renames the fields of a value, at every depth. */
function renamed(value: unknown, name: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((entry) => renamed(entry, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [name(key), renamed(entry, name)]));
}
