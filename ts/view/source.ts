// Where an inspector gets its events from, and what it may ask for: the same for a manager in this page, a journal, and
// a server in another process. Owns the small protocol that they share.

import type { Refusal } from '../boundary/refusals.js';
import type { SubAgentEvent } from '../generated/facts.js';
import type { ViewBase } from './base.js';

/** What an inspector may ask a manager to do. */
export const COMMANDS = ['spawn', 'send', 'steer', 'answer', 'approve', 'interrupt', 'cancel', 'close', 'resume', 'addBudget'] as const;
/** What an inspector may ask a manager to do. */
export type CommandName = (typeof COMMANDS)[number];

/** A request to a manager. A target is a sub-agent's id. */
export type InspectorCommand =
  | {
      /** Starts a sub-agent in the background, of a session where `sessionKey` names one. */
      readonly command: 'spawn';
      readonly sessionKey?: string | null;
      readonly options: { readonly instructions: string; readonly label?: string; readonly [option: string]: unknown };
    }
  /** A message for its next run; to the run under way at its next turn; the answer to its question. */
  | { readonly command: 'send' | 'steer' | 'answer'; readonly taskId: string; readonly text: string }
  /** Decides what a run that is parked for `approval` waits for. */
  | { readonly command: 'approve'; readonly taskId: string; readonly allow: boolean; readonly reason?: string }
  | { readonly command: 'interrupt' | 'cancel' | 'close' | 'resume'; readonly taskId: string }
  /** Raises a cap: of a sub-agent, of a session, or, where neither is named, of the manager. */
  | {
      readonly command: 'addBudget';
      readonly taskId?: string;
      readonly sessionKey?: string;
      readonly budget: { readonly tokens?: number; readonly costUsd?: number; readonly turns?: number };
    };

/** What became of a request. */
export type CommandAnswer =
  | {
      readonly ok: true /** The id of a sub-agent that was started. */;
      readonly taskId?: string /** What a send did. */;
      readonly status?: string;
    }
  | { readonly ok: false /** The error's code. */; readonly code: string /** Why, in words. */; readonly message: string };

/** What a source is, and what may be asked of it. */
export interface SourceInfo {
  /** For the head of the page. */
  readonly title: string;
  /** Whether events go on coming. */
  readonly live: boolean;
  /** Requests that it takes; empty where it is read-only. */
  readonly commands: readonly CommandName[];
  /** From which number to ask to have all there is; where earlier events are gone, that gives a base first. */
  readonly first: number;
  /** The number of the last event so far. */
  readonly last: number;
}

/** Some of what happened, in order. */
export interface InspectorBatch {
  /** What was there before the first event, where earlier ones can't be had: a view begins anew with it. */
  readonly base?: ViewBase;
  readonly events: readonly SubAgentEvent[];
  /** Requests that were refused meanwhile. */
  readonly refusals?: readonly Refusal[];
  /** What is wrong with a journal at this point: nothing after it can be trusted, and nothing follows. */
  readonly damage?: { readonly message: string };
}

/** Where an inspector gets its events from. */
export interface InspectorSource {
  /** What it is. */
  info(): Promise<SourceInfo>;
  /**
   * What happened from an event on, in batches; then, where the source is live, what happens. Ends with the journal, or
   * when `signal` fires. A reader that is too slow for a live source is dropped: the iteration throws, and may be begun
   * again where it was.
   */
  events(from: number, signal?: AbortSignal): AsyncIterable<InspectorBatch>;
  /** Asks the manager to do something. Never rejects for what the manager refuses: that is an answer. */
  command(command: InspectorCommand): Promise<CommandAnswer>;
}
