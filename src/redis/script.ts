import { hash } from 'node:crypto';
import type { Redis } from 'ioredis';

/** Runs a Lua script by its hash; the text is sent only if Redis does not know it yet. */
export type Script = (keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;

/**
 * The driver's own `defineCommand` is not used: a pipeline that had begun before would not know the new command, and the process
 * would end with an error that can't be caught.
 */
export function script(redis: Redis, lua: string): Script {
  const sha1 = hash('sha1', lua);
  return async (keys, args) => {
    try {
      return await redis.evalsha(sha1, keys.length, ...keys, ...args);
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('NOSCRIPT')) {
        return redis.eval(lua, keys.length, ...keys, ...args);
      }
      throw error;
    }
  };
}
