// The agents that tests fetch from npm, each into a folder of its own, and how each is set up for the scripted model. What can't
// be had is said loudly.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from '../../scripts/system.mjs';

const FETCH_MS = 150_000;

/** Installs packages; false where they can't be had. */
export function fetched(folder, packages) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  try {
    execFileSync(...npm(['install', '--no-audit', '--no-fund', '--silent', ...packages]), { cwd: folder, timeout: FETCH_MS });
    return true;
  } catch (error) {
    process.stderr.write(`NOT TRIED: ${packages.join(', ')} could not be fetched from npm (${error.message.split('\n')[0]})\n`);
    return false;
  }
}

// Whatever an agent fetches elsewhere leads nowhere.
const nowhere = { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1,localhost' };

/** Claude Code, as an agent alone. */
const claude = {
  packages: ['@anthropic-ai/claude-code@2.1.197', '@agentclientprotocol/claude-agent-acp@0.49.0'],
  acp: ['claude-agent-acp'],
  exec: ['claude'],
  runs: (command) => ({ tool: 'Bash', args: { command, description: 'runs it' } }),
  configure(home, model, server) {
    const mcpServers = server && { subagents: { type: 'stdio', ...server } };
    writeFileSync(join(home, '.claude.json'), JSON.stringify({ hasCompletedOnboarding: true, ...(mcpServers && { mcpServers }) }));
    const switches = ['DISABLE_AUTOUPDATER', 'DISABLE_TELEMETRY', 'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC'];
    return {
      ...nowhere,
      ...Object.fromEntries(switches.map((name) => [name, '1'])),
      HOME: home,
      CLAUDE_CONFIG_DIR: home,
      ANTHROPIC_BASE_URL: new URL(model.address).origin,
      ANTHROPIC_API_KEY: 'none',
      // With another value than 1 the two packages disagree on what root may do.
      IS_SANDBOX: undefined,
    };
  },
};

/** Gemini CLI, as an agent alone. */
const gemini = {
  packages: ['@google/gemini-cli@0.61.0'],
  acp: ['gemini', '--acp'],
  exec: ['gemini'],
  runs: (command) => ({ tool: 'run_shell_command', args: { command } }),
  configure(home, model, server) {
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      ...(server && { mcpServers: { subagents: server } }),
    };
    mkdirSync(join(home, '.gemini'), { recursive: true });
    writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings));
    return {
      ...nowhere,
      HOME: home,
      GEMINI_API_KEY: 'none',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_MODEL: 'gemini-2.5-flash',
      GOOGLE_GEMINI_BASE_URL: new URL(model.address).origin,
    };
  },
};

/** The real clients, which are agents as well. `calls`: what it calls itself. `runs`: what its model calls to run
 * a command. `server`: how they start ours. `more`: what else an agent's configuration has. */
export const CLIENTS = {
  codex: {
    packages: ['@openai/codex@0.171.0', '@agentclientprotocol/codex-acp@2.6.0'],
    acp: ['codex-acp'],
    exec: ['codex'],
    run: ['codex', 'exec', '--json', '--skip-git-repo-check'],
    calls: 'codex-mcp-client',
    names: { spawn: 'spawn_subagent', wait: 'wait_subagents', read: 'read_subagent_result' },
    runs: (cmd) => ({ tool: 'exec_command', args: { cmd } }),
    configure(home, model, server) {
      const lines = [
        'model = "scripted"',
        'model_provider = "local"',
        'check_for_update_on_startup = false',
        '[analytics]\nenabled = false',
        `[model_providers.local]\nname = "local"\nbase_url = "${model.address}"\nwire_api = "responses"\nenv_key = "LOCAL_KEY"`,
        ...(server
          ? [
              `[mcp_servers.subagents]\ncommand = ${JSON.stringify(server.command)}\nargs = ${JSON.stringify(server.args)}\nstartup_timeout_sec = 60`,
              ...Object.entries(server.env).map(
                ([name, value], at) => `${at === 0 ? '[mcp_servers.subagents.env]\n' : ''}${name} = ${JSON.stringify(value)}`,
              ),
            ]
          : []),
      ];
      writeFileSync(join(home, 'config.toml'), lines.join('\n'));
      return { ...nowhere, HOME: home, CODEX_HOME: home, LOCAL_KEY: 'none', NO_BROWSER: '1' };
    },
  },
  opencode: {
    packages: ['opencode-ai@1.18.33'],
    acp: ['opencode', 'acp'],
    exec: ['opencode'],
    run: ['opencode', 'run', '--format', 'json'],
    calls: 'opencode',
    names: { spawn: 'spawn_agent', wait: 'wait_agents', read: 'read_agent_result' },
    runs: (command) => ({ tool: 'bash', args: { command, description: 'runs it' } }),
    configure(home, model, server, more = {}) {
      const provider = { npm: '@ai-sdk/openai-compatible', name: 'local', options: { baseURL: model.address, apiKey: 'none' } };
      const models = { scripted: { name: 'scripted', limit: { context: 100_000, output: 10_000 } } };
      const config = {
        autoupdate: false,
        share: 'disabled',
        model: 'local/scripted',
        small_model: 'local/scripted',
        provider: { local: { ...provider, models } },
        ...more,
        ...(server && {
          mcp: {
            subagents: {
              type: 'local',
              command: [server.command, ...server.args],
              environment: server.env,
              enabled: true,
              timeout: 60_000,
            },
          },
        }),
      };
      const file = join(home, 'opencode.json');
      writeFileSync(file, JSON.stringify(config));
      return { ...nowhere, HOME: home, OPENCODE_CONFIG: file, OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' };
    },
  },
};

/** The real agents. */
export const AGENTS = { ...CLIENTS, claude, gemini };
