// The agents that are known: how each is started, logged in, kept from approving its own actions, read and resumed. Owns what
// differs between them, and nothing else knows an agent by its name.

import { commandForms } from './command-forms.js';
import type { AgentProfile, ProfileName } from './profile.js';

/** The table of agents. */
export const profiles: Readonly<Record<ProfileName, AgentProfile>> = {
  codex: {
    name: 'codex',
    install: 'npm install -g @openai/codex @agentclientprotocol/codex-acp',
    login: 'run `codex login`, or set CODEX_API_KEY or OPENAI_API_KEY',
    acp: {
      commands: [['codex-acp'], ['npx', '-y', '@agentclientprotocol/codex-acp']],
      // It comes up in a mode in which a model approves its actions.
      mode: 'read-only',
    },
    command: commandForms.codex,
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
  },
  opencode: {
    name: 'opencode',
    install: 'npm install -g opencode-ai',
    login: 'run `opencode auth login`',
    acp: { commands: [['opencode', 'acp']], tokens: 'last_call' },
    command: commandForms.opencode,
  },
  gemini: {
    name: 'gemini',
    install: 'npm install -g @google/gemini-cli',
    login: 'run `gemini` and log in, or set GEMINI_API_KEY',
    acp: { commands: [['gemini', '--acp']], authenticate: 'gemini-api-key' },
    command: commandForms.gemini,
  },
};
