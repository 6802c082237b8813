// The policy that reports what an agent had done when its time was over, after Oxide's `TimeoutReportHook`. Owns that it
// happens; `json-report.ts` owns the report.

import { reportText } from '../reading/json-report.js';
import type { Finish, Policy } from './policy.js';

/** Makes a JSON report on a timeout: status, reason, statistics, to-dos, recent messages. */
export function timeoutReport(): Policy {
  return {
    name: 'timeout_report',
    onTimeout(context): Finish {
      return { action: 'finish', report: reportText(context.report('timed_out', context.reason)) };
    },
  };
}
