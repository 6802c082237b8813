// Where the package is known to differ from the rules. Each entry keeps exactly its case out of the lives, so that the rest goes
// on being compared; an entry goes when the package is right. The runner prints them.

/** `skips` says of an operation that a life must not do it; `blurs` names a field of a sub-agent, `loosens` a promise, that isn't compared. */
export const knownDifferences = [];

/** What the rules leave open: these cases are kept out of the lives as well. */
export const openQuestions = [];

export function isSkipped(model, operation) {
  return openQuestions.some(({ skips }) => skips(model, operation)) || knownDifferences.some(({ skips }) => skips?.(model, operation));
}

export function isBlurred(field, task) {
  return knownDifferences.some(({ blurs }) => blurs?.(field, task));
}

/** Whether a promise isn't compared. */
export function isLoose(model, promise) {
  return knownDifferences.some(({ loosens }) => loosens?.(model, promise));
}
