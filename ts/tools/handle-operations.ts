// What source 3's operator tools do: the operations of handles, answered with their snapshots as JSON under that
// source's names. Owns the shape of these answers; what a sub-agent wrote stands fenced in them.

import { jsonForModel, quoted } from '../base/quoting.js';
import { headOf } from '../base/text.js';
import type { Actor } from '../boundary/key.js';
import { limitOf } from '../boundary/limits.js';
import type { Parts } from '../commands/parts.js';
import { DEFAULT_WAIT_MS } from '../generated/limits.js';
import { ERROR_CHARS, TASK_CHARS } from '../generated/quoting.js';
import { handleOf } from '../reading/handle-snapshot.js';
import type { TaskSnapshot } from '../snapshots/types.js';
import type { Acting } from './generated/tools.js';
import type { ToolAnswer, ToolCallContext } from './object.js';
import type { Operated } from './operated.js';
import { attempted, isGone, type OperationDetails, type ToolNames } from './operations.js';
import { MAX_PAGE } from './parameters.js';
import type { SubAgentDetails } from './tool-options.js';
import { ended } from './words.js';

/** A handle as source 3's tools show it. */
export interface ShownHandle {
  handle_id: string;
  source_agent_id: string | null;
  status: string;
  created_at: string | null;
  updated_at: string | null;
  prompt_profile: string;
  last_input: string | null;
  /** Fenced and marked as not the user's, cut to `inlineBytes`. */
  last_output: string | null;
  error: string | null;
  queue_size: number;
  queued_preview: string[];
  closed: boolean;
  /** What it asks, where it waits for an answer. */
  question?: string;
}

/** What a sub-agent said, fenced, without the line of facts before it: those are fields here, and may have changed since. */
function withoutHead(text: string): string {
  const at = text.indexOf('\n');
  return at < 0 ? '' : text.slice(at + 1);
}

/** The operations within one scope, in the handle style. */
export class HandleOperations {
  private readonly runtime: Parts;
  private readonly scope: Operated;
  private readonly actor: Actor;
  private readonly names: ToolNames;
  private readonly foregroundMs: number;

  constructor(runtime: Parts, scope: Operated, actor: Actor, names: ToolNames, foregroundMs = Number.POSITIVE_INFINITY) {
    this.foregroundMs = foregroundMs;
    this.runtime = runtime;
    this.scope = scope;
    this.actor = actor;
    this.names = names;
  }

  call(operation: Acting, params: Record<string, unknown>, context: ToolCallContext): Promise<ToolAnswer<OperationDetails>> {
    return attempted(this.runtime, operation, this.names, (taskIds) => this.does(operation, params, context, taskIds));
  }

  /** The answer of a call that spawned, as the snapshot of what it spawned; a refusal stays as it is. */
  spawned(answer: ToolAnswer<SubAgentDetails>): ToolAnswer<SubAgentDetails> {
    const { taskId, status } = answer.details;
    if (taskId === '' || status === 'refused' || status === 'forgotten') return answer;
    try {
      return { ...answer, text: jsonForModel(this.shown(this.runtime.lookup.seen(taskId))) };
    } catch (error) {
      // It may be forgotten by now; what it left is told all the same.
      if (isGone(error)) return answer;
      throw error;
    }
  }

  private async does(operation: Acting, params: Record<string, unknown>, context: ToolCallContext, taskIds: string[]): Promise<string> {
    if (operation === 'wait') return this.wait(params, context, taskIds);
    if (operation === 'list') {
      const { offset = 0, limit = MAX_PAGE.agents } = params as { offset?: number; limit?: number };
      const { items } = this.scope.list({ page: { offset, limit } });
      return jsonForModel(items.map((view) => this.shown(view, items.length)));
    }
    const { taskId, more } = await this.changed(operation, params as { target: string; message: string; interrupt?: boolean });
    taskIds.push(taskId);
    return jsonForModel({ ...this.shown(this.runtime.lookup.seen(taskId)), ...more });
  }

  /** Does what has one target; gives its id, and what its snapshot doesn't tell. */
  private async changed(
    operation: Exclude<Acting, 'wait' | 'list'>,
    { target, message, interrupt }: { target: string; message: string; interrupt?: boolean },
  ): Promise<{ taskId: string; more?: object }> {
    switch (operation) {
      case 'send':
        return this.scope.send(target, message, { mode: interrupt === true ? 'interrupt' : 'queue' });
      case 'close': {
        const { taskId, previousStatus } = await this.scope.close(target);
        return { taskId, more: { previous_status: previousStatus } };
      }
      case 'resume':
        return { taskId: (await this.scope.resume(target)).taskId };
      case 'cancel':
        return { taskId: (await this.scope.cancel(target)).taskId };
      case 'interrupt': {
        const { taskId } = this.scope.get(target);
        await this.scope.interrupt(taskId);
        return { taskId };
      }
      case 'read':
        return { taskId: this.scope.get(target).taskId };
    }
  }

  private async wait(params: Record<string, unknown>, { signal }: ToolCallContext, taskIds: string[]): Promise<string> {
    const { targets, timeoutMs = DEFAULT_WAIT_MS } = params as { targets: string[]; timeoutMs?: number };
    const ids = [...new Set(targets.map((target) => this.scope.get(target).taskId))];
    taskIds.push(...ids);
    const { completed, pending } = await this.scope.wait(ids, {
      timeoutMs: Math.min(timeoutMs, this.foregroundMs),
      ...(signal && { signal }),
    });
    const shown = (views: TaskSnapshot[]): ShownHandle[] => views.map((view) => this.shown(view, ids.length));
    return jsonForModel({ completed: shown(completed), pending: shown(pending) });
  }

  /** One of `count` that share an answer. */
  private shown(view: TaskSnapshot, count = 1): ShownHandle {
    const snapshot = handleOf(this.runtime, this.actor, view);
    const { lastInput, lastOutput, error, question } = snapshot;
    const room = limitOf(this.runtime, 'inlineBytes') / count;
    return {
      // A name that can't be told as it is would lead nowhere.
      handle_id: quoted(snapshot.handleId) === snapshot.handleId ? snapshot.handleId : snapshot.taskId,
      source_agent_id: snapshot.sourceAgentId,
      status: snapshot.status,
      created_at: snapshot.createdAt,
      updated_at: snapshot.updatedAt,
      prompt_profile: snapshot.promptProfile,
      last_input: lastInput === null ? null : quoted(lastInput, TASK_CHARS),
      last_output: lastOutput === null ? null : withoutHead(ended(this.runtime, view, headOf(lastOutput, room))),
      error: error === null ? null : quoted(error, ERROR_CHARS),
      queue_size: snapshot.queueSize,
      queued_preview: snapshot.queuedPreview.map((text) => quoted(text, TASK_CHARS)),
      closed: snapshot.closed,
      ...(question !== null && { question: quoted(question, TASK_CHARS) }),
    };
  }
}
