import type { Redis } from 'ioredis';

/** Runs a Lua script by its hash; the text travels only when Redis does not know it yet. */
export type Script = (keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;

type Command = (keyCount: number, ...rest: (string | number)[]) => Promise<unknown>;

export function script(redis: Redis, name: string, lua: string): Script {
  redis.defineCommand(name, { lua });
  const command = (redis as unknown as Record<string, Command>)[name];
  if (command === undefined) throw new Error(`the script ${name} was not registered`);
  return (keys, args) => command.call(redis, keys.length, ...keys, ...args);
}
