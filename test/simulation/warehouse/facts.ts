import { formatScaled } from '../../../src/domain/micros.js';
import { ORDER_AMOUNTS, ORDER_COUNTS, PLACED_SUMS } from '../../../src/domain/metrics/sums.js';
import { formatDay, parseDay } from '../../../src/domain/time.js';
import { idsIn } from './literals.js';
import { keyOf } from './replacing-table.js';
import type { Row } from './row-reader.js';
import { since } from './rebuild.js';
import type { Index, Tables } from './tables.js';

/** The days of `dayList` in a statement. */
export function daysIn(sql: string): { shopId: string; day: number }[] {
  const [, list = ''] = /\(\w\.shop_id, \w\.(?:placed_)?day\) IN \(((?:\('[^']*','[^']*'\),?)+)\)/.exec(sql) ?? [];
  return Array.from(list.matchAll(/\('([^']*)','([^']*)'\)/g), ([, shopId = '', day = '']) => ({
    shopId,
    day: parseDay(day) ?? 0,
  }));
}

const found = (row: Row | undefined): Row[] => (row === undefined ? [] : [row]);

const rowsOf = (sql: string, index: Index, read: (key: string) => Row | undefined): Row[] =>
  daysIn(sql).flatMap(({ shopId, day }) =>
    [...(index.get(keyOf(shopId, day)) ?? [])].flatMap((key) => found(read(key))),
  );

const money = (value: unknown): string => formatScaled((value ?? 0n) as bigint, 6);
const optional = (value: unknown): string | null => (value === null || value === undefined ? null : money(value));
const list = <Item>(row: Row, name: string): Item[] => (row[name] ?? []) as Item[];
const monies = (row: Row, name: string): string[] => list<bigint>(row, name).map(money);
const flags = (row: Row, name: string): boolean[] => list<number>(row, name).map((flag) => flag === 1);

const factKey = (row: Row): string => keyOf(row.shop_id, row.day, row.order_id);
/** The version of the order, of which it is. */
const orderVersion = ({ version }: Row): bigint => BigInt(String(version)) >> 64n;
const isOf = (row: Row) => (fact: Row | undefined) =>
  fact !== undefined && orderVersion(fact) === BigInt(String(row.version));

/** Whether the row of `order_facts` that counts is of this version, with its SKUs in `daily_products`. */
const isComputed = ({ orderFacts }: Tables, row: Row): boolean => {
  const fact = orderFacts.final(factKey(row));
  return fact?.in_products === 1 && isOf(row)(fact);
};

/** Whether all changes of its SKUs were stored before its row was computed. */
const isPriced = ({ orderFacts, productCostChanges }: Tables, row: Row): boolean => {
  const fact = orderFacts.final(factKey(row)) ?? {};
  const stamp = BigInt.asUintN(64, (fact.version ?? 0n) as bigint);
  return list<string>(fact, 'skus').every((sku) => {
    const change = productCostChanges.final(keyOf(row.shop_id, sku));
    return change === undefined || BigInt(Number(change.stored_at)) < stamp;
  });
};

/** The SKUs of costs that were written under stamps. */
export function skusOfCosts({ productCosts }: Tables, sql: string): object[] {
  const shops = [...sql.matchAll(/shop_id = '([^']*)' AND \(([^)]*)\)/g)];
  const rows = [...productCosts.keys()].flatMap((key) => productCosts.rowsOf(key));
  const found = shops.flatMap(([, shopId, ranges = '']) =>
    Array.from(ranges.matchAll(/version BETWEEN (\d+) AND (\d+)/g)).flatMap(([, from, to]) =>
      rows.filter(
        ({ shop_id, version }) =>
          shop_id === shopId && Number(version) >= Number(from) && Number(version) <= Number(to),
      ),
    ),
  );
  const distinct = new Map(found.map(({ shop_id, sku }) => [keyOf(shop_id, sku), { shop_id, sku }]));
  return [...distinct.values()];
}

export function openDays(tables: Tables, sql: string): object[] {
  const ids = sql.includes('CAST(') ? idsIn(sql) : null;
  const isOpen = sql.includes(' NOT IN ');
  const isUnpriced = sql.includes(' product_cost_changes ');
  return rowsOf(sql, tables.ofDay, (key) => tables.orderDays.final(key))
    .filter((row) => ids === null || (ids.get(String(row.shop_id)) ?? []).includes(String(row.order_id)))
    .filter((row) => !isOpen || !isComputed(tables, row) || (isUnpriced && !isPriced(tables, row)))
    .map((row) => ({
      shop_id: row.shop_id,
      day: formatDay(Number(row.day)),
      order_id: row.order_id,
      version: String(row.version),
      placed_day: formatDay(Number(row.placed_day)),
      orders: row.orders,
      amounts: ORDER_AMOUNTS.map(({ name }) => money(row[name])),
      has_gateway_fee: row.has_gateway_fee === 1,
      has_tax: row.has_tax === 1,
      has_fulfillment_cost: row.has_fulfillment_cost === 1,
      payment_gateway: row.payment_gateway ?? '',
      refunded_fees: money(list<bigint>(row, 'refund_list.gateway_fee_refund').reduce((sum, fee) => sum + fee, 0n)),
      skus: list<string>(row, 'lines.sku'),
      quantities: monies(row, 'lines.quantity'),
      unit_costs: list(row, 'lines.unit_cost').map(optional),
      restocks: flags(row, 'lines.restock'),
      in_products: isComputed(tables, row),
    }));
}

export function leftDays(tables: Tables, sql: string): object[] {
  const keys = daysIn(sql).flatMap(({ shopId, day }) => [...(tables.ofDay.get(keyOf(shopId, day)) ?? [])]);
  const gone = keys.flatMap((key) => tables.orderDays.rowsOf(key).filter((row) => row.is_deleted === 1));
  if (sql.includes(' LIMIT 1 ')) return gone.slice(0, 1).map(({ day }) => ({ day: formatDay(Number(day)) }));
  return gone
    .filter((row) => !tables.orderFacts.rowsOf(factKey(row)).some(isOf(row)))
    .map((row) => ({
      shop_id: row.shop_id,
      day: formatDay(Number(row.day)),
      order_id: row.order_id,
      version: String(row.version),
    }));
}

export function placedOrders(tables: Tables, sql: string): object[] {
  const ids = idsIn(sql);
  return rowsOf(sql, tables.placedOn, (key) => tables.orders.final(key))
    .filter((row) => (ids.get(String(row.shop_id)) ?? []).includes(String(row.order_id)))
    .map((row) => ({
      shop_id: row.shop_id,
      placed_day: formatDay(Number(row.placed_day)),
      order_id: row.order_id,
      order_name: row.order_name,
      // No list is read of the simulation.
      placed_at: 0,
      updated_at: 0,
      received_at: Number(BigInt.asUintN(64, row.version as bigint)),
      status: row.status,
      is_test: row.is_test === 1,
      payment_gateway: row.payment_gateway,
      gateway: row.gateway,
      is_warned: list(row, 'warnings.code').length > 0,
      total: money(row.total),
      gateway_fee: optional(row.gateway_fee),
      fulfillment_cost: optional(row.fulfillment_cost),
      tax: optional(row.tax),
      line_ids: list<string>(row, 'line_items.line_id'),
      skus: list<string>(row, 'line_items.sku'),
      quantities: monies(row, 'line_items.quantity'),
      unit_costs: list(row, 'line_items.unit_cost').map(optional),
      refund_totals: monies(row, 'refunds.total'),
      refund_taxes: list(row, 'refunds.tax_refund').map(optional),
      refund_fees: monies(row, 'refunds.gateway_fee_refund'),
      returned_ids: list<string>(row, 'refund_lines.line_id'),
      returned_quantities: monies(row, 'refund_lines.quantity'),
      returned_restocks: flags(row, 'refund_lines.restock'),
      customer_id: row.customer_id,
      country: row.country,
      sales_channel: row.sales_channel,
      discount_codes: list<string>(row, 'discount_codes'),
      tags: list<string>(row, 'tags'),
    }));
}

export function openCredits({ orderAttribution }: Tables, sql: string): object[] {
  const days = daysIn(sql);
  return [...idsIn(sql)].flatMap(([shopId, orderIds]) =>
    days
      .filter((of) => of.shopId === shopId)
      .flatMap(({ day }) => orderIds.flatMap((id) => found(orderAttribution.final(keyOf(shopId, day, id)))))
      .map((row) => ({
        shop_id: shopId,
        placed_day: formatDay(Number(row.placed_day)),
        order_id: row.order_id,
        last_touch: row.last_touch,
        last_evidence: row.last_evidence,
        last_campaign: row.last_campaign,
        first_touch: row.first_touch,
        first_evidence: row.first_evidence,
        first_campaign: row.first_campaign,
        touches: row.touches,
        loss: row.loss,
        channels: row['linear.channel'],
        evidence: row['linear.evidence'],
        campaigns: row['linear.campaign'],
        weights: row['linear.touches'],
      })),
  );
}

/** Before all days; `formatDay` knows no day before 1970. */
const BEGINNING = '1900-01-01';

export function unitCosts({ productCosts, ofSku }: Tables, sql: string): object[] {
  return [...idsIn(sql)].flatMap(([shopId, skus]) =>
    skus.flatMap((sku) =>
      [...(ofSku.get(keyOf(shopId, sku)) ?? [])]
        .flatMap((key) => found(productCosts.final(key)))
        .sort((a, b) => since(b) - since(a))
        .map((row) => ({
          shop_id: shopId,
          sku,
          since: since(row) < 0 ? BEGINNING : formatDay(since(row)),
          unit_cost: money(row.unit_cost),
        })),
    ),
  );
}

const CREDIT = ['last_touch', 'last_evidence', 'first_touch', 'first_evidence', 'touches', 'loss'] as const;

export function dayGroups(tables: Tables, sql: string): object[] {
  const groups = new Map<string, Row[]>();
  for (const row of rowsOf(sql, tables.factsOf, (key) => tables.orderFacts.final(key))) {
    const linear = ['channel', 'evidence', 'touches'].map((name) => row[`linear.${name}`]);
    const key = keyOf(row.shop_id, row.day, row.estimable_gateway, ...CREDIT.map((name) => row[name]), linear.join());
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  for (const { shopId, day } of daysIn(sql)) noteRead(tables, shopId, day);
  const sum = (rows: Row[], name: string): bigint => rows.reduce((all, row) => all + (row[name] as bigint), 0n);
  return Array.from(groups.values(), (rows) => {
    const [row = {}] = rows;
    const counts = (each: Row): boolean => each.orders === 1;
    const uncosted = rows.filter((each) => list(each, 'uncosted_skus').length > 0);
    return {
      shop_id: row.shop_id,
      day: formatDay(Number(row.day)),
      estimable_gateway: row.estimable_gateway,
      ...Object.fromEntries(CREDIT.map((name) => [name, row[name]])),
      channels: row['linear.channel'],
      evidence: row['linear.evidence'],
      weights: row['linear.touches'],
      amounts: ORDER_AMOUNTS.map(({ name }) => formatScaled(sum(rows, name), 6)),
      counts: ORDER_COUNTS.map(({ name }) => String(rows.reduce((all, each) => all + Number(each[name]), 0))),
      placed: PLACED_SUMS.map(({ name, column }) =>
        name === 'listed'
          ? String(rows.reduce((all, each) => all + Number(each[column]), 0))
          : formatScaled(sum(rows.filter(counts), column), name === 'cogs' ? 12 : 6),
      ),
      cogs: formatScaled(sum(rows, 'cogs'), 12),
      orders_uncosted: String(uncosted.length),
      revenue_uncosted: formatScaled(sum(uncosted, 'revenue'), 6),
      uncosted_skus: [...new Set(rows.flatMap((each) => list<string>(each, 'uncosted_skus')))],
    };
  });
}

/** What the last reading of sums saw: the newest version of each order of the day, whether it counts or not. */
function noteRead({ factsOf, orderFacts, sumsRead }: Tables, shopId: string, day: number): void {
  const name = keyOf(shopId, day);
  const seen = new Map<string, bigint>();
  for (const key of factsOf.get(name) ?? []) {
    const row = orderFacts.newest(key);
    if (row !== undefined) seen.set(String(row.order_id), orderVersion(row));
  }
  sumsRead.set(name, seen);
}

/** A decimal with twelve decimals at most as a whole number of the last. */
export function toScaled(decimal: string): bigint {
  const [integer = '', decimals = ''] = decimal.split('.');
  return BigInt(integer + decimals.padEnd(12, '0'));
}
