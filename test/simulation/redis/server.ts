import { COMMANDS } from './commands.js';
import { Keyspace } from './keyspace.js';
import { runLua } from './lua.js';

/** A Redis in memory: its commands, and Lua scripts run as they stand in the service. */
export interface RedisServer {
  readonly keys: Keyspace;
  /** One command at once; throws what Redis would answer as an error. */
  execute(name: string, args: readonly string[]): unknown;
  /** One script at once. */
  run(lua: string, keys: readonly string[], args: readonly string[]): unknown;
}

/** @param micros its clock */
export function createRedisServer(micros: () => number): RedisServer {
  const keys = new Keyspace(() => Math.floor(micros() / 1000));

  const execute = (name: string, args: readonly string[]): unknown => {
    if (name === 'TIME') return [Math.floor(micros() / 1e6), Math.floor(micros() % 1e6)].map(String);
    const command = COMMANDS[name.toLowerCase()];
    if (command === undefined) throw new Error(`a command that the simulation does not know: ${name}`);
    return command(keys, ...args);
  };

  return {
    keys,
    execute,
    run: (lua, names, args) => runLua(lua, names, args, execute),
  };
}
