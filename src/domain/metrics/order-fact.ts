import { CREDIT_OF_NONE, type CampaignCredit } from './day-credit.js';
import { toMicros } from '../micros.js';
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
  /** Microseconds since 1970, as the two below. */
  placed_at: number;
  updated_at: number;
  received_at: number;
  status: string;
  is_test: boolean;
  payment_gateway: string;
  /** Folded. */
  gateway: string;
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
  credit: CampaignCredit | undefined;
  /** The unit cost that the catalog has of a SKU on the placed day, in micros; null: none. */
  costOf: (sku: string) => bigint | null;
}

/** The version of its row: of a newer version of the order, and then of a later stamp, wins. */
export const versionOf = (orderVersion: string, stamp: number): bigint => (BigInt(orderVersion) << 64n) + BigInt(stamp);

const at = (name: string): number => ORDER_AMOUNTS.findIndex((sum) => sum.name === name);
const GATEWAY_FEES = at('gateway_fees');
const FULFILLMENT_COSTS = at('fulfillment_costs');

/** A row of `order_facts`; `stamp` was taken before the parts were read. */
export interface OrderFact {
  open: OpenDay;
  /** Of an order that counts on this day, in the order of `ORDER_AMOUNTS`: decimals, or micros. */
  amounts: readonly (string | bigint)[];
  stamp: number;
  hasFee: boolean;
  hasTax: boolean;
  isFulfillmentKnown: boolean;
  /** In the square of millionths. */
  cogs: bigint;
  uncostedSkus: readonly string[];
  estimableGateway: string;
  credit: CampaignCredit;
  /** Of the placed day alone. */
  listed: ListedFact | undefined;
  /** Of its lines: on the placed day of all, else of those of the day. */
  skus: readonly string[];
}

export function factOf({ open, placed, costs, credit, costOf }: FactParts, stamp: number): OrderFact {
  const isCounted = open.orders === 1;
  let amounts: readonly (string | bigint)[] = open.amounts;
  // What is known apart is of the sale alone.
  if (isCounted && costs.gatewayFee !== null) {
    amounts = amounts.with(GATEWAY_FEES, toMicros(costs.gatewayFee) - toMicros(open.refunded_fees));
  }
  if (isCounted && costs.fulfillmentCost !== null) amounts = amounts.with(FULFILLMENT_COSTS, costs.fulfillmentCost);
  const hasFee = isCounted && (open.has_gateway_fee || costs.gatewayFee !== null);
  const { skus, restocks } = open.lines;
  const day = costsOfLines(open.lines, (quantity, i) => (restocks[i] === true ? -quantity : quantity), costOf);
  return {
    open,
    amounts,
    stamp,
    hasFee,
    hasTax: isCounted && open.has_tax,
    isFulfillmentKnown: isCounted && (open.has_fulfillment_cost || costs.fulfillmentCost !== null),
    cogs: day.cogs,
    uncostedSkus: distinct(day.unknown.filter((i) => restocks[i] !== true).map((i) => skus[i] ?? '')),
    estimableGateway: isCounted && !hasFee ? open.payment_gateway : '',
    credit: credit ?? CREDIT_OF_NONE,
    listed: placed === undefined ? undefined : listedOf(placed, costs, costOf),
    skus: distinct((placed?.lines ?? open.lines).skus),
  };
}

/** What lists show of an order; amounts in micros. */
export interface ListedFact {
  order: PlacedOrder;
  hasFee: boolean;
  fees: bigint;
  fulfillmentCost: string | null;
  refunds: bigint;
  /** Of lines that refunds name, in millionths. */
  refundedUnits: bigint;
  taxRefunded: bigint;
  /** In the square of millionths. */
  cogs: bigint;
  linesWithoutCost: number;
}

function listedOf(
  order: PlacedOrder,
  { gatewayFee, fulfillmentCost }: KnownCosts,
  costOf: FactParts['costOf'],
): ListedFact {
  const { gateway_fee, lines, refunds, returned } = order;
  const restocked = new Map<string, bigint>();
  returned.line_ids.forEach((id, i) => {
    if (returned.restocks[i] === true) {
      restocked.set(id, (restocked.get(id) ?? 0n) + toMicros(returned.quantities[i] ?? '0'));
    }
  });
  const kept = costsOfLines(lines, (quantity, i) => quantity - (restocked.get(lines.ids[i] ?? '') ?? 0n), costOf);
  const fee = gatewayFee ?? gateway_fee;
  return {
    order,
    hasFee: fee !== null,
    fees: toMicros(fee ?? '0') - sumOf(refunds.gateway_fees),
    fulfillmentCost: fulfillmentCost ?? order.fulfillment_cost,
    refunds: sumOf(refunds.totals),
    refundedUnits: sumOf(returned.quantities),
    taxRefunded: sumOf(refunds.taxes),
    cogs: kept.cogs,
    linesWithoutCost: kept.unknown.length,
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
