import { unavailable } from '../../../src/errors.js';
import type { QueueName } from '../../../src/queue/jobs.js';
import { createQueueServer, type QueueServer } from '../queue/server.js';
import type { Bell } from '../queue/clients.js';
import type { Call } from '../redis/client.js';
import { createRedisServer, type RedisServer } from '../redis/server.js';
import { createTables, type Tables } from '../warehouse/tables.js';
import { NO_FAULTS, type Faults } from './faults.js';
import { createScheduler, type Process, type Scheduler } from './scheduler.js';

/** The stores of a history, the network between, and what goes wrong with them. */
export interface World {
  readonly scheduler: Scheduler;
  readonly redis: RedisServer;
  readonly queue: QueueServer;
  readonly bell: Bell;
  readonly tables: Tables;
  faults: Faults;
  isRedisDown: boolean;
  isWarehouseDown: boolean;
  /** Its tables are replicated: they know blocks that they have taken before. */
  isReplicated: boolean;
  readonly blocks: Set<string>;
  /** Orders whose rows the warehouse refuses. */
  readonly poisoned: Set<string>;
  /** Those that it refuses or has refused: a push with one of them may be a dead letter. */
  readonly everPoisoned: Set<string>;
  /** Changes with each failover: what was under way then is lost. */
  generation: number;
  /** Inserts and queries that the warehouse works on. */
  underWay: number;
  /** Queries that came to nothing. */
  failedQueries: number;
  /** When a store was last changed by more than a look for work. */
  busyAt: number;
  process: (name: string) => Process;
  /** A connection to Redis: what is sent first arrives first. */
  connect: (process: Process) => Call;
  /** A short time on the way. */
  travelMs: () => number;
}

export function createWorld(seed: number): World {
  const scheduler = createScheduler(seed);
  const { random, now, at } = scheduler;
  const redis = createRedisServer(() => Math.floor(now() * 1000));
  const bell: Bell = new Map<QueueName, Set<() => void>>();
  const travelMs = (): number => 0.1 + random.next() * random.next() * 3;

  const world: World = {
    scheduler,
    redis,
    queue: createQueueServer(redis.keys),
    bell,
    tables: createTables(),
    faults: NO_FAULTS,
    isRedisDown: false,
    isWarehouseDown: false,
    poisoned: new Set(),
    everPoisoned: new Set(),
    isReplicated: random.chance(0.5),
    blocks: new Set(),
    generation: 0,
    underWay: 0,
    failedQueries: 0,
    busyAt: 0,
    travelMs,
    process: (name) => ({ name, isAlive: true, pausedUntil: 0, skewMs: 0 }),
    connect(process) {
      let last = 0;
      return <T>(work: () => T) =>
        new Promise<T>((resolve, reject) => {
          const { generation } = world;
          const lost = (): void =>
            reject(unavailable('store_unavailable', 'Redis is away.', new Error('no connection')));
          last = Math.max(last, now() + travelMs());
          at(last, null, () => {
            const back = (end: () => void): void => void at(now() + travelMs(), process, end);
            if (world.isRedisDown || generation !== world.generation || random.chance(world.faults.redisLost)) {
              back(lost);
              return;
            }
            let value: T;
            try {
              value = work();
            } catch (error) {
              back(() => reject(error instanceof Error ? error : new Error(String(error))));
              return;
            }
            const isLost = random.chance(world.faults.replyLost);
            back(() => (isLost || generation !== world.generation ? lost() : resolve(value)));
          });
        });
    },
  };
  return world;
}
