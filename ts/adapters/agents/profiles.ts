// The known agents: how each is started, logged in, prevented from approving its own actions, read and resumed. Owns their
// differences; nothing else knows an agent by its name.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { commandForms } from './command-forms.js';
import { stateFolder } from './process-records.js';
import type { AgentProfile, ProfileName } from './profile.js';
import { record } from './said.js';

/** The table of agents. */
export const profiles: Readonly<Record<ProfileName, AgentProfile>> = {
  codex: {
    name: 'codex',
    install: 'npm install -g @openai/codex @agentclientprotocol/codex-acp',
    login: 'run `codex login`, or set CODEX_API_KEY or OPENAI_API_KEY',
    acp: {
      commands: [['codex-acp'], ['npx', '-y', '@agentclientprotocol/codex-acp']],
      // In its default mode, a model approves its actions.
      mode: 'read-only',
    },
    command: commandForms.codex,
    // After each turn, it would ask the model for the user's next message, which nothing reads or counts.
    env: { CODEX_ACP_PROMPT_SUGGESTIONS: 'false' },
    withoutServer(name, env) {
      // Codex refuses to start with settings of a server that it doesn't know.
      if (!keysOf(codexConfiguration(env)).some((key) => `${key}.`.startsWith(`mcp_servers.${name}.`))) return {};
      const config = jsonIn(env.CODEX_CONFIG);
      if (config === undefined) return {};
      const key = `mcp_servers.${name}.enabled`;
      return { arguments: ['-c', `${key}=false`], env: { CODEX_CONFIG: JSON.stringify({ ...config, [key]: false }) } };
    },
  },
  claude: {
    name: 'claude',
    install: 'npm install -g @anthropic-ai/claude-code @agentclientprotocol/claude-agent-acp',
    login: 'run `claude` and log in, or set ANTHROPIC_API_KEY',
    acp: {
      commands: [
        ['claude-agent-acp'],
        // Its name until 2026, which most machines have.
        ['claude-code-acp'],
        ['npx', '-y', '@agentclientprotocol/claude-agent-acp'],
      ],
      mode: 'default',
    },
    command: commandForms.claude,
    withoutServer(name) {
      const settings = { deniedMcpServers: [{ serverName: name }] };
      return { arguments: ['--settings', JSON.stringify(settings)], meta: { claudeCode: { options: { settings } } } };
    },
  },
  opencode: {
    name: 'opencode',
    install: 'npm install -g opencode-ai',
    login: 'run `opencode auth login`',
    acp: { commands: [['opencode', 'acp']], tokens: 'last_call' },
    command: commandForms.opencode,
    withoutServer(name, env) {
      const config = jsonIn(env.OPENCODE_CONFIG_CONTENT);
      if (config === undefined) return {};
      const off = { ...config, mcp: { ...record(config.mcp), [name]: { enabled: false } } };
      return { env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(off) } };
    },
  },
  gemini: {
    name: 'gemini',
    install: 'npm install -g @google/gemini-cli',
    login: 'run `gemini` and log in, or set GEMINI_API_KEY',
    acp: { commands: [['gemini', '--acp']], authenticate: 'gemini-api-key' },
    command: commandForms.gemini,
    withoutServer(name, env) {
      // Only a file of settings keeps it out over ACP. Exclusions in the user's own settings replace this.
      const defaults = jsonIn(textOf(geminiDefaults(env)));
      if (defaults === undefined) return {};
      const { excluded } = record(defaults.mcp);
      const without = new Set(Array.isArray(excluded) ? excluded : []).add(name);
      const path = keptFile(
        'gemini-defaults.json',
        JSON.stringify({ ...defaults, mcp: { ...record(defaults.mcp), excluded: [...without] } }),
      );
      return path === undefined ? {} : { env: { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: path } };
    },
  },
};

type Environment = Readonly<Record<string, string | undefined>>;

function codexConfiguration({ CODEX_HOME, HOME }: Environment): string {
  return textOf(join(CODEX_HOME ?? join(HOME ?? homedir(), '.codex'), 'config.toml')) ?? '';
}

/** The whole keys and the tables of a text in TOML, however they are written. Lines of a long text may be taken for keys. */
function keysOf(toml: string): string[] {
  let table = '';
  return toml.split('\n').flatMap((line) => {
    const [, header, key] = /^\[([^[\]]+)\]|^([^=#]+)=/.exec(line.trim()) ?? [];
    const name = (header ?? key)?.replace(/[\s"']/g, '');
    if (name === undefined) return [];
    if (header === undefined) return [`${table}${name}`];
    table = `${name}.`;
    return [name];
  });
}

/** The file of the default settings, which the user's override. */
function geminiDefaults({ GEMINI_CLI_SYSTEM_DEFAULTS_PATH: given, GEMINI_CLI_SYSTEM_SETTINGS_PATH: beside }: Environment): string {
  const folder = process.platform === 'darwin' ? '/Library/Application Support/GeminiCli' : '/etc/gemini-cli';
  return given ?? join(beside === undefined ? folder : dirname(beside), 'system-defaults.json');
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** The path of our file with this text; undefined if it can't be written. */
function keptFile(name: string, text: string): string | undefined {
  const path = join(stateFolder(), name);
  if (textOf(path) === text) return path;
  try {
    mkdirSync(stateFolder(), { recursive: true, mode: 0o700 });
    const written = `${path}.${process.pid}`;
    writeFileSync(written, text, { mode: 0o600 });
    renameSync(written, path);
    return path;
  } catch {
    return undefined;
  }
}

/** The object in a JSON text; undefined if it is no JSON, which the agent reports. */
function jsonIn(text: string | undefined): Record<string, unknown> | undefined {
  try {
    return record(JSON.parse(text ?? '{}'));
  } catch {
    return undefined;
  }
}
