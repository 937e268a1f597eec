import { Redis, type CommonRedisOptions } from 'ioredis';
import { boundWaits } from './bounds.js';

/** The address of a Redis. */
export interface RedisServer {
  /** With Sentinels, the host is the name of the master that they watch, and a port is ignored. */
  url: string;
  /** The Sentinels that know the current master; absent: the server at the address. */
  sentinels?: Sentinels | undefined;
}

export interface Sentinels {
  addresses: readonly { host: string; port: number }[];
  password?: string | undefined;
}

/** Commands on a lost connection fail, and callers repeat them. */
const FAIL_FAST = { maxRetriesPerRequest: 0, autoResendUnfulfilledCommands: false, connectTimeout: 2_000 } as const;
/** A worker waits up to 10 s for a job, so a connection that is silent for longer than this is dead. */
const WAITING = { maxRetriesPerRequest: null, socketTimeout: 30_000 } as const;

/** A connection for state: commands fail fast while Redis is away, so that requests are answered in time. */
export function connectState(server: RedisServer): Redis {
  return boundWaits(open(server, { ...FAIL_FAST, enableAutoPipelining: true }));
}

/** A connection that adds jobs to a queue: it fails at once while Redis is away. */
export function connectProducer(server: RedisServer): Redis {
  return boundWaits(open(server, { ...FAIL_FAST, enableOfflineQueue: false }));
}

/** A connection that takes jobs: it never gives up on a command, and waits while Redis restarts. */
export function connectWorker(server: RedisServer): Redis {
  return open(server, WAITING);
}

/** How the driver finds the server: by its address, or by asking the Sentinels for the master of that name. */
export function sentinelOptions({ url, sentinels }: RedisServer) {
  if (sentinels === undefined) return {};
  return {
    sentinels: [...sentinels.addresses],
    name: new URL(url).hostname,
    enableTLSForSentinelMode: new URL(url).protocol === 'rediss:',
    ...(sentinels.password !== undefined && { sentinelPassword: sentinels.password }),
    // Without the driver's `failoverDetector`: when it tells of a failover while a connection is being made, the driver gives
    // that one up for good. A connection that hangs on the old master is closed by its silence.
  };
}

type Behaviour = Omit<CommonRedisOptions, 'replyMapping'>;

function open(server: RedisServer, options: Behaviour): Redis {
  const redis = new Redis(server.url, {
    ...options,
    ...sentinelOptions(server),
    retryStrategy: retryDelay,
    sentinelRetryStrategy: retryDelay,
    // The old master has become a replica: find the new master.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  redis.on('error', () => undefined); // each failed command, or the queue or worker on top, reports itself
  return redis;
}

const retryDelay = (attempt: number): number => Math.min(50 * 2 ** Math.min(attempt, 6), 2_000);
