import type { SnapshotPart } from './snapshot.js';

/**
 * A part of a table by the hash of its files, with the numbers of the lists whose entries together are its rows. An entry is the hash of
 * a row and how often it comes; of a part that was merged from listed ones only what differs from these is listed, so it may be negative.
 */
export interface ListedPart {
  hash: string;
  lists: number[];
}

/** A part of the copy that is not listed yet, with the number that its list gets. */
export interface FreshPart {
  name: string;
  hash: string;
  list: number;
}

/** How the parts of a table have changed since they were listed. */
export interface PartChanges {
  kept: readonly ListedPart[];
  fresh: readonly FreshPart[];
  gone: readonly ListedPart[];
}

/** Tells parts by their hashes: of those that are the same as before there are as many. A fresh one gets the next number. */
export function comparedParts(
  before: readonly ListedPart[],
  now: readonly SnapshotPart[],
  lastList: number,
): PartChanges {
  const left = new Map<string, ListedPart[]>();
  for (const part of before) left.set(part.hash, [...(left.get(part.hash) ?? []), part]);
  const kept: ListedPart[] = [];
  const fresh: FreshPart[] = [];
  for (const { name, hash } of now) {
    const known = left.get(hash)?.pop();
    if (known === undefined) fresh.push({ name, hash, list: lastList + fresh.length + 1 });
    else kept.push(known);
  }
  return { kept, fresh, gone: [...left.values()].flat() };
}
