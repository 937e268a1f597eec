import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { RedisServer } from './server.js';

/** Brings a piece of work to a store and its answer back, as a network does. */
export type Call = <T>(work: () => T) => Promise<T>;

type Arg = string | number;

/** As much of the client of Redis as the service uses, on a server in memory. */
export function createRedisClient(server: RedisServer, call: Call): Redis {
  const texts = (args: readonly (Arg | readonly Arg[])[]): string[] => args.flat().map(String);
  const execute = (name: string, args: readonly (Arg | readonly Arg[])[]): unknown => {
    const reply = server.execute(name, texts(args));
    if (name !== 'hgetall') return reply;
    const flat = reply as string[];
    return Object.fromEntries(flat.flatMap((field, i) => (i % 2 === 0 ? [[field, flat[i + 1]]] : [])));
  };
  const known = new Map<string, string>();
  const run = (lua: string, keyCount: number, rest: readonly Arg[]): Promise<unknown> => {
    const all = texts(rest);
    return call(() => server.run(lua, all.slice(0, keyCount), all.slice(keyCount)));
  };

  const multi = (): unknown => {
    const commands: [string, Arg[]][] = [];
    const chain: unknown = new Proxy(
      {},
      {
        get: (_, name: string) =>
          name === 'exec'
            ? () => call(() => commands.map(([command, args]) => [null, execute(command, args)]))
            : (...args: Arg[]) => {
                commands.push([name, args]);
                return chain;
              },
      },
    );
    return chain;
  };

  const client: unknown = new Proxy(
    {},
    {
      get(_, name: string) {
        if (name === 'multi') return multi;
        if (name === 'disconnect') return () => undefined;
        if (name === 'eval') {
          return (lua: string, keyCount: number, ...rest: Arg[]) => {
            known.set(createHash('sha1').update(lua).digest('hex'), lua);
            return run(lua, keyCount, rest);
          };
        }
        if (name === 'evalsha') {
          return (hash: string, keyCount: number, ...rest: Arg[]) => {
            const lua = known.get(hash);
            return lua === undefined
              ? Promise.reject(new Error('NOSCRIPT No matching script.'))
              : run(lua, keyCount, rest);
          };
        }
        // It is no promise, though promises ask.
        if (name === 'then') return undefined;
        return (...args: Arg[]) => call(() => execute(name, args));
      },
    },
  );
  return client as Redis;
}
