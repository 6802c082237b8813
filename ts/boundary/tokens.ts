// Tokens by kind, into the core and out of it. Owns their order.

/** What a report or a result says of its tokens beside how many there were; -1 for a kind that it leaves out. */
export interface ReportedTokens {
  readonly kinds: readonly [
    input: number,
    output: number,
    cacheRead: number,
    cacheWrite: number,
    cacheWrite1h: number,
    reasoning: number,
    /** 1 if some of it is an estimate, else 0. */
    estimated: number,
  ];
  /** The model, where it is named. */
  readonly modelId: string | undefined;
}

/** The tokens of a run by kind: null for a kind that was not reported. */
export interface RunTokens {
  inputTokens: number | null;
  outputTokens: number | null;
  cacheReadTokens: number | null;
  cacheWriteTokens: number | null;
  cacheWrite1hTokens: number | null;
  reasoningTokens: number | null;
  /** Whether some of it is an estimate. */
  estimated: boolean;
}

/** Reads seven numbers, of which the first six are below 0 for a kind that was not reported. */
export function tokensAt(numbers: Float64Array, at: number): RunTokens {
  const kind = (place: number): number | null => {
    const tokens = numbers[at + place] as number;
    return tokens < 0 ? null : tokens;
  };
  return {
    inputTokens: kind(0),
    outputTokens: kind(1),
    cacheReadTokens: kind(2),
    cacheWriteTokens: kind(3),
    cacheWrite1hTokens: kind(4),
    reasoningTokens: kind(5),
    estimated: numbers[at + 6] === 1,
  };
}
