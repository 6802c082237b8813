// The source of an inspector's events, and its calls: the same for a manager in this page, a journal, and a server in
// another process. Owns which calls there are, and the fields of a batch.

import type { CallAnswer, WIRE_VERSION } from '../base/call.js';
import type { Refusal } from '../boundary/refusals.js';
import type { SubAgentEvent } from '../generated/facts.js';
import type { MessageMode } from '../generated/names.js';
import type { ViewBase } from './base.js';

/** What an inspector may ask a manager to do: a method of it, or `approve`. */
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
      /** Options of `spawn`; to a server in another process, what JSON can hold of them. */
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
      /** Does what the manager's method of this name does. */
      readonly call: 'interrupt' | 'cancel' | 'close' | 'resume';
      /** Its id. */
      readonly args: readonly [taskId: string];
    }
  | {
      /** Raises a cap: of a sub-agent, of the session, or of the manager. */
      readonly call: 'addBudget';
      /** By how much, in each dimension that is named: tokens, US dollars, turns. Then the sub-agent's id, if it is one. */
      readonly args: readonly [
        budget: { readonly tokens?: number | undefined; readonly costUsd?: number | undefined; readonly turns?: number | undefined },
        taskId?: string | undefined,
      ];
    }
  | {
      /** Decides what a run that is parked for `approval` waits for. No method of a manager: the program's own function. */
      readonly call: 'approve';
      /** Its id, whether it may do that, and why, in words. */
      readonly args: readonly [taskId: string, allow: boolean, reason?: string | undefined];
    }
);

/** The description of a source, and its commands. */
export interface SourceInfo {
  /**
   * Which manager this is, if it can be another one the next time, as after a server's restart.
   *
   * A reader then begins anew.
   */
  readonly id?: string;
  /** For the head of the page. */
  readonly title: string;
  /** Whether further events come. */
  readonly live: boolean;
  /** Calls that it takes; empty if it is read-only. */
  readonly calls: readonly CallName[];
  /** The first number to ask for. If earlier events are gone, the answer begins with a base. */
  readonly first: number;
  /** The number of the last event so far. */
  readonly last: number;
}

/** Some of what happened, in order. */
export interface InspectorBatch {
  /** The state before the first event, if earlier events are gone: a view begins again with it. */
  readonly base?: ViewBase;
  /** The events, oldest first; empty if there is only other news. */
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
  /** What it is. */
  info(): Promise<SourceInfo>;
  /**
   * The events from one on, in batches; then, if the source is live, further ones as they happen. Ends with the journal, or
   * when `signal` fires. A reader that is too slow for a live source is dropped: the iteration throws, and may begin again at
   * its place.
   */
  events(from: number, signal?: AbortSignal): AsyncIterable<InspectorBatch>;
  /** Calls the manager. Never rejects for what the manager refuses: that is an answer. */
  call(call: InspectorCall): Promise<CallAnswer>;
}
