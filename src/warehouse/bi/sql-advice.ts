/** SQL that is valid, fails nowhere and gives another figure than it seems to say, and what gives the right one. */
export interface SqlAdvice {
  write: string;
  insteadOf: string;
  why: string;
}

/** Of `amount`, `unit_cost` and `day`, as columns of the views; the tests run both sides. */
export const SQL_ADVICE: readonly SqlAdvice[] = [
  {
    write: "amount * toDecimal128('0.19', 12)",
    insteadOf: 'amount * 0.19',
    why: 'a number with a point is a float, and so is the product',
  },
  {
    write: "toDecimal64('19.99', 2)",
    insteadOf: 'CAST(19.99 AS Decimal(18, 2))',
    why: 'the number is a float first, of which digits are cut: 19.98; so is a cost of micros that is divided by 1000000',
  },
  {
    write: 'amount - floor(amount)',
    insteadOf: 'amount % 1',
    why: 'the remainder is that of the digits without their point',
  },
  {
    write: '(quantileExactLow(0.5)(amount) + quantileExactHigh(0.5)(amount)) / 2',
    insteadOf: 'medianExact(amount)',
    why: 'it is the higher of the two in the middle; `median(amount)` is taken from a sample of 8,192 rows',
  },
  {
    write: 'groupArray((sku, unit_cost))',
    insteadOf: 'groupArray(sku), groupArray(unit_cost)',
    why: '`groupArray` leaves out what is not known, and the lists no longer fit each other',
  },
  {
    write: 'argMax(tuple(unit_cost), day).1',
    insteadOf: 'argMax(unit_cost, day)',
    why: '`argMax` and `last_value` pass over what is not known',
  },
  {
    write: 'amount - lag(toNullable(amount)) OVER (ORDER BY day)',
    insteadOf: 'amount - lag(amount) OVER (ORDER BY day)',
    why: 'before the first row stands 0, and its change is the whole amount; `leadInFrame` is 0 on every row',
  },
  {
    write: 'toMonday(day)',
    insteadOf: 'toStartOfWeek(day)',
    why: 'weeks of the API begin on Monday, and those of `dateTrunc` and `dateDiff` do too',
  },
  {
    write: "toDate('2026-01-31') + toIntervalMonth(n)",
    insteadOf: 'WITH FILL STEP INTERVAL 1 MONTH',
    why: 'each step starts at the one before: after 28 February comes 28 March',
  },
];
