// The types of what reports an end: notices, the origin of work, what a cancel claimed.

export type * from './generated/notice.js';

/** An end of which no notice is delivered, because the agent that it was for has ordered it. */
export interface ClaimedEnd {
  /** The id that the notice of it would have had. */
  deliveryId: string;
  /** The sub-agent's id. */
  taskId: string;
  /** The number of the run in the sub-agent's life, from 1. */
  run: number;
}

/** What a cancel did. */
export interface CancelReceipt {
  /** Ends of background runs that this cancel caused; no notice is delivered of them. */
  acked: ClaimedEnd[];
}
