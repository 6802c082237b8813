// `subagents mcp`: an MCP server whose sub-agents are the agents of this machine. Owns its start and its end: with its
// client's connection, or by a signal. No agent outlives it.

import { statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Session, SubAgentManager, type SubAgentManagerOptions } from 'subagents';
import { worktrees } from 'subagents/agents';
import { MCP_INSTRUCTIONS, type McpOptions, registerTools, type SourceOf } from 'subagents/mcp';
import { fileStore } from 'subagents/store/file';
import { Misused, messageOf } from '../inspector/node/unreadable.js';
import { lingered } from '../ts/adapters/mcp-end.js';
import { claudeAgents, depthHere, type Offered, offeredBy } from './agents.js';
import type { CommandOptions, Config } from './config.js';
import { capDays } from './day.js';
import { openJournal } from './journals.js';
import { authInfoOf, HttpSessions } from './sessions.js';
import { principalOf, requestFrom, respond } from './web.js';

declare const VERSION: string;

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
/** Milliseconds that a stop may take to release the store: Codex kills its servers after 100. */
const LET_GO_MS = 80;
const NO_TOOLS = 'This runs inside of a sub-agent that may have no sub-agents of its own, so it offers no tools.';

/** Serves until its client has disconnected. Resolves to the exit code. */
export async function serve({ config, cwd }: CommandOptions, say: (text: string) => void): Promise<number> {
  const maxDepth = config.limits?.maxDepth ?? 1;
  const isTooDeep = depthHere() >= maxDepth;
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) throw new Misused(`--cwd ${cwd} is no folder`);
  const offered = isTooDeep ? [] : offeredBy(config, cwd);
  if (offered.length === 0 && !isTooDeep)
    throw new Misused(
      'no agent was found on this machine: install Codex, Claude Code, opencode or Gemini CLI (`npx subagents doctor` says how), or name one with --config',
    );
  const names = offered.map(({ name }) => name);
  if (config.default !== undefined && !isTooDeep && !names.includes(config.default))
    throw new Misused(`default is ${config.default}, and there is no such agent; there are ${names.join(', ')}`);
  const place = new Place(config, cwd, offered, say);
  // Mistakes in caps, limits and prices are reported at the start, not to a client.
  place.check();
  for (const [signal, number] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      // Before the agents end, since their runs would otherwise count as failed. The next server continues them.
      const closing = place.leave();
      void Promise.race([closing, new Promise((resolve) => setTimeout(resolve, LET_GO_MS))]).then(() => process.exit(128 + number));
    });
  }
  const options = optionsFor(config, usualOf(config, offered));
  const make = (sourceOf: SourceOf): McpServer => {
    const instructions = isTooDeep ? NO_TOOLS : MCP_INSTRUCTIONS;
    const server = new McpServer({ name: 'subagents', version: VERSION }, { instructions });
    registerTools(server, isTooDeep ? [] : sourceOf, isTooDeep ? {} : options);
    return server;
  };
  if (!isTooDeep) say(`agents: ${offered.map(({ name, how, file }) => `${name} (${how}, ${file})`).join('; ')}`);
  await (config.http === undefined ? overStdio(place, make, say) : overHttp(config.http, place, make, say));
  await place.end();
  return 0;
}

function optionsFor({ foregroundMs, names, parallel, elicit }: Config, usual: Offered | undefined): McpOptions {
  return {
    ...(usual !== undefined && { agent: usual.name }),
    ...(foregroundMs !== undefined && { foregroundMs }),
    ...(names !== undefined && { names }),
    ...(parallel !== undefined && { parallel }),
    ...(elicit !== undefined && { elicit }),
  };
}

/** The agent that works if none is named. */
function usualOf(config: Config, offered: readonly Offered[]): Offered | undefined {
  return offered.find(({ name }) => name === config.default) ?? offered[0];
}

function managerOptions(config: Config, cwd: string, offered: readonly Offered[], say: (text: string) => void): SubAgentManagerOptions {
  const byName = new Map(offered.map((agent) => [agent.name, agent]));
  const usual = usualOf(config, offered);
  const claude = byName.get('claude') ?? usual;
  // In a role, an agent keeps its own prompt, model, cap and rate.
  const roles = Object.entries(claudeAgents(cwd, say)).flatMap(([name, role]) => {
    const prompt = [claude?.definition.prompt, role.prompt].filter((text) => text !== undefined).join('\n\n');
    return byName.has(name) ? [] : [[name, { ...claude?.definition, ...role, ...(prompt !== '' && { prompt }) }] as const];
  });
  const { budget, taskBudget, limits } = config;
  const agentOf = (name: string | null | undefined): Offered => {
    const agent = name == null ? usual : (byName.get(name) ?? claude);
    if (agent === undefined) throw new Error('no agent is offered');
    return agent;
  };
  return {
    ...limits,
    ...(budget && { budget: withoutUndefined(budget) }),
    ...(taskBudget && { taskBudget: withoutUndefined(taskBudget) }),
    ...(config.rates && { rates: withoutUndefinedEach(config.rates) }),
    ...worktreesOf(offered, agentOf),
    ...(config.prices && { prices: config.prices as NonNullable<SubAgentManagerOptions['prices']> }),
    agents: Object.fromEntries([...offered.map(({ name, definition }) => [name, definition] as const), ...roles]),
    spawnSubAgent: (params, run) => agentOf(run.agent).run(params, run),
    onError: (error) => say(messageOf(error)),
  };
}

/** Makes the worktrees, each of the repository in which its agent works. */
function worktreesOf(
  offered: readonly Offered[],
  agentOf: (name: string | null | undefined) => Offered,
): Pick<SubAgentManagerOptions, 'acquire' | 'release'> {
  const folders = offered.filter(({ isIsolated }) => isIsolated).map(({ cwd }) => cwd);
  const made = new Map(folders.map((cwd) => [cwd, worktrees({ cwd })]));
  if (made.size === 0) return {};
  return {
    acquire: (task) => {
      const { isIsolated, cwd } = agentOf(task.agent);
      return isIsolated ? made.get(cwd)?.acquire(task) : null;
    },
    // A repository ignores resources that aren't its own; of two folders of one repository, the second finds nothing left.
    release: async (taskId, data) => {
      for (const { release } of made.values()) await release(taskId, data);
    },
  };
}

function withoutUndefinedEach<T extends object>(given: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(given).map(([name, each]) => [name, withoutUndefined(each)]));
}

function withoutUndefined<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
}

/** The manager of this server and its journal, opened for the first client that asks. */
class Place {
  private opening: Promise<SubAgentManager> | undefined;
  private manager: SubAgentManager | undefined;
  private isOver = false;
  private readonly sessions = new Map<string, Session>();
  private readonly config: Config;
  private readonly cwd: string;
  private readonly options: SubAgentManagerOptions;
  private readonly say: (text: string) => void;

  constructor(config: Config, cwd: string, offered: readonly Offered[], say: (text: string) => void) {
    this.config = config;
    this.cwd = cwd;
    this.options = managerOptions(config, cwd, offered, say);
    this.say = say;
  }

  check(): void {
    try {
      new SubAgentManager(this.options).dispose();
    } catch (error) {
      throw new Misused(messageOf(error));
    }
  }

  /** Opens it for a client, once. */
  open(client: string): Promise<SubAgentManager> {
    this.opening ??= (async () => {
      const open = async (path: string): Promise<SubAgentManager> => {
        const manager = await SubAgentManager.open({ ...this.options, store: fileStore(path), onHostLost: 'resume' });
        const { dayBudget, budget } = this.config;
        // Nothing has started yet: restored work begins in a later task.
        if (dayBudget !== undefined) capDays(manager, `${path}.day.json`, dayBudget, budget);
        return manager;
      };
      const { opened, path } = await openJournal({ state: this.config.state, client, cwd: this.cwd }, open, this.say);
      this.say(`journal: ${path}`);
      this.manager = opened;
      if (this.isOver) opened.dispose();
      return opened;
    })().catch((error: unknown) => {
      // The client that asked reads it too, if it shows errors.
      this.say(messageOf(error));
      throw error;
    });
    return this.opening;
  }

  /** The session of a user. */
  async session(name: string): Promise<Session> {
    const manager = await this.open('http');
    const session = this.sessions.get(name) ?? manager.session(name);
    this.sessions.set(name, session);
    return session;
  }

  /** Lets running work continue for `lingerMs`, then leaves it to the next server. */
  async end(): Promise<void> {
    await this.opening?.catch(() => undefined);
    if (this.manager !== undefined && !this.isOver) await lingered(this.manager, this.config.lingerMs ?? 0);
  }

  /** Leaves running work to the next server, at once. */
  async leave(): Promise<void> {
    this.isOver = true;
    await this.manager?.[Symbol.asyncDispose]();
  }
}

/** Serves one client. Resolves when it has disconnected. */
async function overStdio(place: Place, make: (sourceOf: SourceOf) => McpServer, say: (text: string) => void): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) process.stdin.on(event, () => resolve());
    process.stdout.on('error', () => resolve());
  });
  const connection = serveStdio(() => make((client) => place.open(client ?? 'unknown')), { onerror: (error) => say(error.message) });
  await gone;
  // This ends open calls.
  await connection.close();
}

/** Serves many clients, each known by its token. Never resolves: a signal ends the process. */
async function overHttp(
  { port, tokens }: NonNullable<Config['http']>,
  place: Place,
  make: (sourceOf: SourceOf) => McpServer,
  say: (text: string) => void,
): Promise<void> {
  const known = new Map<string, string>();
  for (const [name, variable] of Object.entries(tokens)) {
    const token = process.env[variable];
    if (token === undefined || !/^[!-~]{16,}$/u.test(token))
      throw new Misused(`http.tokens.${name}: the variable ${variable} holds no token of at least 16 characters of ASCII, without spaces`);
    const other = [...known].find(([, each]) => each === token)?.[0];
    if (other !== undefined) throw new Misused(`http.tokens: ${other} and ${name} have the same token; each user takes one of their own`);
    known.set(name, token);
  }
  if (known.size === 0) throw new Misused('http.tokens names no user: { "me": "MY_TOKEN" } lets in the user whose token MY_TOKEN holds');
  const handler = createMcpHandler(({ authInfo }) => make(() => place.session(authInfo?.clientId ?? '')));
  const sessions = new HttpSessions((user) => make(() => place.session(user)));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const name = principalOf(request, known);
    if (name === undefined) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('a token of this server is needed: authorization: Bearer …\n');
      return;
    }
    const asked = requestFrom(request, response);
    await respond(response, (await sessions.answer(asked, name)) ?? (await handler.fetch(asked, { authInfo: authInfoOf(name) })));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      say(messageOf(error));
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new Misused(`port ${port} can't be had: ${messageOf(error)}`)));
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  say(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}/mcp`);
  await new Promise(() => undefined);
}
