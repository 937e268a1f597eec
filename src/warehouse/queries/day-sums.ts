import { Type } from 'typebox';
import type { DayGroup } from '../../domain/metrics/day-rows.js';
import { ORDER_AMOUNTS, ORDER_COUNTS, PLACED_SUMS } from '../../domain/metrics/sums.js';
import type { Warehouse } from '../client.js';
import { defineQuery, texts } from '../query.js';
import { ONE_THREAD } from '../sql.js';

const TEXTS = Type.Array(Type.String());
const CREDIT = ['last_touch', 'last_evidence', 'first_touch', 'first_evidence', 'touches', 'loss'] as const;
const LINEAR = { channels: 'linear.channel', evidence: 'linear.evidence', weights: 'linear.touches' };

const DAY_GROUPS = defineQuery('sums of orders by gateway and credit', {
  ...texts(
    'shop_id',
    'day',
    'estimable_gateway',
    'last_touch',
    'last_evidence',
    'first_touch',
    'first_evidence',
    'loss',
  ),
  touches: Type.Number(),
  channels: TEXTS,
  evidence: TEXTS,
  weights: Type.Array(Type.Number()),
  amounts: TEXTS,
  counts: TEXTS,
  placed: TEXTS,
  ...texts('cogs', 'orders_uncosted', 'revenue_uncosted'),
  uncosted_skus: TEXTS,
});

/** Of the orders of the day itself; one that counts has `orders` on its placed day alone. */
const PLACED = PLACED_SUMS.map(({ name, column }) =>
  name === 'listed' ? `toString(sum(f.${column}))` : `toString(sumIf(f.${column}, f.orders = 1))`,
);
const KEYS = ['shop_id', 'estimable_gateway', ...CREDIT].map((name) => `f.${name} AS ${name}`);
const GROUPS = ['shop_id', 'day', 'estimable_gateway', ...CREDIT, ...Object.values(LINEAR)].map((name) => `f.${name}`);

/** The sums of `order_facts` on these days (`dayList`); of a day without a row none. */
export async function readDayGroups(warehouse: Warehouse, days: string): Promise<DayGroup[]> {
  const sums = (names: readonly { name: string }[]): string => names.map(({ name }) => `sum(f.${name})`).join(', ');
  const rows = await warehouse.ask(
    DAY_GROUPS(
      `SELECT ${KEYS.join(', ')}, toString(f.day) AS day,
        ${Object.entries(LINEAR)
          .map(([name, column]) => `f.${column} AS ${name}`)
          .join(', ')},
        [${sums(ORDER_AMOUNTS)}] AS amounts, [${sums(ORDER_COUNTS)}] AS counts, [${PLACED.join(', ')}] AS placed, sum(f.cogs) AS cogs,
        toString(countIf(notEmpty(f.uncosted_skus))) AS orders_uncosted,
        sumIf(f.revenue, notEmpty(f.uncosted_skus)) AS revenue_uncosted, groupUniqArrayArray(f.uncosted_skus) AS uncosted_skus
      FROM order_facts AS f FINAL WHERE (f.shop_id, f.day) IN (${days})
      GROUP BY ${GROUPS.join(', ')} ${ONE_THREAD}`,
    ),
  );
  return rows.map(
    ({ shop_id, day, estimable_gateway, channels, evidence, weights, amounts, counts, placed, ...row }) => {
      const { cogs, orders_uncosted, revenue_uncosted, uncosted_skus, ...credit } = row;
      return {
        shop_id,
        day,
        estimable_gateway,
        amounts,
        counts,
        placed,
        cogs,
        orders_uncosted,
        revenue_uncosted,
        uncosted_skus,
        credit: { ...credit, linear: { channels, evidence, touches: weights } },
      };
    },
  );
}
