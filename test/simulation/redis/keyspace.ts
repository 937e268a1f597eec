/** What stands under a key. */
export type Value = string | string[] | Map<string, string> | Set<string> | SortedSet;

/** Members by score, then by name. */
export class SortedSet {
  readonly scores = new Map<string, number>();
  #sorted: [string, number][] | null = null;

  entries(): readonly [string, number][] {
    return (this.#sorted ??= [...this.scores].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : a > b ? 1 : 0)));
  }

  set(member: string, score: number): void {
    this.scores.set(member, score);
    this.#sorted = null;
  }

  delete(member: string): boolean {
    this.#sorted = null;
    return this.scores.delete(member);
  }
}

/** The keys of a Redis and when they run out. */
export class Keyspace {
  values = new Map<string, Value>();
  expiries = new Map<string, number>();

  constructor(readonly nowMs: () => number) {}

  get(key: string): Value | undefined {
    const end = this.expiries.get(key);
    if (end !== undefined && end <= this.nowMs()) this.delete(key);
    return this.values.get(key);
  }

  set(key: string, value: Value): void {
    this.values.set(key, value);
  }

  delete(key: string): boolean {
    this.expiries.delete(key);
    return this.values.delete(key);
  }

  /** The value of a key of one type, made where there is none. */
  open<T extends Value>(key: string, type: new () => T): T {
    const value = this.get(key);
    if (value instanceof type) return value;
    if (value !== undefined) throw new Error(`WRONGTYPE of ${key}`);
    const made = new type();
    this.set(key, made);
    return made;
  }

  find<T extends Value>(key: string, type: new () => T): T | undefined {
    const value = this.get(key);
    if (value !== undefined && !(value instanceof type)) throw new Error(`WRONGTYPE of ${key}`);
    return value;
  }

  text(key: string): string | undefined {
    const value = this.get(key);
    if (value !== undefined && typeof value !== 'string') throw new Error(`WRONGTYPE of ${key}`);
    return value;
  }

  /** Removes a collection that has become empty. */
  tidy(key: string): void {
    const value = this.values.get(key);
    if (value === undefined || typeof value === 'string') return;
    const size = Array.isArray(value) ? value.length : value instanceof SortedSet ? value.scores.size : value.size;
    if (size === 0) this.delete(key);
  }

  copy(): { values: Map<string, Value>; expiries: Map<string, number> } {
    return {
      values: new Map([...this.values].map(([key, value]) => [key, copyOf(value)])),
      expiries: new Map(this.expiries),
    };
  }
}

function copyOf(value: Value): Value {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return [...value];
  if (value instanceof Map) return new Map(value);
  if (value instanceof Set) return new Set(value);
  const copy = new SortedSet();
  for (const [member, score] of value.scores) copy.set(member, score);
  return copy;
}
