import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ranges from which Linux and macOS take the ports of outgoing connections, so a remembered port stays free. */
const FIRST = 20_000;
const PORTS = 12_000;
const MAX_TAKEN = 1_000;

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

/** Where this process begins. Places by its id would be the same for two processes whose ids are some hundred apart. */
const start = randomInt(PORTS);
let drawn = 0;

/**
 * A port that no one listens on, outside the range of outgoing connections. Some seconds may pass until the caller listens on it, so a
 * process gets each port once, and other processes begin in another part of the range.
 * Throws when a thousand ports in a row are taken, or when `host` is no address of this machine.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < MAX_TAKEN; attempt++) {
    const port = FIRST + ((start + drawn++) % PORTS);
    if (await isPortFree(port, host)) return port;
  }
  throw new Error(`no free port between ${FIRST} and ${FIRST + PORTS - 1} on ${host}`);
}
