// Tasks of MCP, of both generations: a sub-agent under its own id. Owns which state of a task is shown. Its result
// counts as delivered at the client's next request, so a result that a lost connection took is delivered again.

import type { AnyTool } from './any-tool.js';
import type { Elicit, LowServer, McpToolResult } from './mcp-types.js';

/** The part of a manager or a session that tasks need. */
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

const RELATED = 'io.modelcontextprotocol/related-task';
const POLL_MS = 1_000;
/** How often a waiting request looks for its result, in milliseconds. */
const LOOK_MS = 100;
/** How long a person may take to answer, in milliseconds; the call's own timeout may end it before. */
export const ELICIT_MS = 3_600_000;
const OPEN: readonly string[] = ['pending', 'running'];
const STOPPED: readonly string[] = ['cancelled', 'interrupted', 'closed'];

/** Whether a value has the members that tasks need. */
export function isTaskScope(scope: unknown): scope is TaskScope {
  const { get, cancel, send } = Object(scope) as Partial<TaskScope>;
  return [get, cancel, send].every((part) => typeof part === 'function');
}

/** The tasks of clients whose requests share no connection, by manager or session and by principal. */
const shared = new WeakMap<object, Map<string, Tasks>>();

/** The tasks of a request's client; `own` are its connection's. */
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
  /** Results in answers that the client may not have received. */
  private readonly unconfirmed = new Map<string, TaskScope>();

  /** The client asks again, so it has received the last answers, except those about the task that it asks for again. */
  acknowledge(again?: string): void {
    for (const [id, scope] of this.unconfirmed) {
      if (id === again) continue;
      this.unconfirmed.delete(id);
      for (const { taskId, deliveryId } of scope.inbox.peek()) if (taskId === id) scope.inbox.ack(deliveryId);
    }
  }

  /** An answer about a task didn't reach its client: the next answer delivers the result again. */
  lost(id: string): void {
    this.unconfirmed.delete(id);
  }

  /** A task in the form of 2025-11-25. */
  older(scope: TaskScope, id: string): Record<string, unknown> {
    const { status, ttlMs: ttl, pollIntervalMs: pollInterval, ...rest } = this.view(scope, id);
    return { ...rest, status, ttl, pollInterval };
  }

  /** Waits for the result, as 2025-11-25 does; returns the question if `ask` puts it to no person. */
  async result(scope: TaskScope, id: string, tools: readonly AnyTool[], signal: AbortSignal, ask: Elicit | undefined): Promise<object> {
    const _meta = { [RELATED]: { taskId: id } };
    for (;;) {
      const { status, question } = scope.get(id);
      if (!OPEN.includes(status)) return { ...(await this.resultOf(scope, id, tools)), _meta };
      if (signal.aborted) throw new Error('the request was given up');
      if (question === null) await new Promise((next) => setTimeout(next, LOOK_MS));
      else if (!(await this.asks(scope, id, question, signal, ask && ((params, options) => ask({ ...params, _meta }, options)))))
        return { ...(await asking(id, tools)), _meta };
    }
  }

  /**
   * Puts a question to the person at the client, until it is answered or withdrawn. Resolves to whether the person could be
   * asked.
   */
  private async asks(scope: TaskScope, id: string, question: string, signal: AbortSignal, ask: Elicit | undefined): Promise<boolean> {
    if (ask === undefined) return false;
    const stop = new AbortController();
    const over = async (): Promise<true> => {
      while (!stop.signal.aborted && !signal.aborted && scope.get(id).question === question)
        await new Promise((next) => setTimeout(next, LOOK_MS));
      return true;
    };
    const answer = ask(formOf(id, question), { signal: stop.signal, timeout: ELICIT_MS }).then(
      (given) => {
        if (!stop.signal.aborted) this.answered(scope, id, given);
        return true;
      },
      () => false,
    );
    const isAsked = await Promise.race([answer, over()]);
    stop.abort();
    return isAsked;
  }

  /**
   * A task in the form of 2026-07-28, with its result or its question. If the client can't `ask` a person, the question is the
   * result.
   */
  async newer(scope: TaskScope, id: string, tools: readonly AnyTool[], ask: boolean): Promise<Record<string, unknown>> {
    const view = this.view(scope, id);
    const { question } = scope.get(id);
    if (view.status === 'working') return view;
    if (view.status === 'input_required' && !ask) return { ...view, status: 'completed', result: await asking(id, tools) };
    if (view.status === 'input_required') {
      return { ...view, inputRequests: { answer: { method: 'elicitation/create', params: formOf(id, question) } } };
    }
    if (view.status === 'cancelled') {
      this.unconfirmed.set(id, scope);
      return view;
    }
    // A failed sub-agent is a result with `isError`; only the server's own failures are errors of the protocol.
    return { ...view, status: 'completed', result: await this.resultOf(scope, id, tools) };
  }

  /** Takes the answer of the person at the client, who may have declined. */
  answered(scope: TaskScope, id: string, answer: unknown): void {
    if (scope.get(id).question === null) return;
    scope.send(id, textIn(answer) ?? 'The person declines to answer: continue without it.');
  }

  /** Cancels the task, if it is open. */
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

  /** The text of an end for the model, which doesn't count as delivered. */
  private async resultOf(scope: TaskScope, id: string, tools: readonly AnyTool[]): Promise<McpToolResult> {
    const text = await shown(tools, 'read', { agent_id: id });
    this.unconfirmed.set(id, scope);
    const isError = this.view(scope, id).status === 'failed';
    return { content: [{ type: 'text', text }], ...(isError && { isError }) };
  }
}

/** The text of a tool of this operation. Tools of a manager or session have the usual parameters. */
async function shown(tools: readonly AnyTool[], operation: string, args: object): Promise<string> {
  return (await tools.find((tool) => tool.operation === operation)?.execute(args, { notifies: false })) ?? '';
}

/** A sub-agent's question, as the model reads it. */
async function asking(id: string, tools: readonly AnyTool[]): Promise<McpToolResult> {
  return { content: [{ type: 'text', text: await shown(tools, 'wait', { agent_ids: [id], timeout_ms: 0 }) }] };
}

/** A question as a form for the person at a client. `who`: the sub-agent. */
export function formOf(who: string, question: string | null): object {
  const answer = { type: 'string', title: 'Answer', description: 'Leave it to the agent by declining.' };
  const message = `A sub-agent asks (${who}); these are its own words:\n${question}`;
  return { mode: 'form', message, requestedSchema: { type: 'object', properties: { answer }, required: ['answer'] } };
}

/** The person's answer; undefined if they declined. */
export function textIn(given: unknown): string | undefined {
  const { action, content } = Object(given) as { action?: unknown; content?: { answer?: unknown } };
  const text = action === 'accept' ? content?.answer : undefined;
  return typeof text === 'string' && /\S/u.test(text) ? text : undefined;
}

/** Params that are passed on as they are: their user checks them. */
const ANY = {
  '~standard': { version: 1, vendor: 'subagents', validate: (value: unknown) => ({ value }) },
};

/** The answers to a client's requests about its tasks. */
export interface TaskAnswers {
  get(id: string, context: unknown): Promise<object>;
  result(id: string, context: unknown): Promise<object>;
  cancel(id: string, context: unknown): Promise<object>;
  update(id: string, responses: unknown, context: unknown): Promise<object>;
}

/** Has a server answer clients' requests about tasks. `schemas`: those of v1, which can't name a request otherwise. */
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
