// The type of an agent's profile.

import type { Receipt } from '../../base/receipt.js';
import type { TokenKinds } from '../../options/host-result.js';

/** How an agent is run over the Agent Client Protocol. */
export interface AcpProfile {
  /** Commands that start it; the first one that is installed is used. */
  readonly commands: readonly (readonly string[])[];
  /** The id of a way to log in that needs no person. Default: none, if it is logged in already. */
  readonly authenticate?: string | undefined;
  /** The mode of its sessions. Default: the agent's own. */
  readonly mode?: string | undefined;
  /**
   * The scope of an answer's tokens: the `turn`, the `conversation` so far, or the `last_call` of the model.
   *
   * With `last_call`, each call before it counts as much, by estimate. @default 'turn'
   */
  readonly tokens?: 'turn' | 'conversation' | 'last_call' | undefined;
}

/** The content of a command's output so far. */
export interface CommandState {
  /** The id of the conversation. */
  conversation?: string | undefined;
  /** The agent's last text. */
  text: string;
  /** Tokens so far, of the process or the conversation. */
  tokens?: number | undefined;
  /** The kinds of these, if reported. */
  kinds?: TokenKinds | undefined;
  /** The model that it called. Default: the run's. */
  modelId?: string | undefined;
  /** US dollars so far, of the process or the conversation. */
  costUsd?: number | undefined;
  /** A tool that it just called. */
  tool?: string | undefined;
  /** The receipts of tool calls that just ended. */
  did?: readonly Receipt[] | undefined;
  /** Tool calls that have not ended, by their ids. While there are some, the run is not silent. */
  calls?: Map<unknown, Record<string, unknown>> | undefined;
  /** The error of the turn. */
  error?: string | undefined;
  /** Its turn is over: nothing more is used in it. */
  isOver?: boolean | undefined;
  /** For the form's own use. */
  open?: boolean | undefined;
  /** Ids of messages whose tokens are counted. For the form's own use. */
  messages?: Set<unknown> | undefined;
}

/** The values for the arguments of one turn. */
export interface CommandLine {
  /** The conversation to continue; undefined if one begins. */
  readonly conversation: string | undefined;
  /** The agent's mode; undefined for its own. */
  readonly mode: string | undefined;
  /** How hard its model has to think; undefined for its default. */
  readonly effort?: string | undefined;
  /** The rest of the run's budget, in US dollars. */
  readonly remainingUsd: number;
}

/** How an agent is run as a command that ends with its turn. */
export interface CommandForm {
  /** Commands that start it; the first one that is installed is used. */
  readonly commands: readonly (readonly string[])[];
  /** The arguments of one turn. The prompt goes to its standard input. */
  arguments(turn: CommandLine): string[];
  /** Reads one line of its output, parsed as JSON, into the state. */
  read(event: Record<string, unknown>, state: CommandState): void;
  /** The figures that count the whole conversation, not only the process; `tokens` with their kinds. */
  readonly cumulative?: readonly ('tokens' | 'costUsd')[] | undefined;
  /** Its mode, by its command line's name for it. Default: the agent's own. */
  readonly mode?: string | undefined;
}

/** The settings that keep an MCP server of the agent's own configuration out of it. */
export interface WithoutServer {
  /** Further arguments of its command line. */
  readonly arguments?: readonly string[] | undefined;
  /** Variables of its environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The `_meta` of its sessions over the Agent Client Protocol. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** One agent that can be run. */
export interface AgentProfile {
  /** Its name, for errors and transcripts. */
  readonly name: string;
  /** The command that installs it. */
  readonly install: string;
  /** How a person logs in, or which variable holds a key. */
  readonly login: string;
  /** How it runs over the Agent Client Protocol. */
  readonly acp?: AcpProfile | undefined;
  /** How it runs as a command. */
  readonly command?: CommandForm | undefined;
  /** Variables of its environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Keeps a server of this name out of it, given the variables of its environment. Default: keeps none out. */
  withoutServer?(name: string, env: Readonly<Record<string, string | undefined>>): WithoutServer;
}

/** Agents that have a profile. */
export type ProfileName = 'codex' | 'claude' | 'opencode' | 'gemini';
