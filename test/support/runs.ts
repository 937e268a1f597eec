/**
 * How often a property is tried: `count` times the factor of the suite. `npm test` tries a few random cases of each,
 * `npm run test:histories` many.
 */
export function runs(count: number): number {
  return Math.ceil(count * Number(process.env.PROPERTY_RUNS ?? '1'));
}
