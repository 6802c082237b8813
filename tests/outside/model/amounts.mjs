// Amounts of what a ledger counts: tokens, and dollars in billionths, as whole numbers (B1).

/** What is counted, under the names of the package. Turns are counted as they are granted, by `maxTurns`. */
export const DIMENSIONS = ['tokens', 'costUsd'];

const PARTS = { tokens: 1, costUsd: 1e9 };

export const NOTHING = Object.freeze({ tokens: 0, costUsd: 0 });

/** An amount for each dimension. */
export function each(of) {
  return Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, of(dimension)]));
}

/** What the package calls so much, in whole numbers; what isn't said is `otherwise`. */
export function units(given, otherwise) {
  return each((dimension) => (typeof given?.[dimension] === 'number' ? Math.round(given[dimension] * PARTS[dimension]) : otherwise));
}

/** What a host says it used: undefined where it says nothing, NaN where that can't be read (B7). */
export function readings(usage) {
  const isRead = usage === undefined || (typeof usage === 'object' && usage !== null);
  const read = (value) => (typeof value === 'number' && value >= 0 ? Math.round(value) : Number.NaN);
  return each((dimension) => {
    const said = isRead ? (usage?.[dimension] ?? (dimension === 'tokens' ? bothSides(usage) : undefined)) : Number.NaN;
    return said === undefined ? undefined : read(said * PARTS[dimension]);
  });
}

/** All tokens, where they are given by kind: those of both sides (B11). */
function bothSides({ inputTokens, outputTokens } = {}) {
  const isRead = [inputTokens, outputTokens].every((side) => side === undefined || (typeof side === 'number' && side >= 0));
  if (!isRead) return Number.NaN;
  return inputTokens === undefined && outputTokens === undefined ? undefined : (inputTokens ?? 0) + (outputTokens ?? 0);
}

/** The same, as the package says it. */
export function shown(dimension, amount) {
  return amount / PARTS[dimension];
}

export function isNothing(amounts) {
  return DIMENSIONS.every((dimension) => amounts[dimension] === 0);
}
