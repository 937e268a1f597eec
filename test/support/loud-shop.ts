import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventBodies } from './generated-events.js';
import { createOrders } from './generated-orders.js';
import { FLOOD_EVENTS, type LoudOrder, type LoudResult } from './loud-shops.js';

/**
 * A shop that sends as fast as it is answered, in a process of its own: it must not hold up the client that is measured. What
 * is refused for now is sent again, after the wait that the answer asks for. Messages: what to send, once, and `hush`; the
 * answer tells how it went.
 */
const CONNECTIONS = 8;
const BATCH = 250;
const EVENTS = 20;
/** A million orders end before today. */
const FIRST_ORDER_MS = Date.UTC(2022, 0, 1);

let isOver = false;
const result: LoudResult = { taken: 0, rejected: 0, refused: 0, withoutWait: 0, cents: 0 };

interface Body {
  items: number;
  cents: number;
  bytes: Buffer;
}

const cents = (money: string): number => Math.round(Number(money) * 100);

/** Each order is wrong, in one of some ways. */
const FAULTS: readonly ((order: object) => object)[] = [
  (order) => ({ ...order, total: 12.5 }),
  (order) => ({ ...order, total: '999999.99' }),
  (order) => ({ ...order, currency: 'JPY' }),
  (order) => ({ ...order, order_id: '' }),
  (order) => ({ ...order, customer: { id: '1', email: 'someone@example.com' } }),
  (order) => ({ ...order, placed_at: '2026-02-30T10:00:00Z' }),
];

function bodiesOf({ kind, key, items, apartMs }: LoudOrder): () => Body | undefined {
  let left = items;
  if (kind === 'flood') {
    const bodies = eventBodies(1, FLOOD_EVENTS / EVENTS, key, { events: EVENTS });
    let at = 0;
    return () => {
      const bytes = left > 0 ? bodies[at++ % bodies.length] : undefined;
      left -= EVENTS;
      return bytes === undefined ? undefined : { items: EVENTS, cents: 0, bytes };
    };
  }
  const next = createOrders(2, FIRST_ORDER_MS, apartMs);
  return () => {
    const orders = Array.from({ length: Math.max(0, Math.min(BATCH, left)) }, next);
    if (orders.length === 0) return undefined;
    left -= orders.length;
    const sent = kind === 'import' ? orders : orders.map((order, i) => FAULTS[i % FAULTS.length]?.(order) ?? order);
    const sum = orders.reduce((total, order) => total + cents(order.total), 0);
    return { items: orders.length, cents: sum, bytes: Buffer.from(JSON.stringify({ orders: sent })) };
  };
}

interface Answer {
  status: number;
  waitMs: number;
  text: string;
}

function post({ url, key, kind }: LoudOrder, bytes: Buffer, agent: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(kind !== 'flood' && { authorization: `Bearer ${key}` }),
      'content-type': kind === 'flood' ? 'text/plain' : 'application/json',
      'content-length': bytes.length,
      'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
    };
    const path = kind === 'flood' ? '/v1/collect' : '/v1/orders';
    const outgoing = request(url + path, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          waitMs: Number(response.headers['retry-after'] ?? 0) * 1000,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

/** Until it is taken. */
async function deliver(order: LoudOrder, { items, cents, bytes }: Body, agent: Agent): Promise<void> {
  for (;;) {
    const { status, waitMs, text } = await post(order, bytes, agent);
    if (status === 503 || status === 429) {
      result.refused++;
      if (waitMs === 0) result.withoutWait++;
      await sleep(waitMs);
      continue;
    }
    if (status !== (order.kind === 'flood' ? 204 : 200))
      throw new Error(`${order.kind}: ${status} ${text.slice(0, 500)}`);
    const rejected = status === 200 ? (JSON.parse(text) as { rejected: number }).rejected : 0;
    result.taken += items - rejected;
    result.rejected += rejected;
    if (rejected === 0) result.cents += cents;
    return;
  }
}

async function run(order: LoudOrder): Promise<LoudResult> {
  const next = bodiesOf(order);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let body = next(); body !== undefined && !isOver; body = next()) await deliver(order, body, agent);
    }),
  );
  agent.destroy();
  return result;
}

process.once('disconnect', () => process.exit());
process.on('message', (message: LoudOrder | 'hush') => {
  if (message === 'hush') isOver = true;
  else void run(message).then((done) => process.send?.(done));
});
