/** The few statistics the bench uses. */

/** @param {number[]} values At least one. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** @param {number[]} values */
export function summary(values) {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values), values };
}
