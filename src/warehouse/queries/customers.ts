import { Type } from 'typebox';
import type { CustomerSums } from '../../domain/metrics/customers.js';
import { fraction, plus } from '../../domain/money.js';
import type { CustomerKind } from '../../domain/orders/customer-kinds.js';
import type { Warehouse } from '../client.js';
import { defineQuery, textOf, texts, type Query, type RowOf } from '../query.js';
import { KIND_OF_ORDER } from './customer-orders.js';
import { countedIn, ordersOf, type OrderFilter } from './order-filter.js';
import { estimateOf } from './order-profits.js';

export type CustomersQuery = Pick<OrderFilter, 'shopId' | 'range' | 'rules'>;

const CUSTOMERS = defineQuery('orders of new and returning customers', {
  /** First day of the period. */
  day: Type.Number(),
  kind: textOf<CustomerKind>(),
  ...texts('orders', 'customers', 'revenue', 'refunds', 'cogs', 'actual_fees', 'estimated_fees'),
});
type Row = RowOf<typeof CUSTOMERS>;

/** What counted orders placed in periods of the range that begin on these days, in their order, brought. */
function customersQuery(filter: CustomersQuery, firstDays: readonly number[]): Query<Row> {
  const { sql, params } = ordersOf(
    filter,
    `roundDown(toUInt16(o.placed_day), {firsts:Array(UInt16)}) AS day, ${KIND_OF_ORDER} AS kind, toString(count()) AS orders,
      toString(uniqExact(o.customer_id)) AS customers, sum(o.revenue) AS revenue, sum(o.refunds) AS refunds, sum(o.cogs) AS cogs,
      sum(o.gateway_fees) AS actual_fees, sum(${estimateOf(filter.rules)}) AS estimated_fees`,
    countedIn(filter),
  );
  return CUSTOMERS(`${sql} GROUP BY day, kind`, { ...params, firsts: [...firstDays] });
}

export interface CustomerReader {
  /** By first day of a period; those without counted orders are absent. */
  sums(query: CustomersQuery, firstDays: readonly number[]): Promise<ReadonlyMap<number, CustomerSums>>;
}

export function createCustomerReader(warehouse: Warehouse): CustomerReader {
  return {
    async sums(query, firstDays) {
      const sums = new Map<number, CustomerSums>();
      for (const row of await warehouse.ask(customersQuery(query, firstDays))) {
        const { day, kind, revenue, refunds, cogs, actual_fees, estimated_fees } = row;
        const amounts = {
          orders: Number(row.orders),
          customers: Number(row.customers),
          revenue: fraction(revenue),
          refunds: fraction(refunds),
          cogs: fraction(cogs),
          fees: plus(fraction(actual_fees), fraction(estimated_fees)),
        };
        sums.set(day, { ...sums.get(day), [kind]: amounts });
      }
      return sums;
    },
  };
}
