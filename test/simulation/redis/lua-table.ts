/** What a Lua value is here: nil is undefined. */
export type LuaValue = unknown;
/** Functions give a list of values, as in Lua. */
export type LuaFunction = (...args: LuaValue[]) => LuaValue[];

/** A table of Lua: a list that begins at 1, and whatever other keys it has. */
export class LuaTable {
  readonly list: LuaValue[] = [];
  readonly others = new Map<LuaValue, LuaValue>();

  static of(values: Iterable<LuaValue>): LuaTable {
    const table = new LuaTable();
    for (const value of values) table.list.push(value);
    return table;
  }

  get(key: LuaValue): LuaValue {
    return typeof key === 'number' && key >= 1 && key <= this.list.length ? this.list[key - 1] : this.others.get(key);
  }

  set(key: LuaValue, value: LuaValue): void {
    if (typeof key !== 'number' || key < 1 || key > this.list.length + 1) {
      if (value === undefined) this.others.delete(key);
      else this.others.set(key, value);
      return;
    }
    this.list[key - 1] = value;
    if (value === undefined && key === this.list.length) this.list.pop();
  }
}

/** As Lua writes a number where it needs a text. */
export function luaText(value: LuaValue): string {
  if (typeof value !== 'number') return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const text = value.toPrecision(14);
  return text.includes('e') ? text.replace(/\.?0+e/, 'e') : text.replace(/\.?0+$/, '');
}
