// What the policies of a list said at a point. Owns types only.

import type { PolicyAnswerName, StopReason } from '../generated/names.js';

/** What a list answered, where it isn't "continue". */
export interface Verdict {
  readonly answer: PolicyAnswerName;
  readonly policy: string;
  readonly text: string;
  readonly reason: StopReason;
}

/** How a policy's promise came out. */
export type Outcome = { value: unknown } | { error: unknown } | 'stopped' | 'overdue';
