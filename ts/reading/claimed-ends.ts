// The ends that a cancel, a close or an interrupt claimed, as its caller gets them. Owns their reading; the core has
// them until the next such call.

import type { ClaimedEnd } from '../snapshots/notices.js';
import type { Reading } from './lookup.js';

/** The ends that the last such call claimed (N4). */
export function claimedEnds(runtime: Reading): ClaimedEnd[] {
  const numbers = runtime.call((core) => core.claimed());
  const ends: ClaimedEnd[] = [];
  for (let at = 0; at < numbers.length; at += 3) {
    const [index, generation, run] = numbers.subarray(at, at + 3) as unknown as [number, number, number];
    const deliveryId = runtime.call((core) => core.deliveryId(index, generation, run));
    ends.push({ deliveryId, taskId: runtime.lookup.taskId(index, generation), run });
  }
  return ends;
}
