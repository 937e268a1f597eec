/**
 * How often a property is tried: `count` times the factor of the suite. `npm test` and `.ci/run` try a few random cases
 * of each, `npm run test:histories` by hand more, and with `PROPERTY_RUNS` set as many as one likes.
 */
export function runs(count: number): number {
  return Math.ceil(count * Number(process.env.PROPERTY_RUNS ?? '1'));
}
