import { OCCASION } from '../../../src/domain/orders/orders.js';
import { formatDay, parseDay } from '../../../src/domain/time.js';
import type { Query, QueryParams } from '../../../src/warehouse/query.js';
import { checkRows } from '../../support/query-rows.js';
import { arrivals } from './arrivals.js';
import { EVENT_ANSWERS } from './event-queries.js';
import { idsIn } from './literals.js';
import { dayGroups, leftDays, openCredits, openDays, placedOrders, skusOfCosts, unitCosts } from './facts.js';
import { daysWithReturns } from './products.js';
import { entriesOf, since } from './rebuild.js';
import { keyOf } from './replacing-table.js';
import type { Row } from './row-reader.js';
import type { Tables } from './tables.js';

type Answer = (tables: Tables, sql: string, params: QueryParams) => object[];

const none = (): object[] => []; // nothing of these is simulated

/** Every query that the pipeline asks, by its name. */
const ANSWERS: Partial<Record<string, Answer>> = {
  'days of written orders': settling,
  'newest versions of orders': newestVersions,
  'orders known before': arrivals,
  'days of product costs': daysOfProductCosts,
  'days of orders': daysOfOrders,
  source,
  'kind of a logged push': logged,
  'SKUs of pushed costs': skusOfCosts,
  'open days of orders': openDays,
  'whether orders left days': leftDays,
  'whether days have returned lines': daysWithReturns,
  'days that orders left': leftDays,
  'orders of open days': placedOrders,
  'credit of open orders': openCredits,
  'unit costs of SKUs': unitCosts,
  'sums of orders by gateway and credit': dayGroups,
  'sums of a range': dailyFigures,
  'sums by day': dailyFigures,
  expenses,
  'count of expenses': expenseCount,
  ...EVENT_ANSWERS,
  // There are no shops for the auditor: it would put right what has to be found here.
  'next shop to audit': none,
  'gateway fee rules': none,
  'channels of a shop': none,
  'ad accounts of a shop': none,
  'gateways of a shop': none,
  'end of the counted hours': none,
  'hours to count': none,
  'shops with costs of orders': none,
  'costs of open orders': none,
  'clocks of sources': none,
  'BI users that ever were': none,
  'running BI queries': none,
  'stop BI queries': none,
};

/** What the warehouse answers. */
export function answerOf<Row>(tables: Tables, query: Query<Row>): Row[] {
  const { name, sql, params = {} } = query;
  const known = ANSWERS[name];
  if (known === undefined) throw new Error(`a query that the simulation does not know: ${name}`);
  const rows = known(tables, sql, params);
  checkRows(query, rows);
  return rows as Row[];
}

interface OrderDayKey {
  day: number;
  version: bigint;
  isDeleted: boolean;
}

/** Of each day of an order the newest word in `order_keys`, of equal versions the one that deletes. */
function daysOf({ orderKeys, ofOrder }: Tables, shopId: string, orderId: string): OrderDayKey[] {
  return Array.from(ofOrder.get(keyOf(shopId, orderId)) ?? [], (key) => {
    const rows = orderKeys.rowsOf(key).map((row) => ({
      day: Number(row.day),
      version: BigInt(row.version as bigint | string),
      isDeleted: row.is_deleted === 1,
    }));
    return rows.reduce((best, row) =>
      row.version > best.version || (row.version === best.version && row.isDeleted) ? row : best,
    );
  });
}

function settling(tables: Tables, sql: string): object[] {
  const left = tombstonesOf(tables, sql);
  return daysOfOrders(tables, sql).map((of) => ({
    ...of,
    left: String(left.filter(({ shop_id }) => shop_id === of.shop_id).length),
  }));
}

/** The tombstones of the days that orders left, as rows of `order_days`. */
export function tombstonesOf(tables: Tables, sql: string): Row[] {
  return [...idsIn(sql)].flatMap(([shopId, orderIds]) =>
    [...new Set(orderIds)].flatMap((orderId) => {
      const own = daysOf(tables, shopId, orderId);
      const winner = own.reduce((max, { version }) => (version > max ? version : max), 0n);
      return own
        .filter(({ version, isDeleted }) => version < winner || isDeleted)
        .map(({ day }) => ({
          shop_id: shopId,
          order_id: orderId,
          day,
          version: winner - 1n,
          occasion: OCCASION.known,
          is_deleted: 1,
          placed_day: day,
        }));
    }),
  );
}

function daysOfOrders(tables: Tables, sql: string): { shop_id: string; days: string[] }[] {
  return [...idsIn(sql)].flatMap(([shopId, orderIds]) => {
    const days = new Set(orderIds.flatMap((id) => daysOf(tables, shopId, id).map(({ day }) => formatDay(day))));
    return days.size === 0 ? [] : [{ shop_id: shopId, days: [...days] }];
  });
}

function newestVersions(tables: Tables, sql: string): object[] {
  return [...idsIn(sql)].flatMap(([shopId, orderIds]) =>
    orderIds.flatMap((orderId) => {
      const versions = daysOf(tables, shopId, orderId).map(({ version }) => version);
      if (versions.length === 0) return [];
      const newest = versions.reduce((a, b) => (a > b ? a : b));
      return [{ shop_id: shopId, order_id: orderId, updated: String(newest >> 64n) }];
    }),
  );
}

function daysOfProductCosts(tables: Tables, sql: string, { shop }: QueryParams): object[] {
  const { productCosts } = tables;
  const found = Array.from(sql.matchAll(/version BETWEEN (\d+) AND (\d+)/g), ([, from, to]) => {
    return [Number(from), Number(to)] as const;
  });
  const ranges = [...new Map(found)];
  const first = Math.min(...ranges.map(([from]) => from));
  const isWritten = ({ version }: Row): boolean =>
    ranges.some(([from, to]) => Number(version) >= from && Number(version) <= to);
  const keys = [...productCosts.keys()];
  const rows = keys.flatMap((key) => productCosts.rowsOf(key)).filter((row) => row.shop_id === shop);
  const expected = ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  const someGone = new Set(rows.filter(isWritten).map((row) => Number(row.version))).size < expected;
  const written = rows.filter((row) => isWritten(row) || (someGone && Number(row.version) >= first));
  const live = keys
    .map((key) => productCosts.final(key))
    .filter((row) => row !== undefined)
    .filter((row) => row.shop_id === shop);
  const spans = written.map((row) => {
    const later = live.filter((other) => other.sku === row.sku).map(since);
    return { sku: row.sku, from: since(row), until: Math.min(...later.filter((from) => from > since(row))) };
  });
  const days = new Set<number>();
  for (const key of tables.dailyProducts.keys()) {
    const [shopId = '', day] = key.split('\n');
    if (shopId !== shop) continue;
    const touched = entriesOf(tables, shopId, Number(day)).some(
      ({ sku, unitCost, costDay, isReturn, restocked }) =>
        unitCost === null &&
        (!isReturn || restocked > 0n) &&
        spans.some((span) => span.sku === sku && costDay >= span.from && costDay < span.until),
    );
    if (touched) days.add(Number(day));
  }
  return [...days].sort((a, b) => b - a).map((day) => ({ day: formatDay(day) }));
}

function source({ sources, ofOrder }: Tables, _: string, { shop }: QueryParams): object[] {
  const row = sources.final(keyOf(shop));
  if (row === undefined) return [];
  const hasOrder = [...ofOrder.keys()].some((key) => key.startsWith(`${String(shop)}\n`));
  const time = (value: unknown): number | null => (typeof value === 'number' ? value : null);
  return [
    {
      shopId: row.shop_id,
      platform: row.platform,
      currency: row.currency,
      timezone: row.timezone,
      shopDomain: row.shop_domain === '' ? null : row.shop_domain,
      conversion: row.conversion ?? '',
      ownHosts: row.own_hosts ?? [],
      convertSpend: row.convert_spend ?? false,
      revision: String(row.version),
      registeredAt: Number(row.registered_at),
      lockedAt: time(row.locked_at ?? (hasOrder ? row.registered_at : null)),
      closedAt: time(row.closed_at),
    },
  ];
}

function expenseCount(tables: Tables, sql: string, params: QueryParams): object[] {
  return [{ expenses: expenses(tables, sql, params).length }];
}

function expenses({ expenses: table }: Tables, _: string, { shop, id }: QueryParams): object[] {
  const rows = Array.from(table.keys(), (key) => table.final(key))
    .filter((row) => row !== undefined)
    .filter((row) => row.shop_id === shop && (id === undefined || row.expense_id === id));
  return rows.map((row) => ({
    expenseId: row.expense_id,
    externalId: row.external_id,
    name: row.name,
    category: row.category,
    currency: row.currency,
    frequency: row.frequency,
    countsAsAdSpend: row.counts_as_ad_spend,
    amount: decimal(row.amount as bigint, 6),
    startedOn: parseDay(String(row.started_on)) ?? 0,
    endedOn: row.end_day,
  }));
}

function logged({ ingestLog }: Tables, _: string, { shop, batch }: QueryParams): object[] {
  const row = ingestLog.final(keyOf(shop, batch));
  return row !== undefined && Number(row.accepted) > 0 ? [{ kind: row.kind }] : [];
}

/** A plain decimal of so many digits behind the point. */
function decimal(value: bigint, digits: number): string {
  const text = String(value < 0n ? -value : value).padStart(digits + 1, '0');
  return `${value < 0n ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function dailyFigures({ dailyOrders, dailySpend }: Tables, _: string, { shop }: QueryParams): object[] {
  const own = (key: string): boolean => key.startsWith(`${String(shop)}\n`);
  const keys = new Set([...dailyOrders.keys(), ...dailySpend.keys()].filter(own));
  return Array.from(keys, (key) => {
    const row = dailyOrders.final(key);
    const byCurrency = new Map<string, bigint>();
    for (const [account, value] of (dailySpend.final(key)?.accounts ?? new Map()) as Map<string, bigint>) {
      const currency = account.split('\n')[1] ?? '';
      byCurrency.set(currency, (byCurrency.get(currency) ?? 0n) + value);
    }
    return {
      day: formatDay(Number(key.split('\n')[1])),
      sums: row?.sums ?? {},
      estimable: [[], [], []],
      spend: [
        [...byCurrency.keys()].map((currency) => ['', currency]),
        [...byCurrency.values()].map((sum) => decimal(sum, 6)),
      ],
    };
  });
}
