// The forms of a lane's marks, and their texts, which are made only for the mark under the pointer.

import type { LaneMark, LaneSegment } from 'subagents/view';
import { line, words } from './format.js';

/** The form of a stretch of a lane. */
export type SegmentLook = 'queued' | 'running' | 'parked' | 'stopping';
/** The form of a mark. */
export type MarkLook = 'turn' | 'tool' | 'message' | 'notice' | 'question' | 'good' | 'bad';

const MARKS: Record<LaneMark['kind'], MarkLook | undefined> = {
  message: 'message',
  answer: 'message',
  turn: 'turn',
  report: undefined,
  tool: 'tool',
  question: 'question',
  policy: 'question',
  notice: 'notice',
  spawn: undefined,
  cancel: undefined,
  end: 'good',
};

export function lookOf({ state }: LaneSegment): SegmentLook {
  return state === 'lingering' ? 'stopping' : state;
}

/** Undefined if the mark isn't drawn. */
export function markLook({ kind, end }: LaneMark): MarkLook | undefined {
  return end !== undefined && end.status !== 'completed' ? 'bad' : MARKS[kind];
}

export function segmentSays({ state, why }: LaneSegment): string {
  const reason = why === null ? '' : words(why);
  switch (state) {
    case 'queued':
      return reason === '' ? 'queued' : `queued: ${reason}`;
    case 'running':
      return 'running';
    case 'parked':
      return `parked: ${reason}`;
    case 'stopping':
      return `stopping: ${reason}`;
    case 'lingering':
      return 'its host function has not returned';
  }
}

export function markSays({ kind, text, end }: LaneMark): string {
  const says = end === undefined ? [kind, line(text, 80)] : [words(end.status), end.stopReason === 'finished' ? '' : words(end.stopReason)];
  return says.filter((part) => part !== '').join(': ');
}
