// The configuration of the command: its arguments, and the file of `--config`. Owns the published schema of that file,
// and that each mistake is reported in one line with a remedy.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_LIMITS } from 'subagents';
import * as z from 'zod/v4';
import { Misused, messageOf } from '../inspector/node/unreadable.js';
import { KINDS } from '../ts/adapters/agents/permissions.js';
import { CLIENTS } from './print.js';

/** Names of the profiles of `subagents/agents`. */
export const PROFILES = ['codex', 'claude', 'opencode', 'gemini'] as const;

/** An object without other fields; its error lists the known ones. */
function only<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape).join(', ');
  const error = (issue: { code?: string | undefined; keys?: string[] }): string | undefined =>
    issue.code === 'unrecognized_keys' ? `has no ${issue.keys?.join(', ')}; it has ${known}` : undefined;
  return z.strictObject(shape, { error: error as never });
}

const text = (description: string) => z.string().min(1).optional().describe(description);
const answer = z.enum(['allow', 'reject', 'ask']);
const kind = z.enum(KINDS);
const rule = only({
  kind: z
    .union([kind, z.array(kind)])
    .optional()
    .describe('The kind of tool, or several. Default: any.'),
  title: text('A regular expression that the whole title of the request has to match.'),
  answer,
});
const permission = z.union([answer, z.array(rule)], {
  error: `it takes allow, reject, ask, or a list of { kind, title, answer }; kinds are ${KINDS.join(', ')}`,
});
const budget = only({
  tokens: z.number().int().positive().optional().describe('Tokens, at most.'),
  costUsd: z.number().positive().optional().describe('US dollars, at most.'),
});
const price = only({
  input: z.number().min(0),
  output: z.number().min(0),
  cacheRead: z.number().min(0).optional(),
  cacheWrite: z.number().min(0).optional(),
  cacheWrite1h: z.number().min(0).optional(),
});
const isolation = z
  .enum(['worktree'])
  .optional()
  .describe("worktree: each sub-agent works in a git worktree of its own. Default: in the server's folder.");
const agent = only({
  profile: z.enum(PROFILES).optional().describe('Which agent it is. Default: the name, if that is a profile.'),
  how: z.enum(['acp', 'command']).optional().describe('How it is spoken to. Default: acp, if what that takes is installed.'),
  command: z.array(z.string().min(1)).min(1).optional().describe('The command that starts it, with its arguments.'),
  arguments: z.array(z.string()).optional().describe('Further arguments, with `how: command`.'),
  cwd: text('The folder in which it works. Default: that of the server.'),
  mode: text("Its mode, by its own name for it. Default: the profile's, in which it changes nothing by itself."),
  env: z.record(z.string(), z.string()).optional().describe('Variables of its environment.'),
  description: text('When to use it, for the model of the client.'),
  prompt: text('Context that it gets before its instructions.'),
  model: text("The model whose `prices` apply. It chooses none: the agent's own configuration does. Default: what the agent reports."),
  taskBudget: budget.optional().describe('What one sub-agent of it may use. Default: that of the file.'),
  isolation,
  permission: permission.optional().describe('What it may do when it asks. Default: that of the file.'),
});

const model = only({
  api: z.enum(['openai', 'anthropic']).describe('The API that the address speaks.'),
  baseUrl: z.url().describe('The address, as https://host/v1.'),
  model: z.string().min(1).describe("The model's name there."),
  key: text('The variable of the environment that holds the key. Default: none is sent.'),
  description: text('When to use it, for the model of the client.'),
  prompt: text('Context that it gets before its instructions.'),
});
const rate = only({
  requestsPerMinute: z.number().int().positive().optional(),
  tokensPerMinute: z.number().int().positive().optional(),
});
/** Entries by name. */
const named = <Entry extends z.ZodType>(entry: Entry) =>
  z.record(z.string().regex(/^[\w-]{1,64}$/), entry, {
    error: ({ code }) => (code === 'invalid_key' ? 'a name has letters, digits, _ and - alone, at most 64' : undefined),
  });

/** The file of `--config`. */
export const CONFIG = only({
  $schema: z.string().optional(),
  agents: named(agent)
    .optional()
    .describe('The agents that are offered, by name. Default: those of this machine, if there are no models either.'),
  models: named(model)
    .optional()
    .describe('Models that are offered beside them, by name: they answer without tools. Each takes packages of the AI SDK.'),
  default: text('The agent that works if none is named. Default: the first.'),
  permission: permission
    .optional()
    .describe('What agents may do when they ask. Default: ask, the person or the model at the client answers.'),
  budget: budget.optional().describe('What all sub-agents of this server may use together, from its first start on.'),
  dayBudget: budget.optional().describe('What they may use in one day of the local time.'),
  taskBudget: budget.optional().describe('What one sub-agent may use.'),
  prices: z.record(z.string(), price).optional().describe('US dollars for a million tokens, by model.'),
  rates: z
    .record(z.string(), rate)
    .optional()
    .describe('Requests and tokens a minute, by the names of agents and models; * stands for all others.'),
  isolation: isolation.describe('Of all agents that say none of their own.'),
  limits: only(
    Object.fromEntries(Object.keys(DEFAULT_LIMITS).map((name) => [name, z.number().min(0).optional()])) as Record<
      string,
      z.ZodOptional<z.ZodNumber>
    >,
  )
    .optional()
    .describe('Limits of the manager: maxConcurrent, maxDepth, timeoutMs and the others.'),
  lingerMs: z.number().min(0).optional().describe('How long background work continues after the client has left. Default: 0.'),
  foregroundMs: z
    .number()
    .positive()
    .optional()
    .describe('The longest that one call waits. Default: what the client is known to wait for.'),
  names: z.enum(['usual', 'own']).optional().describe('What the tools are called: spawn_agent, or spawn_subagent.'),
  parallel: z.boolean().optional().describe('Says of spawning that it only reads, so that clients call it several times at once.'),
  elicit: z.boolean().optional().describe('Whether questions go to the person at the client first. Default: true.'),
  state: text("The folder of the journals. Default: subagents/mcp in the user's state directory."),
  http: only({
    port: z.number().int().min(0).max(65_535).describe('The port; this host alone is listened on.'),
    tokens: z.record(z.string(), z.string()).describe('For each user the name of the variable of the environment that holds the token.'),
  })
    .optional()
    .describe('Serves over HTTP in place of standard input and output.'),
});

export type Config = z.infer<typeof CONFIG>;
export type AgentConfig = z.infer<typeof agent>;
export type ModelConfig = z.infer<typeof model>;

/** The published schema. */
export function configSchema(): object {
  return { title: 'subagents mcp --config', ...z.toJSONSchema(CONFIG) };
}

export const MCP_USAGE = `usage: subagents mcp [options]

Serves MCP over standard input and output: its sub-agents are the agents of this machine, Codex, Claude Code, opencode and
Gemini CLI. A client starts it; --print says what to put into the client's configuration.

  --agent NAME=PROFILE  offers this agent, and no other but those named so: PROFILE is one of ${PROFILES.join(', ')}
  --config FILE         reads agents, caps and the rest from a file of JSON
  --cwd FOLDER          where the agents work (this folder)
  --print CLIENT        prints what to configure: ${CLIENTS.join(', ')}
  -h, --help            this text
  -v, --version         the version of this package

subagents doctor says which agents are there and what is missing`;

export const DOCTOR_USAGE = `usage: subagents doctor [--config FILE]

Says which agents of this machine can work, and what is missing. Ends with 0 if there is at least one, else with 1.

  --config FILE         also says what the agents and models of this file need
  -h, --help            this text
  -v, --version         the version of this package`;

const HELP = { type: 'boolean', short: 'h' } as const;

export interface CommandOptions {
  readonly config: Config;
  readonly cwd: string;
  readonly print: (typeof CLIENTS)[number] | undefined;
  /** The arguments with which a client has to start the server: all but --print. */
  readonly args: readonly string[];
}

/** Reads the arguments; undefined for `--help`. */
export function optionsOf(args: string[]): CommandOptions | undefined {
  const string = { type: 'string' } as const;
  const options = { agent: { ...string, multiple: true }, config: string, cwd: string, print: string, help: HELP } as const;
  let values: ReturnType<typeof parse>['values'];
  const parse = () => parseArgs({ args, options });
  try {
    ({ values } = parse());
  } catch (error) {
    throw new Misused(`${messageOf(error).split(/\.\s/u)[0]}; subagents mcp --help says what there is`);
  }
  if (values.help) return undefined;
  const config = values.config === undefined ? {} : readConfig(values.config);
  const named: Record<string, AgentConfig> = {};
  for (const given of values.agent ?? []) {
    const [, name = given, profile = given] = /^([^=]*)=(.*)$/u.exec(given) ?? [];
    if (!/^[\w-]{1,64}$/u.test(name)) throw new Misused(`--agent ${given}: a name has letters, digits, _ and - alone`);
    if (!isProfile(profile)) throw new Misused(`--agent ${given}: there is no profile ${profile}; there are ${PROFILES.join(', ')}`);
    named[name] = { profile };
  }
  const { print, cwd = process.cwd() } = values;
  if (print !== undefined && !CLIENTS.includes(print as never)) throw new Misused(`--print takes one of ${CLIENTS.join(', ')}`);
  // A client may start the server in any folder.
  const kept = [
    ...(values.agent ?? []).flatMap((given) => ['--agent', given]),
    ...(values.config === undefined ? [] : ['--config', resolve(values.config)]),
    ...(values.cwd === undefined ? [] : ['--cwd', resolve(values.cwd)]),
  ];
  const agents = Object.keys(named).length > 0 ? { ...config.agents, ...named } : config.agents;
  return { config: { ...config, ...(agents && { agents }) }, cwd: resolve(cwd), print: print as CommandOptions['print'], args: kept };
}

/** Reads the arguments of `doctor`; undefined for `--help`. */
export function doctorOptionsOf(args: string[]): { config: Config } | undefined {
  let values: { config?: string | undefined; help?: boolean | undefined };
  try {
    ({ values } = parseArgs({ args, options: { config: { type: 'string' }, help: HELP } }));
  } catch (error) {
    throw new Misused(`${messageOf(error).split(/\.\s/u)[0]}; subagents doctor --help says what there is`);
  }
  if (values.help) return undefined;
  return { config: values.config === undefined ? {} : readConfig(values.config) };
}

export function isProfile(name: string): name is (typeof PROFILES)[number] {
  return PROFILES.includes(name as never);
}

export function readConfig(path: string): Config {
  let json: string;
  try {
    json = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Misused(`--config ${path} can't be read: ${messageOf(error)}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new Misused(`--config ${path} is no JSON: ${messageOf(error)}`);
  }
  const read = CONFIG.safeParse(value);
  if (read.success) return checked(path, read.data);
  const [first] = read.error.issues;
  const place = first?.path.map(String).join('.') || 'it';
  throw new Misused(`--config ${path}: ${place} ${first?.code === 'unrecognized_keys' ? first.message : `is wrong: ${first?.message}`}`);
}

/** Checks the rules that no schema expresses. */
function checked(path: string, config: Config): Config {
  for (const [name, { profile, command, how }] of Object.entries(config.agents ?? {})) {
    if (profile === undefined && !isProfile(name) && command === undefined)
      throw new Misused(`--config ${path}: agents.${name} has neither a \`profile\` (${PROFILES.join(', ')}) nor a \`command\``);
    if (how === 'command' && profile === undefined && !isProfile(name))
      throw new Misused(`--config ${path}: agents.${name} needs a \`profile\` with \`how: command\`, which says how its output is read`);
  }
  const { agents = {}, models = {} } = config;
  const twice = Object.keys(models).find((name) => Object.hasOwn(agents, name));
  if (twice !== undefined) throw new Misused(`--config ${path}: ${twice} is the name of an agent and of a model`);
  if (config.agents !== undefined && Object.keys({ ...agents, ...models }).length === 0)
    throw new Misused(`--config ${path}: agents is empty: name one, or leave it out for those of this machine`);
  return config;
}
