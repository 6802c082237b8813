// The types of pkg/ alone, which are written by hand, say what the package's own say.

import type { RunReport, TurnEstimate, TurnPermit } from '../../dist/index.js';
import type { TurnPermit as BarePermit, RunReport as BareReport, Run as BareRun } from '../../pkg/host.js';

declare const permit: TurnPermit;
export const told: BarePermit = permit;

// Whatever one of them may be given, the other may be given as well.
type Fields<T> = Record<keyof T, true>;
declare const estimate: Fields<NonNullable<Parameters<BareRun['beforeTurn']>[0]>>;
export const estimated: Fields<TurnEstimate> = estimate;
declare const report: Fields<BareReport>;
export const reported: Fields<RunReport> = report;
