// Where the package is known to differ from the rules. Each entry keeps exactly its case out of the lives, so that the rest goes
// on being compared; an entry goes when the package is right. The runner prints them.

import { below } from './model/tree.mjs';

function isUnreported(model, run) {
  if (run.whole || run.hold === 0) return false;
  return [model.root, ...ancestors(run.task)].some((node) => Number.isFinite(node.cap.tokens));
}

function ancestors(task) {
  return task.parent ? [task.parent, ...ancestors(task.parent)] : [];
}

/** `skips` says of an operation that a life must not do it; `blurs` names a field of a sub-agent, `loosens` a promise, that isn't compared; a `quirk` is one that the model lives with. */
export const knownDifferences = [
  {
    rule: 'W1',
    what: '`timeoutMs: 0` is refused in place of looking once',
    skips: (_model, operation) => operation.do === 'wait' && operation.timeoutMs === 0,
  },
  {
    rule: 'C1',
    what: 'what a run asked for (`wait`, `cancel`, `interrupt`) resolves when it ends, without a reason',
    loosens: (model, promise) => model.loose.has(promise),
  },
  {
    rule: 'D9',
    what: 'a run whose signal has fired may spawn in the foreground',
    skips: (model, { do: kind, by, background }) =>
      kind === 'spawn' && !background && by.startsWith('r:') && model.runOf(by.slice(2)).stop !== undefined,
  },
  {
    rule: 'W2',
    what: 'where several ends come in one step, a `wait any` lists them all and collects one',
    skips: (model, { do: kind }) =>
      ['drain', 'cancel', 'cancelAll'].includes(kind) &&
      model.waits.some(({ mode, pins }) => mode === 'any' && pins.filter(({ run }) => run && !run.end).length > 1),
  },
  { rule: 'D8', what: 'a drain keeps queued children of a run that waits for others of its children', quirk: 'drainKeepsChildren' },
  { rule: 'D2', what: 'one start of higher priority puts all that a parent has queued before what others queue then', quirk: 'roundsJump' },
  {
    rule: 'L5',
    what: 'a late report of an ended run becomes the partial output of the next one',
    skips: (model, { do: kind, run, message }) => kind === 'report' && message !== undefined && model.runOf(run).end !== undefined,
  },
  {
    rule: 'W2',
    what: 'an end that a wait has told somebody else no longer brings back a `wait any` of who started it',
    quirk: 'othersCollect',
  },
  { rule: 'D2', what: 'queued work takes the budget that a turn waits for', quirk: 'startsPassTurns' },
  { rule: 'B4', what: 'a hold lent over two levels does not return to the first lender', quirk: 'lostReturns' },
  {
    rule: 'N2',
    what: '`forget` drops notices that wait',
    skips: (model, { do: kind, target }) =>
      kind === 'forget' &&
      [...below(model.tasks.get(target)), model.tasks.get(target)].some((task) =>
        model.notices.some((notice) => notice.delivery !== 'acked' && notice.run.task === task),
      ),
  },
];

/** What the rules leave open: these cases are kept out of the lives as well. */
export const openQuestions = [
  {
    rule: 'B6',
    what: 'a turn is asked for while the run itself still holds an unreported one, and a cap above its task bounds it',
    skips: (model, { do: kind, run }) => kind === 'turn' && isUnreported(model, model.runOf(run)),
  },
  {
    rule: 'W1',
    what: 'a sub-agent that had ended is forgotten while a wait for it is open: `completed` or `unknown`?',
    skips: (model, { do: kind, target }) =>
      kind === 'forget' &&
      [...below(model.tasks.get(target)), model.tasks.get(target)].some((task) =>
        model.waits.some((wait) => wait.pins.some((pin) => pin.task === task)),
      ),
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

/** Those that the model lives with. */
export const quirks = knownDifferences.flatMap(({ quirk }) => quirk ?? []);
