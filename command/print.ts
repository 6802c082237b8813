// Prints the entry for this server in the configuration of each client, and the file for it.

export const CLIENTS = ['codex', 'claude', 'opencode', 'vscode', 'cursor', 'zed'] as const;

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** How a client starts the server. */
function start(args: readonly string[]): { command: string; args: string[] } {
  return { command: 'npx', args: ['-y', 'subagents', 'mcp', ...args] };
}

const FILES: Readonly<Record<(typeof CLIENTS)[number], string>> = {
  codex: '~/.codex/config.toml',
  claude: '.mcp.json in the project',
  opencode: 'opencode.json',
  vscode: '.vscode/mcp.json',
  cursor: '.cursor/mcp.json',
  zed: 'settings.json',
};

const TEXTS: Readonly<Record<(typeof CLIENTS)[number], (args: readonly string[]) => string>> = {
  codex: (args) => {
    const { command, args: all } = start(args);
    return [
      '[mcp_servers.subagents]',
      `command = ${JSON.stringify(command)}`,
      `args = ${JSON.stringify(all)}`,
      'startup_timeout_sec = 60',
      'tool_timeout_sec = 300',
    ].join('\n');
  },
  claude: (args) => json({ mcpServers: { subagents: start(args) } }),
  opencode: (args) => {
    const { command, args: all } = start(args);
    return json({ mcp: { subagents: { type: 'local', command: [command, ...all], enabled: true, timeout: 60_000 } } });
  },
  vscode: (args) => json({ servers: { subagents: { type: 'stdio', ...start(args) } } }),
  cursor: (args) => json({ mcpServers: { subagents: start(args) } }),
  zed: (args) => json({ context_servers: { subagents: { source: 'custom', ...start(args) } } }),
};

/** The text, and the file for it. */
export function printed(client: (typeof CLIENTS)[number], args: readonly string[]): { text: string; file: string } {
  return { text: TEXTS[client](args), file: FILES[client] };
}
