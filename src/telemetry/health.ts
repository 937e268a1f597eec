import { networkInterfaces } from 'node:os';
import { askRedis } from '../redis/one-connection.js';
import type { RedisServer } from '../redis/redis.js';

/** A worker's connections speak at least every few seconds; one that is silent for this long hangs. */
const SILENT_SECONDS = 30;

/** Whether the API of this machine or container can serve. */
export async function apiIsHealthy(port: number): Promise<boolean> {
  const signal = AbortSignal.timeout(5_000);
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { headers: { Connection: 'close' }, signal });
  await answer.body?.cancel();
  return answer.status === 200;
}

/**
 * Whether a worker of this machine or container waits for jobs or works on some: Redis lists its connections, and when
 * each last spoke. A process that hangs keeps its connections but says nothing.
 * Throws when Redis can't be asked.
 */
export async function workerIsHealthy(server: RedisServer): Promise<boolean> {
  const own = Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).map(({ address }) => address),
  );
  const list = (await askRedis(server, (redis) => redis.client('LIST'), 4_000)) as string;
  const connections = list.split('\n').filter((line) => {
    const address = /\baddr=(\S+):\d+ /.exec(line)?.[1]?.replace(/^\[|\]$/g, '') ?? '';
    return own.includes(address) && !line.includes(' cmd=client|list ');
  });
  const speaks = (line: string) => Number(/\bidle=(\d+) /.exec(line)?.[1] ?? Infinity) < SILENT_SECONDS;
  // BullMQ names the connection on which a worker waits; while it works, it speaks on its other one.
  return connections.some((line) => line.includes(' name=bull:')) && connections.some(speaks);
}
