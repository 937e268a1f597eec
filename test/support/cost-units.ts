/**
 * The figures in the most naive exact way, without code of the service: every amount is an integer in units so small that
 * each division of the contract comes out even (months of 28 to 31 days, weeks, years, percents, products of two decimals).
 */
export const UNIT = 4n * 3n * 5n * 7n * 29n * 31n * 73n * 61n * 10n ** 14n;

/** A decimal string in units. */
export function units(decimal: string): bigint {
  const [whole = '0', digits = ''] = decimal.split('.');
  return (BigInt(whole + digits.padEnd(6, '0')) * UNIT) / 1_000_000n;
}

/** A product of two decimal strings in units. */
export function product(a: string, b: string): bigint {
  return (units(a) * units(b)) / UNIT;
}
