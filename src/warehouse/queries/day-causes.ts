import { Type } from 'typebox';
import type { IdsByShop } from '../../domain/by-shop.js';
import type { IngestHeader } from '../../domain/ingest.js';
import type { CausingPush, ChangeCause } from '../../domain/metrics/cause-groups.js';
import type { CauseKind } from '../../domain/metrics/restatements.js';
import type { Warehouse } from '../client.js';
import type { StampRange } from './product-costs.js';
import { asked, ASKED, type DayMoment } from './restatements.js';
import { defineQuery, textOf, type Row } from '../query.js';

/** `pushes` are some of those that brought it. */
export interface FoundCause extends ChangeCause {
  at: number;
  /** Day number; null: every day. */
  day: number | null;
}

export interface CauseReader {
  /** What was stored for days between the last reading of the figures of before and the moments at which they changed. */
  ofDays(shopId: string, moments: readonly DayMoment[]): Promise<FoundCause[]>;
  /** Which settings changed at moments. */
  ofSettings(shopId: string, moments: readonly number[]): Promise<FoundCause[]>;
}

/** Receipts that are reported of one cause. */
const MAX_RECEIPTS = 20;

const OF_DAYS = `SELECT c.day AS day, w.at AS at, toString(c.kind) AS kind, sum(c.items) AS items,
      arraySlice(groupUniqArrayArray(c.stamps), 1, ${MAX_RECEIPTS}) AS stamps, emptyArrayString() AS records
    FROM day_causes AS c INNER JOIN (
      SELECT m.day AS day, m.at AS at, h.part AS part,
        argMaxIf(h.read_at, h.computed_at, h.valid_from < m.at) AS read_at
      FROM daily_orders_history AS h INNER JOIN ${ASKED} AS m ON h.day = m.day
      WHERE h.shop_id = {shop:String} AND h.day IN {days:Array(UInt16)} AND h.valid_from <= m.at
      GROUP BY m.day, m.at, h.part
      HAVING argMax(h.state, h.computed_at) != argMaxIf(h.state, h.computed_at, h.valid_from < m.at)
    ) AS w ON c.day = w.day
    WHERE c.shop_id = {shop:String} AND c.day IN {days:Array(UInt16)} AND c.stored_at <= w.at AND (c.kind = 'spend') = (w.part = 'spend')
      AND c.stored_at > w.read_at
    GROUP BY c.day, w.at, c.kind`;

/** Of several rows that end at one time, as those do that stand until they are merged, the newest write counts. */
const OF_SETTINGS = `SELECT toDate(0) AS day, s.at AS at, toString(s.kind) AS kind, toUInt64(count()) AS items,
      arraySlice(groupUniqArray(s.stamp), 1, ${MAX_RECEIPTS}) AS stamps,
      arraySlice(groupUniqArray(s.id), 1, ${MAX_RECEIPTS}) AS records
    FROM (
      SELECT h.kind AS kind, h.id AS id, k.at AS at, argMin(h.computed_at, (h.valid_until, bitNot(h.computed_at))) AS stamp
      FROM settings_history AS h INNER JOIN (
        SELECT DISTINCT kind, id, arrayJoin(arrayFilter(t -> t IN {ats:Array(UInt64)}, [valid_until, valid_from])) AS at
        FROM settings_history WHERE shop_id = {shop:String}
      ) AS k ON h.kind = k.kind AND h.id = k.id
      WHERE h.shop_id = {shop:String} AND h.valid_until > k.at
      GROUP BY kind, id, at
    ) AS s GROUP BY s.at, s.kind`;

/** The push of a stamp is the last one that began at it or before; the log holds them within a day of their stamps. */
const withReceipts = (found: string): string => `WITH found AS (${found}),
  named AS (SELECT f.day AS day, f.at AS at, f.kind AS kind, arrayJoin(f.stamps) AS stamp, 1 AS one FROM found AS f),
  pushes AS (
    SELECT batch_id, first_stamp, last_stamp, key_last4, received_at, 1 AS one FROM ingest_log
    WHERE shop_id = {shop:String} AND first_stamp > 0
      AND last_stamp >= (SELECT min(stamp) FROM named) AND first_stamp <= (SELECT max(stamp) FROM named)
      AND received_at >= fromUnixTimestamp64Micro(toInt64((SELECT min(stamp) FROM named))) - INTERVAL 1 DAY
  )
  SELECT toUInt16(f.day) AS number, toString(f.at) AS at, f.kind AS kind, toUInt32(f.items) AS count, f.records AS records, r.pushes AS pushes
  FROM found AS f LEFT JOIN (
    SELECT n.day AS day, n.at AS at, n.kind AS kind, groupUniqArrayIf(
      (p.batch_id, p.key_last4, toString(toUnixTimestamp64Milli(p.received_at)), toString(p.first_stamp), toString(p.last_stamp)),
      p.last_stamp >= n.stamp) AS pushes
    FROM named AS n ASOF INNER JOIN pushes AS p ON n.one = p.one AND n.stamp >= p.first_stamp
    GROUP BY n.day, n.at, n.kind
  ) AS r ON r.day = f.day AND r.at = f.at AND r.kind = f.kind
  ORDER BY f.day, f.at, f.kind`;

const TEXT = Type.String();
const CAUSE = {
  number: Type.Number(),
  at: TEXT,
  kind: textOf<CauseKind>(),
  count: Type.Number(),
  /** Ids of what changed among the settings. */
  records: Type.Array(TEXT),
  /** Receipt, end of the key, milliseconds of its arrival, first and last stamp. */
  pushes: Type.Array(Type.Tuple([TEXT, TEXT, TEXT, TEXT, TEXT])),
};
type CauseRow = Row<typeof CAUSE>;
const DAY_CAUSES = defineQuery('causes of changed days', CAUSE);
const SETTING_CAUSES = defineQuery('causes among settings', CAUSE);

const toPushes = (pushes: CauseRow['pushes']): CausingPush[] =>
  pushes.map(([receipt, keyLast4, receivedAt, firstStamp, lastStamp]) => ({
    receipt,
    keyLast4,
    receivedAt: Number(receivedAt),
    firstStamp: Number(firstStamp),
    lastStamp: Number(lastStamp),
  }));

const toCause = ({ at, kind, count, records, pushes }: CauseRow) => ({
  at: Number(at),
  kind,
  count,
  records: kind === 'expense' ? records : [],
  pushes: toPushes(pushes),
});

export function createCauseReader(warehouse: Warehouse): CauseReader {
  return {
    async ofDays(shopId, moments) {
      if (moments.length === 0) return [];
      const rows = await warehouse.ask(DAY_CAUSES(withReceipts(OF_DAYS), asked(shopId, moments)));
      return rows.map((row) => ({ ...toCause(row), day: row.number }));
    },
    async ofSettings(shopId, moments) {
      if (moments.length === 0) return [];
      const rows = await warehouse.ask(SETTING_CAUSES(withReceipts(OF_SETTINGS), { shop: shopId, ats: [...moments] }));
      return rows.map((row) => ({ ...toCause(row), day: null }));
    },
  };
}

/** Notes which pushes of unit costs are why days may change. One insert for all shops. */
export async function writeCostCauses(
  warehouse: Warehouse,
  {
    days,
    stamps,
    storedAt,
  }: {
    days: ReadonlyMap<string, readonly string[]>;
    stamps: ReadonlyMap<string, readonly StampRange[]>;
    storedAt: number;
  },
): Promise<void> {
  const rows = [...days].flatMap(([shopId, touched]) => {
    const ranges = stamps.get(shopId) ?? [];
    const cause = {
      shop_id: shopId,
      stored_at: storedAt,
      kind: 'unit_cost' satisfies CauseKind,
      items: ranges.reduce((sum, { count }) => sum + count, 0),
      stamps: ranges.slice(0, MAX_RECEIPTS).map(({ first }) => first),
    };
    return touched.map((day) => ({ ...cause, day }));
  });
  if (rows.length > 0) await warehouse.insert('day_causes', rows);
}

/** Notes which pushes of costs of orders are why days may change. One insert for all shops. */
export async function writeOrderCostCauses(
  warehouse: Warehouse,
  {
    days,
    pushes,
    storedAt,
  }: {
    days: IdsByShop;
    pushes: readonly { header: Pick<IngestHeader, 'shop_id' | 'first_stamp'>; order_ids: readonly string[] }[];
    storedAt: number;
  },
): Promise<void> {
  const rows = [...days].flatMap(([shopId, touched]) => {
    const own = pushes.filter(({ header, order_ids }) => header.shop_id === shopId && order_ids.length > 0);
    const cause = {
      shop_id: shopId,
      stored_at: storedAt,
      kind: 'order_cost' satisfies CauseKind,
      items: own.reduce((sum, { order_ids }) => sum + order_ids.length, 0),
      stamps: own.slice(0, MAX_RECEIPTS).flatMap(({ header }) => header.first_stamp ?? []),
    };
    return touched.map((day) => ({ ...cause, day }));
  });
  if (rows.length > 0) await warehouse.insert('day_causes', rows);
}
