// What the agents are at, as far as only their loops know it: the call of a tool, the best sentence found so far, the
// delegations that were refused. The manager knows the rest: who runs, who waits and for what, what was spent.
import { type Quote, quotesIn } from './model/evidence.js';
import { field } from './model/transcript.js';
import { count, oneLine } from './terminal.js';

export interface Refusal {
  /** What was to be delegated. */
  readonly name: string;
  readonly why: string;
}

/** What every refusal begins with; the row says it already. */
const NOT_STARTED = /^No sub-agent was started: /u;
/** Between two calls of tools. */
const ASKS_MODEL = 'asks the model';

export class Activity {
  readonly refusals: Refusal[] = [];
  private readonly calls = new Map<string, string>();
  private readonly asking = new Set<string>();
  private readonly quotes = new Map<string, Quote>();
  private listener = (): void => {};

  /** Calls `listener` after each change; one at a time. */
  onChange(listener: () => void): void {
    this.listener = listener;
  }

  /** What a task is doing now: its last calls, and whether its model has their results. Undefined before its first turn. */
  doing(taskId: string): string | undefined {
    const calls = this.calls.get(taskId);
    if (!this.asking.has(taskId)) return calls;
    return calls === undefined ? ASKS_MODEL : `${calls}, then ${ASKS_MODEL}`;
  }

  /** Its last calls of tools, in words. */
  lastCalls(taskId: string): string | undefined {
    return this.calls.get(taskId);
  }

  /** The best sentence that a task has found so far. */
  found(taskId: string): Quote | undefined {
    return this.quotes.get(taskId);
  }

  asksModel(taskId: string): void {
    this.asking.add(taskId);
    this.listener();
  }

  /** The model has answered: with text, in which there may be quotes, and with calls of tools. */
  modelSaid(taskId: string, text: string, calls: readonly { readonly name: string; readonly args: string }[]): void {
    const [quote] = quotesIn(text);
    if (quote !== undefined) this.quotes.set(taskId, quote);
    const [first] = calls;
    if (first !== undefined) {
      const more = calls.length > 1 ? ` and ${count(calls.length - 1, 'more call')}` : '';
      this.calls.set(taskId, `${describe(first.name, first.args)}${more}`);
      this.asking.delete(taskId);
    }
    this.listener();
  }

  refused(instructions: string, why: string): void {
    this.refusals.push({ name: oneLine(field(instructions, 'Document') ?? instructions), why: oneLine(why).replace(NOT_STARTED, '') });
    this.listener();
  }
}

/** A call in a few words: `search a.md "harbour crane"`, `read a.md from line 3`, `delegate a.md`. */
function describe(tool: string, input: string): string {
  const args = argumentsOf(input);
  const path = typeof args.path === 'string' ? ` ${args.path}` : '';
  const query = typeof args.query === 'string' ? ` "${args.query}"` : '';
  const from = typeof args.from === 'number' ? ` from line ${args.from}` : '';
  if (typeof args.instructions === 'string') return `delegate ${oneLine(field(args.instructions, 'Document') ?? args.instructions)}`;
  return oneLine(`${tool}${path}${query}${from}`);
}

/** A model may write anything; what can't be read has nothing to show. */
function argumentsOf(input: string): Record<string, unknown> {
  try {
    const args: unknown = JSON.parse(input);
    return typeof args === 'object' && args !== null ? { ...args } : {};
  } catch {
    return {};
  }
}
