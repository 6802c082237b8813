// The options that agents in their own processes share. Owns their checks, and the command and environment that result from
// them.

import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import process from 'node:process';
import { mistake } from '../mistake.js';
import type { ToJsonSchema } from '../structured.js';
import { fileOf } from './agent-process.js';
import { defaultRecords } from './process-records.js';
import type { AgentProfile, ProfileName, WithoutServer } from './profile.js';
import { profiles } from './profiles.js';

/** Options of both kinds of agents. */
export interface ProcessAgentOptions {
  /** The agent: the name of a profile, or a profile of your own. It is required without `command`. */
  profile?: ProfileName | AgentProfile | undefined;
  /** The command that starts it, with its arguments. Default: the profile's. */
  command?: readonly string[] | undefined;
  /** The folder in which it works. Default: this process's. */
  cwd?: string | undefined;
  /** `worktree`: it works in its sub-agent's git worktree, made by a manager with `worktrees()`. Default: in `cwd` itself */
  isolation?: 'worktree' | undefined;
  /** Variables of its environment, besides those of this process; undefined removes one. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The agent's mode, by its own name for it, such as `read-only` or `plan`. Default: the profile's. */
  mode?: string | undefined;
  /**
   * Whether the agent keeps a server of MCP named `subagents` that its own configuration has.
   *
   * With that server, it gets sub-agents that this manager doesn't count. @default false
   */
  nested?: boolean | undefined;
  /** Milliseconds that it has to end its turn after a cancel, before its processes are ended. @default 3,000 */
  cancelMs?: number | undefined;
  /** The folder that records its processes while they run. Default: `subagents/processes` in the user's state directory. */
  recordsFolder?: string | undefined;
  /** The text that the model is shown on its last turn. */
  lastTurn?: string | undefined;
  /** Makes JSON Schema of a run's `schema`, for libraries whose schemas can't make it themselves. */
  jsonSchema?: ToJsonSchema | undefined;
}

/** The names of these options. */
export const SHARED = [
  'profile',
  'command',
  'cwd',
  'isolation',
  'env',
  'mode',
  'nested',
  'cancelMs',
  'recordsFolder',
  'lastTurn',
  'jsonSchema',
] as const satisfies (keyof ProcessAgentOptions)[];

/** These options, checked. */
export interface ReadOptions {
  readonly profile: AgentProfile;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cancelMs: number;
  readonly recordsFolder: string;
  /** The settings that keep this package's server out of it. */
  readonly without: WithoutServer;
}

/** The server of `npx subagents mcp`, as `--print` names it. */
export const SERVER = 'subagents';

/** Reads the options of both kinds of agents. */
export function readOptions(helper: string, options: ProcessAgentOptions): ReadOptions {
  if (process.platform === 'win32') throw mistake(`${helper} runs on Linux and macOS; on Windows, run this program in WSL`);
  const { command, cwd = process.cwd(), env = {}, cancelMs = 3_000, recordsFolder = defaultRecords() } = options;
  const { isolation } = options;
  if (isolation !== undefined && isolation !== 'worktree') throw wrong(helper, 'isolation', "'worktree', or left out");
  const isCommand = Array.isArray(command) && command.length > 0 && command.every((part) => typeof part === 'string' && part !== '');
  if (command !== undefined && !isCommand) throw wrong(helper, 'command', "a list of texts, such as ['opencode', 'acp']");
  if (typeof cwd !== 'string' || !isFolder(cwd)) throw wrong(helper, 'cwd', `the path of a folder; ${JSON.stringify(cwd)} is none`);
  if (typeof env !== 'object' || env === null) throw wrong(helper, 'env', 'an object of variables');
  expectMs(helper, 'cancelMs', cancelMs);
  if (typeof recordsFolder !== 'string' || recordsFolder === '') throw wrong(helper, 'recordsFolder', 'the path of a folder');
  const profile = profileOf(helper, options);
  const all = { ...process.env, ...profile.env, ...env };
  const without = options.nested === true ? {} : (profile.withoutServer?.(SERVER, all) ?? {});
  return { profile, cwd: resolve(cwd), env: { ...all, ...without.env }, cancelMs, recordsFolder, without };
}

/** The first command that is installed. */
export function commandOf(
  { profile, cwd, env }: ReadOptions,
  given: readonly string[] | undefined,
  commands: readonly (readonly string[])[],
): readonly string[] {
  const known = given === undefined ? commands : [given];
  for (const [file = '', ...args] of known) {
    const found = fileOf(file, env, cwd);
    if (found !== undefined) return [found, ...args];
  }
  const names = known.map(([file]) => file).join(', ');
  const way = profile.install === '' ? '' : `: ${profile.install}`;
  const isPath = known.every(([file = '']) => isAbsolute(file) || file.includes('/'));
  throw mistake(
    `${profile.name} isn't installed: ${names} ${isPath ? 'is no file that can be run' : 'is not in PATH'}. Install it${way}, or give \`command\``,
  );
}

/**
 * Finds the file that starts an agent, so that a program can offer installed agents. Undefined if it isn't installed, though
 * `npx` might fetch it.
 *
 * @param profile the agent
 * @param how as `acpAgent` starts it, or as `commandAgent` does
 * @param cwd the folder in which it works
 */
export function findAgent(profile: AgentProfile, how: 'acp' | 'command', cwd = process.cwd()): string | undefined {
  const own = (profile[how]?.commands ?? []).filter(([file]) => file !== 'npx');
  return own.map(([file = '']) => fileOf(file, process.env, cwd)).find((file) => file !== undefined);
}

/** Refuses a value that is no time. */
export function expectMs(helper: string, name: string, ms: unknown): void {
  if (typeof ms !== 'number' || !(ms >= 0) || ms > 2_147_483_647) throw wrong(helper, name, 'milliseconds from 0 to 2,147,483,647');
}

function wrong(helper: string, argument: string, expected: string): Error {
  return mistake(`${helper}: \`${argument}\` must be ${expected}`, { argument, expected });
}

function profileOf(helper: string, { profile, command }: ProcessAgentOptions): AgentProfile {
  const names = Object.keys(profiles).join(', ');
  if (typeof profile === 'string') {
    if (!Object.hasOwn(profiles, profile))
      throw mistake(`${helper} has no profile ${JSON.stringify(profile)}; it has ${names}`, { argument: 'profile' });
    return profiles[profile];
  }
  if (profile !== undefined) {
    if (typeof profile !== 'object' || profile === null || typeof profile.name !== 'string')
      throw wrong(helper, 'profile', `one of ${names}, or an object with a \`name\``);
    return { ...profile, install: profile.install ?? '', login: profile.login ?? 'log in to it by hand' };
  }
  const file = command?.[0];
  if (file === undefined)
    throw mistake(`${helper} takes a \`profile\` (${names}), or the \`command\` that starts an agent`, { argument: 'profile' });
  return { name: file.slice(file.lastIndexOf('/') + 1), install: '', login: 'log in to it by hand' };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
