/** `size` is exact and never negative; `id`, `sub` and `item` name an entry among those of its day and part, a number in PARTS. */
export const DEFAULTS = {
  part: '',
  day: '',
  id: '',
  sub: "''",
  item: 'toUInt32(0)',
  size: '',
  placed_day: 'toDate(0)',
  version: 'toUInt128(0)',
  line_id: "''",
  sku: "''",
  quantity: 'toDecimal128(0, 6)',
  cost: 'toDecimal128(0, 6)',
  cost_from: "''",
  cost_since: 'toDate32(0)',
  facts: 'emptyArrayString()',
};
type Column = keyof typeof DEFAULTS;
/** `amount` is the size, rounded half-up at the sixth decimal; absent: it is rounded here, which costs more than all else of an entry. */
type Columns = Partial<Record<Column | 'amount', string>> & Record<'part' | 'day' | 'id' | 'size', string>;

/** Decimals of an exact size: at most those of an amount times an exchange rate. */
export const EXACT = 18;
export const plain = (amount: string): string => `toDecimal256(${amount}, ${EXACT})`;

/** A cast cuts the rest off. */
export const rounded = (size: string): string =>
  `CAST(${size} + toDecimal256('0.0000005', ${EXACT}), 'Decimal(76, 6)')`;

/** What one source gives, in the columns of all. */
export function select(columns: Columns, from: string): string {
  const all = Object.entries({ amount: rounded(columns.size), ...DEFAULTS, ...columns }).map(
    ([name, value]) => `${value} AS e_${name}`,
  );
  return `SELECT ${all.join(', ')} FROM ${from}`;
}

/** Of an entry of an order in `days AS d`. */
export const ORDER = {
  day: 'd.day',
  id: 'd.order_id',
  placed_day: 'd.placed_day',
  version: 'd.version',
};
