// Made by `cargo xtask generate` from the tables in src/; do not edit.

/** The kinds of tokens. */
export const TOKEN_KINDS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'cacheWrite1hTokens', 'reasoningTokens'] as const;
