import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Redis } from 'ioredis';

/**
 * What accepting orders is held against: the least that any server must do with such a request. It reads the body, parses
 * it as JSON and stores the same bytes in Redis under a key of their own.
 */
process.once('message', ({ redisUrl }: { redisUrl: string }) => {
  const redis = new Redis(redisUrl);
  let requests = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const { orders } = JSON.parse(body.toString()) as { orders: unknown[] };
      void redis.set(`bare:${requests++}`, body, 'EX', 5).then(() => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ accepted: orders.length }));
      });
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
