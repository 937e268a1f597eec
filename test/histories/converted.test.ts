import { expect } from 'chai';
import fc from 'fast-check';
import { analystsOf, canonical } from '../support/bi-proxy.js';
import { countedOf, dayAfter, type ExpenseEntry, type SpendEntry } from '../support/rates-reference.js';
import { runs } from '../support/runs.js';
import { useService } from '../support/service.js';
import { sharedBiProxy } from '../support/shared-engines.js';

/** March has 31 days and the year 365, as the reference takes them. */
const FIRST = '2026-03-01';
const LENGTH = 20;
const CURRENCY = 'EUR';

const day = fc.nat({ max: LENGTH - 1 }).map((days) => dayAfter(FIRST, days));
const currency = fc.constantFrom('EUR', 'USD', 'JPY');
const decimal = (whole: number, decimals: number) =>
  fc
    .tuple(fc.nat({ max: whole }), fc.bigInt({ min: 1n, max: 10n ** BigInt(decimals) - 1n }))
    .map(([units, rest]) => `${units}.${String(rest).padStart(decimals, '0')}`);

const spend: fc.Arbitrary<SpendEntry[]> = fc.uniqueArray(
  fc.record({ day, currency, channel: fc.constantFrom('radio', 'google'), amount: decimal(9_999, 6) }),
  { maxLength: 16, selector: (one) => `${one.day} ${one.currency} ${one.channel}` },
);
const expenses: fc.Arbitrary<ExpenseEntry[]> = fc.array(
  fc.record({
    day,
    currency,
    amount: decimal(999, 6),
    frequency: fc.constantFrom('one_time', 'weekly', 'monthly', 'yearly'),
    isAdSpend: fc.boolean(),
  }),
  { maxLength: 4 },
);
/** What a push says of a day, a week before the first too; null takes the rate back. */
const push = fc.uniqueArray(
  fc.record({
    currency: fc.constantFrom('USD', 'JPY'),
    day: fc.integer({ min: -9, max: LENGTH - 1 }).map((days) => dayAfter(FIRST, days)),
    rate: fc.oneof({ weight: 4, arbitrary: decimal(200, 12) }, { weight: 1, arbitrary: fc.constant(null) }),
  }),
  { minLength: 1, maxLength: 6, selector: (one) => `${one.currency} ${one.day}` },
);
const history = fc.record({
  spend,
  expenses,
  pushes: fc.array(push, { maxLength: 3 }),
  isOn: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  cut: fc.tuple(day, day),
});

describe('spend and expenses in other currencies, of random histories', function () {
  this.timeout(240_000);
  const service = useService();
  let bi: ReturnType<typeof analystsOf>;

  before(() => {
    bi = analystsOf(service.stores, sharedBiProxy);
  });

  it('count at the newest rate of eight days, rounded once; what has none is left out', async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ spend, expenses, pushes, isOn, cut }) => {
        const shop = await service.shop({ timezone: 'UTC', currency: CURRENCY });
        const sent = async (method: string, path: string, body: object): Promise<void> => {
          const answer = await shop.call(method, path, body);
          expect(answer.status, JSON.stringify(answer.body)).to.be.oneOf([200, 201]);
          expect(answer.body.rejected ?? 0, JSON.stringify(answer.body)).to.equal(0);
        };
        const source = { platform: 'test', currency: CURRENCY, timezone: 'UTC' };
        const rows = spend.map(({ day: event_date, amount, ...of }) => ({ ...of, event_date, spend: amount }));
        if (rows.length > 0) await sent('POST', '/v1/costs/spend', { rows });
        for (const [i, { day: started_on, isAdSpend, ...of }] of expenses.entries()) {
          const named = { external_id: String(i), name: 'Tool', category: 'tools', counts_as_ad_spend: isAdSpend };
          await sent('POST', '/v1/costs/expenses', { ...named, ...of, started_on });
        }
        await sent('PUT', '/v1/source', { ...source, convert_spend: isOn });
        const rates = new Map<string, string>();
        for (const pushed of pushes) {
          await sent('PUT', '/v1/rates', { rates: pushed });
          for (const { currency: code, day: of, rate } of pushed) {
            if (rate === null) rates.delete(`${code} ${of}`);
            else rates.set(`${code} ${of}`, rate);
          }
        }
        await service.settled();

        const held = isOn ? rates : null;
        const [from = FIRST, to = FIRST] = [...cut].sort();
        const { body } = await shop.call('GET', `/v1/metrics?from=${from}&to=${to}&include=expenses`);
        const { ad_spend, operating_expenses, converted = [], left_out = [] } = body;
        expect({ ad_spend, operating_expenses, converted, left_out }).to.deep.equal(
          countedOf({ from, to, currency: CURRENCY }, spend, expenses, held),
        );
        const daily = await shop.call('GET', `/v1/metrics/daily?from=${from}&to=${to}&include=expenses`);
        const seen = new Map((await bi(shop, 'SELECT * FROM bi.daily_metrics')).map((row) => [row.day, row]));
        const channels = await bi(
          shop,
          "SELECT day, sum(ad_spend) AS ad_spend FROM bi.daily_channels WHERE model = 'linear' GROUP BY day",
        );
        const ofChannels = new Map(channels.map((row) => [row.day, row]));
        for (const one of daily.body.days) {
          const own = countedOf({ from: one.date, to: one.date, currency: CURRENCY }, spend, expenses, held);
          expect(one.ad_spend, one.date).to.equal(own.ad_spend);
          expect(one.operating_expenses, one.date).to.equal(own.operating_expenses);
          const row = seen.get(one.date);
          expect(canonical(row?.ad_spend ?? '0.00'), `bi on ${one.date}`).to.equal(own.ad_spend);
          expect(canonical(row?.operating_expenses ?? '0.00'), `bi on ${one.date}`).to.equal(own.operating_expenses);
          expect(canonical(ofChannels.get(one.date)?.ad_spend ?? '0.00'), one.date).to.equal(own.ad_spend);
        }
      }),
      { numRuns: runs(25) },
    );
  });
});
