/** How often a property is tried: `count` times `PROPERTY_RUNS`, which is 1 when absent. */
export function runs(count: number): number {
  return Math.ceil(count * Number(process.env.PROPERTY_RUNS ?? '1'));
}
