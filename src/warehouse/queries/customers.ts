import { Type } from 'typebox';
import type { CohortMonth, CustomerAmounts, CustomerSums } from '../../domain/metrics/customers.js';
import { fraction, plus } from '../../domain/money.js';
import type { CustomerKind } from '../../domain/orders/customer-kinds.js';
import { ALL_DAYS } from '../../domain/metrics/range.js';
import { formatDay } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { defineQuery, textOf, texts, type Query, type RowOf } from '../query.js';
import { FIRST_DAYS, kindOfOrder } from './customer-orders.js';
import { countedIn, ordersOf, type OrderFilter } from './order-filter.js';
import { estimateOf, hasRule } from './order-profits.js';

export type CustomersQuery = Pick<OrderFilter, 'shopId' | 'range' | 'rules'>;

const SUMS = texts('orders', 'customers', 'revenue', 'refunds', 'cogs', 'actual_fees', 'estimated_fees');
type SumsRow = Record<keyof typeof SUMS, string>;
const CUSTOMERS = defineQuery('orders of new and returning customers', {
  /** First day of the period. */
  day: Type.Number(),
  kind: textOf<CustomerKind>(),
  ...SUMS,
});
const COHORTS = defineQuery('orders of cohorts', {
  /** First day of the period of the first orders. */
  day: Type.Number(),
  month: Type.Number(),
  ...SUMS,
  ...texts('without_cost', 'without_fee'),
});
type Row = RowOf<typeof CUSTOMERS>;

/** What counted orders placed in periods of the range that begin on these days, in their order, brought. */
function customersQuery(filter: CustomersQuery, firstDays: readonly number[]): Query<Row> {
  const { sql, params } = ordersOf(
    filter,
    `roundDown(toUInt16(o.placed_day), {firsts:Array(UInt16)}) AS day, ${kindOfOrder(filter.range)} AS kind, toString(count()) AS orders,
      toString(if(kind = 'new', count(), uniqExactIf(o.customer_id, kind != 'new'))) AS customers, sum(o.revenue) AS revenue,
      sum(o.refunds) AS refunds, sum(o.cogs) AS cogs, sum(o.gateway_fees) AS actual_fees, sum(${estimateOf(filter.rules)}) AS estimated_fees`,
    countedIn(filter),
  );
  return CUSTOMERS(`${sql} GROUP BY day, kind`, { ...params, firsts: [...firstDays] });
}

/** What orders of customers whose first one was placed in periods of the range brought, by months after that, whenever they were placed. */
function cohortsQuery({ range, ...of }: CustomersQuery, firstDays: readonly number[]) {
  const filter = { ...of, range: { from: range.from, to: ALL_DAYS.to } };
  const { sql, params } = ordersOf(
    filter,
    `o.customer_id AS customer_id, o.placed_day AS day, o.revenue AS revenue, o.refunds AS refunds, o.cogs AS cogs,
      o.gateway_fees AS actual_fees, ${estimateOf(filter.rules)} AS estimated_fees, o.lines_without_cost > 0 AS has_no_cost,
      NOT o.has_gateway_fee AND NOT ${hasRule(filter.rules)} AS has_no_fee`,
    countedIn(filter),
  );
  return COHORTS(
    `SELECT roundDown(toUInt16(c.first_day), {firsts:Array(UInt16)}) AS day, toInt32(toRelativeMonthNum(t.day) - toRelativeMonthNum(c.first_day)) AS month,
      toString(count()) AS orders, toString(uniqExact(t.customer_id)) AS customers, sum(t.revenue) AS revenue, sum(t.refunds) AS refunds,
      sum(t.cogs) AS cogs, sum(t.actual_fees) AS actual_fees, sum(t.estimated_fees) AS estimated_fees,
      toString(countIf(t.has_no_cost)) AS without_cost, toString(countIf(t.has_no_fee)) AS without_fee
    FROM (${sql}) AS t INNER JOIN ${FIRST_DAYS} AS c ON t.customer_id = c.customer_id
    GROUP BY day, month ORDER BY day, month`,
    { ...params, until: formatDay(range.to), firsts: [...firstDays] },
  );
}

export interface CustomerReader {
  /** By first day of a period in which customers came; months in their order, those without counted orders are absent. */
  cohorts(query: CustomersQuery, firstDays: readonly number[]): Promise<ReadonlyMap<number, readonly CohortMonth[]>>;
  /** By first day of a period; those without counted orders are absent. */
  sums(query: CustomersQuery, firstDays: readonly number[]): Promise<ReadonlyMap<number, CustomerSums>>;
}

export function createCustomerReader(warehouse: Warehouse): CustomerReader {
  return {
    async cohorts(query, firstDays) {
      const cohorts = new Map<number, CohortMonth[]>();
      for (const row of await warehouse.ask(cohortsQuery(query, firstDays))) {
        const months = cohorts.get(row.day) ?? [];
        months.push({
          month: row.month,
          ...amountsOf(row),
          withoutCost: Number(row.without_cost),
          withoutFee: Number(row.without_fee),
        });
        cohorts.set(row.day, months);
      }
      return cohorts;
    },
    async sums(query, firstDays) {
      const sums = new Map<number, CustomerSums>();
      for (const row of await warehouse.ask(customersQuery(query, firstDays))) {
        const { day, kind } = row;
        sums.set(day, { ...sums.get(day), [kind]: amountsOf(row) });
      }
      return sums;
    },
  };
}

const amountsOf = (row: SumsRow): CustomerAmounts => ({
  orders: Number(row.orders),
  customers: Number(row.customers),
  revenue: fraction(row.revenue),
  refunds: fraction(row.refunds),
  cogs: fraction(row.cogs),
  fees: plus(fraction(row.actual_fees), fraction(row.estimated_fees)),
});
