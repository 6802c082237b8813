// Tokens of which no kind was reported.

/** Each kind is null (R5). */
export const NO_KINDS = {
  inputTokens: null,
  outputTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  cacheWrite1hTokens: null,
  reasoningTokens: null,
  estimated: false,
};
