// The inspector's server: a page, the events as a stream, and calls, over HTTP on loopback. Owns whom it answers: the
// bearer of the token, from this host alone; and which calls the program allows. A slow or absent reader costs the
// manager nothing.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SubAgentManager } from 'subagents';
import type { CallName, InspectorCall, InspectorSource } from 'subagents/view';
import { LONGEST_TIMER } from '../../ts/base/clock.js';
import { SubAgentError } from '../../ts/base/error-class.js';
import { invalid } from '../../ts/base/errors.js';
import { checkOptions } from '../../ts/base/unknown.js';
import { count, duration, string } from '../../ts/options/values.js';
import { wrong } from '../../ts/stores/failures.js';
import { ServerTrouble } from '../src/server-source.js';
import { answered, CALLS, VERSION } from '../src/sources.js';
import { Feed } from './feed.js';

export type { CallAnswer, CallName, InspectorBatch, InspectorCall, InspectorSource, SourceInfo, ViewBase } from 'subagents/view';

/** Options of `serveInspector`. */
export interface ServeOptions {
  /** The port. @default 0, one that is free */
  port?: number | undefined;
  /** The secret that a reader has to send, at least 16 characters. Default: 32 random bytes, in `url` */
  token?: string | undefined;
  /**
   * Other origins whose pages are accepted with the token, such as `http://localhost:5173`. Default: only the server's own
   * page.
   *
   * Use them for `<subagents-inspector src>` in a page of your own.
   */
  origins?: readonly string[] | undefined;
  /** The calls that readers may make: all, or these. @default false, none */
  allow?: boolean | readonly CallName[] | undefined;
  /** Decides the approval that a parked run waits for; without it there is no such call. */
  approve?: ((taskId: string, allow: boolean, reason?: string) => void) | undefined;
  /** For the head of the page. @default 'subagents' */
  title?: string | undefined;
  /** Maximum number of events retained for later readers. @default 100,000 */
  maxEvents?: number | undefined;
  /** Milliseconds that a reader may leave sent data unread before it is dropped. @default 30,000 */
  stallMs?: number | undefined;
}

/** A running server. */
export interface InspectorServer {
  /** The address of the page, with its token behind `#`: the page takes it out of the address. */
  readonly url: string;
  /** The port that it listens on, on 127.0.0.1. */
  readonly port: number;
  /** The secret that a reader has to send: the given token, or the generated one. */
  readonly token: string;
  /** Ends the server and its readers; the manager continues. */
  close(): Promise<void>;
  /** Ends the server as `close` does, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const HOST = '127.0.0.1';
const MAX_BODY = 1 << 20;
const MAX_READERS = 32;
const MIN_TOKEN = 16;
const A_TOKEN = `a text of at least ${MIN_TOKEN} characters`;
const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['inspector-page.html', 'text/html; charset=utf-8'],
  '/page.css': ['inspector-page.css', 'text/css; charset=utf-8'],
  '/page.js': ['inspector-page.js', 'text/javascript; charset=utf-8'],
  '/inspector.js': ['inspector.js', 'text/javascript; charset=utf-8'],
  // Files for opening a store's file.
  '/inspector-stored.js': ['inspector-stored.js', 'text/javascript; charset=utf-8'],
  '/index.js': ['index.js', 'text/javascript; charset=utf-8'],
  '/shared.js': ['shared.js', 'text/javascript; charset=utf-8'],
  '/pkg/host.js': ['../pkg/host.js', 'text/javascript; charset=utf-8'],
  '/pkg/subagents.js': ['../pkg/subagents.js', 'text/javascript; charset=utf-8'],
};
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** A refusal of a request: its status and why. */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Serves the inspector of a manager, or of any source, on this host alone. Read-only without `allow`. It keeps the process
 * running until it is closed. Rejects with `invalid_argument` for a wrong target or option, and for a port that it can't use;
 * `cause` is then the system's error.
 */
export async function serveInspector(target: SubAgentManager | InspectorSource, options: ServeOptions = {}): Promise<InspectorServer> {
  checkOptions('serveInspector', options, ['port', 'token', 'origins', 'allow', 'approve', 'title', 'maxEvents', 'stallMs']);
  const { port = 0, approve, token = randomBytes(32).toString('base64url'), origins = [] } = options;
  if (!isManager(target) && !isSource(target))
    throw invalid('`target`', 'a manager, as in serveInspector(manager), or a source of events', target);
  if (!Number.isSafeInteger(port) || port < 0 || port > 65_535) throw invalid('`port`', 'a whole number from 0 to 65,535', port);
  // A token is a secret, even one that is too short.
  if (typeof token !== 'string') throw invalid('`token`', A_TOKEN, token);
  if (token.length < MIN_TOKEN) throw wrong('token', `${A_TOKEN}, not of ${token.length}`);
  if (!Array.isArray(origins) || !origins.every(isOrigin))
    throw invalid('`origins`', 'a list of origins such as http://localhost:5173', origins);
  const wrongCalls = notAllowed(options.allow);
  if (wrongCalls.length > 0) throw invalid('`allow`', `true, false, or a list of ${CALLS.join(', ')}`, wrongCalls[0]);
  if (approve !== undefined && typeof approve !== 'function') throw invalid('`approve`', 'a function', approve);
  string('`title`', options.title);
  const maxEvents = count('`maxEvents`', options.maxEvents) ?? 100_000;
  const stallMs = Math.min(duration('`stallMs`', options.stallMs) ?? 30_000, LONGEST_TIMER);
  const feed = isManager(target) ? new Feed(target, maxEvents) : undefined;
  const source = feed === undefined ? (target as InspectorSource) : sourceOf(target as SubAgentManager, feed, options);
  const readers = new Set<AbortController>();
  const server = createServer({ maxHeaderSize: 16_384, requestTimeout: 30_000, headersTimeout: 10_000 }, (request, response) => {
    const over = (error: unknown): void => refuse(response, error);
    respond({ source, readers, stallMs, token, origins, server }, request, response).catch(over);
  });
  server.on('clientError', (_, socket) => socket.destroy());
  server.listen(port, HOST);
  try {
    await once(server, 'listening');
  } catch (error) {
    feed?.close();
    throw portRefused(port, error);
  }
  const bound = (server.address() as AddressInfo).port;
  const close = async (): Promise<void> => {
    feed?.close();
    for (const reader of readers) reader.abort();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://${HOST}:${bound}/#token=${encodeURIComponent(token)}`, port: bound, token, close, [Symbol.asyncDispose]: close };
}

function isManager(target: unknown): target is SubAgentManager {
  return typeof (target as Partial<SubAgentManager> | undefined)?.subscribe === 'function';
}

function isSource(target: unknown): target is InspectorSource {
  return typeof (target as Partial<InspectorSource> | undefined)?.events === 'function';
}

function isOrigin(origin: unknown): boolean {
  return typeof origin === 'string' && URL.canParse(origin) && new URL(origin).origin === origin;
}

/** The entries that can't be allowed: a call of another name would be refused to every reader, without a reason. */
function notAllowed(allow: unknown): unknown[] {
  if (allow === undefined || typeof allow === 'boolean') return [];
  return Array.isArray(allow) ? allow.filter((name) => !(CALLS as readonly unknown[]).includes(name)) : [allow];
}

/** The error for a port, with a remedy. */
function portRefused(port: number, cause: unknown): SubAgentError {
  const { code } = cause as NodeJS.ErrnoException;
  const why = code === 'EADDRINUSE' ? 'it is in use' : (code ?? String(cause));
  const message = `port ${port} can't be had: ${why}; give another \`port\`, or none for one that is free`;
  return new SubAgentError('invalid_argument', message, { argument: 'port' }, { cause });
}

function sourceOf(manager: SubAgentManager, feed: Feed, { allow = false, approve, title = 'subagents' }: ServeOptions): InspectorSource {
  const wanted: readonly CallName[] = allow === true ? CALLS : allow === false ? [] : allow;
  const calls = CALLS.filter((name) => wanted.includes(name) && (name !== 'approve' || approve !== undefined));
  return {
    info: async () => ({ id: feed.id, title, live: true, calls, first: feed.beginning, last: feed.last }),
    events: (from, signal) => feed.from(from, signal),
    call: (call) => answered(manager, call, calls, approve),
  };
}

interface Serving {
  readonly source: InspectorSource;
  readonly readers: Set<AbortController>;
  readonly stallMs: number;
  readonly token: string;
  readonly origins: readonly string[];
  readonly server: Server;
}

async function respond(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  checkHost(serving, request, response);
  if (request.method === 'OPTIONS' && response.hasHeader('Access-Control-Allow-Origin')) {
    for (const [name, value] of Object.entries(PREFLIGHT)) response.setHeader(name, value);
    response.writeHead(204).end();
    return;
  }
  const { pathname, searchParams } = new URL(request.url ?? '/', `http://${HOST}`);
  const file = FILES[pathname];
  if (file !== undefined) {
    expectMethod(request, 'GET');
    const [name, type] = file;
    const body = await readFile(new URL(name, import.meta.url));
    response.writeHead(200, { 'Content-Type': type }).end(body);
    return;
  }
  if (!pathname.startsWith('/api/')) throw new Refused(404, 'there is no such page');
  checkToken(serving.token, request);
  if (pathname === '/api/info') {
    expectMethod(request, 'GET');
    sendJson(response, await serving.source.info());
  } else if (pathname === '/api/events') {
    expectMethod(request, 'GET');
    const from = Number(searchParams.get('from') ?? 0);
    if (!Number.isSafeInteger(from) || from < 0) throw new Refused(400, '`from` must be the number of an event');
    await stream(serving, from, response);
  } else if (pathname === '/api/call') {
    expectMethod(request, 'POST');
    sendJson(response, await serving.source.call(callOf(await bodyOf(request))));
  } else throw new Refused(404, 'there is no such thing to ask for');
}

/** Answers to a preflight of an accepted origin. */
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers': 'authorization, content-type',
  'Access-Control-Allow-Private-Network': 'true',
  'Access-Control-Max-Age': '600',
};

/** A page of another site reaches this port under another host name, or sends its origin. */
function checkHost({ server, origins }: Serving, { headers, method }: IncomingMessage, response: ServerResponse): void {
  const { port } = server.address() as AddressInfo;
  const hosts = [`${HOST}:${port}`, `localhost:${port}`];
  const { host, origin } = headers;
  if (host === undefined || !hosts.includes(host)) throw new Refused(403, 'this server answers to this host alone');
  response.setHeader('Vary', 'Origin');
  if (origin !== undefined && origins.includes(origin)) {
    response.setHeader('Access-Control-Allow-Origin', origin);
    return;
  }
  if (origin !== undefined && !hosts.includes(origin.replace(/^http:\/\//u, ''))) {
    // A page of this host belongs to its user, so it may read the reason; its rights are the same.
    if (method === 'GET' && LOOPBACK.test(origin)) response.setHeader('Access-Control-Allow-Origin', origin);
    throw new Refused(403, 'this server takes no pages of that origin: `origins` names those that it takes');
  }
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Refused(403, 'this server answers to its own page alone');
}

const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/u;

function checkToken(token: string, { headers }: IncomingMessage): void {
  const { authorization = '' } = headers;
  if (authorization === '') throw new Refused(401, 'this server wants its token: Authorization: Bearer TOKEN');
  const given = Buffer.from(authorization);
  const wanted = Buffer.from(`Bearer ${token}`);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw new Refused(401, 'the token is another one');
}

function expectMethod({ method }: IncomingMessage, wanted: string): void {
  if (method !== wanted) throw new Refused(405, `this is asked for by ${wanted}`);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  if (!/^application\/json\b/u.test(request.headers['content-type'] ?? '')) throw new Refused(415, 'a call is sent as application/json');
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_BODY) throw new Refused(413, `a call has at most ${MAX_BODY} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The manager checks the arguments: an error that it throws is the answer. */
function callOf(body: string): InspectorCall {
  let given: Partial<InspectorCall>;
  try {
    given = JSON.parse(body) ?? {};
  } catch {
    throw new Refused(400, 'the call is no JSON');
  }
  const { version, call, args } = given;
  if (version !== VERSION) throw new Refused(400, `\`version\` must be ${VERSION}`);
  if (!(CALLS as readonly unknown[]).includes(call)) throw new Refused(400, `\`call\` must be one of ${CALLS.join(', ')}`);
  if (!Array.isArray(args)) throw new Refused(400, '`args` must be a list');
  return given as InspectorCall;
}

/** Sends batches as they come, each once the reader has taken the earlier ones. */
async function stream({ source, readers, stallMs }: Serving, from: number, response: ServerResponse): Promise<void> {
  if (readers.size >= MAX_READERS) throw new Refused(503, `at most ${MAX_READERS} readers at once`);
  const reader = new AbortController();
  readers.add(reader);
  response.on('close', () => reader.abort());
  try {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(': subagents\n\n');
    for await (const batch of source.events(from, reader.signal)) {
      if (reader.signal.aborted) break;
      const isTaken = response.write(`event: batch\ndata: ${JSON.stringify(batch)}\n\n`);
      if (!isTaken && !(await drained(response, stallMs, reader.signal))) break;
    }
    response.end('event: end\ndata: {}\n\n');
  } catch (error) {
    response.end(`event: dropped\ndata: ${JSON.stringify({ message: error instanceof Error ? error.message : String(error) })}\n\n`);
  } finally {
    readers.delete(reader);
    if (!response.writableFinished) setTimeout(() => response.destroy(), 1_000).unref();
  }
}

/** Whether the reader took the sent data in time. */
async function drained(response: ServerResponse, stallMs: number, signal: AbortSignal): Promise<boolean> {
  const limit = AbortSignal.timeout(stallMs);
  try {
    await once(response, 'drain', { signal: AbortSignal.any([limit, signal]) });
    return true;
  } catch {
    response.destroy();
    return false;
  }
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}

function refuse(response: ServerResponse, error: unknown): void {
  // The source is itself a server, and has failed.
  const isBehind = error instanceof ServerTrouble;
  const status = error instanceof Refused ? error.status : isBehind ? 502 : 500;
  const message = error instanceof Refused || isBehind ? error.message : 'the server has failed';
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // The rest of the request is not read.
  response
    .writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' })
    .end(JSON.stringify({ ok: false, code: 'refused', message }));
}
