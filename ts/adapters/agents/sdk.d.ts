// The types of `@agentclientprotocol/sdk` that are used; programs that use it install it.

export interface AcpMessage {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: unknown;
}
export interface AcpStream {
  readonly readable: ReadableStream<AcpMessage>;
  readonly writable: WritableStream<AcpMessage>;
}
export interface AcpClientConnection {
  readonly agent: {
    request(method: string, params?: unknown): Promise<unknown>;
    notify(method: string, params?: unknown): Promise<void>;
  };
  close(error?: unknown): void;
}
export interface AcpClient {
  onRequest(
    method: string,
    read: (params: unknown) => unknown,
    answer: (request: { params: unknown; signal: AbortSignal }) => unknown,
  ): AcpClient;
  connect(stream: AcpStream): AcpClientConnection;
}
export declare function client(options?: { name?: string }): AcpClient;
