// The entry `subagents/view`: a manager's past and present, from its events alone. Owns the list of its exports. Plain
// TypeScript, for any runtime: no Node, no page, no wasm.

import type { Refusal } from '../boundary/refusals.js';

export type { CallAnswer, CallError } from '../base/call.js';
export type { Refusal } from '../boundary/refusals.js';
export type { SubAgentEvent } from '../generated/facts.js';
export { baseOf, type Inspected, type ViewBase } from './base.js';
export type { Attention, AttentionReason, NodeRef, NodeTimes, Obstacle } from './frame.js';
export { Frame } from './frame.js';
export type { LaneMark, LaneSegment, LaneView } from './lane.js';
export type { EventLog } from './log.js';
export type { DrainView } from './moment.js';
export type { NodeView, NoticeView, RunPhase, RunView } from './record.js';
export type { CallName, InspectorBatch, InspectorCall, InspectorSource, SourceInfo } from './source.js';
export type { TranscriptEntry } from './transcript.js';
export { View, type ViewOptions } from './view.js';

/** The same as `Refusal`, by a name that goes with `NodeView` and `NoticeView`. */
export type RefusalView = Refusal;
