// A manager in this page, or this process, as a source. Owns how a manager is asked.

import type { Session, SubAgentManager } from 'subagents';
import {
  baseOf,
  type CommandAnswer,
  type CommandName,
  type InspectorBatch,
  type InspectorCommand,
  type InspectorSource,
  type RefusalView,
  type SubAgentEvent,
} from 'subagents/view';

const NAMES = {
  ...{ spawn: true, send: true, steer: true, answer: true, approve: true },
  ...{ interrupt: true, cancel: true, close: true, resume: true, addBudget: true },
} satisfies Record<CommandName, true>;
/** The names of all commands, in the order in which pages list them. */
export const COMMANDS = Object.keys(NAMES) as CommandName[];

/** What the page's own policy is told; the element exports it as `Approve`. */
type Decide = (taskId: string, allow: boolean, reason?: string) => void;

/** A manager in this page. What it may be asked is said by `allow`; approvals go to the page's own policy. */
export function managerSource(
  manager: SubAgentManager,
  title: string,
  allow: boolean,
  approve: () => Decide | undefined,
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
  let base = manager.stats().events > 0 ? baseOf(manager) : undefined;
  return {
    close: () => {
      for (const off of offs) off();
    },
    info: async () => ({ title, live: true, commands, first: 1, last: manager.stats().events }),
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

export async function answered(ask: () => Promise<CommandAnswer>, isAllowed: boolean): Promise<CommandAnswer> {
  if (!isAllowed) return { ok: false, code: 'read_only', message: 'this is not allowed here: set `allow`' };
  try {
    return await ask();
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    return { ok: false, code: typeof code === 'string' ? code : 'error', message: typeof message === 'string' ? message : String(error) };
  }
}

export async function asked(manager: SubAgentManager, command: InspectorCommand, approve: Decide | undefined): Promise<CommandAnswer> {
  switch (command.command) {
    case 'spawn': {
      const { sessionKey, options } = command;
      const session = sessionOf(manager, sessionKey);
      if (session === 'not open') return notOpen(sessionKey);
      return { ok: true, taskId: (session ?? manager).spawn({ background: true, ...options }).taskId };
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
      const session = taskId === undefined ? sessionOf(manager, sessionKey) : undefined;
      if (session === 'not open') return notOpen(sessionKey);
      manager.addBudget(budget, taskId ?? session);
      return { ok: true };
    }
  }
}

/**
 * The session that a command is for; none for the manager's own. One that the program has not opened stays so: its budget, tools
 * and policies are the program's to give (A8).
 */
function sessionOf(manager: SubAgentManager, key: string | null | undefined): Session | 'not open' | undefined {
  if (key === undefined || key === null) return undefined;
  return manager.sessionKeys.includes(key) ? manager.session(key) : 'not open';
}

function notOpen(key: string | null | undefined): CommandAnswer {
  const message = `the program has no session ${JSON.stringify(key)} open: it opens one by \`manager.session(key, options)\``;
  return { ok: false, code: 'session_not_open', message };
}
