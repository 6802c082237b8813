// Spending by model, by agent, and by main agents. Owns these sums; `src/state/budget/spending.rs` has those of the
// manager. Named spending is listed; the rest of the ledger has no name.

import type { EventAmounts, SubAgentEvent } from '../generated/facts.js';
import { NO_KINDS } from '../generated/tokens.js';
import type { CostShare, ManagerCosts } from '../snapshots/types.js';
import { isZero, kindsOf, minus, plus, plusKinds, ZERO } from './amounts.js';
import { type Facts, type Moment, runOf } from './moment.js';
import type { NodeRecord, Writable } from './node-record.js';
import type { Shares } from './record.js';

/** How many names each list retains. */
const NAMES = 1_000;
const NOTHING: Omit<CostShare, 'name'> = { ...ZERO, runs: 0, ...NO_KINDS, unpriced: false };

/** The share of a name, to be written. */
function shareOf(shares: Shares, name: string | null): Writable<CostShare> {
  const known = shares.get(name);
  if (known !== undefined) return known;
  // Further names share the row without one.
  if (shares.size >= NAMES && name !== null) return shareOf(shares, null);
  const made = { name, ...NOTHING };
  shares.set(name, made);
  return made;
}

/** The shares of a run's usage, to be written. The third is there for run 0 only, the main agent of a session. */
function sharesOf(moment: Moment, node: NodeRecord, run: number, modelId = modelOf(node, run)): Writable<CostShare>[] {
  const { byModel, byAgent, mainAgents } = moment.costs;
  const shares = [shareOf(byModel, modelId), shareOf(byAgent, node.spec?.agent ?? null)];
  if (run === 0) shares.push(shareOf(mainAgents, node.sessionKey));
  return shares;
}

const setAmounts = (share: Writable<CostShare>, { tokens, costUsd, turns }: EventAmounts): void => {
  share.tokens = tokens;
  share.costUsd = costUsd;
  share.turns = turns;
};

/** The model of a run's booked usage: the one of its last report, else the one of its spawn. */
function modelOf({ used, spec }: NodeRecord, run: number): string | null {
  const { [run]: of } = used;
  return of === undefined ? (spec?.modelId ?? null) : of.modelId;
}

/**
 * Of an amount that is booked for a run: the part that counts against caps, and the part of earlier amounts that no longer
 * counts.
 */
export function countBooked(node: NodeRecord, run: number, amount: EventAmounts): [counted: EventAmounts, back: EventAmounts] {
  const { [run]: of } = node.used;
  if (!of?.uncounted) return [amount, ZERO];
  node.used = { ...node.used, [run]: { ...of, uncounted: 0 } };
  const due = { ...ZERO, tokens: of.uncounted };
  return [minus(amount, due), minus(due, amount)];
}

/** Books an amount for a run. `counted` counts against caps; `back` no longer does. */
export function noteCost(
  moment: Moment,
  node: NodeRecord,
  run: number,
  amount: EventAmounts,
  counted: EventAmounts,
  back: EventAmounts,
): void {
  const [ofModel, ofAgent, own] = sharesOf(moment, node, run) as [Writable<CostShare>, Writable<CostShare>, Writable<CostShare>?];
  for (const share of [ofModel, ofAgent]) setAmounts(share, minus(plus(share, counted), back));
  if (own !== undefined) setAmounts(own, plus(own, amount));
}

/** A session is closed: another one may soon have its key. */
export function forgetMain(moment: Moment, { sessionKey }: NodeRecord): void {
  moment.costs.mainAgents.delete(sessionKey);
}

/** A run has ended. */
export function noteRun(moment: Moment, node: NodeRecord, run: number): void {
  for (const share of sharesOf(moment, node, run)) share.runs += 1;
}

/** Takes the tokens of a run's next booking. */
export function tokensUsed(moment: Moment, node: NodeRecord, event: Extract<SubAgentEvent, { type: 'tokens_used' }>): void {
  const { run, modelId, kinds, costUsd, unpriced, uncounted } = event;
  for (const share of sharesOf(moment, node, run, modelId)) {
    Object.assign(share, plusKinds(share, kinds));
    share.unpriced ||= unpriced;
  }
  const { [run]: of } = node.used;
  const priced = new Map(of?.priced);
  priced.set(modelId, (priced.get(modelId) ?? 0) + (costUsd ?? 0));
  node.used = { ...node.used, [run]: { modelId, priced, unpriced: unpriced || !!of?.unpriced, uncounted } };
  if (of !== undefined || modelId === null || node.spec?.modelId) return;
  // Turns that began before its model was known belong to that model.
  shareOf(moment.costs.byModel, modelId).turns += (runOf(node, run) ?? node).usage.turns;
}

/**
 * The host reports the cost of a run, or divides its tokens again, and the cost is lower than prices had booked. The model that
 * it named last is corrected first.
 */
export function givePricedBack(moment: Moment, node: NodeRecord, run: number, less: EventAmounts): void {
  const { [run]: of } = node.used;
  if (of === undefined) return;
  let left = less;
  for (const modelId of new Set([of.modelId, ...of.priced.keys()])) {
    const amount = { ...ZERO, costUsd: Math.min(of.priced.get(modelId) ?? 0, left.costUsd) };
    left = minus(left, amount);
    for (const share of sharesOf(moment, node, run, modelId)) setAmounts(share, minus(share, amount));
  }
  node.used = { ...node.used, [run]: { ...of, priced: new Map() } };
}

const isAny = (share: CostShare): boolean => !isZero(share) || Object.values(kindsOf(share)).some((known) => known === 0 || known);

/** The shares with any spending, the dearest first. */
const listed = (shares: Shares): CostShare[] =>
  [...shares.values()].filter(isAny).sort((one, other) => other.costUsd - one.costUsd || other.tokens - one.tokens);

/** The spending by model and by agent, each adding up to the ledger, and by main agents. */
export function costsOf({ costs, runsEnded }: Readonly<Facts>, { spent }: { readonly spent: EventAmounts }): ManagerCosts {
  const shares = (named: Shares): CostShare[] => {
    const known = [...named.values()].filter(({ name }) => name !== null);
    const rest = known.reduce((left, share) => minus(left, share), spent);
    const runs = known.reduce((left, share) => left - share.runs, runsEnded);
    return listed(new Map(named).set(null, { ...NOTHING, ...named.get(null), name: null, ...rest, runs }));
  };
  const { byModel, byAgent, mainAgents } = costs;
  return { ...spent, byModel: shares(byModel), byAgent: shares(byAgent), mainAgents: listed(mainAgents) };
}
