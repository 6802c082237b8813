// The updates of an agent during one prompt over the Agent Client Protocol. Owns which updates are text, and which tool calls
// are open and remembered. Must never send anything.

import type { Receipt } from '../../base/receipt.js';
import type { AcpPermissionAnswer, AcpPermissionRequest, AcpToolCall, AcpUpdate } from './acp-types.js';
import { ToolCall } from './receipts.js';
import { noteToolCall, type SavedConversation } from './saved.js';
import { newIn } from './usage.js';

/** Characters retained of a message; the manager cuts results anyway. */
const TEXT_CHARS = 8 * 1024 * 1024;
/** Tool calls whose names are remembered until they end. */
const OPEN_TOOLS = 1_000;

/** The listeners for the updates of a prompt. */
export interface PromptListener {
  /** Returns how many receipts there were. */
  toolStarted(call: AcpToolCall): number;
  toolEnded(call: AcpToolCall, did: readonly Receipt[], begun: number | undefined): void;
  plan(entries: { content: string; status: string }[]): void;
  /** US dollars since the last call, and the size of the context. */
  used(costUsd: number, contextTokens: number | undefined): void;
  said(text: string): void;
  /** Called for each update. `isBusy`: a tool call is open. */
  alive(isBusy: boolean): void;
  permission(request: AcpPermissionRequest): Promise<AcpPermissionAnswer>;
}

/** Reads the updates of one prompt. */
export class Following {
  readonly idle: Promise<{ stopReason: string }>;
  private readonly saved: SavedConversation;
  private readonly listener: PromptListener;
  private readonly tools = new Map<string, { call: AcpToolCall; did: ToolCall; begun: number }>();
  private message: string | null | undefined;
  private text = '';
  private earlier = '';
  private idleNow: (end: { stopReason: string }) => void = () => undefined;

  constructor(saved: SavedConversation, listener: PromptListener) {
    this.saved = saved;
    this.listener = listener;
    this.idle = new Promise((resolve) => {
      this.idleNow = resolve;
    });
  }

  /** The last message that isn't blank. */
  get output(): string {
    return /\S/.test(this.text) ? this.text : this.earlier;
  }

  /** Whether a tool call is open. */
  get isBusy(): boolean {
    return this.tools.size > 0;
  }

  read(update: AcpUpdate): void {
    const { listener, saved } = this;
    switch (update.sessionUpdate) {
      case 'agent_message_chunk': {
        const { content, messageId } = update;
        if (messageId !== undefined && messageId !== null && messageId !== this.message) this.nextMessage();
        this.message = messageId ?? this.message;
        const more = Array.isArray(content) ? undefined : (content as { text?: unknown } | undefined)?.text;
        if (typeof more !== 'string' || this.text.length >= TEXT_CHARS) return;
        this.text += more;
        listener.said(this.text);
        return;
      }
      case 'tool_call': {
        this.nextMessage();
        // If an agent begins calls without end, only the first ones are remembered.
        const { toolCallId } = update;
        noteToolCall(saved, String(update.title ?? update.kind ?? 'a tool'));
        const begun = listener.toolStarted(update);
        if (toolCallId !== undefined && this.tools.size < OPEN_TOOLS)
          this.tools.set(toolCallId, { call: update, did: new ToolCall(), begun });
        this.toolSaid(update);
        return;
      }
      case 'tool_call_update':
        this.toolSaid(update);
        return;
      case 'plan': {
        const entries = Array.isArray(update.entries) ? (update.entries as { content?: unknown; status?: unknown }[]) : [];
        listener.plan(entries.map(({ content, status }) => ({ content: String(content ?? ''), status: String(status ?? 'pending') })));
        return;
      }
      case 'usage_update': {
        const { cost, used } = update;
        const isUsd = typeof cost?.amount === 'number' && cost.amount >= 0 && (cost.currency ?? 'USD') === 'USD';
        const { costUsd = 0 } = newIn(saved.booked, { costUsd: isUsd ? cost.amount : undefined });
        listener.used(costUsd, typeof used === 'number' && used >= 0 ? used : undefined);
        return;
      }
      case 'state_update':
        if (update.state === 'idle') this.idleNow({ stopReason: update.stopReason ?? 'end_turn' });
    }
  }

  private toolSaid(update: AcpUpdate): void {
    const id = update.toolCallId ?? '';
    const { call, did = new ToolCall(), begun } = this.tools.get(id) ?? {};
    did.read(update);
    if (!isOver(update.status)) return;
    this.tools.delete(id);
    const known = { ...call, ...update, title: update.title ?? call?.title ?? null, kind: update.kind ?? call?.kind ?? null };
    this.listener.toolEnded(known, did.receipts(update.status === 'failed'), begun);
  }

  private nextMessage(): void {
    if (/\S/.test(this.text)) this.earlier = this.text;
    this.text = '';
  }
}

function isOver(status: unknown): boolean {
  return status === 'completed' || status === 'failed';
}
