// What to put into the configuration of each client, so that it starts this server.

export const CLIENTS = ['codex', 'claude', 'opencode', 'vscode', 'cursor', 'zed'] as const;

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** How a client starts the server. */
function start(args: readonly string[]): { command: string; args: string[] } {
  return { command: 'npx', args: ['-y', 'subagents', 'mcp', ...args] };
}

const TEXTS: Readonly<Record<(typeof CLIENTS)[number], (args: readonly string[]) => string>> = {
  codex: (args) => {
    const { command, args: all } = start(args);
    return [
      '# ~/.codex/config.toml',
      '[mcp_servers.subagents]',
      `command = ${JSON.stringify(command)}`,
      `args = ${JSON.stringify(all)}`,
      'startup_timeout_sec = 60',
      'tool_timeout_sec = 300',
    ].join('\n');
  },
  claude: (args) => `# .mcp.json in the project\n${json({ mcpServers: { subagents: start(args) } })}`,
  opencode: (args) => {
    const { command, args: all } = start(args);
    return `// opencode.json\n${json({ mcp: { subagents: { type: 'local', command: [command, ...all], enabled: true, timeout: 60_000 } } })}`;
  },
  vscode: (args) => `// .vscode/mcp.json\n${json({ servers: { subagents: { type: 'stdio', ...start(args) } } })}`,
  cursor: (args) => `// .cursor/mcp.json\n${json({ mcpServers: { subagents: start(args) } })}`,
  zed: (args) => `// settings.json\n${json({ context_servers: { subagents: { source: 'custom', ...start(args) } } })}`,
};

export function printed(client: (typeof CLIENTS)[number], args: readonly string[]): string {
  return TEXTS[client](args);
}
