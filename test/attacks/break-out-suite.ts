import { request } from 'node:http';
import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopUnboundQueries } from '../../src/warehouse/bi/watch.js';
import { readDictionary } from '../../src/warehouse/bi/dictionary.js';
import { SECRET, type Analysts } from '../bi/analysts.js';
import type { Attempt } from './break-out-attempts.js';

/** The same on a single server and on shards, of which each is asked; `more` adds tests on the same engines. */
export const describeBreakOut = (
  title: string,
  start: () => Promise<Analysts>,
  attempts: readonly Attempt[],
  more: (analysts: () => Analysts) => void = () => undefined,
): Mocha.Suite =>
  describe(title, function () {
    this.timeout(600_000);
    let analysts: Analysts;
    before(async () => {
      analysts = await start();
    });
    after(() => analysts.stop());
    more(() => analysts);

    it('sees its own shop through every view', async () => {
      const users = analysts.servers.flatMap((_, server) => ['bi_a', 'bi_b'].map((user) => ({ server, user })));
      for (const { server, user } of users) {
        const { text } = await analysts.ask(
          `SELECT shop_id, toString(total) FROM bi.orders UNION ALL SELECT shop_id, sku FROM bi.order_line_items
         UNION ALL SELECT shop_id, toString(revenue) FROM bi.daily_metrics UNION ALL SELECT shop_id, sku FROM bi.product_costs
         UNION ALL SELECT shop_id, batch_id FROM bi.ingest_log
         UNION ALL SELECT shop_id, toString(revenue) FROM bi.daily_metrics_history
         UNION ALL SELECT shop_id, toString(after) FROM bi.restatements WHERE figure = 'revenue'`,
          { user, server },
        );
        const lines = text.trim().split('\n');
        expect(lines.length, text).to.equal(7);
        expect(lines.filter((line) => !line.startsWith(`${user.slice(3)}\t`))).to.deep.equal([]);
      }
    });

    for (const [sql, error, options] of attempts) {
      const where = Object.entries({ ...options?.params, ...(options?.user && { user: options.user }) });
      it(`${sql.slice(0, 100)}${where.map(([name, value]) => ` [${name}=${value}]`).join('')}`, async () => {
        for (const server of analysts.servers.keys()) {
          for (const isDirect of [false, true]) {
            const { status, text } = await analysts.ask(sql, { ...options, server, isDirect });
            expect(status, text.slice(0, 300)).to.be.greaterThanOrEqual(400);
            expect(text).to.match(error);
            expect(text).not.to.contain(SECRET);
          }
        }
      });
    }

    it('finds no terminal inside the server', async () => {
      const socket = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
      const answer = await new Promise((resolve, reject) => {
        const { url } = analysts.proxy;
        const headers = { ...socket, 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==', Origin: url };
        request(`${url}/webterminal`, { headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('upgrade', (_response, opened) => {
            opened.destroy();
            resolve('a terminal');
          })
          .on('error', reject)
          .end();
      });
      expect(answer).to.equal(404);
    });

    it('learns nothing of other shops from errors, conditions and counts', async () => {
      for (const sql of [
        "SELECT count() FROM bi.orders WHERE throwIf(shop_id = 'b') = 0",
        `SELECT count() FROM bi.orders WHERE throwIf(customer_id = '${SECRET}') = 0`,
        `SELECT count() FROM bi.order_line_items WHERE throwIf(sku = '${SECRET}') = 0`,
        'SELECT count() FROM bi.orders PREWHERE throwIf(total = 987654.321) = 0',
      ]) {
        const { text } = await analysts.ask(sql);
        expect(text.includes('ILLEGAL_PREWHERE') ? '1' : text.trim(), sql).to.equal('1');
      }
      for (const sql of [
        'SELECT toUInt8(assumeNotNull(customer_id)) FROM bi.orders',
        "SELECT * FROM merge(REGEXP('.*'), '^orders$')",
        'SELECT * FROM system.tables FORMAT JSON',
        'SELECT * FROM system.columns FORMAT JSON',
        'SELECT * FROM system.parts FORMAT JSON',
        'SELECT * FROM information_schema.tables FORMAT JSON',
        "SELECT * FROM viewIfPermitted(SELECT customer_id FROM profit.orders ELSE null('customer_id String'))",
      ]) {
        const { text } = await analysts.ask(sql);
        expect(text, sql).not.to.contain(SECRET);
        expect(text, sql).not.to.contain('"api_keys"');
      }
    });

    it('gains nothing by resetting settings, and a query without its limits is stopped', async () => {
      const asked = { params: { session_id: 'reset' }, server: analysts.servers.length - 1, isDirect: true };
      for (const name of ['readonly', 'max_execution_time', 'max_memory_usage', 'max_rows_to_read']) {
        await analysts.ask(`SET ${name} = DEFAULT`, asked);
      }
      expect((await analysts.ask('SELECT shop_id FROM bi.orders', asked)).text).to.equal('a\n');
      for (const [sql, error] of [
        ["SET query_cache_tag = 'b'", /CONSTRAINT/],
        ["SET additional_table_filters = {'profit.orders': '1'}", /CONSTRAINT/],
        ["SET format_template_row = '/etc/passwd'", /CONSTRAINT/],
        ['SET allow_experimental_eval_table_function = 1', /CONSTRAINT/],
        ["SET profile = 'engine'", /CONSTRAINT/],
        ['SELECT * FROM profit.orders', /ACCESS_DENIED/],
        ['CREATE TEMPORARY TABLE mine (a Int8)', /ACCESS_DENIED/],
        ["INSERT INTO FUNCTION file('/tmp/bi-out.tsv') SELECT 1", /ACCESS_DENIED/],
      ] as const) {
        expect((await analysts.ask(sql, asked)).text, sql).to.match(error);
      }
      const endless = analysts.ask('SELECT max(sipHash64(number)) FROM numbers(1000000000000)', asked);
      for (let stopped = 0; stopped === 0;) {
        await sleep(50);
        stopped = await stopUnboundQueries(analysts.servers);
      }
      expect((await endless).text).to.contain('QUERY_WAS_CANCELLED');
    });

    it('keeps limits in the views even then: they are the reader’s own', async () => {
      const { text } = await analysts.ask(
        'SELECT count() FROM (SELECT * FROM bi.orders SETTINGS max_rows_to_read = 1) SETTINGS readonly = DEFAULT',
        { isDirect: true },
      );
      expect(text).to.match(/^1\n|TOO_MANY_ROWS/);
      const [row] = await analysts.warehouse.query<{ n: string }>(
        "SELECT count() AS n FROM profit.orders WHERE shop_id = 'b'",
      );
      expect(row?.n).to.equal('1');
    });

    it('reads every text column of every view by its length and whether it is empty', async () => {
      for (const { name, columns } of await readDictionary('clickhouse/views/bi')) {
        const texts = columns.filter(({ type }) => type.includes('String'));
        const lengths = texts.map(({ name: text }) => `length(${text}) > 0 OR empty(${text}) OR notEmpty(${text})`);
        const plain = texts.filter(({ type }) => /^(LowCardinality\()?(Nullable\()?String/.test(type));
        // Apart from each other: a column that is read as a whole too would not be asked for its length alone.
        for (const conditions of [lengths, plain.map(({ name: text }) => `${text} != ''`)]) {
          const sql = `SELECT count() FROM bi.${name} WHERE ${['0', ...conditions].join(' OR ')}`;
          const { status, text } = await analysts.ask(sql);
          expect(status, `${sql}: ${text.slice(0, 200)}`).to.equal(200);
        }
      }
    });

    it('a query within its limits runs on, and harmless settings may be set', async () => {
      const params = {
        max_execution_time: '10',
        join_use_nulls: '1',
        session_timezone: 'Asia/Tokyo',
        log_comment: 'x',
      };
      const slow = analysts.ask('SELECT sleep(1), toString(revenue) FROM bi.daily_metrics', { params });
      await sleep(200);
      expect(await stopUnboundQueries(analysts.servers)).to.equal(0);
      expect((await slow).text).to.equal('0\t12345678901234.123456\n');
    });
  });
