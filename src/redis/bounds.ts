import { ReplyError, type Redis } from 'ioredis';
import { RequestError, unavailable } from '../errors.js';

/** A Redis that answers nothing for this long counts as away. */
const SILENT_MS = 1_500;
/**
 * Errors of a Redis that answers but cannot serve at the moment. A transaction fails with `EXECABORT` when one of its commands got one of
 * the others.
 */
const PASSING = /^(OOM|LOADING|MISCONF|READONLY|BUSY|MASTERDOWN|NOREPLICAS|TRYAGAIN|CLUSTERDOWN|EXECABORT)\b/;

/**
 * Bounds every wait for Redis. A silent connection is closed: commands that wait on it fail, and new ones fail at once until Redis
 * answers again. So a request with several commands waits only once, and waiting commands cannot pile up. Every such failure is
 * `store_unavailable`, with its cause for the log.
 */
export function boundWaits(redis: Redis): Redis {
  let waiting = 0;
  let heardAt = 0;
  let watch: NodeJS.Timeout | undefined;

  const look = (): void => {
    watch = undefined;
    if (waiting === 0) return;
    const silence = performance.now() - heardAt;
    if (silence < SILENT_MS) watchFor(SILENT_MS - silence);
    else cut(redis);
  };
  // One iteration of the event loop later, so that answers that arrived while this process was blocked count. Who waits for an
  // answer has a connection open; a process with nothing left to do ends without this.
  const watchFor = (ms: number): void => {
    watch = setTimeout(() => setImmediate(look), ms).unref();
  };

  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const { resolve, reject } = command;
    let isSettled = false;
    const settle = (isHeard: boolean): void => {
      if (isHeard) heardAt = performance.now();
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
    if (waiting++ === 0) heardAt = performance.now();
    if (watch === undefined) watchFor(SILENT_MS);
    return send(command, stream);
  };

  // Commands wait for the first connection, so that callers need not.
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
