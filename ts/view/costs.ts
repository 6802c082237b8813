// What was spent by model, by agent, and by main agents. Owns these sums; `src/state/budget/spending.rs` says the same of the
// manager. What was named is kept; the rest of the ledger has no name.

import type { EventAmounts, SubAgentEvent } from '../generated/facts.js';
import type { CostShare, ManagerCosts } from '../snapshots/types.js';
import { isZero, kindsOf, minus, NO_KINDS, plus, plusKinds, ZERO } from './amounts.js';
import { type Facts, type Moment, type NodeRecord, runOf } from './moment.js';

/** So many names are kept in each list. */
const NAMES = 1_000;
const NOTHING: Omit<CostShare, 'name'> = { ...ZERO, runs: 0, ...NO_KINDS, unpriced: false };

type Change = (share: CostShare) => Partial<CostShare>;

function change(shares: readonly CostShare[], name: string | null, how: Change): readonly CostShare[] {
  const at = shares.findIndex((share) => share.name === name);
  const share = shares[at] ?? { name, ...NOTHING };
  const changed = { ...share, ...how(share) };
  if (at >= 0) return shares.with(at, changed);
  // Further names share the row without one.
  return shares.length < NAMES || name === null ? [...shares, changed] : change(shares, null, how);
}

/** Changes what a run, or the main agent of a session, which is run 0, has used; `own`: in the share of that main agent alone. */
function changeAll(moment: Moment, node: NodeRecord, run: number, modelId: string | null, how: Change, own = how): void {
  const { byModel, byAgent, mainAgents } = moment.costs;
  moment.costs = {
    byModel: change(byModel, modelId, how),
    byAgent: change(byAgent, node.spec?.agent ?? null, how),
    mainAgents: run === 0 ? change(mainAgents, node.sessionKey, own) : mainAgents,
  };
}

/** The model of what is booked for a run: as that said last, else as its spawn did. */
function modelOf({ used, spec }: NodeRecord, run: number): string | null {
  const { [run]: of } = used;
  return of === undefined ? (spec?.modelId ?? null) : of.modelId;
}

/** What counts against caps of an amount that is booked for a run, and what comes back of what was counted before. */
export function countBooked(node: NodeRecord, run: number, amount: EventAmounts): [counted: EventAmounts, back: EventAmounts] {
  const { [run]: of } = node.used;
  if (!of?.uncounted) return [amount, ZERO];
  node.used = { ...node.used, [run]: { ...of, uncounted: 0 } };
  const due = { ...ZERO, tokens: of.uncounted };
  return [minus(amount, due), minus(due, amount)];
}

/** So much was booked for a run, of which so much counts against caps, and so much that did comes back. */
export function noteCost(
  moment: Moment,
  node: NodeRecord,
  run: number,
  amount: EventAmounts,
  counted: EventAmounts,
  back: EventAmounts,
): void {
  changeAll(
    moment,
    node,
    run,
    modelOf(node, run),
    (share) => minus(plus(share, counted), back),
    (share) => plus(share, amount),
  );
}

/** A session is closed: its key may soon stand for another one. */
export function forgetMain(moment: Moment, { sessionKey }: NodeRecord): void {
  moment.costs = { ...moment.costs, mainAgents: moment.costs.mainAgents.filter(({ name }) => name !== sessionKey) };
}

/** A run has ended. */
export function noteRun(moment: Moment, node: NodeRecord, run: number): void {
  changeAll(moment, node, run, modelOf(node, run), ({ runs }) => ({ runs: runs + 1 }));
}

/** What is booked next for a run is for these tokens. */
export function tokensUsed(moment: Moment, node: NodeRecord, event: Extract<SubAgentEvent, { type: 'tokens_used' }>): void {
  const { run, modelId, kinds, costUsd, unpriced, uncounted } = event;
  changeAll(moment, node, run, modelId, (share) => ({ ...plusKinds(share, kinds), unpriced: share.unpriced || unpriced }));
  const { [run]: of } = node.used;
  const priced = new Map(of?.priced);
  priced.set(modelId, (priced.get(modelId) ?? 0) + (costUsd ?? 0));
  node.used = { ...node.used, [run]: { modelId, priced, unpriced: unpriced || !!of?.unpriced, uncounted } };
  if (of !== undefined || modelId === null || node.spec?.modelId) return;
  // The turns that it had begun before its model was known are of that model.
  const { turns } = (runOf(node, run) ?? node).usage;
  moment.costs = { ...moment.costs, byModel: change(moment.costs.byModel, modelId, (share) => ({ turns: share.turns + turns })) };
}

/**
 * The host says itself what a run has cost, or divides its tokens anew, and that is so much less than prices had booked. What it
 * used of the model that it named last comes first.
 */
export function givePricedBack(moment: Moment, node: NodeRecord, run: number, less: EventAmounts): void {
  const { [run]: of } = node.used;
  if (of === undefined) return;
  let left = less;
  for (const modelId of new Set([of.modelId, ...of.priced.keys()])) {
    const amount = { ...ZERO, costUsd: Math.min(of.priced.get(modelId) ?? 0, left.costUsd) };
    left = minus(left, amount);
    changeAll(moment, node, run, modelId, (share) => minus(share, amount));
  }
  node.used = { ...node.used, [run]: { ...of, priced: new Map() } };
}

const isAny = (share: CostShare): boolean => !isZero(share) || Object.values(kindsOf(share)).some((known) => known === 0 || known);

/** Those that something was spent under, the dearest first. */
const listed = (shares: readonly CostShare[]): CostShare[] =>
  shares.filter(isAny).sort((one, other) => other.costUsd - one.costUsd || other.tokens - one.tokens);

/** What was spent by model and by agent, each adding up to the ledger, and by main agents. */
export function costsOf({ costs, runsEnded }: Readonly<Facts>, { spent }: { readonly spent: EventAmounts }): ManagerCosts {
  const shares = (named: readonly CostShare[]): CostShare[] => {
    const known = named.filter(({ name }) => name !== null);
    const rest = known.reduce((left, share) => minus(left, share), spent);
    const runs = known.reduce((left, share) => left - share.runs, runsEnded);
    return listed(change(named, null, () => ({ ...rest, runs })));
  };
  const { byModel, byAgent, mainAgents } = costs;
  return { ...spent, byModel: shares(byModel), byAgent: shares(byAgent), mainAgents: listed(mainAgents) };
}
