import fc from 'fast-check';
import { EXPENSE_FREQUENCIES } from '../../src/domain/costs/expenses.js';
import { formatDay, parseDay } from '../../src/domain/time.js';
import type { GatewayFeeRule } from '../../src/schemas/gateway-fees.js';
import type { Shop } from './service.js';

/** What a shop pays beside its orders, as it is pushed. */
export interface Costs {
  rules: GatewayFeeRule[];
  expenses: Record<string, unknown>[];
  spend: Record<string, unknown>[];
}

const START = parseDay('2025-02-20') ?? 0;
const day = fc.integer({ min: 0, max: 320 }).map((n) => formatDay(START + n));
const money = fc
  .tuple(fc.nat({ max: 900 }), fc.nat({ max: 999_999 }))
  .map(([whole, micros]) => `${whole}.${String(micros).padStart(6, '0')}`);
const currency = fc.constantFrom('EUR', 'EUR', 'EUR', 'USD');

const expense = fc
  .record({
    amount: money,
    currency,
    frequency: fc.constantFrom(...EXPENSE_FREQUENCIES),
    days: fc.tuple(day, day),
    endless: fc.boolean(),
    counts_as_ad_spend: fc.boolean(),
  })
  .map(({ days, endless, ...rest }) => {
    const [started_on, ended_on] = days.toSorted();
    return { ...rest, name: 'n', category: 'other', started_on, ...(!endless && { ended_on }) };
  });

const spend = fc.record({
  channel: fc.constantFrom('Google Ads', 'facebook', 'Radio'),
  event_date: day,
  currency,
  spend: fc.oneof(money, fc.constant('0')),
});

/** Fee rules, expenses of every frequency and spend that is pushed again, cleared, and partly in another currency. */
export const costsArbitrary: fc.Arbitrary<Costs> = fc
  .record({
    rules: fc.tuple(money, money, money, money).map(([a, b, c, d]) => [
      { payment_gateway: 'paypal', percent: a, fixed: b },
      { payment_gateway: 'straße', percent: c, fixed: d },
    ]),
    expenses: fc.array(expense, { maxLength: 6 }),
    spend: fc.array(spend, { minLength: 1, maxLength: 20 }),
  })
  .map(({ expenses, ...rest }) => ({
    ...rest,
    expenses: expenses.map((fields, i) => ({ external_id: `e${i}`, ...fields })),
  }));

/** Throws when a push is refused. */
export async function pushCosts(shop: Shop, { rules, expenses, spend: rows }: Costs): Promise<void> {
  const answers = [
    await shop.call('PUT', '/v1/costs/gateway-fees', { rules }),
    await shop.call('POST', '/v1/costs/spend', { rows }),
  ];
  // One after the other: changes of one shop's settings wait for each other, and only for so long.
  for (const fields of expenses) answers.push(await shop.call('POST', '/v1/costs/expenses', fields));
  for (const { status, body } of answers) {
    if (status >= 300 || body.rejected > 0) throw new Error(`a push was refused: ${JSON.stringify(body)}`);
  }
}
