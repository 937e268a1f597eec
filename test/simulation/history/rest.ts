import { QUEUES } from '../../../src/queue/jobs.js';
import { NEW_LOCKS } from '../../../src/redis/sources.js';
import type { HistoryRecord } from './record.js';
import type { World } from '../world/world.js';

/** After so long without work all wait for a time to come: it is let come at once. */
const QUIET_MS = 60;
const SKIP_MS = 900;

/** Lets time pass; where all wait for nothing but time, it passes at once. */
export async function passTime(world: World, isOver: () => boolean, untilMs: number): Promise<boolean> {
  const { scheduler } = world;
  while (scheduler.now() < untilMs) {
    const next = Math.min(untilMs, scheduler.now() + QUIET_MS);
    if (await scheduler.run(isOver, next)) return true;
    scheduler.jump(Math.max(0, next - scheduler.now()));
    if (world.underWay === 0 && scheduler.now() - world.busyAt > QUIET_MS) scheduler.jump(SKIP_MS);
  }
  return isOver();
}

const REBUILD_QUEUES = ['rebuild:fresh', 'rebuild:history', 'rebuild:costs', 'rebuild:orders'];

/** No push waits for an answer, no job waits or runs, no day waits for its rebuild, nothing is on its way into the warehouse. */
export function isAtRest({ queue, redis, underWay }: World, { open }: HistoryRecord): boolean {
  if (underWay > 0 || [...open.values()].some((process) => process === null || process.isAlive)) return false;
  for (const name of QUEUES) {
    const { waiting, active, delayed, failed } = queue.counts(name);
    if (waiting + active + delayed + failed > 0) return false;
  }
  return REBUILD_QUEUES.every((name) => redis.execute('hlen', [`${name}:tokens`]) === 0);
}

/** No reservation is left, and the warehouse knows all locks. */
export const isSwept = ({ redis }: World): boolean =>
  redis.execute('zcard', ['reservations']) === 0 && redis.execute('scard', [NEW_LOCKS]) === 0;
