// Sources that need nothing but this page: a manager in it, and a list of events. Owns how a manager is asked.

import type { SubAgentManager } from 'subagents';
import {
  baseOf,
  COMMANDS,
  type CommandAnswer,
  type CommandName,
  type InspectorBatch,
  type InspectorCommand,
  type InspectorSource,
  type RefusalView,
  type SubAgentEvent,
} from 'subagents/view';
import type { Approve } from './element.js';

/** A manager in this page. What it may be asked is said by `allow`; approvals go to the page's own policy. */
export function managerSource(
  manager: SubAgentManager,
  title: string,
  allow: boolean,
  approve: () => Approve | undefined,
): InspectorSource & { close(): void } {
  const commands: readonly CommandName[] = allow ? COMMANDS.filter((name) => name !== 'approve' || approve() !== undefined) : [];
  let events: SubAgentEvent[] = [];
  let refusals: RefusalView[] = [];
  let wake = (): void => undefined;
  // Heard from now on, before anything else is done with the manager; what was before is taken from what it says of itself.
  const offs = [
    manager.subscribe((event) => {
      events.push(event);
      wake();
    }),
    manager.onRefused((refusal) => {
      refusals.push(refusal);
      wake();
    }),
  ];
  let base = manager.eventCount > 0 ? baseOf(manager) : undefined;
  return {
    close: () => {
      for (const off of offs) off();
    },
    info: async () => ({ title, live: true, commands, first: 1, last: manager.eventCount }),
    async *events(_from, signal): AsyncIterable<InspectorBatch> {
      signal?.addEventListener('abort', () => wake(), { once: true });
      if (base !== undefined) yield { base, events: [] };
      base = undefined;
      while (!signal?.aborted) {
        if (events.length === 0 && refusals.length === 0) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          continue;
        }
        const batch: InspectorBatch = { events, refusals };
        events = [];
        refusals = [];
        yield batch;
      }
    },
    command: (command) => answered(() => asked(manager, command, approve()), commands.includes(command.command)),
  };
}

/** A list of events, as it was saved. */
export function listSource(title: string, events: readonly SubAgentEvent[]): InspectorSource {
  return {
    info: async () => ({ title, live: false, commands: [], first: events[0]?.seq ?? 1, last: events.at(-1)?.seq ?? 0 }),
    async *events(from): AsyncIterable<InspectorBatch> {
      // The page takes them as it has time.
      const STEP = 20_000;
      let at = events.findIndex(({ seq }) => seq >= from);
      for (; at >= 0 && at < events.length; at += STEP) yield { events: events.slice(at, at + STEP) };
    },
    command: async () => ({ ok: false, code: 'read_only', message: 'these events are over: there is no manager to ask' }),
  };
}

export async function answered(ask: () => Promise<CommandAnswer>, isAllowed: boolean): Promise<CommandAnswer> {
  if (!isAllowed) return { ok: false, code: 'read_only', message: 'this is not allowed here: set `allow`' };
  try {
    return await ask();
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    return { ok: false, code: typeof code === 'string' ? code : 'error', message: typeof message === 'string' ? message : String(error) };
  }
}

export async function asked(manager: SubAgentManager, command: InspectorCommand, approve: Approve | undefined): Promise<CommandAnswer> {
  switch (command.command) {
    case 'spawn': {
      const { sessionKey, options } = command;
      const scope = sessionKey === undefined || sessionKey === null ? manager : manager.session(sessionKey);
      return { ok: true, taskId: scope.spawn({ background: true, ...options }).taskId };
    }
    case 'send':
    case 'answer':
      return { ok: true, status: manager.send(command.taskId, command.text).receipt };
    case 'steer':
      return { ok: true, status: manager.send(command.taskId, command.text, { mode: 'steer' }).receipt };
    case 'approve':
      approve?.(command.taskId, command.allow, command.reason);
      return { ok: true };
    case 'interrupt':
    case 'cancel':
    case 'close':
    case 'resume':
      await manager[command.command](command.taskId);
      return { ok: true };
    case 'addBudget': {
      const { taskId, sessionKey, budget } = command;
      manager.addBudget(budget, taskId ?? (sessionKey === undefined ? undefined : manager.session(sessionKey)));
      return { ok: true };
    }
  }
}
