// The ends that a cancel, a close or an interrupt claimed, as its caller gets them. Owns their reading; the core has
// them until the next such call.

import type { ClaimedEnd } from '../snapshots/notices.js';
import type { Reading } from './lookup.js';

/** The ends that the last such call claimed (N4). */
export function claimedEnds(runtime: Reading): ClaimedEnd[] {
  const claimed = runtime.view(
    (core) => core.claimed(),
    (from) => from.list(() => ({ ...from.key(), run: from.number() })),
  );
  return claimed.map(({ index, generation, run }) => {
    const deliveryId = runtime.call((core) => core.deliveryId(index, generation, run));
    return { deliveryId, taskId: runtime.lookup.taskId(index, generation), run };
  });
}
