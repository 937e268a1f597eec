import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import type { OrderInput } from '../../src/domain/orders/orders.js';
import { localDayIn } from '../../src/domain/zones/local-day.js';
import { faultsOf } from '../../src/ingest/order-results.js';
import { packParts } from '../../src/queue/segments.js';
import { createOrderEncoder, ORDER_DAYS_HEAD, ORDERS_HEAD } from '../../src/warehouse/columns/orders.js';

/**
 * The least that taking orders can cost with what the service promises of an order: bare HTTP, one parse, its schema and rules, its
 * rows, and one write to Redis. It knows no keys, limits, versions, warnings or personal data.
 */
process.once('message', ({ redisUrl }: { redisUrl: string }) => {
  const redis = new Redis(redisUrl);
  let requests = 0;

  const take = async (body: Buffer): Promise<number> => {
    const { orders } = JSON.parse(body.toString()) as { orders: OrderInput[] };
    const context = { currency: 'GBP', nowMicros: Date.now() * 1_000 };
    const encoder = createOrderEncoder();
    encoder.begin('floor', localDayIn('Europe/London'));
    const accepted = orders.filter((order) => faultsOf(order, context, undefined, 1).length === 0);
    for (const order of accepted) encoder.add(order);
    const rows = encoder.rows(
      accepted.map(() => true),
      1,
    );
    const packed = await packParts([[ORDERS_HEAD], [rows.orders], [ORDER_DAYS_HEAD], [rows.orderDays]]);
    await redis.set(`floor:${requests++}`, packed, 'EX', 5);
    return accepted.length;
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void take(Buffer.concat(chunks)).then((accepted) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ accepted }));
      });
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
