// What a main agent says that it has used: booked on its session, and above that (B12).

import { DIMENSIONS, readings } from './amounts.mjs';
import { pathOf } from './budget.mjs';
import { noteSpent, take } from './kinds.mjs';
import { noteTokens } from './rates.mjs';

/** It holds nothing, so that what can't be read books nothing. */
export function mainReport(model, { by, do: _, ...given }) {
  const { node } = model.actor(by);
  const usage = readings(given);
  const isMore = DIMENSIONS.some((dimension) => usage[dimension] >= 0);
  const booked = usage.tokens >= 0 ? usage.tokens : 0;
  const { dollars, uncounted } = take(model, node.of, given, { isMore, booked, before: node.used.tokens });
  if (dollars !== undefined) usage.costUsd = dollars;
  for (const dimension of DIMENSIONS.filter((one) => Number.isFinite(usage[one]))) {
    const counted = dimension === 'tokens' ? Math.max(0, usage.tokens - uncounted) : usage[dimension];
    node.used[dimension] += usage[dimension];
    for (const one of pathOf(node)) one.spent[dimension] += counted;
    noteSpent(model, node.of, dimension, counted);
    if (dimension === 'tokens') noteTokens(model, {}, undefined, counted);
  }
  const back = Math.max(0, uncounted - booked);
  for (const one of pathOf(node)) one.spent.tokens -= back;
  noteSpent(model, node.of, 'tokens', -back);
  model.changes++;
}
