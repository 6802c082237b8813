export function recordOf(number: number, length?: number): Uint8Array;
export function snapshotOf(through: number): Uint8Array;
