import type { Dimension } from '../../schemas/breakdown.js';
import type { QueryParams } from '../query.js';

interface DimensionColumn {
  /** Of an order `o`; empty: it has none. */
  value: string;
  isList?: true;
  /** The form by which spellings are compared; absent: as they are. */
  fold?: (value: string) => string;
  /** Where an order `o` has that form already. */
  folded?: string;
}

const lower = (value: string): string => `lowerUTF8(${value})`;

export const DIMENSION_COLUMNS: Record<Dimension, DimensionColumn> = {
  country: { value: 'o.country' },
  sales_channel: { value: 'o.sales_channel', fold: lower },
  discount_code: { value: 'o.discount_codes', isList: true, fold: lower },
  tag: { value: 'o.tags', isList: true, fold: lower },
  payment_gateway: { value: 'o.payment_gateway', folded: 'o.gateway' },
  campaign: { value: 'o.campaign', fold: lower },
  customer: { value: 'o.customer_id' },
};

/** By what else orders are found, without blanks at either end. */
export type FactFilter = Partial<Record<Exclude<Dimension, 'payment_gateway'>, string | undefined>>;
const FILTERS = [
  'country',
  'sales_channel',
  'discount_code',
  'tag',
  'campaign',
  'customer',
] as const satisfies (keyof FactFilter)[];

export const hasFacts = (filter: FactFilter): boolean => FILTERS.some((by) => filter[by] !== undefined);

/** The conditions of orders `o` that have them, with their parameters. */
export function factConditions(filter: FactFilter): { conditions: string[]; params: QueryParams } {
  const params: QueryParams = {};
  const conditions = FILTERS.flatMap((by) => {
    const given = filter[by];
    if (given === undefined) return [];
    params[by] = by === 'country' ? given.toUpperCase() : given;
    const { value, isList = false, fold = (same: string) => same } = DIMENSION_COLUMNS[by];
    const wanted = fold(`{${by}:String}`);
    return [isList ? `has(arrayMap(x -> ${fold('x')}, ${value}), ${wanted})` : `${fold(value)} = ${wanted}`];
  });
  return { conditions, params };
}
