import { COMMANDS } from './commands.js';
import { Keyspace } from './keyspace.js';
import { luaLibrary } from './lua-library.js';
import { compileLua, type LuaScript } from './lua.js';
import { LuaTable, luaText, type LuaValue } from './lua-table.js';

/** A Redis in memory: its commands, and Lua scripts run as they stand in the service. */
export interface RedisServer {
  readonly keys: Keyspace;
  /** One command at once; throws what Redis would answer as an error. */
  execute(name: string, args: readonly string[]): unknown;
  /** One script at once. */
  run(lua: string, keys: readonly string[], args: readonly string[]): unknown;
}

const compiled = new Map<string, LuaScript>();

/** @param micros its clock */
export function createRedisServer(micros: () => number): RedisServer {
  const keys = new Keyspace(() => Math.floor(micros() / 1000));

  const execute = (name: string, args: readonly string[]): unknown => {
    const command = COMMANDS[name.toLowerCase()];
    if (command === undefined) throw new Error(`a command that the simulation does not know: ${name}`);
    return command(keys, ...args);
  };

  const fromScript = (...[name, ...args]: LuaValue[]): LuaValue[] => {
    if (name === 'TIME') return [LuaTable.of([String(Math.floor(micros() / 1e6)), String(Math.floor(micros() % 1e6))])];
    return [toLua(execute(String(name), args.map(luaText)))];
  };

  const library = luaLibrary(fromScript);

  return {
    keys,
    execute,
    run(lua, names, args) {
      let script = compiled.get(lua);
      if (script === undefined) compiled.set(lua, (script = compileLua(lua)));
      return script(library, names, args);
    },
  };
}

/** As a script sees an answer: nil is false. */
function toLua(reply: unknown): LuaValue {
  if (reply === null) return false;
  return Array.isArray(reply) ? LuaTable.of(reply.map(toLua)) : reply;
}
