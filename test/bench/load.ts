import { Agent, request } from 'node:http';
import { orderBodies } from '../support/generated-orders.js';

/** What the load process is told to do. */
export interface LoadOrder {
  url: string;
  /** Of the shops that the requests go to, in turns. */
  keys: readonly string[];
  seed: number;
  /** Sent in place of generated orders. */
  bodies?: readonly string[];
  /** Requests, each with its own orders. */
  batches: number;
  batchSize: number;
  /** Connections kept open, each with one request under way. */
  connections: number;
}

/** How it went. `seconds` runs from the first byte sent to the last answer; generating the bodies is outside of it. */
export interface LoadResult {
  seconds: number;
  /** Answers by status. */
  statuses: Record<string, number>;
}

/** The load process: makes the bodies of a run beforehand and sends them as fast as the connections take them. */
process.on('message', (order: LoadOrder) => {
  void run(order).then((result) => process.send?.(result));
});

async function run({
  url,
  keys,
  seed,
  bodies: given,
  batches,
  batchSize,
  connections,
}: LoadOrder): Promise<LoadResult> {
  const bodies = given?.map((body) => Buffer.from(body)) ?? orderBodies(seed, batches, batchSize);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const statuses: Record<string, number> = {};
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let body = bodies.pop(); body; body = bodies.pop()) {
        const status = await post(url, keys[bodies.length % keys.length] ?? '', body, agent);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  return { seconds, statuses };
}

function post(url: string, key: string, body: Buffer, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': body.length,
    };
    const outgoing = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
