import fc from 'fast-check';

const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    '',
    0,
    -1,
    0.1,
    1e21,
    1e-9,
    NaN,
    true,
    [],
    {},
    [null],
    [[]],
    '-5.00',
    '1e5',
    '12,50',
    'USD',
  ),
  fc.constantFrom<unknown>(
    '9'.repeat(40),
    '0.1234567',
    2 ** 53 + 2,
    'gid://shopify/Order/1',
    '\ud800',
    'x'.repeat(3000),
    '2026-02-30T00:00:00Z',
  ),
  fc.constantFrom<unknown>(
    '__proto__',
    { toString: null },
    { nodes: [null] },
    { edges: [{ node: { id: 1 } }] },
    { shop_money: { amount: 'x' } },
    { pageInfo: { hasNextPage: true } },
  ),
);

/** Puts values of any type at any places of an order. */
function spoilt(value: unknown, at: readonly number[], replacement: unknown): unknown {
  const [first, ...rest] = at;
  if (first === undefined || typeof value !== 'object' || value === null) return replacement;
  const keys = Object.keys(value);
  const key = keys[first % Math.max(1, keys.length)];
  if (key === undefined) return replacement;
  const entries = Object.entries(value).map(([name, one]) => [
    name,
    name === key ? spoilt(one, rest, replacement) : one,
  ]);
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}
const path = fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 6 });
/** Places in an order and what is put there. */
export const faults = fc.array(fc.tuple(path, junk), { minLength: 1, maxLength: 4 });

export function withFaults(order: unknown, changes: readonly (readonly [readonly number[], unknown])[]): unknown {
  return changes.reduce<unknown>((one, [at, value]) => spoilt(one, at, value), order);
}
