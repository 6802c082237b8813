// A connection that can be lost: a port of the loopback that passes all on to another one, until it is cut. Owns that what is
// cut is silent, as a network that is gone: no connection is closed or refused, and nothing comes through.

import { createServer, type Socket, connect as to } from 'node:net';

export interface Cable {
  readonly connection: { host: string; port: number };
  /** Nothing comes through any more, until it is mended. */
  cut(): void;
  /** New connections come through; those from before the cut are closed. */
  mend(): void;
  close(): Promise<void>;
}

export async function cableTo(port: number): Promise<Cable> {
  const host = '127.0.0.1';
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    open.add(near);
    near.on('error', () => undefined).on('close', () => open.delete(near));
    if (isCut) return void near.pause();
    const far = to({ host, port });
    open.add(far);
    far.on('error', () => undefined).on('close', () => open.delete(far));
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    connection: { host, port: (server.address() as { port: number }).port },
    cut() {
      isCut = true;
      for (const socket of open) {
        socket.unpipe();
        socket.pause();
      }
    },
    mend() {
      isCut = false;
      for (const socket of open) socket.destroy();
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
