import { compare } from '../compare.js';
import { formatExact, fraction, isZero, minus, plus, times, whole, ZERO, type Fraction } from '../money.js';
import { isLoss, sharesOf, type StoredCredit } from './day-credit.js';
import { ORDER_AMOUNTS, ORDER_COUNTS, PLACED_SUMS } from './sums.js';

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
  /** In the order of `PLACED_SUMS`. */
  placed: readonly string[];
  /** 12 decimals. */
  cogs: string;
  orders_uncosted: string;
  revenue_uncosted: string;
  uncosted_skus: readonly string[];
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
  const sums = new Map<string, Fraction>();
  const placed = new Map<string, Fraction>();
  const add = (name: string, amount: Fraction, to = sums): void =>
    void to.set(name, plus(to.get(name) ?? ZERO, amount));
  const estimable = new Map<string, { orders: Fraction; revenue: Fraction }>();
  const uncosted = new Set<string>();
  for (const group of groups) {
    ORDER_AMOUNTS.forEach(({ name }, i) => add(name, fraction(group.amounts[i] ?? '0')));
    ORDER_COUNTS.forEach(({ name }, i) => add(name, fraction(group.counts[i] ?? '0')));
    PLACED_SUMS.forEach(({ name }, i) => add(name, fraction(group.placed[i] ?? '0'), placed));
    add('cogs', fraction(group.cogs));
    add('orders_costed', minus(ordersOf(group), fraction(group.orders_uncosted)));
    add('revenue_uncosted', fraction(group.revenue_uncosted));
    for (const sku of group.uncosted_skus) uncosted.add(sku);
    if (group.estimable_gateway === '') continue;
    const { orders, revenue } = estimable.get(group.estimable_gateway) ?? { orders: ZERO, revenue: ZERO };
    estimable.set(group.estimable_gateway, {
      orders: plus(orders, ordersOf(group)),
      revenue: plus(revenue, revenueOf(group)),
    });
  }
  const gateways = [...estimable].sort(([a], [b]) => compare(a, b));
  return {
    sums: storedSums(sums),
    placed_sums: storedSums(placed),
    'estimable.payment_gateway': gateways.map(([gateway]) => gateway),
    'estimable.orders': gateways.map(([, { orders }]) => orders.num.toFixed()),
    'estimable.revenue': gateways.map(([, { revenue }]) => formatExact(revenue.num)),
    uncosted_skus: [...uncosted].sort(compare),
  };
}

/** In one order, since the history compares them. */
const storedSums = (sums: ReadonlyMap<string, Fraction>): Record<string, string> =>
  Object.fromEntries(
    [...sums]
      .filter(([, amount]) => !isZero(amount))
      .sort(([a], [b]) => compare(a, b))
      .map(([name, amount]) => [name, formatExact(amount.num)]),
  );

const amountsOf = (names: readonly string[]) => {
  const at = names.map((name) => ORDER_AMOUNTS.findIndex((sum) => sum.name === name));
  return ({ amounts }: DayGroup): Fraction[] => at.map((i) => fraction(amounts[i] ?? '0'));
};
const CREDITED = ['revenue', 'refunds', 'gateway_fees'] as const;
const creditedOf = amountsOf(CREDITED);
const revenueOf = (group: DayGroup): Fraction => creditedOf(group)[0] ?? ZERO;
const ORDERS_AT = ORDER_COUNTS.findIndex(({ name }) => name === 'orders');
const ordersOf = ({ counts }: DayGroup): Fraction => fraction(counts[ORDERS_AT] ?? '0');

/** Amounts of orders times the parts that a channel gets of them: orders, revenue, refunds, fees, COGS. */
function channelsOf(groups: readonly DayGroup[]) {
  const entries = new Map<string, { keys: readonly [string, string, string, number, string]; amounts: Fraction[] }>();
  for (const group of groups) {
    const own = [ordersOf(group), ...creditedOf(group), fraction(group.cogs)];
    for (const share of sharesOf(group.credit)) {
      const gateway = isLoss(share) ? '' : group.estimable_gateway;
      const keys = [share.model, share.channel, share.evidence, share.parts, gateway] as const;
      const key = JSON.stringify(keys);
      const known = entries.get(key)?.amounts ?? own.map(() => ZERO);
      const part = share.weight === 1 ? own : own.map((amount) => times(amount, whole(share.weight)));
      entries.set(key, { keys, amounts: known.map((sum, i) => plus(sum, part[i] ?? ZERO)) });
    }
  }
  const rows = [...entries.values()].filter(({ amounts }) => !amounts.every(isZero));
  const amountsAt = (i: number): string[] => rows.map(({ amounts }) => (amounts[i] ?? ZERO).num.toFixed());
  return {
    'credits.model': rows.map(({ keys }) => keys[0]),
    'credits.channel': rows.map(({ keys }) => keys[1]),
    'credits.evidence': rows.map(({ keys }) => keys[2]),
    'credits.parts': rows.map(({ keys }) => keys[3]),
    'credits.payment_gateway': rows.map(({ keys }) => keys[4]),
    'credits.orders': amountsAt(0),
    'credits.revenue': amountsAt(1),
    'credits.refunds': amountsAt(2),
    'credits.gateway_fees': amountsAt(3),
    'credits.cogs': amountsAt(4),
  };
}
