// What policies decide: a spawn that is forbidden, and what is said at a turn (P1, L4).

import { answer, Refused } from './promises.mjs';

/** The word by which the lives' policy refuses a spawn. */
export const FORBIDDEN = 'forbidden';

export function refuseForbidden(model, text) {
  if (model.options.hasPolicies && text?.includes(FORBIDDEN)) throw new Refused('policy_blocked');
}

/** A policy was asked at a turn. Gives whether the turn is answered by that. */
export function ruleTurn(model, run, promise, ruling) {
  if (ruling === undefined || run.end) return false;
  if (ruling.action === 'inject') {
    run.injected = [...(run.injected ?? []), ruling.text];
    return false;
  }
  model.count(`turns that a policy answered: ${ruling.action}`);
  if (ruling.action === 'finish') run.report = ruling.text;
  // What the run was asked first is why it ends.
  if (!run.told && !run.stop) {
    run.verdict = ruling;
    run.told = { status: ruling.action === 'finish' ? 'completed' : 'failed', reason: 'policy' };
    run.hardAt = model.now + model.options.graceMs;
  }
  answer(model, promise, { go: false, reason: 'policy' });
  return true;
}

/** What a run has said that leaves no output: a policy's report counts more than its own last message. */
export function leftBehind({ report, said = '' }) {
  return report ?? said;
}

/** What a run leaves that ends for a reason which it got before: partial work, or what a policy says of it. */
export function leavings({ verdict }, { reason }, { output, error }) {
  if (reason !== 'policy') return { output, partial: true, error };
  return verdict.action === 'finish'
    ? { output: verdict.text, partial: false, error: null }
    : { output, partial: true, error: verdict.text };
}
