import type { AddressInfo } from 'node:net';
import { Queue } from 'bullmq';
import express from 'express';
import { Redis } from 'ioredis';
import { collectEventValidator } from '../../src/schemas/collect.js';
import { orderValidator } from '../../src/schemas/orders.js';

/**
 * What the same packages come to when they are put together as their documentation shows: Express, `express.json`, AJV, and
 * a BullMQ job for each request. It knows no keys, limits, rules, versions or personal data.
 */
process.once('message', ({ redisUrl }: { redisUrl: string }) => {
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const queue = new Queue('plain', { connection, prefix: 'bench', defaultJobOptions: { removeOnComplete: true } });
  const app = express();
  app.use(express.json({ limit: '4mb', type: () => true }));
  app.post('/v1/collect', async (request, response) => {
    const { events } = request.body as { events: unknown[] };
    await queue.add(
      'events',
      events.filter((event) => collectEventValidator.is(event)),
    );
    response.status(204).end();
  });
  app.post('/v1/orders', async (request, response) => {
    const { orders } = request.body as { orders: unknown[] };
    const accepted = orders.filter((order) => orderValidator.is(order));
    await queue.add('orders', accepted);
    response.json({ accepted: accepted.length });
  });
  const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
