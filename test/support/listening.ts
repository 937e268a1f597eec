import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BACKLOG } from '../../src/http/server.js';

export interface Listening {
  url: string;
  port: number;
  /** Closes every connection too. */
  stop: () => Promise<void>;
}

/** Has a server listen on this machine alone, on a free port unless told otherwise. Throws when it can't. */
export async function listening(server: Server, asked = 0, host = '127.0.0.1'): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ port: asked, host, backlog: BACKLOG }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
