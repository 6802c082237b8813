// The types of reports of ends: notices, the origin of work, the ends that a cancel claimed.

export type * from './generated/notice.js';

/** An end without a notice, because the agent that would get it has ordered the end. */
export interface ClaimedEnd {
  /** The id that its notice would have had. */
  deliveryId: string;
  /** The sub-agent's id. */
  taskId: string;
  /** The number of the run in the sub-agent's life, from 1. */
  run: number;
}

/** The result of a cancel. */
export interface CancelReceipt {
  /** Ends of background runs that this cancel caused; they have no notice. */
  acked: ClaimedEnd[];
}
