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
  const scripts = new Map<string, (keyCount: number, ...rest: Arg[]) => Promise<unknown>>();

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
        if (name === 'defineCommand') {
          return (title: string, { lua }: { lua: string }) =>
            scripts.set(title, (keyCount, ...rest) => {
              const all = texts(rest);
              return call(() => server.run(lua, all.slice(0, keyCount), all.slice(keyCount)));
            });
        }
        // It is no promise, though promises ask.
        if (name === 'then') return undefined;
        return scripts.get(name) ?? ((...args: Arg[]) => call(() => execute(name, args)));
      },
    },
  );
  return client as Redis;
}
