// Policies as users write them: the seven points, the five answers, a policy's context. Owns the types; `list.ts` asks
// policies, the core carries out their answers.

import type { StopReason } from '../generated/names.js';
import type { Todo } from '../options/todos.js';
import type { AgentReport } from '../reading/json-report.js';

/** Lets the agent continue; no answer means the same. */
export interface Continue {
  action: 'continue';
}

/** Shows the model a text. Before a spawn it goes into the new sub-agent's context hint. */
export interface Inject {
  action: 'inject';
  /** The text for the model. */
  text: string;
}

/** Has the agent take another turn before it ends. */
export interface ForceTurn {
  action: 'force_turn';
  /** A text for the model. */
  text?: string | undefined;
}

/** Refuses the spawn, the start, the turn or the tool; after a tool its result, before the end its output. */
export interface Block {
  action: 'block';
  /** Shown to the model, or recorded as the run's error. */
  reason: string;
  /** Why the run ends, if it does. @default 'policy' */
  stopReason?: StopReason | undefined;
}

/** Ends the agent with this output. On a timeout, it counts if the run leaves no output. */
export interface Finish {
  action: 'finish';
  /** The output. */
  report: string;
}

/** A policy's answer; nothing means "continue". */
// biome-ignore lint/suspicious/noConfusingVoidType: a policy that returns nothing lets things go on
export type Answer<T> = T | Continue | undefined | null | void;
/** An answer, now or later. */
export type AnswerSoon<T> = Answer<T> | PromiseLike<Answer<T>>;

/**
 * The agent, as every policy sees it. Turns, context and to-dos are read together, when the policy first accesses one of them.
 */
export interface PolicyContext {
  /** The main agent of a session, or a sub-agent. */
  readonly agent: 'main' | 'sub';
  /** The sub-agent's id; null for a main agent. */
  readonly taskId: string | null;
  /** The number of its run; 0 for a main agent. */
  readonly run: number;
  /** Its task; empty for a main agent without a `prompt`. */
  readonly prompt: string;
  /** Turns that it has begun. */
  readonly turns: number;
  /** The size of its context as last reported, in tokens. */
  readonly contextTokens: number | undefined;
  /** Its to-do list as last reported. */
  readonly todos: readonly Todo[];
  /** How many of its to-dos are open. */
  readonly openTodos: number;
  /** Its last messages, oldest first: at most 10, each cut at 500 characters. */
  readonly recentMessages: readonly string[];
  /**
   * Counts a call for this policy, until `limit` calls are counted. The core keeps one count for each run. With
   * `openTodosOnly` it counts only if to-dos are open and another turn could be taken.
   */
  count(limit: number, options?: { openTodosOnly?: boolean | undefined }): 'counted' | 'exhausted' | 'nothing_to_count';
  /** The progress of the agent, as a report with this status and reason. */
  report(status: string, reason: string): AgentReport;
}

/** The context before a sub-agent is spawned; the agent is its spawner. */
export interface SpawnContext extends PolicyContext {
  /** The new sub-agent's task; undefined if it starts idle. */
  readonly task: string | undefined;
  /** The parameters of the spawn as given, unchanged. */
  readonly params: unknown;
}

/** The context before a tool is used. */
export interface ToolContext extends PolicyContext {
  /** The tool's name. */
  readonly tool: string;
  /** The model's arguments for the tool. */
  readonly args: unknown;
}

/** The context after a tool was used. */
export interface ToolResultContext extends PolicyContext {
  /** The tool's name. */
  readonly tool: string;
  /** Its result. */
  readonly result: unknown;
}

/** The context before the agent ends. */
export interface EndContext extends PolicyContext {
  /** The output that it is about to return. */
  readonly output: string;
}

/** The context once the agent's time is over. */
export interface TimeoutContext extends PolicyContext {
  /** The limit that was reached: its time, or its silence. */
  readonly reason: 'timeout' | 'idle_timeout';
}

/**
 * A policy: any of seven methods. Those of one set are asked in their order, and the first answer that isn't "continue" wins. A
 * gate that throws, rejects, takes too long or answers nonsense blocks; such an observer (`afterTool`, `onTimeout`) is skipped.
 * `onError` is called, except for a gate that takes too long. Only `beforeSpawn` has to answer at once; a run gives up its slot
 * while a policy takes its time. Unknown fields of a plain object are refused. A policy with state of its own is an instance of
 * a class, or a closure.
 */
export interface Policy {
  /** Its name in events, and in its counts. @default 'policy' */
  readonly name?: string | undefined;
  /** Tools that the sub-agents of this set never get; a name may have `*` for any characters. */
  readonly blockedTools?: readonly string[] | undefined;
  /** Asked before a sub-agent is spawned; must answer at once. */
  beforeSpawn?(context: SpawnContext): Answer<Inject | Block | Finish>;
  /** Asked once for each run, before its host function is called; for a main agent before its first turn. */
  beforeStart?(context: PolicyContext): AnswerSoon<Inject | Block | Finish>;
  /** Asked before each call of the model. */
  beforeTurn?(context: PolicyContext): AnswerSoon<Inject | Block | Finish>;
  /** Asked before each use of a tool. */
  beforeTool?(context: ToolContext): AnswerSoon<Inject | Block | Finish>;
  /** Asked after each use of a tool; `block` withholds the result from the model. */
  afterTool?(context: ToolResultContext): AnswerSoon<Inject | Block | Finish>;
  /**
   * Asked before the agent returns its output. `inject` forces another turn, like `force_turn`: a text needs a turn to be read.
   */
  beforeEnd?(context: EndContext): AnswerSoon<Inject | ForceTurn | Block | Finish>;
  /** Asked when the agent's time is over, or it was silent too long; `inject` goes into its last turn. */
  onTimeout?(context: TimeoutContext): AnswerSoon<Inject | Finish>;
}

/** The policies of a manager. */
export interface PolicySets {
  /** For sub-agents. */
  subAgents?: readonly Policy[] | undefined;
  /** For main agents: of the default session, and of each session without its own policies. */
  main?: readonly Policy[] | undefined;
}

/** The limits of a main agent until it has answered. `Infinity` means none. */
export interface MainLimits {
  /** Turns that it may take until it answers. @default Infinity */
  maxTurns?: number | undefined;
  /** The size of its context in tokens, as reported. @default Infinity */
  maxContextTokens?: number | undefined;
  /** Milliseconds from its first turn until it gets a last one, to sum up. @default Infinity */
  timeoutMs?: number | undefined;
}

/** The answer of `beforeTool`. */
export type ToolPermit =
  | {
      allowed: true;
      /** For the model, besides the tool's result. */
      inject?: string[];
      reason?: undefined;
      finished?: undefined;
    }
  | {
      allowed: false;
      /** For the model, in place of the tool's result. */
      reason: string;
      /** A policy ended the run: no turn follows. */
      finished?: true;
      inject?: undefined;
    };

/** The answer of `afterTool`. */
export type ToolVerdict =
  | {
      withheld: false;
      /** For the model, besides the tool's result: messages that steer the run, and texts of policies. */
      inject?: string[];
      /** A policy ended the run: no turn follows. */
      finished?: true;
      reason?: undefined;
    }
  | {
      withheld: true;
      /** For the model, in place of the tool's result. */
      reason: string;
      /** For the model: messages that steer the run. */
      inject?: string[];
      finished?: undefined;
    };

/** The answer of `beforeEnd`. */
export type EndPermit =
  | {
      end: true;
      /** The output to return: the agent's, or a policy's report. Empty if a policy refused it. */
      output: string;
      /** Why the output was refused. */
      reason?: string;
      inject?: undefined;
    }
  | {
      end: false;
      /** For the model: take another turn with it. */
      inject: string[];
      output?: undefined;
      reason?: undefined;
    };
