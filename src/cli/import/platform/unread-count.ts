import { compare } from '../../../domain/compare.js';
import { grouped } from '../../../operations/progress.js';
import { shownText } from '../shown-text.js';

/** Plugins may write a name of their own for each order: the first names of a file are counted, the others together. */
const MOST_FIELDS = 50;
const LONGEST_FIELD = 100;

/** Counts the orders of a file that carry a field which is not read. */
export interface UnreadCount {
  /** @param fields those of one order */
  add(fields: ReadonlySet<string>): void;
  /** "3 orders carry `xyz`, which is not read", the most frequent first; one more sentence for names after the first 50. */
  sentences(): string[];
}

export function createUnreadCount(): UnreadCount {
  const counts = new Map<string, number>();
  let others = 0;
  return {
    add(fields) {
      let hasOther = false;
      for (const name of new Set(Array.from(fields, (name) => shownText(name, LONGEST_FIELD)))) {
        const count = counts.get(name) ?? 0;
        if (count > 0 || counts.size < MOST_FIELDS) counts.set(name, count + 1);
        else hasOther = true;
      }
      if (hasOther) others++;
    },
    sentences() {
      const byCount = [...counts].sort(([a, one], [b, other]) => other - one || compare(a, b));
      return [
        ...byCount.map(([name, count]) => `${carried(count)} \`${name}\`, which is not read`),
        ...(others > 0
          ? [
              `${carried(others)} other fields, which are not read; only the first ${MOST_FIELDS} names of the file are listed`,
            ]
          : []),
      ];
    },
  };
}

function carried(count: number): string {
  return count === 1 ? '1 order carries' : `${grouped(count)} orders carry`;
}
