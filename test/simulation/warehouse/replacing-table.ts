import type { Row } from './row-reader.js';

type Version = (row: Row) => bigint | number;

/**
 * A ReplacingMergeTree: rows of one key stand beside each other until they are merged. A merge keeps the greatest version,
 * of equal ones the last that was inserted.
 */
export interface ReplacingTable {
  insert(rows: readonly Row[]): void;
  /** All that stand there, merged or not. */
  rowsOf(key: string): readonly Row[];
  /** As FINAL reads it; a deleted row is none. */
  final(key: string): Row | undefined;
  /** The same with deleted rows. */
  newest(key: string): Row | undefined;
  keys(): Iterable<string>;
  /** Merges some of it; nobody who reads as they should sees a difference. */
  merge(chosen: (key: string) => boolean): void;
}

export interface TableOptions {
  key: (row: Row) => string;
  version: Version;
}

export function createReplacingTable({ key, version }: TableOptions): ReplacingTable {
  const rows = new Map<string, Row[]>();
  /** Of each key the row that a merge would keep, and its version. */
  const best = new Map<string, { row: Row; version: bigint | number }>();
  const newest = (name: string): Row | undefined => best.get(name)?.row;
  return {
    insert(added) {
      for (const row of added) {
        const name = key(row);
        const known = rows.get(name);
        if (known === undefined) rows.set(name, [row]);
        else known.push(row);
        const [own, other] = [version(row), best.get(name)];
        if (other === undefined || own >= other.version) best.set(name, { row, version: own });
      }
    },
    rowsOf: (name) => rows.get(name) ?? [],
    newest,
    final(name) {
      const row = newest(name);
      return row === undefined || row.is_deleted === 1 ? undefined : row;
    },
    keys: () => rows.keys(),
    merge(chosen) {
      for (const name of rows.keys()) {
        const row = chosen(name) ? newest(name) : undefined;
        if (row !== undefined) rows.set(name, [row]);
      }
    },
  };
}

/** A key of several columns. */
export const keyOf = (...columns: readonly unknown[]): string => columns.map(String).join('\n');
