import { Big } from 'big.js';
import { expect } from 'chai';
import type { OrderDetail } from '../../src/schemas/order-detail.js';
import { readQuestions } from '../../src/warehouse/bi/questions.js';
import { grouped, MIXED_RANGE, monthOf, percent, sum, useMixedAnalyst, type Api } from '../support/mixed-analyst.js';
import { useService } from '../support/service.js';

const monthNumber = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));

describe('the questions of an analyst about orders and customers give the figures of the API', function () {
  this.timeout(240_000);
  const analyst = useMixedAnalyst(useService());
  let sqlOf: Record<string, string>;
  let orders: OrderDetail[];
  /** The first order of each customer. */
  let first: Map<string, OrderDetail>;

  before(async () => {
    const questions = await readQuestions('clickhouse/views/questions');
    sqlOf = Object.fromEntries(questions.map(({ title, sql }) => [title, sql]));
    const list = await analyst.read(`/v1/orders?${MIXED_RANGE}&counted=1&order=asc`);
    orders = await Promise.all(
      list.orders.map(
        async ({ order_id }: OrderDetail) => (await analyst.read(`/v1/orders/${order_id}`)) as OrderDetail,
      ),
    );
    expect(orders.length).to.equal(9);
    first = new Map(orders.toReversed().map((order) => [order.customer?.id ?? '', order]));
  });
  const same = (title: string, columns: readonly string[], wanted: Parameters<typeof analyst.same>[2]) =>
    analyst.same(sqlOf[title] ?? '', columns, wanted);

  it('customers, new and returning, by cohort and the best', async () => {
    const known = orders.filter(({ customer }) => customer !== undefined);
    const dayOfFirst = ({ customer }: OrderDetail): string => first.get(customer?.id ?? '')?.day ?? '';
    const kindOf = (order: OrderDetail): string => {
      if (order.customer === undefined) return 'unknown';
      return first.get(order.customer.id) === order ? 'new' : 'returning';
    };
    const customers = (group: readonly OrderDetail[]): number =>
      new Set(group.flatMap(({ customer }) => customer?.id ?? [])).size;
    await same(
      'New and returning customers',
      ['month', 'customer', 'orders', 'customers', 'revenue'],
      grouped(
        orders,
        (order) => [monthOf(order.day), kindOf(order)],
        (group) => [group.length, customers(group), sum(group, 'revenue')],
      ),
    );
    await same(
      'Cohorts of customers',
      ['cohort_month', 'months_later', 'customers', 'orders', 'revenue', 'profit'],
      grouped(
        known,
        (order) => [monthOf(dayOfFirst(order)), monthNumber(order.day) - monthNumber(dayOfFirst(order))],
        (group) => [customers(group), group.length, sum(group, 'revenue'), sum(group, 'profit')],
      ),
    );
    const spent = new Map<string, string>();
    const { days } = await analyst.read(`/v1/metrics/daily?${MIXED_RANGE}&by=month&include=customers`);
    for (const { date, ad_spend } of days as Api[]) spent.set(monthOf(date), ad_spend);
    await same(
      'What a new customer costs',
      ['month', 'new_customers', 'ad_spend', 'cost_of_a_new_customer'],
      (days as Api[])
        .filter(({ ad_spend, customers: of }) => of.new_customers > 0 || Number(ad_spend) > 0)
        .map(({ date, ad_spend, customers: of }) => [
          monthOf(date),
          of.new_customers,
          ad_spend,
          of.cac === null ? null : Big(of.cac).round(2).toFixed(),
        ]),
    );
    await same(
      'Cohorts by net profit',
      ['cohort_month', 'months_later', 'profit', 'profit_total', 'ad_spend', 'net_profit'],
      grouped(
        known,
        (order) => [monthOf(dayOfFirst(order)), monthNumber(order.day) - monthNumber(dayOfFirst(order))],
        (group) => {
          const [cohort = '', month = ''] = group.flatMap((order) => [monthOf(dayOfFirst(order)), monthOf(order.day)]);
          const until = known.filter((order) => monthOf(dayOfFirst(order)) === cohort && monthOf(order.day) <= month);
          const [total, spend] = [sum(until, 'profit'), spent.get(cohort) ?? '0'];
          return [sum(group, 'profit'), total, spend, Big(total).minus(spend).toFixed()];
        },
      ),
    );
    await same(
      'Best customers',
      ['customer_id', 'first_order_day', 'orders', 'revenue', 'refunds', 'profit'],
      grouped(
        known,
        (order) => [order.customer?.id, dayOfFirst(order)],
        (group) => [group.length, ...['revenue', 'refunded', 'profit'].map((name) => sum(group, name))],
      ),
    );
  });

  it('orders at a loss, fees and refunds', async () => {
    const columns = ['order_id', 'channel', 'revenue', 'refunds', 'cogs', 'gateway_fees', 'profit'];
    const { orders: losing } = await analyst.read(`/v1/orders?${MIXED_RANGE}&loss=1`);
    expect(losing.map(({ order_id }: Api) => order_id)).to.deep.equal(['loss']);
    await same(
      'Orders at a loss',
      columns,
      losing.map((row: Api) => columns.map((name) => row[name])),
    );
    await same(
      'Payment fees by gateway',
      ['gateway', 'fee_source', 'orders', 'revenue', 'gateway_fees', 'fee_percent'],
      grouped(
        orders,
        ({ payment_gateway, fee_source }) => [payment_gateway?.toLowerCase(), fee_source],
        (group) => {
          const [revenue, fees] = [sum(group, 'revenue'), sum(group, 'gateway_fees')];
          return [group.length, revenue, fees, percent(fees, revenue)];
        },
      ),
    );
    const refunds = orders.flatMap((order) =>
      order.refunds.map(({ total, day }) => ({ total, days: (Date.parse(day) - Date.parse(order.day)) / 86_400_000 })),
    );
    await same(
      'Days until the refund',
      ['weeks_after_order', 'refunds', 'refunded'],
      grouped(
        refunds,
        ({ days }) => [Math.trunc(days / 7)],
        (group) => [group.length, sum(group, 'total')],
      ),
    );
  });

  it('profit by country and by discount code', async () => {
    for (const [title, by, column] of [
      ['Profit by country', 'country', 'country'],
      ['Profit by discount code', 'discount_code', 'code'],
    ] as const) {
      const { rows } = await analyst.read(`/v1/breakdown?${MIXED_RANGE}&by=${by}`);
      expect(rows.length, by).to.equal(3);
      const figures = ['orders', 'revenue', 'refunds', 'cogs', 'gateway_fees', 'profit'];
      await same(
        title,
        [column, ...figures],
        rows.map((row: Api) => [row.key, ...figures.map((name) => row[name])]),
      );
    }
  });

  it('changes of past days, of the figures that orders and catalog make', async () => {
    const changes: Api[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const { restatements, next } = await analyst.read(`/v1/restatements?${MIXED_RANGE}${cursor}`);
      changes.push(...restatements);
      cursor = next === undefined ? undefined : `&cursor=${String(next)}`;
    }
    const figures = ['revenue', 'refunds', 'net_revenue', 'orders', 'cogs'];
    const names = figures.map((name) => `'${name}'`).join();
    await analyst.same(
      `SELECT * FROM (${sqlOf['Changes of past days'] ?? ''}) WHERE figure IN (${names})`,
      ['figure', 'causes', 'changes', 'days', 'difference'],
      grouped(
        changes.filter(({ figure }) => figures.includes(figure)),
        ({ figure, causes }) => [
          figure,
          causes
            .map(({ kind }: Api) => kind)
            .sort()
            .join(', '),
        ],
        (group) => {
          const difference = group.reduce((all, row) => all.plus(row.after).minus(row.before), Big(0)).toFixed();
          return [group.length, new Set(group.map(({ date }) => date)).size, difference];
        },
      ),
    );
  });
});
