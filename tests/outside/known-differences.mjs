// Where the package is known to differ from the rules. Each entry keeps exactly its case out of the lives, so that the rest goes
// on being compared; an entry goes when the package is right. The runner prints them.

import { openRun } from './model/tree.mjs';

/** Whether messages wait behind a run that ends in one moment with the one that called for it, where a drain's time is over. */
function endsWithMessages({ isStored, onHostLost, options }, { queue, ...task }) {
  return isStored && onHostLost === 'fail' && options.graceMs === 0 && queue.length > 0 && openRun(task)?.caller?.started === true;
}

/** `skips` says of an operation that a life must not do it; `blurs` names a field of a sub-agent, `loosens` a promise, that isn't compared. */
export const knownDifferences = [];

/** What the rules leave open: these cases are kept out of the lives as well. */
export const openQuestions = [
  {
    rule: 'D8',
    what: 'without grace, a run and the one that called for it end together: does a message behind it begin a run that ends at once?',
    skips: (model, { do: kind, target }) => {
      if (kind === 'drain') return [...model.tasks.values()].some((task) => endsWithMessages(model, task));
      const task = kind === 'send' && model.draining ? model.tasks.get(target) : undefined;
      return task !== undefined && endsWithMessages(model, { ...task, queue: [target] });
    },
  },
];

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
