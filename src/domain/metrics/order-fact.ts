import { CREDIT_OF_NONE, type StoredCredit } from './day-credit.js';
import { formatScaled, toMicros } from '../micros.js';
import { ORDER_AMOUNTS } from './sums.js';

/** Lines of a row: parallel arrays. */
export interface StoredLines {
  skus: readonly string[];
  quantities: readonly string[];
  unit_costs: readonly (string | null)[];
}

/** A row of `order_days` to be computed. */
export interface OpenDay {
  shop_id: string;
  /** `YYYY-MM-DD`, as `placed_day`. */
  day: string;
  order_id: string;
  /** Digits. */
  version: string;
  placed_day: string;
  orders: number;
  /** In the order of `ORDER_AMOUNTS`. */
  amounts: readonly string[];
  has_gateway_fee: boolean;
  has_tax: boolean;
  has_fulfillment_cost: boolean;
  payment_gateway: string;
  refunded_fees: string;
  lines: StoredLines & { restocks: readonly boolean[] };
  /** Whether `daily_products` has its SKUs. */
  in_products: boolean;
}

/** The row of `orders` of a placed day. */
export interface PlacedOrder {
  order_name: string;
  placed_at: string;
  updated_at: string;
  received_at: string;
  status: string;
  is_test: boolean;
  payment_gateway: string;
  is_warned: boolean;
  total: string;
  gateway_fee: string | null;
  fulfillment_cost: string | null;
  tax: string | null;
  lines: StoredLines & { ids: readonly string[] };
  refunds: { totals: readonly string[]; taxes: readonly (string | null)[]; gateway_fees: readonly string[] };
  returned: { line_ids: readonly string[]; quantities: readonly string[]; restocks: readonly boolean[] };
  customer_id: string;
  country: string;
  sales_channel: string;
  discount_codes: readonly string[];
  tags: readonly string[];
}

/** What `order_costs` say of an order; null: nothing. */
export interface KnownCosts {
  gatewayFee: string | null;
  fulfillmentCost: string | null;
}

export const NO_COSTS: KnownCosts = { gatewayFee: null, fulfillmentCost: null };

/** What a row is computed from. */
export interface FactParts {
  open: OpenDay;
  /** On another day than the placed one, and of a deleted order: undefined. */
  placed: PlacedOrder | undefined;
  costs: KnownCosts;
  credit: StoredCredit | undefined;
  /** The unit cost that the catalog has of a SKU on the placed day, in micros; null: none. */
  costOf: (sku: string) => bigint | null;
}

const COST_DECIMALS = 12;

/** The row of `order_facts`; `stamp` was taken before the parts were read. */
export function factOf({ open, placed, costs, credit, costOf }: FactParts, stamp: number) {
  const isCounted = open.orders === 1;
  const amounts: Record<string, string> = {};
  ORDER_AMOUNTS.forEach(({ name }, i) => (amounts[name] = open.amounts[i] ?? '0'));
  // What is known apart is of the sale alone.
  if (isCounted && costs.gatewayFee !== null) {
    amounts.gateway_fees = micros(toMicros(costs.gatewayFee) - toMicros(open.refunded_fees));
  }
  if (isCounted && costs.fulfillmentCost !== null) amounts.fulfillment_costs = costs.fulfillmentCost;
  const hasFee = isCounted && (open.has_gateway_fee || costs.gatewayFee !== null);
  const { skus, restocks } = open.lines;
  const day = costsOfLines(open.lines, (quantity, i) => (restocks[i] === true ? -quantity : quantity), costOf);
  const uncosted = distinct(day.unknown.filter((i) => restocks[i] !== true).map((i) => skus[i] ?? ''));
  const known = credit ?? CREDIT_OF_NONE;
  const listed = placed === undefined ? undefined : listedOf(placed, costs, costOf);
  // One literal, and no spread: an order took 8 µs so, and 60 to 370 with one.
  const row = {
    shop_id: open.shop_id,
    day: open.day,
    order_id: open.order_id,
    version: versionOf(open.version, stamp),
    is_deleted: 0,
    order_version: open.version,
    in_products: Number(open.in_products),
    placed_day: open.placed_day,
    orders: open.orders,
    orders_fee_actual: Number(hasFee),
    orders_tax_present: Number(isCounted && open.has_tax),
    orders_fulfillment_known: Number(isCounted && (open.has_fulfillment_cost || costs.fulfillmentCost !== null)),
    cogs: formatScaled(day.cogs, COST_DECIMALS),
    uncosted_skus: uncosted,
    estimable_gateway: isCounted && !hasFee ? open.payment_gateway : '',
    last_touch: known.last_touch,
    last_evidence: known.last_evidence,
    first_touch: known.first_touch,
    first_evidence: known.first_evidence,
    touches: known.touches,
    loss: known.loss,
    'linear.channel': known.linear.channels,
    'linear.evidence': known.linear.evidence,
    'linear.touches': known.linear.touches,
    is_listed: placed !== undefined,
    order_name: placed?.order_name,
    placed_at: placed?.placed_at,
    updated_at: placed?.updated_at,
    received_at: placed?.received_at,
    status: placed?.status,
    is_test: placed?.is_test,
    payment_gateway: placed?.payment_gateway,
    is_warned: placed?.is_warned,
    has_gateway_fee: listed?.hasFee,
    order_revenue: placed?.total,
    order_refunds: listed?.refunds,
    order_gateway_fees: listed?.fees,
    order_tax: placed === undefined ? undefined : (placed.tax ?? '0'),
    order_tax_refunded: listed?.taxRefunded,
    fulfillment_cost: placed === undefined ? undefined : (costs.fulfillmentCost ?? placed.fulfillment_cost),
    order_cogs: listed?.cogs,
    lines_without_cost: listed?.linesWithoutCost,
    skus: listed?.skus,
    customer_id: placed?.customer_id,
    country: placed?.country,
    sales_channel: placed?.sales_channel,
    discount_codes: placed?.discount_codes,
    tags: placed?.tags,
  };
  return Object.assign(row, amounts);
}

export const versionOf = (orderVersion: string, stamp: number): string =>
  String((BigInt(orderVersion) << 64n) + BigInt(stamp));

/** What lists show of it, and has to be computed. */
function listedOf(
  { gateway_fee, lines, refunds, returned }: PlacedOrder,
  { gatewayFee }: KnownCosts,
  costOf: FactParts['costOf'],
) {
  const restocked = new Map<string, bigint>();
  returned.line_ids.forEach((id, i) => {
    if (returned.restocks[i] === true) {
      restocked.set(id, (restocked.get(id) ?? 0n) + toMicros(returned.quantities[i] ?? '0'));
    }
  });
  const kept = costsOfLines(lines, (quantity, i) => quantity - (restocked.get(lines.ids[i] ?? '') ?? 0n), costOf);
  const fee = gatewayFee ?? gateway_fee;
  return {
    hasFee: fee !== null,
    fees: micros(toMicros(fee ?? '0') - sumOf(refunds.gateway_fees)),
    refunds: micros(sumOf(refunds.totals)),
    taxRefunded: micros(sumOf(refunds.taxes)),
    cogs: formatScaled(kept.cogs, COST_DECIMALS),
    linesWithoutCost: kept.unknown.length,
    skus: distinct(lines.skus),
  };
}

const distinct = (texts: readonly string[]): readonly string[] => (texts.length < 2 ? texts : [...new Set(texts)]);

/** COGS in the square of millionths, and which lines have no cost. */
function costsOfLines(
  { skus, quantities, unit_costs }: StoredLines,
  unitsOf: (quantity: bigint, i: number) => bigint,
  costOf: FactParts['costOf'],
): { cogs: bigint; unknown: number[] } {
  const unknown: number[] = [];
  let cogs = 0n;
  skus.forEach((sku, i) => {
    const own = unit_costs[i] ?? null;
    const cost = own === null ? costOf(sku) : toMicros(own);
    if (cost === null) unknown.push(i);
    else cogs += unitsOf(toMicros(quantities[i] ?? '0'), i) * cost;
  });
  return { cogs, unknown };
}

const sumOf = (amounts: readonly (string | null)[]): bigint =>
  amounts.reduce((sum, amount) => sum + (amount === null ? 0n : toMicros(amount)), 0n);

const micros = (amount: bigint): string => formatScaled(amount, 6);
