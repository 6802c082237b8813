// An agent's process, over the official SDK of the Agent Client Protocol. Filters what reaches the SDK: it drops
// invalid lines, duplicate answers, unknown updates.

import { mistake } from '../mistake.js';
import type { AcpPermissionAnswer, AcpPermissionRequest, AcpUpdate } from './acp-types.js';
import { AgentProcess, type ProcessOptions } from './agent-process.js';
import type { AcpClientConnection, AcpMessage, client } from './sdk.js';

/** The messages and requests that an agent sends by itself. */
export interface AcpListener {
  update(update: AcpUpdate, sessionId: unknown): void;
  permission(request: AcpPermissionRequest): Promise<AcpPermissionAnswer>;
}

export class AcpConnection {
  readonly process: AgentProcess;
  /** The first line that was no message, such as a banner. */
  firstBanner: string | undefined;
  private readonly connection: AcpClientConnection;
  /** Ids of requests that nothing has answered yet. */
  private readonly open = new Set<string | number>();
  private enqueue: ((message: AcpMessage) => void) | undefined;
  private listener: AcpListener | undefined;

  static async start(options: Omit<ProcessOptions, 'onLine'>): Promise<AcpConnection> {
    const sdk = await loadSdk();
    let connection: AcpConnection | undefined;
    const process = await AgentProcess.start({ ...options, onLine: (line) => connection?.read(line) });
    connection = new AcpConnection(sdk.client, process);
    return connection;
  }

  private constructor(makeClient: typeof client, process: AgentProcess) {
    this.process = process;
    const readable = new ReadableStream<AcpMessage>({
      start: (controller) => {
        this.enqueue = (message) => controller.enqueue(message);
      },
    });
    const writable = new WritableStream<AcpMessage>({
      write: (message) => {
        if (message.method !== undefined && message.id !== undefined && message.id !== null) this.open.add(message.id);
        process.write(`${JSON.stringify(message)}\n`);
      },
    });
    this.connection = makeClient({ name: 'subagents' })
      .onRequest(
        'session/request_permission',
        (params) => params,
        ({ params }) => this.listener?.permission(params as AcpPermissionRequest) ?? { outcome: { outcome: 'cancelled' } },
      )
      .connect({ readable, writable });
    void process.closed.then(({ code, signal, error }) => {
      this.enqueue = undefined;
      const words = process.errors.trim();
      const last = words === '' ? '' : `; it said: ${words.slice(-300)}`;
      this.connection.close(error ?? new Error(`the agent's process ended (${signal ?? `code ${code}`})${last}`));
    });
  }

  /** Sets the listener for the agent's messages and requests. */
  listen(listener: AcpListener | undefined): void {
    this.listener = listener;
  }

  async request<Answer>(method: string, params: object): Promise<Answer> {
    return ((await this.connection.agent.request(method, params)) ?? {}) as Answer;
  }

  notify(method: string, params: object): void {
    this.connection.agent.notify(method, params).catch(() => undefined);
  }

  private read(line: string): void {
    const message = messageIn(line);
    if (message === undefined) {
      if (/\S/.test(line)) this.firstBanner ??= line.trim().slice(0, 200);
      return;
    }
    const { method, id } = message;
    if (method === undefined) {
      // A second answer to one request.
      if (id === undefined || id === null || !this.open.delete(id)) return;
    } else if (id === undefined) {
      if (method === 'session/update') this.update(message.params);
      if (method !== '$/cancel_request') return;
    }
    this.enqueue?.(message);
  }

  private update(params: unknown): void {
    const { update, sessionId } = (params ?? {}) as { update?: unknown; sessionId?: unknown };
    if (typeof update === 'object' && update !== null) this.listener?.update(update as AcpUpdate, sessionId);
  }
}

function messageIn(line: string): AcpMessage | undefined {
  if (!/^\s*\{/.test(line)) return undefined;
  try {
    return JSON.parse(line) as AcpMessage;
  } catch {
    return undefined;
  }
}

async function loadSdk(): Promise<{ client: typeof client }> {
  try {
    return await import('@agentclientprotocol/sdk');
  } catch (error) {
    const code = (error as { code?: unknown } | null)?.code;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
    throw mistake('acpAgent needs the package @agentclientprotocol/sdk, which is not installed: npm install @agentclientprotocol/sdk zod');
  }
}
