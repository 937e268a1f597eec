import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ranges from which Linux and macOS take the ports of outgoing connections, so a kept port stays free. */
const first = 20_000;
const last = 31_999;

/** Whether a server could listen on this port now. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * A port nobody listens on, outside the range of outgoing connections.
 * Throws when a hundred random ports are all taken, or when `host` is no address of this machine.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(first, last + 1);
    if (await isPortFree(port, host)) return port;
  }
  throw new Error(`no free port between ${first} and ${last} on ${host}`);
}
