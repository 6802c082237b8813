// The agents of this machine as host functions. Owns which agents there are, the protocol of each, and their maximum
// depth.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AgentDefinition, Budget, SpawnSubAgent } from 'subagents';
import { parseAgentDefinitions } from 'subagents/agent-files';
import { type AgentProfile, acpAgent, commandAgent, findAgent, type Permission, profiles } from 'subagents/agents';
import { Misused, messageOf } from '../inspector/node/unreadable.js';
import { type AgentConfig, type Config, isProfile, type ModelConfig, PROFILES } from './config.js';
import { modelHost } from './models.js';

/** The environment variable with the number of this command's servers above a process. */
const DEPTH = 'SUBAGENTS_DEPTH';

/** One offered agent. */
export interface Offered {
  readonly name: string;
  readonly how: 'acp' | 'command' | 'model';
  /** The file that starts it, or its address. */
  readonly file: string;
  /** The folder in which it works. */
  readonly cwd: string;
  /** Its sub-agents have worktrees. */
  readonly isIsolated: boolean;
  readonly run: SpawnSubAgent;
  readonly definition: AgentDefinition;
}

const DESCRIPTIONS: Readonly<Record<(typeof PROFILES)[number], string>> = {
  codex: 'Codex: reads and changes code, runs commands.',
  claude: 'Claude Code: reads and changes code, runs commands.',
  opencode: 'opencode: reads and changes code, runs commands.',
  gemini: 'Gemini CLI: reads and changes code, runs commands.',
};

/** The offered agents and models: the configured ones, else all agents of this machine. */
export function offeredBy(config: Config, cwd: string): Offered[] {
  const { agents, models = {} } = config;
  if (agents !== undefined || Object.keys(models).length > 0)
    return [
      ...Object.entries(agents ?? {}).map(([name, agent]) => offer(name, agent, config, cwd)),
      ...Object.entries(models).map(([name, model]) => offerModel(name, model, config, cwd)),
    ];
  const found = PROFILES.filter((name) => howOf(profiles[name], undefined, cwd) !== undefined);
  return found.map((name) => offer(name, { profile: name }, config, cwd));
}

function howOf(
  profile: AgentProfile,
  wanted: 'acp' | 'command' | undefined,
  cwd: string,
): { how: 'acp' | 'command'; file: string } | undefined {
  for (const how of wanted === undefined ? (['acp', 'command'] as const) : [wanted]) {
    const file = findAgent(profile, how, cwd);
    if (file !== undefined) return { how, file };
  }
  return undefined;
}

/** One agent of the configuration as an offer. Throws if it can't be offered. */
export function offer(name: string, agent: AgentConfig, config: Config, serverCwd: string): Offered {
  const { command, description, prompt, model, taskBudget, mode, env, permission = config.permission } = agent;
  const cwd = resolve(serverCwd, agent.cwd ?? '.');
  const id = agent.profile ?? (isProfile(name) ? name : undefined);
  const profile = id === undefined ? undefined : profiles[id];
  const [program] = command ?? [];
  const given = program && findAgent({ name, install: '', login: '', acp: { commands: [[program]] } }, 'acp', cwd);
  if (command !== undefined && given === undefined)
    throw new Misused(`the agent ${name} can't be started: there is no ${program} that can be run`);
  const found = given === undefined ? profile && howOf(profile, agent.how, cwd) : { how: agent.how ?? ('acp' as const), file: given };
  if (found === undefined) throw new Misused(`the agent ${name} isn't installed: ${profile?.install ?? 'give its `command`'}`);
  const isolation = agent.isolation ?? config.isolation;
  const shared = {
    cwd,
    ...(isolation !== undefined && { isolation }),
    // Its own server counts the sub-agents below it.
    nested: depthHere() + 1 < (config.limits?.maxDepth ?? 1),
    env: { ...env, [DEPTH]: String(depthHere() + 1) },
    ...(id !== undefined && { profile: id }),
    ...(command !== undefined && { command }),
    ...(mode !== undefined && { mode }),
  };
  const allows = permission !== undefined && { permission: permissionOf(name, permission) };
  let run: SpawnSubAgent;
  try {
    run =
      found.how === 'acp'
        ? acpAgent({ ...shared, ...allows })
        : commandAgent({ ...shared, ...(agent.arguments !== undefined && { arguments: agent.arguments }) });
  } catch (error) {
    throw new Misused(`the agent ${name}: ${messageOf(error)}`);
  }
  const definition: AgentDefinition = {
    description: description ?? (id === undefined ? `The agent ${name}.` : DESCRIPTIONS[id]),
    ...(prompt !== undefined && { prompt }),
    ...(model !== undefined && { model }),
    ...(taskBudget !== undefined && { budget: taskBudget as Budget }),
    ...rateKeyOf(name, config),
  };
  return { name, ...found, cwd, isIsolated: isolation !== undefined, run, definition };
}

function offerModel(name: string, model: ModelConfig, config: Config, cwd: string): Offered {
  const description = model.description ?? `The model ${model.model}: answers, without tools and without your files.`;
  const definition: AgentDefinition = { description, model: model.model, ...rateKeyOf(name, config) };
  return { name, how: 'model', file: model.baseUrl, cwd, isIsolated: false, run: modelHost(name, model, cwd), definition };
}

/** The rate key: rates are counted for each name. */
function rateKeyOf(name: string, { rates }: Config): { rateLimitKey?: string } {
  return rates === undefined ? {} : { rateLimitKey: name };
}

function permissionOf(name: string, permission: NonNullable<AgentConfig['permission']>): Permission {
  if (typeof permission === 'string') return permission;
  return permission.map(({ kind, title, answer }) => {
    try {
      return { answer, ...(kind !== undefined && { kind }), ...(title !== undefined && { title: new RegExp(title, 'u') }) };
    } catch (error) {
      throw new Misused(`the agent ${name}: a \`title\` of its permissions is no regular expression: ${messageOf(error)}`);
    }
  });
}

/** The definitions in `.claude/agents/*.md` of a folder and of the user: their roles, and when to use them. */
export function claudeAgents(cwd: string, say: (text: string) => void): Record<string, AgentDefinition> {
  const files: Record<string, string> = {};
  for (const folder of [join(homedir(), '.claude/agents'), join(cwd, '.claude/agents')]) {
    if (!existsSync(folder)) continue;
    for (const name of readdirSync(folder)) {
      if (name.endsWith('.md')) files[join(folder, name)] = readFileSync(join(folder, name), 'utf8');
    }
  }
  const read = parseAgentDefinitions(files, { unknown: 'ignore', onError: ({ message }) => say(`left out: ${message}`) });
  // Their tools and models have Claude Code's names; the agent's mode and permissions decide what it may do.
  return Object.fromEntries(
    Object.entries(read).map(([name, { description, prompt }]) => [name, { description, ...(prompt !== undefined && { prompt }) }]),
  );
}

/** The number of this command's servers above this process. */
export function depthHere(): number {
  let depth = Number(process.env[DEPTH] ?? 0) || 0;
  // Codex passes few variables to its servers: an ancestor's environment has the depth.
  for (let pid = process.ppid; pid > 1 && depth === 0; ) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
      const found = environment.find((line) => line.startsWith(`${DEPTH}=`));
      depth = Number(found?.slice(DEPTH.length + 1) ?? 0) || 0;
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      pid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    } catch {
      break;
    }
  }
  return depth;
}
