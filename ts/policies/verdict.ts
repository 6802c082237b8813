// What the policies of a list said at a point. Owns the type of that, and the verdict that stands for a missing answer.

import type { PolicyAnswerName, StopReason } from '../generated/names.js';

/** What a list answered, where it isn't "continue". */
export interface Verdict {
  readonly answer: PolicyAnswerName;
  readonly policy: string;
  readonly text: string;
  readonly reason: StopReason;
}

/** Stands for the answer of a gate whose run was asked to stop before it came: it stays closed (P1), and no policy has said so. */
export const UNANSWERED: Verdict = {
  answer: 'block',
  policy: '',
  text: 'the run had to stop before its policies had answered',
  reason: 'policy',
};

/** How a policy's promise came out. */
export type Outcome = { value: unknown } | { error: unknown } | 'stopped' | 'overdue';
