import { LuaTable, luaText, type LuaFunction, type LuaValue } from './lua-table.js';

const translated = new Map<string, RegExp>();

/** A pattern of Lua as a regular expression. */
function toRegExp(pattern: string, flags = ''): RegExp {
  const key = flags + pattern;
  let known = translated.get(key);
  if (known === undefined) translated.set(key, (known = translate(pattern, flags)));
  return known;
}

/** Of its classes only those that the scripts use. */
function translate(pattern: string, flags: string): RegExp {
  const source = pattern.replaceAll('%d', '\\d').replace(/(?<!\\)\.(?=[*+)])/g, '[\\s\\S]');
  if (source.includes('%')) throw new Error(`a pattern that nobody has translated: ${pattern}`);
  return new RegExp(source, `${flags}u`);
}

const number = (value: LuaValue): number | undefined => {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const parsed = Number(value);
  return Number.isNaN(parsed) ? undefined : parsed;
};

function format(pattern: string, ...args: LuaValue[]): string {
  let next = 0;
  return pattern.replace(/%(\.0f|d|s)/g, (_, kind: string) => {
    const value = args[next++];
    return kind === 's' ? luaText(value) : Number(value).toFixed(0);
  });
}

function toLua(value: unknown): LuaValue {
  if (Array.isArray(value)) return LuaTable.of(value.map(toLua));
  if (typeof value !== 'object' || value === null) return value;
  const table = new LuaTable();
  for (const [key, field] of Object.entries(value)) table.set(key, toLua(field));
  return table;
}

const rest = (match: RegExpExecArray | null): LuaValue[] =>
  match === null ? [undefined] : match.length > 1 ? match.slice(1) : [match[0]];

const table = (value: LuaValue): LuaTable => {
  if (value instanceof LuaTable) return value;
  throw new Error('attempt to index what is no table');
};

export type LuaLibrary = Readonly<Record<string, unknown>>;

/** The functions that the scripts of the service use; made once, because scripts are short. */
export function luaLibrary(redisCall: LuaFunction): LuaLibrary {
  return {
    redis: { call: redisCall },
    cjson: { decode: (text: LuaValue) => [toLua(JSON.parse(String(text)))] },
    tonumber: (value: LuaValue) => [number(value)],
    tostring: (value: LuaValue) => [luaText(value)],
    type: (value: LuaValue) => [value instanceof LuaTable ? 'table' : value === undefined ? 'nil' : typeof value],
    unpack: (list: LuaValue) => [...table(list).list],
    ipairs: (list: LuaValue) => [table(list).list.map((value, i) => [i + 1, value])],
    pairs: (value: LuaValue) => [[...table(value).list.map((item, i) => [i + 1, item]), ...table(value).others]],
    string: {
      format: (pattern: LuaValue, ...args: LuaValue[]) => [format(String(pattern), ...args)],
      match: (text: LuaValue, pattern: LuaValue) => rest(toRegExp(String(pattern)).exec(String(text))),
      gmatch: (text: LuaValue, pattern: LuaValue) => [
        Array.from(String(text).matchAll(toRegExp(String(pattern), 'g')), (match) => rest(match)),
      ],
      sub: (text: LuaValue, from: LuaValue, to: LuaValue = -1) => {
        const whole = String(text);
        const at = (index: number): number => (index < 0 ? Math.max(whole.length + index + 1, 1) : index);
        const end = Number(to) < 0 ? whole.length + Number(to) + 1 : Number(to);
        return [whole.slice(Math.max(at(Number(from)), 1) - 1, end)];
      },
      rep: (text: LuaValue, times: LuaValue) => [String(text).repeat(Number(times))],
      lower: (text: LuaValue) => [String(text).replace(/[A-Z]/g, (char) => char.toLowerCase())],
    },
    table: {
      concat: (list: LuaValue, separator: LuaValue = '') => [table(list).list.map(luaText).join(String(separator))],
    },
    math: {
      max: (...values: LuaValue[]) => [Math.max(...values.map(Number))],
      min: (...values: LuaValue[]) => [Math.min(...values.map(Number))],
      ceil: (value: LuaValue) => [Math.ceil(Number(value))],
      floor: (value: LuaValue) => [Math.floor(Number(value))],
    },
  };
}
