// One agent as a loop of one's own: ask for the turn, call the model, use the tools, until it answers. The main agent
// and a run of a sub-agent have the same gates, so one loop serves both.
import type { EndPermit, ToolPermit, ToolVerdict, TurnPermit } from 'subagents';

import type { Message, Model, ToolCall, ToolSpec } from './model.js';

export interface Tool extends ToolSpec {
  execute(args: Record<string, unknown>, context: { readonly signal: AbortSignal; readonly toolCallId: string }): unknown;
}

/** The manager's leave for each step: of `manager` for the main agent, of `run` for a sub-agent. */
export interface Gates {
  beforeTurn(): Promise<TurnPermit>;
  beforeTool(name: string, args: unknown): Promise<ToolPermit>;
  afterTool(name: string, result: unknown): Promise<ToolVerdict>;
  beforeEnd(output: string): Promise<EndPermit>;
  /** Books what a turn has used. */
  used(tokens: number, message: string): void;
}

export interface Agent {
  readonly gates: Gates;
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly messages: Message[];
  readonly signal: AbortSignal;
  /** Told of each call before it is made. */
  readonly onCall: (call: ToolCall) => void;
  /** Keeps the conversation after each answer and each result: another process may go on with it. */
  readonly keep: (messages: readonly Message[]) => unknown;
}

/** Resolves to the answer; `undefined` where no further turn was given. */
export async function runAgent({ gates, model, tools, messages, signal, onCall, keep }: Agent): Promise<string | undefined> {
  for (;;) {
    // At first: what a process of before had not come to the end of.
    await Promise.all(
      unanswered(messages).map(async (call) => {
        // A result that has come is kept, whatever was stopped meanwhile: the next process doesn't make that call again.
        const content = await use(call);
        messages.push({ role: 'tool', id: call.id, content });
        await keep(messages);
      }),
    );
    signal.throwIfAborted();
    const permit = await gates.beforeTurn();
    if (!permit.go) return undefined;
    // Ends of background work, messages from above, what policies say.
    messages.push(...(permit.inject ?? []).map((content) => ({ role: 'user' as const, content })));
    const answer = await model(messages, permit.wrapUp ? [] : tools, signal);
    gates.used(answer.tokens, answer.text);
    messages.push({ role: 'assistant', content: answer.text, calls: answer.calls });
    await keep(messages);
    if (answer.calls.length > 0) continue;
    const end = await gates.beforeEnd(answer.text);
    if (end.end) return end.output;
    messages.push(...end.inject.map((content) => ({ role: 'user' as const, content })));
  }

  async function use(call: ToolCall): Promise<string> {
    onCall(call);
    const tool = tools.find(({ name }) => name === call.name);
    if (tool === undefined) return `There is no tool ${call.name}.`;
    const permit = await gates.beforeTool(call.name, call.args);
    if (!permit.allowed) return `Refused: ${permit.reason}`;
    const result = String(await tool.execute(call.args, { signal, toolCallId: call.id }));
    const verdict = await gates.afterTool(call.name, result);
    return [verdict.withheld ? verdict.reason : result, ...(verdict.inject ?? [])].join('\n\n');
  }
}

/** The calls of the last answer that have no result yet. */
function unanswered(messages: readonly Message[]): readonly ToolCall[] {
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  const last = messages[at];
  const results = messages.slice(at + 1).flatMap((each) => (each.role === 'tool' ? [each.id] : []));
  return last?.role === 'assistant' ? last.calls.filter(({ id }) => !results.includes(id)) : [];
}
