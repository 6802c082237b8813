// Node's HTTP requests as web requests, and answers back. Owns the user of a request: it has a token of the server, and
// no page of another origin sent it.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/** The user whose token a request carries; undefined if it carries none, or if another site's page made a browser send it. */
export function principalOf({ headers }: IncomingMessage, tokens: ReadonlyMap<string, string>): string | undefined {
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/u.test(headers.host ?? '') || headers.origin !== undefined) return undefined;
  const given = /^Bearer (.+)$/iu.exec(headers.authorization ?? '')?.[1] ?? '';
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  let found: string | undefined;
  for (const [name, token] of tokens) if (timingSafeEqual(digest(token), digest(given))) found = name;
  return found;
}

/** A request; its signal fires if the client disconnects before the answer. */
export function requestFrom(request: IncomingMessage, response: ServerResponse): Request {
  const gone = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const { method = 'GET' } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(`http://${headers.get('host')}${request.url ?? '/'}`, {
    method,
    headers,
    signal: gone.signal,
    ...(hasBody && { body: Readable.toWeb(request) as never, duplex: 'half' }),
  });
}

/** Sends an answer as it comes. */
export async function respond(response: ServerResponse, answer: Response): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) {
    response.end();
    return;
  }
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    if (response.destroyed) break;
    response.write(chunk);
  }
  response.end();
}
