import { request } from 'node:http';
import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopUnboundQueries } from '../../src/warehouse/bi/watch.js';
import { SECRET, startAnalysts, type Analysts, type AskOptions } from './analysts.js';

/** What a BI user tries, and the error that it meets. */
const ATTEMPTS: readonly (readonly [sql: string, error: RegExp, options?: AskOptions])[] = [
  // Tables and rows of others.
  ['SELECT * FROM profit.orders', /ACCESS_DENIED/],
  ['SELECT key_hash FROM profit.api_keys', /ACCESS_DENIED/],
  ['SELECT 1 FROM orders', /UNKNOWN_TABLE|ACCESS_DENIED/, { params: { database: 'profit' } }],
  ['USE profit', /ACCESS_DENIED/],
  ['DESCRIBE TABLE profit.orders', /ACCESS_DENIED/],
  ['SHOW CREATE TABLE profit.orders', /ACCESS_DENIED/],
  ['EXISTS TABLE profit.orders', /ACCESS_DENIED/],
  ["SELECT * FROM merge('profit', '.*')", /CANNOT_EXTRACT_TABLE_STRUCTURE|ACCESS_DENIED/],
  ['SELECT * FROM loop(profit.orders)', /ACCESS_DENIED/],
  ["SELECT * FROM loop('profit', 'orders')", /ACCESS_DENIED/],
  ["SELECT * FROM mergeTreeIndex('profit', 'orders')", /ACCESS_DENIED/],
  ["SELECT * FROM mergeTreeAnalyzeIndexes('profit', 'orders')", /ACCESS_DENIED/],
  ["SELECT * FROM viewExplain('EXPLAIN', '', (SELECT * FROM profit.orders))", /ACCESS_DENIED/],
  ["SELECT joinGet('profit.orders', 'total', 'b')", /ILLEGAL_TYPE_OF_ARGUMENT|ACCESS_DENIED/],
  ["SELECT dictGet('profit.x', 'y', 1)", /BAD_ARGUMENTS|ACCESS_DENIED/],
  ["SELECT * FROM dictionary('x')", /ACCESS_DENIED/],
  ["SELECT hasColumnInTable('profit', 'api_keys', 'key_hash')", /ACCESS_DENIED/],
  ['CHECK TABLE profit.orders', /ACCESS_DENIED/],
  ['BACKUP TABLE profit.orders TO Null', /ACCESS_DENIED/],
  // The shop that the views show.
  ["SET query_cache_tag = 'b'", /SETTING_CONSTRAINT_VIOLATION|READONLY/],
  ["SELECT * FROM bi.orders SETTINGS query_cache_tag = 'b'", /SETTING_CONSTRAINT_VIOLATION|READONLY/],
  ['SELECT * FROM bi.orders', /SETTING_CONSTRAINT_VIOLATION|READONLY/, { params: { query_cache_tag: 'b' } }],
  ["SET profile = 'bi_b'", /THERE_IS_NO_PROFILE/],
  ["SET profile = 'engine'", /SETTING_CONSTRAINT_VIOLATION|READONLY/],
  ['SELECT * FROM bi.orders', /SETTING_CONSTRAINT_VIOLATION|READONLY/, { params: { profile: 'engine' } }],
  ["SELECT * FROM bi.orders SETTINGS additional_table_filters = {'profit.orders': '1'}", /CONSTRAINT|READONLY/],
  ["SELECT * FROM bi.orders SETTINGS additional_result_filter = '1'", /CONSTRAINT|READONLY/],
  ['SELECT * FROM bi.orders SETTINGS apply_row_policy_after_final = 0', /CONSTRAINT|READONLY/],
  ["SELECT * FROM bi.orders SETTINGS short_circuit_function_evaluation = 'disable'", /CONSTRAINT|READONLY/],
  ['SELECT * FROM bi.orders SETTINGS enable_analyzer = 0', /CONSTRAINT|READONLY/],
  ['SELECT * FROM bi.orders SETTINGS query_cache_share_between_users = 1, use_query_cache = 1', /CONSTRAINT|READONLY/],
  // Being somebody else.
  ['EXECUTE AS profit SELECT 1', /SUPPORT_IS_DISABLED|ACCESS_DENIED/],
  ['EXECUTE AS bi_reader SELECT * FROM profit.orders', /SUPPORT_IS_DISABLED|ACCESS_DENIED/],
  ['SET ROLE admin', /UNKNOWN_ROLE|ACCESS_DENIED|not granted/],
  ['SELECT 1', /AUTHENTICATION_FAILED/, { user: 'bi_reader', password: '' }],
  ['SELECT * FROM profit.orders', /AUTHENTICATION_FAILED/, { user: 'default', password: '' }],
  ['SELECT 1', /AUTHENTICATION_FAILED/, { user: 'profit', password: '' }],
  ['SELECT 1', /REQUIRED_PASSWORD/, { params: { user: 'bi_b' } }],
  ['SELECT 1', /ROLE|ACCESS_DENIED/, { params: { role: 'admin' } }],
  ['CREATE USER x', /ACCESS_DENIED/],
  ["ALTER USER bi_a SETTINGS query_cache_tag = 'b'", /ACCESS_DENIED/],
  ['ALTER USER bi_a SETTINGS readonly = 0', /ACCESS_DENIED/],
  ['GRANT ALL ON *.* TO bi_a', /ACCESS_DENIED/],
  ['CREATE ROW POLICY p ON profit.orders USING 1 TO bi_a', /ACCESS_DENIED/],
  ['DROP ROW POLICY bi_reader ON profit.orders', /ACCESS_DENIED/],
  ['CREATE QUOTA q TO bi_a', /ACCESS_DENIED/],
  // What others do and what the server is.
  ['SELECT * FROM system.query_log', /UNKNOWN_TABLE|ACCESS_DENIED/],
  ['SELECT * FROM system.processes', /ACCESS_DENIED/],
  ['SHOW PROCESSLIST', /ACCESS_DENIED/],
  ['SELECT * FROM system.errors', /ACCESS_DENIED/],
  ['SELECT * FROM system.users', /ACCESS_DENIED/],
  ['SELECT * FROM system.row_policies', /ACCESS_DENIED/],
  ['SELECT * FROM system.settings_profile_elements', /ACCESS_DENIED/],
  ['SHOW ACCESS', /ACCESS_DENIED/],
  ['KILL QUERY WHERE 1', /ACCESS_DENIED/],
  ["KILL QUERY WHERE user = 'profit' SYNC", /ACCESS_DENIED/],
  ['SYSTEM SHUTDOWN', /ACCESS_DENIED/],
  ['SYSTEM FLUSH LOGS', /ACCESS_DENIED/],
  ['SYSTEM STOP LISTEN HTTP', /ACCESS_DENIED/],
  ['SYSTEM RELOAD USERS', /ACCESS_DENIED/],
  ['SYSTEM DROP MARK CACHE', /ACCESS_DENIED/],
  // Files, programs and the network.
  ["SELECT file('/etc/passwd')", /files cannot be read here/],
  ["SELECT * APPLY(file) FROM (SELECT '/etc/passwd' AS path)", /files cannot be read here/],
  ["SELECT arrayMap(path -> file(path), ['/etc/passwd'])", /files cannot be read here/],
  ["SELECT * FROM view(SELECT file('/etc/passwd'))", /files cannot be read here/],
  ["SELECT * FROM values('x String', file('/etc/passwd'))", /ACCESS_DENIED|files cannot be read here/],
  ["SELECT * FROM file('/etc/passwd', 'LineAsString')", /ACCESS_DENIED/],
  ["DESCRIBE TABLE file('/etc/passwd')", /ACCESS_DENIED/],
  ["SELECT * FROM filesystem('/etc')", /ACCESS_DENIED/],
  ["SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')", /ACCESS_DENIED/],
  ["SELECT * FROM s3('http://127.0.0.1:1/bucket/key', 'LineAsString')", /ACCESS_DENIED/],
  ["SELECT * FROM remote('127.0.0.1', profit.orders)", /ACCESS_DENIED/],
  ["SELECT * FROM remoteSecure('127.0.0.1', profit.orders)", /ACCESS_DENIED/],
  ["SELECT * FROM cluster('default', profit.orders)", /CLUSTER_DOESNT_EXIST|ACCESS_DENIED/],
  ["SELECT * FROM mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')", /ACCESS_DENIED/],
  ["SELECT * FROM postgresql('127.0.0.1:1', 'a', 'b', 'c', 'd')", /ACCESS_DENIED/],
  ["SELECT * FROM redis('127.0.0.1:1', 'k', 'k String')", /ACCESS_DENIED/],
  ["SELECT * FROM sqlite('/tmp/x', 'y')", /ACCESS_DENIED/],
  ["SELECT * FROM icebergLocal('/etc')", /ACCESS_DENIED/],
  ["SELECT * FROM executable('x.sh', TSV, 'a String')", /ACCESS_DENIED/],
  ["SELECT * FROM eval('SELECT 1')", /SUPPORT_IS_DISABLED|ACCESS_DENIED/],
  ["SELECT aiGenerate('x')", /SUPPORT_IS_DISABLED|ACCESS_DENIED/],
  ['SELECT addressToLine(1)', /ACCESS_DENIED/],
  ["SELECT 1 INTO OUTFILE '/tmp/bi-out.tsv'", /INTO_OUTFILE_NOT_ALLOWED/],
  ["SELECT 1 FORMAT Template SETTINGS format_template_row = '/etc/passwd'", /CONSTRAINT|READONLY/],
  ["SELECT 1 FORMAT Protobuf SETTINGS output_format_schema = '/tmp/bi-out.proto'", /CONSTRAINT|READONLY/],
  ["SELECT 1 FORMAT CapnProto SETTINGS format_schema = '/etc/passwd:x'", /CONSTRAINT|READONLY/],
  // Writing.
  ["INSERT INTO bi.orders (order_id) VALUES ('x')", /ACCESS_DENIED/],
  ["INSERT INTO profit.orders (order_id) VALUES ('x')", /ACCESS_DENIED/],
  ["INSERT INTO FUNCTION file('/tmp/bi-out.tsv') SELECT 1", /ACCESS_DENIED/],
  ["INSERT INTO FUNCTION null('a Int8') SELECT 1", /ACCESS_DENIED/],
  ['CREATE TABLE bi.mine (a Int8) ENGINE = Memory', /ACCESS_DENIED/],
  ['CREATE TEMPORARY TABLE mine (a Int8)', /ACCESS_DENIED/, { params: { session_id: 't' } }],
  ['CREATE VIEW bi.mine AS SELECT 1', /ACCESS_DENIED/],
  ['CREATE OR REPLACE VIEW bi.orders DEFINER = profit SQL SECURITY DEFINER AS SELECT * FROM profit.orders', /ACCESS/],
  ['CREATE DATABASE mine', /ACCESS_DENIED/],
  ['CREATE FUNCTION mine AS (a) -> a', /ACCESS_DENIED/],
  ['DROP FUNCTION file', /ACCESS_DENIED/],
  ['CREATE NAMED COLLECTION mine AS a = 1', /ACCESS_DENIED/],
  [
    "CREATE DICTIONARY bi.d (a UInt64) PRIMARY KEY a SOURCE(CLICKHOUSE(TABLE 'orders' DB 'profit')) LAYOUT(FLAT()) LIFETIME(0)",
    /ACCESS/,
  ],
  ['ALTER TABLE profit.orders DELETE WHERE 1', /ACCESS_DENIED/],
  ['DELETE FROM profit.orders WHERE 1', /ACCESS_DENIED/],
  ['UPDATE profit.orders SET total = 1 WHERE 1', /ACCESS_DENIED/],
  ['ALTER TABLE bi.orders MODIFY SQL SECURITY INVOKER', /ACCESS_DENIED/],
  ['TRUNCATE TABLE profit.orders', /ACCESS_DENIED/],
  ['OPTIMIZE TABLE profit.orders', /ACCESS_DENIED/],
  ['DROP VIEW bi.orders', /ACCESS_DENIED/],
  ['DETACH TABLE bi.orders', /ACCESS_DENIED/],
  ['RENAME TABLE bi.orders TO bi.mine', /ACCESS_DENIED/],
  ['EXCHANGE TABLES bi.orders AND bi.product_costs', /ACCESS_DENIED/],
  ['SELECT 1; DROP VIEW bi.orders', /SYNTAX_ERROR/],
  ['', /SYNTAX_ERROR/, { params: { query: 'DROP VIEW bi.orders; SELECT 1' } }],
  // Limits of memory, time and rows.
  ['SET readonly = 0', /READONLY|CONSTRAINT/],
  ['SELECT 1', /READONLY|CONSTRAINT/, { params: { readonly: '0' } }],
  ['SELECT 1 SETTINGS max_execution_time = 0', /CONSTRAINT/],
  ['SELECT 1 SETTINGS max_execution_time = 100000', /CONSTRAINT/],
  ['SELECT 1 SETTINGS max_memory_usage = 0', /CONSTRAINT/],
  ['SELECT 1', /CONSTRAINT/, { params: { max_memory_usage: '99999999999' } }],
  ['SELECT 1 SETTINGS max_rows_to_read = 0', /CONSTRAINT/],
  ['SELECT 1 SETTINGS max_result_rows = 0', /CONSTRAINT/],
  ['SELECT 1 SETTINGS max_threads = 64', /CONSTRAINT/],
  ["SELECT 1 SETTINGS timeout_overflow_mode = 'break'", /CONSTRAINT|READONLY/],
  ['SELECT 1 SETTINGS max_concurrent_queries_for_user = 0', /CONSTRAINT|READONLY/],
  ["SELECT 1 SETTINGS workload = 'x'", /CONSTRAINT|READONLY/],
  ['SELECT count() FROM numbers(1000000000000)', /TOO_MANY_ROWS/],
  ['SELECT groupArray(number) FROM numbers(1000000000)', /MEMORY_LIMIT_EXCEEDED/],
  ['SELECT number FROM numbers(100000000) FORMAT Null', /TOO_MANY_ROWS_OR_BYTES/],
];

describe('a BI user who wants more', function () {
  this.timeout(120_000);
  let analysts: Analysts;
  before(async () => {
    analysts = await startAnalysts();
  });
  after(() => analysts.stop());

  it('sees its own shop through every view', async () => {
    for (const user of ['bi_a', 'bi_b']) {
      const { text } = await analysts.ask(
        `SELECT shop_id, toString(total) FROM bi.orders UNION ALL SELECT shop_id, sku FROM bi.order_line_items
         UNION ALL SELECT shop_id, toString(revenue) FROM bi.daily_metrics UNION ALL SELECT shop_id, sku FROM bi.product_costs
         UNION ALL SELECT shop_id, batch_id FROM bi.ingest_log`,
        { user },
      );
      const lines = text.trim().split('\n');
      expect(lines.length, text).to.equal(5);
      expect(lines.filter((line) => !line.startsWith(`${user.slice(3)}\t`))).to.deep.equal([]);
    }
  });

  for (const [sql, error, options] of ATTEMPTS) {
    const where = Object.entries({ ...options?.params, ...(options?.user && { user: options.user }) });
    it(`${sql.slice(0, 100)}${where.map(([name, value]) => ` [${name}=${value}]`).join('')}`, async () => {
      const { status, text } = await analysts.ask(sql, options);
      expect(status, text.slice(0, 300)).to.be.greaterThanOrEqual(400);
      expect(text).to.match(error);
      expect(text).not.to.contain(SECRET);
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

  it('may bring rows of its own along with a query, which stay in it', async () => {
    const form = new FormData();
    form.append('mine', new Blob(['1\n']), 'mine.tsv');
    const params = { query: 'SELECT a FROM mine', mine_structure: 'a Int8' };
    expect(await analysts.ask('', { params, body: form })).to.deep.equal({ status: 200, text: '1\n' });
    expect((await analysts.ask('SELECT a FROM mine')).text).to.match(/UNKNOWN_TABLE/);
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
      'EXPLAIN indexes = 1 SELECT * FROM bi.orders',
    ]) {
      const { text } = await analysts.ask(sql);
      expect(text, sql).not.to.contain(SECRET);
      expect(text, sql).not.to.contain('"api_keys"');
    }
  });

  it('gains nothing by resetting settings, and a query without its limits is stopped', async () => {
    const params = { session_id: 'reset' };
    for (const name of ['readonly', 'max_execution_time', 'max_memory_usage', 'max_rows_to_read']) {
      await analysts.ask(`SET ${name} = DEFAULT`, { params });
    }
    expect((await analysts.ask('SELECT shop_id FROM bi.orders', { params })).text).to.equal('a\n');
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
      expect((await analysts.ask(sql, { params })).text, sql).to.match(error);
    }
    const endless = analysts.ask('SELECT max(sipHash64(number)) FROM numbers(1000000000000)', { params });
    for (let stopped = 0; stopped === 0;) {
      await sleep(50);
      stopped = await stopUnboundQueries(analysts.warehouse);
    }
    expect((await endless).text).to.contain('QUERY_WAS_CANCELLED');
  });

  it('keeps limits in the views even then: they are the reader’s own', async () => {
    const { text } = await analysts.ask(
      'SELECT count() FROM bi.orders SETTINGS max_rows_to_read = 1, readonly = DEFAULT',
    );
    expect(text).to.match(/^1\n|TOO_MANY_ROWS/);
    const [row] = await analysts.warehouse.query<{ n: string }>(
      "SELECT count() AS n FROM profit.orders WHERE shop_id = 'b'",
    );
    expect(row?.n).to.equal('1');
  });

  it('a query within its limits runs on, and harmless settings may be set', async () => {
    const params = { max_execution_time: '10', join_use_nulls: '1', session_timezone: 'Asia/Tokyo', log_comment: 'x' };
    const slow = analysts.ask('SELECT sleep(1), toString(revenue) FROM bi.daily_metrics', { params });
    await sleep(200);
    expect(await stopUnboundQueries(analysts.warehouse)).to.equal(0);
    expect(await slow).to.deep.equal({ status: 200, text: '0\t12345678901234.123456\n' });
  });
});
