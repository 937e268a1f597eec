import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { formatDay, parseDay } from '../../src/domain/time.js';
import { BI_PASSWORD } from '../support/bi-proxy.js';
import { cubeDriver } from '../support/cube-driver.js';
import { expectRows, grouped, MIXED_RANGE, monthOf, sum, useMixedAnalyst, type Api } from '../support/mixed-analyst.js';
import { MIXED_VISITS } from '../support/mixed-shop.js';
import { useService } from '../support/service.js';
import { cubeSql, type CubeModel, type CubeQuery } from '../support/cube-sql.js';
import { sharedBiProxy } from '../support/shared-engines.js';

const TOOLS = 'clickhouse/views/tools';
const [FROM = '', TO = ''] = MIXED_RANGE.split('&').map((part) => part.slice(-10));
const FIGURES = ['orders', 'revenue', 'refunds', 'cogs', 'gateway_fees', 'ad_spend', 'net_profit'];
const pick = (row: Api, names: readonly string[]): string[] => names.map((name) => row[name] as string);

/** What tools cut days with, and the first day of what a day falls into. */
const GRAINS: Record<string, (date: string) => string> = {
  toStartOfDay: (date) => date,
  toMonday: (date) => formatDay((parseDay(date) ?? 0) - ((new Date(date).getUTCDay() + 6) % 7)),
  toStartOfMonth: monthOf,
  toStartOfQuarter: (date) =>
    monthOf(`${date.slice(0, 5)}${String(Math.floor((Number(date.slice(5, 7)) - 1) / 3) * 3 + 1).padStart(2, '0')}`),
};
const after = (date: string): string => formatDay((parseDay(date) ?? 0) + 1);

/** Superset adds a part of its hash to each label, so that none is the name of a column. */
const labelled = (label: string): string => `${label}_${createHash('md5').update(label).digest('hex').slice(0, 6)}`;

interface Dashboard {
  panels: { title: string; type: string; targets: { rawSql: string }[] }[];
}

/** Macros as the data source of Grafana expands them, for all days of the mixed shop. */
function expanded(sql: string, intervalSeconds: number): string {
  const seconds = (date: string): number => Date.parse(date) / 1000;
  const between = (column: string, of: (date: string) => string): string =>
    `${column} >= ${of(FROM)} AND ${column} <= ${of(TO)}`;
  return sql
    .replace(/\$__dateFilter\(([^)]+)\)/g, (_, column: string) => between(column, (date) => `toDate('${date}')`))
    .replace(/\$__timeFilter\(([^)]+)\)/g, (_, column: string) =>
      between(column, (date) => `toDateTime(${seconds(date) + (date === TO ? 2 * 86_400 : 0)})`),
    )
    .replace(
      /\$__timeInterval\(([^)]+)\)/g,
      (_, column: string) => `toStartOfInterval(toDateTime(${column}), INTERVAL ${intervalSeconds} second)`,
    );
}

describe('what BI tools ask', function () {
  this.timeout(240_000);
  const analyst = useMixedAnalyst(useService());
  let metrics: Api;
  let days: Api[];
  let months: Api[];
  let channels: Api[];
  let products: Api[];

  before(async () => {
    metrics = await analyst.read(`/v1/metrics?${MIXED_RANGE}&include=statement`);
    ({ days } = await analyst.read(`/v1/metrics/daily?${MIXED_RANGE}`));
    days = days.filter(({ revenue, refunds, ad_spend }) => Number(revenue) + Number(refunds) + Number(ad_spend) > 0);
    ({ days: months } = await analyst.read(`/v1/metrics/daily?${MIXED_RANGE}&by=month`));
    months = months.filter(({ orders }) => orders > 0);
    ({ channels } = await analyst.read(`/v1/attribution?${MIXED_RANGE}`));
    channels = channels.filter(({ revenue, ad_spend }) => Number(revenue) + Number(ad_spend) > 0);
    ({ products } = await analyst.read(`/v1/products?${MIXED_RANGE}`));
  });

  /** Sums of the days, by what `keyOf` makes of each. */
  const byGrain = (keyOf: (date: string) => string): string[][] =>
    grouped(
      days,
      ({ date }) => [keyOf(date as string)],
      (group) => FIGURES.map((name) => sum(group, name)),
    ) as string[][];

  it('every panel of the Grafana dashboard shows the figures of the API', async () => {
    const { losses } = await analyst.read(`/v1/attribution?${MIXED_RANGE}&include=losses`);
    const statement = { ...metrics, ...metrics.statement };
    const at = ({ date }: Api): string => `${String(date)} 00:00:00`;
    const FOUR_DAYS = 4 * 86_400;
    const start = ({ date }: Api): string =>
      new Date(Math.floor(Date.parse(date) / 1000 / FOUR_DAYS) * FOUR_DAYS * 1000).toISOString().slice(0, 10);
    const wanted: Record<string, [columns: string[], rows: Parameters<typeof analyst.same>[2]]> = {
      'Figures of the range': [
        ['revenue', 'refunds', 'orders', 'ad_spend', 'net_profit', 'earnings'],
        [pick(statement, ['revenue', 'refunds', 'orders', 'ad_spend', 'net_profit', 'earnings'])],
      ],
      'Revenue and profit by day': [
        ['time', 'revenue', 'net_profit'],
        days.map((row) => pick(row, ['date', 'revenue', 'net_profit'])),
      ],
      'Orders by interval': [
        ['time', 'orders'],
        grouped(
          days,
          (row) => [at({ date: start(row) })],
          (group) => [sum(group, 'orders')],
        ),
      ],
      Channels: [
        ['channel', 'orders', 'revenue', 'refunds', 'ad_spend'],
        channels.map((row) => pick(row, ['channel', 'orders', 'revenue', 'refunds', 'ad_spend'])),
      ],
      'Orders without a visit': [
        ['cause', 'orders', 'revenue'],
        grouped(
          losses as Api[],
          ({ cause }) => [cause],
          (group) => [sum(group, 'orders'), sum(group, 'revenue')],
        ),
      ],
      Products: [
        ['sku', 'units_sold', 'revenue', 'refunds', 'cogs'],
        products.map((row) => pick(row, ['sku', 'units_sold', 'revenue', 'refunds', 'cogs'])),
      ],
      'Visits by channel': [['channel', 'visits'], Object.entries(MIXED_VISITS)],
    };
    const { panels } = JSON.parse(readFileSync(`${TOOLS}/grafana.json`, 'utf8')) as Dashboard;
    expect(panels.map(({ title }) => title)).to.have.members(Object.keys(wanted));
    for (const { title, targets } of panels) {
      const [columns, rows] = wanted[title] ?? [[], []];
      const [target, ...others] = targets;
      expect(others).to.deep.equal([]);
      await analyst.same(expanded(target?.rawSql ?? '', FOUR_DAYS), columns, rows);
    }
  });

  it('measures of the Cube model are the figures of the API, through the driver of Cube', async () => {
    const model = parse(readFileSync(`${TOOLS}/cube.yml`, 'utf8')) as CubeModel;
    const [me] = await analyst.ask('SELECT currentUser() AS name');
    const { port } = await sharedBiProxy();
    const driver = await cubeDriver({ port, username: String(me?.name), password: BI_PASSWORD });
    const same = async (cube: string, query: Omit<CubeQuery, 'range'>, wanted: string[][]): Promise<void> => {
      const [sql, params] = cubeSql(model, cube, { ...query, range: [FROM, TO] });
      const keys = [...(query.month === undefined ? [] : [query.month]), ...(query.dimensions ?? [])];
      const columns = [...keys, ...query.measures].map((name) => `${cube}__${name}`);
      expectRows(await driver.query(sql, params), columns, wanted);
    };
    try {
      const figures = [...FIGURES, 'aov', 'blended_roas'];
      await same(
        'daily_metrics',
        { measures: figures, month: 'day', within: 'day' },
        months.map((row) => [`${monthOf(row.date as string)}T00:00:00.000`, ...pick(row, figures)]),
      );
      const statement = ['taxes', 'fulfillment_costs', 'operating_expenses', 'earnings'];
      await same('daily_metrics', { measures: statement, within: 'day' }, [pick(metrics.statement as Api, statement)]);
      const columns = ['orders', 'revenue', 'refunds', 'cogs', 'gateway_fees', 'ad_spend', 'profit', 'roas'];
      await same(
        'daily_channels',
        { measures: columns, dimensions: ['channel'], within: 'day' },
        channels.map((row) => pick(row, ['channel', ...columns])),
      );
      const { totals } = await analyst.read(`/v1/orders?${MIXED_RANGE}&counted=1`);
      const { count } = await analyst.read(`/v1/orders?${MIXED_RANGE}&loss=1`);
      await same(
        'order_profit',
        { measures: ['at_a_loss', 'count', 'revenue', 'refunds', 'profit', 'earnings'], within: 'placed_day' },
        [[count as string, ...pick(totals as Api, ['orders', 'revenue', 'refunds', 'profit', 'earnings'])]],
      );
      const sold = ['units_sold', 'gross_sales', 'discounts', 'revenue', 'refunds', 'cogs'];
      await same(
        'daily_products',
        { measures: sold, dimensions: ['sku'], within: 'day' },
        products.map((row) => pick(row, ['sku', ...sold])),
      );
    } finally {
      await driver.release();
    }
  });

  it('what Superset asks of a chart, with its totals and its greatest series', async () => {
    const range = `\`on_day\` >= toDate('${FROM}') AND \`on_day\` < toDate('${after(TO)}')`;
    const sums = FIGURES.map((name) => `sum(\`${name}\`) AS \`${labelled(`SUM(${name})`)}\``).join(', ');
    const names = FIGURES.map((name) => labelled(`SUM(${name})`));
    const [day, channel, inner] = ['on_day', 'channel', 'mme_inner__'].map(labelled);
    const revenue = labelled('SUM(revenue)');
    for (const [grain, keyOf] of Object.entries(GRAINS)) {
      const time = `${grain}(toDateTime(\`on_day\`))`;
      const rows = await analyst.ask(
        `SELECT ${time} AS \`${day}\`, ${sums} FROM \`bi\`.\`daily_metrics\` WHERE ${range}
         GROUP BY ${time} ORDER BY \`${revenue}\` DESC LIMIT 10000`,
      );
      const shown = rows.map((row) => ({ ...row, day: String(row[day ?? '']).slice(0, 10) }));
      expectRows(shown, ['day', ...names], byGrain(keyOf));
    }
    await analyst.same(`SELECT ${sums} FROM \`bi\`.\`daily_metrics\` WHERE ${range} LIMIT 50000`, names, [
      pick(metrics, FIGURES),
    ]);
    const of = `FROM \`bi\`.\`daily_channels\``;
    const filter = `WHERE \`model\` IN ('last_touch') AND ${range}`;
    const rows = await analyst.ask(
      `SELECT toStartOfYear(toDateTime(\`on_day\`)) AS \`${day}\`, \`channel\` AS \`${channel}\`, sum(\`revenue\`) AS \`${revenue}\` ${of}
       JOIN (SELECT \`channel\` AS \`channel__\`, sum(\`revenue\`) AS \`${inner}\` ${of} ${filter}
         GROUP BY \`channel\` ORDER BY \`${inner}\` DESC LIMIT 1) AS \`series_limit\` ON \`channel\` = \`channel__\`
       ${filter} GROUP BY toStartOfYear(toDateTime(\`on_day\`)), \`channel\` ORDER BY \`${revenue}\` DESC LIMIT 10000`,
    );
    expectRows(
      grouped(
        rows as Api[],
        (row) => [row[channel ?? '']],
        (group) => [sum(group, revenue)],
      ).map(([name, total]) => ({ name, total })),
      ['name', 'total'],
      channels.filter(({ channel: name }) => name === 'unattributed').map((row) => pick(row, ['channel', 'revenue'])),
    );
  });

  it('what Metabase asks of a question, grouped, filtered, summed and joined', async () => {
    const of = (name: string): string => `\`bi\`.\`daily_metrics\`.\`${name}\``;
    const range = `${of('on_day')} >= toDate('${FROM}') AND ${of('on_day')} < toDate('${after(TO)}')`;
    const sums = FIGURES.map((name, i) => `SUM(${of(name)}) AS \`sum_${i}\``).join(', ');
    const names = FIGURES.map((_, i) => `sum_${i}`);
    for (const [grain, keyOf] of Object.entries(GRAINS)) {
      const time = `${grain}(${of('day')})`;
      await analyst.same(
        `SELECT ${time} AS \`day\`, ${sums} FROM \`bi\`.\`daily_metrics\` WHERE (${range}) GROUP BY ${time} ORDER BY ${time} ASC`,
        ['day', ...names],
        byGrain(keyOf).map(([key = '', ...figures]) => [
          grain === 'toStartOfDay' ? `${key} 00:00:00` : key,
          ...figures,
        ]),
      );
    }
    await analyst.same(`SELECT ${sums} FROM \`bi\`.\`daily_metrics\` WHERE ${range}`, names, [pick(metrics, FIGURES)]);
    const { orders } = await analyst.read(`/v1/orders?${MIXED_RANGE}&counted=1&status=paid`);
    await analyst.same(
      `SELECT \`Orders\`.\`order_id\` AS \`Orders__order_id\`, \`source\`.\`profit\` AS \`profit\`
       FROM (SELECT * FROM \`bi\`.\`order_profit\`) AS \`source\`
       LEFT JOIN \`bi\`.\`orders\` AS \`Orders\`
         ON (\`source\`.\`placed_day\` = \`Orders\`.\`placed_day\`) AND (\`source\`.\`order_id\` = \`Orders\`.\`order_id\`)
       WHERE \`Orders\`.\`status\` = 'paid' LIMIT 1048575`,
      ['Orders__order_id', 'profit'],
      (orders as Api[]).map((row) => pick(row, ['order_id', 'profit'])),
    );
  });
});
