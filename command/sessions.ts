// The sessions of HTTP clients that use the protocol from before 2026-07-28. Owns the user of each session, the maximum
// number, and when one ends: a client's name, cancels and answers belong to its session.

import { isLegacyRequest, type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

/** Maximum number of a user's sessions. Beyond it, a new session ends the least recently used one without an open call. */
const MOST = 200;
/** Milliseconds without any request after which a session ends. */
const IDLE_MS = 86_400_000;

interface Open {
  readonly user: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  usedAt: number;
  /** The number of its calls whose answer is not complete. */
  calls: number;
}

export class HttpSessions {
  /** By id; the last used one is last. */
  private readonly open = new Map<string, Open>();
  private readonly make: (user: string) => McpServer;

  constructor(make: (user: string) => McpServer) {
    this.make = make;
  }

  /** Answers a request of a session, or one that opens a session; undefined for any other. */
  async answer(request: Request, user: string): Promise<Response | undefined> {
    if (!(await isLegacyRequest(request))) return undefined;
    const id = request.headers.get('mcp-session-id');
    if (id === null) return (await isOpening(request)) ? this.begin(request, user) : undefined;
    const known = this.open.get(id);
    if (known?.user !== user) return new Response('there is no such session: initialize a new one\n', { status: 404 });
    this.open.delete(id);
    this.open.set(id, known);
    known.usedAt = Date.now();
    return this.counted(known, request);
  }

  private async counted(session: Open, request: Request): Promise<Response> {
    const { transport, user } = session;
    // Only a POST is a call: a client may listen by GET while it is there.
    const counts = request.method === 'POST' ? 1 : 0;
    const end = (): void => {
      session.calls -= counts;
      session.usedAt = Date.now();
    };
    session.calls += counts;
    try {
      return untilItsEnd(await transport.handleRequest(request, { authInfo: authInfoOf(user) }), end);
    } catch (error) {
      end();
      throw error;
    }
  }

  private async begin(request: Request, user: string): Promise<Response> {
    let own = [...this.open.values()].filter((session) => session.user === user).length;
    for (const [id, session] of this.open) {
      const isOwn = session.user === user;
      const isOver = Date.now() - session.usedAt >= IDLE_MS || (isOwn && own >= MOST);
      if (session.calls > 0 || !isOver) continue;
      if (isOwn) own -= 1;
      this.open.delete(id);
      await session.transport.close();
    }
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void this.open.set(id, { user, transport, usedAt: Date.now(), calls: 0 }),
      onsessionclosed: (id) => void this.open.delete(id),
    });
    await this.make(user).connect(transport);
    return transport.handleRequest(request, { authInfo: authInfoOf(user) });
  }
}

/** The same answer; calls `end` once, when its body was sent or is no longer wanted. */
function untilItsEnd(response: Response, end: () => void): Response {
  if (response.body === null) {
    end();
    return response;
  }
  const reader = response.body.getReader();
  let isOver = false;
  const over = (): void => {
    if (!isOver) end();
    isOver = true;
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        over();
        throw error;
      });
      if (!done) return controller.enqueue(value);
      over();
      controller.close();
    },
    cancel(why) {
      over();
      return reader.cancel(why);
    },
  });
  return new Response(body, response);
}

/** A user in the form that the SDK takes. */
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
