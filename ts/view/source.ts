// Where an inspector gets its events from, and what it may ask for: the same for a manager in this page, a journal, and
// a server in another process. Owns the small protocol that they share.

import type { Refusal } from '../boundary/refusals.js';
import type { SubAgentEvent } from '../generated/facts.js';
import type { ViewBase } from './base.js';

/** What an inspector may ask a manager to do. */
export type CommandName = InspectorCommand['command'];

/** A request to a manager. A target is a sub-agent's id. */
export type InspectorCommand =
  | {
      /** Starts a sub-agent in the background, of a session where `sessionKey` names one. */
      readonly command: 'spawn';
      /** The session that it belongs to; without one, or with null, it is the manager's own. */
      readonly sessionKey?: string | null | undefined;
      /** Options of `spawn`; to a server in another process, what JSON can hold of them. */
      readonly options: {
        /** What it is to do. */
        readonly instructions: string;
        /** Its name for display. Default: the first 30 characters of the instructions. */
        readonly label?: string | undefined;
        readonly [option: string]: unknown;
      };
    }
  | {
      /** `send` gives it a message for its next run, `steer` one for its next turn, `answer` the answer to its question. */
      readonly command: 'send' | 'steer' | 'answer';
      /** The sub-agent's id. */
      readonly taskId: string;
      /** The message. */
      readonly text: string;
    }
  | {
      /** Decides what a run that is parked for `approval` waits for. */
      readonly command: 'approve';
      /** The sub-agent's id. */
      readonly taskId: string;
      /** Whether it may do that. */
      readonly allow: boolean;
      /** Why, in words. Default: nothing is said. */
      readonly reason?: string | undefined;
    }
  | {
      /** Does what the manager's operation of this name does. */
      readonly command: 'interrupt' | 'cancel' | 'close' | 'resume';
      /** The sub-agent's id. */
      readonly taskId: string;
    }
  | {
      /** Raises a cap: of a sub-agent, of a session, or, where neither is named, of the manager. */
      readonly command: 'addBudget';
      /** The sub-agent's id. */
      readonly taskId?: string | undefined;
      /** The session's key; `taskId` goes before it. */
      readonly sessionKey?: string | undefined;
      /** By how much the cap is raised, in each dimension that is named. */
      readonly budget: {
        /** Tokens. */
        readonly tokens?: number | undefined;
        /** US dollars. */
        readonly costUsd?: number | undefined;
        /** Turns. */
        readonly turns?: number | undefined;
      };
    };

/** What became of a request. */
export type CommandAnswer =
  | {
      /** It was carried out. */
      readonly ok: true;
      /** The id of a sub-agent that was started. */
      readonly taskId?: string;
      /** What became of a message: the `receipt` that `send` gives. */
      readonly status?: string;
    }
  | {
      /** It was refused, or failed. */
      readonly ok: false;
      /** The error's code. */
      readonly code: string;
      /** Why, in words. */
      readonly message: string;
    };

/** What a source is, and what it can do. */
export interface SourceInfo {
  /**
   * Which manager this is, if it can be another one the next time, as after a restart of the server: a reader
   * then begins anew.
   */
  readonly id?: string;
  /** For the head of the page. */
  readonly title: string;
  /** Whether further events come. */
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
  /** The events, oldest first; empty if there is only other news. */
  readonly events: readonly SubAgentEvent[];
  /** Requests that were refused since. */
  readonly refusals?: readonly Refusal[];
  /** What is wrong with a journal at this point: nothing after it can be trusted, and nothing follows. */
  readonly damage?: {
    /** What is wrong, in words. */
    readonly message: string;
  };
}

/** The source of an inspector's events. */
export interface InspectorSource {
  /** What it is. */
  info(): Promise<SourceInfo>;
  /**
   * The events from one on, in batches; then, if the source is live, further ones as they happen. Ends with the journal,
   * or when `signal` fires. A reader that is too slow for a live source is dropped: the iteration throws, and may be begun
   * again where it was.
   */
  events(from: number, signal?: AbortSignal): AsyncIterable<InspectorBatch>;
  /** Asks the manager to do something. Never rejects for what the manager refuses: that is an answer. */
  command(command: InspectorCommand): Promise<CommandAnswer>;
}
