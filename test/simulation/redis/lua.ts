import { LUA_GLOBALSINDEX_51, LUA_OK } from 'lua-wasm-bindings/dist/lua.js';
import { lauxlib, lua, lualib } from 'lua-wasm-bindings/dist/lua.51.js';

export type RedisCall = (name: string, args: readonly string[]) => unknown;

/**
 * Lua 5.1, as Redis has it. A script is a coroutine that yields the commands that it wants, their parts between \1; what it gives
 * in the end comes as JSON. It gets a text behind `$`, any other value as a literal of Lua.
 */
const LIBRARY = String.raw`
local thread
local function part(value) return type(value) == 'number' and string.format('%.17g', value) or value end
local function wish(...)
  local parts = {...}
  for i = 1, #parts do parts[i] = part(parts[i]) end
  return coroutine.yield(table.concat(parts, '\1'))
end
redis = { call = wish }
cjson = { null = {}, decode = function(text) return wish('cjson.decode', text) end }
local function escaped(char) return string.format('\\u%04x', string.byte(char)) end
local function json(value)
  if type(value) == 'string' then return '"' .. string.gsub(value, '[%c"\\]', escaped) .. '"' end
  if type(value) == 'number' then return string.format('%.0f', value < 0 and math.ceil(value) or math.floor(value)) end
  if type(value) ~= 'table' then return value and '1' or 'null' end
  local items = {}
  for i, item in ipairs(value) do items[i] = json(item) end
  return '[' .. table.concat(items, ',') .. ']'
end
local function evaluate(literal) return assert(loadstring('return ' .. literal))() end
local function go_on(answer)
  if string.byte(answer) == 36 then answer = string.sub(answer, 2) else answer = evaluate(answer) end
  local is_right, value = coroutine.resume(thread, answer)
  if not is_right then error(value, 0) end
  return coroutine.status(thread) == 'dead' and '=' .. json(value) or value
end
local function start(script)
  local name
  name, KEYS, ARGV = evaluate(script)
  thread = coroutine.create(_G[name])
  return go_on('nil')
end
return start, go_on
`;

const state = lauxlib.luaL_newstate();
lualib.luaL_openlibs(state);
if (lauxlib.luaL_dostring(state, LIBRARY) !== LUA_OK) throw new Error(lua.lua_tostring(state, -1));
/** Where the two functions of the library stay on the stack. */
const [START, GO_ON] = [1, 2] as const;

const names = new Map<string, string>();

/** The name of the function that a script is; a script is compiled once. */
function compiled(text: string): string {
  let name = names.get(text);
  if (name !== undefined) return name;
  name = `script_${names.size}`;
  if (lauxlib.luaL_loadstring(state, text) !== LUA_OK) throw new Error(lua.lua_tostring(state, -1));
  lua.lua_setfield(state, LUA_GLOBALSINDEX_51, name);
  names.set(text, name);
  return name;
}

function call(at: typeof START | typeof GO_ON, text: string): string {
  lua.lua_pushvalue(state, at);
  lua.lua_pushstring(state, text);
  const status = lua.lua_pcall(state, 1, 1, 0);
  const answer = lua.lua_tostring(state, -1);
  lua.lua_pop(state, 1);
  if (status !== LUA_OK) throw new Error(answer);
  return answer;
}

/** Runs a script; gives what Redis would answer. */
export function runLua(text: string, keys: readonly string[], args: readonly string[], redisCall: RedisCall): unknown {
  let wish = call(START, [compiled(text), keys, args].map((one) => literal(one)).join());
  while (!wish.startsWith('=')) {
    const [name = '', ...parts] = wish.split('\u0001');
    if (name === 'cjson.decode') wish = call(GO_ON, literal(JSON.parse(parts[0] ?? ''), 'cjson.null'));
    else {
      const value = redisCall(name, parts);
      wish = call(GO_ON, typeof value === 'string' ? `$${value}` : literal(value));
    }
  }
  return JSON.parse(wish.slice(1));
}

/** @param none what null is */
function literal(value: unknown, none = 'false'): string {
  if (value === null) return none;
  if (Array.isArray(value)) return `{${value.map((item) => literal(item, none)).join()}}`;
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, item]) => `[${literal(key)}]=${literal(item, none)}`)
      .join()}}`;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = JSON.stringify(value);
  if (text.includes('\\u')) throw new Error(`a control character that Lua writes otherwise: ${text}`);
  return text;
}
