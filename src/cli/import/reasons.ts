import type { Fault } from '../../client/index.js';
import { compare } from '../../domain/compare.js';
import type { RejectedLine } from './order-lines.js';

/** Why lines were rejected, by how often. */
export interface Reasons {
  add(rejected: readonly RejectedLine[]): void;
  /** The most frequent ones, a line each: how many lines, the code, where, and a sample of the message. */
  top(): string[];
}

const SHOWN = 3;
/** Names of unknown fields are the file's own: there may be any number of them. */
const MAX_KINDS = 200;
const LONGEST_SAMPLE = 160;

/** Every line item of an order counts as one place. */
function nameOf({ code, field }: Fault): string {
  return field === undefined ? code : `${code} (${field.replace(/\[\d+\]/g, '[]').slice(0, 60)})`;
}

export function createReasons(): Reasons {
  const kinds = new Map<string, { count: number; name: string; sample: string }>();

  function count(name: string, sample: string): void {
    const known = kinds.get(name);
    if (known) known.count++;
    else if (kinds.size < MAX_KINDS) kinds.set(name, { count: 1, name, sample });
  }

  return {
    add(rejected) {
      for (const { errors } of rejected) {
        const once = new Map<string, string>();
        for (const error of errors) if (!once.has(nameOf(error))) once.set(nameOf(error), error.message);
        for (const [name, sample] of once) count(name, sample);
      }
    },
    top() {
      const sorted = [...kinds.values()].sort((a, b) => b.count - a.count || compare(a.name, b.name));
      return sorted
        .slice(0, SHOWN)
        .map(({ count, name, sample }) => `${String(count).padStart(7)}  ${name}: ${sample.slice(0, LONGEST_SAMPLE)}`);
    },
  };
}
