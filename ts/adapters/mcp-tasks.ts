// Tasks of MCP, of both generations: a sub-agent under its own id. Owns which state of a task is shown, and that its result counts
// as delivered by the client's next request and not before: what a lost connection took is delivered again.

import type { AnyTool } from './any-tool.js';
import type { LowServer, McpToolResult } from './mcp-types.js';

/** As much of a manager or a session as tasks need. */
export interface TaskScope {
  get(id: string): TaskSnapshot;
  cancel(id: string): Promise<unknown>;
  send(id: string, message: string): unknown;
  readonly inbox: { peek(): readonly { taskId: string; deliveryId: string }[]; ack(deliveryId: string): boolean };
}

interface TaskSnapshot {
  readonly taskId: string;
  readonly status: string;
  readonly question: string | null;
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
}

/** The extension of 2026-07-28. */
export const TASKS = 'io.modelcontextprotocol/tasks';
const RELATED = 'io.modelcontextprotocol/related-task';
const POLL_MS = 1_000;
/** How often a result that is waited for is looked for, in milliseconds. */
const LOOK_MS = 100;
const OPEN: readonly string[] = ['pending', 'running'];
const STOPPED: readonly string[] = ['cancelled', 'interrupted', 'closed'];

/** Whether something has what tasks need. */
export function isTaskScope(scope: unknown): scope is TaskScope {
  const { get, cancel, send } = Object(scope) as Partial<TaskScope>;
  return [get, cancel, send].every((part) => typeof part === 'function');
}

/** Those of clients whose requests no connection holds together, by manager or session and by principal. */
const shared = new WeakMap<object, Map<string, Tasks>>();

/** The tasks of the client of a request; `own` are those of its connection. */
export function tasksOf(scope: unknown, principal: string | undefined, own: Tasks): Tasks {
  if (principal === undefined || !isTaskScope(scope)) return own;
  const known = shared.get(scope) ?? new Map<string, Tasks>();
  shared.set(scope, known);
  const tasks = known.get(principal) ?? new Tasks();
  known.set(principal, tasks);
  return tasks;
}

/** The tasks of one client: of one connection, or over HTTP of one principal. */
export class Tasks {
  /** Delivered by an answer that the client may not have got. */
  private readonly unconfirmed = new Map<string, TaskScope>();

  /** The client asks again, so it has got the last answers, but for those about the task that it asks for once more. */
  acknowledge(again?: string): void {
    for (const [id, scope] of this.unconfirmed) {
      if (id === again) continue;
      this.unconfirmed.delete(id);
      for (const { taskId, deliveryId } of scope.inbox.peek()) if (taskId === id) scope.inbox.ack(deliveryId);
    }
  }

  /** An answer about a task didn't reach its client: the next one delivers it again. */
  lost(id: string): void {
    this.unconfirmed.delete(id);
  }

  /** What 2025-11-25 says of a task. */
  older(scope: TaskScope, id: string): Record<string, unknown> {
    const { status, ttlMs: ttl, pollIntervalMs: pollInterval, ...rest } = this.view(scope, id);
    return { ...rest, status, ttl, pollInterval };
  }

  /** The result that 2025-11-25 waits for. */
  async result(scope: TaskScope, id: string, tools: readonly AnyTool[], signal: AbortSignal | undefined): Promise<object> {
    while (OPEN.includes(scope.get(id).status) && signal?.aborted !== true) await new Promise((next) => setTimeout(next, LOOK_MS));
    return { ...(await this.resultOf(scope, id, tools)), _meta: { [RELATED]: { taskId: id } } };
  }

  /** What 2026-07-28 says of a task, with its result or its question. */
  async newer(scope: TaskScope, id: string, tools: readonly AnyTool[]): Promise<Record<string, unknown>> {
    const view = this.view(scope, id);
    const { question } = scope.get(id);
    if (view.status === 'working') return view;
    if (view.status === 'input_required') {
      const answer = { type: 'string', title: 'Answer' };
      const message = `A sub-agent asks (${id}); these are its own words:\n${question}`;
      const params = { mode: 'form', message, requestedSchema: { type: 'object', properties: { answer }, required: ['answer'] } };
      return { ...view, inputRequests: { answer: { method: 'elicitation/create', params } } };
    }
    if (view.status === 'cancelled') {
      this.unconfirmed.set(id, scope);
      return view;
    }
    // A sub-agent that failed is a result with `isError`; only what the server can't do is an error of the protocol.
    return { ...view, status: 'completed', result: await this.resultOf(scope, id, tools) };
  }

  /** The person at the client has answered, or declined to. */
  answered(scope: TaskScope, id: string, responses: unknown): void {
    const { answer } = Object(responses) as { answer?: { action?: unknown; content?: { answer?: unknown } } };
    if (scope.get(id).question === null) return;
    const text = answer?.action === 'accept' ? answer.content?.answer : undefined;
    scope.send(id, typeof text === 'string' && /\S/u.test(text) ? text : 'The person declines to answer: continue without it.');
  }

  /** Resolves to how it stands then. */
  async cancelled(scope: TaskScope, id: string): Promise<void> {
    if (OPEN.includes(scope.get(id).status)) await scope.cancel(id);
  }

  view(scope: TaskScope, id: string): { taskId: string; status: string; ttlMs: null; pollIntervalMs: number } & Record<string, unknown> {
    const { taskId, status: ours, question, createdAt, updatedAt } = scope.get(id);
    const open = question === null ? 'working' : 'input_required';
    const ended = STOPPED.includes(ours) ? 'cancelled' : ours === 'completed' || ours === 'idle' ? 'completed' : 'failed';
    const at = (ms: number | null): string => new Date(ms ?? Date.now()).toISOString();
    const status = OPEN.includes(ours) ? open : ended;
    return { taskId, status, createdAt: at(createdAt), lastUpdatedAt: at(updatedAt), ttlMs: null, pollIntervalMs: POLL_MS };
  }

  /** What the model reads of an end, without counting as delivered. */
  private async resultOf(scope: TaskScope, id: string, tools: readonly AnyTool[]): Promise<McpToolResult> {
    const read = tools.find(({ operation }) => operation === 'read');
    const [target = 'agent_id'] = read?.parameters.required ?? [];
    const text = (await read?.execute({ [target]: id })) ?? '';
    this.unconfirmed.set(id, scope);
    const isError = this.view(scope, id).status === 'failed';
    return { content: [{ type: 'text', text }], ...(isError && { isError }) };
  }
}

/** Params that are passed on as they are: what is wrong with them shows where they are used. */
const ANY = {
  '~standard': { version: 1, vendor: 'subagents', validate: (value: unknown) => ({ value }) },
};

/** What a client asks of its tasks. */
export interface TaskAnswers {
  get(id: string, context: unknown): Promise<object>;
  result(id: string, context: unknown): Promise<object>;
  cancel(id: string, context: unknown): Promise<object>;
  update(id: string, responses: unknown, context: unknown): Promise<object>;
}

/** Has a server answer what clients ask of tasks. `schemas`: those of v1, which knows no other way to name a request. */
export function answerTasks(server: LowServer, schemas: Readonly<Record<string, unknown>> | undefined, answers: TaskAnswers): void {
  type Params = { taskId: string; inputResponses?: unknown };
  const on = (method: string, schema: string, answer: (params: Params, context: unknown) => Promise<object>): void => {
    const v1 = server.setRequestHandler.bind(server);
    if (schemas !== undefined) v1(schemas[schema], ({ params }: { params: Params }, context) => answer(params, context));
    else (v1 as unknown as (...given: unknown[]) => void)(method, { params: ANY }, answer);
  };
  on('tasks/get', 'GetTaskRequestSchema', ({ taskId }, context) => answers.get(taskId, context));
  on('tasks/result', 'GetTaskPayloadRequestSchema', ({ taskId }, context) => answers.result(taskId, context));
  on('tasks/cancel', 'CancelTaskRequestSchema', ({ taskId }, context) => answers.cancel(taskId, context));
  if (schemas === undefined)
    on('tasks/update', '', ({ taskId, inputResponses }, context) => {
      const lifted = (context as { mcpReq?: { inputResponses?: unknown } } | undefined)?.mcpReq?.inputResponses;
      return answers.update(taskId, inputResponses ?? lifted, context);
    });
}
