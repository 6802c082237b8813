// The parts of the Agent Client Protocol, version 1, that are read. Owns types only: agents send more, and leave out required
// fields.

/** A choice that an agent offers when it asks for permission. */
export interface AcpPermissionOption {
  /** Its id in the answer. */
  readonly optionId: string;
  /** Its label. */
  readonly name?: string;
  /** Its meaning. */
  readonly kind?: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | (string & {});
}

/** A tool call of an agent. */
export interface AcpToolCall {
  /** The same in all updates of one call. */
  readonly toolCallId?: string;
  /** Its description, in the agent's words. */
  readonly title?: string | null;
  /** The kind of tool. */
  readonly kind?: string | null;
  /** `pending`, `in_progress`, `completed` or `failed`. */
  readonly status?: string | null;
  /** The input of the tool. */
  readonly rawInput?: unknown;
  /** The output of the tool. */
  readonly rawOutput?: unknown;
  /** The files that it is about: `{ path }`. */
  readonly locations?: readonly unknown[] | null;
}

/** An agent asks for permission. */
export interface AcpPermissionRequest {
  /** The conversation, as the agent names it. */
  readonly sessionId?: string;
  /** The call that needs permission. */
  readonly toolCall?: AcpToolCall;
  /** The possible answers. */
  readonly options?: readonly AcpPermissionOption[];
}

/** The answer to a request. */
export interface AcpPermissionAnswer {
  readonly outcome: { readonly outcome: 'selected'; readonly optionId: string } | { readonly outcome: 'cancelled' };
}

/** An update from an agent while it works. */
export interface AcpUpdate extends AcpToolCall {
  readonly sessionUpdate?: string;
  readonly messageId?: string | null;
  readonly content?: { readonly type?: string; readonly text?: string } | readonly unknown[];
  readonly entries?: readonly { readonly content?: string; readonly status?: string }[];
  /** The size of the context, in tokens. */
  readonly used?: number;
  /** The cost of the conversation so far. */
  readonly cost?: { readonly amount?: number; readonly currency?: string } | null;
  readonly state?: string;
  readonly stopReason?: string;
  readonly _meta?: Readonly<Record<string, unknown>> | null;
}

/** An agent's answer to `initialize`. */
export interface AcpInitialized {
  readonly protocolVersion?: number;
  readonly agentCapabilities?: {
    readonly loadSession?: boolean;
    readonly sessionCapabilities?: { readonly resume?: object | null } | null;
    readonly _meta?: Readonly<Record<string, unknown>> | null;
  };
  readonly _meta?: Readonly<Record<string, unknown>> | null;
  readonly authMethods?: readonly { readonly id?: string; readonly name?: string }[];
}

/** An agent's answer when a conversation is begun, resumed or loaded. */
export interface AcpSession {
  readonly sessionId?: string;
  readonly configOptions?: readonly { readonly id?: unknown; readonly category?: unknown; readonly options?: unknown }[] | null;
  readonly modes?: { readonly currentModeId?: string; readonly availableModes?: readonly { readonly id?: string }[] } | null;
}

/** An agent's answer to a prompt. */
export interface AcpPromptAnswer {
  readonly stopReason?: string;
  readonly usage?: Readonly<Record<string, unknown>> | null;
  readonly _meta?: Readonly<Record<string, unknown>> | null;
}

/** An MCP server for an agent, in the form of ACP. */
export type AcpMcpServer =
  | { name: string; command: string; args: string[]; env: { name: string; value: string }[] }
  | { type: 'http' | 'sse'; name: string; url: string; headers: { name: string; value: string }[] };
