import { ReplyError, type Redis } from 'ioredis';
import { RequestError, unavailable } from '../errors.js';

/** A Redis that says nothing for this long, though it was asked, is away. */
const SILENT_MS = 1_500;
/** Answers of a Redis that works, but can't do what it is asked at the moment. */
const PASSING = /^(OOM|LOADING|MISCONF|READONLY|BUSY|MASTERDOWN|NOREPLICAS|TRYAGAIN|CLUSTERDOWN)\b/;

/**
 * Keeps every wait for Redis within bounds. A connection on which nothing is answered is cut: what waits on it fails, and
 * what is asked until Redis speaks again fails at once, so that a request with several questions waits once, and no more piles
 * up than what comes in that time. Every such failure is `store_unavailable`; its cause stays for the log.
 */
export function boundWaits(redis: Redis): Redis {
  let waiting = 0;
  let heardAt = 0;
  let watch: NodeJS.Timeout | undefined;

  const look = (): void => {
    watch = undefined;
    if (waiting === 0) return;
    const silence = Date.now() - heardAt;
    if (silence < SILENT_MS) watchFor(SILENT_MS - silence);
    else cut(redis);
  };
  // One look at the sockets later: what arrived while this process itself was held up counts as heard.
  const watchFor = (ms: number): void => {
    watch = setTimeout(() => setImmediate(look), ms);
  };

  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const { resolve, reject } = command;
    let isSettled = false;
    const settle = (isHeard: boolean): void => {
      if (isHeard) heardAt = Date.now();
      if (!isSettled) waiting--;
      isSettled = true;
    };
    command.resolve = (value) => {
      settle(true);
      resolve(value);
    };
    command.reject = (error) => {
      settle(error instanceof ReplyError);
      reject(toUnavailable(error));
    };
    if (waiting++ === 0) heardAt = Date.now();
    if (watch === undefined) watchFor(SILENT_MS);
    return send(command, stream);
  };

  // Until Redis was there once, what is asked waits for it: so nobody has to wait for the start.
  redis.once('ready', () => (redis.options.enableOfflineQueue = false));
  return redis;
}

function cut({ stream }: { stream?: Redis['stream'] }): void {
  stream?.destroy(new Error(`nothing was answered for ${SILENT_MS} ms`));
}

function toUnavailable(error: Error): Error {
  if (error instanceof RequestError) return error;
  if (error instanceof ReplyError && !PASSING.test(error.message)) return error;
  return unavailable('store_unavailable', 'The service can’t reach its state; try again shortly.', error);
}
