import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { sourceFile } from '../paths.js';

/** Runs a Lua script by its hash; the text is sent only if Redis does not know it yet. `input` is its first argument, as JSON. */
export type Script = (
  keys: readonly string[],
  input: Readonly<Record<string, unknown>>,
  others?: readonly (string | Buffer)[],
) => Promise<unknown>;

/** A file of `scripts/`, with those that its comments `-- @include NAME` name in their place. */
function luaFile(name: string): string {
  const text = readFileSync(sourceFile(`redis/scripts/${name}.lua`), 'utf8');
  return text.replace(/^-- @include (\S+)$/gm, (_, other: string) => luaFile(other));
}

/**
 * The driver's own `defineCommand` is not used: a pipeline that had begun before would not know the new command, and the process
 * would end with an error that can't be caught.
 */
export function script(redis: Redis, lua: string): Script {
  const sha1 = hash('sha1', lua);
  return async (keys, input, others = []) => {
    const args = [...keys, JSON.stringify(input), ...others];
    try {
      return await redis.evalsha(sha1, keys.length, ...args);
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('NOSCRIPT')) {
        return redis.eval(lua, keys.length, ...args);
      }
      throw error;
    }
  };
}

/** The script of the file `scripts/NAME.lua`, behind what it calls of others. */
export const scriptFile = (redis: Redis, name: string, before = ''): Script => script(redis, before + luaFile(name));
