// The turns and reports of a run: checks the host function's arguments, then asks policies and the core. Owns the
// protocol of turns: one request at a time.

import { now } from '../base/clock.js';
import { SubAgentError } from '../base/errors.js';
import { NO_TEXT } from '../generated/codes.js';
import { knownOptions, readArgument } from '../options/arguments.js';
import { reportTodos } from '../options/todos.js';
import { amount, count, flag } from '../options/values.js';
import type { Agent } from '../policies/agent.js';
import type { RunReport, TurnEstimate, TurnPermit } from '../reading/exchange.js';
import { readReport } from '../reading/usage-report.js';
import { type ActiveRun, NO_ESTIMATE, type TurnNumbers } from '../runs/active-run.js';
import { stageTokens, tokensOrPlain } from '../runs/reported-tokens.js';
import type { Parts } from './parts.js';

/** Asks whether the run may call the model once more. Rejects if an option is wrong, or the manager is over. */
export function beforeTurn(runtime: Parts, active: ActiveRun, options?: TurnEstimate): Promise<TurnPermit> {
  let answer: Promise<TurnPermit>;
  let estimate = NO_ESTIMATE;
  try {
    if (options !== undefined) estimate = estimateOf(options);
    const agent = active.agent as Agent | undefined;
    if (active.turn !== undefined || agent?.asksForTurn === true)
      throw new SubAgentError('invalid_argument', 'the last beforeTurn has not answered yet');
    // The run has finished with its tools, even if it didn't report that.
    if (agent !== undefined) agent.tools = 0;
    const { gates, runs } = runtime;
    if (gates.sub.has('before_turn') || agent?.hasInjected === true)
      answer = gates.beforeTurn(gates.agentOf(active), () => runs.takeTurn(active, estimate));
    else answer = runs.takeTurn(active, estimate);
  } catch (error) {
    answer = Promise.reject(error);
  }
  const outcome = runtime.answer(answer);
  return active.watch === undefined ? outcome : watched(active, outcome);
}

async function watched(active: ActiveRun, answer: Promise<TurnPermit>): Promise<TurnPermit> {
  const permit = await answer;
  if (permit.go) active.watch?.(active, { turn: permit.turn });
  return permit;
}

function estimateOf(options: TurnEstimate): TurnNumbers {
  return readArgument('the options of beforeTurn', () => {
    const { tokens, costUsd, whole } = knownOptions('beforeTurn', options, ['tokens', 'costUsd', 'whole']);
    // A turn may be free.
    const cost = costUsd === 0 ? 0 : amount('`costUsd`', costUsd);
    return { tokens: count('`tokens`', tokens) ?? Number.NaN, cost: cost ?? Number.NaN, whole: flag('`whole`', whole) };
  });
}

/** Takes a run's usage since its last report, and its progress. */
export function reportOn(runtime: Parts, active: ActiveRun, report: RunReport): void {
  const read = readReport(report);
  if (runtime.isClosed) return;
  const { tokens, costUsd, ignored, contextTokens, message, todos } = read;
  const byKind = tokensOrPlain(runtime, read);
  if (message !== undefined) runtime.gates.agentOf(active).say(message);
  if (byKind !== undefined) stageTokens(runtime, byKind);
  const length = message === undefined ? NO_TEXT : runtime.write(message);
  const { index, generation, run } = active;
  runtime.mutate((core) => core.report(now(), index, generation, run, tokens, costUsd, contextTokens, length));
  runtime.unknownNames.kindsInReport(ignored);
  if (todos !== undefined) reportTodos(runtime, active, todos);
  if (message !== undefined && active.watch !== undefined) runtime.oncePersisted(() => active.watch?.(active, { message }));
}
