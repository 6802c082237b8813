// The sessions of clients over HTTP that speak the protocol as it was before 2026-07-28. Owns whose a session is, how many there are,
// and when one ends: what such a client says of itself, its cancels and its answers to questions belong to its session.

import { isLegacyRequest, type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

/** In all; the one that was used last the longest ago ends for a new one. */
const MOST = 200;
/** Without any request, in milliseconds. */
const IDLE_MS = 86_400_000;

interface Open {
  readonly user: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  usedAt: number;
}

export class HttpSessions {
  /** The one that was used last stands last. */
  private readonly open = new Map<string, Open>();
  private readonly make: (user: string) => McpServer;

  constructor(make: (user: string) => McpServer) {
    this.make = make;
  }

  /** Answers a request of a session, or one that opens one; undefined for any other. */
  async answer(request: Request, user: string): Promise<Response | undefined> {
    if (!(await isLegacyRequest(request))) return undefined;
    const id = request.headers.get('mcp-session-id');
    if (id === null) return (await isOpening(request)) ? this.begin(request, user) : undefined;
    const known = this.open.get(id);
    if (known?.user !== user) return new Response('there is no such session: initialize a new one\n', { status: 404 });
    this.open.delete(id);
    this.open.set(id, { ...known, usedAt: Date.now() });
    return known.transport.handleRequest(request, { authInfo: authInfoOf(user) });
  }

  private async begin(request: Request, user: string): Promise<Response> {
    for (const [id, { transport, usedAt }] of this.open) {
      if (this.open.size < MOST && Date.now() - usedAt < IDLE_MS) break;
      this.open.delete(id);
      await transport.close();
    }
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void this.open.set(id, { user, transport, usedAt: Date.now() }),
      onsessionclosed: (id) => void this.open.delete(id),
    });
    await this.make(user).connect(transport);
    return transport.handleRequest(request, { authInfo: authInfoOf(user) });
  }
}

/** What the SDK takes as the user of a request. */
export function authInfoOf(user: string): { token: string; clientId: string; scopes: string[] } {
  return { token: '', clientId: user, scopes: [] };
}

async function isOpening(request: Request): Promise<boolean> {
  if (request.method !== 'POST') return false;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  return (body as { method?: unknown } | undefined)?.method === 'initialize';
}
