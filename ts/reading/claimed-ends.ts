// The ends that a cancel, a close or an interrupt claimed, as its caller gets them. Owns their reading; the core keeps
// them until the next such call.

import { readRunKey } from '../boundary/generated/lookups-readers.js';
import { many } from '../boundary/view-bytes.js';
import type { ClaimedEnd } from '../snapshots/notices.js';
import type { Reading } from './lookup.js';

/** The ends that the last such call claimed (N4). */
export function claimedEnds(runtime: Reading): ClaimedEnd[] {
  return runtime
    .view((core) => core.claimed(), many(readRunKey))
    .map(({ task: { index, generation }, run }) => {
      const deliveryId = runtime.call((core) => core.deliveryId(index, generation, run));
      return { deliveryId, taskId: runtime.lookup.taskId(index, generation), run };
    });
}
