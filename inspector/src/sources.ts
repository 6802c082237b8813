// A manager in this page, or this process, as a source. Owns how a manager is queried.

import type { Session, SubAgentManager } from 'subagents';
import {
  baseOf,
  type CallAnswer,
  type CallName,
  type InspectorBatch,
  type InspectorCall,
  type InspectorSource,
  type RefusalView,
  type SubAgentEvent,
} from 'subagents/view';

const NAMES = {
  ...{ spawn: true, send: true, approve: true },
  ...{ interrupt: true, cancel: true, close: true, resume: true, addBudget: true },
} satisfies Record<CallName, true>;
/** The names of all calls, in the order in which pages list them. */
export const CALLS = Object.keys(NAMES) as CallName[];

/** The version of the calls that a server accepts. */
export const VERSION: NonNullable<InspectorCall['version']> = 1;

/** Passes a decision to the page's own policy; the element exports it as `Approve`. */
type Decide = (taskId: string, allow: boolean, reason?: string) => void;

/** A manager in this page. With `allow`, it takes commands. Approvals go to the page's own policy. */
export function managerSource(
  manager: SubAgentManager,
  title: string,
  allow: boolean,
  approve: () => Decide | undefined,
): InspectorSource & { close(): void } {
  const calls: readonly CallName[] = allow ? CALLS.filter((name) => name !== 'approve' || approve() !== undefined) : [];
  let events: SubAgentEvent[] = [];
  let refusals: RefusalView[] = [];
  let wake = (): void => undefined;
  // Subscribes before anything else is done with the manager. Its snapshots give the earlier state.
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
    info: async () => ({ title, live: true, calls, first: 1, last: manager.stats().events }),
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
    call: (call) => answered(manager, call, calls, approve()),
  };
}

/** Makes a call, if it is allowed. An error of the manager is the answer. */
export async function answered(
  manager: SubAgentManager,
  call: InspectorCall,
  allowed: readonly CallName[],
  approve: Decide | undefined,
): Promise<CallAnswer> {
  if (!allowed.includes(call.call)) return { error: { code: 'read_only', message: 'this is not allowed here: set `allow`' } };
  try {
    return { value: await made(manager, call, approve) };
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    return { error: { code: typeof code === 'string' ? code : 'error', message: typeof message === 'string' ? message : String(error) } };
  }
}

function made(manager: SubAgentManager, call: InspectorCall, approve: Decide | undefined): unknown {
  switch (call.call) {
    case 'spawn': {
      const { taskId, label, status } = (sessionOf(manager, call.session) ?? manager).spawn({ background: true, ...call.args[0] });
      return { taskId, label, status };
    }
    case 'addBudget': {
      const [budget, taskId] = call.args;
      return manager.addBudget(budget, taskId ?? sessionOf(manager, call.session));
    }
    case 'approve': {
      const [taskId, allow, reason] = call.args;
      // The program's own function trusts its arguments.
      if (typeof taskId !== 'string' || typeof allow !== 'boolean') throw invalid('`approve` takes an id, and true or false');
      return approve?.(taskId, allow, typeof reason === 'string' ? reason : undefined);
    }
    case 'send':
      return manager.send(...call.args);
    default:
      return manager[call.call](...call.args);
  }
}

const invalid = (message: string): Error => Object.assign(new Error(message), { code: 'invalid_argument' });

/**
 * The session that a call is for; none for the manager's own. A session that the program has not opened stays closed: its
 * budget, tools and policies are for the program to give (A8).
 */
function sessionOf(manager: SubAgentManager, key: string | null | undefined): Session | undefined {
  if (key === undefined || key === null) return undefined;
  if (manager.sessionKeys.includes(key)) return manager.session(key);
  const message = `the program has no session ${JSON.stringify(key)} open: it opens one by \`manager.session(key, options)\``;
  throw Object.assign(new Error(message), { code: 'session_not_open' });
}
