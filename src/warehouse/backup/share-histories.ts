import { STANDING } from '../queries/history.js';
import { quoted } from '../sql.js';

/**
 * The histories of the shares that each shard computes from its own rows (clickhouse/schema/008_figures_history.sql), and the statements
 * that merge the histories of the old shards and split the current state into the shares of the new ones.
 *
 * The figures of a day are the sum of the shares of all shards. So all ended states become one row per state, on the shard of the shop.
 * The current shares begin on every shard at the moment at which the merged history ends: the sum of every moment stays the same.
 */
export interface ShareHistory {
  table: string;
  key: readonly string[];
  /** When rows are merged, the least value is kept. */
  stamps: readonly string[];
  sums: readonly string[];
  /** Maps from names to sums. */
  maps: readonly string[];
  /** Lists; a reader adds up their entries. */
  lists: readonly string[];
  /** When rows are merged, the greatest value is kept. */
  texts: readonly string[];
  /** Expressions that are equal for two states with the same figures; `given` is the condition on the rows. */
  figures: (given: string) => string[];
}

const sumIf = (columns: readonly string[]) => (given: string) => columns.map((name) => `sumIf(k.${name}, ${given})`);

const CREDIT_SUMS = ['orders', 'revenue', 'refunds', 'proved_orders', 'proved_revenue', 'proved_refunds'];

export const SHARE_HISTORIES: readonly ShareHistory[] = [
  {
    table: 'daily_orders_history',
    key: ['shop_id', 'day', 'part'],
    stamps: ['computed_at', 'orders_at'],
    sums: [],
    maps: ['sums'],
    lists: [
      'estimable.payment_gateway',
      'estimable.orders',
      'estimable.revenue',
      'spend.channel',
      'spend.currency',
      'spend.amount',
    ],
    texts: [],
    figures: (given) => [
      `sumMapIf(k.sums, ${given})`,
      `sumMapIf(k.estimable.payment_gateway, k.estimable.orders, k.estimable.revenue, ${given})`,
      `sumMapIf(arrayMap((c, u) -> concat(c, ' ', u), k.spend.channel, k.spend.currency), k.spend.amount, ${given})`,
    ],
  },
  {
    table: 'daily_channels_history',
    key: ['shop_id', 'day', 'model', 'channel', 'parts'],
    stamps: ['computed_at'],
    sums: CREDIT_SUMS,
    maps: [],
    lists: [],
    texts: [],
    figures: sumIf(CREDIT_SUMS),
  },
];

/** The databases of the tables. */
export interface ShareTables {
  /** Tables of one server. */
  local: string;
  /** Distributed tables over all servers; the same database on a single server. */
  all: string;
}

/** Bounds for statements that may read everything that is stored. */
const BOUNDED = `SETTINGS max_bytes_before_external_group_by = 500000000, max_bytes_before_external_sort = 500000000,
  distributed_foreground_insert = 1, max_partitions_per_insert_block = 0`;

const ofTable = (alias: string, names: readonly string[]): string =>
  names.map((name) => `${alias}.${quoted([name])}`).join(', ');

/** All columns of a history, in the order in which the statements give them. */
export const columnsOf = ({ key, stamps, sums, maps, lists, texts }: ShareHistory): string[] => [
  ...key,
  'held_until',
  'held_since',
  ...stamps,
  ...sums,
  ...maps,
  ...lists,
  ...texts,
];

/** The values of several rows merged; `given` is the condition on the rows that count. */
function added({ sums, maps, lists, texts }: ShareHistory, given: string): string {
  return [
    ...sums.map((name) => `sumIf(r.${quoted([name])}, ${given}) AS ${quoted([name])}`),
    ...maps.map((name) => `sumMapIf(r.${quoted([name])}, ${given}) AS ${quoted([name])}`),
    ...lists.map((name) => `groupArrayArrayIf(r.${quoted([name])}, ${given}) AS ${quoted([name])}`),
    ...texts.map((name) => `maxIf(r.${quoted([name])}, ${given}) AS ${quoted([name])}`),
  ].join(', ');
}

const before = (by: string): string =>
  `lagInFrame(held_until) OVER (PARTITION BY ${by} ORDER BY held_until ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`;

export const fromTable = ({ table }: ShareHistory, shard: number): string => `${table}_from_${shard}`;
export const piecesTable = ({ table }: ShareHistory): string => `${table}_pieces`;
export const sharesTable = ({ table }: ShareHistory): string => `${table}_shares`;
export const finalTable = ({ table }: ShareHistory): string => `${table}_final`;

/** Sends the shares that a server has computed to the shard of the shop. */
export const collectShares = (history: ShareHistory, { local, all }: ShareTables, shard: number): string => {
  const columns = quoted(columnsOf(history));
  return `INSERT INTO ${all}.${sharesTable(history)} (${columns}, shard)
    SELECT ${columns}, ${shard} FROM ${local}.${history.table} FINAL ${BOUNDED}`;
};

/** Merges the states of the old shards: cuts them at every moment at which one of them changed, and adds them up. */
export function putTogether(history: ShareHistory, { local }: ShareTables, shards: number): string {
  const { key, stamps } = history;
  const columns = quoted(columnsOf(history));
  const by = quoted(key);
  const rows = Array.from(
    { length: shards },
    (_, i) => `SELECT ${columns}, ${i + 1} AS source FROM ${local}.${fromTable(history, i + 1)} FINAL`,
  ).join(' UNION ALL ');
  return `INSERT INTO ${local}.${piecesTable(history)} (${columns}, began)
    SELECT ${ofTable('r', key)}, r.piece_until, 0, ${stamps.map((name) => `min(r.${name})`).join(', ')},
      ${added(history, 'true')}, max(arrayMax(arrayFilter(b -> b < r.piece_until, r.bounds))) AS began
    FROM (
      SELECT *, arrayJoin(arrayFilter(b -> b > began AND b <= held_until, bounds)) AS piece_until
      FROM (
        SELECT *, arrayDistinct(arrayConcat(
          groupUniqArray(held_until) OVER (PARTITION BY ${by}), groupUniqArray(began) OVER (PARTITION BY ${by})
        )) AS bounds
        FROM (SELECT *, greatest(held_since, ${before(`${by}, source`)}) AS began FROM (${rows}))
      )
    ) AS r
    GROUP BY ${ofTable('r', key)}, r.piece_until ${BOUNDED}`;
}

export interface CutOptions {
  /** The server's own shard. */
  home: number;
  /** Stamp of the computation of the shares. */
  stamp: number;
  /** Microseconds since 1970: the moment of the change where shares do not add up to the figures of the backup. */
  now: number;
}

/** Writes the merged history, then the current shares. */
export function cut(history: ShareHistory, { local, all }: ShareTables, { home, stamp, now }: CutOptions): string[] {
  const { key, stamps, sums, maps, lists, texts } = history;
  const columns = quoted(columnsOf(history));
  const by = quoted(key);
  const values = [...sums, ...maps, ...lists, ...texts];
  const pieces = `(SELECT *, ${before(by)} AS until_before FROM ${local}.${piecesTable(history)})`;
  const standing = `SELECT * FROM ${pieces} WHERE held_until = ${STANDING}`;
  const rows = `SELECT ${columns}, shard, true AS is_share, toUInt64(0) AS began, toUInt64(0) AS until_before
    FROM ${local}.${sharesTable(history)}
    UNION ALL SELECT ${columns}, ${home}, false, began, until_before FROM (${standing})`;
  // For each key: its state in the backup, and whether the shares add up to it.
  const known = `(
    SELECT ${ofTable('k', key)}, countIf(NOT k.is_share) > 0 AND
        (${history.figures('k.is_share').join(', ')}) = (${history.figures('NOT k.is_share').join(', ')}) AS is_same,
      if(is_same, max(k.began), greatest(toUInt64(${now}), max(k.began) + 1)) AS changed_at,
      countIf(NOT k.is_share) > 0 AND (NOT is_same OR max(k.until_before) = max(k.began) AND max(k.began) > 0) AS is_chained,
      ${stamps.map((name) => `if(is_same, minIf(k.${name}, NOT k.is_share), toUInt64(${stamp})) AS ${name}`).join(', ')}
    FROM (${rows}) AS k GROUP BY ${ofTable('k', key)}
  )`;
  const joined = key.map((name) => `s.${quoted([name])} = f.${quoted([name])}`).join(' AND ');
  const into = `INSERT INTO ${all}.${finalTable(history)} (${columns}, shard)`;
  return [
    `${into} SELECT ${ofTable('s', key)}, if(s.held_until = ${STANDING}, f.changed_at, s.held_until),
       if(s.began > s.until_before, s.began, 0), ${ofTable('s', [...stamps, ...values])}, ${home}
     FROM ${pieces} AS s INNER JOIN ${known} AS f ON ${joined}
     WHERE s.held_until != ${STANDING} OR NOT f.is_same ${BOUNDED}`,
    `${into} SELECT ${ofTable('s', key)}, ${STANDING}, if(s.shard = ${home} AND f.is_chained, 0, f.changed_at),
       ${ofTable('f', stamps)}, ${ofTable('s', values)}, s.shard
     FROM (
       SELECT ${ofTable('r', key)}, r.shard AS shard, ${added(history, 'r.is_share')}
       FROM (${rows}) AS r GROUP BY ${ofTable('r', key)}, r.shard
     ) AS s INNER JOIN ${known} AS f ON ${joined} ${BOUNDED}`,
  ];
}

/** Replaces the history of the server by the rows that were sent to it. */
export const takeFinal = (history: ShareHistory, { local }: ShareTables): string[] => {
  const columns = quoted(columnsOf(history));
  return [
    `TRUNCATE TABLE ${local}.${history.table}`,
    `INSERT INTO ${local}.${history.table} (${columns}) SELECT ${columns} FROM ${local}.${finalTable(history)} ${BOUNDED}`,
  ];
};
