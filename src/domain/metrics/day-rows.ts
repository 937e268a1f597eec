import { compare } from '../compare.js';
import { formatScaled, toMicros } from '../micros.js';
import { isLoss, sharesOf, type StoredCredit } from './day-credit.js';
import { ORDER_AMOUNTS, ORDER_COUNTS } from './sums.js';

/** Sums of the rows of `order_facts` of a day that have one gateway and one credit. */
export interface DayGroup {
  shop_id: string;
  day: string;
  estimable_gateway: string;
  credit: StoredCredit;
  /** In the order of `ORDER_AMOUNTS`. */
  amounts: readonly string[];
  /** In the order of `ORDER_COUNTS`. */
  counts: readonly string[];
  /** 12 decimals. */
  cogs: string;
  orders_uncosted: string;
  revenue_uncosted: string;
  uncosted_skus: readonly string[];
}

const COST_DECIMALS = 12;

/** A decimal of at most twelve decimals as a whole number of the last. */
function toScaled(decimal: string): bigint {
  const [integer = '', decimals = ''] = decimal.split('.');
  return BigInt(integer + decimals.padEnd(COST_DECIMALS, '0'));
}

/** Stamps of a computation: before anything was read, and before the sums were. */
export interface ComputedAt {
  read_at: number;
  computed_at: number;
}

/** The row of a day in `daily_orders`. */
export function dayRow(
  { shop_id, day }: Pick<DayGroup, 'shop_id' | 'day'>,
  groups: readonly DayGroup[],
  { read_at, computed_at }: ComputedAt,
) {
  return { shop_id, day, computed_at, read_at, ...figuresOf(groups), ...channelsOf(groups) };
}

function figuresOf(groups: readonly DayGroup[]) {
  const sums = new Map<string, bigint>();
  const add = (name: string, amount: bigint): void => void sums.set(name, (sums.get(name) ?? 0n) + amount);
  const estimable = new Map<string, { orders: bigint; revenue: bigint }>();
  const uncosted = new Set<string>();
  for (const group of groups) {
    ORDER_AMOUNTS.forEach(({ name }, i) => add(name, toScaled(group.amounts[i] ?? '0')));
    ORDER_COUNTS.forEach(({ name }, i) => add(name, toScaled(group.counts[i] ?? '0')));
    add('cogs', toScaled(group.cogs));
    add('orders_costed', toScaled(ordersOf(group)) - toScaled(group.orders_uncosted));
    add('revenue_uncosted', toScaled(group.revenue_uncosted));
    for (const sku of group.uncosted_skus) uncosted.add(sku);
    if (group.estimable_gateway === '') continue;
    const { orders, revenue } = estimable.get(group.estimable_gateway) ?? { orders: 0n, revenue: 0n };
    estimable.set(group.estimable_gateway, {
      orders: orders + BigInt(ordersOf(group)),
      revenue: revenue + toMicros(revenueOf(group)),
    });
  }
  const gateways = [...estimable].sort(([a], [b]) => compare(a, b));
  return {
    // In one order, since the history compares them.
    sums: Object.fromEntries(
      [...sums]
        .filter(([, amount]) => amount !== 0n)
        .sort(([a], [b]) => compare(a, b))
        .map(([name, amount]) => [name, formatScaled(amount, COST_DECIMALS)]),
    ),
    'estimable.payment_gateway': gateways.map(([gateway]) => gateway),
    'estimable.orders': gateways.map(([, { orders }]) => String(orders)),
    'estimable.revenue': gateways.map(([, { revenue }]) => formatScaled(revenue, 6)),
    uncosted_skus: [...uncosted].sort(compare),
  };
}

const amountsOf = (names: readonly string[]) => {
  const at = names.map((name) => ORDER_AMOUNTS.findIndex((sum) => sum.name === name));
  return ({ amounts }: DayGroup): string[] => at.map((i) => amounts[i] ?? '0');
};
const CREDITED = ['revenue', 'refunds', 'gateway_fees'] as const;
const creditedOf = amountsOf(CREDITED);
const revenueOf = (group: DayGroup): string => creditedOf(group)[0] ?? '0';
const ORDERS_AT = ORDER_COUNTS.findIndex(({ name }) => name === 'orders');
const ordersOf = ({ counts }: DayGroup): string => counts[ORDERS_AT] ?? '0';

/** Amounts of orders times the parts that a channel gets of them: orders, revenue, refunds, fees, COGS. */
function channelsOf(groups: readonly DayGroup[]) {
  const entries = new Map<string, { keys: readonly [string, string, string, number, string]; amounts: bigint[] }>();
  for (const group of groups) {
    const own = [BigInt(ordersOf(group)), ...creditedOf(group).map(toMicros), toScaled(group.cogs)];
    for (const share of sharesOf(group.credit)) {
      const gateway = isLoss(share) ? '' : group.estimable_gateway;
      const keys = [share.model, share.channel, share.evidence, share.parts, gateway] as const;
      const key = JSON.stringify(keys);
      const known = entries.get(key)?.amounts ?? own.map(() => 0n);
      entries.set(key, { keys, amounts: known.map((sum, i) => sum + (own[i] ?? 0n) * BigInt(share.weight)) });
    }
  }
  const rows = [...entries.values()].filter(({ amounts }) => amounts.some((amount) => amount !== 0n));
  const scaled = (at: number, scale: number): string[] =>
    rows.map(({ amounts }) => (scale === 0 ? String(amounts[at]) : formatScaled(amounts[at] ?? 0n, scale)));
  return {
    'credits.model': rows.map(({ keys }) => keys[0]),
    'credits.channel': rows.map(({ keys }) => keys[1]),
    'credits.evidence': rows.map(({ keys }) => keys[2]),
    'credits.parts': rows.map(({ keys }) => keys[3]),
    'credits.payment_gateway': rows.map(({ keys }) => keys[4]),
    'credits.orders': scaled(0, 0),
    'credits.revenue': scaled(1, 6),
    'credits.refunds': scaled(2, 6),
    'credits.gateway_fees': scaled(3, 6),
    'credits.cogs': scaled(4, COST_DECIMALS),
  };
}
