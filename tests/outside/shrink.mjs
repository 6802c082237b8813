// Makes a failing life shorter: leaves operations out as long as some difference stays.

/** Tries at most `tries` lives; gives the shortest that failed and its difference. */
export async function shrink(operations, fails, tries) {
  let left = tries;
  let best = operations;
  let difference;
  for (let size = Math.ceil(best.length / 2); size >= 1 && left > 0; ) {
    let shorter = false;
    for (let at = best.length - size; at >= 0 - size + 1 && left > 0; at -= size) {
      const some = best.filter((_, index) => index < at || index >= at + size);
      left--;
      const found = await fails(some).catch(() => undefined);
      if (!found) continue;
      best = some;
      difference = found;
      shorter = true;
    }
    if (size === 1 && !shorter) break;
    size = size === 1 ? 1 : Math.ceil(size / 2);
  }
  return { operations: best, difference };
}
