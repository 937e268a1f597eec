import type { Redis } from 'ioredis';
import { QUEUE_PREFIX, type QueueName } from './jobs.js';

/** The jobs of a queue at a moment. */
export interface QueueState {
  waiting: number;
  active: number;
  /** Failed for a temporary reason and wait for their next try. */
  delayed: number;
  /** Dead letters. */
  failed: number;
  /** Jobs that were ever added. */
  added: number;
  /** Bytes of the open jobs: their number times the mean of a sample. */
  bytes: number;
  /** Age of the oldest job that no worker has tried, in milliseconds; 0 if there is none. */
  oldestMs: number;
}

/** Number of jobs that are read for the mean size, and to find the oldest untried one. */
const SAMPLE = 16;
const OLDEST = 32;

/**
 * KEYS: the key prefix of each queue. Workers take jobs from the end of `wait`. A job that was tried before (`ats`) does not show how far
 * workers are behind.
 */
const SCRIPT = `
local sample, oldest = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local found = {}
for _, queue in ipairs(KEYS) do
  local wait, active = queue .. ':wait', queue .. ':active'
  local waiting, running = redis.call('LLEN', wait), redis.call('LLEN', active)
  local delayed = redis.call('ZCARD', queue .. ':delayed')
  local seen, bytes = 0, 0
  for _, list in ipairs({{wait, waiting}, {active, running}}) do
    local step = math.max(1, math.floor(list[2] / sample))
    for i = 0, list[2] - 1, step do
      local id = redis.call('LINDEX', list[1], i)
      if id then
        bytes = bytes + redis.call('HSTRLEN', queue .. ':' .. id, 'data')
        seen = seen + 1
      end
    end
  end
  local mean = seen > 0 and bytes / seen or 0
  local age = 0
  for _, id in ipairs(redis.call('LRANGE', wait, -oldest, -1)) do
    local job = redis.call('HMGET', queue .. ':' .. id, 'timestamp', 'ats')
    if job[1] and not job[2] then age = math.max(age, now - tonumber(job[1])) end
  end
  found[#found + 1] = {
    waiting, running, delayed, redis.call('ZCARD', queue .. ':failed'), tonumber(redis.call('GET', queue .. ':id') or '0'),
    math.floor(mean * (waiting + running + delayed)), math.floor(age)
  }
end
return found`;

/** The states of queues of one Redis, in one call that costs the same however long they are. */
export async function readQueueStates(redis: Redis, queues: readonly QueueName[]): Promise<Map<QueueName, QueueState>> {
  const keys = queues.map((name) => `${QUEUE_PREFIX}:${name}`);
  const rows = (await redis.eval(SCRIPT, keys.length, ...keys, SAMPLE, OLDEST)) as number[][];
  const states = queues.map((name, i): [QueueName, QueueState] => {
    const [waiting = 0, active = 0, delayed = 0, failed = 0, added = 0, bytes = 0, oldestMs = 0] = rows[i] ?? [];
    return [name, { waiting, active, delayed, failed, added, bytes, oldestMs }];
  });
  return new Map(states);
}
