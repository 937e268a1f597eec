import { Type } from 'typebox';
import { addIds, idLists, type IdsByShop } from '../../domain/by-shop.js';
import type { CampaignCredit } from '../../domain/metrics/day-credit.js';
import { NO_COSTS, type KnownCosts, type OpenDay, type PlacedOrder } from '../../domain/metrics/order-fact.js';
import { toMicros } from '../../domain/micros.js';
import type { Warehouse } from '../client.js';
import { defineQuery, nullable, textOf, texts } from '../query.js';
import { literal, microsOf, ONE_THREAD, pairs, stampOf } from '../sql.js';
import { dayList } from './open-days.js';
import type { CostKind } from './order-costs.js';

const TEXT = Type.String();
const TEXTS = Type.Array(TEXT);
const COSTS = Type.Array(nullable(TEXT));
const BOOLS = Type.Array(Type.Boolean());

/** What is looked up for some of these rows. */
export interface LookUps {
  placed: (row: OpenDay) => PlacedOrder | undefined;
  costs: (row: OpenDay) => KnownCosts;
  credit: (row: OpenDay) => CampaignCredit | undefined;
}

const keyOf = (shopId: string, ...names: string[]): string => [shopId, ...names].join('\n');

/** The ids by shop. */
export function idsOf(rows: readonly OpenDay[]): IdsByShop {
  const ids = new Map<string, Set<string>>();
  for (const { shop_id, order_id } of rows) addIds(ids, shop_id, [order_id]);
  return idLists(ids);
}

const PLACED_ORDERS = defineQuery('orders of open days', {
  ...texts('shop_id', 'placed_day', 'order_id', 'order_name', 'status'),
  placed_at: Type.Number(),
  updated_at: Type.Number(),
  received_at: Type.Number(),
  is_test: Type.Boolean(),
  payment_gateway: TEXT,
  gateway: TEXT,
  is_warned: Type.Boolean(),
  total: TEXT,
  gateway_fee: nullable(TEXT),
  fulfillment_cost: nullable(TEXT),
  tax: nullable(TEXT),
  line_ids: TEXTS,
  skus: TEXTS,
  quantities: TEXTS,
  unit_costs: COSTS,
  refund_totals: TEXTS,
  refund_taxes: COSTS,
  refund_fees: TEXTS,
  returned_ids: TEXTS,
  returned_quantities: TEXTS,
  returned_restocks: BOOLS,
  ...texts('customer_id', 'country', 'sales_channel'),
  discount_codes: TEXTS,
  tags: TEXTS,
});

async function readPlaced(warehouse: Warehouse, rows: readonly OpenDay[]): Promise<LookUps['placed']> {
  const placed = rows.filter(({ day, placed_day }) => day === placed_day);
  if (placed.length === 0) return () => undefined;
  const days = new Map(placed.map(({ shop_id: shopId, day }) => [keyOf(shopId, day), { shopId, day }]));
  const found = await warehouse.ask(
    PLACED_ORDERS(
      `SELECT o.shop_id AS shop_id, toString(o.placed_day) AS placed_day, o.order_id AS order_id, o.order_name AS order_name,
        ${microsOf('o.placed_at')} AS placed_at, ${microsOf('o.updated_at')} AS updated_at, toFloat64(${stampOf('o.version')}) AS received_at,
        o.status AS status, o.is_test AS is_test, o.payment_gateway AS payment_gateway, o.gateway AS gateway, toBool(notEmpty(o.warnings.code)) AS is_warned,
        o.total AS total, o.gateway_fee AS gateway_fee, o.fulfillment_cost AS fulfillment_cost, o.tax AS tax,
        o.line_items.line_id AS line_ids, o.line_items.sku AS skus, o.line_items.quantity AS quantities,
        o.line_items.unit_cost AS unit_costs, o.refunds.total AS refund_totals, o.refunds.tax_refund AS refund_taxes,
        o.refunds.gateway_fee_refund AS refund_fees, o.refund_lines.line_id AS returned_ids,
        o.refund_lines.quantity AS returned_quantities, o.refund_lines.restock AS returned_restocks,
        o.customer_id AS customer_id, o.country AS country, o.sales_channel AS sales_channel,
        o.discount_codes AS discount_codes, o.tags AS tags
      FROM orders AS o FINAL
      WHERE (o.shop_id, o.placed_day) IN (${dayList([...days.values()])}) AND (o.shop_id, o.order_id) IN (${pairs(idsOf(placed))})${ofOneDay(placed)} ${ONE_THREAD}`,
    ),
  );
  const orders = new Map<string, PlacedOrder>();
  for (const row of found) {
    const { line_ids: ids, skus, quantities, unit_costs } = row;
    const { refund_totals: totals, refund_taxes: taxes, refund_fees: gateway_fees } = row;
    const { returned_ids, returned_quantities, returned_restocks: restocks } = row;
    // Assigned, since taking these columns out of the row costs 14 µs an order.
    const order = Object.assign(row, {
      lines: { ids, skus, quantities, unit_costs },
      refunds: { totals, taxes, gateway_fees },
      returned: { line_ids: returned_ids, quantities: returned_quantities, restocks },
    });
    orders.set(keyOf(row.shop_id, row.placed_day, row.order_id), order);
  }
  return ({ shop_id, day, order_id }) => orders.get(keyOf(shop_id, day, order_id));
}

/** Rows of one day lie between the ids of the first and the last: so no part of a large day reads all of it. */
function ofOneDay(rows: readonly OpenDay[]): string {
  const [first, last] = [rows[0], rows.at(-1)];
  return first !== undefined && first.shop_id === last?.shop_id && first.day === last.day
    ? ` AND o.order_id BETWEEN ${literal(first.order_id)} AND ${literal(last.order_id)}`
    : '';
}

const ORDER_COSTS = defineQuery('costs of open orders', {
  ...texts('shop_id', 'order_id', 'amount'),
  kind: textOf<CostKind>(),
  version: Type.Number(),
  is_deleted: Type.Number(),
});

/** All versions, of which the newest of a kind counts: one that is taken back has a version too. */
async function readCosts(warehouse: Warehouse, rows: readonly OpenDay[]): Promise<LookUps['costs']> {
  const found = await warehouse.ask(
    ORDER_COSTS(
      `SELECT c.shop_id AS shop_id, c.order_id AS order_id, toString(c.kind) AS kind, c.amount AS amount,
        toFloat64(c.version) AS version, c.is_deleted AS is_deleted
      FROM order_costs AS c WHERE (c.shop_id, c.order_id) IN (${pairs(idsOf(rows))}) ${ONE_THREAD}`,
    ),
  );
  const costs = new Map<string, KnownCosts>();
  for (const { shop_id, order_id, kind, amount, is_deleted } of found.sort((a, b) => a.version - b.version)) {
    const known = costs.get(keyOf(shop_id, order_id)) ?? NO_COSTS;
    const value = is_deleted === 1 ? null : amount;
    const cost = kind === 'gateway_fee' ? { gatewayFee: value } : { fulfillmentCost: value };
    costs.set(keyOf(shop_id, order_id), { ...known, ...cost });
  }
  return ({ shop_id, day, placed_day, order_id }) =>
    (day === placed_day ? costs.get(keyOf(shop_id, order_id)) : undefined) ?? NO_COSTS;
}

const CREDITS = defineQuery('credit of open orders', {
  ...texts(
    'shop_id',
    'placed_day',
    'order_id',
    'last_touch',
    'last_evidence',
    'last_campaign',
    'first_touch',
    'first_evidence',
    'first_campaign',
    'loss',
  ),
  touches: Type.Number(),
  channels: TEXTS,
  evidence: TEXTS,
  campaigns: TEXTS,
  weights: Type.Array(Type.Number()),
});

async function readCredits(warehouse: Warehouse, rows: readonly OpenDay[]): Promise<LookUps['credit']> {
  const days = new Map(rows.map(({ shop_id: shopId, placed_day: day }) => [keyOf(shopId, day), { shopId, day }]));
  const found = await warehouse.ask(
    CREDITS(
      `SELECT a.shop_id AS shop_id, toString(a.placed_day) AS placed_day, a.order_id AS order_id, 
        a.last_touch AS last_touch, a.last_evidence AS last_evidence, a.last_campaign AS last_campaign,
        a.first_touch AS first_touch, a.first_evidence AS first_evidence, a.first_campaign AS first_campaign, a.touches AS touches, a.linear.channel AS channels, a.linear.evidence AS evidence,
        a.linear.campaign AS campaigns, a.linear.touches AS weights, a.loss AS loss
      FROM order_attribution AS a FINAL
      WHERE (a.shop_id, a.placed_day) IN (${dayList([...days.values()])}) AND (a.shop_id, a.order_id) IN (${pairs(idsOf(rows))}) ${ONE_THREAD}`,
    ),
  );
  const credits = new Map(
    found.map(
      ({
        shop_id,
        placed_day,
        order_id,
        channels,
        evidence,
        campaigns,
        weights,
        ...credit
      }): [string, CampaignCredit] => [
        keyOf(shop_id, placed_day, order_id),
        { ...credit, linear: { channels, evidence, campaigns, touches: weights } },
      ],
    ),
  );
  return ({ shop_id, placed_day, order_id }) => credits.get(keyOf(shop_id, placed_day, order_id));
}

/** What is known of these rows elsewhere, but for unit costs. */
export async function readLookUps(warehouse: Warehouse, rows: readonly OpenDay[]): Promise<LookUps> {
  const [placed, costs, credit] = await Promise.all([
    readPlaced(warehouse, rows),
    readCosts(warehouse, rows),
    readCredits(warehouse, rows),
  ]);
  return { placed, costs, credit };
}

const UNIT_COSTS = defineQuery('unit costs of SKUs', texts('shop_id', 'sku', 'since', 'unit_cost'));

/** The unit cost of a SKU of a shop on a day, `YYYY-MM-DD`, in micros; null: none. */
export type CatalogCost = (shopId: string, sku: string, day: string) => bigint | null;

/** The catalog of today of these SKUs. */
export async function readUnitCosts(warehouse: Warehouse, skus: IdsByShop): Promise<CatalogCost> {
  if (skus.size === 0) return () => null;
  const rows = await warehouse.ask(
    UNIT_COSTS(
      `SELECT c.shop_id AS shop_id, c.sku AS sku, toString(c.since) AS since, c.unit_cost AS unit_cost
       FROM product_costs AS c FINAL WHERE (c.shop_id, c.sku) IN (${pairs(skus)})
       ORDER BY c.shop_id, c.sku, c.since DESC ${ONE_THREAD}`,
    ),
  );
  const versions = new Map<string, { since: string; cost: bigint }[]>();
  for (const { shop_id, sku, since, unit_cost } of rows) {
    const key = keyOf(shop_id, sku);
    const known = versions.get(key);
    const version = { since, cost: toMicros(unit_cost) };
    if (known === undefined) versions.set(key, [version]);
    else known.push(version);
  }
  return (shopId, sku, day) => versions.get(keyOf(shopId, sku))?.find(({ since }) => since <= day)?.cost ?? null;
}
