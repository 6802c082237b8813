// The source of an inspector's events, and its calls: the same for a manager in this page, a journal, and a server in
// another process. Owns which calls there are, and the fields of a batch.

import type { CallAnswer, WIRE_VERSION } from '../base/call.js';
import type { Refusal } from '../boundary/refusals.js';
import type { SubAgentEvent } from '../generated/facts.js';
import type { MessageMode } from '../generated/names.js';
import type { ViewBase } from './base.js';

/** A command of an inspector: a method of the manager, or `approve`. */
export type CallName = InspectorCall['call'];

/** A call of a manager, as JSON. A target is a sub-agent's id. */
export type InspectorCall = {
  /** For a server in another process: the version of the protocol, 1. */
  readonly version?: typeof WIRE_VERSION | undefined;
  /** For `spawn` and `addBudget`: the key of the session; without one, or with null, the manager's own. */
  readonly session?: string | null | undefined;
} & (
  | {
      /** Starts a sub-agent in the background. */
      readonly call: 'spawn';
      /** Options of `spawn`; for a server in another process, those that JSON can hold. */
      readonly args: readonly [
        options: { readonly instructions: string; readonly label?: string | undefined; readonly [option: string]: unknown },
      ];
    }
  | {
      /** Sends a message, steers the run, or answers its question. */
      readonly call: 'send';
      /** Its id, the message, and options of `send`. */
      readonly args: readonly [taskId: string, text: string, options?: { readonly mode?: MessageMode | undefined } | undefined];
    }
  | {
      /** Calls the manager's method of this name. */
      readonly call: 'interrupt' | 'cancel' | 'close' | 'resume';
      /** Its id. */
      readonly args: readonly [taskId: string];
    }
  | {
      /** Raises a cap: of a sub-agent, of the session, or of the manager. */
      readonly call: 'addBudget';
      /**
       * The increase in each named dimension: tokens, US dollars, turns. Then the sub-agent's id, if the cap is a sub-agent's.
       */
      readonly args: readonly [
        budget: { readonly tokens?: number | undefined; readonly costUsd?: number | undefined; readonly turns?: number | undefined },
        taskId?: string | undefined,
      ];
    }
  | {
      /** Decides for a run that is parked for `approval`. Calls the program's own function, no method of a manager. */
      readonly call: 'approve';
      /** Its id, whether the action is allowed, and the reason, in words. */
      readonly args: readonly [taskId: string, allow: boolean, reason?: string | undefined];
    }
);

/** The description of a source, and its commands. */
export interface SourceInfo {
  /**
   * Identifies the manager, if it can be another one the next time, as after a server's restart.
   *
   * A reader then begins again.
   */
  readonly id?: string;
  /** For the head of the page. */
  readonly title: string;
  /** Whether further events come. */
  readonly live: boolean;
  /** Calls that it accepts; empty if it is read-only. */
  readonly calls: readonly CallName[];
  /** The first number to request. If earlier events are gone, the answer begins with a base. */
  readonly first: number;
  /** The number of the last event so far. */
  readonly last: number;
}

/** Part of the events, in order. */
export interface InspectorBatch {
  /** The state before the first event, if earlier events are gone: a view begins again with it. */
  readonly base?: ViewBase;
  /** The events, oldest first; empty if the batch has only other fields. */
  readonly events: readonly SubAgentEvent[];
  /** Requests that were refused since. */
  readonly refusals?: readonly Refusal[];
  /** The damage of a journal at this point: nothing after it can be trusted, and nothing follows. */
  readonly damage?: {
    /** The mistake, in words. */
    readonly message: string;
  };
}

/** The source of an inspector's events. */
export interface InspectorSource {
  /** Returns its description. */
  info(): Promise<SourceInfo>;
  /**
   * The events from one on, in batches; then, if the source is live, further ones as they happen. Ends with the journal, or
   * when `signal` fires. A reader that is too slow for a live source is dropped: the iteration throws, and may begin again at
   * its place.
   */
  events(from: number, signal?: AbortSignal): AsyncIterable<InspectorBatch>;
  /** Calls the manager. Never rejects for a refusal of the manager: that is an answer. */
  call(call: InspectorCall): Promise<CallAnswer>;
}
