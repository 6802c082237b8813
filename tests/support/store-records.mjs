// Records and snapshots whose content follows from their number, so that another process knows them.

/** The record of a number: its digits, then bytes that follow from it. */
export function recordOf(number, length = (number * 7_919) % 2_500) {
  return Buffer.concat([Buffer.from(`${number}:`), Buffer.alloc(length, number % 251)]);
}

export function snapshotOf(through) {
  return Buffer.concat([Buffer.from(`through ${through}:`), Buffer.alloc((through * 104_729) % 60_000, through % 251)]);
}
