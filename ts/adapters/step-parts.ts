// The parts of a step of the AI SDK or of Mastra. Owns which tool call is unanswered; imports nothing.

/** The fields of a step's part that are used here. */
export interface Part {
  readonly type: string;
  readonly toolCallId?: string | undefined;
  readonly toolName?: string | undefined;
  /** Whether the provider carries it out itself. */
  readonly providerExecuted?: boolean | undefined;
  readonly approvalId?: string | undefined;
  readonly toolCall?: { readonly toolCallId: string; readonly toolName: string } | undefined;
}

/** Whether a part is a tool call that the provider does not carry out itself. */
export function isOwnCall({ type, providerExecuted }: Part): boolean {
  return type === 'tool-call' && providerExecuted !== true;
}

/** The tool of a call that nothing has answered. */
export function openIn(content: readonly Part[]): string | undefined {
  const answered = (call: Part): boolean =>
    content.some(({ type, toolCallId }) => toolCallId === call.toolCallId && (type === 'tool-result' || type === 'tool-error'));
  return content.find((part) => isOwnCall(part) && !answered(part))?.toolName;
}
