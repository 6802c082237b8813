// A manager in another process, behind a server that `serveInspector` started, as a source. Owns the page's end of its
// protocol, and the error, with a remedy, if the server doesn't answer as it should.

import type { CallAnswer, InspectorBatch, InspectorSource, SourceInfo } from 'subagents/view';
import { VERSION } from './sources.js';

/** An error of a server, or of the connection to it. */
export type Trouble =
  /** It wants a token, or another one. */
  | 'token'
  /** It takes no pages of this origin. */
  | 'origin'
  /** Nothing answers. */
  | 'gone'
  /** It answers, and refuses or fails. */
  | 'refused';

/** The reason why a server sends nothing. The message is for a person, with a remedy. */
export class ServerTrouble extends Error {
  readonly trouble: Trouble;

  constructor(trouble: Trouble, message: string) {
    super(message);
    this.trouble = trouble;
  }
}

/** The place of a server, and its token if the address has one: `http://127.0.0.1:7777/#token=…`, as the server prints it. */
export function readAddress(text: string, base?: string): { readonly address: string; readonly token: string | undefined } {
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError(`${text} is no address of a server: it begins with http://`);
  const token = new URLSearchParams(url.hash.slice(1)).get('token') ?? undefined;
  return { address: `${url.origin}${url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1)}`, token };
}

/** Callbacks about the token. */
export interface TokenKeeper {
  readonly token: string | undefined;
  /** The server took it. */
  accepted?(): void;
  /** It is not the server's, or there was none. */
  refused?(): void;
}

/** @param address The address of the server's page, with a slash at its end. */
export function serverSource(address: string, keeper: TokenKeeper): InspectorSource {
  const { token } = keeper;
  const { origin } = new URL(address);
  const found = 'It stands behind `#token=` in the address that the server has printed.';
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    let response: Response;
    try {
      // Requested without a token, too: first it must be known whether anything answers there.
      const shown = token === undefined ? undefined : { Authorization: `Bearer ${token}` };
      response = await fetch(new URL(path, address), { ...init, headers: { ...init.headers, ...shown } });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw await silent(address);
    }
    if (response.ok) return response;
    const said = await saidBy(response);
    if (response.status === 401 && token === undefined)
      throw new ServerTrouble('token', `The server at ${origin} wants its token. ${found}`);
    if (response.status === 401) {
      keeper.refused?.();
      throw new ServerTrouble('token', `That is not the token of the server at ${origin}. ${found}`);
    }
    if (response.status === 403) throw foreign(origin);
    if (said === undefined) throw new ServerTrouble('refused', `What answers at ${origin} is no inspector's server (${response.status}).`);
    throw new ServerTrouble('refused', `The server at ${origin} says: ${said}`);
  };
  return {
    info: async () => {
      const response = await ask('api/info');
      const info = (await response.json().catch(() => undefined)) as SourceInfo | undefined;
      if (typeof info?.last !== 'number') throw new ServerTrouble('refused', `What answers at ${origin} is no inspector's server.`);
      keeper.accepted?.();
      return info;
    },
    async *events(from, signal): AsyncGenerator<InspectorBatch> {
      const { body } = await ask(`api/events?from=${from}`, { signal: signal ?? null });
      try {
        yield* batches(body ?? new ReadableStream());
      } catch (error) {
        if (signal?.aborted || error instanceof ServerTrouble) throw error;
        throw await silent(address);
      }
    },
    call: async (call) => {
      try {
        const headers = { 'Content-Type': 'application/json' };
        const body = JSON.stringify({ version: VERSION, ...call });
        return (await (await ask('api/call', { method: 'POST', body, headers })).json()) as CallAnswer;
      } catch (error) {
        return { error: { code: 'unreachable', message: error instanceof Error ? error.message : String(error) } };
      }
    },
  };
}

/** The batches of a stream of server-sent events. */
async function* batches(body: ReadableStream<Uint8Array>): AsyncGenerator<InspectorBatch> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) throw new Error('the stream ended in the middle');
      text += value;
      const messages = text.split('\n\n');
      text = messages.pop() ?? '';
      for (const message of messages) {
        const data = message.slice(message.indexOf('\ndata: ') + 7);
        if (message.startsWith('event: batch\n')) yield JSON.parse(data) as InspectorBatch;
        else if (message.startsWith('event: end\n')) return;
        else if (message.startsWith('event: dropped\n'))
          throw new ServerTrouble('refused', `The server dropped this page: ${(JSON.parse(data) as { message: string }).message}`);
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function saidBy(response: Response): Promise<string | undefined> {
  const { message } = ((await response.json().catch(() => null)) ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : undefined;
}

/**
 * If the server refuses this origin, a page learns only that its request failed. A request that needs no permission may show
 * more.
 */
async function silent(address: string): Promise<ServerTrouble> {
  const { origin } = new URL(address);
  const own = pageOrigin();
  const isForeign = own !== undefined && own !== origin;
  if (isForeign) {
    const status = await fetch(new URL('api/info', address)).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 403) return foreign(origin);
  }
  const other = isForeign ? ` Or it takes no pages of ${own}: it is then started with \`origins: ['${own}']\`.` : '';
  return new ServerTrouble('gone', `Nothing answers at ${origin}: the program that served it has ended, or serves another port.${other}`);
}

function foreign(origin: string): ServerTrouble {
  const own = pageOrigin();
  const way = own === undefined ? '' : `Start it with \`origins: ['${own}']\`, or open its own page.`;
  return new ServerTrouble('origin', `The server at ${origin} takes no pages of ${own ?? 'this origin'}. ${way}`.trimEnd());
}

function pageOrigin(): string | undefined {
  return (globalThis as { location?: { origin: string } }).location?.origin;
}
