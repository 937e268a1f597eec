import { countryCode } from '../domain/countries.js';
import { distinctFacts, FACTS, isPersonalFact } from '../domain/orders/order-facts.js';
import { isOpen } from './amounts.js';
import type { Notes } from './notes.js';
import { label, listOf } from './values.js';

/** What was sold where, never who bought. */
export interface SaleFacts {
  country: string | undefined;
  salesChannel: string | undefined;
  discountCodes: readonly string[];
  tags: readonly string[];
}

/** What a platform says of them, of any type; the first country that is one counts. */
interface GivenFacts {
  countries: readonly unknown[];
  salesChannel: unknown;
  /** A list, or a text with commas. */
  discountCodes: unknown;
  tags: unknown;
}

/** Facts as the wire takes them. What it would refuse is left out with a note: no order is lost for a label. */
export function factsOf({ countries, salesChannel, discountCodes, tags }: GivenFacts, notes: Notes): SaleFacts {
  const taken = (value: unknown, { characters }: { characters: number }): string[] => {
    if (isOpen(value)) return [];
    const text = label(value);
    if (text !== undefined && Array.from(text).length <= characters && !isPersonalFact(text)) return [text];
    notes.add('fact_left_out');
    return [];
  };
  const all = (value: unknown, limits: { entries: number; characters: number }): readonly string[] => {
    const given = typeof value === 'string' ? value.split(',') : listOf(value);
    const kept = distinctFacts(given.flatMap((one) => taken(one, limits)));
    if (kept.length > limits.entries) notes.add('fact_left_out');
    return kept.slice(0, limits.entries);
  };
  const codes = countries.map((value) => (typeof value === 'string' ? countryCode(value) : null));
  return {
    country: codes.find((code) => code !== null) ?? undefined,
    salesChannel: taken(salesChannel, FACTS.salesChannel)[0],
    discountCodes: all(discountCodes, FACTS.discountCodes),
    tags: all(tags, FACTS.tags),
  };
}
